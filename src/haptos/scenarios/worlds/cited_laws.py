"""Which laws the world of a scenario file uses."""

from __future__ import annotations

from types import ModuleType

from haptos.environment import (
    gravity_ellipsoid,
    gravity_point,
    gravity_polyhedron,
    gravity_table,
    gravity_uniform,
    spin,
)
from haptos.geometry.distance import (
    distance_ellipsoid,
    distance_grid,
    distance_plane,
    distance_sphere,
)
from haptos.geometry.mesh import procedural_bodies
from haptos.geometry.terrain import noise, regions, rocks_polyhedral, rocks_seeded
from haptos.scenarios.worlds.config import (
    PolyhedralRocksTerrain,
    SeededRocksTerrain,
    WorldTables,
)

SURFACES = {
    "plane": distance_plane, "sphere": distance_sphere, "ellipsoid": distance_ellipsoid,
    "body": distance_grid, "mesh": distance_grid,
}  # fmt: skip
GRAVITIES = {
    "uniform": gravity_uniform, "point": gravity_point, "ellipsoid": gravity_ellipsoid,
    "polyhedron": gravity_table,
}  # fmt: skip


def world_laws(tables: WorldTables) -> list[ModuleType]:
    """Laws of ground, terrain, gravity and spin."""
    wanted = {
        spin: tables.spin.kind != "none",
        procedural_bodies: tables.surface.shape == "body",
        gravity_polyhedron: tables.gravity.model == "polyhedron",
        noise: tables.terrain.noise is not None,
        rocks_seeded: isinstance(tables.terrain.rocks, SeededRocksTerrain),
        rocks_polyhedral: isinstance(tables.terrain.rocks, PolyhedralRocksTerrain),
        regions: len(tables.regions) > 0,
    }
    always = [SURFACES[tables.surface.shape], GRAVITIES[tables.gravity.model]]
    return [*always, *(law for law, is_used in wanted.items() if is_used)]
