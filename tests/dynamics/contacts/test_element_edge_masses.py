"""Masses that a place on an element shows: those of its ends by the squares of their shares."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.contacts.element_edge_masses import (
    element_masses,
    element_moved,
    end_moved,
    end_speed,
    end_turned,
    held_at,
)
from tests.close import assert_close
from tests.net_cases import small_net

ALONG = (0.0, 0.6, 0.8)
ACROSS = (0.0, 0.8, -0.6)


def pair():
    """Two nodes of 1 and 2 kg, and a body of 4 kg with a fixed point off its centre."""
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [1.0, 2.0], elements=[[0, 1]], lengths=[1.0],
        fixed=[(0, (0.5, 0.0, 0.0))],
    )  # fmt: skip
    net.inverse_inertia[0] = (0.5, 0.4, 0.3)
    motion.bodies.inverse_mass[0] = 0.25
    motion.bodies.place[0] = (0.0, 0.0, 0.0)
    motion.points.x[2] = (0.5, 0.0, 0.0)
    return net, motion


@pytest.mark.parametrize("s", [0.0, 0.3, 1.0])
def test_a_place_between_two_nodes_moves_by_the_squares_of_its_shares(s):
    net, motion = pair()
    held = held_at(net, motion, 0, 0.1), held_at(net, motion, 1, 0.1)
    found = element_moved(net, motion, (0, 1), held, s, ALONG)
    assert_close(found, ((1.0 - s) ** 2 / 1.0 + s**2 / 2.0) * np.array(ALONG), rtol=1e-14)


def test_a_point_of_a_body_moves_with_its_centre_and_by_turning():
    net, motion = pair()
    held = held_at(net, motion, 2, 0.0)
    arm = np.array([0.5, 0.0, 0.0])
    turned = np.cross(net.inverse_inertia[0] * np.cross(arm, ALONG), arm)
    assert_close(end_turned(net, 2, held, ALONG), turned, rtol=1e-13)
    assert_close(
        end_moved(net, motion, 2, held, ALONG), 0.25 * np.array(ALONG) + turned, rtol=1e-13
    )
    assert end_turned(net, 0, held, ALONG) == (0.0, 0.0, 0.0)  # a node does not turn


def test_masses_are_those_of_the_element_and_of_the_touched_body():
    net, motion = pair()
    net = net._replace(surface=net.surface._replace(body=0))
    held = held_at(net, motion, 0, 0.0), held_at(net, motion, 1, 0.0)
    eye = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    inverse, arm = tuple(net.inverse_inertia[0]), (0.5, 0.0, 0.0)
    along, across, coupling = element_masses(
        net, motion, (0, 1), held, 0.5, (eye, inverse, arm), (ALONG, ACROSS)
    )
    both = 0.25 / 1.0 + 0.25 / 2.0
    for found, unit in ((along, ALONG), (across, ACROSS)):
        turned = np.cross(np.array(inverse) * np.cross(arm, unit), arm)
        assert_close(found, both + 0.25 + turned @ unit, rtol=1e-13)
    turned = np.cross(np.array(inverse) * np.cross(arm, ALONG), arm)
    assert_close(coupling, turned - (turned @ ALONG) * np.array(ALONG), rtol=1e-12, scale=0.1)


def test_a_body_is_taken_as_it_is_in_the_middle_of_the_step():
    """A body that turns at 2 rad/s about z: its point is where it will be, and moves as it will."""
    net, motion = pair()
    motion.bodies.momentum[0] = (0.0, 0.0, 2.0 / 0.3)
    angle = 2.0 * 0.05
    held = held_at(net, motion, 2, 0.05)
    arm = 0.5 * np.array([np.cos(angle), np.sin(angle), 0.0])
    assert_close(held[1], arm, rtol=1e-12)
    assert_close(end_speed(net, motion, 2, held), np.cross((0.0, 0.0, 2.0), arm), rtol=1e-12)
