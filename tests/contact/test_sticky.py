"""Glue: holds in every direction, and its ledger closes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.contact.sticky import sticky_force
from tests.close import assert_close

K, MASS = 400.0, 0.25
CRITICAL = 2.0 * math.sqrt(K * MASS)
parts = st.floats(-2.0, 2.0)
vectors = st.tuples(parts, parts, parts)


@given(vectors, vectors)
def test_work_is_stored_or_lost(offset, velocity):
    force, stored, lost = sticky_force(offset, velocity, K, 3.0)
    gain = K * np.dot(offset, velocity)
    assert_close(-np.dot(force, velocity), gain + lost, rtol=1e-12, scale=K * 50.0)
    assert stored >= 0.0
    assert lost >= 0.0


def test_a_point_that_hits_ends_where_it_touched_and_all_its_energy_is_lost():
    def rate(_, y):
        force, _, lost = sticky_force(tuple(y[:3]), tuple(y[3:6]), K, CRITICAL)
        return [*y[3:6], *(np.array(force) / MASS), lost]

    start = [0.0, 0.0, 0.0, 0.3, -0.2, -1.0, 0.0]
    found = solve_ivp(rate, (0.0, 2.0), start, "DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
    assert np.abs(found[:6]).max() < 1e-9
    assert_close(found[6], 0.5 * MASS * (0.09 + 0.04 + 1.0), rtol=1e-9)


def test_it_pulls_as_well_as_it_pushes():
    away, _, _ = sticky_force((0.0, 0.0, 0.1), (0.0, 0.0, 0.0), K, 1.0)
    assert_close(away, (0.0, 0.0, -40.0), rtol=1e-14)


def test_check_has_teeth():
    away, _, _ = sticky_force((0.0, 0.0, 0.1), (0.0, 0.0, 0.0), 1.01 * K, 1.0)
    with pytest.raises(AssertionError):
        assert_close(away, (0.0, 0.0, -40.0), rtol=1e-14)
