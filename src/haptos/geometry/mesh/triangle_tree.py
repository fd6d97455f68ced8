"""Tree of boxes around the triangles of a mesh, and the closest triangle to a point."""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import device, entry, routine
from haptos.core.vectors import add_scaled, dot

CITES: tuple[str, ...] = ("Wald2007", "Ericson2005")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEAF = 4  # [-], most triangles of a leaf; one box test costs about a third of a triangle test
BINS = 16  # [-], candidate planes of a split along the longest axis
HALVED_DEPTH = 40  # [-], from here on triangles are halved by count, so that depth stays bounded
STACK = 72  # [-], HALVED_DEPTH and log2 of MOST_FACES, with room to spare
ROUNDED = 1.0 + 1e-14  # [-], so that rounding of a bound drops no triangle that is closest
MOST_FACES = 2**26  # [-], assumed; beyond any shape model, and within 32-bit node numbers

# What is closest: the inside of the triangle (a, b, c), one of its sides, one of its corners.
FACE, SIDE_AB, SIDE_BC, SIDE_CA, CORNER_A, CORNER_B, CORNER_C = range(7)

# boxes      (n, 6) low x, y, z, high x, y, z of every node [m]; the root is node 0
# first      (n,) first of the two children, or first triangle of a leaf
# count      (n,) triangles of a leaf; 0 for a node with children
# triangles  (m, 15) in tree order: a, b - a, c - a [m], their products (bb, bc, cc) [m^2], normal
# discs      (m, 7) in tree order: centroid [m], unit normal [-], radius of the corners [m]
# face       (m,) index in the mesh of every triangle of the tree
Tree = namedtuple("Tree", "boxes first count triangles discs face")


def triangle_tree(vertices: Floats, faces: Integers) -> Tree:
    """Tree over the triangles of a mesh, shapes (n, 3) [m] and (m, 3).

    Split where the surface-area heuristic over 16 planes of the longest axis is least.
    Source: [Wald2007].
    """
    if not 0 < len(faces) <= MOST_FACES:
        raise GeometryError(
            "triangle tree", f"{len(faces)} faces", f"1 to {MOST_FACES}", "simplify the mesh"
        )
    a, b, c = (np.asarray(vertices, dtype=np.float64)[faces[:, k]] for k in range(3))
    low = np.minimum(np.minimum(a, b), c)
    high = np.maximum(np.maximum(a, b), c)
    order = np.arange(len(faces))
    boxes = np.empty((2 * len(faces), 6))
    first = np.empty(2 * len(faces), dtype=np.int32)
    count = np.empty(2 * len(faces), dtype=np.int32)
    nodes = grow_tree(low, high, 0.5 * (low + high), order, boxes, first, count)
    a, b, c = (corner[order] for corner in (a, b, c))
    triangles, discs = _triangles(a, b - a, c - a), _discs(a, b - a, c - a)
    boxes, first, count = boxes[:nodes].copy(), first[:nodes].copy(), count[:nodes].copy()
    return Tree(boxes, first, count, triangles, discs, order)


def _triangles(a: Floats, b: Floats, c: Floats) -> Floats:
    """Rows a, b, c, b . b, b . c, c . c, unit normal; b and c are sides from the corner a."""
    products = [np.einsum("fi,fi->f", u, v) for u, v in ((b, b), (b, c), (c, c))]
    return np.concatenate([a, b, c, np.stack(products, axis=1), _normals(b, c)], axis=1)


def _discs(a: Floats, b: Floats, c: Floats) -> Floats:
    """Rows centroid, unit normal, radius: the disc about the centroid that holds the triangle."""
    middle = (b + c) / 3.0
    reach = [np.linalg.norm(corner - middle, axis=1) for corner in (0.0 * b, b, c)]
    radius = np.max(reach, axis=0)[:, None]
    return np.concatenate([a + middle, _normals(b, c), radius], axis=1)


def _normals(b: Floats, c: Floats) -> Floats:
    normals = np.cross(b, c)
    return normals / np.linalg.norm(normals, axis=1, keepdims=True)


@entry
def grow_tree(low, high, middle, order, boxes, first, count):
    """Fill the nodes of the tree over boxes (low, high) and sort `order`; the number of nodes."""
    todo = np.empty((STACK, 4), dtype=np.int64)  # node, begin, end, depth
    todo[0] = (0, 0, len(order), 0)
    waiting, nodes = 1, 1
    while waiting > 0:
        waiting -= 1
        node, begin, end, depth = todo[waiting]
        _enclose(low, high, order, begin, end, boxes[node])
        split = begin
        if end - begin > LEAF:
            split = _split(low, high, middle, order, begin, end, depth)
        if split == begin:
            first[node], count[node] = begin, end - begin
            continue
        first[node], count[node] = nodes, 0
        todo[waiting] = (nodes, begin, split, depth + 1)
        todo[waiting + 1] = (nodes + 1, split, end, depth + 1)
        waiting, nodes = waiting + 2, nodes + 2
    return nodes


@routine
def _enclose(low, high, order, begin, end, box):
    for k in range(3):
        box[k], box[k + 3] = np.inf, -np.inf
    for i in range(begin, end):
        for k in range(3):
            box[k] = min(box[k], low[order[i], k])
            box[k + 3] = max(box[k + 3], high[order[i], k])


@routine
def _split(low, high, middle, order, begin, end, depth):
    """Where to cut order[begin:end] after sorting it in two; never at its ends."""
    axis, start, width = _longest(middle, order, begin, end)
    half = (begin + end) // 2
    if depth >= HALVED_DEPTH or not width > 0.0:
        return half
    factor = BINS * (1.0 - 1e-12) / width
    plane = _cheapest_plane(low, high, middle, order, begin, end, axis, start, factor)
    left, right = begin, end - 1
    while left <= right:
        if int((middle[order[left], axis] - start) * factor) <= plane:
            left += 1
        else:
            order[left], order[right] = order[right], order[left]
            right -= 1
    return left if begin < left < end else half


@routine
def _longest(middle, order, begin, end):
    """(axis, least coordinate, width) of the middles, along their longest axis."""
    axis, start, width = 0, 0.0, -1.0
    for k in range(3):
        least, most = np.inf, -np.inf
        for i in range(begin, end):
            least = min(least, middle[order[i], k])
            most = max(most, middle[order[i], k])
        if most - least > width:
            axis, start, width = k, least, most - least
    return axis, start, width


@routine
def _cheapest_plane(low, high, middle, order, begin, end, axis, start, factor):
    """Bin after which to cut: least sum of area times number of triangles over both sides."""
    box = np.empty((BINS, 6))
    box[:, :3], box[:, 3:] = np.inf, -np.inf
    held = np.zeros(BINS, dtype=np.int64)
    for i in range(begin, end):
        bin_ = int((middle[order[i], axis] - start) * factor)
        held[bin_] += 1
        for k in range(3):
            box[bin_, k] = min(box[bin_, k], low[order[i], k])
            box[bin_, k + 3] = max(box[bin_, k + 3], high[order[i], k])
    cost = np.zeros(BINS)
    for reverse in range(2):
        joined, number = np.array([np.inf] * 3 + [-np.inf] * 3), 0
        for step in range(BINS - 1):
            bin_ = BINS - 1 - step if reverse else step
            number += held[bin_]
            for k in range(3):
                joined[k] = min(joined[k], box[bin_, k])
                joined[k + 3] = max(joined[k + 3], box[bin_, k + 3])
            x, y, z = joined[3] - joined[0], joined[4] - joined[1], joined[5] - joined[2]
            area = x * y + y * z + z * x if number > 0 else 0.0
            cost[bin_ - 1 if reverse else bin_] += area * number
    return np.argmin(cost[: BINS - 1])


@device
def box_square(boxes, node, x):
    """Squared distance [m^2] from x to the box of a node; 0 inside."""
    dx = max(boxes[node, 0] - x[0], 0.0, x[0] - boxes[node, 3])
    dy = max(boxes[node, 1] - x[1], 0.0, x[1] - boxes[node, 4])
    dz = max(boxes[node, 2] - x[2], 0.0, x[2] - boxes[node, 5])
    return dx * dx + dy * dy + dz * dz


@device
def disc_square(discs, row, x):
    """A number [m^2] the squared distance to a triangle is never below: that to its disc."""
    q = (x[0] - discs[row, 0], x[1] - discs[row, 1], x[2] - discs[row, 2])
    height = discs[row, 3] * q[0] + discs[row, 4] * q[1] + discs[row, 5] * q[2]
    across = math.sqrt(max(dot(q, q) - height * height, 0.0)) - discs[row, 6]
    across = max(across, 0.0)
    return height * height + across * across


@device
def triangle_foot(triangles, row, x):
    """(square, v, w, what) of the point a + v (b - a) + w (c - a) of a triangle closest to x.

    square is the squared distance [m^2], what is FACE, a side or a corner.
    Source: [Ericson2005] 5.1.5.
    """
    p = (x[0] - triangles[row, 0], x[1] - triangles[row, 1], x[2] - triangles[row, 2])
    b = (triangles[row, 3], triangles[row, 4], triangles[row, 5])
    c = (triangles[row, 6], triangles[row, 7], triangles[row, 8])
    bb, bc, cc = triangles[row, 9], triangles[row, 10], triangles[row, 11]
    v, w, what = _region(dot(b, p), dot(c, p), bb, bc, cc)
    if what == FACE:  # v and w lose digits in slivers, the height above the plane does not
        n = (triangles[row, 12], triangles[row, 13], triangles[row, 14])
        return dot(n, p) ** 2, v, w, what
    r = add_scaled(add_scaled(p, -v, b), -w, c)
    return dot(r, r), v, w, what


@device
def _region(d1, d2, bb, bc, cc):
    """(v, w, what) from the products of x - a with b - a and c - a."""
    if d1 <= 0.0 and d2 <= 0.0:
        return 0.0, 0.0, CORNER_A
    d3, d4 = d1 - bb, d2 - bc
    if d3 >= 0.0 and d4 <= d3:
        return 1.0, 0.0, CORNER_B
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return d1 / (d1 - d3), 0.0, SIDE_AB
    d5, d6 = d1 - bc, d2 - cc
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 1.0, CORNER_C
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return 0.0, d2 / (d2 - d6), SIDE_CA
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 >= d3 and d5 >= d6:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 1.0 - w, w, SIDE_BC
    total = va + vb + vc
    return vb / total, vc / total, FACE


@routine
def closest_triangle(tree, x, guess, stack):
    """(square [m^2], row) of the triangle of the tree closest to x [m].

    guess  row of any triangle; one close to the answer saves most of the search
    stack  scratch, (STACK, 2) floats
    Validity: exact except for rounding, for any x and any guess. Of triangles that are
    equally near, the one met first.
    """
    row = guess
    best = triangle_foot(tree.triangles, guess, x)[0]
    stack[0, 0], stack[0, 1] = 0.0, box_square(tree.boxes, 0, x)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node, reach = int(stack[waiting, 0]), stack[waiting, 1]
        if not reach < best:
            continue
        while tree.count[node] == 0:
            near = tree.first[node]
            far = near + 1
            near_square, far_square = (
                box_square(tree.boxes, near, x),
                box_square(tree.boxes, far, x),
            )
            if far_square < near_square:
                near, far = far, near
                near_square, far_square = far_square, near_square
            if far_square < best:
                stack[waiting, 0], stack[waiting, 1] = far, far_square
                waiting += 1
            node, reach = near, near_square
            if not reach < best:
                break
        if not reach < best:
            continue
        begin = tree.first[node]
        for i in range(begin, begin + tree.count[node]):
            if disc_square(tree.discs, i, x) < best * ROUNDED:
                square = triangle_foot(tree.triangles, i, x)[0]
                if square < best:
                    best, row = square, i
    return best, row
