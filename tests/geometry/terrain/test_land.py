"""A world's tables in one arena: what is packed comes back, field by field."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.arena import FUNCTIONS
from haptos.core.jit import entry
from haptos.environment.gravity_table import packed_table, table_in, table_of
from haptos.geometry.distance.distance_grid import grid_of
from haptos.geometry.terrain import land as lands
from haptos.geometry.terrain.land import (
    ROUGH_FIELD,
    bare_land,
    grid_in,
    grid_slope,
    has_regions,
    is_rough,
    land_of,
    noise_in,
    polyhedral_in,
    reach_and_slope,
    regions_in,
    rocks_in,
    terrain_in,
    with_terrain,
)
from haptos.geometry.terrain.noise import fractal_noise
from haptos.geometry.terrain.regions import regions_of
from haptos.geometry.terrain.rocks_polyhedral_field import polyhedral_rocks
from haptos.geometry.terrain.rocks_seeded import seeded_rocks
from haptos.geometry.terrain.terrain import roughened, smooth_terrain, terrain

RNG = np.random.default_rng(7)
TRIANGLES = RNG.normal(size=(6, 3)), np.array([[0, 1, 2], [3, 4, 5]])
GRID = grid_of(
    (-1.0, -2.0, -3.0), (1, 2, 1), 0.25, 0.5, 1.2, RNG.integers(0, 9, (2, 2)), RNG.normal(size=35)
)
NOISE = fractal_noise(3, 0.4, 3.0, 5, increment=0.7, kind=1)
REGIONS = regions_of(
    (1.0, 2.0, 3.0), 0.5, RNG.integers(0, 8, (3, 4, 5)), RNG.uniform(size=(4, 5, 6))
)
ROCKS = seeded_rocks(4, 0.5, 2.8, 0.4, 1.2, sharpness=9.0, shape="octahedron")
POLYHEDRAL = polyhedral_rocks(
    5, *TRIANGLES, 2.0, 2.5, 0.3, 1.0, sink=(-0.3, 0.2), deformation=0.07, margin_m=0.8
)
TERRAIN = terrain(
    noise=NOISE, regions=REGIONS, rocks=ROCKS, polyhedral=POLYHEDRAL, rock_shares=(1.0, 0.5, 0.2)
)
TABLE = table_of(
    RNG.normal(size=(5, 6, 4)), (1.0, 2.0, 3.0), 0.5, (0.1, 0.2, 0.3), 4.5, 0.7, 2.2,
    RNG.normal(size=(7, 8, 4)),
)  # fmt: skip
ARENA = land_of(GRID, TERRAIN, packed_table(TABLE))


def assert_same(found, expected, name=""):
    """Every number, tuple and array of two named tuples is equal; integers may be wider."""
    if hasattr(expected, "_fields"):
        assert type(found) is type(expected)
        for field in expected._fields:
            assert_same(getattr(found, field), getattr(expected, field), f"{name}.{field}")
    elif isinstance(expected, np.ndarray):
        assert found.shape == expected.shape, name
        assert found.dtype.kind == ("f" if expected.dtype.kind == "f" else "i"), name
        assert np.array_equal(found, expected), name
    else:
        assert found == expected, name
        assert isinstance(expected, tuple) or float(found) == float(expected), name


@pytest.mark.parametrize(
    ("unpack", "expected"),
    [
        (grid_in, GRID), (noise_in, NOISE), (regions_in, REGIONS), (rocks_in, ROCKS),
        (polyhedral_in, POLYHEDRAL), (terrain_in, TERRAIN), (table_in, TABLE),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_every_field_comes_back(unpack, expected):
    assert_same(unpack(ARENA), expected)


def test_every_field_of_every_table_differs_from_its_neighbours():
    """Else an exchange of two fields would pass the test above."""
    for packed in (NOISE, ROCKS, POLYHEDRAL, TABLE, GRID):
        numbers = [value for value in packed if isinstance(value, float)]
        assert len(set(numbers)) == len(numbers)


def test_short_cuts_tell_what_the_tables_say():
    assert (is_rough(ARENA), has_regions(ARENA)) == (True, True)
    assert reach_and_slope(ARENA) == (TERRAIN.reach, TERRAIN.slope)
    assert grid_slope(ARENA) == 1.2
    assert (is_rough(bare_land()), has_regions(bare_land())) == (False, False)
    assert reach_and_slope(bare_land()) == (0.0, 0.0)
    assert_same(terrain_in(bare_land()), smooth_terrain())


def test_a_world_without_tables_is_always_the_same_object():
    assert land_of() is bare_land()
    assert bare_land() is bare_land()


def test_terrain_is_compiled_for_rough_worlds_only(monkeypatch):
    asked = []
    monkeypatch.setattr(lands.rough_field, "address", lambda: asked.append(1) or 99)
    smooth = land_of(GRID)
    assert smooth.layout[:FUNCTIONS].tolist() == [0] * FUNCTIONS
    labelled = land_of(GRID, terrain(regions=REGIONS))  # coefficients only: nothing to add
    assert labelled.layout[ROUGH_FIELD] == 0
    assert has_regions(labelled)
    assert not is_rough(labelled)
    assert asked == []
    assert land_of(None, TERRAIN).layout[ROUGH_FIELD] == 99


@entry
def compiled(arena, x, gap, gradient, hessian):
    return with_terrain(arena, x, gap, gradient, hessian)


def test_terrain_by_its_address_gives_the_bits_of_terrain_itself():
    for _ in range(60):
        x, gradient = tuple(RNG.normal(size=3)), tuple(RNG.normal(size=3))
        hessian, gap = tuple(RNG.normal(size=6)), float(0.3 * RNG.normal())
        expected = roughened(TERRAIN, x, gap, gradient, hessian)
        assert with_terrain(ARENA, x, gap, gradient, hessian) == expected
        assert compiled(ARENA, x, gap, gradient, hessian) == expected
