"""A drum with a motor: its energy balance, its loop, its limits."""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

from haptos.dynamics.cable.reel_power import DRUM, shaft_power
from haptos.dynamics.cable.reel_servo import drum_acceleration, drum_energy, servo_force
from tests.close import assert_close

MU, EA = 0.05, 2e4


def test_power_of_the_motor_is_that_of_winch_and_drum():
    strain, rate, stored_line, drum = 0.01, -0.7, 30.0, 4.0
    tension, stored = EA * strain, 0.5 * EA * strain**2
    inertia = drum + MU * stored_line
    force = 150.0
    faster = drum_acceleration(inertia, force, tension, strain, stored, MU, rate)
    change = (
        inertia * rate * faster + 0.5 * MU * rate * rate**2
    )  # of the drum's energy: the line on it grows by s'
    winch = shaft_power(DRUM, rate, tension, strain, stored, MU)
    assert_close(force * rate, winch + change, rtol=1e-12)
    assert_close(drum_energy(inertia, rate), 0.5 * inertia * rate**2, rtol=1e-15)


def test_the_loop_follows_a_rate_with_the_poles_asked_for():
    w, z, inertia = 2.0, 0.7, 5.0

    def motion(_: float, y: np.ndarray) -> list[float]:
        force, gathering = servo_force(inertia, w, z, 0.0 - y[0], y[1], 0.0, y[0], 1e9, 1e9)
        return [force / inertia, gathering]

    end = solve_ivp(motion, (0.0, 1.0), [1.0, 0.0], rtol=1e-11, atol=1e-13).y[0, -1]
    wd = w * math.sqrt(1.0 - z * z)
    closed = math.exp(-z * w) * (math.cos(wd) - z * w / wd * math.sin(wd))
    assert_close(end, closed, rtol=1e-8)


def test_force_and_power_are_limited_and_nothing_winds_up():
    gain = 2.0 * 0.7 * 2.0 * 5.0
    force, gathering = servo_force(5.0, 2.0, 0.7, 10.0, 0.0, 0.0, 0.1, 20.0, 1e9)
    assert force == 20.0
    assert_close(gathering, 10.0 + (20.0 - 10.0 * gain) / gain, rtol=1e-12)
    assert servo_force(5.0, 2.0, 0.7, -10.0, 0.0, 0.0, 2.0, 20.0, 10.0)[0] == -5.0
    force, gathering = servo_force(5.0, 2.0, 0.7, 0.1, 0.0, 3.0, 2.0, 20.0, 100.0)
    assert_close(force, 4.4, rtol=1e-12)
    assert_close(gathering, 0.1, rtol=1e-12)
