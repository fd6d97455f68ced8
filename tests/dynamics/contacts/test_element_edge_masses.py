"""Masses that a place on an element shows: those of its ends by the squares of their shares."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.contacts.element_edge_masses import end_shown, end_turned, ends_shown
from tests.close import assert_close
from tests.net_cases import small_net

ALONG = (0.0, 0.6, 0.8)


def pair():
    """Two nodes of 1 and 2 kg, and a body of 4 kg with a fixed point off its centre."""
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [1.0, 2.0], elements=[[0, 1]], lengths=[1.0],
        fixed=[(0, (0.5, 0.0, 0.0))],
    )  # fmt: skip
    net.inverse_inertia[0] = (0.5, 0.4, 0.3)
    motion.inverse_mass[0] = 0.25
    motion.place[0] = (0.0, 0.0, 0.0)
    motion.x[2] = (0.5, 0.0, 0.0)
    return net, motion


@pytest.mark.parametrize("s", [0.0, 0.3, 1.0])
def test_a_place_between_two_nodes_shows_both_by_the_squares_of_its_shares(s):
    net, motion = pair()
    found = ends_shown(net, motion, 0, 1, s, ALONG)
    assert_close(found, (1.0 - s) ** 2 / 1.0 + s**2 / 2.0, rtol=1e-14)


def test_a_point_of_a_body_shows_what_an_impulse_makes_it_move():
    """Its velocity after an impulse of 1 N s: that of the centre, and of turning."""
    net, motion = pair()
    arm = np.array([0.5, 0.0, 0.0])
    spin = net.inverse_inertia[0] * np.cross(arm, ALONG)
    turned = np.cross(spin, arm)
    assert_close(end_turned(net, motion, 2, ALONG), turned, rtol=1e-13)
    assert_close(end_shown(net, motion, 2, ALONG), 0.25 + turned @ ALONG, rtol=1e-13)


def test_a_node_does_not_turn():
    net, motion = pair()
    assert end_turned(net, motion, 0, ALONG) == (0.0, 0.0, 0.0)
