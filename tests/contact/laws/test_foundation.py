"""The elastic foundation: integrals of a leaf, pressure, friction with a kept spring, moduli."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.laws.foundation import (
    CENTRES,
    INSIDE,
    centre_integrals,
    leaf_integrals,
    pressure,
    shear,
    stretched,
)
from haptos.contact.laws.foundation_modulus import (
    damping_for,
    layer_modulus,
    modulus_from_depth,
    modulus_like_hertz,
    series_modulus,
    shear_modulus,
    strain_per_depth,
)
from haptos.contact.sets.polygons_pair import foundation_law
from haptos.core.errors import ConfigError
from tests.close import assert_close

RNG = np.random.default_rng(11)


@pytest.mark.parametrize(
    ("depths", "first", "second"),
    [((1, -1, -2), 1 / 18, 1 / 36), ((2, 1, -1), 13 / 18, 29 / 36), ((1, 2, 3), 2.0, 25 / 6)],
)
def test_integrals_of_a_leaf_have_their_closed_form(depths, first, second):
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)):
        found = leaf_integrals(*(float(depths[k]) for k in order))
        assert_close(sum(found[:3]), first, rtol=1e-14)
        assert_close(found[6], second, rtol=1e-14)


def test_loads_are_derivatives_of_the_energy():
    for _ in range(200):
        s = RNG.uniform(-1.0, 1.0, 3)
        step = 1e-5
        for k in range(3):
            up, down = s.copy(), s.copy()
            up[k] += step
            down[k] -= step
            slope = 0.5 * (leaf_integrals(*up)[6] - leaf_integrals(*down)[6]) / (2 * step)
            assert abs(slope - leaf_integrals(*s)[k]) < 1e-9


def test_integrals_match_a_sum_over_small_triangles():
    n = 400
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    up = i + j < n
    b1, b2 = (i[up] + 1 / 3) / n, (j[up] + 1 / 3) / n
    down = i + j < n - 1
    b1 = np.concatenate([b1, (i[down] + 2 / 3) / n])
    b2 = np.concatenate([b2, (j[down] + 2 / 3) / n])
    b0 = 1 - b1 - b2
    for s in ([0.7, -0.4, 0.2], [-0.3, 0.9, -0.1], [0.5, 0.6, 0.1]):
        depth = s[0] * b0 + s[1] * b1 + s[2] * b2
        cut = np.maximum(depth, 0.0)
        found = leaf_integrals(*s)
        for k, b in enumerate((b0, b1, b2)):
            assert_close(found[k], np.mean(cut * b), rtol=1e-3)
            assert_close(found[3 + k], np.mean((depth > 0) * b), rtol=5e-3)


def test_centres_count_a_leaf_whole_or_not_at_all():
    assert centre_integrals(1.0, -0.5, -1.0, False)[0] == 0.0
    assert sum(centre_integrals(1.0, 1.0, -0.5, False)[:3]) == pytest.approx(0.5)
    assert sum(centre_integrals(1.0, 1.0, -0.5, True)[:3]) == 0.0
    assert (CENTRES, INSIDE) == (1, 2)


@pytest.mark.parametrize("expansion", ["no_tension", "no_expansion_damping"])
def test_pressure_never_pulls_and_damping_never_gives(expansion):
    law = foundation_law(2e9, damping=3e6, damping_depth=2e-5, expansion=expansion)
    for depth, rate in zip(10 ** RNG.uniform(-9, -3, 5000), RNG.normal(0, 0.5, 5000), strict=True):
        p, damping = pressure(law, depth, rate)
        assert p >= 0.0
        assert damping * rate >= 0.0


def test_the_ramp_alone_would_pull():
    law = foundation_law(2e9, damping=3e6, damping_depth=2e-5, expansion="full")
    assert pressure(law, 1e-6, -0.1)[0] < 0.0


def test_pressure_starts_and_ends_without_a_step():
    law = foundation_law(2e9, damping=3e6, damping_depth=2e-5)
    assert pressure(law, 1e-12, 0.1)[0] < 1e-1
    assert pressure(law, 2e-5 * (1 - 1e-9), 0.1)[0] == pytest.approx(pressure(law, 2e-5, 0.1)[0])


def test_friction_holds_within_the_cone_and_slips_on_it():
    law = foundation_law(1e9, shear=5e8, friction=0.25, friction_at_rest=0.3, stick_speed=1e-3)
    p = 1000.0
    tau, held, slips = shear(law, (1e-7, 0.0, 0.0), (0.0, 0.0, 0.0), p)
    assert not slips
    np.testing.assert_allclose(tau, (-50.0, 0.0, 0.0))
    tau, held, slips = shear(law, (1e-5, 0.0, 0.0), (0.0, 0.0, 0.0), p)
    assert slips
    assert np.linalg.norm(tau) == pytest.approx(300.0)
    assert 5e8 * np.linalg.norm(held) == pytest.approx(300.0)
    assert np.linalg.norm(shear(law, (1e-5, 0.0, 0.0), (1.0, 0.0, 0.0), p)[0]) == pytest.approx(
        250.0
    )
    assert np.linalg.norm(shear(law, (1e-5, 0, 0), (1.5e-3, 0, 0), p)[0]) == pytest.approx(275.0)


def test_viscous_part_stays_within_the_cone_and_takes_energy():
    law = foundation_law(1e9, shear=5e8, friction=0.3, shear_damping=1e6, stick_speed=1e-3)
    for _ in range(500):
        stretch = (*RNG.normal(0, 3e-7, 2), 0.0)
        slip = (*RNG.normal(0, 1e-3, 2), 0.0)
        tau, held, slips = shear(law, stretch, slip, 1000.0)
        assert np.linalg.norm(tau) <= 300.0 * (1 + 1e-12)
        if not slips:
            assert np.dot(np.add(tau, 5e8 * np.array(held)), slip) <= 1e-9


def test_new_area_comes_unstretched_and_no_energy_from_growth():
    a, n = (1e-6, 0.0, 0.0), (0.0, 0.0, 1.0)
    for before, after in ((1.0, 2.0), (1.0, 1.3), (2.0, 1.0)):
        grown = stretched(a, (0.0, 0.0, 0.0), n, before, after)
        assert after * grown[0] ** 2 <= before * a[0] ** 2
        if after > before:
            assert after * grown[0] == pytest.approx(before * a[0])
    assert stretched(a, (1e-6, 0.0, 5.0), n, 0.0, 1.0) == pytest.approx((5e-7, 0.0, 0.0))


@pytest.mark.parametrize(
    ("poisson", "ratio"),
    [(0.0, 1.0), (0.2, 1.1111), (0.3, 1.34615), (0.4, 2.14286), (0.45, 3.79310)],
)
def test_confined_layers_are_stiffer(poisson, ratio):
    assert_close(layer_modulus(1e7, poisson, 0.01) * 0.01 / 1e7, ratio, rtol=1e-4)


def test_other_moduli():
    assert_close(layer_modulus(1.0, 0.499, 1.0, "bonded_pad", 5.0), 39.05, rtol=1e-3)
    assert_close(layer_modulus(1.0, 0.49, 1.0, "unconfined"), 1 / (1 - 0.49**2), rtol=1e-12)
    assert_close(series_modulus(2e9, math.inf), 2e9, rtol=1e-14)
    assert_close(series_modulus(2e9, 2e9), 1e9, rtol=1e-12)
    assert_close(shear_modulus(1e9, 0.3), 1e9 * 0.4 / 1.4, rtol=1e-12)
    assert_close(damping_for(0.1, 1e9, 5.0, 1e-4), 0.2 * math.sqrt(5e13), rtol=1e-12)


def test_the_softer_layer_takes_its_share_of_the_depth():
    """1 mm of depth on layers of 3:1 in stiffness: 0.75 mm in the soft one of 5 mm, 0.25 mm in the other of 1 mm."""
    assert_close(strain_per_depth((3e9, 1e9), (0.01, 0.005)), 150.0, rtol=1e-12)
    assert_close(strain_per_depth((3e9, 1e9), (0.001, 0.005)), 250.0, rtol=1e-12)
    assert_close(strain_per_depth((math.inf, 1e9), (0.001, 0.005)), 200.0, rtol=1e-12)


def test_calibration_gives_back_the_load():
    k = modulus_from_depth("ball", 18.8496, 2e-4, radius=0.05)
    assert_close(k, 3e9, rtol=1e-5)
    assert_close(
        modulus_from_depth("cylinder", 470.302, 3e-4, radius=0.04, length=0.12), 2e9, rtol=1e-5
    )
    ring = modulus_from_depth("ring", 10.0, 1e-4, radius=0.1, tube_radius=0.01)
    assert_close(
        ring,
        modulus_from_depth("cylinder", 10.0, 1e-4, radius=0.01, length=0.2 * math.pi),
        rtol=1e-12,
    )
    assert_close(
        modulus_like_hertz(0.05, 1e9, 1e-4) * math.pi * 0.05 * 1e-8, 1e9 * 1e-6, rtol=1e-12
    )


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: layer_modulus(1e7, 0.47, 0.01), "0 to 0.45"),
        (lambda: layer_modulus(1e7, 0.5, 0.01), "below 0.5"),
        (lambda: layer_modulus(1e7, 0.3, 0.0), "above 0"),
        (lambda: layer_modulus(1e7, 0.49, 0.01, "bonded_pad"), "shape_factor"),
        (lambda: series_modulus(math.inf, math.inf), "two rigid bodies"),
        (lambda: foundation_law(1e9, damping=1.0), "damping depth"),
        (lambda: foundation_law(-1.0), "above 0"),
        (lambda: foundation_law(1e9, friction=0.3), "both above 0"),
        (lambda: foundation_law(1e9, friction=0.3, friction_at_rest=0.2, shear=1.0), "at rest"),
        (lambda: modulus_from_depth("cube", 1.0, 1.0, radius=1.0), "ball, cylinder, ring"),
    ],
)
def test_numbers_that_make_no_law_are_refused(make, word):
    with pytest.raises(ConfigError, match=word):
        make()
