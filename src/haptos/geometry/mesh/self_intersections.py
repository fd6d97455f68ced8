"""Where a triangle mesh cuts or touches itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.jit import device, entry, routine
from haptos.geometry.mesh.exact_signs import SCRATCH, side_of_plane
from haptos.geometry.mesh.mesh_topology import joined_vertices
from haptos.geometry.mesh.triangle_tree import STACK, grow_tree

CITES: tuple[str, ...] = ("Shewchuk1997",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_PAIRS = 100_000  # [-], assumed: a mesh with more is a heap of facets, and the search ends


def self_intersections(vertices: ArrayLike, faces: ArrayLike) -> Integers:
    """Pairs of facets that meet elsewhere than in a shared corner or side, shape (k, 2), sorted.

    Two facets that share no corner must not touch; that share one, must not touch in any other
    point; that share a side, must not lie folded on each other. Corners at exactly the same place
    count as shared. Facets without area and copies of facets are passed over.

    vertices  [m], shape (n, 3)           faces  corner indices, shape (m, 3)
    Cost: about a microsecond per facet and pair of boxes that overlap, some seconds per million
    facets of an ordinary mesh. The search ends after MOST_PAIRS pairs.
    Validity: exact for the coordinates as stored: signs that rounding could change are worked out
    in exact arithmetic (coordinates below 1e-90 of the largest excepted, whose products vanish).
    Source: signs after [Shewchuk1997]; facets of one mesh meet iff a side of one meets the other.
    """
    points = np.ascontiguousarray(vertices, dtype=np.float64)
    _, place = joined_vertices(points)
    _, first = np.unique(place, return_index=True)
    corners = first[place][np.asarray(faces, dtype=np.int64)]
    with_area = np.flatnonzero(_double_area(points, corners) > 0.0)
    corners = corners[with_area]
    if len(corners) < 2:
        return np.empty((0, 2), dtype=np.int64)
    _, exponent = np.frexp(np.max(np.abs(points)))
    points = np.ldexp(points, -exponent)  # by a power of two, so without rounding
    low, high = points[corners].min(axis=1), points[corners].max(axis=1)
    order = np.arange(len(corners))
    boxes = np.empty((2 * len(corners), 6))
    start, held = (np.empty(2 * len(corners), dtype=np.int32) for _ in range(2))
    grow_tree(low, high, 0.5 * (low + high), order, boxes, start, held)
    pairs = np.empty((MOST_PAIRS, 2), dtype=np.int64)
    ranked = np.ascontiguousarray(corners[order])
    found = find_pairs(points, ranked, low[order], high[order], boxes, start, held, pairs)
    named = np.sort(with_area[order[pairs[:found]]], axis=1)
    return named[np.lexsort((named[:, 1], named[:, 0]))]


def _double_area(points: Floats, corners: Integers) -> Floats:
    a, b, c = (points[corners[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1)


@entry
def find_pairs(points, corners, low, high, boxes, start, held, pairs):
    """Fill `pairs` with rows of facets in tree order that meet; their number."""
    stack = np.empty(2 * STACK, dtype=np.int64)
    scratch, signs = np.empty(SCRATCH), np.empty((2, 3), dtype=np.int64)
    found = 0
    for i in range(len(corners)):
        stack[0], waiting = 0, 1
        while waiting > 0:
            waiting -= 1
            node = stack[waiting]
            if not boxes_meet(boxes[node], low[i], high[i]):
                continue
            begin = start[node]
            if held[node] == 0:
                stack[waiting], stack[waiting + 1] = begin, begin + 1
                waiting += 2
                continue
            for j in range(begin, begin + held[node]):
                if j <= i or not facets_meet(points, corners[i], corners[j], scratch, signs):
                    continue
                if found == len(pairs):
                    return found
                pairs[found, 0], pairs[found, 1] = i, j
                found += 1
    return found


@device
def boxes_meet(box, low, high):
    """Do the box of a node and the box low..high have a point in common?"""
    return (
        box[0] <= high[0] and low[0] <= box[3]
        and box[1] <= high[1] and low[1] <= box[4]
        and box[2] <= high[2] and low[2] <= box[5]
    )  # fmt: skip


@routine
def facets_meet(points, one, two, scratch, signs):
    """Do two facets, given by three vertex numbers each, meet beyond the corners they share?

    signs  scratch, (2, 3) integers: the side of each corner from the plane of the other facet
    """
    shared = 0
    for k in range(3):
        for m in range(3):
            shared += one[k] == two[m]
    if shared == 3:
        return False
    for which in range(2):
        facet, other = (one, two) if which == 0 else (two, one)
        total = 0
        for k in range(3):
            side = 0
            if not is_corner(facet[k], other):
                side = side_of_plane(points, other[0], other[1], other[2], facet[k], scratch)
            signs[which, k] = side
            total += side
        if abs(total) == 3 - shared:
            return False  # strictly on one side, except for the shared corners
    if shared == 2:
        return folded(points, one, two, scratch)
    for choice in range(6):
        which, k = choice // 3, choice % 3
        m = (k + 1) % 3
        facet, other = (one, two) if which == 0 else (two, one)
        if is_corner(facet[k], other) or is_corner(facet[m], other):
            continue  # beyond a shared corner they meet at the side opposite to it, if at all
        if side_meets(points, facet[k], facet[m], signs[which, k], signs[which, m], other, scratch):
            return True
    return False


@device
def is_corner(vertex, facet):
    return vertex == facet[0] or vertex == facet[1] or vertex == facet[2]


@routine
def side_meets(points, p, q, side_p, side_q, facet, scratch):
    """Does the segment between vertices p and q meet a facet, its border included?

    side_p, side_q  on which sides of the plane of the facet they are
    """
    if side_p * side_q > 0:
        return False
    if side_p == 0 and side_q == 0:
        return side_meets_in_plane(points, p, q, facet, scratch)
    least, most = 1, -1
    for k in range(3):
        side = side_of_plane(points, p, q, facet[k], facet[(k + 1) % 3], scratch)
        least, most = min(least, side), max(most, side)
    return least >= 0 or most <= 0


@routine
def side_meets_in_plane(points, p, q, facet, scratch):
    """The same for a segment in the plane of the facet: no line along one of the two parts them."""
    axis = flat_axis(points, facet)
    inward = side_of_plane(points, facet[0], facet[1], -1 - axis, facet[2], scratch)
    total = 0
    for k in range(3):
        a, b = facet[k], facet[(k + 1) % 3]
        outside = 0
        for choice in range(3):
            # The ends of the segment from a side of the facet, a corner from the segment.
            first, second = (a, b) if choice < 2 else (p, q)
            third = p if choice == 0 else (q if choice == 1 else a)
            side = side_of_plane(points, first, second, -1 - axis, third, scratch)
            if choice == 2:
                total += side
            else:
                outside += side * inward < 0
        if outside == 2:
            return False
    return abs(total) < 3


@routine
def folded(points, one, two, scratch):
    """Do two facets in one plane that share a side lie on the same side of it?"""
    axis = flat_axis(points, one)
    result = 1
    for which in range(2):
        facet, other = (one, two) if which == 0 else (two, one)
        for k in range(3):
            if not is_corner(facet[k], other):
                a, b = one[0], one[1]
                for m in range(3):
                    if not is_corner(one[m], two):
                        a, b = one[(m + 1) % 3], one[(m + 2) % 3]
                result *= side_of_plane(points, a, b, -1 - axis, facet[k], scratch)
    return result > 0


@device
def flat_axis(points, facet):
    """The axis along which a facet looks largest."""
    a, b, c = points[facet[0]], points[facet[1]], points[facet[2]]
    x = abs((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]))
    y = abs((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]))
    z = abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    if x >= y and x >= z:
        return 0
    return 1 if y >= z else 2
