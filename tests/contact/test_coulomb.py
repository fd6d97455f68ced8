"""Friction at a point: sticking cancels the point's acceleration, slipping brakes it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.coulomb import friction_force, stick_force
from haptos.core.symmetric import six_of
from tests.close import assert_close
from tests.contact.bodies import (
    random_direction,
    random_inertia,
    random_rotation,
    rows,
    tilde,
    triple,
)

V_S = 1e-4  # [m/s]
seeds = st.integers(0, 2**32 - 1)


class Point:
    """A point of a random body: mass, inertia, attitude, arm, normal, acceleration."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.mass = 10.0 ** rng.uniform(-2.0, 4.0)
        size = 10.0 ** rng.uniform(-2.0, 1.0)
        self.inertia = random_inertia(rng, self.mass, size)
        self.dcm_AB = random_rotation(rng)
        self.r = 2.0 * size * rng.normal(size=3)
        self.normal = random_direction(rng)
        self.b = 10.0 ** rng.uniform(-6.0, 1.0) * rng.normal(size=3)
        self.velocity = 10.0 ** rng.uniform(-6.0, 0.0) * rng.normal(size=3)

    def mobility(self):
        """M = 1/m - r~ I^-1 r~ in A axes [1/kg]: acceleration of the point per force at it."""
        inverse_A = self.dcm_AB @ np.linalg.inv(self.inertia) @ self.dcm_AB.T
        return np.eye(3) / self.mass - tilde(self.r) @ inverse_A @ tilde(self.r)

    def across(self):
        return np.eye(3) - np.outer(self.normal, self.normal)

    def stick(self, mass_error=1.0):
        inverse = six_of(np.linalg.inv(self.inertia))
        return np.array(
            stick_force(
                mass_error * self.mass, inverse, rows(self.dcm_AB), triple(self.r),
                triple(self.normal), triple(self.b),
            )
        )  # fmt: skip

    def friction(self, mu, mu_s, load, velocity):
        return np.array(
            friction_force(
                mu, mu_s, V_S, load, triple(velocity), triple(self.normal), triple(self.stick())
            )
        )


def left_over(point, force):
    """Tangential acceleration of the point with the force acting at it [m/s^2]."""
    return point.across() @ (point.b + point.mobility() @ force)


@given(seeds)
def test_sticking_cancels_the_tangential_acceleration_of_the_point(seed):
    point = Point(seed)
    size = float(np.linalg.norm(point.b)) * np.linalg.cond(point.mobility())
    assert_close(left_over(point, point.stick()), np.zeros(3), rtol=1e-14, scale=10.0 * size)


@given(seeds)
def test_sticking_force_is_tangential_and_the_only_one(seed):
    point = Point(seed)
    force = point.stick()
    assert abs(force @ point.normal) <= 1e-14 * np.linalg.norm(force)
    # (T M T)^+ is the inverse on the tangent plane, whatever basis is taken
    tangent = point.across()
    expected = -np.linalg.pinv(tangent @ point.mobility() @ tangent) @ tangent @ point.b
    size = float(np.linalg.norm(expected)) * np.linalg.cond(point.mobility())
    assert_close(force, expected, rtol=1e-14, scale=10.0 * size)


def test_sphere_that_slides_needs_two_sevenths_of_its_weight_component():
    """Solid sphere on a slope: friction 2/7 m g sin a lets it roll without slip."""
    mass, radius, pull = 5.0, 0.125, 1e-3
    inverse = six_of(np.eye(3) / (0.4 * mass * radius**2))
    arm, up = (0.0, 0.0, -radius), (0.0, 0.0, 1.0)
    force = stick_force(mass, inverse, rows(np.eye(3)), arm, up, (pull, 0.0, -9.0))
    assert_close(force, (-2.0 / 7.0 * mass * pull, 0.0, 0.0), rtol=1e-15)


# Squares of smaller forces underflow, in the law and in the norm that judges it.
coefficients = st.just(0.0) | st.floats(1e-30, 1.5)
loads = st.just(0.0) | st.floats(1e-100, 1e3)


@given(seeds, coefficients, st.floats(1.0, 2.0), loads, st.floats(-3.0, 3.0))
def test_friction_stays_inside_the_cone(seed, mu, more, load, decades):
    point = Point(seed)
    rng = np.random.default_rng(seed)
    velocity = V_S * 10.0**decades * rng.normal(size=3)
    force = point.friction(mu, mu * more, load, velocity)
    limit = mu * more * load
    assert np.linalg.norm(force) <= limit * (1.0 + 1e-14)
    assert abs(force @ point.normal) <= 1e-13 * (limit + 1e-300)


def slip_of(point, times):
    """Slip of this many stick speeds, in a random tangential direction."""
    slip = point.across() @ point.velocity
    return times * V_S * slip / np.linalg.norm(slip)


@given(seeds, st.floats(2.0, 1e4))
def test_full_slip_opposes_the_slip_with_the_whole_of_mu_times_load(seed, times):
    point = Point(seed)
    slip = slip_of(point, times)
    force = point.friction(0.4, 0.7, 3.0, slip + 0.02 * point.normal)
    direction = slip / np.linalg.norm(slip)
    assert_close(force, -0.4 * 3.0 * direction, rtol=1e-8)  # the normal part of 0.02 rounds slip
    assert force @ slip < 0.0


@pytest.mark.parametrize(("times", "mu"), [(1.0, 0.7), (1.25, 0.625), (1.5, 0.55), (2.0, 0.4)])
def test_coefficient_falls_from_static_to_kinetic_between_one_and_two_stick_speeds(times, mu):
    point = Point(8)
    slip = slip_of(point, times)
    force = point.friction(0.4, 0.7, 3.0, slip)
    assert_close(force, -mu * 3.0 * slip / np.linalg.norm(slip), rtol=1e-12)


@given(st.floats(0.0, 0.999))
def test_a_slope_between_the_two_friction_angles_is_held_below_the_stick_speed(times):
    """tan 0.6 between mu = 0.4 and mu_s = 0.7: any slip below v_s is braked harder than pulled.

    A point mass, so that sticking needs the whole pull; down the slope is +x.
    """
    weight, pull = 2.0, 1.2
    inverse = (1e-9, 0.0, 0.0, 1e-9, 0.0, 1e-9)
    up = (0.0, 0.0, 1.0)
    stick = stick_force(1.0, inverse, rows(np.eye(3)), (0.0, 0.0, 0.0), up, (pull, 0.0, 0.0))
    force = friction_force(0.4, 0.7, V_S, weight, (times * V_S, 0.0, 0.0), up, stick)
    assert force[0] + pull <= 1e-15
    assert_close(force[0] + pull, -times * (0.7 * weight - pull), rtol=1e-14, scale=pull)


@given(seeds)
def test_friction_turns_with_the_world(seed):
    here, there = Point(seed), Point(seed)
    turn = random_rotation(np.random.default_rng(seed + 1))
    there.dcm_AB = turn @ here.dcm_AB
    there.r, there.normal, there.b = turn @ here.r, turn @ here.normal, turn @ here.b
    size = float(np.linalg.norm(here.stick())) * np.linalg.cond(here.mobility())
    assert_close(there.stick(), turn @ here.stick(), rtol=1e-14, scale=10.0 * size)
    # the capped stick keeps its direction to the digits above; slip and stick are blended here
    velocity = 0.3 * V_S * random_direction(np.random.default_rng(seed + 2))
    found = there.friction(0.5, 0.6, 2.0, turn @ velocity)
    expected = turn @ here.friction(0.5, 0.6, 2.0, velocity)
    assert_close(found, expected, rtol=1e-13 * np.linalg.cond(here.mobility()), scale=1.2)


def test_sticking_beyond_the_limit_is_capped_in_its_own_direction():
    point = Point(3)
    stick = point.stick()
    load = 0.1 * float(np.linalg.norm(stick))
    force = point.friction(0.5, 0.8, load, np.zeros(3))
    assert_close(force, 0.8 * load * stick / np.linalg.norm(stick), rtol=1e-14)


def test_sticking_below_the_limit_is_left_alone():
    point = Point(4)
    load = 10.0 * float(np.linalg.norm(point.stick()))
    assert_close(point.friction(0.5, 0.5, load, np.zeros(3)), point.stick(), rtol=1e-15)


@pytest.mark.parametrize(("mu", "load"), [(0.0, 5.0), (0.5, 0.0)])
@pytest.mark.parametrize("speed", [0.0, 0.5 * V_S, 1.0])
def test_without_load_or_coefficient_there_is_no_friction(mu, load, speed):
    point = Point(5)
    slip = speed * point.across() @ np.array([1.0, 2.0, -3.0])
    assert np.all(point.friction(mu, mu, load, slip) == 0.0)


def test_motion_along_the_normal_is_not_slip():
    point = Point(6)
    load = 10.0 * float(np.linalg.norm(point.stick()))
    assert_close(
        point.friction(0.5, 0.5, load, 0.3 * V_S * point.normal), point.stick(), rtol=1e-12
    )


def test_check_has_teeth():
    point = Point(7)
    size = float(np.linalg.norm(point.b)) * np.linalg.cond(point.mobility())
    with pytest.raises(AssertionError):
        assert_close(
            left_over(point, point.stick(1.01)), np.zeros(3), rtol=1e-14, scale=10.0 * size
        )
