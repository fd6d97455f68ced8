"""Runs that used to go on for ever end in a named outcome: balances at the friction angle, tops that sleep or lean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import haptos
from haptos.core.outcome import Outcome
from haptos.core.rotations import quaternion_product, rotation_matrices
from tests.hard_cases import CUBE, hard

FRICTION, WEAK = 0.5, 1e-4  # [-], [m/s^2]
GRAVITY = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -WEAK]}
HOURS = 36_000.0  # [s]


def on_slope(share: float):
    """A cube dropped flat on a slope of that share of the friction angle."""
    slope = share * math.atan(FRICTION)
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    return haptos.simulate(
        hard(
            probe=CUBE,
            surface={"shape": "plane", "normal": normal.tolist()},
            gravity=GRAVITY,
            contact={"restitution": 0.5, "friction": FRICTION},
            release={
                "position_m": (0.15 * normal).tolist(),
                "attitude_quaternion": [math.cos(slope / 2), 0.0, math.sin(slope / 2), 0.0],
            },
            run={"duration_s": HOURS, "max_steps": 20_000, "output_interval_s": 100.0},
        )
    )


@pytest.mark.parametrize("share", [0.98, 0.99, 0.999])
def test_a_cube_rests_up_to_the_friction_angle(share):
    result = on_slope(share)
    assert result.outcome is Outcome.SETTLED


@pytest.mark.parametrize("share", [1.001, 1.01])
def test_a_slide_of_hours_beyond_it_ends_with_its_time(share):
    result = on_slope(share)
    assert result.outcome is Outcome.TIME_OVER
    slope = share * math.atan(FRICTION)
    along = WEAK * (math.sin(slope) - FRICTION * math.cos(slope))
    assert result.metrics["displacement_m"] > 0.4 * along * HOURS**2


def top(rate: float, **settle: float):
    """A cube on one corner that spins about its upright diagonal."""
    half = 0.5 * math.acos(1.0 / math.sqrt(3.0))
    axis = np.array([1.0, -1.0, 0.0]) / math.sqrt(2.0)
    return haptos.simulate(
        hard(
            probe=CUBE,
            gravity=GRAVITY,
            contact={"restitution": 0.0, "friction": FRICTION},
            release={
                "position_m": [0.0, 0.0, 0.1 * math.sqrt(3.0)],
                "attitude_quaternion": [math.cos(half), *(math.sin(half) * axis)],
                "rate_rad_per_s": [rate / math.sqrt(3.0)] * 3,
            },
            settle=settle,
            run={"duration_s": HOURS, "max_steps": 200_000, "output_interval_s": 100.0},
        )
    )


def test_a_sleeping_top_ends_as_spinning():
    result = top(0.3)
    assert result.outcome is Outcome.SPINNING
    assert 1800.0 <= result.metrics["end_time_s"] < 1900.0


def test_the_rule_can_be_switched_off():
    result = top(0.3, place_hold_s=0.0)
    assert result.ended is not Outcome.SPINNING
    assert result.metrics["end_time_s"] > 2000.0


MASS, EDGE, LEAN, SPIN = 2.0, 0.2, math.radians(20.0), 0.4  # [kg], [m], [rad], [rad/s]
ARM = EDGE * math.sqrt(3.0) / 2.0  # [m] of the centre from the corner it stands on


def precession(spin: float = SPIN) -> float:
    """Slow steady rate [rad/s] of a top: m g l = W (I_3 w_3 - I_1 W cos(lean)), w_3 the rate about its axis."""
    about_axis = MASS * EDGE**2 / 6.0
    across = about_axis + MASS * ARM**2
    b, c = about_axis * spin, MASS * WEAK * ARM
    return (b - math.sqrt(b**2 - 4.0 * across * math.cos(LEAN) * c)) / (
        2.0 * across * math.cos(LEAN)
    )


def leaning_top(share: float = 1.0, friction: float = FRICTION, rolling: float = 0.0, **run: float):
    """A cube on one corner, its diagonal leaning, that precesses at a share of the steady rate."""
    half = 0.5 * math.acos(1.0 / math.sqrt(3.0))
    upright = (math.cos(half), *(math.sin(half) * np.array([1.0, -1.0, 0.0]) / math.sqrt(2.0)))
    lean = (math.cos(LEAN / 2.0), 0.0, math.sin(LEAN / 2.0), 0.0)
    q = np.array(quaternion_product(lean, upright))
    axis = np.array([math.sin(LEAN), 0.0, math.cos(LEAN)])
    round_z = share * precession()
    rate = np.array([0.0, 0.0, round_z]) + (SPIN - round_z * axis[2]) * axis
    return haptos.simulate(
        hard(
            probe=CUBE,
            gravity=GRAVITY,
            contact={"restitution": 0.0, "friction": friction, "rolling_resistance_m": rolling},
            release={
                "position_m": (ARM * axis).tolist(),
                "velocity_m_per_s": np.cross(rate, ARM * axis).tolist(),
                "attitude_quaternion": q.tolist(),
                "rate_rad_per_s": (rotation_matrices(q).T @ rate).tolist(),
            },
            run={"duration_s": HOURS, "max_steps": 60_000, "output_interval_s": 50.0, **run},
        )
    )


def test_a_top_that_leans_goes_round_at_its_closed_form_and_ends_as_spinning():
    result = leaning_top()
    assert result.outcome is Outcome.SPINNING, result.verdict
    times, place = result.trajectory["time"].values, result.trajectory["r_BA_A"].values
    assert 3.0 * 2.0 * math.pi / precession() <= times[-1] < 3.1 * 2.0 * math.pi / precession()
    assert np.abs(place[:, 2] - ARM * math.cos(LEAN)).max() < 1e-6
    angle = np.unwrap(np.arctan2(place[:, 1], place[:, 0]))
    assert abs(angle[-1] / (precession() * times[-1]) - 1.0) < 1e-4


def nodding(share: float) -> float:
    """Other lean [rad] between which a top nods that is released at LEAN with a share of the steady rate.

    Its momenta about its axis and the vertical are kept, and so is
    (L_z - L_3 cos)^2 / (2 I_1 sin^2) + m g l cos, as it does not nod at either lean.
    """
    about_axis = MASS * EDGE**2 / 6.0
    across = about_axis + MASS * ARM**2
    along = about_axis * SPIN
    upward = along * math.cos(LEAN) + across * share * precession() * math.sin(LEAN) ** 2

    def energy(lean):
        about = (upward - along * math.cos(lean)) ** 2 / (2.0 * across * math.sin(lean) ** 2)
        return about + MASS * WEAK * ARM * math.cos(lean) - start

    start = 0.0
    start = energy(LEAN)
    return brentq(energy, LEAN + math.radians(0.1), LEAN + math.radians(20.0))


def test_a_top_that_nods_as_it_goes_round_ends_as_spinning():
    result = leaning_top(0.8, output_interval_s=5.0)
    assert result.outcome is Outcome.SPINNING, result.verdict
    nod = ARM * (math.cos(LEAN) - math.cos(nodding(0.8)))
    assert abs(np.ptp(result.trajectory["r_BA_A"].values[:, 2]) / nod - 1.0) < 0.01


def test_a_top_that_rolling_resistance_brakes_is_not_called_spinning():
    assert leaning_top(rolling=1e-3, duration_s=9000.0).ended is not Outcome.SPINNING


def test_a_cube_that_passes_its_balance_on_an_edge_falls_on_to_a_face():
    """It was called at rest on top, slower than contact_speed_m_per_s in a balance that it does not keep."""
    rate, tall = 5e-4, 0.1 * math.sqrt(2.0)  # [rad/s], [m]
    result = haptos.simulate(
        hard(
            probe=CUBE,
            gravity=GRAVITY,
            contact={"restitution": 0.0, "friction": FRICTION},
            release={
                "position_m": [0.0, 0.0, tall],
                "velocity_m_per_s": [rate * tall, 0.0, 0.0],
                "attitude_yaw_pitch_roll_deg": [0.0, 45.0, 0.0],
                "rate_rad_per_s": [0.0, rate, 0.0],
            },
            run={"duration_s": HOURS, "max_steps": 20_000},
        )
    )
    assert result.outcome is Outcome.SETTLED, result.verdict
    assert result.metrics["touching_at_end"] == 4
    assert abs(result.metrics["rest_z_m"] - 0.1) < 2e-3


def test_a_cube_on_springs_that_balances_on_an_edge_falls_on_to_a_face():
    """1e-7 rad off its balance the springs carry it for a while: it was called at rest on two corners."""
    half, off = math.pi / 8.0, 5e-8
    result = haptos.simulate(
        hard(
            probe=CUBE,
            contact={"restitution": 0.0, "friction": FRICTION, "stick_speed_m_per_s": 1e-4},
            release={
                "position_m": [0.0, 0.0, 0.1 * math.sqrt(2.0)],
                "attitude_quaternion": [math.cos(half + off), 0.0, math.sin(half + off), 0.0],
            },
            run={"duration_s": 3000.0, "max_steps": 20_000},
        )
    )
    assert result.outcome is Outcome.SETTLED, result.verdict
    assert result.metrics["touching_at_end"] == 4
