"""The small body of a lander file made ready for the kernel: mesh, ground, terrain, gravity, spin.

Building a grid or a gravity table takes seconds to minutes the first time; both are kept on disk and
the last worlds in memory, so that a campaign builds its world once.
"""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from haptos.contact.collision_call import COLLISION, collision_numbers
from haptos.core.arena import Arena, with_functions
from haptos.core.units import DEGREE, GRAVITATIONAL_CONSTANT, HOUR
from haptos.environment import gravity as gravities
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_resolution import coarser_mesh
from haptos.environment.gravity_table import GravityTable, packed_table
from haptos.environment.gravity_table_build import table_values
from haptos.environment.gravity_table_files import cached_gravity_table
from haptos.geometry import noise as noises
from haptos.geometry import regions as region_maps
from haptos.geometry import surface as surfaces
from haptos.geometry import terrain as terrains
from haptos.geometry.body_mesh import load_body_mesh
from haptos.geometry.distance_grid import Grid
from haptos.geometry.facet_measures import facet_centres, facet_sizes
from haptos.geometry.grid_files import cached_grid
from haptos.geometry.land import grid_slope, land_of
from haptos.geometry.mass_properties import mass_properties
from haptos.geometry.procedural_bodies import procedural_body
from haptos.geometry.rock_ground import RockGround, rock_ground
from haptos.geometry.rocks_polyhedral_field import polyhedral_rocks
from haptos.geometry.rocks_seeded import seeded_rocks
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.config_world import (
    AnyGravity,
    AnySpin,
    AnySurface,
    BodySurface,
    EllipsoidGravity,
    EllipsoidSurface,
    MeshSurface,
    NoiseTerrain,
    PlaneSurface,
    PointGravity,
    PolyhedralRocksTerrain,
    PolyhedronGravity,
    Region,
    SeededRocksTerrain,
    SphereSurface,
    Terrain,
    TumblingSpin,
    UniformGravity,
    UniformSpin,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mesh = tuple[Floats, Integers]

SPACINGS_PER_RADIUS = 40.0  # of a gravity table if nothing is said, assumed: 0.3 % at the ground
REGION_CELLS = 2.0  # [grid spacings] edge of a cell of the region raster, assumed
WORLDS_KEPT = 4
GROUNDS_KEPT = 2  # facets under rocks, up to 60 MB each


@dataclass(frozen=True, eq=False)
class World:
    """What a probe can touch and feel; everything in SI, A axes.

    mesh      (vertices [m], faces) of the body, or None for plane, sphere and ellipsoid
    radius    [m] largest distance of the ground from the origin; 0 for a plane
    messages  what was done to the mesh on loading
    """

    surface: surfaces.Surface
    gravity: gravities.Gravity
    mesh: Mesh | None
    radius: float
    messages: tuple[str, ...] = ()

    @property
    def land_with_impacts(self) -> Arena:
        """The tables with the function of impacts as well."""
        return with_functions(self.surface.land, {COLLISION: collision_numbers.address})


def world_of(config: Config) -> World:
    """World of a run; the same object for the same tables and an unchanged file."""
    file = config.surface.file if isinstance(config.surface, MeshSurface) else None
    return _worlds(
        config.surface, config.terrain, config.regions, config.gravity, config.spin, _stamp(file)
    )


def _tell(text: str, end: str = "\n") -> None:
    print(f"haptos: {text}", file=sys.stderr, end=end, flush=True)


def _progress(what: str) -> Callable[[float], None] | None:
    """Tells a terminal how much of a long piece of work is done."""
    if not sys.stderr.isatty():
        return None
    return lambda share: _tell(f"{what} {share:4.0%}", end="\n" if share >= 1.0 else "\r")


def _stamp(file: str | None) -> tuple[int, int] | None:
    """When and how long a file was written; None if there is none to look at."""
    if file is None or not Path(file).is_file():
        return None
    status = Path(file).stat()
    return status.st_mtime_ns, status.st_size


@functools.lru_cache(maxsize=WORLDS_KEPT)
def _worlds(
    surface: AnySurface,
    terrain: Terrain,
    regions: tuple[Region, ...],
    gravity: AnyGravity,
    spin: AnySpin,
    stamp: tuple[int, int] | None,
) -> World:
    mesh, messages = mesh_of(surface)
    for message in messages:
        _tell(message)
    grid = None
    if isinstance(surface, BodySurface | MeshSurface):
        grid = grid_of_mesh(surface, cast(Mesh, mesh))
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
            stones = _rock_ground(cast(BodySurface | MeshSurface, surface), stamp)
        land = land_of(grid, terrain_of(terrain, regions, raster, ground, stones), packed)
    land = gravities.askable(surfaces.askable(land))
    return World(
        ground._replace(land=land),
        field._replace(land=land),
        mesh,
        _radius(surface, mesh),
        messages,
    )


def mesh_of(surface: AnySurface) -> tuple[Mesh | None, tuple[str, ...]]:
    """((vertices [m], faces) or None, what was done on loading)."""
    if isinstance(surface, BodySurface):
        return procedural_body(surface.body, surface.level, surface.relief_seed), ()
    if isinstance(surface, MeshSurface):
        body = load_body_mesh(
            surface.file, surface.unit, repair=surface.repair, recentre=surface.recentre
        )
        return (body.vertices, body.faces), body.messages
    return None, ()


def _radius(surface: AnySurface, mesh: Mesh | None) -> float:
    if mesh is not None:
        return float(np.linalg.norm(mesh[0], axis=1).max())
    if isinstance(surface, SphereSurface):
        return surface.radius_m
    return max(surface.semi_axes_m) if isinstance(surface, EllipsoidSurface) else 0.0


def grid_of_mesh(surface: BodySurface | MeshSurface, mesh: Mesh) -> Grid:
    """Distance grid of the body; its spacing is the mean side of a facet if nothing is said."""
    spacing = surface.grid_spacing_m or facet_sizes(*mesh).mean_side
    told = _progress("distance grid")
    return cached_grid(*mesh, spacing, where="[surface]", progress=told)


@functools.lru_cache(maxsize=GROUNDS_KEPT)
def _rock_ground(surface: BodySurface | MeshSurface, _: tuple[int, int] | None) -> RockGround:
    """Facets under the rocks of a body, the same for every number of rocks; the file's stamp tells a new one."""
    mesh = cast(Mesh, mesh_of(surface)[0])
    return rock_ground(ground_of(surface, land_of(grid_of_mesh(surface, mesh))), *mesh)


def ground_of(surface: AnySurface, land: Arena) -> surfaces.Surface:
    """Ground as the kernel knows it."""
    if isinstance(surface, PlaneSurface):
        return surfaces.plane(surface.point_m, surface.normal, land)
    if isinstance(surface, SphereSurface):
        return surfaces.sphere(surface.radius_m, land)
    if isinstance(surface, EllipsoidSurface):
        return surfaces.ellipsoid(surface.semi_axes_m, land)
    return surfaces.grid_surface(land)


def gravity_of(gravity: AnyGravity, land: Arena, table: GravityTable | None) -> gravities.Gravity:
    """Field as the kernel knows it."""
    if isinstance(gravity, UniformGravity):
        return gravities.uniform(gravity.acceleration_m_per_s2)
    if isinstance(gravity, PointGravity):
        return gravities.point(gravity.mu_m3_per_s2)
    if table is not None:
        return gravities.tabulated(land, table.mu)
    given = cast(EllipsoidGravity, gravity)
    mu = given.mu_m3_per_s2
    if mu is None:
        density = cast(float, given.density_kg_per_m3)  # the table holds exactly one of the two
        mu = gravities.ellipsoid_mu(given.semi_axes_m, density)
    return gravities.ellipsoid(given.semi_axes_m, mu)


def gravity_table_of(gravity: PolyhedronGravity, mesh: Mesh) -> GravityTable:
    """Table of the body's field; its spacing is a share of the radius if nothing is said."""
    field = polyhedron_field(gravity, *mesh)
    spacing = gravity.table_spacing_m or field.radius / SPACINGS_PER_RADIUS
    return cached_gravity_table(field, spacing, progress=_progress("gravity table"))


def polyhedron_field(
    gravity: PolyhedronGravity, vertices: Floats, faces: Integers
) -> PolyhedronField:
    """Exact field of the mesh, or of a coarser one of the same mass."""
    mu = gravity.mu_m3_per_s2
    if mu is None:
        density = cast(float, gravity.density_kg_per_m3)
        mu = GRAVITATIONAL_CONSTANT * density * mass_properties(vertices, faces).volume
    if len(faces) > gravity.facets:
        vertices, faces = coarser_mesh(vertices, faces, gravity.facets)
    volume = mass_properties(vertices, faces).volume
    return PolyhedronField(vertices, faces, mu / (GRAVITATIONAL_CONSTANT * volume))


def spin_of(spin: AnySpin) -> tuple[Floats, Floats | None]:
    """omega_AN_A [rad/s] at the start, and the moments of a tumbling body or None."""
    if isinstance(spin, UniformSpin):
        pole = np.array(spin.pole) / math.hypot(*spin.pole)
        return 2.0 * math.pi / (spin.period_h * HOUR) * pole, None
    if isinstance(spin, TumblingSpin):
        return np.array(spin.rate_rad_per_s), np.array(spin.moment_ratios)
    return np.zeros(3), None


def geopotential(
    field: gravities.Gravity, table: GravityTable | None, spin: Floats, points: Floats
) -> Floats:
    """U + |Omega x r|^2/2 [m^2/s^2] at points (n, 3) [m]; larger is lower ground."""
    if table is not None:
        potential = table_values(table, points)[0]
    else:
        rows = points.tolist()
        potential = np.array([gravities.own_gravity(field, tuple(row))[0] for row in rows])
    return np.asarray(potential + 0.5 * np.sum(np.cross(spin, points) ** 2, axis=1))


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
        low, high, spacing = -axes, axes, float(axes.max()) / 64.0
        turns = region_maps.directions_of(_even_directions())
        sample = surfaces.ground_feet(ground, float(axes.max()) * turns)[0]
    height = functools.partial(geopotential, field, table, spin)
    masks = [_mask(region, height, sample) for region in regions]
    reliefs = [1.0, *(region.relief_share for region in regions)]
    room, band = 3.0 * spacing, 2.0 * spacing
    return region_maps.regions_on(
        low - room, high + room, spacing, masks, reliefs,
        functools.partial(surfaces.ground_feet, ground), band,
    )  # fmt: skip


def _even_directions() -> Floats:
    """Longitudes and latitudes [rad] of directions spread evenly over the sphere, (4000, 2)."""
    count = np.arange(4000) + 0.5
    return np.stack([2.399963 * count % (2.0 * np.pi), np.arcsin(1.0 - count / 2000.0)], axis=1)


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
    terrain: Terrain,
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


def noise_of(noise: NoiseTerrain, seed: int) -> noises.Noise:
    """Noise as the kernel knows it."""
    return noises.fractal_noise(
        seed, noise.relief_m, noise.longest_m, noise.octaves,
        increment=noise.increment, lacunarity=noise.lacunarity,
        kind=noises.RIDGED if noise.kind == "ridged" else noises.PLAIN,
    )  # fmt: skip
