"""The ground of a world as a body that is asked for exact distances, for contact by polygons."""

from __future__ import annotations

import functools
from typing import Protocol

import numpy as np

from haptos.core.errors import ConfigError
from haptos.geometry.distance.reference import Reference, ellipsoid, half_space, meshed, revolved
from haptos.geometry.distance.revolution import ball_pieces
from haptos.geometry.distance.section_build import section
from haptos.scenarios.worlds.config import (
    AnySurface,
    EllipsoidSurface,
    PlaneSurface,
    SphereSurface,
)
from haptos.scenarios.worlds.world import World


class Grounds(Protocol):
    """Tables with a surface."""

    @property
    def surface(self) -> AnySurface: ...


def ground_reference(tables: Grounds, world: World) -> Reference:
    """The ground as the body that is asked for distances, A axes."""
    surface = tables.surface
    if isinstance(surface, PlaneSurface):
        normal = np.array(surface.normal) / np.linalg.norm(surface.normal)
        return half_space(normal, float(normal @ np.array(surface.point_m)))
    if isinstance(surface, SphereSurface):
        return revolved(section(ball_pieces(surface.radius_m)))
    if isinstance(surface, EllipsoidSurface):
        return ellipsoid(surface.semi_axes_m)
    if world.mesh is None:
        raise ConfigError(
            "[surface]", f"shape = '{surface.shape}' under contact by polygons",
            "plane, sphere, ellipsoid, body or mesh", "another shape, or another law of contact",
        )  # fmt: skip
    return _mesh_reference(world)


@functools.lru_cache(maxsize=4)
def _mesh_reference(world: World) -> Reference:
    assert world.mesh is not None  # refused above
    return meshed(*world.mesh, "[surface]")
