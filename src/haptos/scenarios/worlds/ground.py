"""The ground of a scenario file: mesh, distance grid, and the surface as the kernel knows it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from haptos.core.arena import Arena
from haptos.geometry.distance import (
    distance_capsule,
    distance_ellipsoid,
    distance_grid,
    distance_plane,
    distance_sphere,
)
from haptos.geometry.distance import surface as surfaces
from haptos.geometry.distance.distance_grid import Grid
from haptos.geometry.distance.distance_mesh import Mesh as SolidMesh
from haptos.geometry.distance.distance_mesh import solid_mesh
from haptos.geometry.distance.grid_build import spacing_of_size
from haptos.geometry.distance.grid_checks import require_resolved
from haptos.geometry.distance.grid_files import cached_grid
from haptos.geometry.distance.thin_parts import resolving_spacing
from haptos.geometry.mesh.body_mesh import load_body_mesh
from haptos.geometry.mesh.facet_measures import facet_sizes
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.terrain.land import land_of
from haptos.geometry.terrain.rock_ground import RockGround, rock_ground
from haptos.scenarios.worlds.config import (
    AnySurface,
    BodySurface,
    MeshSurface,
)
from haptos.scenarios.worlds.progress import progress_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mesh = tuple[Floats, Integers]
Stamp = tuple[int, int] | None  # when and how long a file was written; None if there is none

BOX_CELLS = (
    8.0  # spacings along the shortest side of a body, chosen if the file gives none; assumed
)
CHOSEN_VALUES = 2**26  # most values of a grid whose spacing is chosen here: 0.5 GB, half a minute
ROUND_LEVEL = 4  # splits of the icosahedron drawn for spheres and ellipsoids: 5120 facets
GROUNDS_KEPT = 2  # facets under rocks, up to 60 MB each


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


def ground_radius(surface: AnySurface, mesh: Mesh | None) -> float:
    """Largest distance [m] of the ground from the origin; 0 for a plane."""
    if mesh is not None:
        return float(np.linalg.norm(mesh[0], axis=1).max())
    return SHAPES[surface.shape].radius(surface)


def mesh_to_draw(surface: AnySurface) -> Mesh | None:
    """(vertices [m], faces) that show a surface which has no mesh itself; None for others."""
    return SHAPES[surface.shape].drawn(surface)


@functools.lru_cache(maxsize=1)
def known_mesh(surface: AnySurface, _: Stamp) -> tuple[Mesh | None, tuple[str, ...]]:
    """The mesh of a surface, which the world made next needs again; the file's stamp tells a new one."""
    return mesh_of(surface)


@functools.lru_cache(maxsize=1)
def grid_of_mesh(surface: BodySurface | MeshSurface, stamp: Stamp) -> tuple[Grid, SolidMesh]:
    """(distance grid of the body, the mesh made ready for exact distances); a grid that misses parts is refused."""
    mesh = cast(Mesh, known_mesh(surface, stamp)[0])
    solid = solid_mesh(*mesh, "[surface]")
    spacing = surface.grid_spacing_m or chosen_spacing(mesh, solid)
    reported = progress_of("distance grid")
    grid = cached_grid(*mesh, spacing, where="[surface]", progress=reported)
    require_resolved(*mesh, solid, grid, "[surface]", "grid_spacing_m")
    return grid, solid


def chosen_spacing(mesh: Mesh, solid: SolidMesh) -> float:
    """Spacing [m] of the grid if nothing is said: the mean side of a facet; less for a body of few facets, and
    where parts of it are thin, as long as the grid stays of moderate size."""
    extent = float(np.ptp(mesh[0], axis=0).min())
    spacing = min(facet_sizes(*mesh).mean_side, extent / BOX_CELLS)
    return resolving_spacing(*mesh, solid, spacing, spacing_of_size(*mesh, CHOSEN_VALUES))


def ground_of(surface: AnySurface, land: Arena) -> surfaces.Surface:
    """Ground as the kernel knows it."""
    return SHAPES[surface.shape].made(surface, land)


def _round(semi_axes: float | tuple[float, float, float]) -> Mesh:
    unit, faces = icosphere(ROUND_LEVEL)
    return unit * np.array(semi_axes), faces


def _capsule(radius: float, half_length: float) -> Mesh:
    """A ball parted across x, its halves drawn apart; facets across the middle are the cylinder."""
    vertices, faces = _round(radius)
    vertices[:, 0] += half_length * np.sign(vertices[:, 0])
    return vertices, faces


class GroundShape(NamedTuple):
    """What a shape of the table [surface] is to the rest; a new shape is a row of SHAPES.

    law     module that states its distance, for what it cites
    made    (table, land) -> the surface as the kernel knows it
    radius  (table) -> largest distance [m] from the origin; 0 for those without end, and for those with a mesh
    drawn   (table) -> mesh to show it by; None for those that have one, and for planes
    """

    law: ModuleType
    made: Callable[[Any, Arena], surfaces.Surface]
    radius: Callable[[Any], float] = lambda _: 0.0
    drawn: Callable[[Any], Mesh | None] = lambda _: None


_GRID = GroundShape(distance_grid, lambda _, land: surfaces.grid_surface(land))
SHAPES = {
    "plane": GroundShape(
        distance_plane, lambda table, land: surfaces.plane(table.point_m, table.normal, land)
    ),
    "sphere": GroundShape(
        distance_sphere,
        lambda table, land: surfaces.sphere(table.radius_m, land),
        lambda table: float(table.radius_m),
        lambda table: _round(table.radius_m),
    ),
    "ellipsoid": GroundShape(
        distance_ellipsoid,
        lambda table, land: surfaces.ellipsoid(table.semi_axes_m, land),
        lambda table: float(max(table.semi_axes_m)),
        lambda table: _round(table.semi_axes_m),
    ),
    "capsule": GroundShape(
        distance_capsule,
        lambda table, land: surfaces.capsule(table.radius_m, 0.5 * table.length_m, land),
        lambda table: float(table.radius_m + 0.5 * table.length_m),
        lambda table: _capsule(table.radius_m, 0.5 * table.length_m),
    ),
    "body": _GRID,
    "mesh": _GRID,
}


@functools.lru_cache(maxsize=GROUNDS_KEPT)
def rock_ground_of(surface: BodySurface | MeshSurface, stamp: Stamp) -> RockGround:
    """Facets under the rocks of a body, the same for every number of rocks; the file's stamp tells a new one."""
    mesh = cast(Mesh, known_mesh(surface, stamp)[0])
    return rock_ground(ground_of(surface, land_of(grid_of_mesh(surface, stamp)[0])), *mesh)
