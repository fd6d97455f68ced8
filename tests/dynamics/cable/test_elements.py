"""Thread elements snatch, break and book what they take."""

from __future__ import annotations

import math

from haptos.dynamics.system import (
    BREAKAGE,
    BROKEN,
    ELASTIC,
    LARGEST,
    START,
    THREAD_DAMPING,
)
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
        motion.v[1, 0] = 1.0
        marched(net, motion, 0.04, share)
        found.append(motion.clock[LARGEST] / motion.clock[START])
        assert motion.v[1, 0] < motion.v[0, 0]
        assert motion.books[THREAD_DAMPING] < 0.0
    assert found[2] < 2e-3
    assert found[2] < 0.1 * found[0]  # 1/16 for second order


def test_a_thread_breaks_once_and_its_energy_is_booked() -> None:
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], [1.0, 1.0], elements=[(0, 1)], lengths=[0.1],
        stretching=1e3, breaking=20.0,
    )  # fmt: skip
    motion.v[1, 0] = 2.0
    marched(net, motion, 0.1, 0.1)
    assert motion.clock[BROKEN] == 1.0
    assert motion.whole[0] == 0
    assert_close(motion.books[BREAKAGE], -0.5 * 20.0**2 / (1e3 / 0.1), rtol=1e-9)
    assert motion.clock[LARGEST] < 1e-3 * motion.clock[START]
    assert motion.clock[ELASTIC] == 0.0
