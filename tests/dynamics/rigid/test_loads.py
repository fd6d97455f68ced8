"""Loads by the clock give their exact impulses."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.system import SHOT
from tests.close import assert_close
from tests.net_cases import (
    marched,
    momenta,
    small_net,
)


def test_a_shot_gives_bullet_and_chaser_opposite_momenta_and_books_its_work() -> None:
    from haptos.dynamics.system import no_loads

    row = no_loads(1)[0]
    row["body"], row["start"], row["stop"], row["work"] = 1, 2.5e-3, 3.1e-3, SHOT
    row["force"] = row["force_end"] = (500.0, 0.0, 0.0)  # 0.3 N s
    net, motion = small_net([(9.0, 0.0, 0.0)], [1e-3], bodies=2, loads=[row])
    motion.bodies.inverse_mass[:] = 1.0 / 50.0, 1.0 / 0.3
    net.inverse_inertia[:] = [[1.0 / 4.0], [1.0 / 1e-4]]
    motion.bodies.place[1] = (0.5, 0.4, 0.0)
    before = momenta(net, motion)
    marched(net, motion, 0.01)
    assert_close(motion.bodies.speed[1], (1.0, 0.0, 0.0), rtol=1e-5)  # the recoil turns the barrel
    assert_close(motion.bodies.speed[0, 0], -0.3 / 50.0, rtol=1e-9)
    assert motion.bodies.momentum[0, 2] != 0.0  # pushed off its centre
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-14
    assert motion.ledger.energy.largest < 1e-14
