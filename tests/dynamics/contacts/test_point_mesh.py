"""Points of a net touch a body as Hertz and Hunt-Crossley say."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.motion import Motion
from haptos.dynamics.system import CONTACT_DAMPING
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, marched, small_net


def dropped_ball(stiffness: float, alpha: float) -> tuple[float, Motion]:
    """(height of the rebound [m], motion after it) of 0.1 kg dropped by 0.2 m onto a plate."""
    surface = box_surface((1.0, 1.0, 1.0), contact_numbers(stiffness, alpha, 0.0))
    net, motion = small_net(
        [(0.1, 0.2, 0.71)], [0.1], radius=0.01, surface=surface, gravity=(0.0, 0.0, -9.81)
    )
    heights = []
    for step in range(1, 400):
        marched(net, motion, step * 1e-3)
        heights.append(float(motion.points.x[0, 2] - 0.51))
    low = int(np.argmin(heights[:230]))
    return max(heights[low:]), motion


@pytest.mark.parametrize(
    ("stiffness", "alpha", "rebound", "peak"),
    [(1e9, 0.08, 0.149, 2429.0), (1e9, 0.32, 0.0734, None), (1e6, 0.08, 0.1483, 154.0)],
)
def test_a_ball_bounces_as_high_and_presses_as_hard_as_it_must(
    stiffness: float, alpha: float, rebound: float, peak: float | None
) -> None:
    """Restitution 0.863, 0.606, 0.861, of Hunt-Crossley in closed form."""
    height, motion = dropped_ball(stiffness, alpha)
    assert_close(height, rebound, rtol=1e-2)
    if peak is not None:
        assert_close(motion.step.peak_force, peak, rtol=1e-2)
    assert motion.ledger.energy.largest < 1e-10
    assert motion.ledger.work[CONTACT_DAMPING] < 0.0
