"""Normals of a grid on the axes and planes of symmetry of its body: those of the body, not of one side."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.distance.distance_grid import grid_distance, grid_field
from haptos.geometry.distance.grid_build import build_grid
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import platonic_solid


def bodies():
    sphere, faces = icosphere(3)
    return {
        "octahedron": platonic_solid("octahedron"),
        "cube": platonic_solid("cube"),
        "ellipsoid": (sphere * np.array([1.0, 0.7, 0.4]), faces),
    }


def tilt(direction, axis, side):
    return np.degrees(np.arccos(min(side * direction[axis] / np.linalg.norm(direction), 1.0)))


@pytest.mark.parametrize("name", ["octahedron", "cube", "ellipsoid"])
@pytest.mark.parametrize("spacing", [0.05, 0.11, 0.2])
def test_above_an_apex_the_normal_points_along_the_axis(name, spacing):
    """One side alone tilted it by up to 44 degrees."""
    vertices, faces = bodies()[name]
    grid = build_grid(vertices, faces, spacing)
    for axis in range(3):
        top = float(np.abs(vertices[:, axis]).max())
        for side in (-1.0, 1.0):
            for height in (0.0, 0.3 * spacing, 1.3 * spacing):
                for beside in (0.0, 1e-12 * spacing):
                    point = [beside, -beside, beside]
                    point[axis] = side * (top + height)
                    assert tilt(grid_distance(grid, tuple(point))[1], axis, side) < 1e-4
                    assert tilt(grid_field(grid, tuple(point))[1], axis, side) < 1e-4


def test_on_a_plane_of_nodes_the_gradient_is_the_mean_of_both_sides():
    grid = build_grid(*icosphere(3), 0.1)
    node = np.array(grid.origin) + 0.1 * np.round((np.array([0.6, 0.5, 0.7]) - grid.origin) / 0.1)
    beside = 1e-4 * 0.1
    for axis in range(3):
        place = node + np.array([0.031, 0.047, 0.023])
        place[axis] = node[axis]
        step = beside * np.eye(3)[axis]
        _, found, _ = grid_field(grid, tuple(place))
        sides = [np.array(grid_field(grid, tuple(place + way))[1]) for way in (-step, step)]
        assert abs(sides[0][axis] - sides[1][axis]) > 1e-3
        np.testing.assert_allclose(found[axis], 0.5 * (sides[0] + sides[1])[axis], atol=1e-9)


def test_normals_at_the_edge_of_the_box_are_of_the_one_side_there_is():
    grid = build_grid(*platonic_solid("cube"), 0.1)
    low = np.array(grid.origin)
    gap, normal = grid_distance(grid, tuple(low))
    assert gap > 0.0
    np.testing.assert_allclose(normal, np.full(3, -1.0 / np.sqrt(3.0)), atol=0.05)
