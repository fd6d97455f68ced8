"""How deep a rod goes: tables, closed forms, layers, the energy it leaves."""

from __future__ import annotations

import math

import pytest

from haptos.contact.laws.penetration import (
    SoilLayer,
    constant_strength_depth,
    poncelet_depth,
    rod,
)
from haptos.core.errors import ConfigError
from haptos.dynamics.rigid.axial_entry import STOPPED, TOO_DEEP, axial_entry
from tests.close import assert_close

THIRTY = math.radians(30.0)
LONG = rod(9.5e-3, THIRTY)


def st4(strength: float, speed: float = 150.0, body=LONG, **options: float):
    layer = SoilLayer(strength, 1200.0, math.radians(35.0), **options)
    return axial_entry(1.0, speed, body, [layer], gravity=2e-4)


TABLE = {
    1e4: (6.9454, 9.4170, 11.5081, 50.583, 67.972),
    1e5: (2.6040, 3.7418, 4.7900, 30.977, 41.697),
    1e6: (0.8708, 1.2923, 1.7007, 12.898, 17.362),
    1e7: (0.2723, 0.4130, 0.5523, 2.550, 3.430),
}


@pytest.mark.parametrize("strength", TABLE)
def test_depths_are_those_of_the_table(strength):
    found = [st4(strength, v).depth for v in (100.0, 150.0, 200.0)]
    found.append(st4(strength, body=rod(9.5e-3, THIRTY, chi=0.0)).depth)
    found.append(st4(strength, friction=0.0).depth)
    for one, expected in zip(found, TABLE[strength], strict=True):
        assert_close(one, expected, rtol=2e-4)


@pytest.mark.parametrize(
    ("strength", "shares"),
    [(1e4, (0.527, 0.003, 0.470)), (1e5, (0.251, 0.013, 0.736)), (1e6, (0.093, 0.043, 0.864)),
     (1e7, (0.029, 0.136, 0.834))],
)  # fmt: skip
def test_shares_of_the_resistances(strength, shares):
    """Overburden, 0.1 % at most, counts with the shaft."""
    works = st4(strength).works
    shaft = works["shaft"] + works["overburden"]
    found = [work / -11250.0 for work in (works["drag"], works["cone"], shaft)]
    assert_close(found, shares, rtol=6e-4, scale=1.0)


def test_peak_and_time_in_hard_ice():
    entry = st4(1e7)
    assert_close(entry.peak_deceleration / 9.80665, 5216.0, rtol=1e-4)
    assert_close(entry.time, 4.420e-3, rtol=2e-4)


def test_strength_alone_has_a_closed_form():
    layer = SoilLayer(1e6, 1200.0, math.radians(35.0), friction=0.0, drag=0.0)
    found = axial_entry(1.0, 150.0, LONG, [layer])
    assert_close(found.depth, constant_strength_depth(1.0, 150.0, 1e6, LONG), rtol=1e-9)
    assert_close(found.depth, 39.689487, rtol=1e-6)
    spoiled = axial_entry(1.0, 150.0, LONG, [SoilLayer(1.01e6, 1200.0, 0.6, 0.0, 0.0)])
    with pytest.raises(AssertionError):
        assert_close(spoiled.depth, 39.689487, rtol=1e-6)


@pytest.mark.parametrize("strength", [1e4, 1e7])
@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_poncelet_from_the_covered_cone(strength, friction):
    body = rod(9.5e-3, THIRTY, chi=0.0)
    layer = SoilLayer(strength, 1200.0, math.radians(35.0), friction)
    found = axial_entry(1.0, 150.0, body, [layer], depth=body.cone_height)
    assert_close(found.depth, poncelet_depth(1.0, 150.0, layer, body), rtol=1e-9)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"mass": 0.5}, 54.0), ({"mass": 1.0}, 79.1), ({}, 117.1), ({"mass": 4.0}, 173.6), ({"mass": 8.0}, 255.8),
        ({"radius": 0.0075}, 181.1), ({"radius": 0.03}, 80.5),
        ({"degrees": 15.0}, 138.4), ({"degrees": 45.0}, 108.7), ({"degrees": 60.0}, 103.6), ({"degrees": 75.0}, 99.8),
        ({"gravity": 0.0}, 97.6), ({"gravity": 1.62}, 103.6),
    ],
)  # fmt: skip
def test_trends_at_one_metre_per_second(changed, expected):
    case = {"mass": 2.0, "radius": 0.015, "degrees": 30.0, "gravity": 9.81} | changed
    layer = SoilLayer(7e3, 1300.0, math.radians(30.0), 0.25)
    body = rod(case["radius"], math.radians(case["degrees"]))
    found = axial_entry(case["mass"], 1.0, body, [layer], gravity=case["gravity"])
    assert_close(1e3 * found.depth, expected, rtol=6e-4)


@pytest.mark.parametrize(("strength", "depth"), [(1e4, 1.202), (1e5, 0.2846), (1e6, 0.0824)])
def test_harpoon_of_five_kilograms(strength, depth):
    layer = SoilLayer(strength, 500.0, math.radians(35.0))
    found = axial_entry(5.0, 8.944, rod(0.03, THIRTY, 0.4), [layer], gravity=2e-4)
    assert_close(found.depth, depth, rtol=1e-3)


def test_energy_closes_and_kinks_are_steps():
    layers = [SoilLayer(1e5, 800.0, 0.5), SoilLayer(2e6, 1500.0, 0.7, 0.3, 1.2, top=0.1)]
    body = rod(9.5e-3, THIRTY, 0.2, 3e-3)
    entry = axial_entry(1.0, 80.0, body, layers, gravity=9.81)
    assert abs(entry.remainder) < 1e-9 * 3200.0
    tips = entry.rows[:, 1]
    for kink in (body.cone_height, 0.1, 0.1 + body.cone_height):
        assert abs(tips - kink).min() < 1e-15


def test_a_soft_cover_costs_less_than_hard_ground_and_more_than_none():
    hard = SoilLayer(1e6, 1200.0, 0.6)
    covered = [SoilLayer(1e4, 1200.0, 0.6), SoilLayer(1e6, 1200.0, 0.6, top=0.3)]
    shallow = axial_entry(1.0, 100.0, LONG, [hard]).depth
    below = axial_entry(1.0, 100.0, LONG, covered).depth - 0.3
    assert 0.0 < below < shallow


def test_a_flat_tip_and_viscosity_make_it_shallower():
    base = st4(1e6).depth
    assert st4(1e6, body=rod(9.5e-3, THIRTY, tip_radius=4e-3)).depth < base
    assert st4(1e6, viscosity=1e3).depth < base


def test_soil_that_holds_nothing_lets_the_rod_pass():
    thin = SoilLayer(0.0, 1.0, 0.1, friction=0.0)
    found = axial_entry(1.0, 100.0, rod(0.01, THIRTY, 0.2), [thin], depth_limit=5.0)
    assert found.ended == TOO_DEEP
    assert found.depth == 5.0
    assert st4(1e6).ended == STOPPED


def test_a_rod_that_does_not_move_is_refused():
    with pytest.raises(ConfigError, match="entry"):
        axial_entry(1.0, 0.0, LONG, [SoilLayer(1e6, 1200.0, 0.6)])
