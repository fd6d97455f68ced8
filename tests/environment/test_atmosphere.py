"""Air density: printed values of the 1976 standard, the isothermal law, NRLMSIS as a table."""

from __future__ import annotations

import builtins
import math
import socket

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.environment.atmosphere import (
    EARTH_RATE,
    PRINTED,
    air_density,
    isothermal_table,
    msis_table,
    standard_table,
    turning_air,
)
from tests.close import assert_close

STANDARD = standard_table()
LOW = {  # geometric altitude [m]: density [kg/m^3], from the tables of the 1976 standard
    0.0: 1.2250,
    1e3: 1.1117,
    5e3: 0.73643,
    10e3: 0.41351,
    20e3: 0.088910,
    30e3: 0.018410,
    40e3: 3.9957e-3,
    50e3: 1.0269e-3,
    60e3: 3.0968e-4,
    70e3: 8.2829e-5,
    80e3: 1.8458e-5,
}


def standard(altitude):
    return air_density(altitude, STANDARD.log_density, STANDARD.spacing)


@pytest.mark.parametrize(("altitude", "density"), LOW.items())
def test_the_seven_layers_give_the_printed_densities(altitude, density):
    assert_close(standard(altitude), density, rtol=1e-4)


@pytest.mark.parametrize(("kilometres", "density"), PRINTED)
def test_the_table_passes_through_the_printed_values_above(kilometres, density):
    assert_close(standard(1e3 * kilometres), density, rtol=1e-9)


@pytest.mark.parametrize(
    ("kilometres", "density"), [(125.0, 1.291e-8), (170.0, 7.815e-10), (220.0, 1.367e-10)]
)
def test_between_the_values_used_the_spline_is_within_one_percent_of_others_printed(
    kilometres, density
):
    assert_close(standard(1e3 * kilometres), density, rtol=0.01)


def test_layers_and_printed_values_meet_at_86_kilometres():
    below, above = standard(85.999e3), standard(86.001e3)
    assert_close(below, above, rtol=1e-3)


def test_density_falls_all_the_way_and_ends_at_the_top():
    heights = np.linspace(0.0, 1e6, 5001)
    values = np.array([standard(h) for h in heights])
    assert (np.diff(values) < 0.0).all()
    assert standard(1e6 + 1e-3) == 0.0
    assert standard(1e9) == 0.0
    assert standard(-50.0) == standard(0.0)
    assert standard(1e6) > 0.0


def test_isothermal_table_is_exact_between_its_entries():
    table = isothermal_table()
    for altitude in (0.0, 123.4, 7110.0, 99_999.0):
        found = air_density(altitude, table.log_density, table.spacing)
        assert_close(found, 1.225 * math.exp(-altitude / 7110.0), rtol=1e-11)


def test_isothermal_air_is_far_too_thin_in_orbit():
    table = isothermal_table()
    assert air_density(5e5, table.log_density, table.spacing) < 1e-10 * standard(5e5)


@pytest.mark.parametrize("wrong", [{"surface_density": 0.0}, {"scale_height": math.inf}])
def test_impossible_isothermal_air_is_refused(wrong):
    with pytest.raises(ConfigError, match="atmosphere"):
        isothermal_table(**wrong)


def test_msis_of_a_mean_sun_is_near_the_standard_and_an_active_sun_thickens_the_air(monkeypatch):
    pytest.importorskip("pymsis", reason="the extra 'atmosphere' is not installed")

    def refuse(*_):
        raise OSError("no network in tests")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    tables = [msis_table("2010-03-21T12:00", f, f, 4.0) for f in (70.0, 150.0, 250.0)]
    quiet, mean, active = (air_density(5e5, t.log_density, t.spacing) for t in tables)
    assert 0.3 * standard(5e5) < mean < 3.0 * standard(5e5)
    assert quiet < 0.3 * mean
    assert active > 2.0 * mean
    ground = air_density(0.0, tables[1].log_density, tables[1].spacing)
    assert_close(ground, 1.225, rtol=0.05)
    assert "F10.7 150" in tables[1].source


def test_msis_at_one_place_differs_by_day_and_night():
    pytest.importorskip("pymsis", reason="the extra 'atmosphere' is not installed")
    noon, night = (
        msis_table("2010-03-21T12:00", 150.0, 150.0, 4.0, 0.0, longitude)
        for longitude in (0.0, math.pi)
    )
    ratio = noon.log_density[500] - night.log_density[500]
    assert ratio > math.log(1.5)


@pytest.mark.parametrize(
    "wrong",
    [
        {"f107": -1.0}, {"ap": math.nan}, {"date": "some day"}, {"latitude": 0.1},
    ],
)  # fmt: skip
def test_impossible_activity_dates_and_places_are_refused(wrong):
    pytest.importorskip("pymsis", reason="the extra 'atmosphere' is not installed")
    given = {"date": "2010-03-21", "f107": 150.0, "f107_mean": 150.0, "ap": 4.0}
    with pytest.raises(ConfigError, match="atmosphere"):
        msis_table(**(given | wrong))


def test_without_the_package_the_way_to_it_is_told(monkeypatch):
    real = builtins.__import__

    def missing(name, *args, **kwargs):
        if name == "pymsis":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ConfigError, match=r"pip install 'haptos\[atmosphere\]'"):
        msis_table("2010-03-21", 150.0, 150.0, 4.0)


def test_air_over_the_equator_turns_with_the_ground():
    assert_close(turning_air((6378137.0, 0.0, 1e5), EARTH_RATE), (0.0, 465.1, 0.0), rtol=1e-4)
    assert turning_air((6378137.0, 0.0, 1e5), 0.0) == (0.0, 0.0, 0.0)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(
            air_density(5e3, STANDARD.log_density, 1.01 * STANDARD.spacing), LOW[5e3], rtol=1e-4
        )
