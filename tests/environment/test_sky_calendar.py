"""Calendars of the sky: columns against the functions behind them, files and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.environment.kepler_orbit import published_elements
from haptos.environment.sky_calendar import orbit_and_pole, sky_calendar
from haptos.environment.sun_direction import published_pole
from tests.close import assert_close

FILE = """
[orbit]
semi_major_axis_au = 1.0
eccentricity = 0.0
inclination_deg = 0.0
node_deg = 0.0
perihelion_deg = 0.0
mean_anomaly_deg = 0.0
epoch_jd = 2451545.0
[pole]
right_ascension_deg = 270.0
declination_deg = 66.560709
period_h = 5.0
"""


def test_a_year_of_ryugu_swings_through_its_seasons_and_triangles_close():
    table = sky_calendar(*orbit_and_pole("ryugu"), "2018-06-27", 474.0, 2.0)
    assert len(table["jd_tdb"]) == 238
    assert_close(np.ptp(table["sub_solar_latitude_deg"]), 2.0 * 8.36, rtol=0.02)
    sun, earth = table["sun_distance_au"], table["earth_distance_au"]
    cosine = np.cos(np.radians(table["phase_deg"]))
    third = np.sqrt(sun**2 + earth**2 - 2.0 * sun * earth * cosine)  # Sun to Earth
    assert np.all((third > 0.98) & (third < 1.02))


def test_a_file_gives_orbit_and_pole(tmp_path):
    file = tmp_path / "body.toml"
    file.write_text(FILE)
    orbit, pole = orbit_and_pole(file)
    # The pole of the ecliptic: the Sun stays on the equator.
    table = sky_calendar(orbit, pole, "2020-01-01", 360.0, 30.0)
    assert np.abs(table["sub_solar_latitude_deg"]).max() < 1e-6
    assert_close(table["sun_distance_au"], np.ones(13), rtol=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("node_deg", "knot_deg", "knot_deg"),
        ("eccentricity = 0.0\n", "", "eccentricity"),
        ("period_h = 5.0", 'period_h = "5"', "period_h"),
        ("[pole]", "[poles]", "poles"),
        ("period_h = 5.0", "period_h = ", "no TOML"),
    ],
)
def test_files_that_are_wrong_are_refused(tmp_path, old, new, found):
    file = tmp_path / "body.toml"
    file.write_text(FILE.replace(old, new))
    with pytest.raises(ConfigError, match=found):
        orbit_and_pole(file)


def test_unknown_bodies_and_endless_calendars_are_refused():
    with pytest.raises(ConfigError, match="bennu, eros, itokawa, ryugu"):
        orbit_and_pole("vulcan")
    orbit, pole = published_elements("bennu"), published_pole("bennu")
    with pytest.raises(ConfigError, match="calendar"):
        sky_calendar(orbit, pole, "2020-01-01", 10.0, 0.0)


def test_a_calendar_ends_where_the_place_of_the_earth_is_no_longer_known():
    orbit, pole = published_elements("bennu"), published_pole("bennu")
    assert len(sky_calendar(orbit, pole, "2099-12-01", 30.0, 1.0)["jd_tdb"]) == 31
    with pytest.raises(ConfigError, match="end of 2099"):
        sky_calendar(orbit, pole, "2099-12-01", 32.0, 1.0)
