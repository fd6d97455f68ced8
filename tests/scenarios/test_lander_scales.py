"""The same landing in other units of length and time ends in the same way, and round ground does not reach into a probe unseen."""

from __future__ import annotations

from typing import Any

import pytest

import haptos as hp
from haptos.core.outcome import Outcome
from tests.close import assert_close


def cube(length: float = 1.0, time: float = 1.0) -> dict[str, Any]:
    """A cube thrown on springs, every number with a length or a time in it scaled; its density stays."""
    speed, pull, mass = length / time, 5.7e-3 * length / time**2, length**3
    return {
        "probe": {"shape": "cube", "mass_kg": 5.0 * mass, "edge_m": 0.2 * length},
        "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -pull]},
        "contact": {
            "law": "compliant",
            "stiffness_N_per_m": 50.0 * mass / time**2,
            "damping_N_s_per_m": 6.6 * mass / time,
            "friction": 0.5,
            "rolling_resistance_m": 0.005 * length,
            "stick_speed_m_per_s": 1e-4 * speed,
            "stick_rate_rad_per_s": 1e-3 / time,
        },
        "release": {
            "position_m": [0.0, 0.0, 0.6 * length],
            "velocity_m_per_s": [0.05 * speed, 0.01 * speed, 0.0],
            "rate_rad_per_s": [0.1 / time, 0.2 / time, -0.1 / time],
        },
        "settle": {
            "speed_m_per_s": 1e-6 * speed,
            "rate_rad_per_s": 1e-5 / time,
            "hold_s": 2.0 * time,
        },
        "run": {"duration_s": 400.0 * time, "output_interval_s": time},
    }


@pytest.mark.parametrize(("length", "time"), [(1e3, 1.0), (1e-2, 1.0), (1.0, 1e-2), (1.0, 1e3)])
def test_a_landing_scales_with_length_and_time(length: float, time: float) -> None:
    """In weak gravity a cube leans over for hours within a hundredth of its size: that is no top."""
    plain = hp.simulate(hp.default("lander", cube()))
    scaled = hp.simulate(hp.default("lander", cube(length, time)))
    assert plain.ended == scaled.ended == Outcome.SETTLED
    for axis in ("x", "y"):
        name = f"rest_{axis}_m"
        assert_close(scaled.metrics[name] / length, plain.metrics[name], rtol=1e-4)
    # Where half an hour is less than the time it takes to fall over, the hold of a place ends a run earlier.
    near = 1e-3 if time <= 1.0 else 0.1
    assert_close(scaled.metrics["settle_time_s"] / time, plain.metrics["settle_time_s"], rtol=near)


@pytest.mark.parametrize(("radius", "is_trusted"), [(3.0, False), (30.0, True)])
@pytest.mark.parametrize("law", ["impulsive", "compliant"])
def test_round_ground_in_a_face_is_not_trusted(law: str, radius: float, is_trusted: bool) -> None:
    """A face of 2 m on a ball of 3 m sinks by 3 - sqrt(7) = 0.354 m: no vertex is below ground."""
    given = cube() | {
        "probe": {"shape": "cube", "mass_kg": 5.0, "edge_m": 2.0},
        "surface": {"shape": "sphere", "radius_m": radius},
        "release": {
            "position_m": [0.0, 0.0, radius + 3.0],
            "velocity_m_per_s": [0.0, 0.0, 0.0],
            "attitude_yaw_pitch_roll_deg": [0.0, 0.0, 0.0],
            "rate_rad_per_s": [0.0, 0.0, 0.0],
        },
        "run": {"duration_s": 3000.0},
    }
    if law == "impulsive":
        given["contact"] = {"law": "impulsive", "restitution": 0.5, "friction": 0.5}
    result = hp.simulate(hp.default("lander", given))
    assert result.ended == Outcome.SETTLED
    assert result.trusted is is_trusted
    if not is_trusted:
        (check,) = [one for one in result.checks if one.name == "surface"]
        assert_close(check.value, 3.0 - 7.0**0.5, rtol=0.02)
