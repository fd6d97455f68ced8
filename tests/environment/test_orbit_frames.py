"""Elements to states and back, and the axes of V-bar, H-bar and R-bar."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.environment.orbit_frames import (
    EARTH_MU,
    KeplerElements,
    elements_from_state,
    later,
    lvlh_axes,
    mean_anomaly,
    orbit_period,
    state_from_elements,
)
from tests.close import assert_close

angles = st.floats(-3.1, 3.1)
ellipses = st.builds(
    KeplerElements, st.floats(6.6e6, 5e7), st.floats(0.01, 0.9), st.floats(0.05, 3.0),
    angles, angles, angles,
)  # fmt: skip


def test_textbook_example_of_elements_from_a_state():
    """Vallado's example 2-5: R (6524.834, 6862.875, 6448.296) km, V (4.901327, 5.533756, -1.976341)."""
    found = elements_from_state(
        [6524834.0, 6862875.0, 6448296.0], [4901.327, 5533.756, -1976.341], 3.986004415e14
    )
    assert_close(found.semi_major_axis, 36127343.0, rtol=1e-5)
    assert_close(found.eccentricity, 0.832853, rtol=1e-5)
    degrees = np.degrees([found.inclination, found.node, found.periapsis, found.true_anomaly])
    assert_close(degrees, [87.870, 227.898 - 360.0, 53.38, 92.335], rtol=1e-4)


@given(ellipses)
def test_elements_come_back_from_their_state(elements):
    found = elements_from_state(*state_from_elements(elements))
    assert_close(found.semi_major_axis, elements.semi_major_axis, rtol=1e-9)
    names = ("eccentricity", "inclination", "node", "periapsis", "true_anomaly")
    for name in names:
        assert_close(getattr(found, name), getattr(elements, name), rtol=1e-9, scale=1.0)


@pytest.mark.parametrize("eccentricity", [0.0, 0.3])
@pytest.mark.parametrize("inclination", [0.0, 0.9, math.pi])
def test_circles_and_equatorial_orbits_keep_their_state(eccentricity, inclination):
    elements = KeplerElements(7e6, eccentricity, inclination, 0.4, 0.7, 1.1)
    place, velocity = state_from_elements(elements)
    again = state_from_elements(elements_from_state(place, velocity))
    assert_close(again[0], place, rtol=1e-9)
    assert_close(again[1], velocity, rtol=1e-9)


@given(ellipses, st.floats(0.0, 1e5))
def test_energy_and_momentum_are_the_same_later(elements, time):
    for state in (state_from_elements(elements), state_from_elements(later(elements, time))):
        r, v = state
        energy = 0.5 * v @ v - EARTH_MU / np.linalg.norm(r)
        assert_close(energy, -0.5 * EARTH_MU / elements.semi_major_axis, rtol=1e-9)
    turned = later(elements, orbit_period(elements.semi_major_axis))
    assert_close(mean_anomaly(turned), mean_anomaly(elements), rtol=1e-8, scale=1.0)


@given(ellipses)
def test_axes_are_right_handed_and_named_as_flown(elements):
    place, velocity = state_from_elements(elements)
    dcm_LN = np.array(lvlh_axes(tuple(place), tuple(velocity)))
    assert_close(dcm_LN @ dcm_LN.T, np.eye(3), rtol=1e-12)
    assert_close(np.linalg.det(dcm_LN), 1.0, rtol=1e-12)
    assert_close(dcm_LN @ place, [0.0, 0.0, -np.linalg.norm(place)], rtol=1e-12)
    assert_close((dcm_LN @ velocity)[1], 0.0, rtol=1e-9, scale=np.linalg.norm(velocity))
    assert (dcm_LN @ velocity)[0] > 0.0
    momentum = np.cross(place, velocity)
    assert (dcm_LN @ momentum)[1] < 0.0


def test_on_a_circle_the_velocity_is_along_v_bar():
    place, velocity = state_from_elements(KeplerElements(6878e3, 0.0, 0.9, 0.3, 0.0, 2.0), 3.986e14)
    along = np.array(lvlh_axes(tuple(place), tuple(velocity))) @ velocity
    assert_close(along, [7612.7, 0.0, 0.0], rtol=1e-5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: KeplerElements(-7e6),
        lambda: KeplerElements(7e6, 1.0),
        lambda: KeplerElements(7e6, 0.0, -0.1),
        lambda: KeplerElements(math.nan),
        lambda: elements_from_state([7e6, 0.0, 0.0], [12e3, 0.0, 1.0]),
        lambda: elements_from_state([7e6, 0.0, 0.0], [1e3, 0.0, 0.0]),
        lambda: elements_from_state([0.0, 0.0, 0.0], [1e3, 0.0, 0.0]),
    ],
)
def test_what_is_no_ellipse_is_refused(call):
    with pytest.raises(ConfigError, match="orbit"):
        call()


def test_check_has_teeth():
    place, velocity = state_from_elements(KeplerElements(7e6, 0.1, 0.9, 0.3, 0.2, 2.0))
    found = elements_from_state(place, 1.01 * velocity)
    with pytest.raises(AssertionError):
        assert_close(found.semi_major_axis, 7e6, rtol=1e-9)
