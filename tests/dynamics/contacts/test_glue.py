"""Glue: what touches stays where it touched, both bodies keep their momenta, the ledger closes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.core.rotations import rotation_matrices, rotation_matrix
from haptos.dynamics.contacts.glue import (
    SETTLES,
    effective_inverse_tensor,
    pulled_off,
    settled_load,
)
from haptos.dynamics.contacts.memories import (
    BOX_MET,
    BOX_PEAK,
    FREE,
    GLUED,
    SPENT,
    UNGLUED,
)
from haptos.dynamics.march.error_control import refuse_unfit
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    RUBBING,
    Boxes,
)
from tests.close import assert_close
from tests.dynamics.contacts.test_ball_mesh import MOMENTS as BULLET_MOMENTS
from tests.dynamics.contacts.test_ball_mesh import landing
from tests.net_cases import (
    MOST,
    box_surface,
    contact_numbers,
    cuboid_moments,
    marched,
    momenta,
    small_net,
    thrown_grid,
)

SIZE = (0.3, 0.3, 0.3)
MASS = 8.0  # [kg] of the box
MOMENTS = np.asarray(cuboid_moments(MASS, SIZE))
RADIUS = 5e-4  # [m]


def with_glue(net, strength=np.inf):
    return net._replace(options=net.options._replace(has_glue=True, glue_strength=strength))


def surface():
    return box_surface(SIZE, contact_numbers(1e5, 0.0, 0.0))


def seen_by(motion, x, body=0):
    """Places in the axes of a body."""
    return (x - motion.bodies.place[body]) @ rotation_matrices(motion.bodies.attitude[body])


def away(motion, points):
    """How far points are from where they are glued [m]."""
    return np.linalg.norm(
        seen_by(motion, motion.points.x[points]) - motion.contacts.glue.anchor[points], axis=1
    )


def loosen(net, motion, rate=(0.3, -0.6, 2.0)):
    """Let the box fly and turn [rad/s]."""
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = 1.0 / MOMENTS, 1.0 / MASS
    motion.bodies.momentum[0] = MOMENTS * rate


def pulled_knot(*, is_glued=True, strength=np.inf):
    """A knot of 1 g strikes a turning box and is pulled off again by a mass on a thread."""
    net, motion = small_net(
        [(-0.16, 0.02, 0.03), (-0.2, 0.02, 0.03)], [1e-3, 0.05], elements=[(0, 1)], lengths=[0.1],
        radius=RADIUS, surface=surface(),
    )  # fmt: skip
    loosen(net, motion)
    motion.points.v[:] = [(2.0, 0.5, 0.0), (-1.0, 1.0, 0.3)]
    return (with_glue(net, strength) if is_glued else net), motion


def hanging_knot(strength=np.inf, gravity=-9.81, mass=1e-3):
    """A knot thrown up against the underside of a box that is held, where it may hang."""
    net, motion = small_net(
        [(0.02, 0.01, -0.16)], [mass], radius=RADIUS, surface=surface(), gravity=(0, 0, gravity)
    )
    motion.points.v[0] = (0.3, 0.0, 2.0)
    return with_glue(net, strength), motion


def test_a_body_shows_the_inverse_mass_of_its_centre_and_of_its_turning():
    q, arm = (0.8, 0.2, -0.4, 0.4), np.array([0.3, -0.2, 0.5])
    dcm = rotation_matrices(np.array(q))
    turn = np.cross(np.eye(3), arm)  # rows e x arm: J -> arm x J is its transpose up to sign
    expected = 0.2 * np.eye(3) + turn @ (dcm @ np.diag(1.0 / MOMENTS) @ dcm.T) @ turn.T
    found = effective_inverse_tensor(rotation_matrix(q), tuple(1.0 / MOMENTS), 0.2, tuple(arm))
    assert_close(found, expected[np.triu_indices(3)], rtol=1e-13)


def test_a_load_is_a_mean_that_forgets_and_a_blow_counts_by_its_impulse():
    blows = [settled_load((0.0, 0.0, 0.0), (0.0, 1e-3 / h, 0.0), h)[1] for h in (1e-6, 1e-7)]
    assert_close(blows, np.full(2, 1e-3 / SETTLES), rtol=1e-3)
    load = (0.0, 0.0, 0.0)
    for _ in range(400):
        load = settled_load(load, (3.0, 0.0, -1.0), 5e-5)
    assert_close(load, (3.0, 0.0, -1.0), rtol=1e-8)
    assert_close(pulled_off((3.0, 0.0, 4.0), (0.0, 0.0, 1.0)), 3.0, rtol=1e-14)
    assert_close(pulled_off((3.0, 0.0, -4.0), (0.0, 0.0, 1.0)), 5.0, rtol=1e-14)


def test_a_knot_that_strikes_loses_what_a_plastic_impact_loses():
    """Loss w . A^-1 w/2 of the relative velocity; 1 % more mass would be noticed."""
    net, motion = small_net([(-0.16, 0.1, 0.03)], [0.5], radius=RADIUS, surface=surface())
    loosen(net, motion, (0.0, 0.0, 0.0))
    motion.points.v[0] = (2.0, 0.5, -0.3)
    marched(with_glue(net), motion, 0.1)
    begun = 0.00475  # [s] flight over 9.5 mm
    arm = np.array([-0.15 - RADIUS, 0.1 + 0.5 * begun, 0.03 - 0.3 * begun])
    turn = np.cross(np.eye(3), arm)
    for mass, is_right in ((0.5, True), (0.505, False)):
        effective_inverse_mass = (1.0 / mass + 1.0 / MASS) * np.eye(3) + turn @ np.diag(
            1.0 / MOMENTS
        ) @ turn.T
        w = np.array([2.0, 0.5, -0.3])
        error = (
            -motion.ledger.work[CONTACT_DAMPING]
            / (0.5 * w @ np.linalg.solve(effective_inverse_mass, w))
            - 1.0
        )
        assert (abs(error) < 1e-5) == is_right
    assert motion.ledger.energy.largest < 1e-12 * motion.ledger.energy.start
    assert abs(motion.step.touched_at - begun) < 1e-3
    assert motion.ledger.work[RUBBING] == 0.0


def test_a_pulled_knot_stays_where_it_touched_and_momenta_are_kept():
    net, motion = pulled_knot()
    before = momenta(net, motion)
    for until in (0.01, 0.03, 0.05):
        marched(net, motion, until)
        assert motion.contacts.glue.body[0] == 0
        assert motion.contacts.glue.body[1] == FREE
        assert away(motion, [0])[0] < 1e-12
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-14
    assert motion.step.peak_force > 10.0  # it was pulled hard meanwhile
    net, motion = pulled_knot(is_glued=False)
    marched(net, motion, 0.05)
    assert np.abs(seen_by(motion, motion.points.x[0])).max() > 0.16


def test_books_of_a_pulled_knot_close_with_the_square_of_the_step():
    found, lost = [], []
    for share in (0.4, 0.2, 0.1):
        net, motion = pulled_knot()
        marched(net, motion, 0.05, share)
        found.append(motion.ledger.energy.largest / motion.ledger.energy.start)
        lost.append(-motion.ledger.work[CONTACT_DAMPING])
    assert found[0] < 1e-3
    assert found[2] < 0.1 * found[0]
    assert abs(lost[0] / lost[2] - 1.0) < 5e-3  # what is pulled and stays makes no heat


def test_a_hanging_knot_makes_no_heat_and_its_load_is_its_weight():
    net, motion = hanging_knot()
    marched(net, motion, 0.02)
    lost = motion.ledger.work[CONTACT_DAMPING]
    marched(net, motion, 1.0)
    assert motion.ledger.work[CONTACT_DAMPING] == pytest.approx(lost, abs=1e-15)
    assert away(motion, [0])[0] < 1e-13
    assert_close(motion.contacts.glue.load[0], (0.0, 0.0, 9.81e-3), rtol=1e-9)
    assert motion.ledger.energy.largest < 1e-12


@pytest.mark.parametrize(("share", "holds"), [(1.05, True), (0.95, False)])
def test_glue_holds_below_its_strength_and_breaks_above(share, holds):
    """The blow, 0.6 N for a mean of 1 ms along the face, would break it: it is thrown straight."""
    net, motion = hanging_knot(share * 9.81e-3)
    motion.points.v[0, :2] = 0.0
    marched(net, motion, 0.2)
    assert list(motion.contacts.glue.tally[:2]) == ([1, 0] if holds else [0, 1])
    assert (motion.points.x[0, 2] > -0.151) == holds
    assert motion.ledger.energy.largest < 1e-12


def test_what_is_pressed_on_is_not_torn_off_and_what_broke_is_not_glued_again():
    net, motion = hanging_knot(1e-3, gravity=9.81)
    motion.points.v[0, :2] = 0.0
    marched(net, motion, 0.2)
    assert motion.contacts.glue.tally[GLUED] == 1
    net, motion = hanging_knot(1e-3, gravity=-9.81)
    motion.points.v[0] = (0.3, 0.0, 2.0)
    marched(net, motion, 0.02)
    assert motion.contacts.glue.body[0] == SPENT
    motion.points.x[0], motion.points.v[0] = (0.02, 0.01, -0.16), (0.0, 0.0, 2.0)
    marched(net, motion, 0.2)
    assert motion.contacts.glue.tally[UNGLUED] == 1
    assert motion.points.x[0, 2] < -0.17  # it bounced and fell


def glued_grid(share=0.4):
    net, motion = thrown_grid(damping_ratio=0.106, alpha=0.3, friction=0.3)
    net = with_glue(net)
    before = momenta(net, motion)
    marched(net, motion, 0.6, share)
    return motion, before, momenta(net, motion)


def test_a_net_on_a_turning_box_keeps_its_momenta_and_every_knot_its_place():
    motion, before, after = glued_grid()
    for one, other in zip(before, after, strict=True):
        assert np.abs(one - other).max() < 1e-12
    points = np.flatnonzero(motion.contacts.glue.body == 0)
    assert len(points) == motion.contacts.glue.tally[GLUED] == 4
    assert away(motion, points).max() < 1e-11
    assert motion.ledger.energy.largest < 2e-4 * motion.ledger.energy.start
    assert motion.ledger.work[CONTACT_DAMPING] < 0.0


def test_a_thread_from_a_glued_knot_over_an_edge_comes_to_rest_and_makes_no_more_heat():
    """A knot on top of a box that is held, a weight beside it; the edge sees that the knot is held."""
    net, motion = small_net(
        [(0.1, 0.03, 0.152), (0.19, 0.05, 0.17)], [1e-3, 0.05], elements=[(0, 1)], lengths=[0.1],
        damping=0.3, radius=RADIUS, surface=box_surface(SIZE, contact_numbers(1e5, 0.3, 0.3)),
        gravity=(0.0, 0.0, -9.81),
    )  # fmt: skip
    net = with_glue(net)
    motion.points.v[0] = (0.0, 0.0, -0.3)
    marched(net, motion, 1.5)
    lost = motion.ledger.work.copy()
    marched(net, motion, 2.0)
    assert away(motion, [0])[0] < 1e-12
    assert motion.ledger.energy.largest < 2e-4 * np.abs(lost).sum()
    rubbed = np.abs(motion.ledger.work - lost)[RUBBING]
    assert rubbed < 0.05 * abs(lost[RUBBING])


@pytest.mark.parametrize(("balls", "tilt"), [(1, 0.0), (3, 0.0), (3, 0.1)])
def test_a_bullet_stays_and_its_books_close(balls, tilt):
    net, motion = landing(balls, tilt=tilt)
    net = with_glue(net)
    before = momenta(net, motion)
    marched(net, motion, 0.06)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
    assert motion.contacts.glue.tally[GLUED] == balls
    assert motion.ledger.energy.largest < 1e-9 * motion.ledger.energy.start
    bound = 2e-4 if tilt else 1e-6  # it turned by 0.1 rad in the step in which the last one touched
    assert away(motion, np.arange(balls)).max() < bound
    assert np.linalg.norm(motion.bodies.speed[1]) < 0.01
    assert motion.bodies.met[1, 3] > 0.0


def test_a_bullet_that_swings_about_one_ball_is_neither_driven_nor_slowed():
    """With the lever of the start of each step it gains 5 %."""
    net, motion = landing(3)
    net.points.radius[1:] = 0.0
    net = with_glue(net)
    motion.bodies.place[1], motion.bodies.speed[1] = (0.1, 0.07, 0.5112), (0.0, 0.0, -0.5)
    motion.bodies.momentum[1] = BULLET_MOMENTS * (0.0, 300.0, 90.0)
    scratch, kinetic = scratch_of(motion), []
    for until in (0.03, 0.13):
        assert march(net, motion, scratch, until, 0.4, 1e-4, MOST)
        kinetic.append(motion.ledger.energy.kinetic)
    assert motion.contacts.glue.tally[GLUED] == 1
    assert abs(kinetic[1] / kinetic[0] - 1.0) < 1e-4


def test_a_heavy_knot_turns_with_its_box_and_keeps_its_energy():
    """Where it is held errs with the step: 1e-9, 1e-10, 7e-12 m at 0.5, 0.25, 0.1 ms."""
    net, motion = small_net([(-0.151, 0.1, 0.03)], [4.0], radius=RADIUS, surface=surface())
    net = with_glue(net)
    loosen(net, motion, (0.0, 0.0, 20.0))
    motion.points.v[0] = (0.6, -0.151 * 20.0, 0.0)
    scratch = scratch_of(motion)
    assert march(net, motion, scratch, 0.05, 0.4, 2.5e-4, MOST)
    kinetic = motion.ledger.energy.kinetic
    assert march(net, motion, scratch, 1.05, 0.4, 2.5e-4, MOST)
    assert abs(motion.ledger.energy.kinetic / kinetic - 1.0) < 1e-5
    assert away(motion, [0])[0] < 5e-10
    assert motion.ledger.energy.largest < 1e-12 * kinetic


def test_a_knot_is_glued_to_a_box_as_to_a_mesh():
    half = 0.5 * np.asarray([SIZE])
    boxes = Boxes(np.zeros(1, dtype=np.int64), half, contact_numbers(1e5, 0.0, 0.0))
    net, motion = small_net([(-0.16, 0.02, 0.03)], [1e-3], radius=RADIUS, boxes=boxes)
    loosen(net, motion)
    motion.points.v[0] = (2.0, 0.5, 0.0)
    net = with_glue(net)
    before = momenta(net, motion)
    marched(net, motion, 0.2)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-15
    assert away(motion, [0])[0] < 1e-12
    assert motion.contacts.boxes.tally[0, BOX_MET] == 1.0
    assert motion.contacts.boxes.tally[0, BOX_PEAK] > 0.0
    assert motion.step.touched_at == np.inf  # only the target counts


def test_the_scheme_with_error_control_refuses_glue():
    net, _ = pulled_knot()
    with pytest.raises(HaptosError, match="glue"):
        refuse_unfit(net)
