"""Faces that follow the true surface: points of a triangle lifted to what it stands for.

    flat        sum b_i x_i                                            box faces, meshes with flat faces
    ball        c + R (sum b_i x_i - c)/|sum b_i x_i - c|              exact
    revolution  section point at share sum b_i u_i of its segment, turned by sum b_i phi_i      exact
    patch       sum b_i x_i - c_01 b_0 b_1 - c_12 b_1 b_2 - c_20 b_2 b_0        of vertex normals

    b  barycentric coordinates, here whole numbers (i, j) over a power of two, so that the same node
       has the same number whenever it comes back
    c  bend of an edge [m] from the normals at its ends; 0 on sharp edges, which stay straight
A surface of revolution may change its section in time; its faces ride on it, as material points.
Frame: that of the body. Validity: patches where edges turn less than the sharp angle; they bulge
past a ball by a share of about (edge/R)^4. Source: patch [Nagata2005]; the rest elementary.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.by_reference import by_reference
from haptos.core.jit import device, routine, uncounted_entry
from haptos.core.vectors import norm, subtract
from haptos.geometry.distance.section import segment_point

CITES: tuple[str, ...] = ("Nagata2005",)

FLAT, BALL, REVOLUTION, PATCH = 0, 1, 2, 3

# kind      of all faces             levels  times a face is split by the midpoints of its edges
# corners   (f, 3, 3) [m]            bends  (f, 3, 3) [m] of edges 01, 12, 20
# shares    (f, 3, 2) share of the segment and angle [rad] of each corner; segment (f,), on_axis (f,): 1 if the third
#           corner lies on the axis
# profile   section of a body of revolution      radius  [m] of a ball about the origin
# reach     (f, levels + 1) [m] how far nodes lie from the nearest corner of their triangle of a level
# vertex    (f, 3) number of each corner; faces that meet in a point share it; place (v, 3) [m] of each in
#           the first shape; is_still  1 if the shape does not change
# boxes, first, count, order    tree over the faces, as of triangle_tree; boxes hold all nodes
# size      [m] radius of the ball about the origin that holds all nodes
CurvedFaces = namedtuple(
    "CurvedFaces",
    "kind levels corners bends shares segment on_axis profile radius reach vertex place is_still boxes first count order size",
)
by_reference(CurvedFaces)


@routine
def lifted(faces, f, i, j, n, spread):
    """(point [m], change with the spread [m]) of node (i, j) of face f, cut in n parts along an edge.

    i, j  whole numbers, i + j <= n: barycentric coordinates of the second and third corner times n
    """
    b1, b2 = i / n, j / n
    b0 = (n - i - j) / n
    if faces.kind == REVOLUTION:
        s = faces.shares
        share = b0 * s[f, 0, 0] + b1 * s[f, 1, 0] + b2 * s[f, 2, 0]
        angle = b0 * s[f, 0, 1] + b1 * s[f, 1, 1] + b2 * s[f, 2, 1]
        if faces.on_axis[f] == 1 and j < n:  # the third corner has every angle
            angle = (b0 * s[f, 0, 1] + b1 * s[f, 1, 1]) / (b0 + b1)
        (x, r), (dx, dr) = segment_point(faces.profile, faces.segment[f], share, spread)
        cosine, sine = math.cos(angle), math.sin(angle)
        return (x, r * cosine, r * sine), (dx, dr * cosine, dr * sine)
    c = faces.corners
    x = b0 * c[f, 0, 0] + b1 * c[f, 1, 0] + b2 * c[f, 2, 0]
    y = b0 * c[f, 0, 1] + b1 * c[f, 1, 1] + b2 * c[f, 2, 1]
    z = b0 * c[f, 0, 2] + b1 * c[f, 1, 2] + b2 * c[f, 2, 2]
    if faces.kind == BALL:
        factor = faces.radius / math.sqrt(x * x + y * y + z * z)
        x, y, z = factor * x, factor * y, factor * z
    elif faces.kind == PATCH:
        e = faces.bends
        p, q, r = b0 * b1, b1 * b2, b2 * b0
        x -= p * e[f, 0, 0] + q * e[f, 1, 0] + r * e[f, 2, 0]
        y -= p * e[f, 0, 1] + q * e[f, 1, 1] + r * e[f, 2, 1]
        z -= p * e[f, 0, 2] + q * e[f, 1, 2] + r * e[f, 2, 2]
    return (x, y, z), (0.0, 0.0, 0.0)


@device
def _farthest(faces, f, corners, n, size, spread):
    """Largest distance [m] from a node of a triangle of whole-numbered corners to its nearest corner."""
    a, _ = lifted(faces, f, corners[0], corners[1], n, spread)
    b, _ = lifted(faces, f, corners[2], corners[3], n, spread)
    c, _ = lifted(faces, f, corners[4], corners[5], n, spread)
    di, dj = (corners[2] - corners[0]) // size, (corners[3] - corners[1]) // size
    ei, ej = (corners[4] - corners[0]) // size, (corners[5] - corners[1]) // size
    farthest = 0.0
    for k in range(size + 1):
        for m in range(size + 1 - k):
            i, j = corners[0] + k * di + m * ei, corners[1] + k * dj + m * ej
            x, _ = lifted(faces, f, i, j, n, spread)
            near = min(norm(subtract(x, a)), norm(subtract(x, b)), norm(subtract(x, c)))
            farthest = max(farthest, near)
    return farthest


@uncounted_entry
def fill_reach(faces, reach, low, high):
    """Reach of every face and level, and the boxes of their nodes, over both shapes of a section."""
    n = 1 << faces.levels
    for f in range(len(faces.segment)):
        for k in range(3):
            low[f, k], high[f, k] = math.inf, -math.inf
        for spread in (0.0, 1.0):
            if spread > 0.0 and faces.is_still == 1:
                continue
            for i in range(n + 1):
                for j in range(n + 1 - i):
                    x, _ = lifted(faces, f, i, j, n, spread)
                    for k in range(3):
                        low[f, k] = min(low[f, k], x[k])
                        high[f, k] = max(high[f, k], x[k])
            for level in range(faces.levels + 1):
                size = n >> level
                most = reach[f, level] if spread > 0.0 else 0.0
                for i in range(0, n, size):
                    for j in range(0, n - i, size):
                        up = (i, j, i + size, j, i, j + size)
                        most = max(most, _farthest(faces, f, up, n, size, spread))
                        if i + j + 2 * size <= n:
                            down = (i + size, j + size, i, j + size, i + size, j)
                            most = max(most, _farthest(faces, f, down, n, size, spread))
                reach[f, level] = most


@uncounted_entry
def fill_leaf_corners(faces, spread, corners):
    """Corners [m] of all triangles of the finest level, shape (f 4^levels, 3, 3); for drawing."""
    n = 1 << faces.levels
    row = 0
    for f in range(len(faces.segment)):
        for i in range(n):
            for j in range(n - i):
                for turn in range(2 if i + j + 2 <= n else 1):
                    nodes = ((i, j), (i + 1, j), (i, j + 1))
                    if turn == 1:
                        nodes = ((i + 1, j + 1), (i, j + 1), (i + 1, j))
                    for k in range(3):
                        x, _ = lifted(faces, f, nodes[k][0], nodes[k][1], n, spread)
                        corners[row, k, 0], corners[row, k, 1], corners[row, k, 2] = x
                    row += 1
