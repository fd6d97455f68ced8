"""First impact of a ballistic lander: recomputed table, best orbits and tilts, energy, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.planning.first_impact import (
    ImpactWorld,
    best_periapsis,
    best_tilt,
    first_impact,
)
from tests.close import assert_close

RADIUS = 690.0
KW4 = ImpactWorld(RADIUS, 157.04, 2.0 * np.pi / (2.7645 * 3600.0))
SHARES = np.array([0.05, 0.70, 0.90, 1.00])  # r_P / R
TILTS = np.radians(np.arange(0.0, 91.0, 15.0))


def at(share, tilt=0.0, restitution=0.65, apoapsis=2.0, world=KW4):
    return first_impact(world, np.asarray(share) * RADIUS, apoapsis * RADIUS, restitution, tilt)


def test_impacts_on_kw4_have_the_recomputed_numbers():
    found = at(SHARES)
    # Four printed digits of a table made with another program.
    assert_close(found.eccentricity, [0.9512, 0.4815, 0.3793, 0.3333], rtol=1e-3)
    assert_close(np.degrees(found.true_anomaly), [198.43, 274.41, 309.52, 360.0], rtol=1e-4)
    assert_close(found.inertial_speed, [0.4829, 0.5354, 0.5461, 0.5509], rtol=1e-3)
    assert_close(np.degrees(found.path_angle), [-72.02, -24.84, -13.26, 0.0], rtol=1e-3)
    assert_close(found.east, [-0.2866, 0.0502, 0.0959, 0.1152], rtol=1e-3)
    assert_close(found.up, [-0.4593, -0.2249, -0.1253, 0.0], rtol=1e-3)
    assert_close(np.degrees(found.impact_angle), [32.0, 12.6, 37.4, 90.0], rtol=1e-3)
    assert_close(found.speed_after, [0.4138, 0.1546, 0.1258, 0.1152], rtol=1e-3)


def test_the_table_has_teeth():
    spoiled = ImpactWorld(RADIUS, 1.01 * KW4.mu, KW4.spin)
    with pytest.raises(AssertionError):
        assert_close(at(SHARES, world=spoiled).speed_after, at(SHARES).speed_after, rtol=1e-3)


@pytest.mark.parametrize(
    ("restitution", "expected"),
    [
        (0.65, [1.000, 0.969, 0.967, 0.978, 0.990, 0.997, 1.000]),
        (0.35, [0.677, 0.808, 0.894, 0.947, 0.979, 0.995, 1.000]),
    ],
)
def test_best_periapsis_per_tilt_has_the_recomputed_numbers(restitution, expected):
    found = [best_periapsis(KW4, 2.0 * RADIUS, restitution, tilt) / RADIUS for tilt in TILTS]
    assert_close(found, expected, rtol=1e-3)


def test_on_level_ground_a_grazing_orbit_is_best_from_every_apoapsis():
    for apoapsis in (1.25, 1.5, 2.0, 4.0):
        assert_close(best_periapsis(KW4, apoapsis * RADIUS, 0.65, 0.0), RADIUS, rtol=1e-3)


def test_on_tilted_ground_the_best_orbit_dips_a_little_below_the_surface():
    best = [best_periapsis(KW4, 2.0 * RADIUS, 0.65, tilt) / RADIUS for tilt in TILTS[1:6]]
    assert all(0.95 < share < 1.0 for share in best)


@pytest.mark.parametrize("restitution", [0.35, 0.65, 0.9])
def test_the_best_facet_is_met_along_its_normal_whatever_the_restitution(restitution):
    for share in (0.05, 0.5, 0.7, 0.9):
        tilts = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 20_001)
        found = at(share, tilts, restitution)
        best = int(np.nanargmin(found.speed_after))
        chosen = float(best_tilt(KW4, share * RADIUS, 2.0 * RADIUS))
        assert_close(tilts[best], chosen, rtol=1e-3, scale=1.0)
        assert at(share, chosen).impact_angle < 1e-7


def test_less_restitution_slows_and_lowers_the_best_orbit():
    values = np.array([0.9, 0.65, 0.5, 0.35, 0.2])
    assert np.all(np.diff(at(0.7, 0.3, values).speed_after) < 0.0)
    best = [best_periapsis(KW4, 2.0 * RADIUS, e, TILTS[2]) for e in values]
    assert np.all(np.diff(best) < 0.0)


def test_higher_apoapsis_leaves_faster():
    speeds = [at(0.9, 0.0, 0.65, apoapsis).speed_after for apoapsis in (1.25, 1.5, 2.0, 4.0)]
    assert np.all(np.diff(speeds) > 0.0)


def test_an_elastic_impact_keeps_the_speed_over_ground_and_e_zero_the_tangent():
    found = at(0.7, 0.4, 1.0)
    assert_close(found.speed_after, np.hypot(found.east, found.up), rtol=1e-12)
    expected = abs(found.east * np.cos(0.4) + found.up * np.sin(0.4))
    assert_close(at(0.7, 0.4, 0.0).speed_after, expected, rtol=1e-12)


def test_facets_turned_away_are_not_hit():
    assert np.isnan(at(0.05, np.radians(75.0)).speed_after)


def test_angular_momentum_and_energy_are_those_of_the_orbit():
    found = at(0.7, world=ImpactWorld(RADIUS, 157.04, 0.0))
    axis, eps = 0.5 * RADIUS * 2.7, 1.3 / 2.7
    assert_close(found.east * RADIUS, np.sqrt(157.04 * axis * (1.0 - eps**2)), rtol=1e-12)
    energy = 0.5 * (found.east**2 + found.up**2) - 157.04 / RADIUS
    assert_close(energy, -157.04 / (2.0 * axis), rtol=1e-12)


def test_orbits_that_miss_and_odd_numbers_are_refused():
    with pytest.raises(ConfigError, match="misses"):
        at(1.1)
    with pytest.raises(ConfigError, match="restitution"):
        at(0.9, restitution=1.2)
    with pytest.raises(ConfigError, match="radius"):
        ImpactWorld(-1.0, 1.0, 0.0)
