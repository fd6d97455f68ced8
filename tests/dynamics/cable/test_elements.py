"""Thread elements snatch, break and book what they take."""

from __future__ import annotations

import math

from haptos.dynamics.system import BREAKAGE, THREAD_DAMPING
from tests.close import assert_close
from tests.net_cases import (
    marched,
    small_net,
)


def test_a_thread_that_snatches_loses_what_its_damper_takes() -> None:
    found = []
    for share in (0.2, 0.1, 0.05):
        net, motion = small_net(
            [(0.0, 0.0, 0.0), (0.07, 0.0, 0.0)], [1e-4, 1e-4], elements=[(0, 1)], lengths=[0.1],
            stretching=5e4, damping=2.0 * 0.106 * math.sqrt(5e4 * 1e-3),
        )  # fmt: skip
        motion.points.v[1, 0] = 1.0
        marched(net, motion, 0.04, share)
        found.append(motion.ledger.energy.largest / motion.ledger.energy.start)
        assert motion.points.v[1, 0] < motion.points.v[0, 0]
        assert motion.ledger.work[THREAD_DAMPING] < 0.0
    assert found[2] < 2e-3
    assert found[2] < 0.1 * found[0]  # 1/16 for second order


def test_a_thread_breaks_once_and_its_energy_is_booked() -> None:
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], [1.0, 1.0], elements=[(0, 1)], lengths=[0.1],
        stretching=1e3, breaking=20.0,
    )  # fmt: skip
    motion.points.v[1, 0] = 2.0
    marched(net, motion, 0.1, 0.1)
    assert motion.step.broken == 1.0
    assert motion.elements.whole[0] == 0
    assert_close(motion.ledger.work[BREAKAGE], -0.5 * 20.0**2 / (1e3 / 0.1), rtol=1e-9)
    assert motion.ledger.energy.largest < 1e-3 * motion.ledger.energy.start
    assert motion.ledger.energy.elastic == 0.0
