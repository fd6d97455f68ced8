"""Ways to look at a lander: along its way, at the whole body, close to the probe."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.results.scene import WORLD, Camera, SceneSurface
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
    towards = tuple((0.75 * side + 0.55 * normal).tolist())
    up = tuple(normal.tolist())
    site = Camera("site", A, tuple(middle.tolist()), towards, up, 2.9 * reach)
    follow = Camera("follow", A, B, towards, up, 14.0 * radius)
    if config.surface.shape == "plane":
        inertial = Camera("inertial", WORLD, tuple(middle.tolist()), towards, up, 4.0 * reach)
        return (site, follow, inertial)
    size = extent(surfaces, path)
    far = tuple((side + 0.9 * normal).tolist())
    pole = (0.0, 0.0, 1.0)
    body = Camera("body-fixed", A, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    inertial = Camera("inertial", WORLD, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    return (body, site, follow, inertial)


def overview_cameras(
    points: Floats, normal: Floats, size: float, surfaces: tuple[SceneSurface, ...]
) -> tuple[Camera, ...]:
    middle = np.median(points, axis=0)
    side = _side(normal, np.zeros(3))
    far = tuple((0.8 * side + 0.9 * normal).tolist())
    spread = float(np.quantile(np.linalg.norm(points - middle, axis=1), 0.9)) + 1e-3
    site = Camera(
        "site", A, tuple(middle.tolist()), far, tuple(normal.tolist()), min(3.0 * spread, 3.0 * size)
    )  # fmt: skip
    if len(surfaces) and surfaces[0].label == "ground":
        return (site, Camera("inertial", WORLD, site.target, far, site.up, site.distance))
    pole = (0.0, 0.0, 1.0)
    body = Camera("body-fixed", A, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    inertial = Camera("inertial", WORLD, (0.0, 0.0, 0.0), far, pole, 2.6 * size)
    return (body, site, inertial)


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
