"""Signed distance to a closed mesh whose faces are curved: quadratic patches of its vertex normals.

    gap(x) = +-min over b of |x - S(b)|,     S(b) = sum b_i x_i - c_01 b_0 b_1 - c_12 b_1 b_2 - c_20 b_2 b_0

    b  barycentric coordinates        c  bends of the edges [m], 0 on sharp edges, which stay straight
The nearest flat triangle is found first; its patch is asked by Newton's method, and where the foot leaves it over an
edge that is not sharp, the patch beyond. A flat face cuts through a round wall by its sagitta: a hollow wall of flat
faces is too narrow, one of patches is not.
Flat and curved surface differ by the sagitta at most, so their distances do too: an answer that does not is that of
the flat mesh. Where two walls are equally near, the answer may be that of the other one, off by two sagittas.
Frame: that of the mesh. Sign: gap > 0 outside.
Validity: edges that turn less than the sharp angle are those of a smooth surface; depth below its least radius.
Source: patch [Nagata2005]; the foot by Newton's method is ours.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, cross, dot, norm, scale, subtract
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distance
from haptos.geometry.mesh.patch_bends import SHARP_ANGLE, patch_bends, sharp_sides, smooth_normals
from haptos.geometry.mesh.tessellation import mesh_edges
from haptos.geometry.mesh.triangle_tree import CORNER_A, SIDE_AB, triangle_foot

CITES: tuple[str, ...] = ("Nagata2005",)

Floats = NDArray[np.float64]

HOPS = 10  # most patches asked for a point, enough to go round a vertex
TURNS = 12  # most steps of Newton's method on a patch; 3 or 4 are usual
CLOSE = 1e-12  # [-] of a patch: a foot that is known
NONE = -1

# In the order of the mesh's tree, for m faces:
# bends       (m, 3, 3) [m] of edges ab, bc, ca       normals  (m, 3, 3) of the corners, smooth within sharp edges
# neighbours  (m, 3) row of the face beyond each edge, NONE beyond a sharp one
# sagitta     [m] most that a patch is away from its flat face
Patches = namedtuple("Patches", "bends normals neighbours sagitta")


def mesh_patches(
    mesh: Mesh, points: Floats, corners: NDArray[np.int64], sharp_angle: float = SHARP_ANGLE
) -> Patches:
    """Patches of the faces of a mesh, shapes (n, 3) [m] and (f, 3)."""
    order = mesh.tree.face
    bends = patch_bends(points, corners, sharp_angle)[order]
    row_of = np.empty(len(order), dtype=np.int64)
    row_of[order] = np.arange(len(order))
    sides = mesh_edges(corners)[1]
    pairs = np.argsort(sides.ravel(), kind="stable").reshape(-1, 2)
    beyond = np.empty(3 * len(corners), dtype=np.int64)
    beyond[pairs[:, 0]], beyond[pairs[:, 1]] = row_of[pairs[:, 1] // 3], row_of[pairs[:, 0] // 3]
    beyond[sharp_sides(points, corners, sharp_angle).ravel()] = NONE
    return Patches(
        np.ascontiguousarray(bends),
        np.ascontiguousarray(smooth_normals(points, corners, sharp_angle)[order]),
        np.ascontiguousarray(beyond.reshape(-1, 3)[order]),
        float(np.linalg.norm(bends, axis=2).max() / 3.0),
    )


def no_patches() -> Patches:
    """Of a body that has none."""
    rows = np.zeros((1, 3, 3))
    return Patches(rows, rows, np.full((1, 3), NONE, dtype=np.int64), 0.0)


@device
def _corner(triangles, row, i):
    a = (triangles[row, 0], triangles[row, 1], triangles[row, 2])
    if i == 0:
        return a
    k = 3 * i
    return (
        a[0] + triangles[row, k],
        a[1] + triangles[row, k + 1],
        a[2] + triangles[row, k + 2],
    )


@device
def _three(rows, row, i):
    return (rows[row, i, 0], rows[row, i, 1], rows[row, i, 2])


@device
def _patch(triangles, bends, row, v, w):
    """(S, S_v, S_w) [m] of a patch at the coordinates v, w of its second and third corner."""
    b, c = (
        (triangles[row, 3], triangles[row, 4], triangles[row, 5]),
        (triangles[row, 6], triangles[row, 7], triangles[row, 8]),
    )
    e, f, g = _three(bends, row, 0), _three(bends, row, 1), _three(bends, row, 2)
    u = 1.0 - v - w
    s = add_scaled(add_scaled(_corner(triangles, row, 0), v, b), w, c)
    s = add_scaled(add_scaled(add_scaled(s, -u * v, e), -v * w, f), -w * u, g)
    sv = add_scaled(add_scaled(add_scaled(b, v - u, e), -w, f), w, g)
    sw = add_scaled(add_scaled(add_scaled(c, v, e), -v, f), w - u, g)
    return s, sv, sw


@routine
def _inner_foot(triangles, bends, row, x, v, w):
    """(v, w) of the point of a patch, continued beyond its edges, that is nearest to x."""
    e, f, g = _three(bends, row, 0), _three(bends, row, 1), _three(bends, row, 2)
    mixed = add_scaled(subtract(e, f), 1.0, g)
    for _ in range(TURNS):
        s, sv, sw = _patch(triangles, bends, row, v, w)
        r = subtract(s, x)
        p, q = dot(r, sv), dot(r, sw)
        aa, ab, bb = dot(sv, sv), dot(sv, sw), dot(sw, sw)
        ha, hb, hc = aa + 2.0 * dot(r, e), ab + dot(r, mixed), bb + 2.0 * dot(r, g)
        below = ha * hc - hb * hb
        if not (ha > 0.0 and below > 0.01 * (aa * bb - ab * ab)):
            ha, hb, hc = aa, ab, bb
            below = ha * hc - hb * hb
        dv, dw = (hb * q - hc * p) / below, (hb * p - ha * q) / below
        v, w = min(max(v + dv, -1.0), 2.0), min(max(w + dw, -1.0), 2.0)
        if abs(dv) + abs(dw) < CLOSE:
            break
    return v, w


@routine
def _edge_foot(triangles, bends, row, k, x):
    """Share in [0, 1] of edge k, from its first corner, that is nearest to x."""
    p, q = _corner(triangles, row, k), _corner(triangles, row, (k + 1) % 3)
    d, c = subtract(q, p), _three(bends, row, k)
    t = min(max(dot(subtract(x, p), d) / dot(d, d), 0.0), 1.0)
    for _ in range(TURNS):
        r = subtract(add_scaled(add_scaled(p, t, d), -t * (1.0 - t), c), x)
        along = add_scaled(d, 2.0 * t - 1.0, c)
        slope, bend = dot(r, along), dot(along, along)
        full = bend + 2.0 * dot(r, c)
        step = slope / (full if full > 0.01 * bend else bend)
        before = t
        t = min(max(t - step, 0.0), 1.0)
        if abs(t - before) < CLOSE:
            break
    return t


@device
def _on_edge(k, t):
    """Coordinates (v, w) of the share t of edge k."""
    if k == 0:
        return t, 0.0
    if k == 1:
        return 1.0 - t, t
    return 0.0, 1.0 - t


@device
def _left_over(v, w):
    """The edge over which a foot has left its patch, NONE if it has not."""
    u = 1.0 - v - w
    low = min(u, v, w)
    if low >= -1e-9:
        return NONE
    if low == w:
        return 0
    return 1 if low == u else 2


@routine
def _foot(mesh, patches, x, row, v, w):
    """(row, v, w, edge) of the foot near a start: the nearest of the patches asked; edge NONE within a patch."""
    triangles, bends = mesh.tree.triangles, patches.bends
    best, best_row, best_v, best_w, best_edge = math.inf, row, v, w, NONE
    before = NONE
    for _ in range(HOPS):
        v, w = _inner_foot(triangles, bends, row, x, v, w)
        edge = _left_over(v, w)
        if edge != NONE:
            v, w = _on_edge(edge, _edge_foot(triangles, bends, row, edge, x))
        away = subtract(x, _patch(triangles, bends, row, v, w)[0])
        square = dot(away, away)
        if square > best * (1.0 + 1e-9):
            break
        if square < best:
            best, best_row, best_v, best_w, best_edge = square, row, v, w, edge
        beyond = patches.neighbours[row, edge] if edge != NONE else NONE
        if beyond in (NONE, before):  # an edge that both of its patches end at
            break
        before = row
        foot = _patch(triangles, bends, row, v, w)[0]
        row = beyond
        _, v, w, _ = triangle_foot(triangles, row, foot)
    return best_row, best_v, best_w, best_edge


@device
def _outward(mesh, patches, row, v, w, edge):
    """A vector that points out of the solid at a foot: smooth normals, pseudo-normals on sharp edges."""
    if edge != NONE and patches.neighbours[row, edge] == NONE:
        what = SIDE_AB + edge
        for i in range(3):
            if (1.0 - v - w if i == 0 else v if i == 1 else w) > 1.0 - 1e-9:
                what = CORNER_A + i
        n = mesh.normals[mesh.features[row, what]]
        return (n[0], n[1], n[2])
    n = scale(1.0 - v - w, _three(patches.normals, row, 0))
    return add_scaled(
        add_scaled(n, v, _three(patches.normals, row, 1)), w, _three(patches.normals, row, 2)
    )


@routine
def curved_distance(mesh, patches, x, guess, stack):
    """As `mesh_distance` for the curved faces of a mesh: (gap [m], unit normal, row of the nearest flat triangle)."""
    flat, flat_normal, row = mesh_distance(mesh, x, guess, stack)
    if patches.sagitta == 0.0:
        return flat, flat_normal, row
    _, v, w, _ = triangle_foot(mesh.tree.triangles, row, x)
    foot_row, v, w, edge = _foot(mesh, patches, x, row, v, w)
    s, sv, sw = _patch(mesh.tree.triangles, patches.bends, foot_row, v, w)
    away = subtract(x, s)
    if edge == NONE:
        n = cross(sv, sw)
        n = scale(1.0 / norm(n), n)
        gap = dot(away, n)
    else:
        outward = _outward(mesh, patches, foot_row, v, w, edge)
        gap = math.copysign(norm(away), dot(away, outward))
        n = scale(1.0 / gap, away) if gap != 0.0 else scale(1.0 / norm(outward), outward)
    if not abs(gap - flat) <= 2.0 * patches.sagitta:
        return flat, flat_normal, row
    return gap, n, row
