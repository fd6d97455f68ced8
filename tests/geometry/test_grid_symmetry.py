"""Normals of a grid on the axes and planes of symmetry of its body: those of the body, not of one side."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.distance_grid import grid_distance
from haptos.geometry.grid_build import build_grid
from haptos.geometry.icosphere import icosphere
from haptos.geometry.polyhedra import platonic_solid


def bodies():
    sphere, faces = icosphere(3)
    return {
        "octahedron": platonic_solid("octahedron"),
        "cube": platonic_solid("cube"),
        "ellipsoid": (sphere * np.array([1.0, 0.7, 0.4]), faces),
    }


@pytest.mark.parametrize("name", ["octahedron", "cube", "ellipsoid"])
@pytest.mark.parametrize("spacing", [0.05, 0.11, 0.2])
def test_above_an_apex_the_normal_points_along_the_axis(name, spacing):
    vertices, faces = bodies()[name]
    grid = build_grid(vertices, faces, spacing)
    for axis in range(3):
        top = float(np.abs(vertices[:, axis]).max())
        for side in (-1.0, 1.0):
            for height in (0.0, 0.3 * spacing, 1.3 * spacing):
                point = [0.0, 0.0, 0.0]
                point[axis] = side * (top + height)
                _, normal = grid_distance(grid, tuple(point))
                tilt = np.degrees(np.arccos(min(side * normal[axis], 1.0)))
                assert tilt < 1e-4, (name, axis, side, height, tilt)


def test_beside_an_apex_both_sides_tilt_alike():
    """Its cell is flat on top; beyond it the normals of the two sides are mirror images."""
    grid = build_grid(*platonic_solid("octahedron"), 0.1)
    tilts = [grid_distance(grid, (x, 0.0, 0.72))[1][0] for x in (-0.08, -0.04, 0.0, 0.04, 0.08)]
    assert np.abs(tilts[1:4]).max() < 1e-9
    assert tilts[4] > 0.5
    assert abs(tilts[0] + tilts[4]) < 1e-9
