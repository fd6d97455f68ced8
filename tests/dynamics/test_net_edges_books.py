"""Threads on a sharp edge: what is lost is booked, nothing is made."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.net_layout import (
    CONTACT_DAMPING,
    ELASTIC,
    KINETIC,
    LARGEST,
    PRESSED,
    Motion,
    Net,
)
from haptos.dynamics.thread_link import link_damping
from tests.net_cases import box_surface, contact_numbers, marched, small_net

STRETCHING, DENSITY = 85.0, 3.6e-4  # [N], [kg/m]


def draped(
    places: list[list[float]], masses: list[float], length: float, alpha: float
) -> tuple[Net, Motion]:
    """Nodes in a row above the edge of a box that stands on its edge, 0.7071 m above its centre."""
    elements = [[i, i + 1] for i in range(len(places) - 1)]
    net, motion = small_net(
        places, masses, elements=elements, lengths=[length] * len(elements), stretching=STRETCHING,
        damping=link_damping(STRETCHING, DENSITY, 0.1), radius=5e-4,
        surface=box_surface((1.0, 1.0, 1.0), contact_numbers(1e5, alpha, 0.3)),
        gravity=(0.0, 0.0, -9.81),
    )  # fmt: skip
    motion.attitude[0] = [np.cos(np.pi / 8), np.sin(np.pi / 8), 0.0, 0.0]
    return net, motion


def test_a_thread_bounces_on_an_edge_and_keeps_its_energy() -> None:
    net, motion = draped([[0.0, -0.3, 0.72], [0.0, 0.3, 0.72]], [0.01, 0.01], 0.6, 0.0)
    marched(net, motion, 0.4, 0.3)
    held = 0.02 * 9.81 * (0.72 - 0.7076)  # [J] of the fall
    assert motion.clock[LARGEST] < 2e-3 * held
    assert abs(motion.books[CONTACT_DAMPING]) < 2e-3 * held
    assert motion.clock[KINETIC] + motion.clock[ELASTIC] + motion.clock[PRESSED] >= 0.0


def test_a_knot_that_slips_over_an_edge_makes_no_energy() -> None:
    places = [[0.0, -0.4, 0.72], [0.0, -0.02, 0.72], [0.0, 0.36, 0.72]]
    net, motion = draped(places, [0.01, 1e-4, 0.01], 0.38, 0.08)
    marched(net, motion, 0.4, 0.3)
    fall = 0.02 * 9.81 * 0.15  # [J], about
    assert motion.clock[LARGEST] < 0.02 * fall
