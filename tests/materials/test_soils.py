"""The table of soils: every value has a source, names are found, others are refused."""

from __future__ import annotations

import math

import pytest

from haptos.core.errors import ConfigError
from haptos.materials.soils import SOILS, soil


@pytest.mark.parametrize("name", SOILS)
def test_every_value_has_a_source(name):
    one = SOILS[name]
    assert one.density > 0.0
    assert 0.0 < one.friction_angle < math.pi / 2.0
    assert math.isfinite(one.strength) or math.isfinite(one.cohesion)
    for key in ("strength", "cohesion", "density", "friction_angle", "friction"):
        value, reported = getattr(one, key), one.sources[key]
        assert math.isnan(value) == (not ("[" in reported or "assumed" in reported))


def test_names_are_found_in_any_case():
    assert soil("Loose-Simulant").cohesion == 40.0
    assert soil("agilkia").strength == 1e3


def test_an_unknown_soil_is_refused_with_the_nearest():
    with pytest.raises(ConfigError, match="did you mean 'comet'"):
        soil("commet")
