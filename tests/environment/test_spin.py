"""Spin of the body: conserved quantities, a closed-form precession, a uniform rotator."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.rotations import quaternion_rate, rotation_matrix
from haptos.environment.spin import tumbling_acceleration, uniform_attitude, uniform_attitudes
from tests.close import assert_close

MOMENTS = (1.0, 2.0, 2.5)
OMEGA = (1e-4, -3e-4, 2e-4)


def test_acceleration_solves_eulers_equation():
    inertia, omega = np.diag(MOMENTS), np.array(OMEGA)
    expected = np.linalg.solve(inertia, -np.cross(omega, inertia @ omega))
    assert_close(tumbling_acceleration(OMEGA, MOMENTS), expected, rtol=1e-15)


def test_energy_and_angular_momentum_do_not_change():
    momentum = np.array(MOMENTS) * np.array(OMEGA)
    change = np.array(tumbling_acceleration(OMEGA, MOMENTS))
    power = float(np.linalg.norm(momentum) * np.linalg.norm(change))
    assert_close(momentum @ change, 0.0, rtol=1e-15, scale=power)
    turned = np.array(MOMENTS) * change + np.cross(OMEGA, momentum)
    torque = float(np.linalg.norm(momentum) * np.linalg.norm(OMEGA))
    assert_close(turned, np.zeros(3), rtol=1e-15, scale=torque)


def advanced(omega, moments, duration, steps):
    """omega after a while, by the classical Runge-Kutta rule."""
    w, h = np.array(omega), duration / steps
    for _ in range(steps):
        k1 = np.array(tumbling_acceleration(w, moments))
        k2 = np.array(tumbling_acceleration(w + 0.5 * h * k1, moments))
        k3 = np.array(tumbling_acceleration(w + 0.5 * h * k2, moments))
        k4 = np.array(tumbling_acceleration(w + h * k3, moments))
        w = w + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return w


def precession(omega, transverse, axial, duration):
    """Symmetric top: the transverse rate turns at (axial - transverse) / transverse omega_z."""
    angle = (axial - transverse) / transverse * omega[2] * duration
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * omega[0] - s * omega[1], s * omega[0] + c * omega[1], omega[2]])


def test_symmetric_body_precesses_at_the_known_rate():
    omega = (0.3, -0.1, 0.8)
    found = advanced(omega, (2.0, 2.0, 3.0), 10.0, 2000)
    assert_close(found, precession(omega, 2.0, 3.0, 10.0), rtol=1e-10)


def test_equal_moments_have_no_acceleration():
    assert max(abs(part) for part in tumbling_acceleration(OMEGA, (2.0, 2.0, 2.0))) == 0.0


def test_uniform_rotator_returns_after_one_period_and_carries_x_to_y_in_a_quarter():
    period = 43_680.0
    omega = (0.0, 0.0, 2.0 * math.pi / period)
    dcm_NA = np.array(rotation_matrix(uniform_attitude(omega, 0.25 * period)))
    assert_close(dcm_NA @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], rtol=1e-15)
    full = np.array(rotation_matrix(uniform_attitude(omega, period)))
    assert_close(full, np.eye(3), rtol=1e-15)


def test_attitude_of_a_uniform_rotator_obeys_the_kinematic_equation():
    omega, time, step = (0.2, -0.5, 0.4), 7.0, 1e-3
    ends = [np.array(uniform_attitude(omega, time + k * step)) for k in (-2, -1, 1, 2)]
    slope = (ends[0] - 8.0 * ends[1] + 8.0 * ends[2] - ends[3]) / (12.0 * step)
    assert_close(slope, quaternion_rate(uniform_attitude(omega, time), omega), rtol=1e-11)


def test_body_at_rest_keeps_its_attitude():
    assert uniform_attitude((0.0, 0.0, 0.0), 1e6) == (1.0, 0.0, 0.0, 0.0)


def test_many_attitudes_are_the_single_ones():
    times = np.linspace(0.0, 1e5, 50)
    expected = [uniform_attitude(OMEGA, time) for time in times.tolist()]
    assert_close(uniform_attitudes(OMEGA, times), expected, rtol=1e-14)
    assert uniform_attitudes((0.0, 0.0, 0.0), [0.0, 7.0]).tolist() == [[1.0, 0.0, 0.0, 0.0]] * 2


def test_check_has_teeth():
    omega = (0.3, -0.1, 0.8)
    found = advanced(omega, (2.0, 2.0, 3.0 * 1.01), 10.0, 2000)
    with pytest.raises(AssertionError):
        assert_close(found, precession(omega, 2.0, 3.0, 10.0), rtol=1e-10)
