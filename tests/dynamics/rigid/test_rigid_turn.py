"""A free body turned by splitting: momentum kept, second order, energy without drift."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.core.rotations import apply, apply_transposed, quaternion_product, rotation_matrix
from haptos.dynamics.rigid.rigid_turn import (
    _about_x,
    _about_y,
    _about_z,
    body_rates,
    turn_freely,
    turning_energy,
)
from tests.close import assert_close

MOMENTS = (1.0, 2.0, 2.5)  # [kg m^2]
INVERSE = tuple(1.0 / moment for moment in MOMENTS)
START = (math.sqrt(0.5), 0.5, -0.5, 0.0)
MOMENTUM = (0.4, -1.1, 0.8)  # [N m s]


def marched(steps, time, start=START, momentum=MOMENTUM, inverse=INVERSE):
    q = start
    for _ in range(steps):
        q = turn_freely(q, momentum, inverse, time / steps)
    return q


def reference(time, start=START, momentum=MOMENTUM, inverse=INVERSE):
    """q' = q (0, w)/2 with w = I^-1 R^T h in body axes."""

    def rate(_, q):
        h = apply_transposed(rotation_matrix(tuple(q)), momentum)
        w = (0.0, *(i * component for i, component in zip(inverse, h, strict=True)))
        return 0.5 * np.array(quaternion_product(tuple(q), w))

    found = solve_ivp(rate, (0.0, time), start, "DOP853", rtol=1e-12, atol=1e-13)
    q = found.y[:, -1]
    return q / np.linalg.norm(q)


def apart(a, b):
    """Angle [rad] between two attitudes, about."""
    return 2.0 * min(np.linalg.norm(np.subtract(a, b)), np.linalg.norm(np.add(a, b)))


quaternions = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1)
vectors = st.tuples(*[st.floats(-3.0, 3.0)] * 3)


@given(quaternions, vectors, st.floats(-1.0, 1.0))
def test_each_part_of_a_turn_keeps_the_momentum_in_inertial_axes(q, h, share):
    q = tuple(np.array(q) / np.linalg.norm(q))
    before = apply(rotation_matrix(q), h)
    for part in (_about_x, _about_y, _about_z):
        turned, carried = part(q, h, share)
        assert_close(apply(rotation_matrix(turned), carried), before, rtol=1e-14, scale=6.0)
        assert_close(np.linalg.norm(turn_freely(q, h, INVERSE, share)), 1.0, rtol=1e-15)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_about_a_principal_axis_the_turn_is_exact_at_any_length(axis):
    h = [0.0, 0.0, 0.0]
    h[axis] = 1.7
    angle = 1.7 * INVERSE[axis] * 40.0
    end = turn_freely((1.0, 0.0, 0.0, 0.0), tuple(h), INVERSE, 40.0)
    expected = [math.cos(0.5 * angle), 0.0, 0.0, 0.0]
    expected[1 + axis] = math.sin(0.5 * angle)
    assert apart(end, expected) < 1e-13


def test_a_ball_turns_about_its_momentum():
    angle = np.linalg.norm(MOMENTUM) * 2.0 * 0.3
    axis = np.array(MOMENTUM) / np.linalg.norm(MOMENTUM)
    turn = (math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis))
    expected = quaternion_product(turn, START)
    assert apart(marched(2000, 0.3, inverse=(2.0, 2.0, 2.0)), expected) < 1e-7


def top(time, spun, inverse):
    """Symmetric top, I_x = I_y: turn about h by |h|/I_x t, then about its own axis z by the rest."""
    h = apply_transposed(rotation_matrix(START), MOMENTUM)
    size = np.linalg.norm(MOMENTUM)
    axis, whole = np.array(MOMENTUM) / size, size * inverse[0] * time
    turn = (math.cos(0.5 * whole), *(math.sin(0.5 * whole) * axis))
    own = spun * h[2] * (inverse[2] - inverse[0]) * time
    spin = (math.cos(0.5 * own), 0.0, 0.0, math.sin(0.5 * own))
    return quaternion_product(quaternion_product(turn, START), spin)


def test_a_symmetric_top_precesses_as_its_closed_form_to_second_order():
    inverse, time = (0.5, 0.5, 0.8), 3.0
    coarse, fine = (
        apart(marched(n, time, inverse=inverse), top(time, 1.0, inverse)) for n in (100, 200)
    )
    assert fine < 5e-5
    assert_close(coarse / fine, 4.0, rtol=0.02)
    spoiled = apart(marched(200, time, inverse=inverse), top(time, 1.01, inverse))
    assert spoiled > 100.0 * fine


def test_an_asymmetric_body_follows_eulers_equations_to_second_order():
    exact = reference(2.0)
    errors = [apart(marched(n, 2.0), exact) for n in (50, 100, 200)]
    assert errors[-1] < 1e-4
    assert_close(errors[0] / errors[1], 4.0, rtol=0.03)
    assert_close(errors[1] / errors[2], 4.0, rtol=0.02)


def test_turned_back_the_body_is_where_it_was():
    there = turn_freely(START, MOMENTUM, INVERSE, 0.3)
    assert apart(turn_freely(there, MOMENTUM, INVERSE, -0.3), START) < 1e-14


def test_a_held_body_does_not_turn():
    assert_close(turn_freely(START, MOMENTUM, (0.0, 0.0, 0.0), 10.0), START, rtol=1e-15)
    assert body_rates(START, MOMENTUM, (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert turning_energy(START, MOMENTUM, (0.0, 0.0, 0.0)) == 0.0


def largest_energy_errors(step, steps):
    """Of the first and of the second half of a march."""
    q, errors = START, []
    start = turning_energy(q, MOMENTUM, INVERSE)
    for _ in range(steps):
        q = turn_freely(q, MOMENTUM, INVERSE, step)
        errors.append(abs(turning_energy(q, MOMENTUM, INVERSE) / start - 1.0))
    return max(errors[: steps // 2]), max(errors[steps // 2 :])


def test_energy_errs_by_the_square_of_the_step_and_does_not_drift():
    first, later = largest_energy_errors(0.1, 4000)
    assert 1e-6 < first < 1e-2
    assert later < 1.05 * first
    smaller, _ = largest_energy_errors(0.05, 4000)
    assert_close(first / smaller, 4.0, rtol=0.05)


@given(quaternions, vectors)
def test_rates_times_inertia_are_the_momentum_and_energy_is_half_their_product(q, h):
    q = tuple(np.array(q) / np.linalg.norm(q))
    dcm = np.array(rotation_matrix(q))
    w = np.array(body_rates(q, h, INVERSE))
    assert_close(dcm @ np.diag(MOMENTS) @ dcm.T @ w, h, rtol=1e-13, scale=3.0)
    assert_close(turning_energy(q, h, INVERSE), 0.5 * w @ np.array(h), rtol=1e-13, scale=10.0)


def test_the_quaternion_turns_at_the_rates():
    """q' = (0, omega_N) q/2, by a short turn."""
    step = 1e-5
    ahead, back = (turn_freely(START, MOMENTUM, INVERSE, s) for s in (step, -step))
    slope = np.subtract(ahead, back) / (2.0 * step)
    expected = 0.5 * np.array(
        quaternion_product((0.0, *body_rates(START, MOMENTUM, INVERSE)), START)
    )
    assert_close(slope, expected, rtol=1e-8)
