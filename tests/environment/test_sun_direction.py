"""Dates, poles, sub-solar latitudes and local times against closed forms and the Earth's own."""

from __future__ import annotations

from dataclasses import replace

import erfa
import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.environment.kepler_orbit import J2000_OBLIQUITY, OrbitElements, published_elements
from haptos.environment.sun_direction import (
    J2000_JD,
    SpinPole,
    body_axes,
    earth_directions,
    earth_vectors,
    julian_dates,
    latitudes,
    local_times,
    published_pole,
    sun_directions,
    sun_vectors,
)
from tests.close import assert_close

# A circular orbit in the ecliptic; at its epoch the body sees the Sun at the autumn equinox.
YEAR = OrbitElements(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, J2000_JD)
YEAR_DAYS = 2.0 * np.pi / np.sqrt(2.9591220828411951e-04)
NORTH = SpinPole(0.0, 90.0, 24.0)


def test_sub_solar_latitude_is_the_obliquity_at_the_solstices_and_zero_at_the_equinoxes():
    dates = J2000_JD + YEAR_DAYS * np.array([0.0, 0.25, 0.5, 0.75])
    found = latitudes(sun_directions(YEAR, NORTH, dates))
    assert_close(found, J2000_OBLIQUITY * np.array([0.0, -1.0, 0.0, 1.0]), rtol=1e-10)


def test_sub_solar_latitude_of_the_earth_is_the_declination_of_the_sun():
    """June solstice of 2020, 20 June 21:44 UTC: 23.437 deg, of date; precession is 0.003 deg."""
    sun = -np.asarray(erfa.epv00(julian_dates("2020-06-20T21:44:00"), 0.0)[0]["p"])
    assert_close(np.degrees(np.arcsin(sun[2] / np.linalg.norm(sun))), 23.437, rtol=2e-4)


def test_dates_are_utc_with_leap_seconds():
    # TT was 32.184 s + 32 s ahead of UTC in 2000; TDB differs from TT by less than 2 ms.
    assert_close((julian_dates("2000-01-01T12:00:00") - J2000_JD) * 86400.0, 64.184, rtol=1e-4)
    later = julian_dates(["2017-01-01T00:00:00", "2016-12-31T00:00:00"])
    assert_close((later[0] - later[1]) * 86400.0, 86401.0, rtol=1e-9)
    assert julian_dates("2018-09-21T09:00:00+09:00") == julian_dates("2018-09-21")


@pytest.mark.parametrize("text", ["yesterday", "2018-13-01", "1066-10-14"])
def test_dates_that_are_none_are_refused(text):
    with pytest.raises(ConfigError, match="date"):
        julian_dates(text)


def test_body_axes_are_orthonormal_and_turn_eastward_once_a_period():
    pole = SpinPole(96.4, -66.4, 7.63262, meridian_deg=20.0)
    times = J2000_JD + np.array([0.0, 0.1, 1.0]) * pole.period_h / 24.0
    dcm = body_axes(pole, times)
    assert_close(dcm @ np.swapaxes(dcm, 1, 2), np.broadcast_to(np.eye(3), (3, 3, 3)), rtol=1e-14)
    assert_close(np.linalg.det(dcm), np.ones(3), rtol=1e-14)
    assert_close(dcm[2], dcm[0], rtol=1e-7)
    x_then, y_now = dcm[1][0], dcm[0][1]  # after a tenth of a turn x has moved towards y
    assert_close(x_then @ y_now, np.sin(0.2 * np.pi), rtol=1e-8)


def test_prime_meridian_starts_at_the_node_of_the_equator():
    pole = SpinPole(30.0, 50.0, 5.0)
    node = np.array([-np.sin(np.radians(30.0)), np.cos(np.radians(30.0)), 0.0])
    assert_close(body_axes(pole, J2000_JD)[0], node, rtol=1e-15)


def test_local_time_is_noon_below_the_sun_and_evening_to_the_east():
    sun = np.array([0.0, 1.0, 0.3])
    places = np.array([[0.0, 2.0, 0.0], [-2.0, 0.0, 1.0], [0.0, -1.0, 0.0], [3.0, 0.0, 0.0]])
    assert_close(local_times(places, sun), [12.0, 18.0, 0.0, 6.0], rtol=1e-14)


def test_the_sun_moves_westward_over_the_body():
    quarter = 24.0 / 4.0 / 24.0
    suns = sun_directions(YEAR, NORTH, J2000_JD + np.array([0.0, quarter]))
    times = local_times(np.array([1.0, 0.0, 0.0]), suns)
    # The Sun itself moves 0.2464 deg eastward, foreshortened by the obliquity.
    slow = 0.25 * 360.0 / YEAR_DAYS * np.cos(J2000_OBLIQUITY) / 15.0
    assert_close((times[1] - times[0]) % 24.0, 6.0 - slow, rtol=1e-6)


def test_ryugu_stays_near_equinox_geometry_as_its_pole_is_nearly_that_of_its_orbit():
    """Obliquity 171.64 deg [Watanabe2019]: the sub-solar latitude stays within 8.4 deg."""
    orbit, pole = published_elements("ryugu"), published_pole("ryugu")
    found = latitudes(sun_directions(orbit, pole, orbit.epoch_jd + np.arange(474.0)))
    assert_close(np.degrees(found.max()), 180.0 - 171.64, rtol=0.01)


@pytest.mark.parametrize(
    ("name", "obliquity"), [("eros", 89.0), ("bennu", 177.6), ("itokawa", 178.5), ("ryugu", 171.64)]
)
def test_obliquities_are_the_published_ones(name, obliquity):
    orbit, pole = published_elements(name), published_pole(name)
    first, later = sun_vectors(orbit, orbit.epoch_jd + np.array([0.0, 40.0]))
    normal = np.cross(first, later)
    cosine = body_axes(pole, 0.0)[2] @ normal / np.linalg.norm(normal)
    assert abs(np.degrees(np.arccos(cosine)) - obliquity) < 1.0


def test_the_sun_crossed_the_equator_of_eros_southward_in_june_2000():
    """NEAR arrived over a sunlit north pole in February 2000; equinox came on 25 June."""
    orbit, pole = published_elements("eros"), published_pole("eros")
    dates = julian_dates("2000-02-14") + np.arange(0.0, 200.0, 0.5)
    found = latitudes(sun_directions(orbit, pole, dates))
    assert np.degrees(found[0]) > 45.0
    equinox = dates[np.flatnonzero(found < 0.0)[0]]
    assert abs(equinox - julian_dates("2000-06-25")) < 3.0


def test_hayabusa2_found_the_earth_and_the_sun_on_the_same_side_of_ryugu():
    """At the release of 21 September 2018 Ryugu was some 320 million km from the Earth."""
    orbit, date = published_elements("ryugu"), julian_dates("2018-09-21")
    away = np.linalg.norm(earth_vectors(orbit, date))
    assert_close(away * 1.495978707e8, 3.2e8, rtol=0.02)
    assert 0.96 < np.linalg.norm(sun_vectors(orbit, date)) < 1.42
    pole = published_pole("ryugu")
    cosine = earth_directions(orbit, pole, date) @ sun_directions(orbit, pole, date)
    assert np.degrees(np.arccos(cosine)) < 30.0


def test_check_has_teeth():
    spoiled = SpinPole(90.0, 89.0, 24.0)
    with pytest.raises(AssertionError):
        assert_close(
            latitudes(sun_directions(YEAR, spoiled, J2000_JD + 0.25 * YEAR_DAYS)),
            -J2000_OBLIQUITY,
            rtol=1e-3,
        )


def test_poles_that_are_none_are_refused():
    with pytest.raises(ConfigError, match="period_h"):
        SpinPole(0.0, 0.0, -5.0)
    with pytest.raises(ConfigError, match="declination"):
        SpinPole(0.0, 91.0, 5.0)
    for wrong in ({"right_ascension_deg": np.nan}, {"meridian_deg": np.inf}, {"epoch_jd": np.nan}):
        with pytest.raises(ConfigError, match=next(iter(wrong))):
            replace(NORTH, **wrong)
    with pytest.raises(ConfigError, match="bennu, eros, itokawa, ryugu"):
        published_pole("vulcan")
