"""Quaternions, scalar first: x_A = dcm_AB x_B, and everything that follows from it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from scipy.spatial.transform import Rotation

from haptos.core import rotations
from haptos.core.random_streams import stream
from tests.close import assert_close

EXACT = 1e-14  # a few roundings of numbers of order one
angles = st.floats(-3.1, 3.1)
seeds = st.integers(0, 10**6)


def drawn(seed: int, count: int = 1) -> list[tuple[float, ...]]:
    generator = stream(seed, 0, "test rotations")
    return [tuple(map(float, rotations.random_quaternion(generator))) for _ in range(count)]


def scipy_matrix(q: tuple[float, ...]) -> np.ndarray:
    return Rotation.from_quat(np.roll(np.array(q), -1)).as_matrix()


def test_a_quarter_turn_about_z_takes_x_to_y() -> None:
    q = (math.cos(0.25 * math.pi), 0.0, 0.0, math.sin(0.25 * math.pi))
    turned = rotations.apply(rotations.rotation_matrix(q), (1.0, 0.0, 0.0))
    assert_close(turned, (0.0, 1.0, 0.0), rtol=EXACT)


@given(seeds)
def test_the_matrix_is_that_of_an_independent_library(seed: int) -> None:
    (q,) = drawn(seed)
    assert_close(rotations.rotation_matrix(q), scipy_matrix(q), rtol=EXACT)


@given(seeds)
def test_the_matrix_is_a_rotation_and_the_transposed_is_the_way_back(seed: int) -> None:
    (q,) = drawn(seed)
    dcm = rotations.rotation_matrix(q)
    assert_close(np.array(dcm) @ np.array(dcm).T, np.eye(3), rtol=EXACT)
    assert_close(np.linalg.det(np.array(dcm)), 1.0, rtol=EXACT)
    x = (0.3, -1.2, 0.7)
    assert_close(rotations.apply_transposed(dcm, rotations.apply(dcm, x)), x, rtol=EXACT)


@given(seeds)
def test_the_product_of_quaternions_is_the_product_of_matrices(seed: int) -> None:
    p, q = drawn(seed, 2)
    chained = rotations.rotation_matrix(rotations.quaternion_product(p, q))
    one_by_one = np.array(rotations.rotation_matrix(p)) @ np.array(rotations.rotation_matrix(q))
    assert_close(chained, one_by_one, rtol=EXACT)


@given(angles, st.floats(-1.5, 1.5), angles)
def test_yaw_pitch_roll_is_the_intrinsic_z_y_x_sequence(
    yaw: float, pitch: float, roll: float
) -> None:
    q = rotations.quaternion_from_yaw_pitch_roll(yaw, pitch, roll)
    expected = Rotation.from_euler("ZYX", [yaw, pitch, roll]).as_matrix()
    assert_close(rotations.rotation_matrix(tuple(q)), expected, rtol=EXACT)


@given(seeds)
def test_the_rate_is_half_the_product_with_the_spin_in_body_axes(seed: int) -> None:
    (q,) = drawn(seed)
    w = (0.3, -0.5, 0.2)
    half_product = 0.5 * np.array(rotations.quaternion_product(q, (0.0, *w)))
    assert_close(rotations.quaternion_rate(q, w), half_product, rtol=EXACT, scale=1.0)


def test_a_steady_spin_integrates_to_the_closed_form_with_order_two() -> None:
    w, duration = np.array([0.4, -0.3, 0.5]), 2.0
    size = float(np.linalg.norm(w))
    half = 0.5 * size * duration
    exact = np.array([math.cos(half), *(math.sin(half) * w / size)])
    errors = []
    for steps in (100, 200, 400):
        q, h = np.array([1.0, 0.0, 0.0, 0.0]), duration / steps
        for _ in range(steps):
            middle = q + 0.5 * h * np.array(rotations.quaternion_rate(tuple(q), tuple(w)))
            q = q + h * np.array(rotations.quaternion_rate(tuple(middle), tuple(w)))
        errors.append(np.linalg.norm(q - exact))
    assert errors[-1] < 1e-5
    assert_close(np.log2(errors[0] / errors[1]), 2.0, rtol=0.02)
    assert_close(np.log2(errors[1] / errors[2]), 2.0, rtol=0.02)


def test_the_rate_check_has_teeth() -> None:
    (q,) = drawn(1)
    w = (0.3, -0.5, 0.2)
    spoiled = rotations.quaternion_rate(q, (0.3, -0.5, 0.2 * 1.01))
    half_product = 0.5 * np.array(rotations.quaternion_product(q, (0.0, *w)))
    with pytest.raises(AssertionError):
        assert_close(spoiled, half_product, rtol=EXACT, scale=1.0)


def test_random_attitudes_have_unit_length_and_cover_rotations_evenly() -> None:
    count = 20_000
    q = np.array(drawn(3, count))
    assert_close(np.linalg.norm(q, axis=1), np.ones(count), rtol=EXACT)
    # Uniform on the 3-sphere: q_i q_j has mean 1/4 or 0 and variance at most 1/16.
    moments = q.T @ q / count
    assert_close(moments, 0.25 * np.eye(4), rtol=5.0 * math.sqrt(1 / 16 / count), scale=1.0)
    # A turned axis is uniform on the sphere, so its z component is uniform on [-1, 1].
    z = rotations.rotation_matrices(q)[:, 2, 2]
    steps = np.abs(np.sort(z) - np.linspace(-1.0, 1.0, count)).max() / 2.0
    assert steps < 1.95 / math.sqrt(count)  # Kolmogorov-Smirnov at 0.1 %


def test_many_matrices_are_the_single_ones_in_any_shape() -> None:
    q = np.array(drawn(4, 6)).reshape(2, 3, 4)
    many = rotations.rotation_matrices(q)
    assert many.shape == (2, 3, 3, 3)
    for index in np.ndindex(2, 3):
        assert np.array_equal(many[index], rotations.rotation_matrix(tuple(q[index])))


def test_a_turn_in_steps_is_a_turn_at_once() -> None:
    start, angles = (
        np.array(drawn(6, 3)),
        np.array([[0.3, -0.2, 0.5], [0.0, 0.0, 0.0], [2.0, 1, 1]]),
    )
    half = rotations.turned(rotations.turned(start, 0.5 * angles), 0.5 * angles)
    assert_close(half, rotations.turned(start, angles), rtol=EXACT)
    with pytest.raises(AssertionError):
        assert_close(half, rotations.turned(start, 1.01 * angles), rtol=EXACT)


def test_a_turn_is_taken_in_body_axes() -> None:
    start = np.array(drawn(7))
    angle = np.array([[0.4, -0.7, 0.2]])
    expected = scipy_matrix(tuple(start[0])) @ Rotation.from_rotvec(angle[0]).as_matrix()
    assert_close(
        rotations.rotation_matrices(rotations.turned(start, angle))[0], expected, rtol=EXACT
    )


def test_compiled_and_plain_give_the_same_bits() -> None:
    def chain(p, q, x):  # type: ignore[no-untyped-def]
        dcm = rotations.rotation_matrix(rotations.quaternion_product(p, q))
        return rotations.apply_transposed(dcm, rotations.quaternion_rate(q, x)[:3])

    p, q = drawn(5, 2)
    assert njit(chain)(p, q, (0.1, 0.2, 0.3)) == chain(p, q, (0.1, 0.2, 0.3))
