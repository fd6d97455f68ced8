"""One question for every body that is asked for distances: how far, which way, how fast is its wall.

Kinds: a half-space, a box, an ellipsoid, a body of revolution (section of lines and arcs, may change in time), a
closed mesh of one or more parts, with flat faces or with patches of its vertex normals. A ball, cylinder, cone, torus or capsule is a body of revolution;
a height grid is a closed mesh. All are exact, so |gap(x) - gap(y)| <= |x - y| holds for each, for patches within `slack`.
Frame: that of the body. Sign: gap > 0 outside, normal out of the body.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.by_reference import by_reference
from haptos.core.errors import GeometryError
from haptos.core.inlining import routine
from haptos.core.jit import device, uncounted_entry
from haptos.geometry.distance.curved_mesh import (
    Patches,
    curved_distance,
    mesh_patches,
    no_patches,
)
from haptos.geometry.distance.distance_ellipsoid import ellipsoid_distance
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distance, solid_mesh
from haptos.geometry.distance.revolution import (
    ball_pieces,
    kept_revolution_gap,
    revolution_gap,
)
from haptos.geometry.distance.section import STACK as SECTION_STACK
from haptos.geometry.distance.section import Section
from haptos.geometry.distance.section_build import section
from haptos.geometry.distance.section_near import KEPT
from haptos.geometry.mesh.patch_bends import SHARP_ANGLE
from haptos.geometry.mesh.triangle_tree import STACK as MESH_STACK

Floats = NDArray[np.float64]

HALF_SPACE, BOX, REVOLUTION, MESH, PATCHES, ELLIPSOID = 0, 1, 2, 3, 4, 5

# numbers  half-space: unit normal out of it and its offset along that; box: half edges; ellipsoid: semi-axes
# feature  [m] length below which the surface is flat
# slack    [m] within which two distances differ by no more than their points do; 0 if exact
Reference = namedtuple("Reference", "kind numbers profile mesh feature patches slack")
by_reference(Reference)

TOUCHING = 1e-9  # [-] of a mesh's size: parts that are closer touch
TETRAHEDRON = (
    np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
)


def search_scratch() -> tuple[Floats, NDArray[np.int64]]:
    """Scratch arrays of one thread for `reference_gap`."""
    return np.empty((MESH_STACK, 2)), np.empty(SECTION_STACK, dtype=np.int64)


@device
def _box_gap(half, p):
    """Exact distance to a box about the origin; inside, to its nearest face."""
    qx, qy, qz = abs(p[0]) - half[0], abs(p[1]) - half[1], abs(p[2]) - half[2]
    sx, sy, sz = math.copysign(1.0, p[0]), math.copysign(1.0, p[1]), math.copysign(1.0, p[2])
    if qx <= 0.0 and qy <= 0.0 and qz <= 0.0:
        if qx >= qy and qx >= qz:
            return qx, (sx, 0.0, 0.0)
        if qy >= qz:
            return qy, (0.0, sy, 0.0)
        return qz, (0.0, 0.0, sz)
    ox, oy, oz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
    gap = math.sqrt(ox * ox + oy * oy + oz * oz)
    return gap, (sx * ox / gap, sy * oy / gap, sz * oz / gap)


@routine
def reference_gap(body, p, spread, guess, scratch):
    """(gap [m], unit normal, wall motion [m] per unit of spread, next guess) of the point p [m]."""
    if body.kind == HALF_SPACE:
        n = body.numbers
        gap = n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - n[3]
        return gap, (n[0], n[1], n[2]), 0.0, guess
    if body.kind == BOX:
        gap, normal = _box_gap(body.numbers, p)
        return gap, normal, 0.0, guess
    if body.kind == REVOLUTION:
        return revolution_gap(body.profile, p, spread, guess, scratch[1])
    if body.kind == ELLIPSOID:
        n = body.numbers
        gap, normal = ellipsoid_distance(p, (n[0], n[1], n[2]))
        return gap, normal, 0.0, guess
    if body.kind == PATCHES:
        gap, normal, row = curved_distance(body.mesh, body.patches, p, guess, scratch[0])
        return gap, normal, 0.0, row
    gap, normal, row = mesh_distance(body.mesh, p, guess, scratch[0])
    return gap, normal, 0.0, row


@routine
def kept_reference_gap(body, p, spread, guess, scratch, row):
    """As `reference_gap` of a point that moves little: `row` keeps which part of the body is nearest to it."""
    if body.kind == REVOLUTION:
        return kept_revolution_gap(body.profile, p, spread, guess, scratch[1], row)
    return reference_gap(body, p, spread, guess, scratch)


def kept_rows(count: int) -> Floats:
    """Rows for `kept_reference_gap` that know nothing yet."""
    return np.full((count, KEPT), -1.0)


@uncounted_entry
def fill_gaps(body, points, spread, gaps, normals, walls, scratch):
    """Distances of many points, each search started at the answer before."""
    guess = 0
    for i in range(len(points)):
        p = (points[i, 0], points[i, 1], points[i, 2])
        gap, n, wall, guess = reference_gap(body, p, spread, guess, scratch)
        gaps[i], walls[i] = gap, wall
        normals[i, 0], normals[i, 1], normals[i, 2] = n[0], n[1], n[2]


def gaps_of(
    body: Reference, points: ArrayLike, spread: float = 0.0
) -> tuple[Floats, Floats, Floats]:
    """(gaps [m], unit normals, wall motion [m] per unit of spread) of points, shape (n, 3) [m]."""
    x = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
    gaps, normals, walls = np.empty(len(x)), np.empty((len(x), 3)), np.empty(len(x))
    fill_gaps(body, x, float(spread), gaps, normals, walls, search_scratch())
    return gaps, normals, walls


def _made(
    kind: int,
    numbers: ArrayLike = (0.0, 0.0, 0.0, 0.0),
    profile: Section | None = None,
    mesh: Mesh | None = None,
    feature: float = math.inf,
    patches: Patches | None = None,
) -> Reference:
    profile = profile or section(ball_pieces(1.0))
    mesh = mesh or solid_mesh(*TETRAHEDRON)
    patches = patches or no_patches()
    at = np.asarray(numbers, dtype=np.float64)
    return Reference(kind, at, profile, mesh, float(feature), patches, 2.0 * patches.sagitta)


def half_space(normal: ArrayLike = (0.0, 0.0, 1.0), offset: float = 0.0) -> Reference:
    """All points with normal . x <= offset [m]."""
    n = np.asarray(normal, dtype=np.float64)
    length = float(np.linalg.norm(n))
    if not (math.isfinite(length) and length > 0.0):
        raise GeometryError("half-space", f"normal {n.tolist()}", "a direction", "[0, 0, 1]")
    return _made(HALF_SPACE, [*(n / length), offset])


def box(edges: ArrayLike) -> Reference:
    """A box about the origin with edges [m] along x, y, z."""
    half = 0.5 * np.asarray(edges, dtype=np.float64)
    if half.shape != (3,) or not np.all(np.isfinite(half)) or not np.all(half > 0.0):
        raise GeometryError(
            "box", f"edges {(2.0 * half).tolist()}", "three lengths above 0", "[1, 1, 1]"
        )
    return _made(BOX, [*half, 0.0], feature=2.0 * float(half.min()))


def ellipsoid(semi_axes: ArrayLike) -> Reference:
    """An ellipsoid about the origin with semi-axes [m] along x, y, z."""
    axes = np.asarray(semi_axes, dtype=np.float64)
    if axes.shape != (3,) or not np.all(np.isfinite(axes)) or not np.all(axes > 0.0):
        found = f"semi-axes {axes.tolist()}"
        raise GeometryError("ellipsoid", found, "three lengths above 0", "[1, 1, 1]")
    return _made(ELLIPSOID, [*axes, 0.0], feature=float(axes.min() ** 2 / axes.max()))


def revolved(profile: Section) -> Reference:
    """The body of revolution of a section."""
    return _made(REVOLUTION, profile=profile, feature=profile.feature)


def meshed(
    vertices: ArrayLike,
    faces: ArrayLike,
    where: str = "mesh",
    *,
    curved: bool = False,
    sharp_angle: float = SHARP_ANGLE,
) -> Reference:
    """A closed mesh facing outward, concave or of several parts that do not overlap.

    curved  faces are patches of the vertex normals; edges that turn by more than the angle [rad] stay sharp
    """
    mesh = parts_mesh(vertices, faces, where)
    t = mesh.tree.triangles
    shortest = float(np.sqrt(np.minimum(t[:, 9], t[:, 11]).min()))
    if not curved:
        return _made(MESH, mesh=mesh, feature=shortest)
    points = np.ascontiguousarray(vertices, dtype=np.float64).reshape(-1, 3)
    corners = np.ascontiguousarray(faces, dtype=np.int64).reshape(-1, 3)
    patches = mesh_patches(mesh, points, corners, sharp_angle)
    return _made(PATCHES, mesh=mesh, feature=shortest, patches=patches)


def parts_mesh(vertices: ArrayLike, faces: ArrayLike, where: str = "mesh") -> Mesh:
    """As `solid_mesh` for one or more closed parts; each is checked, and none may touch or hold another.

    Where parts touch, their common wall would count as surface: the depth would be that to it.
    """
    from haptos.geometry.mesh.mesh_checks import require_simple
    from haptos.geometry.mesh.mesh_topology import facet_pieces

    points = np.ascontiguousarray(vertices, dtype=np.float64).reshape(-1, 3)
    corners = np.ascontiguousarray(faces, dtype=np.int64).reshape(-1, 3)
    if len(corners) == 0 or corners.min() < 0 or corners.max() >= len(points):
        return solid_mesh(points, corners, where)  # refused there
    pieces, piece = facet_pieces(len(points), corners)
    if pieces == 1:
        return solid_mesh(points, corners, where)
    solids = [_part(points, corners[piece == k], f"{where}, part {k + 1}") for k in range(pieces)]
    for k, solid in enumerate(solids):
        others = points[np.unique(corners[piece != k])]
        gaps = gaps_of(_made(MESH, mesh=solid), others)[0]
        if np.any(gaps <= TOUCHING * float(np.max(np.ptp(points, axis=0)))):
            found = f"parts that overlap: a vertex lies {-gaps.min():g} m inside part {k + 1}"
            if gaps.min() > -TOUCHING * float(np.max(np.ptp(points, axis=0))):
                found = f"parts that touch: a vertex lies on part {k + 1}"
            raise GeometryError(
                where, found, "parts apart from each other", "join them in an editor"
            )
    if _boxes_meet([points[corners[piece == k]].reshape(-1, 3) for k in range(pieces)]):
        require_simple(where, points, corners)
    return _joined(points, corners)


def _boxes_meet(parts: list[Floats]) -> bool:
    """Whether the boxes of any two parts have a point in common."""
    low, high = (
        np.array([part.min(axis=0) for part in parts]),
        np.array([part.max(axis=0) for part in parts]),
    )
    order = np.argsort(low[:, 0], kind="stable")
    for place, k in enumerate(order):
        for other in order[place + 1 :]:
            if low[other, 0] > high[k, 0]:
                break
            if np.all(low[other] <= high[k]) and np.all(low[k] <= high[other]):
                return True
    return False


def _part(points: Floats, corners: NDArray[np.int64], where: str) -> Mesh:
    used, numbers = np.unique(corners, return_inverse=True)
    return solid_mesh(points[used], numbers.reshape(corners.shape), where)


def _joined(points: Floats, corners: NDArray[np.int64]) -> Mesh:
    """One tree over parts that were checked one by one."""
    from haptos.geometry.distance.distance_mesh import unchecked_mesh

    return unchecked_mesh(points, corners)
