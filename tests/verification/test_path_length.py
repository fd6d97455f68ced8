"""The length of a path is that of the motion, whatever the steps: thrown up, it comes down the same way."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos as hp
from tests.close import assert_close

PULL, RADIUS = 1e-2, 0.1


def thrown(velocity: tuple[float, float, float]) -> hp.Result:
    return hp.simulate(
        {
            "schema": 1,
            "scenario": "lander",
            "probe": {"shape": "sphere", "mass_kg": 1.0, "radius_m": RADIUS},
            "surface": {"shape": "plane"},
            "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -PULL]},
            "contact": {"law": "impulsive", "restitution": 0.0, "friction": 0.0},
            "release": {"position_m": [0.0, 0.0, RADIUS], "velocity_m_per_s": list(velocity)},
            "run": {"duration_s": 2.0 * velocity[2] / PULL, "output_interval_s": 1.0},
        }
    )


@pytest.mark.parametrize("speed", [0.7369924812030075, 0.02, 0.3, 3.0])
def test_straight_up_and_down_is_twice_the_height(speed: float) -> None:
    assert_close(thrown((0.0, 0.0, speed)).metrics["path_length_m"], speed**2 / PULL, rtol=1e-6)


@pytest.mark.parametrize("share", [0.03, 0.3, 1.0])
def test_a_parabola_has_its_arc_length(share: float) -> None:
    across, up = share * 0.5, 0.5
    s = up / across
    arc = across**2 / PULL * (s * math.sqrt(1.0 + s * s) + math.asinh(s))
    result = thrown((across, 0.0, up))
    assert_close(result.metrics["path_length_m"], arc, rtol=5e-3)
    chords = np.linalg.norm(np.diff(result.trajectory["r_BA_A"].values, axis=0), axis=1).sum()
    assert result.metrics["path_length_m"] > 0.995 * chords
