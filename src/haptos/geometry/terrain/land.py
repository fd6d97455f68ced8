"""The tables of a world in one arena: ground, what lies on it, and gravity beside them.

Packing and unpacking are here, one pair for each kind of table, in the order of their fields.
"""

from __future__ import annotations

import functools

import numpy as np

from haptos.core.arena import (
    Arena,
    arena_of,
    fields_start,
    integers_1,
    integers_2,
    integers_3,
    numbers_1,
    numbers_2,
    numbers_3,
)
from haptos.core.arena_slots import (
    GRID,
    KEPT_ROCKS,
    NOISE,
    POLYHEDRAL,
    REGIONS,
    ROCKS,
    ROUGH_FIELD,
    ROUGH_GAP,
    TERRAIN,
)
from haptos.core.jit import device
from haptos.core.pointers import opened, separately_compiled
from haptos.geometry.distance.distance_grid import Grid, no_grid
from haptos.geometry.terrain.noise import Noise
from haptos.geometry.terrain.regions import Regions
from haptos.geometry.terrain.rocks_polyhedral_field import PolyhedralRocks
from haptos.geometry.terrain.rocks_seeded import SeededRocks
from haptos.geometry.terrain.terrain import Terrain, roughened, roughened_gap, smooth_terrain

Table = tuple[list[float], list[np.ndarray]]


def land_of(
    grid: Grid | None = None, land: Terrain | None = None, gravity: Table | None = None
) -> Arena:
    """Arena of a distance grid, a terrain and a packed gravity table, each if there is one."""
    if grid is None and land is None and gravity is None:
        return bare_land()
    return _packed(grid, land, gravity)


@functools.cache
def bare_land() -> Arena:
    """Arena of a world without tables; always the same object."""
    return _packed(None, None, None)


def _packed(grid: Grid | None, land: Terrain | None, gravity: Table | None) -> Arena:
    g = no_grid() if grid is None else grid
    t = smooth_terrain() if land is None else land
    return arena_of(
        [
            (
                [*g.origin, *g.counts, g.block, g.spacing, g.band, g.lipschitz],
                [g.table, g.values],
            ),
            _terrain_table(t),
            _noise_table(t.noise),
            ([*t.regions.origin, t.regions.spacing], [t.regions.labels, t.regions.relief]),
            _rocks_table(t.rocks),
            _polyhedral_table(t.polyhedral),
            ([0.0], []) if gravity is None else gravity,
        ],
        {ROUGH_FIELD: rough_field.address, ROUGH_GAP: rough_gap.address} if t.is_rough else {},
    )


def _terrain_table(t: Terrain) -> Table:
    flags = [t.is_rough, t.has_noise, t.has_regions, t.has_rocks, t.has_polyhedral]
    return [*flags, t.reach, t.slope], [t.shares]


def _noise_table(n: Noise) -> Table:
    return [n.amplitude, n.frequency, n.octaves, n.gain, n.lacunarity, n.kind], [n.lattice]


def _rocks_table(r: SeededRocks) -> Table:
    fields = [r.sharpness, r.side, r.buckets, r.frequency, r.deepest, r.steepest, r.fillet]
    return fields, [r.rocks, r.starts, r.members, r.directions, r.tilings, r.lattice]


def _polyhedral_table(r: PolyhedralRocks) -> Table:
    fields = [
        *r.key, r.alpha, r.smallest, r.largest, r.deformation, r.sink_least, r.sink_most, r.reach,
        r.margin, *r.origin, r.cell, *r.cells,
    ]  # fmt: skip
    return fields, [r.facets, r.starts, r.members]


@device
def grid_in(arena):
    """Distance grid of an arena."""
    n, at = arena.numbers, fields_start(arena, GRID)
    return Grid(
        (n[at], n[at + 1], n[at + 2]),
        (int(n[at + 3]), int(n[at + 4]), int(n[at + 5])),
        n[at + 6],
        n[at + 7],
        n[at + 8],
        n[at + 9],
        integers_2(arena, GRID, 0),
        numbers_1(arena, GRID, 1),
    )


@device
def grid_slope(arena):
    """Largest slope [-] of the grid's interpolated gap."""
    return arena.numbers[fields_start(arena, GRID) + 9]


@device
def is_rough(arena):
    """Whether anything lies on the ground."""
    return arena.numbers[fields_start(arena, TERRAIN)] != 0.0


@device
def has_seeded(arena):
    """Whether seeded rocks lie on the ground."""
    return arena.numbers[fields_start(arena, TERRAIN) + 3] != 0.0


@device
def has_regions(arena):
    """Whether the ground has regions."""
    return arena.numbers[fields_start(arena, TERRAIN) + 2] != 0.0


@device
def reach_and_slope(arena):
    """Bounds of the terrain: how far it moves the ground [m], and its added slope [-]."""
    n, at = arena.numbers, fields_start(arena, TERRAIN)
    return n[at + 5], n[at + 6]


@device
def noise_in(arena):
    """Noise of an arena."""
    n, at = arena.numbers, fields_start(arena, NOISE)
    octaves, kind = int(n[at + 2]), int(n[at + 5])
    lattice = numbers_3(arena, NOISE, 0)
    return Noise(lattice, n[at], n[at + 1], octaves, n[at + 3], n[at + 4], kind)


@device
def regions_in(arena):
    """Regions of an arena."""
    n, at = arena.numbers, fields_start(arena, REGIONS)
    labels, relief = integers_3(arena, REGIONS, 0), numbers_3(arena, REGIONS, 1)
    return Regions((n[at], n[at + 1], n[at + 2]), n[at + 3], labels, relief)


@device
def rocks_in(arena):
    """Seeded rocks of an arena."""
    n, at = arena.numbers, fields_start(arena, ROCKS)
    return SeededRocks(
        numbers_2(arena, ROCKS, 0),
        integers_1(arena, ROCKS, 1),
        integers_1(arena, ROCKS, 2),
        numbers_2(arena, ROCKS, 3),
        n[at],
        n[at + 1],
        int(n[at + 2]),
        numbers_2(arena, ROCKS, 4),
        numbers_3(arena, ROCKS, 5),
        n[at + 3],
        n[at + 4],
        n[at + 5],
        n[at + 6],
    )


@device
def polyhedral_in(arena):
    """Polyhedral rocks of an arena."""
    n, at = arena.numbers, fields_start(arena, POLYHEDRAL)
    return PolyhedralRocks(
        numbers_2(arena, POLYHEDRAL, 0),
        (int(n[at]), int(n[at + 1])),
        n[at + 2],
        n[at + 3],
        n[at + 4],
        n[at + 5],
        n[at + 6],
        n[at + 7],
        n[at + 8],
        n[at + 9],
        (n[at + 10], n[at + 11], n[at + 12]),
        n[at + 13],
        (int(n[at + 14]), int(n[at + 15]), int(n[at + 16])),
        integers_1(arena, POLYHEDRAL, 1),
        integers_1(arena, POLYHEDRAL, 2),
        arena.layout[KEPT_ROCKS],
    )


@device
def terrain_in(arena):
    """Terrain of an arena."""
    n, at = arena.numbers, fields_start(arena, TERRAIN)
    return Terrain(
        int(n[at]),
        int(n[at + 1]),
        noise_in(arena),
        int(n[at + 2]),
        regions_in(arena),
        int(n[at + 3]),
        rocks_in(arena),
        int(n[at + 4]),
        polyhedral_in(arena),
        numbers_1(arena, TERRAIN, 0),
        n[at + 5],
        n[at + 6],
    )


@separately_compiled(ROUGH_FIELD, 11)
def rough_field(numbers, integers, layout, io):
    """Terrain put on a smooth field: point, gap, gradient and Hessian in; the last three and kind out."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    arena = Arena(numbers, integers, layout)
    x, gradient = (io[0], io[1], io[2]), (io[4], io[5], io[6])
    hessian = (io[7], io[8], io[9], io[10], io[11], io[12])
    gap, gradient, hessian, kind = roughened(terrain_in(arena), x, io[3], gradient, hessian)
    io[0], io[1], io[2], io[3] = gap, gradient[0], gradient[1], gradient[2]
    for n in range(6):
        io[4 + n] = hessian[n]
    io[10] = kind


@device
def with_terrain(arena, x, gap, gradient, hessian):
    """(field [m], gradient [-], Hessian [1/m], GROUND or ROCK): `terrain.roughened` of an arena."""
    inputs = (
        x[0], x[1], x[2], gap, gradient[0], gradient[1], gradient[2],
        hessian[0], hessian[1], hessian[2], hessian[3], hessian[4], hessian[5],
    )  # fmt: skip
    f = rough_field(arena, inputs)
    return f[0], (f[1], f[2], f[3]), (f[4], f[5], f[6], f[7], f[8], f[9]), int(f[10])


@separately_compiled(ROUGH_GAP, 1)
def rough_gap(numbers, integers, layout, io):
    """Terrain put on a smooth field: point and gap in, the field alone out."""
    numbers, integers, layout, io = opened(numbers, integers, layout, io)
    arena = Arena(numbers, integers, layout)
    io[0] = roughened_gap(terrain_in(arena), (io[0], io[1], io[2]), io[3])


@device
def gap_with_terrain(arena, x, gap):
    """The field [m] of `with_terrain` alone, at less cost."""
    return rough_gap(arena, (x[0], x[1], x[2], gap))[0]
