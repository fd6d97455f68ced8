"""Where the work of a reel goes: the split adds up, and is the hitchhike's."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from haptos.dynamics.cable.hitchhike import hitchhike
from haptos.dynamics.cable.reel_power import (
    COIL,
    DRUM,
    brake_split,
    reel_tension,
    shaft_power,
    winch_power,
)
from tests.close import assert_close

MU, EA = 8.3304e-3, 1.4418e6


@given(st.floats(-1600.0, 1600.0), st.floats(1.0, 3e4))
def test_feed_loss_is_what_the_coil_loses(rate, tension):
    strain = tension / EA
    stored = 0.5 * EA * strain**2
    winch = winch_power(rate, tension, strain, stored, MU)
    feed = winch - shaft_power(COIL, rate, tension, strain, stored, MU)
    if rate < 0.0:
        expected = rate * (tension * strain - stored + 0.5 * MU * rate**2 * (1.0 - strain**2))
    else:
        expected = -0.5 * MU * rate**3 * (1.0 + strain) ** 2
    assert_close(feed, expected, rtol=1e-9, scale=max(abs(winch), 1.0))
    assert feed <= 0.0
    assert shaft_power(DRUM, rate, tension, strain, stored, MU) == winch


def test_brake_and_feed_of_a_stop_are_those_of_the_closed_form():
    tension, mass, start = 24776.0, 2000.0, 1400.0
    stop = hitchhike(mass, start, tension, MU, EA)
    strain = tension / EA
    stored = 0.5 * EA * strain**2

    def powers(t: float) -> tuple[float, float]:
        # p = m v falls by T, m by mu v/(1 + e): v(t) in closed form
        momentum = mass * start - tension * t
        square = mass**2 + (momentum**2 - (mass * start) ** 2) * MU / (tension * (1.0 + strain))
        rate = -momentum / np.sqrt(square) / (1.0 + strain)
        shaft = shaft_power(COIL, rate, tension, strain, stored, MU)
        return -shaft, -(winch_power(rate, tension, strain, stored, MU) - shaft)

    brake, feed = (
        quad(lambda t, k=k: powers(t)[k], 0.0, stop.time, epsrel=1e-11)[0] for k in (0, 1)
    )
    assert_close(brake, stop.brake_energy, rtol=1e-8)
    assert_close(feed, stop.feed_loss, rtol=1e-8)


def test_a_line_that_leaves_faster_than_its_waves_cannot_be_braked():
    wave = np.sqrt(24776.0 / MU)
    assert reel_tension(24776.0, 0.0, MU, -1.001 * wave) < 0.0
    assert reel_tension(24776.0, 0.0, MU, -0.999 * wave) > 0.0


def test_generator_takes_its_share_up_to_its_power():
    assert brake_split(-20e6, 0.25, 30e6, 0.8) == (5e6, 15e6, 0.0)
    assert brake_split(-40e6, 0.25, 30e6, 0.8) == (7.5e6, 32.5e6, 0.0)
    assert brake_split(8e3, 0.25, 30e6, 0.8) == (0.0, 0.0, 1e4)
