"""Bullets as spheres: how many, that they cover, that they do not reach far out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.polyhedra import prism_solid
from haptos.geometry.nets.bullet_spheres import (
    bullet_moments,
    bullet_spheres,
    critical_aspect,
    sphere_count,
    sphere_excess,
)
from tests.close import assert_close


def test_one_sphere_around_a_cube_exceeds_it_by_a_fifth():
    assert_close(sphere_excess(1.0, 1), 0.5 * (math.sqrt(2.0) - 1.0), rtol=1e-15)
    assert_close(sphere_excess(1.0, 1), 0.207, rtol=1e-3)


@pytest.mark.parametrize(
    ("count", "over"), [(1, 0.204), (2, 0.240), (3, 0.255), (4, 0.263), (5, 0.269)]
)
def test_one_more_sphere_is_taken_beyond_each_critical_ratio(count, over):
    critical = critical_aspect(count)
    assert_close(critical - count, over, rtol=3e-3)
    assert sphere_count(critical - 1e-6) == count
    assert sphere_count(critical + 1e-6) == count + 1


@given(st.floats(1.0, 30.0))
def test_no_other_number_of_spheres_is_better(aspect):
    best = sphere_excess(aspect, sphere_count(aspect))
    assert all(best <= sphere_excess(aspect, count) + 1e-15 for count in range(1, 40))


@given(st.floats(0.01, 0.2), st.floats(0.01, 0.8))
@settings(max_examples=40)
def test_spheres_cover_the_cylinder_and_stay_near_it(radius, height):
    centres, radii = bullet_spheres(radius, height)
    rng = np.random.default_rng(1)
    turn = rng.uniform(0.0, 2.0 * math.pi, 500)
    out = radius * np.sqrt(np.minimum(1.0, rng.uniform(0.0, 2.0, 500)))  # half of them on the side
    points = np.column_stack(
        [
            out * np.cos(turn),
            out * np.sin(turn),
            np.clip(rng.uniform(-1.0, 1.0, 500), -0.5, 0.5) * height,
        ]
    )
    away = np.linalg.norm(points[:, None] - centres[None], axis=2)
    assert (away <= radii * (1.0 + 1e-12)).any(axis=1).all()
    # no sphere reaches out farther than a cube's own, times the room of a square cell
    reach = np.abs(centres[:, 2]) + radii
    assert (reach - 0.5 * height <= 0.6 * min(2.0 * radius, 1.5 * height)).all()


def test_long_bullets_are_cut_along_and_flat_ones_across():
    centres, radii = bullet_spheres(0.02, 0.2)
    assert len(centres) == 5
    assert np.ptp(centres[:, :2]) == 0.0
    assert_close(np.diff(centres[:, 2]), np.full(4, 0.04), rtol=1e-12)
    assert_close(radii, np.full(5, math.hypot(0.02, 0.02)), rtol=1e-14)
    flat, sizes = bullet_spheres(0.1, 0.02)
    assert np.ptp(flat[:, 2]) == 0.0
    assert len(flat) > 60
    assert sizes.max() < 0.02
    assert (np.hypot(flat[:, 0], flat[:, 1]) < 0.1).all()


def test_a_disc_keeps_the_symmetry_of_its_grid():
    centres, radii = bullet_spheres(0.1, 0.03)
    table = {
        (round(x, 9), round(y, 9)): round(r, 9) for (x, y, _), r in zip(centres, radii, strict=True)
    }
    assert all(table[(-x + 0.0, y)] == table[(y, x)] == r for (x, y), r in table.items())


def test_moments_are_those_of_a_prism_of_many_sides():
    vertices, faces = prism_solid(400, 0.05, 0.2)
    prism = mass_properties(vertices, faces)
    wanted = 0.3 * np.diag(prism.inertia_per_mass)
    assert_close(bullet_moments(0.3, 0.05, 0.2), wanted, rtol=2e-4)


@pytest.mark.parametrize(
    "size", [(0.0, 1.0), (1.0, -1.0), (math.nan, 1.0), (1e-6, 1.0), (1.0, 1e-3)]
)
def test_impossible_bullets_are_refused(size):
    with pytest.raises(GeometryError, match="bullet"):
        bullet_spheres(*size)


def test_check_has_teeth():
    assert_close(sphere_excess(1.0, 1), 0.207, rtol=1e-3)
    with pytest.raises(AssertionError):
        assert_close(sphere_excess(1.01, 1), 0.207, rtol=1e-3)
