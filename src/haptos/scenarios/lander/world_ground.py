"""The ground of a lander file: mesh, distance grid, and the surface as the kernel knows it."""

from __future__ import annotations

import functools
from typing import cast

import numpy as np
from numpy.typing import NDArray

from haptos.core.arena import Arena
from haptos.geometry.distance import surface as surfaces
from haptos.geometry.distance.distance_grid import Grid
from haptos.geometry.distance.grid_files import cached_grid
from haptos.geometry.mesh.body_mesh import load_body_mesh
from haptos.geometry.mesh.facet_measures import facet_sizes
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.terrain.land import land_of
from haptos.geometry.terrain.rock_ground import RockGround, rock_ground
from haptos.scenarios.lander.config_world import (
    AnySurface,
    BodySurface,
    EllipsoidSurface,
    MeshSurface,
    PlaneSurface,
    SphereSurface,
)
from haptos.scenarios.lander.telling import progress_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mesh = tuple[Floats, Integers]

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
    if isinstance(surface, SphereSurface):
        return surface.radius_m
    return max(surface.semi_axes_m) if isinstance(surface, EllipsoidSurface) else 0.0


def grid_of_mesh(surface: BodySurface | MeshSurface, mesh: Mesh) -> Grid:
    """Distance grid of the body; its spacing is the mean side of a facet if nothing is said."""
    spacing = surface.grid_spacing_m or facet_sizes(*mesh).mean_side
    told = progress_of("distance grid")
    return cached_grid(*mesh, spacing, where="[surface]", progress=told)


def ground_of(surface: AnySurface, land: Arena) -> surfaces.Surface:
    """Ground as the kernel knows it."""
    if isinstance(surface, PlaneSurface):
        return surfaces.plane(surface.point_m, surface.normal, land)
    if isinstance(surface, SphereSurface):
        return surfaces.sphere(surface.radius_m, land)
    if isinstance(surface, EllipsoidSurface):
        return surfaces.ellipsoid(surface.semi_axes_m, land)
    return surfaces.grid_surface(land)


@functools.lru_cache(maxsize=GROUNDS_KEPT)
def rock_ground_of(surface: BodySurface | MeshSurface, _: tuple[int, int] | None) -> RockGround:
    """Facets under the rocks of a body, the same for every number of rocks; the file's stamp tells a new one."""
    mesh = cast(Mesh, mesh_of(surface)[0])
    return rock_ground(ground_of(surface, land_of(grid_of_mesh(surface, mesh))), *mesh)
