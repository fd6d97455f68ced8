"""How landers end, and what is reported them when they do not come to rest."""

from __future__ import annotations

import math

import pytest

import haptos
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.scenarios.files import preset_names
from haptos.scenarios.lander.simulate import simulate_batch
from tests.close import assert_close
from tests.lander_cases import lander

ROCK = {"shape": "sphere", "radius_m": 100.0}
PULL = {"model": "point", "mu_m3_per_s2": 2.0}
ESCAPE_SPEED = math.sqrt(2.0 * 2.0 / 101.0)  # [m/s] at 101 m from the centre


def thrown_up(speed: float, **run: float):
    return lander(
        surface=ROCK,
        gravity=PULL,
        release={"position_m": [0.0, 0.0, 101.0], "velocity_m_per_s": [0.0, 0.0, speed]},
        run={"escape_distance_m": 200.0, "output_interval_s": 0.0, **run},
    )


def test_faster_than_escape_speed_it_escapes_and_has_missed():
    result = haptos.simulate(thrown_up(1.01 * ESCAPE_SPEED, duration_s=1e5))
    assert result.outcome is Outcome.MISSED
    assert result.metrics["end_time_s"] < 1e5
    assert result.metrics["contact_phases"] == 0
    assert math.isnan(result.metrics["first_touch_time_s"])


def test_slower_than_escape_speed_it_goes_beyond_the_distance_and_comes_back():
    result = haptos.simulate(thrown_up(0.97 * ESCAPE_SPEED, duration_s=1e6))
    assert float(result.trajectory["r_BA_A"].values[:, 2].max()) > 200.0
    assert result.metrics["contact_phases"] > 0
    assert result.outcome is Outcome.SETTLED


def test_thrown_against_the_ground_it_escapes_after_it_has_touched():
    result = haptos.simulate(
        lander(
            surface=ROCK,
            gravity=PULL,
            release={"position_m": [0.0, 0.0, 101.0], "velocity_m_per_s": [0.0, 0.0, -1.0]},
            contact={"stiffness_N_per_m": 5e4},
            run={"escape_distance_m": 200.0, "output_interval_s": 0.0, "duration_s": 1e5},
        )
    )
    assert result.outcome is Outcome.ESCAPED
    assert result.metrics["contact_phases"] > 0


@pytest.mark.parametrize(
    ("duration", "expected"), [(5.0, Outcome.MISSED), (14.0, Outcome.TIME_OVER)]
)
def test_a_run_that_does_not_settle_has_no_place_of_rest(duration, expected):
    result = haptos.simulate(lander(run={"duration_s": duration}))
    assert result.outcome is expected
    assert (result.metrics["first_touch_time_s"] < duration) == (expected is Outcome.TIME_OVER)
    assert_close(result.metrics["end_time_s"], duration, rtol=1e-12)
    for key in ("settle_time_s", "rest_x_m", "rest_quaternion_0"):
        assert math.isnan(result.metrics[key])


def test_the_number_of_steps_can_run_out():
    result = haptos.simulate(lander(run={"max_steps": 50}))
    assert result.ended is Outcome.STEPS_OVER
    assert result.outcome is Outcome.NOT_TRUSTED
    assert "number of steps" in result.verdict
    assert result.metrics["steps"] + result.metrics["rejected_steps"] == 50


def test_motion_that_cannot_be_followed_stalls_and_is_not_trusted():
    # No step is short enough for 1e29 m/s into springs; a file with that is refused before.
    config = lander(contact={"depth_limit": 1e29})
    fast = config.release.model_copy(update={"velocity_m_per_s": (0.0, 0.0, -1e29)})
    result = haptos.simulate(config.model_copy(update={"release": fast}))
    assert result.ended is Outcome.STALLED
    assert result.outcome is Outcome.NOT_TRUSTED


def test_a_probe_that_sinks_in_too_far_is_not_trusted():
    hard = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -9.81]}
    result = haptos.simulate(lander(gravity=hard))
    assert result.ended is Outcome.SUNK
    assert not result.trusted
    assert "Sank deeper" in result.verdict


def test_a_centre_of_mass_outside_the_probe_is_refused():
    probe = {"shape": "box", "size_m": [0.2, 0.2, 0.2], "mass_kg": 5.0}
    given = {**probe, "center_of_mass_m": [0.0, 0.0, 0.11], "inertia_kg_m2": [0.03, 0.03, 0.03]}
    with pytest.raises(ConfigError, match="outside the probe"):
        haptos.simulate(lander(probe=given))


@pytest.mark.parametrize(("duration", "allowed"), [(5e-324, "at least"), (1e300, "at most")])
def test_numbers_beyond_any_physics_are_refused(duration, allowed):
    with pytest.raises(ConfigError, match=allowed):
        lander(run={"duration_s": duration, "output_interval_s": 0.0})


def test_storing_every_step_has_a_limit(monkeypatch):
    monkeypatch.setattr("haptos.dynamics.touching.stored_limit.MOST_ROWS", 1000)
    with pytest.raises(ConfigError, match="stores every step"):
        haptos.simulate(lander(run={"output_interval_s": 0.0}))


def test_a_probe_at_rest_in_empty_space_keeps_its_nothing():
    config = lander(
        gravity={"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, 0.0]},
        release={"velocity_m_per_s": [0.0, 0.0, 0.0], "rate_rad_per_s": [0.0, 0.0, 0.0]},
    )
    result = haptos.simulate(config)
    assert result.ledger.scale == 0.0
    assert result.outcome is Outcome.MISSED
    assert repr(simulate_batch([config], workers=1)[0]) == repr(result.as_row())


def test_a_probe_released_in_contact_touches_at_time_zero():
    height = 0.5 * 0.01 ** (1.0 / 3.0) - 1e-4
    release = {
        "position_m": [0.0, 0.0, height],
        "attitude_yaw_pitch_roll_deg": [0.0, 0.0, 0.0],
        "velocity_m_per_s": [0.0, 0.0, 0.0],
        "rate_rad_per_s": [0.0, 0.0, 0.0],
    }
    result = haptos.simulate(lander(release=release))
    assert result.metrics["first_touch_time_s"] == 0.0
    assert result.metrics["vertex_touches"] >= 4
    assert result.outcome is Outcome.SETTLED


def test_a_probe_released_inside_the_ground_is_refused():
    with pytest.raises(ConfigError, match="inside the ground"):
        haptos.simulate(lander(release={"position_m": [0.0, 0.0, 0.05]}))


def test_a_shifted_centre_of_mass_needs_its_own_inertia():
    probe = {"shape": "box", "size_m": [0.2, 0.2, 0.2], "mass_kg": 5.0}
    with pytest.raises(ConfigError, match="center_of_mass_m without inertia_kg_m2"):
        lander(probe={**probe, "center_of_mass_m": [0.0, 0.0, -0.05]})


def test_a_low_centre_of_mass_sets_the_height_of_rest():
    shift, size, stiffness = 0.05, 0.2, 50.0
    config = lander(
        probe={
            "shape": "box",
            "size_m": [size] * 3,
            "mass_kg": 5.0,
            "center_of_mass_m": [0.0, 0.0, -shift],
            "inertia_kg_m2": [0.03, 0.03, 0.03],
        },
        release={
            "position_m": [0.0, 0.0, 0.2],
            "attitude_yaw_pitch_roll_deg": [0.0, 0.0, 0.0],
            "velocity_m_per_s": [0.0, 0.0, 0.0],
            "rate_rad_per_s": [0.0, 0.0, 0.0],
        },
    )
    result = haptos.simulate(config)
    expected = size / 2.0 - shift - 5.0 * 5.7e-3 / (4.0 * stiffness)
    assert_close(result.metrics["rest_z_m"], expected, rtol=1e-5)


LANDERS = [name for name in preset_names() if name.startswith("lander")]


@pytest.mark.parametrize("name", LANDERS)
def test_every_built_in_lander_settles_and_is_trusted(name):
    result = haptos.simulate(name)
    assert result.outcome is Outcome.SETTLED
    assert result.ledger.relative_remainder < 1e-6


def test_weaker_gravity_spreads_the_same_throw_wider():
    ways = [
        haptos.simulate(name).metrics["path_length_m"]
        for name in ("lander", "lander-67p", "lander-itokawa")
    ]
    assert ways[1] > 5.0 * ways[0]
    assert ways[2] > ways[1]


@pytest.mark.parametrize(("height", "is_far"), [(0.05, False), (-50.0, True)])
def test_a_release_far_inside_asks_for_the_unit_too(height, is_far):
    with pytest.raises(ConfigError, match="release it higher") as refused:
        haptos.simulate(haptos.default("lander", {"release": {"position_m": [0.0, 0.0, height]}}))
    assert ("check the unit" in str(refused.value)) is is_far
