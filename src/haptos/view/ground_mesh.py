"""The ground of a run on a body with a mesh: a patch of it under a short path, all of it under a long one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import HaptosError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

WHOLE = 0.25  # [body sizes] a path longer than this is drawn over the whole body
WHOLE_LEVEL, PATCH_LEVEL = 3, 6  # splits of a built-in body drawn whole, and in part
WHOLE_CELLS = 24  # [-] cells along the longest side that a body drawn whole is coarsened to
MOST_FACETS = 3_000  # drawn of a whole body; more are a grey blot


def ground_mesh(surface: dict[str, Any], level: int) -> tuple[Floats, Integers] | None:
    """(vertices [m], faces) of the body named by a [surface] table; None if it is not to be had."""
    from haptos.geometry.distance.surface_tables import mesh_of_table

    try:
        return mesh_of_table(surface, level)
    except (HaptosError, OSError, KeyError):  # moved or changed since the run
        return None


def whole_body(surface: dict[str, Any], path: Floats) -> tuple[Floats, Integers] | None:
    """(vertices [m], faces) to draw if the path goes far over the body; None else."""
    mesh = ground_mesh(surface, WHOLE_LEVEL)
    if mesh is None or not is_far(path, mesh[0]):
        return None
    return mesh if len(mesh[1]) <= MOST_FACETS else coarse(*mesh)


def is_far(path: Floats, vertices: Floats) -> bool:
    """Whether the path spans a fair part of the body."""
    return bool(np.ptp(path, axis=0).max() > WHOLE * np.ptp(vertices, axis=0).max())


def coarse(vertices: Floats, faces: Integers) -> tuple[Floats, Integers]:
    """The mesh with its vertices moved together into cubic cells; for drawing, not for computing."""
    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max())
    cells = np.floor((vertices - low) / size * WHOLE_CELLS).astype(np.int64)
    _, joined, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    joined = joined.reshape(-1)
    points = np.zeros((len(count), 3))
    np.add.at(points, joined, vertices)
    triangles = joined[faces]
    flat = (triangles == np.roll(triangles, 1, axis=1)).any(axis=1)
    return points / count[:, None], np.unique(triangles[~flat], axis=0)


def ground_normal(mesh: tuple[Floats, Integers], place: Floats) -> Floats:
    """Unit normal out of the facet whose centre is nearest to a place [m]."""
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    nearest = int(np.argmin(np.sum(((a + b + c) / 3.0 - place) ** 2, axis=1)))
    normal = np.cross(b[nearest] - a[nearest], c[nearest] - a[nearest])
    return np.asarray(normal / np.linalg.norm(normal))


def put_on_mesh(mesh: tuple[Floats, Integers], patch: Floats, normal: Floats) -> Floats:
    """Points (3, n, n) moved along `normal` onto the mesh, to the place nearest; NaN beside it."""
    points = patch.reshape(3, -1).T
    reach = np.linalg.norm(points - points.mean(axis=0), axis=1).max()
    a, ab, ac = _facets_near(mesh, points.mean(axis=0), reach)
    across = np.cross(normal, ac)
    size = np.einsum("fi,fi->f", ab, across)  # twice the area that a facet shows along the normal
    shown = np.abs(size) > 1e-9 * np.linalg.norm(np.cross(ab, ac), axis=1)
    a, ab, ac, across, size = (part[shown] for part in (a, ab, ac, across, size))
    moved = np.full(points.shape, np.nan)
    for n, point in enumerate(points):
        away = point - a
        turned = np.cross(away, ab)
        u, v = np.einsum("fi,fi->f", away, across) / size, turned @ normal / size
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
        if hit.any():
            heights = np.einsum("fi,fi->f", ac[hit], turned[hit]) / size[hit]
            moved[n] = point + heights[np.argmin(np.abs(heights))] * normal
    return moved.T.reshape(patch.shape)


def _facets_near(
    mesh: tuple[Floats, Integers], place: Floats, reach: float
) -> tuple[Floats, Floats, Floats]:
    """(corner, first side, second side) [m] of the facets that come near a place."""
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    longest = np.sqrt(max(np.sum((b - a) ** 2, axis=1).max(), np.sum((c - a) ** 2, axis=1).max()))
    near = np.sum((a - place) ** 2, axis=1) < (2.0 * reach + 2.0 * longest) ** 2
    return a[near], (b - a)[near], (c - a)[near]
