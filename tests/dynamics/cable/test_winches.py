"""Winches do the work that masses gain."""

from __future__ import annotations

import math

from haptos.dynamics.system import WINCH
from tests.net_cases import (
    marched,
    small_net,
)


def test_a_winch_does_the_work_that_the_masses_gain() -> None:
    wind = [[0, 0.1, 0.05, 0.01, 0.11, 0.0, -1.0, 0.0, math.inf, math.inf]]
    errors = []
    for share in (0.2, 0.05):
        net, motion = small_net(
            [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], [0.1, 0.1], elements=[(0, 1)], lengths=[0.1],
            stretching=1e3, winches=wind,
        )  # fmt: skip
        marched(net, motion, 0.1, share)
        assert motion.ledger.work[WINCH] > 0.0
        gained = motion.ledger.energy.kinetic + motion.ledger.energy.elastic
        errors.append(abs(gained / motion.ledger.work[WINCH] - 1.0))
    assert errors[1] < 2e-3
    assert errors[1] < 0.2 * errors[0]  # 1/16 for second order
