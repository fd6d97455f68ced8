"""Distances, searches and terrain, compiled and in Python."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from haptos.geometry.distance import distance_grid, distance_mesh, surface
from haptos.geometry.mesh import triangle_tree
from haptos.geometry.terrain import noise, regions, rock_shape, rock_sizes
from tests.geometry.closed_meshes import SHAPES, points_about
from tests.geometry.distance.test_distance_grid import GRIDS, points_in
from tests.geometry.distance.test_surface import GROUNDS, POINTS, SURFACES
from tests.geometry.terrain.test_noise import noise_of
from tests.geometry.terrain.test_regions import MIXED, NEAR
from tests.kernels.harness import Case, drawn, vectors


def grounds() -> Iterator[tuple[object, ...]]:
    yield from ((one, x) for one in SURFACES for x in POINTS)
    yield from ((one, x) for one in GROUNDS.values() for x in POINTS[:12] + POINTS[-2:])


def grids() -> Iterator[tuple[object, ...]]:
    for grid in GRIDS.values():
        top = tuple(o + n * grid.block for o, n in zip(grid.origin, grid.counts, strict=True))
        special = [(0.0, 0.0, 0.0), grid.origin, top, (1e9, -1e9, 3.0), (0.05, 0.1, 0.4)]
        yield from ((grid, x) for x in [*map(tuple, points_in(grid, 100, beyond=0.3)), *special])
    yield distance_grid.no_grid(), (0.1, 0.2, 0.3)


def solids() -> Iterator[tuple[object, ...]]:
    for shape in ("spike", "box", "torus"):
        vertices, faces = SHAPES[shape]()
        mesh, stack = distance_mesh.solid_mesh(vertices, faces), np.zeros((triangle_tree.STACK, 2))
        for x in [*points_about(vertices, 20).tolist(), *vertices[:4].tolist()]:
            yield mesh, tuple(x), 0, stack


def trees() -> Iterator[tuple[object, ...]]:
    vertices, faces = SHAPES["spike"]()
    tree, stack = triangle_tree.triangle_tree(vertices, faces), np.zeros((triangle_tree.STACK, 2))
    yield from ((tree, tuple(x), 3, stack) for x in points_about(vertices, 60).tolist())


def places() -> Iterator[tuple[object, ...]]:
    yield from ((MIXED, tuple(x)) for x in NEAR[:100].tolist())
    yield from ((MIXED, x) for x in ((9.0, -9.0, 0.0), (-9.0, 0.1, 9.0)))


CASES = {
    "gap_and_normal": Case(surface.gap_and_normal, grounds),
    "gap_bound": Case(surface.gap_bound, grounds),
    "grid_distance": Case(distance_grid.grid_distance, grids),
    "grid_gap": Case(distance_grid.grid_gap, grids),
    "grid_field": Case(distance_grid.grid_field, grids),
    "grid_gap_bound": Case(distance_grid.grid_gap_bound, grids),
    "grid_foot": Case(distance_grid.grid_foot, lambda: ((*given, 1e-9) for given in grids())),
    "mesh_distance": Case(distance_mesh.mesh_distance, solids),
    "closest_triangle": Case(triangle_tree.closest_triangle, trees),
    "noise_at": Case(
        noise.noise_at,
        lambda: ((noise_of(kind), x) for kind in (noise.PLAIN, noise.RIDGED) for x in vectors(25, 50.0)),
    ),
    "rock_size": Case(rock_sizes.rock_size, lambda: ((y, 2.8, 0.05, 0.5) for (y,) in drawn(40, (0.0, 1.0 - 1e-12)))),
    "shape_at": Case(
        rock_shape.shape_at,
        lambda: (
            (rock_shape.shape_directions("truncated_icosahedron"), p, y)
            for p in (8.0, 100.0, math.inf)
            for y in vectors(20)
        ),
        rtol=1e-12,
        scale=None,
    ),
    "region_at": Case(regions.region_at, places),
    "relief_at": Case(regions.relief_at, places),
}  # fmt: skip
