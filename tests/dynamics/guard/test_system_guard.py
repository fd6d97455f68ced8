"""The guard of a net: it alone sees what sinks into a surface or gets through it."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.dynamics.guard.system_guard import box_distance, box_hits, hits_of
from haptos.dynamics.guard.system_guard_arrays import (
    PASSED_COUNT,
    PASSED_TIME,
    WORST_DEPTH,
    WORST_PLACE,
    WORST_SHARE,
    WORST_TIME,
    guard_memory,
    guard_of,
    thickness,
)
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import Boxes, System
from haptos.geometry.distance.distance_mesh import Mesh, solid_mesh
from haptos.geometry.mesh.cuboids import Cuboid, cuboid_body
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.triangle_tree import STACK
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, marched, small_net, thrown_grid

SOFT = 1e3  # [N/m^1.5]


def with_guard(net: System, motion: Motion, size) -> tuple[System, Motion]:
    """A net whose body 0 is a box of a size [m], with the guard over it."""
    made = cuboid_body([Cuboid(tuple(size), 1.0)])
    guard = guard_of(net, solid_mesh(made.vertices, made.faces))
    return net._replace(guard=guard), motion._replace(guard=guard_memory(guard))


def dropped(
    speed: float, size=(0.3, 0.3, 0.3), *, stiffness: float = 1e5, radius: float = 5e-4, x=0.0
) -> tuple[System, Motion]:
    """A node of 10 g that flies down at a box which stands still."""
    surface = box_surface(size, contact_numbers(stiffness, 0.0, 0.0))
    net, motion = small_net(
        [[x, 0.0, 0.5 * size[2] + 0.01]], [0.01], radius=radius, surface=surface, has_edges=False
    )
    motion.points.v[0] = [0.0, 0.0, -speed]
    return with_guard(net, motion, size)


def forgetful(motion: Motion) -> Motion:
    """Points whose list of near triangles is empty for ever: the kernel sees no contact."""
    motion.contacts.mesh.budget[:] = np.inf
    return motion


def test_a_bounce_breaches_nothing():
    net, motion = dropped(2.0)
    marched(net, motion, 0.05)
    assert motion.points.v[0, 2] > 1.9
    assert motion.guard.passed[PASSED_COUNT] == 0.0
    assert motion.guard.worst[WORST_SHARE] < 0.2


@pytest.mark.parametrize("size", [(0.3, 0.3, 0.3), (0.3, 0.3, 0.01), (0.3, 0.3, 1e-4)])
def test_a_node_that_the_lists_forget_is_caught(size):
    net, motion = dropped(2.0, size)
    marched(net, forgetful(motion), 0.3)
    assert motion.points.x[0, 2] < -0.5 * size[2]
    guard = motion.guard
    assert guard.passed[PASSED_COUNT] == 1.0
    assert_close(guard.passed[PASSED_TIME], (0.01 + size[2]) / 2.0, rtol=0.1)
    if size[2] > 0.001:
        assert guard.worst[WORST_SHARE] > 1.0
        assert guard.worst[WORST_DEPTH] > 0.3 * size[2]  # looked at where steps end
    assert_close(guard.worst[WORST_PLACE : WORST_PLACE + 2], [0.0, 0.0], rtol=0.1, scale=1e-9)


def test_a_node_that_flies_past_is_left_alone():
    net, motion = dropped(2.0, x=0.16)
    marched(net, forgetful(motion), 0.3)
    assert motion.points.x[0, 2] < -0.15
    assert motion.guard.passed[PASSED_COUNT] == motion.guard.worst[WORST_SHARE] == 0.0


def test_a_body_that_turns_into_a_node_is_caught():
    """The node stands still; the box, turning, sweeps over it."""
    surface = box_surface((0.3, 0.1, 0.1), contact_numbers(1e5, 0.0, 0.0))
    net, motion = small_net(
        [[0.0, 0.12, 0.0]], [0.01], radius=5e-4, surface=surface, has_edges=False
    )
    net, motion = with_guard(net, motion, (0.3, 0.1, 0.1))
    net.inverse_inertia[0] = 1.0
    motion.bodies.momentum[0] = [0.0, 0.0, 2.0]
    marched(net, forgetful(motion), 1.5)
    assert motion.guard.worst[WORST_SHARE] > 1.0


def test_a_point_pressed_deep_is_measured():
    """Centre below the surface by the depth of Hertz's spring, less the radius."""
    net, motion = dropped(2.5, stiffness=SOFT)
    marched(net, motion, 0.08)
    depth = (2.5 * 0.5 * 0.01 * 2.5**2 / SOFT) ** 0.4 - 5e-4
    found = motion.guard.worst[WORST_DEPTH]
    assert depth - 5e-3 < found <= depth * (1.0 + 1e-9)  # a tenth of 30 mm, and a step of 2 mm
    assert_close(motion.guard.worst[WORST_SHARE], found / (0.1 * 0.3), rtol=1e-6)
    assert motion.guard.passed[PASSED_COUNT] == 0.0


@pytest.mark.parametrize("is_still", [False, True])
def test_a_node_that_begins_inside_the_target_is_seen_at_once(is_still):
    """100 mm deep in a box of 300 mm, of which 30 mm are allowed."""
    net, motion = dropped(0.0)
    motion.points.x[0] = [0.02, 0.01, 0.05]
    motion.points.v[0] = [0.0, 0.0, 0.0 if is_still else 5.0]
    marched(net, forgetful(motion), 0.001)
    worst = motion.guard.worst
    assert_close(worst[WORST_DEPTH], 0.1, rtol=0.06)
    assert worst[WORST_SHARE] > 3.0
    assert worst[WORST_TIME] < 1e-3


def test_a_net_that_wraps_a_box_breaches_nothing_and_without_lists_does():
    net, motion = with_guard(*thrown_grid(), (0.3, 0.3, 0.3))
    marched(net, motion, 0.4)
    assert motion.guard.passed[PASSED_COUNT] == 0.0
    assert motion.guard.worst[WORST_SHARE] < 1.0
    net, motion = with_guard(*thrown_grid(), (0.3, 0.3, 0.3))
    motion.contacts.edges.budget[:] = np.inf
    marched(net, forgetful(motion), 0.4)
    assert motion.guard.worst[WORST_SHARE] > 1.0


def test_a_chaser_s_box_is_guarded_and_a_net_in_its_canister_is_left_alone():
    numbers = np.broadcast_to(contact_numbers(1e5, 0.0, 0.0), (1, 2, PAIR_SIZE)).copy()
    boxes = Boxes(np.array([0]), np.array([[0.1, 0.1, 0.1]]), numbers)
    places = [[0.0, 0.0, 0.05], [0.05, 0.0, 0.3]]
    net, motion = small_net(places, [0.01, 0.01], radius=5e-4, boxes=boxes, has_edges=False)
    guard = guard_of(net, None)
    net, motion = net._replace(guard=guard), motion._replace(guard=guard_memory(guard))
    motion.points.v[:, 2] = [0.5, -0.5]
    marched(net, motion, 1.0)
    assert motion.points.x[0, 2] > 0.5
    assert motion.points.v[1, 2] > 0.0
    assert motion.guard.passed[PASSED_COUNT] == 0.0
    assert motion.guard.worst[WORST_SHARE] < 0.2
    motion.contacts.boxes.factor[:] = -2.0  # asleep: the kernel lets it through
    motion.contacts.boxes.tally[:, 0] = -np.inf
    motion.points.v[:, 2] = [-1.0, 0.0]
    marched(net, motion, 2.0)
    assert motion.guard.passed[PASSED_COUNT] == 1.0


def box_mesh(size) -> Mesh:
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    return solid_mesh(vertices * np.asarray(size), faces)


def test_thickness_is_that_below_each_face():
    mesh = box_mesh((1.0, 2.0, 0.1))
    normals = np.abs(mesh.normals[mesh.features[:, 0]])
    assert_close(thickness(mesh), normals @ np.array([1.0, 2.0, 0.1]), rtol=1e-6)
    vertices, faces = icosphere(3)
    assert_close(thickness(solid_mesh(vertices, faces)), np.full(len(faces), 2.0), rtol=0.02)


def test_ways_cut_a_box_as_they_cut_its_mesh():
    half = (0.5, 1.0, 0.05)
    surface = box_surface((1.0, 1.0, 1.0), contact_numbers(1.0, 0.0, 0.0))
    net, _ = small_net([[9.0, 9.0, 9.0]], [1.0], radius=1e-3, surface=surface)
    guard = guard_of(net, box_mesh((1.0, 2.0, 0.1)))
    stack, rng = np.zeros((STACK, 2)), np.random.default_rng(1)
    cut = 0
    for _ in range(200):
        y, end = rng.uniform(-1.2, 1.2, (2, 3)) * [1.0, 1.0, 0.1]
        step = tuple(end - y)
        box, mesh = box_hits(half, tuple(y), step), hits_of(guard, 0, tuple(y), step, stack)
        assert box[0] == mesh[0]
        cut += box[0]
        if box[0]:
            assert_close(np.array(box[1:3]), np.array(mesh[1:3]), rtol=1e-9)
            assert_close(np.array(box[3:]), np.array(mesh[3:]), rtol=1e-9)
        is_inside = all(abs(c) < h for c, h in zip(y, half, strict=True))
        assert (box_distance(half, tuple(y)) < 0.0) == is_inside
    assert cut > 100


def test_nothing_to_touch_has_no_guard():
    net, _ = small_net([[0.0, 0.0, 0.0]], [1.0])
    assert len(guard_of(net, None).body) == 0
