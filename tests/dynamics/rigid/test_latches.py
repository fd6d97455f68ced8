"""What is held moves with its holder."""

from __future__ import annotations

import numpy as np

from tests.close import assert_close
from tests.net_cases import (
    marched,
    momenta,
    small_net,
)


def test_a_held_bullet_turns_and_moves_with_its_chaser() -> None:
    net, motion = small_net([(9.0, 0.0, 0.0)], [1e-3], bodies=2, held=[-np.inf, 0.05])
    motion.bodies.inverse_mass[:] = 1.0 / 50.0, 1.0 / 0.3
    net.inverse_inertia[:] = [[1.0 / 4.0], [1.0 / 1e-4]]
    motion.bodies.place[1] = (0.5, 0.0, 0.0)
    motion.bodies.momentum[0] = (0.0, 0.0, 0.4)
    before = momenta(net, motion)
    marched(net, motion, 0.04)
    turn = motion.bodies.momentum[1, 2] * net.inverse_inertia[1, 2]
    assert_close(turn, motion.bodies.momentum[0, 2] * net.inverse_inertia[0, 2], rtol=1e-12)
    assert_close(motion.bodies.speed[1] - motion.bodies.speed[0], np.cross((0, 0, turn), motion.bodies.place[1] - motion.bodies.place[0]), rtol=1e-9)  # fmt: skip
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
