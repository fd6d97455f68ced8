"""The sum over all edges and faces of a polyhedron, for a row of points at a time.

With x the point, E and F the dyads, L the logarithms and w the solid angles, three sums say it all:

    A = sum E L - sum F w,   b = sum E p L - sum F p w,   k = sum p.E.p L - sum p.F.p w
    gradient = G rho A,   g = G rho (A x - b),   U = G rho (k - 2 b . x + x . A x) / 2

p being any point of the edge or face. Since tr E = 0 and tr F = 1, tr A = -sum w, so ten sums are
kept: xx, xy, xz, yy, yz of A, then b, k, sum w. Each is linear in L or w with coefficients that
depend on the shape only; four edges or faces are added at once to spare loads and stores.

A row holds as many points as its scratch is wide. Every point goes through the same operations
in the same order whatever its neighbours are, so its bits depend on nothing else.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from haptos.core.jit import device, entry, routine
from haptos.environment.gravity_multipole import add_multipoles
from haptos.environment.gravity_polyhedron_terms import (
    NEAR_LOGARITHM,
    far_angle,
    far_logarithm,
    near_angle,
    near_logarithm,
)

CITES: tuple[str, ...] = ()

SUMS = 10  # xx, xy, xz, yy, yz of A, b (3), k, sum of solid angles
GROUP = 4  # edges or faces added at once
FOLD = 128  # groups in a partial sum: sums of sums lose fewer digits than one long sum
WIDTH = 64  # points in a row: wide enough to spread the cost of a loop, small enough for the cache
VALUES = 11  # per point: U, g (3), gradient (xx, xy, xz, yy, yz, zz), solid angle

# Lengths in radii from the centre; edges and faces in groups of four, the last one filled up
# with edges and faces that add nothing.
#
# vertices      (n, 3)
# edge_ends     (e, 4, 2) vertex indices       edge_length  (e, 4)
# edge_terms    (e, 9, 4) what a unit logarithm adds to the first nine sums
# face_corners  (f, 4, 3) vertex indices       face_plane   (f, 4, 4) normal, distance
# face_sizes    (f, 4, 5) twice the area, squared sides opposite the corners, reach of "near"
# face_terms    (f, 10, 4) what a unit solid angle adds to the ten sums
# multipoles    (t, 2, 10) far field, see gravity_multipole
# far           [radii] distance beyond which the far field is used
Polyhedron = namedtuple(
    "Polyhedron",
    "vertices edge_ends edge_length edge_terms face_corners face_plane face_sizes face_terms "
    "multipoles far",
)

# Room for one row of `width` points.
SweepScratch = namedtuple("SweepScratch", "point distance term part total")


def scratch(vertex_count: int, width: int) -> SweepScratch:
    """Arrays that one sweep over `width` points needs; never share them between threads."""
    return SweepScratch(
        np.ones((3, width)),
        np.empty((vertex_count, width)),
        np.empty((GROUP, width)),
        np.empty((SUMS, width)),
        np.empty((SUMS, width)),
    )


@routine
def _distances(vertex, point, distance):
    x, y, z = point[0], point[1], point[2]
    for k in range(len(distance)):
        dx, dy, dz = vertex[0] - x[k], vertex[1] - y[k], vertex[2] - z[k]
        distance[k] = math.sqrt(dx * dx + dy * dy + dz * dz)


@routine
def _logarithms(length, a, b, term):
    """Far logarithms of one edge into `term`; returns how many points are near it."""
    near = 0
    for k in range(len(term)):
        value = far_logarithm(length / (a[k] + b[k]))
        term[k] = value
        near += value > NEAR_LOGARITHM
    return near


@routine
def _angles(plane, sizes, a, b, c, point, term):
    """Far solid angles of one face into `term`; returns how many points are near it.

    tan(omega / 2) = 2 twice_area height / ((a + b) (b + c) (c + a) - a A^2 - b B^2 - c C^2)
    with the sides A, B, C opposite the corners: no products of vectors.
    """
    x, y, z = point[0], point[1], point[2]
    nx, ny, nz, offset = plane[0], plane[1], plane[2], plane[3]
    four_areas, a2, b2, c2, reach = 2.0 * sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]
    near = 0
    for k in range(len(term)):
        height = offset - (nx * x[k] + ny * y[k] + nz * z[k])
        spread = (a[k] + b[k]) * (b[k] + c[k]) * (c[k] + a[k])
        term[k] = far_angle(four_areas * height / (spread - (a[k] * a2 + b[k] * b2 + c[k] * c2)))
        near += a[k] + b[k] + c[k] < reach
    return near


@routine
def _add_group(weight, term, total):
    """total += weight . term, for one sum."""
    w0, w1, w2, w3 = weight[0], weight[1], weight[2], weight[3]
    t0, t1, t2, t3 = term[0], term[1], term[2], term[3]
    for k in range(len(total)):
        total[k] += (w0 * t0[k] + w1 * t1[k]) + (w2 * t2[k] + w3 * t3[k])


@device
def _from_point(vertices, i, point, k):
    return (
        vertices[i, 0] - point[0, k],
        vertices[i, 1] - point[1, k],
        vertices[i, 2] - point[2, k],
    )


@routine
def _near_logarithms(body, group, one, row):
    i, j = body.edge_ends[group, one, 0], body.edge_ends[group, one, 1]
    term = row.term[one]
    for k in range(len(term)):
        if term[k] > NEAR_LOGARITHM:
            a = _from_point(body.vertices, i, row.point, k)
            b = _from_point(body.vertices, j, row.point, k)
            term[k] = near_logarithm(a, b)


@routine
def _near_angles(body, group, one, row):
    corners, plane = body.face_corners[group, one], body.face_plane[group, one]
    normal = (plane[0], plane[1], plane[2])
    twice_area, reach = body.face_sizes[group, one, 0], body.face_sizes[group, one, 4]
    h, i, j = corners[0], corners[1], corners[2]
    from_h, from_i, from_j = row.distance[h], row.distance[i], row.distance[j]
    term = row.term[one]
    for k in range(len(term)):
        if from_h[k] + from_i[k] + from_j[k] < reach:
            a = _from_point(body.vertices, h, row.point, k)
            b = _from_point(body.vertices, i, row.point, k)
            c = _from_point(body.vertices, j, row.point, k)
            term[k] = near_angle(a, b, c, normal, twice_area)


@routine
def _fold(row):
    """Empty the partial sums into the totals."""
    for s in range(SUMS):
        part, total = row.part[s], row.total[s]
        for k in range(len(total)):
            total[k] += part[k]
            part[k] = 0.0


@routine
def _sweep_edges(body, row):
    distance, term = row.distance, row.term
    for group in range(len(body.edge_terms)):
        for one in range(GROUP):
            ends = body.edge_ends[group, one]
            length = body.edge_length[group, one]
            if _logarithms(length, distance[ends[0]], distance[ends[1]], term[one]):
                _near_logarithms(body, group, one, row)
        for s in range(SUMS - 1):
            _add_group(body.edge_terms[group, s], term, row.part[s])
        if group % FOLD == FOLD - 1:
            _fold(row)
    _fold(row)


@routine
def _sweep_faces(body, row):
    distance, term = row.distance, row.term
    for group in range(len(body.face_terms)):
        for one in range(GROUP):
            plane, sizes = body.face_plane[group, one], body.face_sizes[group, one]
            corners = body.face_corners[group, one]
            a, b, c = distance[corners[0]], distance[corners[1]], distance[corners[2]]
            if _angles(plane, sizes, a, b, c, row.point, term[one]):
                _near_angles(body, group, one, row)
        for s in range(SUMS):
            _add_group(body.face_terms[group, s], term, row.part[s])
        if group % FOLD == FOLD - 1:
            _fold(row)
    _fold(row)


@routine
def sweep(body, row):
    """Ten sums over the polyhedron into row.total, for the points of row.point [radii]."""
    row.part[:] = 0.0
    row.total[:] = 0.0
    for i in range(len(row.distance)):
        _distances(body.vertices[i], row.point, row.distance[i])
    _sweep_edges(body, row)
    _sweep_faces(body, row)


@device
def combine(total, k, x, y, z, out):
    """The eleven values at point k of a row, for unit G rho and lengths in radii, into out."""
    xx, xy, xz, yy, yz = total[0, k], total[1, k], total[2, k], total[3, k], total[4, k]
    bx, by, bz, constant, angle = total[5, k], total[6, k], total[7, k], total[8, k], total[9, k]
    zz = -angle - xx - yy
    ax = xx * x + xy * y + xz * z
    ay = xy * x + yy * y + yz * z
    az = xz * x + yz * y + zz * z
    out[0] = 0.5 * (constant + x * (ax - 2.0 * bx) + y * (ay - 2.0 * by) + z * (az - 2.0 * bz))
    out[1], out[2], out[3] = ax - bx, ay - by, az - bz
    out[4], out[5], out[6], out[7], out[8], out[9] = xx, xy, xz, yy, yz, zz
    out[10] = angle


@routine
def polyhedron_values(body, row, x, out):
    """The eleven values at one point x [radii], for unit G rho, into out.

    row  scratch of width one (for the vertices of the body); the same bits as a wide sweep
    """
    if x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > body.far * body.far:
        add_multipoles(body.multipoles, x, out)
        return
    row.point[0, 0], row.point[1, 0], row.point[2, 0] = x[0], x[1], x[2]
    sweep(body, row)
    combine(row.total, 0, x[0], x[1], x[2], out)


@entry
def fill_values(body, row, points, low, high, out):
    """Eleven values per point into out[low:high]; points (n, 3) in radii from the centre."""
    width = row.term.shape[1]
    chosen = np.empty(width, np.int64)
    count = 0
    for i in range(low, high):
        x = (points[i, 0], points[i, 1], points[i, 2])
        if x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > body.far * body.far:
            add_multipoles(body.multipoles, x, out[i])
        else:
            row.point[0, count], row.point[1, count], row.point[2, count] = x
            chosen[count] = i
            count += 1
        if count == width or (count > 0 and i == high - 1):
            sweep(body, row)
            for k in range(count):
                p = row.point
                combine(row.total, k, p[0, k], p[1, k], p[2, k], out[chosen[k]])
            count = 0
