"""Rolling resistance in impacts: closed forms of a sphere, the untouched contact point, energy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.contact.collision import Coefficients, collide, collision_scratch
from haptos.contact.collision_rolling import rolling_rate
from haptos.contact.collision_segments import ENERGETIC
from haptos.core.symmetric import six_of
from tests.close import assert_close
from tests.contact.bodies import random_direction, random_inertia, random_rotation, rows, triple
from tests.contact.impact_cases import UP

SCRATCH = collision_scratch()
MASS, RADIUS = 5.0, 0.125
INERTIA = 0.4 * MASS * RADIUS**2
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def sphere_hit(v, w, c_rr, w_s=1e-6, e=0.6, f=0.5):
    inverse = six_of(np.eye(3) / INERTIA)
    given = Coefficients(e, f, ENERGETIC, c_rr, w_s)
    return collide(MASS, inverse, AXES, (0.0, 0.0, -RADIUS), v, w, UP, given, SCRATCH)


def rolling_loss(c_error=1.0):
    """Rate left of a sphere that rolls into an impact, and the closed form w - C p / I."""
    rate, c = 2.0, 0.002
    found = sphere_hit((rate * RADIUS, 0.0, -0.05), (0.0, rate, 0.0), (c_error * c,) * 3)
    p = 1.6 * MASS * 0.05
    return found, rate - c * p / INERTIA


def test_rolling_sphere_slows_by_its_closed_form():
    found, expected = rolling_loss()
    assert_close(found.w_B, (0.0, expected, 0.0), rtol=1e-13)
    assert_close(found.v, (expected * RADIUS, 0.0, 0.03), rtol=1e-13)
    before, after = 0.5 * (INERTIA + MASS * RADIUS**2) * np.array([2.0, expected]) ** 2
    assert_close(found.rolling_work, after - before, rtol=1e-12)
    assert found.friction_work == 0.0


def test_check_has_teeth():
    found, expected = rolling_loss(c_error=1.01)
    with pytest.raises(AssertionError):
        assert_close(found.w_B, (0.0, expected, 0.0), rtol=1e-13)


def test_strong_resistance_stops_a_rolling_sphere_and_does_not_turn_it_back():
    found = sphere_hit((0.25, 0.0, -0.05), (0.0, 2.0, 0.0), (0.5, 0.5, 0.5))
    assert_close(np.append(found.v[:2], found.w_B), np.zeros(5), rtol=1e-12, scale=2.0)
    assert_close(found.rolling_work, -0.5 * (INERTIA + MASS * RADIUS**2) * 4.0, rtol=1e-12)


def test_an_axis_without_coefficient_rolls_on():
    found = sphere_hit((0.25, 0.0, -0.05), (0.0, 2.0, 0.0), (0.002, 0.0, 0.002))
    assert_close(found.w_B, (0.0, 2.0, 0.0), rtol=1e-15)
    assert found.rolling_work == 0.0


def random_hit(seed):
    rng = np.random.default_rng(seed)
    mass = 10.0 ** rng.uniform(-1.0, 2.0)
    inertia = random_inertia(rng, mass, 0.2)
    body = (mass, six_of(np.linalg.inv(inertia)), rows(random_rotation(rng)))
    r, normal = triple(0.3 * rng.normal(size=3)), triple(random_direction(rng))
    v, w = triple(rng.normal(size=3)), triple(5.0 * rng.normal(size=3))
    c_rr = triple(rng.uniform(0.0, 0.05, 3) * rng.integers(0, 2, 3))
    given = Coefficients(rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.5), ENERGETIC, c_rr, 0.3)
    return body, inertia, r, v, w, normal, given


@given(st.integers(0, 2**32 - 1))
def test_contact_point_does_not_feel_it_and_energy_only_falls(seed):
    body, inertia, r, v, w, normal, given = random_hit(seed)
    dcm = np.array(body[2])
    with_it = collide(*body, r, v, w, normal, given, SCRATCH)
    without = collide(*body, r, v, w, normal, given._replace(rolling=(0.0, 0.0, 0.0)), SCRATCH)
    nu = [np.array(x.v) + np.cross(dcm @ x.w_B, r) for x in (with_it, without)]
    size = float(np.linalg.norm(v)) + 10.0
    assert_close(nu[0], nu[1], rtol=1e-12, scale=size)
    assert with_it.rolling_work <= 0.0

    def energy(x):
        return 0.5 * (body[0] * np.dot(x.v, x.v) + x.w_B @ inertia @ np.array(x.w_B))

    change = energy(with_it) - energy(without)
    # works of the contact impulse are the same, so the difference is all rolling resistance
    assert_close(with_it.rolling_work, change, rtol=1e-11, scale=energy(without) + 1e-3)


def test_the_path_in_p_is_that_of_the_differential_equation():
    """One sticking hit of a sphere with spin: dw/dp integrated by solve_ivp with the same rates."""
    c_rr, w_s = (0.004, 0.002, 0.003), 0.5
    inverse = np.eye(3) / INERTIA
    w0, v0 = np.array([0.8, -1.0, 1.5]), np.array([-0.125, -0.1, -0.2])  # rolls: nu = (0, 0, -0.2)
    found = sphere_hit(triple(v0), triple(w0), c_rr, w_s)
    still = np.zeros(3)  # the contact impulse goes through the centre
    exact = solve_ivp(
        lambda _, w: inverse @ np.array(rolling_rate(c_rr, w_s, triple(w), triple(still))),
        (0.0, 1.6 * MASS * 0.2), w0, "DOP853", rtol=1e-12, atol=1e-14,
    )  # fmt: skip
    assert_close(found.w_B, exact.y[:, -1], rtol=1e-4)


def test_lock_is_capped_by_the_coefficients():
    rate = rolling_rate((0.1, 0.2, 0.0), 1e-3, (0.0, 0.0, 0.0), (0.05, -0.5, 3.0))
    assert_close(rate, (-0.05, 0.2, 0.0), rtol=1e-15)
