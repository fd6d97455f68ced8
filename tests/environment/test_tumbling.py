"""Attitudes of a tumbling body: what is conserved, closed forms, and uniform spin as a limit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.rotations import rotation_matrices
from haptos.environment.spin import uniform_attitudes
from haptos.environment.tumbling import tumbling_attitudes
from tests.close import assert_close

TIMES = np.linspace(0.0, 40.0, 401)
OMEGA = np.array([0.3, -0.1, 0.8])


def test_spin_about_a_principal_axis_is_uniform():
    omega = (0.0, 0.0, 0.4)
    found = tumbling_attitudes(omega, (1.0, 2.0, 2.5), TIMES)
    assert_close(found, uniform_attitudes(omega, TIMES), rtol=1e-8)


def test_a_body_at_rest_stays_so():
    found = tumbling_attitudes((0.0, 0.0, 0.0), (1.0, 2.0, 3.0), TIMES)
    assert np.array_equal(found, np.tile([1.0, 0.0, 0.0, 0.0], (len(TIMES), 1)))
    assert tumbling_attitudes(OMEGA, (1.0, 2.0, 3.0), [0.0]).tolist() == [[1.0, 0.0, 0.0, 0.0]]


def test_a_symmetric_body_coins_about_its_angular_momentum():
    """R(t) = exp(h t) exp(-k w_z e_z t), h = H / I1, as in the closed form of a top."""
    across, axial = 2.0, 3.0
    k = (axial - across) / across
    spun = tumbling_attitudes(OMEGA, (across, across, axial), TIMES)
    momentum = OMEGA * np.array([1.0, 1.0, axial / across])
    outer = rotation_matrices(uniform_attitudes(momentum, TIMES))
    inner = rotation_matrices(uniform_attitudes([0.0, 0.0, -k * OMEGA[2]], TIMES))
    assert_close(rotation_matrices(spun), outer @ inner, rtol=1e-7)
    spoiled = tumbling_attitudes(OMEGA, (across, across, 1.01 * axial), TIMES)
    with pytest.raises(AssertionError):
        assert_close(rotation_matrices(spoiled), outer @ inner, rtol=1e-3)


def test_slow_bodies_are_followed_as_closely_as_fast_ones():
    slow = tumbling_attitudes(1e-5 * OMEGA, (1.0, 2.0, 2.5), 1e5 * TIMES)
    assert_close(slow, tumbling_attitudes(OMEGA, (1.0, 2.0, 2.5), TIMES), rtol=1e-6)
    assert math.isclose(float(np.linalg.norm(slow[-1])), 1.0, rel_tol=1e-12)
