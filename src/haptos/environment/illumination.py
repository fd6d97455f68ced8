"""Light and shadow on a body that shades itself, and what a mothership sees of it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distances
from haptos.geometry.mesh.ray_cast import segments_met
from haptos.geometry.mesh.triangle_tree import Tree

CITES: tuple[str, ...] = ("Ericson2005",)

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

LIFT = 1e-7  # [-] of the body's size; a start this far above the ground does not shade itself
RAYS_AT_ONCE = 500_000  # [-], 60 MB of starts, ends and steps


def lit(tree: Tree, points: ArrayLike, suns: ArrayLike) -> Booleans:
    """Whether each point sees the Sun in each of its directions, shape (points, suns).

    A point is lit if the ray from it to the Sun meets nothing of the mesh: night, since the ray
    then goes through the ground, and shadow of other ground are found alike.

    points  above the ground, or on it if lifted (`lifted`) [m], shape (n, 3), body axes A
    suns    directions to the Sun, shape (k, 3), body axes A
    Validity: the Sun a point at infinity (its disc is half a degree at 1 au), no scattered light;
    shadows as sharp as the mesh. Source: ray casting [Ericson2005].
    """
    x = np.asarray(points, dtype=float).reshape(-1, 3)
    s = np.asarray(suns, dtype=float).reshape(-1, 3)
    if not len(s):
        raise ConfigError("suns", "none", "at least one direction", "suns_over_a_day(sun_A)")
    length = np.linalg.norm(s, axis=1, keepdims=True)
    if not np.all(length > 0.0):
        raise ConfigError("suns", "a direction without length", "vectors to the Sun", "check them")
    far = _reach(tree, x) * s / length
    found = np.empty((len(x), len(s)), dtype=np.bool_)
    rows = max(1, RAYS_AT_ONCE // len(s))
    for first in range(0, len(x), rows):
        starts = np.repeat(x[first : first + rows], len(s), axis=0)
        ends = starts + np.tile(far, (len(starts) // len(s), 1))
        found[first : first + rows] = ~segments_met(tree, starts, ends).reshape(-1, len(s))
    return found


def lit_share(tree: Tree, points: ArrayLike, suns: ArrayLike) -> Floats:
    """Share of the given directions of the Sun in which each point is lit, shape (n,) [-].

    With the Sun at even times over one turn of the body this is the lit share of its day.
    """
    return np.asarray(lit(tree, points, suns).mean(axis=1))


def suns_over_a_day(sun_A: ArrayLike, count: int = 96) -> Floats:
    """Directions to the Sun in A over one day, at `count` even local times, shape (count, 3).

    Validity: the latitude of the Sun is held, as for a day much shorter than the year.
    """
    x, y, z = np.asarray(sun_A, dtype=float)
    across = math.hypot(x, y)
    angle = math.atan2(y, x) - 2.0 * math.pi * np.arange(count) / count
    return np.stack([across * np.cos(angle), across * np.sin(angle), np.full(count, z)], axis=1)


def in_sight(tree: Tree, points: ArrayLike, mothership: ArrayLike) -> Booleans:
    """Whether each point, shape (n, 3) [m], sees the mothership at (3,) or (n, 3) [m], shape (n,).

    Nothing of the mesh lies on the segment between the two. Frame: body axes A.
    Validity: straight lines; no limit of elevation or of the antenna. Source: [Ericson2005].
    """
    return np.asarray(~segments_met(tree, points, mothership))


def elevations(points: ArrayLike, normals: ArrayLike, target: ArrayLike) -> Floats:
    """Height [rad] of a target at (3,) or (n, 3) [m] above the ground of each point, shape (n,)."""
    away = np.asarray(target, dtype=float) - np.asarray(points, dtype=float)
    away = away / np.linalg.norm(away, axis=-1, keepdims=True)
    sine = np.einsum("...i,...i->...", away, np.asarray(normals, dtype=float))
    return np.asarray(np.arcsin(np.clip(sine, -1.0, 1.0)))


def lifted(tree: Tree, points: ArrayLike, normals: ArrayLike) -> Floats:
    """Points of the ground, shape (n, 3) [m], raised along its normals so far that they are off it."""
    return np.asarray(points, dtype=float) + LIFT * _size(tree) * np.asarray(normals, dtype=float)


def off_ground(mesh: Mesh, points: ArrayLike) -> Floats:
    """Points, shape (n, 3) [m]: those on the mesh or below it raised along its normals to just off it.

    For places of rest: the ground a probe feels is a grid, which lies up to a part of its spacing
    beside the facets, so that a small probe may rest below them.
    """
    x = np.asarray(points, dtype=float).reshape(-1, 3)
    gaps, normals, _ = mesh_distances(mesh, x)
    return x + np.maximum(LIFT * _size(mesh.tree) - gaps, 0.0)[:, None] * normals


def _size(tree: Tree) -> float:
    """Diagonal [m] of the box around the body."""
    return float(np.linalg.norm(tree.boxes[0, 3:] - tree.boxes[0, :3]))


def _reach(tree: Tree, points: Floats) -> float:
    """A length [m] after which every ray from the points has left the body."""
    low, high = tree.boxes[0, :3], tree.boxes[0, 3:]
    corner = np.maximum(np.abs(low), np.abs(high))
    far = float(np.max(np.linalg.norm(points, axis=1))) if len(points) else 0.0
    return 2.0 * (float(np.linalg.norm(corner)) + far)
