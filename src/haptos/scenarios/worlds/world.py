"""The world of a scenario file made ready for kernels: mesh, ground, terrain, gravity, spin.

Building a grid or a gravity table takes seconds to minutes the first time; both are kept on disk and
the last worlds in memory, so that a campaign builds its world once.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from haptos.environment import gravity as gravities
from haptos.environment.gravity_table import packed_table
from haptos.geometry.distance import surface as surfaces
from haptos.geometry.distance.distance_grid import HALF_DIAGONAL
from haptos.geometry.distance.distance_mesh import Mesh as SolidMesh
from haptos.geometry.terrain.land import land_of, reach_and_slope
from haptos.scenarios.plausibility import check_density, mesh_volume
from haptos.scenarios.worlds.config import (
    AnyGravity,
    AnySpin,
    AnySurface,
    BodySurface,
    MeshSurface,
    PlaneSurface,
    PolyhedralRocksTerrain,
    PolyhedronGravity,
    Region,
    TerrainTable,
    UniformGravity,
    WorldTables,
)
from haptos.scenarios.worlds.gravity import gravity_of, gravity_table_of, spin_of
from haptos.scenarios.worlds.ground import (
    Mesh,
    grid_of_mesh,
    ground_of,
    ground_radius,
    known_mesh,
    rock_ground_of,
)
from haptos.scenarios.worlds.progress import tell
from haptos.scenarios.worlds.terrain import region_raster, smallest_feature, terrain_of

WORLDS_KEPT = 4  # of a process, tens of megabytes each


@dataclass(frozen=True, eq=False)
class World:
    """What things can touch and feel; everything in SI, A axes.

    mesh      (vertices [m], faces) of the body, or None for plane, sphere and ellipsoid
    radius    [m] largest distance of the ground from the origin; 0 for a plane
    smallest_feature  [m] of the ground: grid spacing, smallest rock, shortest wave of noise; inf if it has none
    messages  what was done to the mesh on loading
    solid     the mesh made ready for exact distances      ground_error  [m] bound of what its ground lies off it
    """

    surface: surfaces.Surface
    gravity: gravities.Gravity
    mesh: Mesh | None
    radius: float
    smallest_feature: float = math.inf
    messages: tuple[str, ...] = ()
    solid: SolidMesh | None = None
    ground_error: float = math.inf


def world_of(config: WorldTables) -> World:
    """World of a run; the same object for the same tables and an unchanged file."""
    file = config.surface.file if isinstance(config.surface, MeshSurface) else None
    return _worlds(
        config.surface, config.terrain, config.regions, config.gravity, config.spin, _stamp(file)
    )


def checked_radius(config: WorldTables) -> float:
    """Radius [m] of the ground, 0 for a plane; refuses, before any grid or table is built, a body that
    does not fit its gravity.
    """
    surface, gravity = config.surface, config.gravity
    if isinstance(surface, PlaneSurface):
        return 0.0
    file = surface.file if isinstance(surface, MeshSurface) else None
    mesh, _ = known_mesh(surface, _stamp(file))
    radius = ground_radius(surface, mesh)
    mu = None if isinstance(gravity, UniformGravity) else gravity.mu_m3_per_s2
    if isinstance(surface, MeshSurface) and mu is not None:
        volume = mesh_volume(*cast(Mesh, mesh))
        check_density(mu, volume, surface.unit, Path(surface.file).name)
    return radius


def _stamp(file: str | None) -> tuple[int, int] | None:
    """When and how long a file was written; None if there is none to look at."""
    if file is None or not Path(file).is_file():
        return None
    status = Path(file).stat()
    return status.st_mtime_ns, status.st_size


@functools.lru_cache(maxsize=WORLDS_KEPT)
def _worlds(
    surface: AnySurface,
    terrain: TerrainTable,
    regions: tuple[Region, ...],
    gravity: AnyGravity,
    spin: AnySpin,
    stamp: tuple[int, int] | None,
) -> World:
    mesh, messages = known_mesh(surface, stamp)
    for message in messages:
        tell(message)
    grid = solid = None
    if isinstance(surface, BodySurface | MeshSurface):
        grid, solid = grid_of_mesh(surface, stamp)
    table = None
    if isinstance(gravity, PolyhedronGravity):
        table = gravity_table_of(gravity, cast(Mesh, mesh))
    packed = None if table is None else packed_table(table)
    land = land_of(grid, None, packed)
    ground, field = ground_of(surface, land), gravity_of(gravity, land, table)
    raster = None
    if regions:
        raster = region_raster(regions, ground, grid, field, table, spin_of(spin)[0], mesh)
    if raster is not None or terrain.noise is not None or terrain.rocks is not None:
        stones = None
        if isinstance(terrain.rocks, PolyhedralRocksTerrain):
            stones = rock_ground_of(cast(BodySurface | MeshSurface, surface), stamp)
        land = land_of(grid, terrain_of(terrain, regions, raster, ground, stones), packed)
    land = gravities.with_gravity_queries(surfaces.with_surface_queries(land))
    return World(
        ground._replace(land=land),
        field._replace(land=land),
        mesh,
        ground_radius(surface, mesh),
        smallest_feature(terrain, math.inf if grid is None else grid.spacing),
        messages,
        solid,
        math.inf if grid is None else HALF_DIAGONAL * grid.spacing + reach_and_slope(land)[0],
    )
