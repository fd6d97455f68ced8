"""Carlson's integral against SciPy, quadrature and its identities."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import elliprd, elliprf

from haptos.environment.carlson import _rd_series, carlson_rd_triple
from tests.close import assert_close

argument = st.floats(1e-6, 1e6)


@given(argument, argument, argument)
def test_all_three_agree_with_scipy(x, y, z):
    found = carlson_rd_triple(x, y, z)
    expected = (elliprd(y, z, x), elliprd(z, x, y), elliprd(x, y, z))
    for value, wanted in zip(found, expected, strict=True):
        assert_close(value, wanted, rtol=3e-15)


@given(argument, argument, argument)
def test_the_integral_of_the_first_kind_follows_from_the_three(x, y, z):
    u, v, w = carlson_rd_triple(x, y, z)
    assert_close((x * u + y * v + z * w) / 3.0, elliprf(x, y, z), rtol=3e-15)


@pytest.mark.parametrize("x", [1e-12, 1.0, 1e12])
def test_equal_arguments_give_a_power(x):
    assert_close(carlson_rd_triple(x, x, x), [x**-1.5] * 3, rtol=2e-15)


def test_published_value_is_met():
    """[Carlson1995] sec. 3, fourteen digits."""
    assert_close(carlson_rd_triple(2.0, 3.0, 4.0)[2], 0.16510527294261, rtol=4e-14)


def test_definition_holds_by_quadrature():
    x, y, z = 0.3, 1.1, 2.7

    def integrand(t):
        return 1.5 / (math.sqrt((t + x) * (t + y) * (t + z)) * (t + z))

    expected = quad(integrand, 0.0, math.inf, epsrel=1e-12)[0]
    assert_close(carlson_rd_triple(x, y, z)[2], expected, rtol=1e-10)


def test_arguments_scale_homogeneously():
    large, small = carlson_rd_triple(3.0, 6.0, 12.0), carlson_rd_triple(1.0, 2.0, 4.0)
    assert_close(large, [value / 3.0**1.5 for value in small], rtol=2e-15)


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
        assert_close(carlson_rd_triple(1.0, 2.0, 3.03)[2], elliprd(1.0, 2.0, 3.0), rtol=3e-15)
