"""Rolling resistance: a torque that stops rotation, a force that leaves the slip alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.rolling_resistance import companion_force, rolling_torques
from haptos.core.jit import device
from haptos.core.symmetric import six_of
from haptos.core.vectors import add
from tests.close import assert_close
from tests.contact.bodies import (
    random_direction,
    random_inertia,
    random_rotation,
    rows,
    tilde,
    triple,
)

W_S = 1e-3  # [rad/s]
seeds = st.integers(0, 2**32 - 1)


@device
def rolling_torque(c_rr, w_s, load, rate_B, inertia, acceleration_B):
    """L_RR: the rolling and the sticking share together."""
    roll, hold = rolling_torques(c_rr, w_s, load, rate_B, inertia, acceleration_B)
    return add(roll, hold)


def random_body(seed):
    """(rng, mass, inertia, dcm_AB, arm, normal)."""
    rng = np.random.default_rng(seed)
    mass = 10.0 ** rng.uniform(-1.0, 3.0)
    size = 10.0 ** rng.uniform(-1.5, 0.5)
    inertia = random_inertia(rng, mass, size)
    return (
        rng,
        mass,
        inertia,
        random_rotation(rng),
        size * rng.normal(size=3),
        random_direction(rng),
    )


def slip_change(mass, inertia, dcm_AB, r, normal, torque_B, mass_error=1.0):
    """T (F_RR/m - r~ I^-1 L_RR) [m/s^2], and the size of its two terms."""
    push = companion_force(
        mass_error * mass, six_of(np.linalg.inv(inertia)), rows(dcm_AB), triple(r),
        triple(normal), triple(torque_B),
    )  # fmt: skip
    turning = tilde(r) @ dcm_AB @ np.linalg.solve(inertia, torque_B)
    across = np.eye(3) - np.outer(normal, normal)
    scale = float(np.linalg.norm(push)) / mass + float(np.linalg.norm(turning))
    return across @ (np.array(push) / mass - turning), scale, np.array(push)


@given(seeds)
def test_torque_and_force_together_leave_the_slip_of_the_point_alone(seed):
    rng, mass, inertia, dcm_AB, r, normal = random_body(seed)
    torque_B = rng.normal(size=3)
    change, scale, _ = slip_change(mass, inertia, dcm_AB, r, normal, torque_B)
    assert_close(change, np.zeros(3), rtol=1e-14, scale=scale * np.linalg.cond(inertia))


@given(seeds)
def test_force_is_tangential(seed):
    rng, mass, inertia, dcm_AB, r, normal = random_body(seed)
    _, scale, push = slip_change(mass, inertia, dcm_AB, r, normal, rng.normal(size=3))
    assert abs(push @ normal) <= 1e-14 * mass * scale


@given(seeds)
def test_sticking_torque_leaves_no_angular_acceleration(seed):
    rng, _, inertia, _, _, _ = random_body(seed)
    alpha = rng.normal(size=3)
    load = 1e3 * float(np.linalg.norm(inertia @ alpha))  # so that nothing is capped
    torque = rolling_torque(0.01, W_S, load, (0.0, 0.0, 0.0), six_of(inertia), triple(alpha))
    left = alpha + np.linalg.solve(inertia, torque)
    assert_close(left, np.zeros(3), rtol=1e-14, scale=4.0 * np.linalg.cond(inertia))


@given(seeds, st.floats(0.0, 0.1), st.floats(0.0, 100.0), st.floats(-6.0, 3.0))
def test_torque_never_exceeds_coefficient_times_load(seed, c_rr, load, decades):
    rng, _, inertia, _, _, _ = random_body(seed)
    rate = W_S * 10.0**decades * rng.normal(size=3)
    torque = rolling_torque(
        c_rr, W_S, load, triple(rate), six_of(inertia), triple(rng.normal(size=3))
    )
    assert np.linalg.norm(torque) <= c_rr * load * (1.0 + 1e-14)


@given(seeds, st.floats(1.0, 1e4))
def test_a_rolling_body_feels_the_whole_torque_against_its_rate(seed, times):
    rng, _, inertia, _, _, _ = random_body(seed)
    direction = random_direction(rng)
    alpha = triple(rng.normal(size=3))
    rate = triple(times * W_S * (1.0 + 1e-12) * direction)
    torque = rolling_torque(0.005, W_S, 4.0, rate, six_of(inertia), alpha)
    assert_close(torque, -0.005 * 4.0 * direction, rtol=1e-14)
    assert np.dot(torque, rate) < 0.0


def test_sphere_without_slip_is_slowed_by_both_in_step():
    """Rolling along x: L = -C F w/|w| brakes w, the force brakes v = w R by the same share."""
    mass, radius, rate, load = 5.0, 0.125, 0.4, 0.03
    inertia = 0.4 * mass * radius**2 * np.eye(3)
    torque = rolling_torque(0.002, W_S, load, (0.0, rate, 0.0), six_of(inertia), (0.0, 0.0, 0.0))
    push = companion_force(
        mass, six_of(np.linalg.inv(inertia)), rows(np.eye(3)), (0.0, 0.0, -radius),
        (0.0, 0.0, 1.0), torque,
    )  # fmt: skip
    slowing = 0.002 * load / (0.4 * mass * radius**2)
    assert_close(torque, (0.0, -0.002 * load, 0.0), rtol=1e-15)
    assert_close(push, (-mass * radius * slowing, 0.0, 0.0), rtol=1e-15)
    power = np.dot(push, (rate * radius, 0.0, 0.0)) + np.dot(torque, (0.0, rate, 0.0))
    assert_close(power, -3.5 * 0.002 * load * rate, rtol=1e-14)  # 1 + m R^2/I = 7/2


@pytest.mark.parametrize(("c_rr", "load"), [(0.0, 5.0), (0.01, 0.0)])
def test_without_load_or_coefficient_there_is_no_torque(c_rr, load):
    torque = rolling_torque(
        c_rr, W_S, load, (0.3 * W_S, 0.0, 0.0), six_of(np.eye(3)), (1.0, 2.0, 3.0)
    )
    assert np.all(np.array(torque) == 0.0)


def test_capped_sticking_keeps_its_direction():
    alpha = np.array([1.0, -2.0, 0.5])
    inertia = np.diag([1.0, 2.0, 3.0])
    torque = rolling_torque(0.01, W_S, 2.0, (0.0, 0.0, 0.0), six_of(inertia), triple(alpha))
    wanted = -inertia @ alpha
    assert_close(torque, 0.02 * wanted / np.linalg.norm(wanted), rtol=1e-15)


def test_check_has_teeth():
    rng, mass, inertia, dcm_AB, r, normal = random_body(1)
    change, scale, _ = slip_change(
        mass, inertia, dcm_AB, r, normal, rng.normal(size=3), mass_error=1.01
    )
    with pytest.raises(AssertionError):
        assert_close(change, np.zeros(3), rtol=1e-14, scale=scale * np.linalg.cond(inertia))
