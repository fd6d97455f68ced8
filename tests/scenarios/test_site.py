"""A site on a ground: its axes, its gravity and its ground, by closed forms on a sphere that turns."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.scenarios.files import default
from haptos.scenarios.worlds.site import Site, site_of
from tests.close import assert_close

RADIUS, MU, PERIOD = 200.0, 30.0, 2.0  # [m], [m^3/s^2], [h]
SPIN = 2.0 * math.pi / (3600.0 * PERIOD)
Z = np.array([0.0, 0.0, 1.0])


def site(target: list[float], heading: float = 0.0) -> Site:
    """A site on a sphere that turns about z."""
    world = {
        "surface": {"shape": "sphere", "radius_m": RADIUS}, "gravity": {"model": "point", "mu_m3_per_s2": MU},
        "spin": {"kind": "uniform", "period_h": PERIOD}, "site": {"target_m": target, "heading_deg": heading},
        "ground": {"gravity_m_per_s2": 0.0},
    }  # fmt: skip
    found = site_of(default("harpoon", world))
    assert found is not None
    return found


@pytest.mark.parametrize("heading", [0.0, 90.0, 30.0])
def test_x_is_level_at_its_heading_from_east_to_north(heading):
    """The target stands off the ground: its foot is the origin."""
    latitude, longitude, h = 0.7, 0.4, math.radians(heading)
    up = np.array([math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)])  # fmt: skip
    east = np.array([-math.sin(longitude), math.cos(longitude), 0.0])
    north = np.cross(up, east)
    found = site((1.05 * RADIUS * up).tolist(), heading)
    assert_close(found.origin, RADIUS * up, rtol=1e-12)
    x = math.cos(h) * east + math.sin(h) * north
    assert_close(found.axes, np.stack([x, np.cross(up, x), up]), rtol=1e-12, scale=1.0)
    assert_close(rotation_matrices(found.quaternion), found.axes, rtol=1e-12, scale=1.0)


def test_axes_at_a_pole_are_level_and_right_handed():
    found = site([0.0, 0.0, RADIUS])
    assert_close(found.axes @ found.axes.T, np.eye(3), rtol=1e-12, scale=1.0)
    assert_close(found.axes[2], Z, rtol=1e-12, scale=1.0)
    assert_close(np.linalg.det(found.axes), 1.0, rtol=1e-12)


@pytest.mark.parametrize("height", [0.0, 50.0])
def test_gravity_of_what_rests_has_the_part_of_the_spin(height):
    gaps, normals, pulls = site([RADIUS, 0.0, 0.0]).at([0.0, 0.0, height])
    r = RADIUS + height
    assert_close(gaps[0], height, rtol=1e-12, scale=RADIUS)
    assert_close(normals[0], Z, rtol=1e-12, scale=1.0)
    assert_close(pulls[0], (SPIN**2 * r - MU / r**2) * Z, rtol=1e-12, scale=MU / r**2)


def test_what_moves_feels_the_coriolis_force_of_the_spin():
    """At the equator x is east, y north, along the spin: what falls is pushed east, what goes east is lifted."""
    found = site([RADIUS, 0.0, 0.0])
    rest, fall, east = (found.pull([0.0, 0.0, 0.0], v) for v in ([0, 0, 0], [0, 0, -3.0], [2.0, 0, 0]))  # fmt: skip
    assert_close(fall - rest, [6.0 * SPIN, 0.0, 0.0], rtol=1e-10, scale=6.0 * SPIN)
    assert_close(east - rest, [0.0, 0.0, 4.0 * SPIN], rtol=1e-10, scale=4.0 * SPIN)


def test_places_are_dropped_on_to_the_ground_under_them():
    aside = 30.0
    dropped = site([RADIUS, 0.0, 0.0]).dropped([[aside, 0.0, 5.0]])[0]
    low = math.sqrt(RADIUS**2 - aside**2) - RADIUS
    assert_close(dropped, [aside, 0.0, low], rtol=1e-9, scale=RADIUS)


def test_the_ground_leaves_its_plane_by_its_curvature():
    """A circle of 20 m in the plane that touches a sphere of 200 m is 1 m over it at its edge."""
    found = site([RADIUS, 0.0, 0.0]).roughness([0.0, 0.0, 0.0], Z, 20.0)
    assert_close(found, (math.hypot(RADIUS, 20.0) - RADIUS) / 20.0, rtol=1e-9)


def test_the_middle_of_a_body_is_no_target():
    with pytest.raises(ConfigError, match="no one place"):
        site([0.0, 0.0, 0.0])
    assert np.abs(site([0.0, 30.0, 0.0]).origin - [0.0, RADIUS, 0.0]).max() < 1e-9
