"""Swing of a canister that is reeled in: damped by lateral thrust, fed by reeling without."""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

from haptos.dynamics.control.swing_damping import (
    LARGEST_ACCELERATION,
    SWING_DAMPING,
    swing_acceleration,
)
from tests.close import assert_close

PULL, REEL, START = 0.008, -0.2, 95.0


def largest_angle(largest: float, damping: float = SWING_DAMPING, until: float = 450.0) -> float:
    """Largest swing [rad] late in a reel-in at constant rate from 0.05 rad, by the pendulum equation."""

    def motion(t: float, y: np.ndarray) -> list[float]:
        length = START + REEL * t
        a = swing_acceleration(y[1], length, REEL, PULL, damping, largest)
        return [
            y[1],
            (a * math.cos(y[0]) - 2.0 * REEL * y[1] - PULL * math.sin(y[0])) / length,
        ]

    found = solve_ivp(motion, (0.0, until), [0.05, 0.0], rtol=1e-9, atol=1e-12, max_step=1.0)
    return float(np.abs(found.y[0, found.t > 300.0]).max())


def test_reeling_feeds_the_swing_and_thrust_takes_it_out():
    left = largest_angle(0.0)
    assert left > 0.1
    assert largest_angle(LARGEST_ACCELERATION) < 0.02 * left


def test_at_constant_length_the_mode_has_the_damping_asked_for():
    z = 0.3

    def motion(_: float, y: np.ndarray) -> list[float]:
        a = swing_acceleration(y[1], 50.0, 0.0, PULL, z, 1.0)
        return [y[1], (a - PULL * y[0]) / 50.0]

    w = math.sqrt(PULL / 50.0)
    t = math.pi / (w * math.sqrt(1.0 - z * z))  # half a damped period
    end = solve_ivp(motion, (0.0, t), [1.0, 0.0], rtol=1e-11, atol=1e-13).y[0, -1]
    assert_close(end, -math.exp(-z * w * t), rtol=1e-8)


def test_thrust_is_limited():
    assert swing_acceleration(1.0, 10.0, -0.2, PULL, 0.7, 2e-3) == -2e-3
    assert swing_acceleration(-1.0, 10.0, -0.2, PULL, 0.7, 2e-3) == 2e-3
