"""The closed form of a free top is what an integrator makes of Euler's equations on turning ground."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.rotations import (
    quaternion_product,
    quaternion_rate,
    random_quaternion,
    rotation_matrices,
)
from haptos.core.symmetric import six_of
from haptos.dynamics.rigid.free_rotation import EQUAL, free_rotation, top_axis, turn, turned_about
from haptos.dynamics.rigid.rigid_body import free_angular_acceleration
from tests.close import assert_close
from tests.contact.bodies import random_direction, random_rotation, triple

ACROSS = 0.04  # [kg m^2]
TOPS = {"ball": 0.04, "prolate": 0.011, "oblate": 0.07}  # [kg m^2] moment about the axis
RATE = (0.3, -0.4, 0.5)  # [rad/s]
SPIN = (0.05, -0.08, 0.11)  # [rad/s]
QUATERNION = random_quaternion(np.random.default_rng(4))
TIME = 40.0  # [s], about five turns


def top(kind: str) -> np.ndarray:
    """Inertia of a top whose axis is no axis of B."""
    frame = random_rotation(np.random.default_rng(5))
    return frame @ np.diag([ACROSS, ACROSS, TOPS[kind]]) @ frame.T


def moved(inertia: np.ndarray, spin, time: float, spoiled: float = 0.0):
    found = top_axis(inertia)
    assert found is not None
    axis, ratio = found
    return free_rotation(triple(QUATERNION), RATE, spin, axis, ratio + spoiled, time)


def integrated(inertia: np.ndarray, spin, time: float) -> np.ndarray:
    """(quat_AB, w_B) from Euler's equations seen from the turning ground."""
    six, inverse = six_of(inertia), six_of(np.linalg.inv(inertia))

    def rate(_, y):
        q, w = y[:4] / np.linalg.norm(y[:4]), triple(y[4:])
        spin_B = triple(rotation_matrices(q).T @ np.array(spin))
        alpha = free_angular_acceleration(six, inverse, w, spin_B, (0.0, 0.0, 0.0))
        return [*quaternion_rate(triple(y[:4]), w), *alpha]

    start = np.concatenate([QUATERNION, RATE])
    y = solve_ivp(rate, (0.0, time), start, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    y[:4] /= np.linalg.norm(y[:4])
    return y


@pytest.mark.parametrize("spin", [(0.0, 0.0, 0.0), SPIN], ids=["still", "turning"])
@pytest.mark.parametrize("kind", TOPS)
def test_attitude_and_rate_are_those_of_an_integrator(kind, spin):
    inertia = top(kind)
    q, w = moved(inertia, spin, TIME)
    expected = integrated(inertia, spin, TIME)
    assert_close(q, expected[:4], rtol=1e-9)
    assert_close(w, expected[4:], rtol=1e-9)


def test_the_check_has_teeth():
    inertia = top("oblate")
    q, _ = moved(inertia, SPIN, TIME, spoiled=0.01)
    with pytest.raises(AssertionError):
        assert_close(q, integrated(inertia, SPIN, TIME)[:4], rtol=1e-9)


@pytest.mark.parametrize("kind", TOPS)
@pytest.mark.parametrize("time", [1.0, 1e3, 1e6])
def test_angular_momentum_and_energy_stay_in_inertial_axes(kind, time):
    inertia = top(kind)

    def momentum_and_energy(q, w, t):
        dcm_NA = rotation_matrices(np.array(turn(SPIN, t)))
        dcm_AB = rotation_matrices(np.array(q))
        total = np.array(w) + dcm_AB.T @ np.array(SPIN)
        return dcm_NA @ dcm_AB @ inertia @ total, 0.5 * total @ inertia @ total

    before = momentum_and_energy(QUATERNION, RATE, 0.0)
    after = momentum_and_energy(*moved(inertia, SPIN, time), time)
    # An angle is a rate times a time: its rounding is 1e-16 of it, a few turns per second.
    rtol = 1e-13 + 4e-16 * time
    assert_close(after[0], before[0], rtol=rtol)
    assert_close(after[1], before[1], rtol=rtol)


@pytest.mark.parametrize("kind", TOPS)
def test_two_short_turns_make_a_long_one(kind):
    inertia = top(kind)
    axis, ratio = top_axis(inertia)
    once = free_rotation(triple(QUATERNION), RATE, SPIN, axis, ratio, 7.0)
    half = free_rotation(triple(QUATERNION), RATE, SPIN, axis, ratio, 2.5)
    twice = free_rotation(*half, SPIN, axis, ratio, 4.5)
    back = free_rotation(*once, SPIN, axis, ratio, -7.0)
    assert_close(np.concatenate(twice), np.concatenate(once), rtol=1e-14)
    assert_close(np.concatenate(back), np.concatenate([QUATERNION, RATE]), rtol=1e-14)


def test_a_body_without_rate_on_still_ground_stays():
    axis, ratio = top_axis(top("prolate"))
    none = (0.0, 0.0, 0.0)
    q, w = free_rotation(triple(QUATERNION), none, none, axis, ratio, 1e5)
    assert_close(q, QUATERNION, rtol=1e-15)
    assert w == none


@pytest.mark.parametrize("kind", TOPS)
def test_the_axis_of_a_top_is_found_in_its_tensor(kind):
    inertia = top(kind)
    axis, ratio = top_axis(inertia)
    assert_close(ratio, TOPS[kind] / ACROSS - 1.0, rtol=1e-12, scale=1.0)
    if ratio != 0.0:
        assert_close(inertia @ axis, TOPS[kind] * np.array(axis), rtol=1e-12)


def test_a_ball_has_no_ratio_at_all():
    assert top_axis(top("ball"))[1] == 0.0  # rounding of eigenvalues must not make a top of it


def test_three_moments_make_no_top():
    assert top_axis(np.diag([1.0, 1.0 + 100.0 * EQUAL, 1.5])) is None
    assert top_axis(np.diag([1.0, 1.0 + 0.1 * EQUAL, 1.5])) is not None
    assert top_axis(np.diag([0.5, 1.2, 1.2])) is not None


def test_vectors_and_quaternions_turn_alike():
    rng = np.random.default_rng(6)
    for _ in range(20):
        axis, x, angle = random_direction(rng), rng.normal(size=3), rng.uniform(-4.0, 4.0)
        q = turn(triple(axis), angle)
        expected = rotation_matrices(np.array(q)) @ x
        assert_close(turned_about(triple(axis), angle, triple(x)), expected, rtol=1e-14)
        assert_close(math.hypot(*q), 1.0, rtol=1e-15)
        assert_close(quaternion_product(q, turn(triple(-axis), angle)), (1, 0, 0, 0), rtol=1e-15)
    assert turn((0.0, 0.0, 0.0), 5.0) == (1.0, 0.0, 0.0, 0.0)
