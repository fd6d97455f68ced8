"""Fits: curves given back exactly, the bouncing point in closed form, coverage, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.campaign.fits import (
    fit_friction,
    fit_restitution,
    friction_curve,
    restitution_curve,
    saturation_friction,
)
from haptos.core.errors import HaptosError
from tests.close import assert_close

RESTITUTION = np.array([0.2, 0.35, 0.5, 0.65, 0.8])
FRICTION = np.linspace(0.1, 2.0, 12)
SIGMOID = (3000.0, 900.0, 5.0, 0.5)


def test_a_point_bouncing_on_a_plane_has_its_closed_form():
    first, speed, gravity = 1020.0, 0.106, 7.8e-5
    rest = []
    for e in RESTITUTION:  # flights of 2 v e^k / g, one after another
        rest.append(first + sum(2.0 * speed * e**k / gravity for k in range(1, 400)))
    found = fit_restitution(RESTITUTION, rest)
    step = 2.0 * speed / gravity
    assert_close(found.parameters, [first - step, step], rtol=1e-9)
    assert_close(found.explained, 1.0, rtol=1e-12)


def test_the_fit_of_restitution_has_teeth():
    bent = restitution_curve(RESTITUTION, 100.0, 50.0) + 20.0 * RESTITUTION**2
    found = fit_restitution(RESTITUTION, bent)
    with pytest.raises(AssertionError):
        assert_close(found.parameters, [100.0, 50.0], rtol=1e-3)
    assert found.deviation > 0.1


def test_a_sigmoid_is_given_back():
    found = fit_friction(FRICTION, friction_curve(FRICTION, *SIGMOID))
    assert_close(found.parameters, SIGMOID, rtol=1e-6)
    assert_close(saturation_friction(found), 0.5 + math.log(19.0) / 5.0, rtol=1e-6)
    reached = friction_curve(saturation_friction(found), *SIGMOID)
    assert_close(reached, 3000.0 + 0.95 * 900.0, rtol=1e-6)


def test_a_falling_sigmoid_is_found_too():
    falling = (3000.0, -900.0, 6.0, 0.8)
    found = fit_friction(FRICTION, friction_curve(FRICTION, *falling))
    assert_close(found.parameters, falling, rtol=1e-5)


def test_intervals_hold_the_truth_as_often_as_they_say():
    generator, hits = np.random.default_rng(1), np.zeros(2)
    truth = np.array([100.0, 50.0])
    for _ in range(200):
        noise = generator.normal(0.0, 5.0, 5)
        found = fit_restitution(RESTITUTION, restitution_curve(RESTITUTION, *truth) + noise)
        hits += (found.low <= truth) & (truth <= found.high)
    assert np.all(hits / 200 >= 0.904)  # three standard deviations of 200 throws


def test_odd_input_is_refused():
    with pytest.raises(HaptosError, match="below 1"):
        fit_restitution([0.2, 0.5, 1.0], [1.0, 2.0, 3.0])
    with pytest.raises(HaptosError, match=r"from -0\.2 to 0\.5"):
        fit_restitution([-0.2, 0.2, 0.5], [1.0, 2.0, 3.0])
    with pytest.raises(HaptosError, match="2 different values"):
        fit_restitution([0.2, 0.5, 0.5], [1.0, 2.0, 3.0])
    with pytest.raises(HaptosError, match="shapes"):
        fit_friction([0.1, 0.2], [1.0])
    with pytest.raises(HaptosError, match="all equal"):
        fit_friction(FRICTION, np.ones(12))
    with pytest.raises(HaptosError, match="finite"):
        fit_friction(FRICTION, np.full(12, np.nan))
