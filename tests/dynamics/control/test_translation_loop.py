"""Place held by thrusters: gains, deadband, orbit's share, modes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.control.modes import LoopMode
from haptos.dynamics.control.translation_loop import TranslationLoop, beyond, tidal_acceleration
from haptos.environment.orbital_origin import differential_gravity
from tests.close import assert_close

LOOP = TranslationLoop(1000.0, 0.05, 0.8, 5e-3, 5e-4)


def test_gains_of_1000_kg_are_those_of_the_closed_form():
    assert_close(LOOP.gains(LoopMode.ACTIVE), (2.5, 80.0), rtol=1e-12)


def test_nothing_is_asked_within_the_deadband():
    assert not LOOP.force(LoopMode.ACTIVE, [4e-3, -5e-3, 0.0], [4e-4, 0.0, -5e-4]).any()
    assert_close(beyond([7e-3, -7e-3, 1e-3], 5e-3), [2e-3, -2e-3, 0.0], rtol=1e-12)


def test_outside_it_the_force_is_continuous():
    asked = LOOP.force(LoopMode.ACTIVE, [15e-3, 0.0, 0.0], [0.0, -1.5e-3, 0.0])
    assert_close(asked, [-2.5 * 10e-3, 80.0 * 1e-3, 0.0], rtol=1e-9)


def test_the_pull_of_the_orbit_is_added_and_modes_leave_parts_out():
    held = np.array([1e-8, 0.0, 0.0])
    assert_close(
        LOOP.force(LoopMode.ACTIVE, np.zeros(3), np.zeros(3), held), 1e3 * held, rtol=1e-12
    )
    assert not LOOP.force(LoopMode.DAMP, [1.0, 0.0, 0.0], np.zeros(3), held).any()
    assert not LOOP.force(LoopMode.FREE, [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], held).any()


def test_the_pull_of_the_orbit_is_the_difference_of_gravity_to_first_order():
    mu, radius, up = 3.986004418e14, 42.16417e6, np.array([0.6, 0.8, 0.0])
    place = np.array([3.0, -2.0, 5.0])
    _, exact = differential_gravity(tuple(place), tuple(radius * up), mu)
    found = tidal_acceleration(mu / radius**3, up, place)
    assert_close(found, np.array(exact), rtol=1e-6)
    with pytest.raises(AssertionError):
        assert_close(
            tidal_acceleration(1.01 * mu / radius**3, up, place), np.array(exact), rtol=1e-6
        )
