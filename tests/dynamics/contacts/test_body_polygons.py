"""Rigid bodies of a system that touch by polygons: closed forms of a flat impact, momenta, ledger, friction that sticks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from haptos.contact.sets.polygons_pair import foundation_law
from haptos.core.errors import ConfigError
from haptos.dynamics.contacts.polygon_rows import MOST_ROWS, FacedBody, polygon_rows, used_rows
from haptos.dynamics.field import UNIFORM
from haptos.dynamics.march.splitting_polygons import march_polygons
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING
from haptos.geometry.distance.reference import box, half_space
from haptos.geometry.mesh.cuboids import cuboid_moments
from haptos.geometry.mesh.curved_faces_build import mesh_faces
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close
from tests.net_cases import momenta, small_net

SIZES, MASSES = ((1.0, 0.8, 0.6), (0.5, 0.4, 0.3)), (10.0, 5.0)
TILTED = (0.9, 0.18, 0.36, 0.16)
K, AREA, PERIMETER, REDUCED = 1e7, 0.12, 1.4, 10.0 / 3.0


def sunk_depth():
    """Depth [m] at which the face and the sides that sink in with it have taken 1 m/s: K (A d^2/2 + P d^3/6)."""
    energy = lambda d: K * (0.5 * AREA * d**2 + PERIMETER * d**3 / 6.0)  # noqa: E731
    return brentq(lambda d: energy(d) - 0.5 * REDUCED, 0.0, 0.01)


def polyhedron(body, size, levels=3):
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    vertices = vertices * np.asarray(size)
    return FacedBody(body, mesh_faces(vertices, faces, levels, curved=False), box(size))


def two_boxes(place, velocity, law, *, rate=(0.0, 0.0, 0.0), attitude=(1.0, 0.0, 0.0, 0.0), two_pass=False, ground=None):  # fmt: skip
    """A box at rest about the origin, and one that flies at it; with a ground the second alone, on it."""
    net, motion = small_net([[90.0, 9.0, 9.0]], [1e-9], bodies=2)
    for b in range(2):
        moments = np.asarray(cuboid_moments(MASSES[b], SIZES[b]))
        net.inverse_inertia[b], motion.bodies.inverse_mass[b] = 1.0 / moments, 1.0 / MASSES[b]
    motion.bodies.place[1], motion.bodies.speed[1] = place, velocity
    motion.bodies.attitude[1] = np.asarray(attitude) / np.linalg.norm(attitude)
    motion.bodies.momentum[1] = moments * np.asarray(rate)
    bodies = [polyhedron(b, SIZES[b]) for b in range(2)]
    if ground is not None:
        bodies = bodies[1:]
    return net, motion, polygon_rows(law, bodies, (True, True), ground, two_pass)


def marched(net, motion, rows, until, longest=2e-3):
    assert march_polygons(rows, net, motion, scratch_of(motion), until, 0.4, longest, 1e8)


def assert_kept(before, after):
    for one, other in zip(before, after, strict=True):
        assert np.abs(one - other).max() < 1e-12


def test_a_flat_impact_is_that_of_one_spring():
    net, motion, rows = two_boxes((0.76, 0.0, 0.0), (-1.0, 0.0, 0.0), foundation_law(K))
    before = momenta(net, motion)
    marched(net, motion, rows, 0.04)
    assert_kept(before, momenta(net, motion))
    (row,) = used_rows(rows)
    depth = sunk_depth()
    force = K * (AREA * depth + 0.5 * PERIMETER * depth**2)
    assert_close(motion.bodies.speed[1, 0] - motion.bodies.speed[0, 0], 1.0, rtol=1e-4)
    assert_close(float(row.pressing.deepest), depth, rtol=5e-4)
    assert_close(float(row.pressing.peak), force, rtol=5e-4)
    assert row.pressing.met == 1
    assert motion.ledger.energy.largest < 1e-4 * motion.ledger.energy.start
    assert np.abs(motion.bodies.momentum).max() < 1e-12


def test_damping_takes_what_the_one_spring_loses():
    """Damping without a ramp to speak of: m x'' + c x' + k x = 0 until the force would pull."""
    zeta = 0.1
    k = K * AREA
    damping = 2.0 * zeta * math.sqrt(k * REDUCED) / AREA
    law = foundation_law(K, damping=damping, damping_depth=1e-7)
    net, motion, rows = two_boxes((0.76, 0.0, 0.0), (-1.0, 0.0, 0.0), law)
    marched(net, motion, rows, 0.04)
    w = math.sqrt(1.0 - zeta**2)  # with the undamped frequency as unit
    t = (math.pi - math.atan2(2.0 * zeta * w, 1.0 - 2.0 * zeta**2)) / w  # the force is 0 there
    speed = -math.exp(-zeta * t) * (math.cos(w * t) - zeta / w * math.sin(w * t))
    apart = motion.bodies.speed[1, 0] - motion.bodies.speed[0, 0]
    assert_close(apart, speed, rtol=5e-3)
    lost = -motion.ledger.work[CONTACT_DAMPING]
    assert_close(motion.ledger.energy.start - motion.ledger.energy.kinetic, lost, rtol=2e-3)


@pytest.mark.parametrize("two_pass", [False, True])
def test_a_corner_that_strikes_off_centre_keeps_all_momenta_and_closes_its_ledger(two_pass):
    law = foundation_law(K, damping=1e4, damping_depth=1e-4, friction=0.3, shear=0.3 * K)
    net, motion, rows = two_boxes(
        (0.82, 0.1, 0.05), (-1.0, 0.1, 0.0), law, rate=(1.0, 2.0, 3.0), attitude=TILTED,
        two_pass=two_pass,
    )  # fmt: skip
    before = momenta(net, motion)
    marched(net, motion, rows, 0.2)
    assert_kept(before, momenta(net, motion))
    assert sum(int(row.pressing.met) for row in used_rows(rows)) > 0
    assert np.abs(motion.bodies.momentum[0]).max() > 0.05
    lost = -motion.ledger.work[CONTACT_DAMPING] - motion.ledger.work[RUBBING]
    assert lost > 0.0
    assert -motion.ledger.work[RUBBING] > 0.0
    assert motion.ledger.energy.largest < 1e-3 * motion.ledger.energy.start


def test_a_box_that_slides_on_the_ground_stops_where_friction_says():
    """v^2/(2 mu g), then it sticks; gravity is that of a uniform field."""
    law = foundation_law(K, damping=2e5, damping_depth=1e-6, friction=0.4, shear=0.3 * K, shear_damping=1e5)  # fmt: skip
    ground = (half_space(), np.zeros(3), np.eye(3))
    sunk = MASSES[1] * 9.81 / (K * 0.5 * 0.4)
    net, motion, rows = two_boxes((0.0, 0.0, 0.15 - sunk), (0.5, 0.0, 0.0), law, ground=ground)
    motion.bodies.place[0] = (0.0, 0.0, 50.0)
    pull = net.field._replace(kind=UNIFORM, uniform=np.array([0.0, 0.0, -9.81]))
    net = net._replace(field=pull)
    marched(net, motion, rows, 0.3, longest=1e-3)
    assert_close(motion.bodies.place[1, 0], 0.5**2 / (2 * 0.4 * 9.81), rtol=0.02)
    assert abs(motion.bodies.speed[1, 0]) < 1e-3
    assert_close(-motion.ledger.work[RUBBING], 0.5 * MASSES[1] * 0.25, rtol=0.03)
    assert -motion.ledger.work[CONTACT_DAMPING] < 0.03 * 0.5 * MASSES[1] * 0.25
    assert motion.ledger.energy.largest < 5e-3 * motion.ledger.energy.start


def test_more_rows_than_a_kernel_has_are_refused():
    bodies = [polyhedron(b, SIZES[1]) for b in range(4)]
    with pytest.raises(ConfigError, match=f"at most {MOST_ROWS}"):
        polygon_rows(foundation_law(K), bodies, (True,) * 4)
