"""Threads pressed deep below a sharp edge stay in touch with it."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.contacts.element_edge_search import signed_distance
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import Motion, scratch_of
from haptos.dynamics.system import System
from tests.close import assert_close
from tests.net_cases import MOST, box_surface, contact_numbers, marched, small_net

MASS, SPEED = 0.01, 2.0  # [kg] of each end, [m/s]
ON_EDGE = [np.cos(np.pi / 8), np.sin(np.pi / 8), 0.0, 0.0]  # a box of 1 m stands on its edge


def falling(stiffness: float) -> tuple[System, Motion]:
    """An element of 0.6 m that flies down on the upper edge of a box."""
    net, motion = small_net(
        [[0.0, -0.3, 0.72], [0.0, 0.3, 0.72]], [MASS, MASS], elements=[[0, 1]], lengths=[0.6],
        stretching=85.0, radius=5e-4,
        surface=box_surface((1.0, 1.0, 1.0), contact_numbers(stiffness, 0.0, 0.0)),
    )  # fmt: skip
    motion.bodies.attitude[0] = ON_EDGE
    motion.points.v[:, 2] = -SPEED
    return net, motion


@pytest.mark.parametrize("stiffness", [1e5, 1e3, 1e2])
def test_a_soft_edge_gives_all_its_energy_back(stiffness: float) -> None:
    """Lists reach some millimetres; the softest contact lets the thread in by 63 mm."""
    net, motion = falling(stiffness)
    lowest = np.inf
    for until in np.arange(1, 201) * 1e-3:
        marched(net, motion, float(until))
        lowest = min(lowest, motion.points.x[0, 2])
    depth = (2.5 * MASS * SPEED**2 / stiffness) ** 0.4
    assert_close(np.sqrt(0.5) + 5e-4 - lowest, depth, rtol=0.02)
    assert_close(motion.points.v[:, 2], [SPEED, SPEED], rtol=1e-6)
    assert motion.ledger.energy.largest < 1e-9 * motion.ledger.energy.start


def test_so_does_it_with_error_control() -> None:
    net, motion = falling(1e2)
    room = room_of(net, motion)
    assert march_dormand(net, motion, scratch_of(motion), room, 0.2, 0.0, 1e-3, MOST)
    assert_close(motion.points.v[:, 2], [SPEED, SPEED], rtol=1e-4)


def test_a_distance_is_negative_once_a_thread_has_cut_in() -> None:
    net, _ = falling(1.0)
    edges = net.surface.edges
    is_top = (np.abs(edges[:, 3]) > 0.9) & (edges[:, 1] > 0.0) & (edges[:, 2] > 0.0)
    top = int(np.flatnonzero(is_top)[0])  # along x at y = z = 0.5
    for depth in (-0.2, -1e-3, 1e-3, 0.2):
        middle = np.sqrt(0.5) - depth
        ends = np.array([[0.0, 1.0, -1.0], [0.0, -1.0, 1.0]]) * 0.3 + np.array(
            [0.0, 1.0, 1.0]
        ) * middle * np.sqrt(0.5)
        found = signed_distance(net.surface.edges, top, tuple(ends[0]), tuple(ends[1] - ends[0]))
        assert_close(found, -depth, rtol=1e-9)
