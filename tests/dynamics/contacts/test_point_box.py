"""Points on boxes: gaps in closed form, bounces, and nets that begin inside the chaser."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.contact.impact_damping import effective_restitution
from haptos.dynamics.contacts.detect import box_gap
from haptos.dynamics.contacts.memories import (
    BOX_COUNT,
    BOX_MET,
    BOX_PEAK,
)
from haptos.dynamics.contacts.point_box import entry_axis
from haptos.dynamics.system import CONTACT_DAMPING, Boxes
from haptos.geometry.distance.distance_mesh import mesh_distances, solid_mesh
from haptos.geometry.mesh.cuboids import Cuboid, cuboid_body, cuboid_moments
from tests.close import assert_close
from tests.net_cases import contact_numbers, marched, momenta, small_net

SIZE, MASS = (1.0, 0.8, 0.02), 5.0  # the box is thin along z
HALF = tuple(0.5 * side for side in SIZE)


def test_gap_and_normal_are_those_of_the_mesh_of_the_box():
    made = cuboid_body([Cuboid((1.0, 0.8, 0.6), 1.0)])
    points = np.random.default_rng(2).uniform(-0.8, 0.8, (200, 3))
    gaps, normals = mesh_distances(solid_mesh(made.vertices, made.faces), points)[:2]
    for y, gap, normal in zip(points, gaps, normals, strict=True):
        found, n = box_gap((0.5, 0.4, 0.3), tuple(y))
        assert_close(found, gap, rtol=1e-13, scale=1.0)
        assert_close(n, normal, rtol=1e-9)


@pytest.mark.parametrize(
    ("y", "y_end", "axis"),
    [
        ((0.0, 0.0, 0.1), (0.0, 0.0, 0.005), 2),
        ((0.0, 0.0, 0.1), (0.1, 0.0, -0.1), 2),  # right through
        ((0.6, 0.0, 0.0), (0.4, 0.0, 0.0), 0),
        ((0.0, -0.5, 0.0), (0.0, 0.5, 0.001), 1),
        ((0.6, 0.0, 0.1), (0.7, 0.0, -0.1), -1),  # beside it
        ((0.0, 0.0, 0.1), (0.0, 0.0, 0.02), -1),  # not there yet
        ((0.52, 0.0, 0.03), (0.0, 0.39, 0.03), -1),
    ],
)
def test_a_way_goes_in_by_the_face_it_crosses(y, y_end, axis):
    assert entry_axis(HALF, y, y_end) == axis


def ball(place, velocity, mass=1e-3, alpha=0.0, friction=0.0, is_free=True):
    """A node and a free thin plate that turns slowly."""
    numbers = np.broadcast_to(contact_numbers(1e6, alpha, friction), (1, 2, PAIR_SIZE)).copy()
    boxes = Boxes(np.array([0]), np.array([HALF]), numbers)
    net, motion = small_net([place], [mass], radius=5e-4, boxes=boxes)
    motion.points.v[0] = velocity
    if is_free:
        moments = np.asarray(cuboid_moments(MASS, SIZE))
        motion.bodies.inverse_mass[0], net.inverse_inertia[0] = 1.0 / MASS, 1.0 / moments
    return net, motion


@pytest.mark.parametrize("speed", [1.0, 20.0, 60.0])
@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_a_point_bounces_off_a_plate_that_it_would_cross_within_a_step(speed, friction):
    net, motion = ball((0.2, 0.1, 0.05), (0.3 * speed, 0.0, -speed), friction=friction)
    before = momenta(net, motion)
    marched(net, motion, 0.1 / speed)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
    assert motion.points.v[0, 2] > 0.9 * speed
    assert motion.contacts.boxes.tally[0, BOX_MET] == 1.0
    assert motion.contacts.boxes.tally[0, BOX_PEAK] > 0.0
    assert motion.ledger.energy.largest / motion.ledger.energy.start < 2e-3
    assert motion.step.touched_at == np.inf  # only the target counts as touched


def test_the_bounce_has_the_restitution_of_the_law():
    net, motion = ball((0.0, 0.0, 0.05), (0.0, 0.0, -2.0), alpha=0.2, is_free=False)
    marched(net, motion, 0.05)
    assert_close(motion.points.v[0, 2] / 2.0, effective_restitution(1.5 * 0.2 * 2.0), rtol=2e-3)
    lost = 0.5 * 1e-3 * (4.0 - motion.points.v[0, 2] ** 2)
    assert_close(-motion.ledger.work[CONTACT_DAMPING], lost, rtol=1e-9)
    assert motion.ledger.energy.largest / motion.ledger.energy.start < 1e-12


def test_what_begins_inside_leaves_in_peace_and_touches_from_then_on():
    net, motion = ball((0.0, 0.0, 0.005), (0.0, 0.0, 1.0), is_free=False)
    marched(net, motion, 0.1)
    assert motion.contacts.boxes.tally[0, BOX_MET] == 0.0
    assert_close(motion.points.v[0, 2], 1.0, rtol=1e-14)
    motion.points.v[0, 2] = -1.0
    marched(net, motion, 0.3)
    assert motion.contacts.boxes.tally[0, BOX_MET] == 1.0
    assert_close(motion.points.v[0, 2], 1.0, rtol=1e-9)


def test_nothing_touches_while_the_net_is_held_in_its_canister():
    net, motion = ball((0.0, 0.0, 0.05), (0.0, 0.0, -1.0), is_free=False)
    net = net._replace(orders=net.orders._replace(nodes_held=1.0))
    motion.bodies.place[0, 0] = 0.0
    marched(net, motion, 0.01)
    assert motion.contacts.boxes.tally[0, BOX_COUNT] == 0.0


def test_a_box_that_turns_away_is_not_touched_and_one_that_turns_in_is():
    for rate, met in ((-5.0, 0.0), (5.0, 1.0)):
        net, motion = ball((0.3, 0.0, 0.02), (0.0, 0.0, 0.0))
        motion.bodies.momentum[0, 1] = -rate / net.inverse_inertia[0, 1]
        before = momenta(net, motion)
        marched(net, motion, 0.02)
        assert motion.contacts.boxes.tally[0, BOX_MET] == met
        for one, other in zip(before, momenta(net, motion), strict=True):
            assert np.abs(one - other).max() < 1e-12
