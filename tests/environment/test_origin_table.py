"""An origin that J2 moves: Kepler without J2, the node drifts as it must, rows join smoothly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.environment.gravity_j2 import EARTH_J2
from haptos.environment.orbit_frames import (
    EARTH_MU,
    EARTH_RADIUS,
    KeplerElements,
    elements_from_state,
    orbit_period,
    state_from_elements,
)
from haptos.environment.orbital_origin import origin_path, origin_state
from haptos.environment.origin_table import SPACING, origin_table, tabled_state
from tests.close import assert_close

CIRCLE = KeplerElements(EARTH_RADIUS + 5e5, 0.0, math.radians(50.0), 0.3)
ELLIPSE = KeplerElements(8e6, 0.1, 1.2, 2.0, -0.7, 1.0)


@pytest.mark.parametrize("elements", [CIRCLE, ELLIPSE])
def test_without_j2_it_is_the_ellipse_of_kepler(elements):
    """Between rows within h^4 R''''/384, a micrometre; velocities within h^3 R''''/125."""
    spacing, rows = origin_table(*state_from_elements(elements), 1500.0, j2=0.0)
    assert spacing <= SPACING
    for t in (0.0, 0.37, 2.0, 777.7, 1499.9, 1500.0):
        place, speed = tabled_state(spacing, rows, t)
        expected, velocity = origin_state(origin_path(elements), t)
        assert_close(place, expected, rtol=1e-12)
        assert_close(speed, velocity, rtol=1e-9)


def test_j2_turns_the_node_at_its_published_rate():
    """-3/2 n J2 (Re/p)^2 cos i over one turn; terms of J2 squared are a thousandth of it."""
    period = orbit_period(CIRCLE.semi_major_axis)
    spacing, rows = origin_table(*state_from_elements(CIRCLE), period)
    mean = 2.0 * math.pi / period
    ratio = EARTH_RADIUS / CIRCLE.semi_major_axis
    expected = -1.5 * mean * EARTH_J2 * ratio**2 * math.cos(CIRCLE.inclination) * period
    pole = elements_from_state(rows[-1, :3], rows[-1, 3:])
    assert_close(pole.node - CIRCLE.node, expected, rtol=0.01)
    assert spacing * (len(rows) - 1) == pytest.approx(period)


def test_j2_changes_a_place_by_hundreds_of_metres_in_five_minutes():
    spacing, rows = origin_table(*state_from_elements(CIRCLE), 300.0)
    place = np.array(tabled_state(spacing, rows, 300.0)[0])
    away = np.linalg.norm(place - origin_state(origin_path(CIRCLE), 300.0)[0])
    assert 100.0 < away < 1000.0


def test_velocity_is_the_rate_of_the_place_and_the_ends_are_held():
    spacing, rows = origin_table(*state_from_elements(ELLIPSE), 60.0)
    for t in (0.4, 2.0, 31.3):
        step = 1e-3
        before, after = (np.array(tabled_state(spacing, rows, t + s)[0]) for s in (-step, step))
        assert_close(tabled_state(spacing, rows, t)[1], (after - before) / (2.0 * step), rtol=1e-9)
    assert tabled_state(spacing, rows, 70.0)[0] == tabled_state(spacing, rows, 60.0)[0]


def test_check_has_teeth():
    spacing, rows = origin_table(*state_from_elements(CIRCLE), 300.0, mu=1.01 * EARTH_MU, j2=0.0)
    expected = origin_state(origin_path(CIRCLE), 300.0)[0]
    with pytest.raises(AssertionError):
        assert_close(tabled_state(spacing, rows, 300.0)[0], expected, rtol=1e-12)
