"""Threads on a sharp edge: what is lost is recorded, nothing is made."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.cable.thread_link import link_damping
from haptos.dynamics.motion import Motion
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    RUBBING,
    System,
    no_winches,
)
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, marched, small_net

STRETCHING, DENSITY = 85.0, 3.6e-4  # [N], [kg/m]


def draped(
    places: list[list[float]], masses: list[float], length: float, alpha: float
) -> tuple[System, Motion]:
    """Nodes in a row above the edge of a box that stands on its edge, 0.7071 m above its centre."""
    elements = [[i, i + 1] for i in range(len(places) - 1)]
    net, motion = small_net(
        places, masses, elements=elements, lengths=[length] * len(elements), stretching=STRETCHING,
        damping=link_damping(STRETCHING, DENSITY, 0.1), radius=5e-4,
        surface=box_surface((1.0, 1.0, 1.0), contact_numbers(1e5, alpha, 0.3)),
        gravity=(0.0, 0.0, -9.81),
    )  # fmt: skip
    motion.bodies.attitude[0] = [np.cos(np.pi / 8), np.sin(np.pi / 8), 0.0, 0.0]
    return net, motion


def test_a_thread_bounces_on_an_edge_and_keeps_its_energy() -> None:
    net, motion = draped([[0.0, -0.3, 0.72], [0.0, 0.3, 0.72]], [0.01, 0.01], 0.6, 0.0)
    marched(net, motion, 0.4, 0.3)
    held = 0.02 * 9.81 * (0.72 - 0.7076)  # [J] of the fall
    assert motion.ledger.energy.largest < 2e-3 * held
    assert abs(motion.ledger.work[CONTACT_DAMPING]) < 2e-3 * held
    assert (
        motion.ledger.energy.kinetic + motion.ledger.energy.elastic + motion.ledger.energy.pressed
        >= 0.0
    )


def drawn(share: float) -> Motion:
    """A thread over the edge of a box that can turn, drawn by a winch against friction, for 0.04 s."""
    places = [[0.15, 0.26, 0.0], [0.26, 0.15, 0.0], [-0.2, 0.35, 0.0], [0.35, -0.3, 0.0]]
    elements = [[0, 1], [2, 0], [1, 3]]
    ends = np.array(places)[np.array(elements)]
    lengths = 0.97 * np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    winches = no_winches(1)
    winches[0]["element"], winches[0]["first"], winches[0]["last"] = 2, lengths[2], 0.5 * lengths[2]
    winches[0]["stop"], winches[0]["point"], winches[0]["stall"] = 0.2, -1, np.inf
    net, motion = small_net(
        places, [1.7e-4, 1.7e-4, 50.0, 50.0], elements=elements, lengths=lengths, winches=winches,
        stretching=STRETCHING, damping=0.02, radius=5e-4,
        surface=box_surface((0.5, 0.5, 0.5), contact_numbers(1e5, 0.3, 0.3)),
    )  # fmt: skip
    net.points.radius[2:] = 0.0
    motion.bodies.inverse_mass[0], net.inverse_inertia[0] = 1.0 / 83.0, 1.0 / 3.45
    marched(net, motion, 0.04, share)
    return motion


def test_a_thread_drawn_over_an_edge_of_a_body_that_turns_heats_what_friction_takes() -> None:
    coarse, fine = drawn(0.4), drawn(0.1)
    heat = -fine.ledger.work[RUBBING]
    assert heat > 1e-3
    assert_close(coarse.ledger.work[RUBBING], fine.ledger.work[RUBBING], rtol=0.02)
    assert coarse.ledger.energy.largest < 0.01 * heat
    assert fine.ledger.energy.largest < 1e-3 * heat


def test_a_knot_that_slips_over_an_edge_makes_no_energy() -> None:
    places = [[0.0, -0.4, 0.72], [0.0, -0.02, 0.72], [0.0, 0.36, 0.72]]
    net, motion = draped(places, [0.01, 1e-4, 0.01], 0.38, 0.08)
    marched(net, motion, 0.4, 0.3)
    fall = 0.02 * 9.81 * 0.15  # [J], about
    assert motion.ledger.energy.largest < 0.02 * fall
