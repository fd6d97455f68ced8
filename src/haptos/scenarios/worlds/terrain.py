"""What lies on the ground of a scenario file finer than its shape: regions, noise, rocks."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import cast

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.units import DEGREE
from haptos.environment import gravity as gravities
from haptos.environment.gravity_table import GravityTable
from haptos.geometry.distance import surface as surfaces
from haptos.geometry.distance.distance_grid import Grid
from haptos.geometry.mesh.facet_measures import facet_centres
from haptos.geometry.shape.aspect_angle import lattice_directions
from haptos.geometry.terrain import noise as noises
from haptos.geometry.terrain import regions as region_maps
from haptos.geometry.terrain import terrain as terrains
from haptos.geometry.terrain.land import grid_slope
from haptos.geometry.terrain.rock_ground import RockGround
from haptos.geometry.terrain.rocks_polyhedral_field import polyhedral_rocks
from haptos.geometry.terrain.rocks_seeded import seeded_rocks
from haptos.scenarios.worlds.config import (
    NoiseTerrain,
    PolyhedralRocksTerrain,
    Region,
    SeededRocksTerrain,
    TerrainTable,
)
from haptos.scenarios.worlds.gravity import geopotential
from haptos.scenarios.worlds.ground import Floats, Mesh

REGION_CELLS = 2.0  # [grid spacings] edge of a cell of the region raster, assumed
REGION_CELLS_PER_RADIUS = 64.0  # of a ground without a grid, assumed
RASTER_ROOM, LABELLED = (
    3.0,
    2.0,
)  # [cells] around the body; within which of the ground they are labelled
SAMPLES = 4000  # places that a share of a ground without facets is taken of


def region_raster(
    regions: tuple[Region, ...],
    ground: surfaces.Surface,
    grid: Grid | None,
    field: gravities.Gravity,
    table: GravityTable | None,
    spin: Floats,
    mesh: Mesh | None,
) -> region_maps.Regions:
    """Labels of the regions around the ground."""
    if mesh is not None and grid is not None:
        low, high = mesh[0].min(axis=0), mesh[0].max(axis=0)
        spacing = REGION_CELLS * grid.spacing
        sample = facet_centres(*mesh)
    else:
        axes = np.array([ground.a, ground.b or ground.a, ground.c or ground.a])
        low, high, spacing = -axes, axes, float(axes.max()) / REGION_CELLS_PER_RADIUS
        outside = float(axes.max()) * lattice_directions(SAMPLES)
        sample = surfaces.ground_feet(ground, outside)[0]
    height = functools.partial(geopotential, field, table, spin)
    masks = [_mask(region, height, sample) for region in regions]
    reliefs = [1.0, *(region.relief_share for region in regions)]
    room, band = RASTER_ROOM * spacing, LABELLED * spacing
    return region_maps.regions_on(
        low - room, high + room, spacing, masks, reliefs,
        functools.partial(surfaces.ground_feet, ground), band,
    )  # fmt: skip


def _mask(region: Region, height: Callable[[Floats], Floats], sample: Floats) -> region_maps.Mask:
    """Outline of one region; `height` gives the geopotential of points, `sample` spans the ground."""
    if region.polygon_deg is not None:
        return region_maps.in_polygon(np.array(region.polygon_deg) * DEGREE)
    limit = region.geopotential_above_m2_per_s2
    if region.geopotential_share is not None:
        limit = float(np.quantile(height(sample), 1.0 - region.geopotential_share))
    if limit is not None:
        lowest = limit
        return lambda points: np.asarray(height(points) >= lowest)
    south, north = region.latitude_deg or (-90.0, 90.0)
    west, east = region.longitude_deg or (-180.0, 180.0)
    return region_maps.in_box((south * DEGREE, north * DEGREE), (west * DEGREE, east * DEGREE))


def terrain_of(
    terrain: TerrainTable,
    regions: tuple[Region, ...],
    raster: region_maps.Regions | None,
    ground: surfaces.Surface,
    stones: RockGround | None,
) -> terrains.Terrain:
    """Noise and rocks as the kernel knows them; polyhedral rocks stand on the facets `stones`."""
    rocks = terrain.rocks
    lift, slope = 0.0, 1.0
    seeded = polyhedral = None
    if isinstance(rocks, SeededRocksTerrain):
        seeded = seeded_rocks(
            terrain.seed, rocks.rocks_per_m2, rocks.power, rocks.smallest_m, rocks.largest_m,
            shape=rocks.rock_shape, sharpness=rocks.sharpness, fillet=rocks.fillet,
        )  # fmt: skip
    elif isinstance(rocks, PolyhedralRocksTerrain):
        vertices, faces, lift = cast(RockGround, stones)
        slope = float(grid_slope(ground.land))
        polyhedral = polyhedral_rocks(
            terrain.seed, vertices, faces, rocks.rocks_per_m2, rocks.power, rocks.smallest_m,
            rocks.largest_m, deformation=rocks.jitter, sink=rocks.sink,
        )  # fmt: skip
    return terrains.terrain(
        noise=None if terrain.noise is None else noise_of(terrain.noise, terrain.seed),
        regions=raster,
        rocks=seeded,
        polyhedral=polyhedral,
        rock_shares=(1.0, *(region.rock_share for region in regions)),
        rock_lift=lift,
        ground_slope=slope,
    )


def smallest_feature(terrain: TerrainTable, spacing: float) -> float:
    """Size [m] of the smallest thing on the ground: grid cell, rock, or wave of noise; inf if there is none."""
    sizes = [spacing]
    if terrain.noise is not None:
        noise = terrain.noise
        sizes.append(noise.longest_m / noise.lacunarity ** (noise.octaves - 1))
    if terrain.rocks is not None:
        sizes.append(terrain.rocks.smallest_m)
    return min(sizes)


def check_ball(terrain: TerrainTable, radius: float) -> None:
    """Refuse a ball [m] on noise or seeded rocks smaller than itself: it would feel their field at its centre only."""
    is_seeded = terrain.rocks is not None and terrain.rocks.model == "seeded"
    felt = terrain if is_seeded else terrain.model_copy(update={"rocks": None})
    smallest = smallest_feature(felt, math.inf)
    if smallest < 2.0 * radius:
        raise ConfigError(
            "[terrain]",
            f"noise or seeded rocks of {smallest:.3g} m under a sphere {2.0 * radius:.3g} m wide",
            "features at least as large as the sphere, which feels their field at its centre",
            'rocks of model = "polyhedral", whose distance is exact, larger features, or a probe with vertices',
        )


def noise_of(noise: NoiseTerrain, seed: int) -> noises.Noise:
    """Noise as the kernel knows it."""
    return noises.fractal_noise(
        seed, noise.relief_m, noise.longest_m, noise.octaves,
        increment=noise.increment, lacunarity=noise.lacunarity,
        kind=noises.RIDGED if noise.kind == "ridged" else noises.PLAIN,
    )  # fmt: skip
