"""A net in flight and in contact keeps what it must keep, and its ledger closes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.system import RUBBING
from tests.net_cases import (
    marched,
    momenta,
    thrown_grid,
)


@pytest.mark.parametrize("has_losses", [False, True])
def test_momenta_are_kept_to_rounding_through_impact_and_wrap(has_losses: bool) -> None:
    losses = {"damping_ratio": 0.106, "alpha": 0.3, "friction": 0.3} if has_losses else {}
    net, motion = thrown_grid(**losses)
    before = momenta(net, motion)
    marched(net, motion, 0.6)
    assert motion.step.touched_at < 0.2
    after = momenta(net, motion)
    for one, other in zip(before, after, strict=True):
        assert np.abs(one - other).max() < 1e-12
    assert (motion.ledger.work[RUBBING] < 0.0) == has_losses


def test_without_losses_the_energy_error_falls_with_the_square_of_the_step() -> None:
    found = []
    for share in (0.4, 0.2, 0.1):
        net, motion = thrown_grid()
        marched(net, motion, 0.35, share)
        found.append(motion.ledger.energy.largest / motion.ledger.energy.start)
    assert found[0] < 2e-2
    assert found[2] < 0.15 * found[0]  # 1/16 for second order; kinks of slack threads cost some


def test_no_thread_cuts_into_the_box_it_wraps() -> None:
    net, motion = thrown_grid(damping_ratio=0.106, alpha=0.3, friction=0.3)
    for until in np.arange(0.1, 0.65, 0.1):
        marched(net, motion, float(until))
        axes = rotation_matrices(motion.bodies.attitude[0])
        y = (motion.points.x - motion.bodies.place[0]) @ axes
        for share in np.linspace(0.0, 1.0, 11):
            ends = net.threads.ends
            along = (1.0 - share) * y[ends[:, 0]] + share * y[ends[:, 1]]
            assert (0.15 - np.abs(along).max(axis=1)).max() < 1e-4


def test_without_edges_threads_do_cut_in() -> None:
    net, motion = thrown_grid(damping_ratio=0.106, alpha=0.3, friction=0.3, has_edges=False)
    deepest = 0.0
    for until in np.arange(0.3, 0.65, 0.1):
        marched(net, motion, float(until))
        y = (motion.points.x - motion.bodies.place[0]) @ rotation_matrices(
            motion.bodies.attitude[0]
        )
        ends = net.threads.ends
        middle = 0.5 * (y[ends[:, 0]] + y[ends[:, 1]])
        deepest = max(deepest, float((0.15 - np.abs(middle).max(axis=1)).max()))
    assert deepest > 2e-3
