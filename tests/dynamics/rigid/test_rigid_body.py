"""Motion seen from a spinning body equals the same motion worked out in inertial axes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.core.rotations import (
    quaternion_product,
    quaternion_rate,
    random_quaternion,
    rotation_matrices,
)
from haptos.core.symmetric import six_of
from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FRAME_RATE,
    FULL_SIZE,
    POSITION,
    RATE,
    SUNLIT_SIZE,
    TUMBLING_SIZE,
    UNIFORM_SIZE,
    VELOCITY,
    WHEEL_AXIS,
    WHEEL_MOMENTUM,
    WHEEL_TORQUE,
    WORK_ACTUATOR,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_FRICTION,
    WORK_ROLLING,
    WORK_SPIN,
    WORK_SUNLIGHT,
    free_acceleration,
    free_angular_acceleration,
    kinetic_energy,
    potential_energy,
    relative_velocity,
    spin_power,
)
from haptos.environment.spin import tumbling_acceleration
from tests.close import assert_close
from tests.contact.bodies import random_inertia, triple

MASS = 5.0
INERTIA = random_inertia(np.random.default_rng(3), MASS, 0.2)
SIX, INVERSE = six_of(INERTIA), six_of(np.linalg.inv(INERTIA))
# An anisotropic well fixed to the small body: U = -x.Kx/2, g = -K x. Its axes turn with A.
WELL = np.diag([0.3, 0.5, 0.9])
SPIN = np.array([0.2, -0.3, 0.7])  # [rad/s]
MOMENTS = {"uniform": (1.0, 1.0, 1.0), "tumbling": (1.0, 1.9, 2.4)}
seeds = st.integers(0, 2**32 - 1)


def gravity(x):
    return triple(-WELL @ x)


def potential(x):
    return float(-0.5 * x @ WELL @ x)


def split(y):
    """x, v, quat_AB, w_B, O."""
    return y[0:3], y[3:6], y[6:10], y[10:13], y[13:16]


def rotating_rate(y, moments):
    """Rate of (x, v, quat_AB, w_B, O), by the law."""
    x, v, q, w, spin = split(y)
    spin_rate = np.array(tumbling_acceleration(spin, moments))
    dcm_BA = rotation_matrices(q / np.linalg.norm(q)).T
    a = free_acceleration(gravity(x), triple(spin), triple(spin_rate), triple(x), triple(v))
    alpha = free_angular_acceleration(
        SIX, INVERSE, triple(w), triple(dcm_BA @ spin), triple(dcm_BA @ spin_rate)
    )
    return np.concatenate([v, a, quaternion_rate(q, w), alpha, spin_rate])


def inertial_rate(y, moments):
    """Rate of (X_N, V_N, quat_NB, w*_B, O_A, quat_NA) by Newton and Euler, no fictitious force."""
    x, v, q, w, spin = split(y)
    frame = y[16:20]
    dcm_NA = rotation_matrices(frame / np.linalg.norm(frame))
    pull = dcm_NA @ -WELL @ dcm_NA.T @ x
    alpha = np.linalg.solve(INERTIA, -np.cross(w, INERTIA @ w))
    spin_rate = -np.cross(spin, np.array(moments) * spin) / np.array(moments)
    turns = quaternion_rate(q, w), quaternion_rate(frame, spin)
    return np.concatenate([v, pull, turns[0], alpha, spin_rate, turns[1]])


def integrated(rate, start, until=6.0):
    found = solve_ivp(lambda t, y: rate(y), (0.0, until), start, "DOP853", rtol=1e-12, atol=1e-13)
    return found.y[:, -1]


def first_state(seed=5):
    rng = np.random.default_rng(seed)
    return np.concatenate(
        [rng.normal(size=3), rng.normal(size=3), random_quaternion(rng), rng.normal(size=3), SPIN]
    )


def seen_from_the_body(end):
    """(x, v, dcm_AB, w_B) of an inertial state."""
    x_N, v_N, q, total, spin = split(end)
    dcm_AN = rotation_matrices(end[16:20] / np.linalg.norm(end[16:20])).T
    dcm_AB = dcm_AN @ rotation_matrices(q / np.linalg.norm(q))
    x = dcm_AN @ x_N
    return x, dcm_AN @ v_N - np.cross(spin, x), dcm_AB, total - dcm_AB.T @ spin


def assert_same_motion(moments, rate):
    y = first_state()
    x, v, q, w, spin = split(y)
    dcm_AB = rotation_matrices(q)
    start = np.concatenate([x, v + np.cross(spin, x), q, w + dcm_AB.T @ spin, spin, [1, 0, 0, 0]])
    x, v, q, w, _ = split(integrated(lambda state: rate(state, moments), y))
    wanted = seen_from_the_body(integrated(lambda state: inertial_rate(state, moments), start))
    found = x, v, rotation_matrices(q / np.linalg.norm(q)), w
    for ours, theirs in zip(found, wanted, strict=True):
        assert_close(ours, theirs, rtol=1e-9)


@pytest.mark.parametrize("spin", MOMENTS)
def test_motion_is_that_of_inertial_axes_transformed(spin):
    assert_same_motion(MOMENTS[spin], rotating_rate)


# ---- energy -------------------------------------------------------------------------------------


def energy(y):
    """Jt + Jr by the law."""
    x, v, q, w, spin = split(y)
    spin_B = triple(rotation_matrices(q).T @ spin)
    return kinetic_energy(MASS, SIX, triple(v), triple(w)) + potential_energy(
        MASS, SIX, potential(x), triple(spin), spin_B, triple(x)
    )


def power(y, moments):
    x, v, q, w, spin = split(y)
    spin_rate = np.array(tumbling_acceleration(spin, moments))
    dcm_BA = rotation_matrices(q).T
    vectors = spin, spin_rate, dcm_BA @ spin, dcm_BA @ spin_rate, x, v, w
    return spin_power(MASS, SIX, *map(triple, vectors))


def translation_change(y, a):
    """d Jt/dt = m (v.a - (O x x).(O x v) - g.v) over a uniform rotator, and the size of its terms."""
    x, v, _, _, spin = split(y)
    size = np.linalg.norm(v) * (np.linalg.norm(a) + np.linalg.norm(x) * (1.0 + spin @ spin))
    return MASS * (v @ a - np.cross(spin, x) @ np.cross(spin, v) + x @ WELL @ v), MASS * size


def rotation_change(y, alpha):
    """d Jr/dt = w.I wdot + O.I (w x O) in B axes, where O turns by -w, and the size of its terms."""
    _, _, q, w, spin = split(y)
    spin_B = rotation_matrices(q).T @ spin
    size = np.linalg.norm(INERTIA) * np.linalg.norm(w) * (np.linalg.norm(alpha) + spin @ spin)
    return w @ INERTIA @ alpha + spin_B @ INERTIA @ np.cross(w, spin_B), size


@given(seeds)
def test_jacobi_integrals_of_translation_and_rotation_are_each_constant_in_flight(seed):
    y = first_state(seed)
    rate = rotating_rate(y, MOMENTS["uniform"])
    for change, size in (translation_change(y, rate[3:6]), rotation_change(y, rate[10:13])):
        assert_close(change, 0.0, rtol=1e-14, scale=size)


def energy_slope(y, moments, step=1e-3):
    """Rate of the energy along the motion: sixth-order central difference of the law's functions."""
    slope = rotating_rate(y, moments)

    def at(i):
        return energy(y + i * step * slope)

    return (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * step)


def energy_size(y):
    _, v, _, w, _ = split(y)
    return kinetic_energy(MASS, SIX, triple(v), triple(w)) + abs(energy(y)) + 1.0


@given(seeds)
def test_spin_power_is_the_rate_of_the_energy_over_a_tumbling_body(seed):
    y = first_state(seed)
    found, wanted = power(y, MOMENTS["tumbling"]), energy_slope(y, MOMENTS["tumbling"])
    assert_close(found, wanted, rtol=1e-11, scale=energy_size(y))
    assert_close(energy_slope(y, MOMENTS["uniform"]), 0.0, rtol=1e-11, scale=energy_size(y))
    assert power(y, MOMENTS["uniform"]) == 0.0


def test_energy_fed_by_a_tumbling_body_is_the_work_of_its_spin():
    """Over a whole arc: E(t) - E(0) = integral of the power."""
    moments = MOMENTS["tumbling"]
    start = first_state()

    def rate(y):
        unit = y[:-1].copy()
        unit[6:10] /= np.linalg.norm(unit[6:10])
        return np.append(rotating_rate(y[:-1], moments), power(unit, moments))

    end = integrated(rate, np.append(start, 0.0))
    work, state = end[-1], end[:-1]
    state[6:10] /= np.linalg.norm(state[6:10])
    assert abs(work) > 0.1 * abs(energy(start))  # there is something to see
    assert_close(energy(state) - energy(start), work, rtol=1e-9)


@given(seeds)
def test_rotational_integral_splits_into_kinetic_and_centrifugal_parts(seed):
    """w*.I w*/2 - O.I w* = w.I w/2 - O.I O/2."""
    _, _, q, w, spin = split(first_state(seed))
    spin_B = rotation_matrices(q).T @ spin
    none, total = (0.0, 0.0, 0.0), w + spin_B
    split_form = kinetic_energy(MASS, SIX, none, triple(w)) + potential_energy(
        MASS, SIX, 0.0, none, triple(spin_B), none
    )
    expected = 0.5 * total @ INERTIA @ total - spin_B @ INERTIA @ total
    assert_close(split_form, expected, rtol=1e-14, scale=total @ INERTIA @ total)


# ---- closed forms -------------------------------------------------------------------------------


def test_a_body_at_rest_in_space_seems_to_circle_backwards():
    """x' = -O x x and the acceleration that goes with it, for any uniform spin."""
    x = np.array([3.0, -1.0, 2.0])
    v = relative_velocity((0.0, 0.0, 0.0), triple(SPIN), triple(x))
    assert_close(v, -np.cross(SPIN, x), rtol=1e-15)
    none = (0.0, 0.0, 0.0)
    a = free_acceleration(none, triple(SPIN), none, triple(x), v)
    assert_close(a, np.cross(SPIN, np.cross(SPIN, x)), rtol=1e-15)


def test_a_probe_that_does_not_turn_in_space_turns_backwards_seen_from_the_body():
    """w* = 0: w = -O in B axes stays -O, since O does not change in inertial axes."""
    spin_B = triple(rotation_matrices(random_quaternion(np.random.default_rng(1))).T @ SPIN)
    w = tuple(-part for part in spin_B)
    alpha = free_angular_acceleration(SIX, INVERSE, w, spin_B, (0.0, 0.0, 0.0))
    assert np.all(np.array(alpha) == 0.0)


def test_rows_of_the_state_do_not_overlap_and_works_follow_the_motion():
    sizes = {
        POSITION: 3, VELOCITY: 3, ATTITUDE: 4, RATE: 3, WORK_DAMPING: 1, WORK_FRICTION: 1,
        WORK_ROLLING: 1, WORK_SUNLIGHT: 1, WORK_SPIN: 1, FRAME_ATTITUDE: 4, FRAME_RATE: 3,
        WORK_ACTUATOR: 1, WHEEL_MOMENTUM: 1, WHEEL_TORQUE: 1, WHEEL_AXIS: 3, WORK_DRAG: 1,
    }  # fmt: skip
    taken = [row + i for row, size in sizes.items() for i in range(size)]
    assert taken == list(range(FULL_SIZE))
    assert UNIFORM_SIZE == WORK_SUNLIGHT
    assert SUNLIT_SIZE == WORK_SPIN
    assert TUMBLING_SIZE == WORK_ACTUATOR


SPOILERS = {
    "spin in the Coriolis and centrifugal terms": lambda y: np.append(y[:13], 1.01 * y[13:]),
    "rate of the probe": lambda y: np.concatenate([y[:10], 1.01 * y[10:13], y[13:]]),
}


@pytest.mark.parametrize("what", SPOILERS)
@pytest.mark.parametrize("spin", MOMENTS)
def test_check_has_teeth(what, spin):
    spoiled = lambda y, moments: rotating_rate(SPOILERS[what](y), moments)  # noqa: E731
    with pytest.raises(AssertionError, match="off by"):
        assert_same_motion(MOMENTS[spin], spoiled)


def test_attitudes_compose_as_the_comparison_assumes():
    rng = np.random.default_rng(9)
    q_NA, q_AB = random_quaternion(rng), random_quaternion(rng)
    product = rotation_matrices(np.array(quaternion_product(q_NA, q_AB)))
    assert_close(product, rotation_matrices(q_NA) @ rotation_matrices(q_AB), rtol=1e-15)
