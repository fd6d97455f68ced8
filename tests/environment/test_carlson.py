"""Carlson's integrals against SciPy, quadrature and their identities."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import elliprd, elliprf

from haptos.environment.carlson import _rd_series, carlson_rd, carlson_rd_triple, carlson_rf
from tests.close import assert_close

argument = st.floats(1e-6, 1e6)


@given(argument, argument, argument)
def test_both_integrals_agree_with_scipy(x, y, z):
    assert_close(carlson_rf(x, y, z), elliprf(x, y, z), rtol=2e-15)
    assert_close(carlson_rd(x, y, z), elliprd(x, y, z), rtol=2e-15)


@given(argument, argument, argument)
def test_three_at_once_agree_with_scipy(x, y, z):
    found = carlson_rd_triple(x, y, z)
    expected = (elliprd(y, z, x), elliprd(z, x, y), elliprd(x, y, z))
    for value, wanted in zip(found, expected, strict=True):
        assert_close(value, wanted, rtol=3e-15)


@given(argument, argument, argument)
def test_first_integral_follows_from_the_three_of_the_second_kind(x, y, z):
    u, v, w = carlson_rd_triple(x, y, z)
    assert_close((x * u + y * v + z * w) / 3.0, carlson_rf(x, y, z), rtol=3e-15)


@pytest.mark.parametrize("x", [1e-12, 1.0, 1e12])
def test_equal_arguments_give_a_power(x):
    assert_close(carlson_rf(x, x, x), x**-0.5, rtol=1e-15)
    assert_close(carlson_rd(x, x, x), x**-1.5, rtol=1e-15)
    assert_close(carlson_rd_triple(x, x, x), [x**-1.5] * 3, rtol=2e-15)


def test_published_values_are_met():
    """[Carlson1995] sec. 3, fourteen digits."""
    assert_close(carlson_rf(2.0, 3.0, 4.0), 0.58408284167715, rtol=1e-14)
    assert_close(carlson_rd(2.0, 3.0, 4.0), 0.16510527294261, rtol=4e-14)


def test_definition_holds_by_quadrature():
    x, y, z = 0.3, 1.1, 2.7

    def integrand(t):
        return 1.5 / (math.sqrt((t + x) * (t + y) * (t + z)) * (t + z))

    assert_close(carlson_rd(x, y, z), quad(integrand, 0.0, math.inf, epsrel=1e-12)[0], rtol=1e-10)


def test_arguments_scale_homogeneously():
    assert_close(carlson_rf(3.0, 6.0, 12.0), carlson_rf(1.0, 2.0, 4.0) / 3.0**0.5, rtol=1e-15)
    assert_close(carlson_rd(3.0, 6.0, 12.0), carlson_rd(1.0, 2.0, 4.0) / 3.0**1.5, rtol=1e-15)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_closing_series_is_of_sixth_order(order):
    errors = []
    for spread in (0.1, 0.05, 0.025):
        arguments = [(1.0, 1.0 + spread, 1.0 + 0.3 * spread)[k] for k in order]
        errors.append(abs(_rd_series(*arguments) - elliprd(*arguments)))
    assert_close(math.log2(errors[0] / errors[1]), 6.0, rtol=0.06)
    assert_close(math.log2(errors[1] / errors[2]), 6.0, rtol=0.03)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(carlson_rd(1.0, 2.0, 3.0 * 1.01), elliprd(1.0, 2.0, 3.0), rtol=2e-15)
