"""A box on an incline: sticks if and only if tan(slope) <= mu, else slides as the textbook says."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from tests.close import assert_close
from tests.lander_cases import lander

SIZE, MASS, GRAVITY, STIFFNESS = [0.6, 0.6, 0.2], 5.0, 5.7e-3, 50.0  # [m], [kg], [m/s^2], [N/m]


def on_incline(slope: float, *, duration: float = 60.0, **contact: float) -> Result:
    """A flat box put on a plane that rises by `slope` [rad] along x, at rest on its springs."""
    normal = [-math.sin(slope), 0.0, math.cos(slope)]
    sink = MASS * GRAVITY * math.cos(slope) / (4.0 * STIFFNESS)
    height = SIZE[2] / 2.0 - sink
    return haptos.simulate(
        lander(
            probe={"shape": "box", "size_m": SIZE, "mass_kg": MASS},
            surface={"shape": "plane", "normal": normal},
            contact=contact,
            release={
                "position_m": [height * component for component in normal],
                "velocity_m_per_s": [0.0, 0.0, 0.0],
                "attitude_yaw_pitch_roll_deg": [0.0, -math.degrees(slope), 0.0],
                "rate_rad_per_s": [0.0, 0.0, 0.0],
            },
            run={"duration_s": duration, "output_interval_s": 0.5},
        )
    )


ROLLING = pytest.mark.parametrize("rolling", [0.0, 0.005])  # [m]; must not matter


@ROLLING
@pytest.mark.parametrize("friction", [0.2, 0.5, 0.8])
def test_box_sticks_just_below_the_friction_angle(friction, rolling):
    slope = math.atan(0.995 * friction)
    result = on_incline(slope, duration=300.0, friction=friction, rolling_resistance_m=rolling)
    assert result.outcome is Outcome.SETTLED
    # It moves by no more than the tilt its springs need to carry the friction torque.
    assert result.metrics["displacement_m"] < 3e-3
    assert result.metrics["end_speed_m_per_s"] < 1e-6


@ROLLING
@pytest.mark.parametrize("friction", [0.2, 0.5, 0.8])
def test_box_slides_just_above_the_friction_angle(friction, rolling):
    slope = math.atan(1.005 * friction)
    result = on_incline(slope, duration=400.0, friction=friction, rolling_resistance_m=rolling)
    assert result.outcome is Outcome.TIME_OVER
    assert_close(sliding_acceleration(result, slope), coulomb(slope, friction), rtol=1e-3)


@ROLLING
@pytest.mark.parametrize(
    ("slope_deg", "friction"), [(30.0, 0.2), (30.0, 0.5), (45.0, 0.7), (10.0, 0.0)]
)
def test_sliding_acceleration_is_that_of_coulomb_friction(slope_deg, friction, rolling):
    slope = math.radians(slope_deg)
    result = on_incline(slope, duration=200.0, friction=friction, rolling_resistance_m=rolling)
    assert_close(sliding_acceleration(result, slope), coulomb(slope, friction), rtol=1e-3)
    assert result.ledger.relative_remainder < 1e-6


def coulomb(slope: float, friction: float) -> float:
    """Textbook acceleration [m/s^2] down the slope."""
    return GRAVITY * (math.sin(slope) - friction * math.cos(slope))


def sliding_acceleration(result: Result, slope: float) -> float:
    """Acceleration [m/s^2] down the slope over the second half of the run."""
    down = np.array([-math.cos(slope), 0.0, -math.sin(slope)])
    late = result.trajectory.isel(time=slice(result.trajectory.sizes["time"] // 2, None))
    speed = late["v_BA_A"].values @ down
    return float(np.polyfit(late["time"].values, speed, 1)[0])


def test_acceleration_check_has_teeth():
    slope = math.radians(30.0)
    result = on_incline(slope, duration=100.0, friction=0.2 * 1.01)
    with pytest.raises(AssertionError):
        assert_close(sliding_acceleration(result, slope), coulomb(slope, 0.2), rtol=1e-3)


def test_static_friction_above_sliding_friction_holds_a_steeper_slope():
    slope = math.atan(0.6)
    held = on_incline(slope, friction=0.5, static_friction=0.7)
    lost = on_incline(slope, friction=0.5)
    assert held.outcome is Outcome.SETTLED
    assert lost.outcome is Outcome.TIME_OVER
