"""Exhaust on a body in its way."""

from __future__ import annotations

import math

import pytest
from scipy.integrate import quad

from haptos.dynamics.rigid.plume import plume_force
from tests.close import assert_close


@pytest.mark.parametrize("exponent", [2.0, 10.0])
def test_all_of_the_jets_momentum_passes_a_sphere(exponent):
    # Push per area of a small ball at (r, theta), integrated over the half sphere.
    radius, r = 1e-3, 2.0

    def pressure(theta: float) -> float:
        ball = (r * math.cos(theta), r * math.sin(theta), 0.0)
        force = plume_force(1.5, (0.0, 0.0, 0.0), (-1.0, 0.0, 0.0), ball, radius, exponent)
        return math.hypot(*force) / (math.pi * radius**2)

    whole = quad(lambda a: pressure(a) * 2.0 * math.pi * r * r * math.sin(a), 0.0, 0.5 * math.pi)[0]
    assert_close(whole, 1.5, rtol=1e-8)


def test_nothing_blows_backwards():
    assert plume_force(1.0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0), 0.5, 4.0) == (
        0.0,
        0.0,
        0.0,
    )


def test_the_push_is_away_from_the_nozzle():
    force = plume_force(1.0, (0.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (2.0, 1.0, 0.0), 0.5, 4.0)
    assert_close(force[1] / force[0], 0.5, rtol=1e-14)
