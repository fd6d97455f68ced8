"""Every normal law by the faces that schemes ask: force, energy, slope, losses fit each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.laws.normal import (
    NORMAL_LAWS,
    deepest_of,
    depth_of_pull,
    normal_energy,
    normal_heat,
    normal_load,
    normal_parts,
    normal_slope,
    with_losses,
)
from tests.close import assert_close

K, LOSS, STEP = 2e3, 0.3, 1e-6
laws = pytest.mark.parametrize("law", NORMAL_LAWS.values(), ids=list(NORMAL_LAWS))


@laws
@pytest.mark.parametrize("depth", [1e-3, 0.02, 0.3])
def test_force_is_the_slope_of_energy_and_slope_that_of_force(law, depth):
    elastic = [normal_parts(law, K, LOSS, depth + s * STEP, 0.0)[0] for s in (-1.0, 0.0, 1.0)]
    energies = [normal_energy(law, K, depth + s * STEP) for s in (-1.0, 1.0)]
    assert_close((energies[1] - energies[0]) / (2.0 * STEP), elastic[1], rtol=1e-6)
    assert_close((elastic[2] - elastic[0]) / (2.0 * STEP), normal_slope(law, K, depth), rtol=1e-6)


@laws
@given(st.floats(-0.5, 0.5), st.floats(-20.0, 20.0))
def test_no_law_pulls_or_feeds_energy(law, depth, rate):
    assert normal_load(law, K, LOSS, depth, rate) >= 0.0
    assert normal_heat(law, K, LOSS, depth, rate) >= 0.0
    assert with_losses(law, K * max(depth, 0.0), LOSS, rate) >= 0.0


@laws
@pytest.mark.parametrize("rate", [-2.0, -0.1, 0.0, 0.4])
def test_load_is_the_sum_of_its_parts_and_heat_the_work_of_the_second(law, rate):
    spring, damper = normal_parts(law, K, LOSS, 0.01, rate)
    load = normal_load(law, K, LOSS, 0.01, rate)
    assert_close(load, spring + damper, rtol=1e-14, scale=K)
    assert_close(normal_heat(law, K, LOSS, 0.01, rate), damper * rate, rtol=1e-14, scale=K)
    assert_close(with_losses(law, spring, LOSS, rate), load, rtol=1e-14, scale=K)


@laws
def test_deepest_points_hold_the_energy_and_the_pull(law):
    inverse, rate = 4.0, 0.7
    deepest = deepest_of(law, K, inverse, 0.01, rate)
    gained = normal_energy(law, K, deepest) - normal_energy(law, K, 0.01)
    assert_close(gained, 0.5 * rate * rate / inverse, rtol=1e-12)
    balanced = depth_of_pull(law, K, inverse, 9.81)
    assert_close(normal_parts(law, K, 0.0, balanced, 0.0)[0] * inverse, 9.81, rtol=1e-12)
