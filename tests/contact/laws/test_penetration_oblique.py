"""Stress on surface elements: areas, symmetry, the axial law as a limit, powers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.laws.penetration import SoilLayer, layer_rows, resistance, rod
from haptos.contact.laws.penetration_oblique import rod_elements, share_below, traction, turned_on
from haptos.core.errors import ConfigError
from tests.close import assert_close

THIRTY = math.radians(30.0)
BODY = rod(9.5e-3, THIRTY, 0.4, 3e-3)
SOIL = layer_rows([SoilLayer(1e6, 1200.0, 0.6)]).view(np.recarray)
TWO = layer_rows([SoilLayer(1e5, 900.0, 0.5), SoilLayer(1e6, 1200.0, 0.6, 0.3, top=0.1)])
THICK = layer_rows(
    [
        SoilLayer(1e4, 900.0, 0.5, viscosity=3e3, flat_drag=2.5),
        SoilLayer(1e5, 1200.0, 0.6, 0.3, 1.2, 1e4, 0.1, 1.7),
    ]
)


def elements(along=24, around=16, body=BODY):
    return rod_elements(body, along, around).view(np.recarray)


def test_areas_add_up_to_those_of_the_rod():
    found = elements()["area"].sum()
    cone = math.pi * (BODY.radius + BODY.tip_radius) * math.hypot(BODY.cone_height, 6.5e-3)
    whole = cone + 2 * math.pi * BODY.radius * 0.4 + math.pi * BODY.tip_radius**2
    assert_close(found, whole, rtol=1e-12)


@pytest.mark.parametrize("layers", [SOIL, TWO.view(np.recarray), THICK.view(np.recarray)])
@pytest.mark.parametrize("depth", [0.05, 0.3])
def test_fast_axial_motion_is_the_axial_law(layers, depth):
    found = traction(BODY, elements(96, 8), layers, 9.81, 1.0, -depth, 0.0, 80.0, 0.0, 0.0, 0.2)
    expected = sum(resistance(BODY, layers, 9.81, depth, 80.0))
    assert_close(-found.along, expected, rtol=1e-3)
    assert abs(found.across) < 1e-12 * expected
    assert abs(found.moment) < 1e-12 * expected


@pytest.mark.parametrize("chi", [0.0, 0.5])
def test_an_open_cavity_is_the_axial_law_with_viscosity(chi):
    body, soil = rod(9.5e-3, THIRTY, 0.4, 3e-3, chi), THICK.view(np.recarray)
    found = traction(body, elements(96, 8, body), soil, 9.81, 1.0, -0.3, 0.0, 80.0, 0.0, 0.0, 0.2)
    assert_close(-found.along, sum(resistance(body, soil, 9.81, 0.3, 80.0)), rtol=1e-3)


@pytest.mark.parametrize("layers", [SOIL, THICK.view(np.recarray)])
def test_power_is_force_times_velocity(layers):
    v_a, v_b, w = 60.0, -8.0, 30.0
    f = traction(BODY, elements(), layers, 9.81, 1.0, -0.2, 0.7, v_a, v_b, w, 0.2)
    power = f.along * v_a + f.across * v_b + f.moment * w
    assert_close(f.strength + f.drag + f.friction + f.overburden + f.viscous, power, rtol=1e-12)
    assert max(f.strength, f.drag, f.friction) < 0.0


def test_a_rod_above_ground_feels_nothing():
    f = traction(BODY, elements(), SOIL, 9.81, 1.0, 0.01, 0.3, 60.0, 0.0, 0.0, 0.2)
    assert f == (0.0,) * 9


def test_a_mirrored_motion_has_mirrored_forces():
    one = traction(BODY, elements(), SOIL, 9.81, 1.0, -0.2, 0.4, 50.0, 3.0, 2.0, 0.2)
    other = traction(BODY, elements(), SOIL, 9.81, 1.0, -0.2, -0.4, 50.0, -3.0, -2.0, 0.2)
    assert_close((other.along, -other.across, -other.moment), (one.along, one.across, one.moment), rtol=1e-12)  # fmt: skip


@pytest.mark.parametrize(
    ("v_n", "shaft", "expected"),
    [(-1.0, 0.0, 0.0), (0.5, 0.0, 0.5), (3.0, 0.0, 1.0), (0.0, 1.0, 0.4), (1.0, 1.0, 1.0), (-0.5, 1.0, 0.2), (-2.0, 1.0, 0.0)],
)  # fmt: skip
def test_strength_turns_on_with_the_normal_speed(v_n, shaft, expected):
    assert_close(1.0 + turned_on(v_n, 1.0, shaft, 0.4), 1.0 + expected, rtol=1e-12)


def test_an_element_counts_by_its_share_below():
    assert share_below(0.0, 1e-3) == 0.5
    assert share_below(-2e-3, 1e-3) == 0.0
    assert share_below(2e-3, 1e-3) == 1.0
    assert share_below(1e-9, 0.0) == 1.0


@pytest.mark.parametrize("counts", [(1, 16), (24, 5), (24, 2)])
def test_too_few_elements_are_refused(counts):
    with pytest.raises(ConfigError, match="elements"):
        rod_elements(BODY, *counts)


def test_an_endless_rod_is_refused():
    with pytest.raises(ConfigError, match="shaft"):
        rod_elements(rod(0.01, THIRTY))
