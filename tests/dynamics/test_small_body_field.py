"""Motion in the frame of a small body: orbits seen from axes that turn, spin of rigid bodies, energy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from haptos.dynamics.field import SMALL_BODY, field_at
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import GRAVITY
from haptos.environment import gravity as gravities
from haptos.environment.orbit_frames import elements_from_state, later, state_from_elements
from tests.close import assert_close
from tests.net_cases import MOST, momenta, small_body_field, small_net

MU, PERIOD = 4.463e5, 400.0  # [m^3/s^2], [s]
SPIN = 2.0 * math.pi / PERIOD * np.array([0.36, 0.48, 0.8])
AXES = Rotation.from_rotvec([0.3, 0.8, -0.4]).as_matrix()
PLACE, VELOCITY = np.array([900.0, 200.0, -300.0]), np.array([4.0, 18.0, 9.0])  # in space, A axes


def orbiting(rate: np.ndarray = SPIN):
    """A node in orbit, in N axes that are fixed to the body and lean; the origin is where it starts."""
    arm = AXES @ PLACE
    field = small_body_field(gravities.point(MU), AXES @ rate, arm, AXES)
    net, motion = small_net([[0.0, 0.0, 0.0]], [2.0])
    motion.points.v[0] = AXES @ (VELOCITY - np.cross(SPIN, PLACE))
    return net._replace(field=field), motion


def in_space(motion, seconds: float) -> np.ndarray:
    """Place of the node [m], axes that do not turn and are those of the body at time zero."""
    place = AXES.T @ motion.points.x[0] + PLACE
    return Rotation.from_rotvec(seconds * SPIN).apply(place)


def kepler(seconds: float) -> np.ndarray:
    """Place of the node by Kepler's laws [m], axes that do not turn."""
    elements = later(elements_from_state(PLACE, VELOCITY, MU), seconds, MU)
    return np.asarray(state_from_elements(elements, MU)[0])


def marched_by(scheme: str, net, motion, seconds: float, longest: float) -> None:
    scratch = scratch_of(motion)
    if scheme == "verlet":
        assert march(net, motion, scratch, seconds, 0.4, longest, MOST)
        return
    room = room_of(net, motion, position=1e-9, velocity=1e-9, attitude=1e-11, rate=1e-11, work=1e-9)
    assert march_dormand(net, motion, scratch, room, seconds, 1e-13, 10.0, MOST)


@pytest.mark.parametrize(("scheme", "error"), [("verlet", 2e-7), ("dormand-prince", 1e-10)])
def test_a_node_keeps_to_its_kepler_orbit(scheme, error):
    """Second order with steps of 10 ms leaves 1e-7 of the place, error control what it is asked for."""
    net, motion = orbiting()
    marched_by(scheme, net, motion, 60.0, 0.01)
    place = kepler(60.0)
    assert_close(in_space(motion, 60.0), place, rtol=error, scale=1000.0)
    lost = motion.ledger.energy.kinetic - motion.ledger.energy.start - motion.ledger.work[GRAVITY]
    assert (
        abs(lost) <= motion.ledger.energy.largest + 1e-14 * motion.ledger.energy.start
    )  # and rounding
    assert motion.ledger.energy.largest < 1e-6 * abs(motion.ledger.work[GRAVITY])


def test_the_check_sees_a_wrong_spin():
    net, motion = orbiting(1.01 * SPIN)
    marched_by("dormand-prince", net, motion, 60.0, 0.01)
    place = kepler(60.0)
    with pytest.raises(AssertionError):
        assert_close(in_space(motion, 60.0), place, rtol=1e-4, scale=1000.0)


def test_a_body_keeps_its_angular_momentum_in_space():
    net, motion = small_net([[5.0, 0.0, 0.0]], [1.0])
    moments = np.array([1.0, 2.0, 2.5])
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = 1.0 / moments, 0.1
    motion.bodies.momentum[0] = moments * (0.2, -0.1, 0.3)
    nothing = small_body_field(gravities.uniform((0.0, 0.0, 0.0)), SPIN)
    net = net._replace(field=nothing)
    marched_by("dormand-prince", net, motion, 30.0, 0.01)
    dcm = Rotation.from_quat(motion.bodies.attitude[0], scalar_first=True).as_matrix()
    carried = dcm @ (moments * (dcm.T @ SPIN))
    found = Rotation.from_rotvec(30.0 * SPIN).apply(motion.bodies.momentum[0] + carried)
    expected = moments * (0.2, -0.1, 0.3) + moments * SPIN
    assert_close(found, expected, rtol=1e-8)
    assert np.isfinite(momenta(net, motion)[0]).all()


def test_a_tumbling_body_has_its_euler_acceleration():
    """A table whose rate grows evenly: at the axes' origin only w' x r and the centrifugal part are left."""
    field = small_body_field(gravities.uniform((0.0, 0.0, 0.0)), arm=(2.0, 0.0, 0.0))
    rows = np.array([[0.0, 0.0, 0.1 * t, 0.0, 0.0, 0.1] for t in (0.0, 1.0, 2.0)])
    field = field._replace(rows=rows, spacing=1.0)
    field.turning[:6] = rows[1]
    assert field.kind == SMALL_BODY
    a = field_at(field, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert_close(a, [0.01 * 2.0, -0.1 * 2.0, 0.0], rtol=1e-12)
