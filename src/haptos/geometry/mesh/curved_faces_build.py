"""Curved faces of balls, bodies of revolution, boxes and closed meshes."""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.distance.reference import parts_mesh
from haptos.geometry.distance.revolution import ball_pieces
from haptos.geometry.distance.section import ARC, CHANGE, KIND, SHAPE, TURN, Section
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.curved_faces import (
    BALL,
    FLAT,
    PATCH,
    REVOLUTION,
    CurvedFaces,
    fill_leaf_corners,
    fill_reach,
)
from haptos.geometry.mesh.patch_bends import SHARP_ANGLE, patch_bends
from haptos.geometry.mesh.triangle_tree import grow_tree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_LEVELS = 6
MOST_LEAVES = 20_000_000  # of all faces: their bounds and corners take seconds and gigabytes
MOST_FACES = 1_000_000  # of a body of revolution
ROUND = 1.0 + 1e-12  # so that rounding of a bound drops no node


def ball_faces(vertices: ArrayLike, faces: ArrayLike, radius: float, levels: int) -> CurvedFaces:
    """A triangulated ball about the origin whose nodes lie on the sphere of `radius` [m]."""
    if not (math.isfinite(radius) and radius > 0.0):
        raise GeometryError("ball", f"radius = {radius:g} m", "a finite number above 0", "0.1")
    points = np.asarray(vertices, dtype=np.float64)
    points = radius * points / np.linalg.norm(points, axis=1, keepdims=True)
    return _faces(BALL, levels, corners=points[np.asarray(faces)], radius=radius)


def octahedron_faces(splits: int, radius: float, levels: int) -> CurvedFaces:
    """A ball of 8 4^splits faces."""
    from haptos.geometry.mesh.polyhedra import platonic_solid
    from haptos.geometry.mesh.tessellation import subdivided

    points, faces = platonic_solid("octahedron")
    for _ in range(splits):
        points, faces = subdivided(points, faces)
        points = points / np.linalg.norm(points, axis=1, keepdims=True)
    return ball_faces(points, faces, radius, levels)


def mesh_faces(
    vertices: ArrayLike,
    faces: ArrayLike,
    levels: int,
    *,
    curved: bool = True,
    sharp_angle: float = SHARP_ANGLE,
    where: str = "mesh",
) -> CurvedFaces:
    """Faces of a closed mesh, flat or as patches of its vertex normals; edges above the angle stay sharp."""
    points = np.ascontiguousarray(vertices, dtype=np.float64)
    corners = np.ascontiguousarray(faces, dtype=np.int64)
    parts_mesh(points, corners, where)
    bends = patch_bends(points, corners, sharp_angle) if curved else None
    return _faces(PATCH if curved else FLAT, levels, corners=points[corners], bends=bends)


FINEST = 1e-6  # [-] of the largest radius: a smaller chord error needs more than 2,000 steps about the axis


def revolution_faces(
    profile: Section, levels: int, *, chord_error: float, around: int = 0
) -> CurvedFaces:
    """Faces of a body of revolution: segments cut by curvature, turned in an even number of steps.

    chord_error  e [m]; around  number of steps about the axis, ceil(pi/acos(1 - e/r_max)) if 0
    """
    if not chord_error > 0.0:
        raise GeometryError("section", f"chord error {chord_error:g} m", "above 0", "1e-5")
    widest = _largest_radius(profile)
    if chord_error < FINEST * widest:
        found = f"chord error {chord_error:g} m of a radius of {widest:g} m"
        raise GeometryError("section", found, f"at least {FINEST * widest:.3g} m", "a larger error, or a smaller body")  # fmt: skip
    if around == 0:
        around = math.ceil(math.pi / math.acos(1.0 - min(chord_error / widest, 1.0)))
    around = max(around + around % 2, 4)
    counts = [_cuts(profile, k, chord_error, widest, around) for k in range(len(profile.segments))]
    if 2 * around * sum(counts) > MOST_FACES:
        found = f"chord error {chord_error:g} m, which takes {2 * around * sum(counts):.2g} faces"
        raise GeometryError("section", found, f"at most {MOST_FACES} faces", "a larger error")
    shares, segments, tips = [], [], []
    for k, count in enumerate(counts):
        cuts = np.linspace(0.0, 1.0, count + 1)
        radii = np.array([_radius_at(profile, k, u) for u in cuts])
        off_axis = radii > 1e-9 * widest
        rows = _ring(cuts, off_axis, around)
        tips.append(~off_axis[np.searchsorted(cuts, rows[:, 2, 0] - 1e-12)])
        shares.append(rows)
        segments.append(np.full(len(rows), k))
    return _faces(
        REVOLUTION,
        levels,
        shares=np.concatenate(shares),
        segment=np.concatenate(segments),
        on_axis=np.concatenate(tips),
        profile=profile,
    )


def _largest_radius(profile: Section) -> float:
    v = profile.segments[:, SHAPE : SHAPE + 7]
    w = v + profile.segments[:, CHANGE : CHANGE + 7]
    return float(max(u[:, [1, 3]].max() for u in (v, w)) + v[:, 6].max())


def _cuts(profile: Section, k: int, error: float, widest: float, around: int) -> int:
    """Pieces of a segment: chords within the error on arcs, faces about as long as wide on lines."""
    row = profile.segments[k]
    wide = 2.0 * math.pi * widest / around
    if row[KIND] == ARC:
        radius = row[SHAPE + 6]
        chord = min(math.sqrt(8.0 * error * radius), radius)
        return max(math.ceil(abs(row[TURN]) * radius / chord), 1)
    return max(
        round(math.dist(row[SHAPE : SHAPE + 2], row[SHAPE + 2 : SHAPE + 4]) / (4.0 * wide)), 1
    )


def _radius_at(profile: Section, k: int, share: float) -> float:
    from haptos.geometry.distance.section import segment_point

    return float(max(segment_point(profile, k, share, s)[0][1] for s in (0.0, 1.0)))


def _ring(cuts: Floats, off_axis: NDArray[np.bool_], around: int) -> Floats:
    """Shares and angles of the corners of all faces of one segment, (faces, 3, 2); outward.

    The diagonal of the quads alternates. At the axis a quad is one triangle.
    """
    step = 2.0 * math.pi / around
    rows = []
    for m in range(len(cuts) - 1):
        u, v = cuts[m], cuts[m + 1]
        for k in range(around):
            a, b = k * step, (k + 1) * step
            tip = 0.5 * (a + b)
            if not off_axis[m]:
                rows.append([[u, tip], [v, a], [v, b]])
            elif not off_axis[m + 1]:
                rows.append([[v, tip], [u, b], [u, a]])
            elif (k + m) % 2 == 0:
                rows += [[[u, a], [v, a], [v, b]], [[u, a], [v, b], [u, b]]]
            else:
                rows += [[[u, a], [v, a], [u, b]], [[v, a], [v, b], [u, b]]]
    return np.array(rows)[:, ::-1]


def _faces(
    kind: int,
    levels: int,
    *,
    corners: Floats | None = None,
    bends: Floats | None = None,
    shares: Floats | None = None,
    segment: Integers | None = None,
    on_axis: NDArray[np.bool_] | None = None,
    profile: Section | None = None,
    radius: float = 1.0,
) -> CurvedFaces:
    """Faces with their tree and bounds."""
    if not 0 <= levels <= MOST_LEVELS:
        raise GeometryError("levels", f"{levels}", f"0 to {MOST_LEVELS}", "3")
    given = corners if corners is not None else shares
    count = len(given) if given is not None else 0
    if count * 4**levels > MOST_LEAVES:
        found = f"{count} faces split {levels} times: {count * 4**levels:.2g} leaves"
        raise GeometryError(
            "levels", found, f"at most {MOST_LEAVES} leaves", "fewer levels or faces"
        )
    profile = profile if profile is not None else section(ball_pieces(1.0))
    empty = np.zeros((1, 3, 3))
    made = CurvedFaces(
        kind,
        levels,
        np.ascontiguousarray(corners) if corners is not None else empty,
        np.ascontiguousarray(bends) if bends is not None else empty,
        np.ascontiguousarray(shares) if shares is not None else np.zeros((1, 3, 2)),
        np.ascontiguousarray(segment if segment is not None else np.zeros(count), dtype=np.int64),
        np.asarray(on_axis if on_axis is not None else np.zeros(count), dtype=np.int64),
        profile,
        float(radius),
        np.zeros((count, levels + 1)),
        np.zeros((count, 3), dtype=np.int64),
        np.zeros((1, 3)),
        int(not np.any(profile.segments[:, CHANGE : CHANGE + 7])),
        np.empty((2 * count, 6)),
        np.empty(2 * count, dtype=np.int32),
        np.empty(2 * count, dtype=np.int32),
        np.arange(count),
        0.0,
    )
    low, high = np.empty((count, 3)), np.empty((count, 3))
    fill_reach(made, made.reach, low, high)
    made.reach[:] *= ROUND
    middle = 0.5 * (low + high)
    nodes = grow_tree(low, high, middle, made.order, made.boxes, made.first, made.count)
    size = float(np.linalg.norm(np.maximum(np.abs(low), np.abs(high)), axis=1).max())
    made.vertex[:] = _vertices(made, size)
    place = np.empty((int(made.vertex.max()) + 1, 3))
    place[made.vertex.reshape(-1)] = leaf_corners(made._replace(levels=0)).reshape(-1, 3)
    return made._replace(
        place=place,
        boxes=made.boxes[:nodes].copy(),
        first=made.first[:nodes].copy(),
        count=made.count[:nodes].copy(),
        size=size,
    )


def _vertices(faces: CurvedFaces, size: float) -> Integers:
    """Number of each corner of each face, (f, 3): the same where corners lie on each other."""
    corners = leaf_corners(faces._replace(levels=0)).reshape(-1, 3)
    moved = leaf_corners(faces._replace(levels=0), 1.0).reshape(-1, 3)
    rows = np.round(np.hstack([corners, moved]) / (1e-9 * size)).astype(np.int64)
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1, 3)


def leaf_corners(faces: CurvedFaces, spread: float = 0.0) -> Floats:
    """Corners [m] of all triangles of the finest level, shape (n, 3, 3)."""
    corners = np.empty((len(faces.segment) * 4**faces.levels, 3, 3))
    fill_leaf_corners(faces, float(spread), corners)
    return corners


def leaf_nodes(faces: CurvedFaces, spread: float = 0.0) -> Floats:
    """Nodes [m] of all triangles of the finest level, shape (n, 3); those on edges once for each face."""
    corners = leaf_corners(faces, spread).reshape(len(faces.segment), -1, 3)
    return np.asarray(corners[:, _first_rows(faces.levels)].reshape(-1, 3))


@functools.lru_cache(maxsize=8)
def _first_rows(levels: int) -> Integers:
    """Rows of the corners of a face's leaves in which its nodes come for the first time."""
    n = 1 << levels
    codes = []
    for i in range(n):
        for j in range(n - i):
            codes += [(i, j), (i + 1, j), (i, j + 1)]
            if i + j + 2 <= n:
                codes += [(i + 1, j + 1), (i, j + 1), (i + 1, j)]
    rows = np.array(codes) @ np.array([n + 1, 1])
    return np.sort(np.unique(rows, return_index=True)[1])
