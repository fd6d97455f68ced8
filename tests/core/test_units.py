"""The unit is the end of a key."""

from __future__ import annotations

import math

import pytest

from haptos.core.units import DEGREE, HOUR, LENGTH_UNITS, UNIT_OF_SUFFIX, label, split_unit


@pytest.mark.parametrize(
    ("key", "name", "unit"),
    [
        ("settle_time_s", "settle_time", "s"),
        ("speed_m_per_s", "speed", "m/s"),
        ("rate_rad_per_s", "rate", "rad/s"),
        ("acceleration_m_per_s2", "acceleration", "m/s^2"),
        ("mu_m3_per_s2", "mu", "m^3/s^2"),
        ("inertia_kg_m2", "inertia", "kg m^2"),
        ("damping_N_s_per_m", "damping", "N s/m"),
        ("stiffness_N_per_m", "stiffness", "N/m"),
        ("period_h", "period", "h"),
        ("bounces", "bounces", "-"),
        ("_m", "_m", "-"),
        ("", "", "-"),
    ],
)
def test_a_key_splits_into_name_and_unit(key: str, name: str, unit: str) -> None:
    assert split_unit(key) == (name, unit)


@pytest.mark.parametrize("suffix", list(UNIT_OF_SUFFIX))
def test_every_suffix_is_found_whole_and_never_a_shorter_one(suffix: str) -> None:
    assert split_unit("quantity" + suffix) == ("quantity", UNIT_OF_SUFFIX[suffix])


def test_a_label_has_words_and_the_unit_in_brackets() -> None:
    assert label("settle_time_s") == "settle time [s]"
    assert label("restitution") == "restitution [-]"


def test_a_label_of_a_dotted_key_names_the_last_part() -> None:
    assert label("contact.stiffness_N_per_m") == "stiffness [N/m]"


def test_constants_are_si() -> None:
    assert 180.0 * DEGREE == math.pi
    assert HOUR == 3600.0
    assert LENGTH_UNITS["km"] == 1e6 * LENGTH_UNITS["mm"]
