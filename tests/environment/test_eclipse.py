"""Shadow of the Earth: a cylinder, and how much of an orbit lies in it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.environment.eclipse import eclipse_share, is_lit
from haptos.environment.gravity_terms import ASTRONOMICAL_UNIT, sunlit_share
from tests.close import assert_close

RADIUS, ORBIT = 6378e3, 6878e3
FROM_SUN = (1.0, 0.0, 0.0)


def test_day_side_beside_and_behind():
    assert is_lit((-ORBIT, 0.0, 0.0), FROM_SUN, RADIUS)
    assert is_lit((ORBIT, RADIUS * 1.001, 0.0), FROM_SUN, RADIUS)
    assert not is_lit((ORBIT, RADIUS * 0.999, 0.0), FROM_SUN, RADIUS)
    assert not is_lit((ORBIT, 0.0, 0.0), FROM_SUN, RADIUS)


def counted_share(beta, points=100_000):
    """Share of points of a circular orbit in shadow, the Sun at an angle beta to its plane."""
    along = (math.cos(beta), 0.0, math.sin(beta))
    u = (np.arange(points) + 0.5) * 2.0 * math.pi / points
    places = ORBIT * np.stack([np.cos(u), np.sin(u), np.zeros_like(u)], axis=-1)
    return sum(not is_lit(tuple(p), along, RADIUS) for p in places.tolist()) / points


@pytest.mark.parametrize(("degrees", "share"), [(0.0, 0.378), (23.4, 0.366)])
def test_shares_of_an_orbit_at_500_kilometres(degrees, share):
    beta = math.radians(degrees)
    assert_close(eclipse_share(ORBIT, RADIUS, beta), share, rtol=0.0015)
    assert_close(counted_share(beta), eclipse_share(ORBIT, RADIUS, beta), rtol=1e-4)


def test_an_orbit_that_faces_the_sun_is_never_dark():
    assert eclipse_share(ORBIT, RADIUS, math.radians(80.0)) == 0.0
    assert counted_share(math.radians(80.0), 1000) == 0.0


def test_the_step_lies_within_the_half_shadow():
    """The law with a half shadow is half lit where this one steps."""
    edge = (3e6, RADIUS, 0.0)
    share = sunlit_share(edge, (-1.0, 0.0, 0.0), ASTRONOMICAL_UNIT, RADIUS)
    assert_close(share, 0.5, rtol=1e-9)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(eclipse_share(ORBIT, 1.01 * RADIUS), 0.378, rtol=0.0015)
