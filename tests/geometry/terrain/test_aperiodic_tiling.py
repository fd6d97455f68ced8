"""Aperiodic tiling: turns are rotations, the blend is smooth, its derivatives are right."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.geometry.terrain.aperiodic_tiling import (
    TILINGS,
    blend_of_index,
    steepest_blend,
    tiling_3d,
    tiling_blend,
    tiling_place,
    tiling_table,
    tiling_turn,
)
from haptos.geometry.terrain.noise import noise_lattice
from tests.close import assert_close

SIDE = 4.0
LATTICE_OF_INDEX = noise_lattice(5)
FREQUENCY = 1.0 / 16.0
places = st.tuples(*[st.floats(-300.0, 300.0)] * 3)


@pytest.mark.parametrize("k", range(TILINGS))
def test_turns_are_rotations(k):
    turn, shift = tiling_3d(k)
    assert_close(turn @ turn.T, np.eye(len(turn)), rtol=1e-15)
    assert_close(np.linalg.det(turn), 1.0, rtol=1e-14)
    assert np.all(np.abs(shift) <= 1.0)


@pytest.mark.parametrize("k", range(TILINGS))
def test_turn_of_space_is_the_product_of_two_axis_turns(k):
    c, s = math.cos(k), math.sin(k)
    about_z = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    assert_close(tiling_3d(k)[0], about_z @ about_x, rtol=1e-15)


@given(place=places, k=st.integers(0, TILINGS - 1))
def test_place_is_the_turned_shifted_point(place, k):
    turn, shift = tiling_3d(k)
    table = tiling_table(SIDE)
    expected = turn @ (np.array(place) + SIDE * shift)
    assert_close(tiling_place(table, k, place), expected, rtol=1e-14, scale=1000.0)
    assert_close(tiling_turn(table, k), turn, rtol=1e-15)


def test_weight_runs_from_zero_to_one_and_hands_over_without_a_step():
    for k in range(TILINGS):
        assert blend_of_index(k + 0.19)[:2] == (k, 0.0)
        assert blend_of_index(k + 0.5)[0] == k
        assert_close(blend_of_index(k + 0.5)[1], 0.5, rtol=1e-12)
        assert_close(blend_of_index(k + 0.81)[1], 1.0, rtol=1e-12)
    assert blend_of_index(math.nextafter(3.0, 0.0))[:2] == (2, 1.0)
    assert blend_of_index(3.0)[:2] == (3, 0.0)
    assert blend_of_index(float(TILINGS))[:2] == (TILINGS - 1, 1.0)


@given(place=places)
def test_derivatives_of_the_weight_are_right(place):
    k, w, gradient, hessian = tiling_blend(LATTICE_OF_INDEX, FREQUENCY, place)
    step, slopes, bends = 1e-4, [], []
    for axis in np.eye(3):
        ahead, behind = (
            tiling_blend(LATTICE_OF_INDEX, FREQUENCY, tuple(np.array(place) + s * step * axis))
            for s in (1.0, -1.0)
        )
        # index of the tiling plus weight: whole steps of k go with weights that fall back to zero
        slopes.append((ahead[0] + ahead[1] - behind[0] - behind[1]) / (2.0 * step))
        bends.append(np.subtract(ahead[2], behind[2]) / (2.0 * step))
    assert 0.0 <= w <= 1.0
    assert 0 <= k < TILINGS
    assert np.linalg.norm(gradient) <= steepest_blend(FREQUENCY)
    xx, xy, xz, yy, yz, zz = hessian
    assert_close(gradient, slopes, rtol=1e-6, scale=steepest_blend(FREQUENCY))
    # the third derivative of the ramp steps at its ends, so the Hessian is checked to first order
    assert_close(
        [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], bends, rtol=2e-4, scale=steepest_blend(1.0)
    )


def test_derivative_check_has_teeth():
    place = (3.1, -7.2, 43.3)
    _, _, gradient, _ = tiling_blend(LATTICE_OF_INDEX, FREQUENCY, place)
    _, _, spoiled, _ = tiling_blend(LATTICE_OF_INDEX, 1.001 * FREQUENCY, place)
    assert np.linalg.norm(gradient) > 0.0
    with pytest.raises(AssertionError):
        assert_close(spoiled, gradient, rtol=1e-4)
