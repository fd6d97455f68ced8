"""Facets under polyhedral rocks: on the ground that a grid has, bounded, and never passed by a search."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.distance.grid_build import build_grid
from haptos.geometry.distance.surface import grid_surface, ground_feet
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.terrain.land import grid_slope, land_of
from haptos.geometry.terrain.rock_ground import LIFT_FACTOR, MOST_FACETS, rock_ground, splits_of
from haptos.geometry.terrain.rocks_polyhedral_field import polyhedral_rocks
from haptos.geometry.terrain.terrain import terrain
from tests.geometry.distance.test_surface import clear_way_at, first_below, march

UNIT, FACES = icosphere(0)
VERTICES = 3.0 * UNIT * np.array([1.0, 1.0, 0.7])
SPACING = 2.0  # [m] some half of a facet's side: edges are cut by decimetres
GRID = build_grid(VERTICES, FACES, SPACING)
GROUND = grid_surface(land_of(GRID))
LAID = rock_ground(GROUND, VERTICES, FACES)
ROCKS = (4.0, 2.8, 0.05, 0.3)  # K [1/m^2], index, sizes [m]
HIGH = (-0.4, -0.3)  # [-] sink of rocks that stand out
BALL = 0.1  # [m]


def gaps_of(vertices, faces):
    """|gap| [m] of points spread over every facet."""
    shares = np.random.default_rng(3).dirichlet(np.ones(3), size=(40, len(faces)))
    points = np.einsum("sfk,fki->sfi", shares, vertices[faces]).reshape(-1, 3)
    return np.abs(ground_feet(GROUND, points)[1])


def test_corners_lie_on_the_ground():
    assert np.abs(ground_feet(GROUND, LAID.vertices)[1]).max() < 1e-8


def test_lift_bounds_the_gap_of_every_facet_and_laying_makes_it_small():
    laid, bare = gaps_of(LAID.vertices, LAID.faces), gaps_of(VERTICES, FACES)
    assert laid.max() < LAID.lift
    assert laid.max() > 0.3 * LAID.lift / LIFT_FACTOR  # the bound is not idle
    assert laid.mean() < 0.1 * bare.mean()


def test_facets_are_split_and_keep_their_facing():
    assert len(LAID.faces) == len(FACES) * 4 ** splits_of(len(FACES))
    a, b, c = (LAID.vertices[LAID.faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    outward = np.einsum("fi,fi->f", across, a + b + c) > 0.0
    size = np.linalg.norm(across, axis=1)
    assert (
        size[outward].sum() > 0.99 * size.sum()
    )  # slivers at an edge that the grid cuts may turn over
    areas = [0.5 * np.linalg.norm(np.cross(v[f[:, 1]] - v[f[:, 0]], v[f[:, 2]] - v[f[:, 0]]), axis=1).sum() for v, f in ((VERTICES, FACES), LAID[:2])]  # fmt: skip
    assert 0.6 < areas[1] / areas[0] < 1.0  # the grid cuts edges, so its ground is smaller


@pytest.mark.parametrize(("facets", "splits"), [(80, 3), (20_480, 2), (100_000, 1), (400_000, 0)])
def test_large_meshes_are_split_less(facets, splits):
    assert splits_of(facets) == splits
    assert facets * 4**splits <= MOST_FACETS


def rays():
    """Starts and ways of balls that skim the ground."""
    draw = np.random.default_rng(8)
    for _ in range(150):
        start = draw.normal(size=3)
        start *= 4.5 / np.linalg.norm(start)
        way = draw.normal(size=3) * 1.7 - start
        yield tuple(start), tuple(way / np.linalg.norm(way))


def passed(surface):
    """How many marches of a ball go through a rock that dense samples meet, and how many meet any."""
    missed = met = 0
    for start, way in rays():
        sampled = first_below(surface, start, way, BALL, 6.0, 3e-3)
        missed += march(surface, start, way, BALL, 6.0) > sampled + 1e-6
        met += sampled < 6.0
    return missed, met


def test_a_ball_never_passes_rocks_on_a_coarse_grid():
    stones = polyhedral_rocks(4, *LAID[:2], *ROCKS, sink=HIGH)
    slope = float(grid_slope(GROUND.land))
    land = terrain(polyhedral=stones, rock_lift=LAID.lift, ground_slope=slope)
    missed, met = passed(grid_surface(land_of(GRID, land)))
    assert (missed, met > 50) == (0, True)


def test_that_check_has_teeth():
    """Rocks on the facets of the mesh, with a reach that knows nothing of the grid: balls go through."""
    stones = polyhedral_rocks(4, VERTICES, FACES, *ROCKS, sink=HIGH)
    surface = grid_surface(land_of(GRID, terrain(polyhedral=stones)))
    missed, _ = passed(surface)
    assert missed > 0
    assert clear_way_at(surface, (9.0, 0.0, 0.0), BALL) > 0.0
