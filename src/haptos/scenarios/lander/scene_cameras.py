"""Ways to look at a lander: along its way, at the whole body, close to the probe."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.results.scene import WORLD, Camera, SceneSurface
from haptos.results.scene_parts import Triple, triple
from haptos.scenarios.lander.config import Config
from haptos.scenarios.worlds.scene_ground import A

Floats = NDArray[np.float64]

B = "B"  # axes of the probe


def run_cameras(
    path: Floats, radius: float, normal: Floats, surfaces: tuple[SceneSurface, ...], config: Config
) -> tuple[Camera, ...]:
    """First the whole way, then the body in space, then close to the probe."""
    middle = 0.5 * (path.min(axis=0) + path.max(axis=0))
    reach = max(float(np.linalg.norm(path - middle, axis=1).max()), 4.0 * radius)
    side = _side(normal, path[-1] - path[0])
    towards = triple(0.75 * side + 0.55 * normal)
    up = triple(normal)
    site = Camera("site", A, triple(middle), towards, up, 2.9 * reach)
    follow = Camera("follow", A, B, towards, up, 14.0 * radius)
    if config.surface.shape == "plane":
        inertial = Camera("inertial", WORLD, triple(middle), towards, up, 4.0 * reach)
        return (site, follow, inertial)
    body, inertial = _of_body(triple(side + 0.9 * normal), extent(surfaces, path))
    return (body, site, follow, inertial)


def overview_cameras(
    points: Floats, normal: Floats, size: float, surfaces: tuple[SceneSurface, ...]
) -> tuple[Camera, ...]:
    middle = np.median(points, axis=0)
    side = _side(normal, np.zeros(3))
    far = triple(0.8 * side + 0.9 * normal)
    spread = float(np.quantile(np.linalg.norm(points - middle, axis=1), 0.9)) + 1e-3
    site = Camera(
        "site", A, triple(middle), far, triple(normal), min(3.0 * spread, 3.0 * size)
    )  # fmt: skip
    if len(surfaces) and surfaces[0].label == "ground":
        return (site, Camera("inertial", WORLD, site.target, far, site.up, site.distance))
    body, inertial = _of_body(far, size)
    return (body, site, inertial)


def _of_body(direction: Triple, size: float) -> tuple[Camera, Camera]:
    """The whole body, which fills a ball of `size` [m]: turning with it, and at rest."""
    pole = (0.0, 0.0, 1.0)
    return (
        Camera("body-fixed", A, (0.0, 0.0, 0.0), direction, pole, 2.6 * size),
        Camera("inertial", WORLD, (0.0, 0.0, 0.0), direction, pole, 2.6 * size),
    )


def _side(normal: Floats, along: Floats) -> Floats:
    """Unit vector across the normal and, if it can be, across the way."""
    way = along - normal * (normal @ along)
    if np.linalg.norm(way) < 1e-6 * (1.0 + np.linalg.norm(along)):
        way = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    side = np.cross(way, normal) + 0.35 * way
    return np.asarray(side / np.linalg.norm(side))


def extent(surfaces: tuple[SceneSurface, ...], points: Floats) -> float:
    """Distance [m] of the farthest vertex from the origin; of the points if there is no surface."""
    drawn = np.asarray(surfaces[0].vertices) if surfaces else points
    return float(np.linalg.norm(drawn, axis=1).max())
