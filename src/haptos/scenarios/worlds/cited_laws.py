"""Which laws the world of a scenario file uses."""

from __future__ import annotations

from types import ModuleType

from haptos.environment import gravity_polyhedron, spin
from haptos.geometry.mesh import procedural_bodies
from haptos.geometry.terrain import noise, regions, rocks_polyhedral, rocks_seeded
from haptos.scenarios.worlds.config import (
    PolyhedralRocksTerrain,
    SeededRocksTerrain,
    WorldTables,
)
from haptos.scenarios.worlds.gravity import GRAVITY_LAWS
from haptos.scenarios.worlds.ground import SHAPES


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
    always = [SHAPES[tables.surface.shape].law, GRAVITY_LAWS[tables.gravity.model]]
    return [*always, *(law for law, is_used in wanted.items() if is_used)]
