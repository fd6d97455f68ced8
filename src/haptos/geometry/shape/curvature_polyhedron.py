"""Curvature at the vertices of a closed triangle mesh, from the facets around each.

With the angle alpha at the vertex P_i of every facet around it, and the angles beta, gamma opposite
the edge from P_i to P_j in the two facets there:

    A_i = sum over facets of (|b|^2 cot beta + |c|^2 cot gamma) / 8,                  Eq. (3.59)
          half the facet's area if it is obtuse at P_i, a quarter if obtuse elsewhere
    K_i = (2 pi - sum alpha) / A_i                                                    Eq. (3.61)
    2 H_i N = (1 / (2 A_i)) sum over edges of (cot beta + cot gamma) (P_i - P_j)      Eq. (3.62)
    k+- = H +- sqrt(max(H^2 - K, 0))
    k_j = 2 (P_i - P_j) . N / |P_i - P_j|^2,  w_j = (cot beta + cot gamma) |P_i - P_j|^2
    B minimises sum w_j (d_j . B d_j - k_j)^2; its eigenvectors are e+ and e-         Eq. (3.65)

N is the mean of the facets' normals weighted by their angles, so it does not turn over on concave
ground and exists where H = 0; weights below zero (two obtuse angles) count as zero; B is drawn
weakly to H, so that a ring of four edges in two lines has one answer.
sum A_i K_i = 4 pi (1 - genus) holds to rounding (Gauss-Bonnet), whatever the areas.
Frame: that of the vertices. Validity: closed meshes. Against a smooth body the error falls with the
square of the edges where rings are regular; where they are not, K and H keep an error of some percent.
Source: [Meyer2003]; [VanWal2018] eqs. (3.59)-(3.67); normals: [Baerentzen2005].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.jit import device, entry
from haptos.core.vectors import tangents
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.mesh_topology import edges_of
from haptos.geometry.mesh.vertex_normals import vertex_normals
from haptos.geometry.shape.curvature import CurvedGround

CITES: tuple[str, ...] = ("Meyer2003", "VanWal2018", "Baerentzen2005")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DRAWN_TO_MEAN = 1e-6  # [-] weight of B = H beside the edges, as a share of theirs
STEEPEST_COTANGENT = 1e4  # [-] of a needle's angle; beyond, one facet would outweigh all others


@dataclass(frozen=True, eq=False)
class MeshCurvature:
    """Curvature of a mesh at its vertices.

    ground  points, normals and curvatures, one row per vertex
    area    A_i [m^2], shape (n,): shares of the surface; their sum is the area of the mesh
    defect  2 pi - sum alpha [rad], shape (n,): K_i A_i
    """

    ground: CurvedGround
    area: Floats
    defect: Floats


def mesh_curvature(vertices: ArrayLike, faces: ArrayLike) -> MeshCurvature:
    """Curvature at every vertex of a closed mesh; vertices [m], (n, 3), faces outward, (m, 3)."""
    points = np.ascontiguousarray(vertices, dtype=float)
    corners = np.ascontiguousarray(faces, dtype=np.int64)
    require_solid("curvature of a mesh", points, corners)
    edges = edges_of(corners)
    count = len(points)
    normal, bend = vertex_normals(points, corners), np.zeros((count, 3))
    area, angle = np.zeros(count), np.zeros(count)
    weight = np.zeros(len(edges.vertices))
    edge_of_side = np.ascontiguousarray(edges.edge_of_side)
    sum_facets(points, corners, edge_of_side, bend, area, angle, weight)
    defect = 2.0 * np.pi - angle
    sign = np.sign(np.einsum("ni,ni->n", bend, normal))
    mean = sign * np.linalg.norm(bend, axis=1) / (4.0 * area)  # Eq. (3.62)
    spread = np.sqrt(np.maximum(mean**2 - defect / area, 0.0))
    toward = np.empty((count, 3))
    sums = np.zeros((count, 9))
    sum_edges(points, np.ascontiguousarray(edges.vertices), weight, normal, sums)
    principal_directions(sums, mean, normal, toward)
    ground = CurvedGround(points, normal, mean + spread, mean - spread, toward)
    return MeshCurvature(ground, area, defect)


@device
def _side(points, i, j):
    """From point i to point j."""
    return points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]


@entry
def sum_facets(points, faces, edge_of_side, bend, area, angle, weight):
    """Add every facet's share of the sums over rings; weight: cot beta + cot gamma of each edge."""
    for f in range(len(faces)):
        p, q, r = faces[f, 0], faces[f, 1], faces[f, 2]
        a0, a1, a2 = _side(points, q, r)
        b0, b1, b2 = _side(points, r, p)
        c0, c1, c2 = _side(points, p, q)
        aa = a0 * a0 + a1 * a1 + a2 * a2
        bb = b0 * b0 + b1 * b1 + b2 * b2
        cc = c0 * c0 + c1 * c1 + c2 * c2
        n0, n1, n2 = a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
        twice = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
        dots = (
            -(b0 * c0 + b1 * c1 + b2 * c2),
            -(c0 * a0 + c1 * a1 + c2 * a2),
            -(a0 * b0 + a1 * b1 + a2 * b2),
        )
        squares, ids = (aa, bb, cc), (p, q, r)
        obtuse = dots[0] < 0.0 or dots[1] < 0.0 or dots[2] < 0.0
        for k in range(3):
            i, j, h = ids[k], (k + 1) % 3, (k + 2) % 3
            angle[i] += math.atan2(twice, dots[k])
            if obtuse:
                area[i] += 0.25 * twice if dots[k] < 0.0 else 0.125 * twice
            else:  # Eq. (3.59)
                area[i] += 0.125 * (squares[j] * dots[j] + squares[h] * dots[h]) / twice
            cotangent = dots[k] / max(twice, abs(dots[k]) / STEEPEST_COTANGENT)
            for x in range(3):
                along = points[ids[j], x] - points[ids[h], x]
                bend[ids[j], x] += cotangent * along
                bend[ids[h], x] -= cotangent * along
            weight[edge_of_side[3 * f + j]] += cotangent


@entry
def sum_edges(points, edges, weight, normal, sums):
    """Add the normal equations of B: six of w q q^T and three of w k q, q = (x^2, 2 x y, y^2)."""
    for e in range(len(edges)):
        w = max(weight[e], 0.0)
        for turn in range(2):
            i, j = edges[e, turn], edges[e, 1 - turn]
            d0, d1, d2 = _side(points, j, i)
            square = d0 * d0 + d1 * d1 + d2 * d2
            n = (normal[i, 0], normal[i, 1], normal[i, 2])
            u, v = tangents(n)
            curve = 2.0 * (d0 * n[0] + d1 * n[1] + d2 * n[2]) / square
            x = d0 * u[0] + d1 * u[1] + d2 * u[2]
            y = d0 * v[0] + d1 * v[1] + d2 * v[2]
            flat = x * x + y * y
            if not flat > 0.0:
                continue
            q0, q1, q2 = x * x / flat, 2.0 * x * y / flat, y * y / flat
            s = w * square
            sums[i, 0] += s * q0 * q0
            sums[i, 1] += s * q0 * q1
            sums[i, 2] += s * q0 * q2
            sums[i, 3] += s * q1 * q1
            sums[i, 4] += s * q1 * q2
            sums[i, 5] += s * q2 * q2
            sums[i, 6] += s * curve * q0
            sums[i, 7] += s * curve * q1
            sums[i, 8] += s * curve * q2


@entry
def principal_directions(sums, mean, normal, toward):
    """e+ of every vertex from its normal equations, solved by Cramer's rule."""
    for i in range(len(sums)):
        pull = DRAWN_TO_MEAN * (sums[i, 0] + sums[i, 3] + sums[i, 5]) + 1e-300
        a, b, c = sums[i, 0] + pull, sums[i, 1], sums[i, 2]
        d, e, f = sums[i, 3] + pull, sums[i, 4], sums[i, 5] + pull
        s = sums[i, 6] + pull * mean[i]
        t, g = sums[i, 7], sums[i, 8] + pull * mean[i]
        m0, m1, m2 = d * f - e * e, c * e - b * f, b * e - c * d
        determinant = a * m0 + b * m1 + c * m2
        xx = (s * m0 + t * m1 + g * m2) / determinant
        xy = (s * m1 + t * (a * f - c * c) + g * (b * c - a * e)) / determinant
        yy = (s * m2 + t * (b * c - a * e) + g * (a * d - b * b)) / determinant
        turn = 0.5 * math.atan2(xy, 0.5 * (xx - yy))
        u, v = tangents((normal[i, 0], normal[i, 1], normal[i, 2]))
        x, y = math.cos(turn), math.sin(turn)
        for k in range(3):
            toward[i, k] = x * u[k] + y * v[k]
