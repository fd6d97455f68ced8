"""Resistance of soil to a rod: its integrals, its layers, its closed forms and factors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from haptos.contact.laws.penetration import (
    SoilLayer,
    bearing_factor,
    cavity_drag,
    cohesion_factor,
    layer_rows,
    resistance,
    rod,
)
from haptos.core.errors import ConfigError
from tests.close import assert_close

THIRTY = math.radians(30.0)
G = 9.81


def rows(*layers: SoilLayer) -> np.recarray:
    return layer_rows(layers).view(np.recarray)


def by_quadrature(body, layers, gravity, d, v):
    """The same integral over the surface, by a quadrature that knows no closed form."""
    tops = [one.top for one in layers] + [math.inf]

    def above(z):
        return sum(
            o.density * max(min(z, b) - o.top, 0.0) for o, b in zip(layers, tops[1:], strict=True)
        )

    def stress(x, th, chi, width):
        z = d - x
        one = [o for o in layers if o.top <= z][-1]
        held = one.strength + gravity * bearing_factor(one.friction_angle) * above(z)
        drag = one.flat_drag if th == math.pi / 2 else one.drag
        push = 0.5 * drag * one.density * v * v * math.sin(th) ** 2
        along = math.sin(th) + one.friction * math.cos(th)
        return chi * ((push + held) * along + one.viscosity * v * math.cos(th) ** 2) * width

    th = math.atan2(body.sine, body.cosine)
    end, back = min(d, body.cone_height), min(d, body.cone_height + body.shaft_length)
    kinks = [d - top for top in tops if 0.0 < d - top]
    cone = quad(
        lambda x: stress(x, th, 1.0, 2 * math.pi * (body.tip_radius + x * math.tan(th)) / math.cos(th)),
        0.0, end, points=kinks, epsabs=0.0, epsrel=1e-11,
    )[0]  # fmt: skip
    shaft = 0.0
    if back > body.cone_height:
        shaft = quad(
            lambda x: stress(x, 0.0, body.chi, 2 * math.pi * body.radius),
            body.cone_height, back, points=kinks, epsabs=0.0, epsrel=1e-11,
        )[0]  # fmt: skip
    flat = stress(0.0, math.pi / 2, 1.0, math.pi * body.tip_radius**2)
    return cone + shaft + flat


SOFT = SoilLayer(5e3, 1300.0, math.radians(30.0), friction=0.25, viscosity=2e3)
HARD = SoilLayer(4e4, 1800.0, math.radians(40.0), friction=0.3, drag=1.4, viscosity=5e2, top=0.05)


@pytest.mark.parametrize("depth", [0.01, 0.03, 0.06, 0.11, 0.3])
@pytest.mark.parametrize("layers", [(SOFT,), (SOFT, HARD)])
@pytest.mark.parametrize(
    "body",
    [
        rod(0.015, THIRTY),
        rod(0.015, THIRTY, 0.08),
        rod(0.015, math.radians(60.0), 0.08, 0.006, 0.4),
    ],
)
def test_every_term_is_the_integral_over_the_wetted_surface(body, layers, depth):
    forces = resistance(body, rows(*layers), G, depth, 1.7)
    assert_close(sum(forces), by_quadrature(body, layers, G, depth, 1.7), rtol=1e-9)


def test_terms_are_those_of_their_names():
    body = rod(0.015, THIRTY, 0.1)
    still = resistance(body, rows(SOFT), 0.0, 0.2, 0.0)
    assert still.drag == still.viscous == still.overburden == 0.0
    covered = math.pi * 0.015**2 / math.sin(THIRTY)
    assert_close(still.cone, 5e3 * covered * (0.5 + 0.25 * math.cos(THIRTY)), rtol=1e-12)
    assert_close(still.shaft, 0.25 * 5e3 * 2 * math.pi * 0.015 * 0.1, rtol=1e-12)
    open_cavity = resistance(rod(0.015, THIRTY, 0.1, chi=0.0), rows(SOFT), 0.0, 0.2, 0.0)
    assert open_cavity.shaft == 0.0


def test_a_boundary_within_one_soil_changes_nothing():
    body = rod(0.015, THIRTY, 0.1)
    halves = (SOFT, SoilLayer(5e3, 1300.0, math.radians(30.0), 0.25, viscosity=2e3, top=0.07))
    for depth in (0.05, 0.0701, 0.2):
        whole = resistance(body, rows(SOFT), G, depth, 2.0)
        assert_close(resistance(body, rows(*halves), G, depth, 2.0), whole, rtol=1e-12)


@pytest.mark.parametrize(("degrees", "expected"), [(25, 10.662), (30, 18.401), (35, 33.296), (45, 134.874)])  # fmt: skip
def test_bearing_factors_have_their_printed_digits(degrees, expected):
    assert_close(bearing_factor(math.radians(degrees)), expected, rtol=5e-5)


def test_cohesion_factor_reaches_its_limit():
    assert_close(cohesion_factor(2e-6), 2.0 + math.pi, rtol=1e-5)
    assert_close(cohesion_factor(0.0), 2.0 + math.pi, rtol=1e-12)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [
        (25, (8.5348, 6.7015, 5.1688, 4.4050)),
        (35, (9.9367, 7.5581, 5.6398, 4.7097)),
        (45, (11.6056, 8.5415, 6.1606, 5.0393)),
    ],
)
def test_drag_of_cavity_expansion(degrees, expected):
    def found(angle):
        return [cavity_drag(angle, eta, THIRTY) for eta in (0.05, 0.1, 0.2, 0.3)]

    assert_close(found(math.radians(degrees)), expected, rtol=1e-5)
    with pytest.raises(AssertionError):
        assert_close(found(1.01 * math.radians(degrees)), expected, rtol=1e-3)


@pytest.mark.parametrize("compaction", [0.0, 1.0, -0.1, math.nan])
def test_cavity_expansion_without_compaction_is_refused(compaction):
    with pytest.raises(ConfigError, match="compaction"):
        cavity_drag(math.radians(35.0), compaction, THIRTY)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [((0.0, THIRTY), "radius"), ((0.01, 0.01), "half angle"), ((0.01, THIRTY, -1.0), "shaft"),
     ((0.01, THIRTY, 1.0, 0.02), "tip radius")],
)  # fmt: skip
def test_impossible_rods_are_refused(arguments, word):
    with pytest.raises(ConfigError, match=word):
        rod(*arguments)


def test_layers_out_of_order_are_refused():
    with pytest.raises(ConfigError, match="layers"):
        layer_rows([HARD, SOFT])
