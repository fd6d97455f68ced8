"""Gap and normal of each kind of pair in closed form, and the same for both marches."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.core.rotations import apply, rotation_matrix
from haptos.dynamics.contacts.detect import (
    box_contact,
    centres_apart,
    edge_contact,
    ground_contact,
    mesh_contact,
)
from haptos.dynamics.contacts.element_edge_rates import crossing
from haptos.dynamics.contacts.point_box_rates import on_box
from haptos.dynamics.contacts.point_mesh_rates import meeting, renew_lists, surface_pose
from haptos.dynamics.contacts.point_point_rates import apart
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import Boxes
from haptos.geometry.distance import surface as surfaces
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, on_ground, small_net

RADIUS = 0.01
TURN = (math.cos(0.3), 0.0, math.sin(0.3), 0.0)  # quat_NB
PLACE = np.array([0.2, -0.1, 0.4])


def posed(net, motion):
    """Body 0 somewhere, turned; where a place y of its axes is then, N axes."""
    motion.bodies.place[0], motion.bodies.attitude[0] = PLACE, TURN
    return lambda y: PLACE + apply(rotation_matrix(TURN), y)


@pytest.mark.parametrize(
    ("y", "gap", "n"),
    [((0.0, 0.0, 0.32), 0.01, (0, 0, 1)), ((0.505, 0.1, 0.0), -0.005, (1, 0, 0)), ((0.53, 0.44, 0.0), 0.04, (0.6, 0.8, 0))],
)  # fmt: skip
def test_a_point_on_a_box_and_on_a_mesh_of_it(y, gap, n):
    numbers = np.broadcast_to(contact_numbers(1e6, 0.0, 0.0), (1, 2, PAIR_SIZE)).copy()
    boxes = Boxes(np.array([0]), np.array([[0.5, 0.4, 0.3]]), numbers)
    surface = box_surface((1.0, 0.8, 0.6), numbers)
    net, motion = small_net([[0, 0, 0]], [1.0], radius=RADIUS, boxes=boxes, surface=surface)
    net = net._replace(options=net.options._replace(margin=0.1))
    motion.points.x[0] = posed(net, motion)(y)
    found = box_contact(net, 0, 0, y)
    assert_close(found[0], gap, rtol=1e-12, scale=1.0)
    assert_close(found[1], n, rtol=1e-12, scale=1.0)
    renew_lists(net, motion, 1e-3, scratch_of(motion).stack)
    by_mesh = mesh_contact(net, motion, 0, y)
    assert_close(by_mesh[0], gap, rtol=1e-12, scale=1.0)
    assert_close(by_mesh[1], n, rtol=1e-9, scale=1.0)
    moment = meeting(net, motion, 0, surface_pose(net, motion))
    assert_close(moment[0], gap, rtol=1e-12, scale=1.0)
    assert_close(moment[1], apply(rotation_matrix(TURN), n), rtol=1e-9, scale=1.0)
    pressed = on_box(net, motion, 0, 0, rotation_matrix(TURN))
    assert_close(pressed[0], gap, rtol=1e-12, scale=1.0)
    assert_close(pressed[1], apply(rotation_matrix(TURN), n), rtol=1e-12, scale=1.0)


def test_an_element_over_an_edge():
    surface = box_surface((1.0, 0.8, 0.6), contact_numbers(1e6, 0.0, 0.0)[None, None])
    net, motion = small_net(
        [[0, 0, 0], [0, 0, 0]], [1.0, 1.0], elements=[[0, 1]], lengths=[1.0], radius=RADIUS, surface=surface,
    )  # fmt: skip
    ends = (0.7, 0.0, 0.15), (0.35, 0.0, 0.5)  # at 45 degrees over the edge at x 0.5, z 0.3
    place_of = posed(net, motion)
    motion.points.x[0], motion.points.x[1] = (place_of(y) for y in ends)
    start, way, length = surface.edges[:, :3], surface.edges[:, 3:6], surface.edges[:, 6:7]
    middle = start + 0.5 * length * way
    edge = int(np.argmin(np.linalg.norm(middle - [0.5, 0.0, 0.3], axis=1)))
    gap, n, s, is_one = edge_contact(net, edge, ends)
    assert is_one
    assert_close(gap, (0.85 - 0.8) / math.sqrt(2.0), rtol=1e-12)
    assert_close(n, (math.sqrt(0.5), 0.0, math.sqrt(0.5)), rtol=1e-12, scale=1.0)
    found = crossing(net, motion, 0, edge, surface_pose(net, motion))
    assert_close(found[0], gap - RADIUS, rtol=1e-10, scale=1.0)
    assert_close(found[1], apply(rotation_matrix(TURN), n), rtol=1e-10, scale=1.0)
    assert_close(found[2], s, rtol=1e-10, scale=1.0)


def test_a_point_on_a_ball_of_ground():
    net, motion = small_net([[0, 0, 0]], [1.0], radius=RADIUS)
    ground = surfaces.sphere(2.0)
    net, motion = on_ground(
        net, motion, ground, contact_numbers(1e6, 0.0, 0.0)[None, None], arm=(0.0, 0.0, 2.0)
    )
    gap, n = ground_contact(net, 0, (0.0, 0.0, 0.05))
    assert_close(gap, 0.05 - RADIUS, rtol=1e-12)
    assert_close(n, (0.0, 0.0, 1.0), rtol=1e-12, scale=1.0)


def test_two_points_and_the_same_place():
    assert_close(centres_apart((0.0, 3.0, -4.0))[0], 5.0, rtol=1e-15)
    assert centres_apart((0.0, 3.0, -4.0))[1] == (0.0, 0.6000000000000001, -0.8)
    assert centres_apart((0.0, 0.0, 0.0)) == (0.0, (0.0, 0.0, 0.0))
    _, motion = small_net([[0.0, 0.0, 0.0], [0.0, 3.0, -4.0]], [1.0, 1.0])
    assert apart(motion, 1, 0) == centres_apart((0.0, 3.0, -4.0))


def test_check_has_teeth():
    numbers = np.broadcast_to(contact_numbers(1e6, 0.0, 0.0), (1, 2, PAIR_SIZE)).copy()
    spoiled = Boxes(np.array([0]), 1.01 * np.array([[0.5, 0.4, 0.3]]), numbers)
    net, _ = small_net([[0, 0, 0]], [1.0], radius=RADIUS, boxes=spoiled)
    with pytest.raises(AssertionError):
        assert_close(box_contact(net, 0, 0, (0.0, 0.0, 0.32))[0], 0.01, rtol=1e-12, scale=1.0)
