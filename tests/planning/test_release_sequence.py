"""Releases with errors: the plan itself, spreads that were asked for, and the turning body."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.planning.release_sequence import (
    DRAWS,
    ReleaseErrors,
    ReleaseSequence,
    releases,
    standard_draws,
)
from haptos.scenarios.files import parse, read_named
from haptos.scenarios.merging import laid_over
from tests.close import assert_close

RATE = 2.0 * math.pi / (3600.0 * 7.627)
# A ball like Ryugu, a release like that of MINERVA-II: nulled at 60 m, 0.2 m/s, level.
PLAN = ReleaseSequence(
    position_m=(508.1, 0.0, 0.0),
    spin_rad_per_s=(0.0, 0.0, RATE),
    mu_m3_per_s2=30.03,
    wait_s=140.0,
    eject_speed_m_per_s=0.2,
    azimuth_deg=90.0,
)
NO_DRAW = np.zeros((1, DRAWS))
MANY = standard_draws(20_000, 3)


def test_the_plan_falls_while_waiting_and_drifts_against_the_ground():
    found = releases(PLAN, NO_DRAW)
    g = 30.03 / 508.1**2
    height = 508.1 - 0.5 * g * 140.0**2
    assert_close(found.position_m[0], [height, 0.0, 0.0], rtol=1e-14)
    assert_close(found.velocity_m_per_s[0], [-g * 140.0, -RATE * height, 0.2], rtol=1e-14)
    assert_close(found.attitude_quaternion[0], [1.0, 0.0, 0.0, 0.0], rtol=1e-15)


def test_manoeuvre_removes_the_drift():
    found = releases(replace(PLAN, manoeuvre=True, wait_s=0.0), NO_DRAW)
    assert_close(found.velocity_m_per_s, np.zeros((1, 3)), rtol=1e-14, scale=0.2)


def spread(errors, plan=PLAN):
    return releases(replace(plan, errors=errors), MANY)


def test_errors_have_a_third_of_what_is_given_as_standard_deviation():
    """20 000 draws know a standard deviation to 0.5 %."""
    still = replace(PLAN, wait_s=0.0, eject_speed_m_per_s=0.0)
    place = spread(ReleaseErrors(position_m=(3.0, 6.0, 9.0)), still).position_m
    assert_close(place.std(axis=0), [3.0, 1.0, 2.0], rtol=0.02)  # up is x, east y, north z here
    velocity = spread(ReleaseErrors(velocity_m_per_s=(0.03, 0.06, 0.09)), still).velocity_m_per_s
    assert_close(velocity.std(axis=0), [0.03, 0.01, 0.02], rtol=0.02)
    speed = spread(ReleaseErrors(speed_m_per_s=0.03)).velocity_m_per_s[:, 2]
    assert_close(speed.std(), 0.01, rtol=0.02)


def test_pointing_and_attitude_errors_turn_the_shot_by_their_angle():
    shot = spread(ReleaseErrors(direction_deg=6.0)).velocity_m_per_s
    assert_close(np.degrees(shot[:, :2].std(axis=0) / 0.2), [2.0, 2.0], rtol=0.02)
    tilted = spread(ReleaseErrors(attitude_deg=6.0))
    assert_close(
        np.degrees(tilted.velocity_m_per_s[:, :2].std(axis=0) / 0.2), [2.0, 2.0], rtol=0.02
    )
    angle = 2.0 * np.degrees(np.arccos(np.minimum(tilted.attitude_quaternion[:, 0], 1.0)))
    assert_close(np.sqrt(np.mean(angle**2)), 2.0 * math.sqrt(3.0), rtol=0.02)


def test_attitude_error_turns_probe_and_shot_alike():
    plan = replace(PLAN, spin_rad_per_s=(0.0, 0.0, 0.0), mu_m3_per_s2=0.0)
    found = spread(ReleaseErrors(attitude_deg=20.0), plan)
    turned = rotation_matrices(found.attitude_quaternion[:50]) @ np.array([0.0, 0.0, 0.2])
    assert_close(found.velocity_m_per_s[:50], turned, rtol=1e-13)


def test_a_late_ejection_is_one_farther_west():
    found = releases(replace(PLAN, errors=ReleaseErrors(time_s=300.0)), np.eye(DRAWS)[9:10])
    x, y, _ = found.position_m[0]
    assert_close(math.atan2(y, x), -RATE * 100.0, rtol=1e-12)


def test_no_ejection_comes_before_the_descent_is_nulled():
    early = releases(replace(PLAN, errors=ReleaseErrors(time_s=3000.0)), -np.eye(DRAWS)[9:10])
    assert_close(np.linalg.norm(early.position_m), 508.1, rtol=1e-14)


def test_over_longitude_keeps_height_and_latitude():
    moved = replace(PLAN, position_m=(400.0, 0.0, 300.0)).over_longitude(150.0)
    assert_close(math.degrees(math.atan2(*moved.position_m[1::-1])), 150.0, rtol=1e-14)
    assert_close(math.hypot(*moved.position_m), 500.0, rtol=1e-14)


def test_a_release_moves_to_the_place_asked_for():
    x, y, z = PLAN.moved(longitude_deg=40.0, latitude_deg=-30.0, distance_m=600.0).position_m
    assert_close(math.degrees(math.atan2(y, x)), 40.0, rtol=1e-14)
    assert_close(math.degrees(math.asin(z / math.hypot(x, y, z))), -30.0, rtol=1e-14)
    assert_close(math.hypot(x, y, z), 600.0, rtol=1e-14)
    assert_close(PLAN.moved().position_m, PLAN.position_m, rtol=1e-15)


def test_tables_are_releases_of_a_lander_file():
    table, _ = read_named("lander-ellipsoid")
    release = releases(PLAN, MANY[:1]).tables()[0]
    config = parse(laid_over(table, {"release": release}), "here")
    assert list(config.release.position_m) == release["position_m"]


def test_sweeps_hold_one_value_per_release():
    sweeps = releases(PLAN, MANY[:5]).sweeps()
    assert [len(part["values"]) for part in sweeps.values() if isinstance(part, dict)] == [5] * 4


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_s": -1.0},
        {"position_m": (1.0, math.nan, 0.0)},
        {"position_m": (1.0, 2.0)},
        {"velocity_m_per_s": 0.1},
    ],
)
def test_errors_without_sense_are_refused(wrong):
    with pytest.raises(ConfigError, match="release errors"):
        ReleaseErrors(**wrong)


def test_a_plan_without_a_place_is_refused():
    with pytest.raises(ConfigError, match="position_m"):
        replace(PLAN, position_m=(0.0, 0.0, 0.0))
    with pytest.raises(ConfigError, match="wait_s"):
        replace(PLAN, wait_s=-1.0)
    with pytest.raises(ConfigError, match="attitude"):
        replace(PLAN, attitude=(0.0, 0.0, 0.0, 0.0))
    with pytest.raises(ConfigError, match="azimuth_deg"):
        replace(PLAN, azimuth_deg=math.nan)


def test_a_release_is_not_moved_below_the_centre_or_over_the_pole():
    with pytest.raises(ConfigError, match="distance_m"):
        PLAN.moved(distance_m=-5.0)
    with pytest.raises(ConfigError, match="latitude_deg"):
        PLAN.moved(latitude_deg=100.0)


def test_draws_of_another_shape_are_refused():
    """(19, 4) holds as many numbers as four releases need, in another order."""
    with pytest.raises(ConfigError, match="draws of shape"):
        releases(PLAN, np.zeros((DRAWS, 4)))
    assert len(releases(PLAN, np.zeros(DRAWS)).position_m) == 1
