"""One touch of a point: its gap, the masses it meets, the impulses it gives and takes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.contacts.detect import gap_to
from haptos.dynamics.contacts.point_mesh import (
    held_by_points,
    start_touching,
    touch_nodes,
)
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.rigid.bodies import body_energy
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING
from haptos.geometry.distance.distance_mesh import mesh_distances
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, small_net

SIZE = (1.0, 0.8, 0.6)
MASS, MOMENTS = 5.0, np.array([0.4, 0.6, 0.7])


def ball_at_box(place, velocity, alpha=0.0, friction=0.0, mass=0.1, is_held=False):
    """A node of radius 1 cm near a box that turns slowly."""
    surface = box_surface(SIZE, contact_numbers(1e6, alpha, friction))
    net, motion = small_net([place], [mass], radius=0.01, surface=surface)
    motion.points.v[0] = velocity
    if not is_held:
        motion.bodies.inverse_mass[0] = 1.0 / MASS
        net.inverse_inertia[0] = 1.0 / MOMENTS
        motion.bodies.speed[0], motion.bodies.momentum[0] = (0.01, 0.0, 0.02), (0.05, -0.02, 0.03)
    return net, motion


def momenta(motion):
    """At the end of the step of which these are the velocities: shifts taken back."""
    x = np.concatenate([motion.points.x, motion.bodies.place])
    v = np.concatenate([motion.points.v, motion.bodies.speed])
    inverse = motion.bodies.inverse_mass[0]
    masses = np.array([*motion.points.mass, 1.0 / inverse if inverse > 0.0 else 0.0])
    x = x - np.concatenate([motion.points.shift, motion.bodies.shift])
    linear = masses[:, None] * v
    return linear.sum(axis=0), np.cross(x, linear).sum(axis=0) + motion.bodies.momentum.sum(axis=0)


def touched(net, motion, time):
    start_touching(net, motion, time)
    peak, touching = touch_nodes(net, motion, time, False, scratch_of(motion).stack)
    return held_by_points(net, motion, time), peak, touching


def energy(net, motion):
    return (
        body_energy(net, motion)
        + 0.5 * motion.points.mass[0] * motion.points.v[0] @ motion.points.v[0]
    )


def test_gap_from_a_list_of_all_triangles_is_the_distance_of_the_mesh():
    mesh = box_surface(SIZE, contact_numbers(1e6, 0.0, 0.0)).mesh
    rows = np.arange(len(mesh.tree.triangles))
    points = np.random.default_rng(7).uniform(-0.9, 0.9, (60, 3))
    gaps, normals = mesh_distances(mesh, points)[:2]
    for x, gap, normal in zip(points, gaps, normals, strict=True):
        found, n, _ = gap_to(mesh, rows, len(rows), tuple(x))
        assert_close(found, gap, rtol=1e-13, scale=1.0)
        assert_close(n, normal, rtol=1e-9)


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_a_bounce_within_one_step_keeps_momenta_and_loses_what_is_booked(alpha, friction):
    net, motion = ball_at_box((0.1, 0.15, 0.311), (0.3, 0.1, -2.0), alpha, friction)
    before, at_first = momenta(motion), energy(net, motion)
    pressed, peak, touching = touched(net, motion, 2e-2)
    assert (pressed, touching) == (0.0, 0)
    assert peak > 10.0
    assert motion.points.v[0, 2] > 0.5
    for one, other in zip(before, momenta(motion), strict=True):
        assert np.abs(one - other).max() < 1e-13
    recorded = motion.ledger.work[CONTACT_DAMPING] + motion.ledger.work[RUBBING]
    assert_close(energy(net, motion) - at_first, recorded, rtol=0.02, scale=at_first)
    assert (motion.ledger.work[RUBBING] < 0.0) == (friction > 0.0)
    assert (motion.ledger.work[CONTACT_DAMPING] < -1e-9) == (alpha > 0.0)


def test_on_a_held_body_the_books_close_to_rounding():
    net, motion = ball_at_box((0.1, 0.15, 0.311), (0.3, 0.1, -2.0), 0.3, 0.4, is_held=True)
    at_first = energy(net, motion)
    touched(net, motion, 2e-2)
    recorded = motion.ledger.work[CONTACT_DAMPING] + motion.ledger.work[RUBBING]
    assert_close(energy(net, motion) - at_first, recorded, rtol=1e-12, scale=at_first)
    assert not motion.bodies.speed.any()


def test_what_flies_past_is_not_touched():
    net, motion = ball_at_box((0.1, 0.15, 0.32), (1.0, 0.0, 0.0))
    before = motion.points.v.copy(), motion.bodies.momentum.copy()
    assert touched(net, motion, 1e-3) == (0.0, 0.0, 0)
    assert np.array_equal(motion.points.v, before[0])
    assert np.array_equal(motion.bodies.momentum, before[1])


def test_what_is_far_is_left_alone_until_ways_add_up():
    net, motion = ball_at_box((0.0, 0.0, 5.0), (0.0, 0.0, -1.0))
    touched(net, motion, 1e-3)
    assert motion.contacts.mesh.budget[0] > 4.0
    assert motion.contacts.mesh.near_count[0] == 0
    motion.contacts.search.sorted_at = -np.inf
    touched(net, motion, 1e-3)
    assert motion.contacts.search.point_count == 0.0


def test_a_point_that_ends_pressed_in_holds_the_energy_of_its_depth():
    net, motion = ball_at_box((0.0, 0.0, 0.311), (0.0, 0.0, -2.0), is_held=True)
    time = 1.2e-3
    pressed, _, touching = touched(net, motion, time)
    assert touching == 1
    depth = 0.31 - (
        motion.points.x[0, 2] + time * motion.points.v[0, 2] - motion.points.shift[0, 2]
    )
    assert_close(pressed, 0.4 * 1e6 * depth**2.5, rtol=1e-9)
    assert_close(pressed + 0.05 * motion.points.v[0, 2] ** 2, 0.05 * 4.0, rtol=1e-10)
