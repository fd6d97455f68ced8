"""Which polygons of one body touch another: faces culled by distance, split into leaves, cut by depth.

The *sampled* body B carries faces, the *reference* body A is asked for distances. A tree of boxes over
the faces, then the triangles of each face level by level are dropped as soon as the distance bound

    gap(x) >= gap(y) - |x - y|

says that none of their nodes can lie within `margin` of A. What is left at the finest level are leaves.
No node within the margin is ever dropped, so a contact smaller than a face is found as if every leaf
had been asked. The same bound holds along the path: what was once asked is not asked again while B has
moved too little since to change the answer,

    |gap(x, now) - gap(x, then)| <= way of B's nodes relative to A between then and now

so faces far from A cost nothing, and the set is the same as if all of them were asked.
FIXED splits every face that may touch to its finest level: the set of leaves depends on
the pose only by what is dropped, which carries no load, so the energy is smooth. ADAPTIVE stops
earlier where depth is linear within a tolerance, so leaves are fewer, and goes on to the finest level
wherever no corner is inside and the bound still allows a touch; its leaves change with the pose.
A node is named by its face and its place in it, a corner by its number, so it is the same node whenever it comes back.
Validity: exact distances of A; faces whose reach was computed for their finest level.
Source: distance bound elementary; refinement at the border after [Krenn2008].
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons_asked import (
    APART,
    UNKNOWN,
    box_answer,
    keep_box,
    move_on,
    nothing_asked,
    vertex_bound,
    vertex_gap,
)
from haptos.contact.sets.polygons_asked import CALL as CALL
from haptos.contact.sets.polygons_asked import GUESS as GUESS
from haptos.contact.sets.polygons_asked import LEAVES as LEAVES
from haptos.contact.sets.polygons_asked import NODES as NODES
from haptos.contact.sets.polygons_asked import OVERFLOW as OVERFLOW
from haptos.contact.sets.polygons_asked import QUERIES as QUERIES
from haptos.core.by_reference import by_reference
from haptos.core.jit import device, routine
from haptos.core.rotations import apply
from haptos.core.vectors import add, cross, norm, subtract
from haptos.geometry.distance.reference import kept_reference_gap, kept_rows, search_scratch
from haptos.geometry.mesh.curved_faces import CurvedFaces, lifted
from haptos.geometry.mesh.triangle_tree import STACK

CITES: tuple[str, ...] = ("Krenn2008",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FIXED, ADAPTIVE = 0, 1
FACE, CODE = 0, 1  # columns of `names`

# mode, linearity [-] and depth_scale [m]: depth is linear within linearity max(depth, depth_scale);
# border [m]: longest edge of leaves at the border
Refinement = namedtuple("Refinement", "mode linearity depth_scale border")

# names      (n, 2) face and place in it of every node; -1 - v for the corner numbered v        place   (n, 3) in B [m]
# shape_rate (n, 3) [m] per unit of spread, in B        point   (n, 3) in A [m]
# gap (n,) [m], normal (n, 3), wall (n,) [m] per unit of spread of A
# load (n,) [m^3] int s+ lambda, weight (n,) [m^2], corners (m, 3), area (m,) [m^2]
# stretch (n, 3) [m], weight_before (n,), point_before (n, 3): memory of friction at the step's start
# slot, stamp, stack, tree_stack, search, counts: scratch
# asked: what was asked before, see polygons_asked.py; kept (n, 4): nearest part of A by node, whichever it was; a set
# belongs to one pair of bodies
PolygonSet = namedtuple(
    "PolygonSet",
    "names place shape_rate point gap normal wall load weight corners area energy stretch "
    "weight_before point_before held slips vertex_slot vertex_stamp slot stamp stack tree_stack search counts asked kept",
)
by_reference(PolygonSet)


def polygon_set(faces: CurvedFaces, capacity: int = 200_000) -> PolygonSet:
    """Empty set with room for `capacity` leaves and as many nodes."""
    n = (1 << faces.levels) + 1
    capacity = min(capacity, max(len(faces.segment) * 4**faces.levels, 64))
    nodes = min(2 * capacity + 64, len(faces.segment) * (n * (n + 1) // 2))
    vertices = int(faces.vertex.max()) + 1
    rows = lambda *shape: np.zeros(shape)  # noqa: E731
    return PolygonSet(
        np.zeros((nodes, 2), dtype=np.int64), rows(nodes, 3), rows(nodes, 3), rows(nodes, 3),
        rows(nodes), rows(nodes, 3), rows(nodes), rows(nodes), rows(nodes),
        np.zeros((capacity, 3), dtype=np.int64), rows(capacity), rows(capacity), rows(nodes, 3),
        rows(nodes), rows(nodes, 3), rows(nodes, 3), np.zeros(nodes, dtype=np.int64),
        np.zeros(vertices, dtype=np.int64), np.zeros(vertices, dtype=np.int64),
        np.zeros(n * n, dtype=np.int64), np.full(n * n, -1, dtype=np.int64),
        np.zeros((4 * faces.levels + 8, 7), dtype=np.int64), np.zeros(2 * STACK, dtype=np.int64),
        search_scratch(), np.zeros(6, dtype=np.int64), nothing_asked(faces),
        kept_rows(nodes),
    )  # fmt: skip


@device
def _node(reference, faces, pose, spreads, f, i, j, n, found):
    """Index of node (i, j) of face f in the set; asked for its distance if it is new."""
    if i == n or j == n or i + j == 0:
        return _corner(
            reference, faces, pose, spreads, f, 1 if i == n else 2 if j == n else 0, found
        )
    code = i * (n + 1) + j
    if found.stamp[code] == f:
        return found.slot[code]
    return _new_node(reference, faces, pose, spreads, f, i, j, n, found)


@routine
def _new_node(reference, faces, pose, spreads, f, i, j, n, found):
    code = i * (n + 1) + j
    k = found.counts[NODES]
    if k >= len(found.gap):
        found.counts[OVERFLOW] = 1
        return 0
    found.counts[NODES] = k + 1
    found.stamp[code], found.slot[code] = f, k
    x, rate = lifted(faces, f, i, j, n, spreads[1])
    found.names[k, FACE], found.names[k, CODE] = f, code
    for c in range(3):
        found.place[k, c], found.shape_rate[k, c] = x[c], rate[c]
    p = add(pose[0], apply(pose[1], x))
    ask_node(reference, p, spreads[0], k, found)
    return k


@device
def _corner(reference, faces, pose, spreads, f, corner, found):
    """As `_node` for a corner of face f, which other faces share."""
    v = faces.vertex[f, corner]
    if found.vertex_stamp[v] == found.counts[CALL]:
        return found.vertex_slot[v]
    return _new_corner(reference, faces, pose, spreads, f, corner, v, found)


@routine
def _new_corner(reference, faces, pose, spreads, f, corner, v, found):
    k = found.counts[NODES]
    if k >= len(found.gap):
        found.counts[OVERFLOW] = 1
        return 0
    found.counts[NODES] = k + 1
    found.vertex_stamp[v], found.vertex_slot[v] = found.counts[CALL], k
    vertex_gap(reference, faces, pose, spreads, f, corner, found.counts, found.search, found.asked)
    row = found.asked.vertex_rows[v]
    found.names[k, FACE], found.names[k, CODE] = f, -1 - v
    found.gap[k], found.wall[k] = found.asked.vertex_gap[v], row[6]
    for c in range(3):
        found.point[k, c], found.normal[k, c] = row[c], row[3 + c]
        found.place[k, c], found.shape_rate[k, c] = row[7 + c], row[10 + c]
    return k


@device
def node_place(faces, f, code, n):
    """Whole-numbered place (i, j) of a node of face f by its name."""
    if code >= 0:
        return code // (n + 1), code % (n + 1)
    v = -1 - code
    if faces.vertex[f, 1] == v:
        return n, 0
    if faces.vertex[f, 2] == v:
        return 0, n
    return 0, 0


@routine
def ask_node(reference, p, spread, k, found):
    """Distance of node k, at p [m] in A."""
    counts = found.counts
    gap, n, wall, guess = kept_reference_gap(
        reference, p, spread, counts[GUESS], found.search, found.kept[k]
    )
    counts[GUESS] = guess
    counts[QUERIES] += 1
    found.gap[k], found.wall[k] = gap, wall
    for c in range(3):
        found.normal[k, c], found.point[k, c] = n[c], p[c]


@routine
def _is_leaf(reference, faces, refinement, pose, spreads, f, t, n, feature, found):
    """Whether depth is linear enough on the triangle with node numbers t[:3] to be a leaf."""
    a, b, c = t[0], t[1], t[2]
    ga, gb, gc = found.gap[a], found.gap[b], found.gap[c]
    low, high = min(ga, gb, gc), max(ga, gb, gc)
    long = max(_apart(found, a, b), _apart(found, b, c), _apart(found, c, a))
    if low > 0.0 or long > feature or (high > 0.0 and long > refinement.border):
        return False
    i, j = t[3], t[4]
    d = t[5]
    up = t[6]
    mab = _node(reference, faces, pose, spreads, f, i + up * d, j, n, found)
    mbc = _node(reference, faces, pose, spreads, f, i + up * d, j + up * d, n, found)
    mca = _node(reference, faces, pose, spreads, f, i, j + up * d, n, found)
    bent = max(
        abs(found.gap[mab] - 0.5 * (ga + gb)),
        abs(found.gap[mbc] - 0.5 * (gb + gc)),
        abs(found.gap[mca] - 0.5 * (gc + ga)),
    )
    return bent <= refinement.linearity * max(-low, refinement.depth_scale)


@device
def _apart(found, a, b):
    p, q = found.point[a], found.point[b]
    return norm((p[0] - q[0], p[1] - q[1], p[2] - q[2]))


@device
def _keep_leaf(a, b, c, found):
    m = found.counts[LEAVES]
    if m >= len(found.area):
        found.counts[OVERFLOW] = 1
        return
    found.counts[LEAVES] = m + 1
    found.corners[m, 0], found.corners[m, 1], found.corners[m, 2] = a, b, c
    found.area[m] = leaf_area(a, b, c, found)


@device
def leaf_area(a, b, c, found):
    """Area [m^2] of the flat triangle of three nodes."""
    p, q, r = found.place[a], found.place[b], found.place[c]
    u = subtract((q[0], q[1], q[2]), (p[0], p[1], p[2]))
    v = subtract((r[0], r[1], r[2]), (p[0], p[1], p[2]))
    return 0.5 * norm(cross(u, v))


@routine
def _split_face(reference, faces, refinement, pose, spreads, margin, f, found):
    """Add the leaves of one face.

    A triangle waits as corner (i, j), edge d, +1 (corners (i, j), (i + d, j), (i, j + d)) or -1 (the
    same with -d), level.
    """
    n = 1 << faces.levels
    stack = found.stack
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, 0, n, 1, 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        s = stack[waiting]
        i, j, d, up, level = s[0], s[1], s[2], s[3], s[4]
        e = up * d
        a = _node(reference, faces, pose, spreads, f, i, j, n, found)
        b = _node(reference, faces, pose, spreads, f, i + e, j, n, found)
        c = _node(reference, faces, pose, spreads, f, i, j + e, n, found)
        low = min(found.gap[a], found.gap[b], found.gap[c])
        if low > faces.reach[f, level] + margin or found.counts[OVERFLOW] == 1:
            continue
        is_leaf = level == faces.levels
        if not is_leaf and refinement.mode == ADAPTIVE:
            t = (a, b, c, i, j, d // 2, up)
            is_leaf = _is_leaf(
                reference, faces, refinement, pose, spreads, f, t, n, reference.feature, found
            )
        if is_leaf:
            if low <= margin:
                _keep_leaf(a, b, c, found)
            continue
        waiting = _push_quarters(stack, waiting, i, j, d // 2, up, level + 1)


@device
def _push_quarters(stack, waiting, i, j, d, up, level):
    e = up * d
    for k in range(4):
        row = stack[waiting + k]
        row[0] = i + (e if k == 1 or k == 3 else 0)
        row[1] = j + (e if k == 2 or k == 3 else 0)
        row[2], row[3], row[4] = d, -up if k == 3 else up, level
    return waiting + 4


@device
def _keep_face(reference, faces, pose, spreads, margin, f, found):
    """A face that is not split is a leaf if one of its corners lies within the margin."""
    a = _corner(reference, faces, pose, spreads, f, 0, found)
    b = _corner(reference, faces, pose, spreads, f, 1, found)
    c = _corner(reference, faces, pose, spreads, f, 2, found)
    if found.counts[OVERFLOW] == 0 and min(found.gap[a], found.gap[b], found.gap[c]) <= margin:
        _keep_leaf(a, b, c, found)


@device
def _is_apart(reference, faces, pose, spreads, margin, f, found):
    """Whether no node of face f can lie within the margin: by what was asked before, else by asking."""
    asked, most = found.asked, faces.reach[f, 0] + margin
    bound = min(
        vertex_bound(faces, asked, faces.vertex[f, 0]),
        vertex_bound(faces, asked, faces.vertex[f, 1]),
        vertex_bound(faces, asked, faces.vertex[f, 2]),
    )
    if bound > most:
        return True
    for corner in range(3):
        gap = vertex_gap(
            reference, faces, pose, spreads, f, corner, found.counts, found.search, asked
        )
        if gap <= most:
            return False
    return True


@routine
def _drop_unused(found):
    """Keep only nodes that are corners of leaves, in their order."""
    counts, kept = found.counts, found.slips
    for k in range(counts[NODES]):
        kept[k] = 0
    for m in range(counts[LEAVES]):
        for c in range(3):
            kept[found.corners[m, c]] = 1
    count = 0
    for k in range(counts[NODES]):
        if kept[k] == 0:
            continue
        kept[k] = count
        if count < k:
            found.gap[count], found.wall[count] = found.gap[k], found.wall[k]
            found.names[count, FACE], found.names[count, CODE] = (
                found.names[k, FACE],
                found.names[k, CODE],
            )
            for c in range(3):
                found.place[count, c], found.point[count, c] = found.place[k, c], found.point[k, c]
                found.normal[count, c] = found.normal[k, c]
                found.shape_rate[count, c] = found.shape_rate[k, c]
        count += 1
    for m in range(counts[LEAVES]):
        for c in range(3):
            found.corners[m, c] = kept[found.corners[m, c]]
    counts[NODES] = count


@routine
def find_polygons(reference, faces, refinement, pose, spreads, margin, found):
    """Fill the set with the leaves of B that have a node within `margin` [m] of A.

    pose     (r_BA_A [m], dcm_AB)      spreads  of the sections of A and B [-]
    """
    counts, asked = found.counts, found.asked
    margin += reference.slack
    counts[NODES], counts[LEAVES], counts[QUERIES], counts[OVERFLOW] = 0, 0, 0, 0
    counts[CALL] += 1
    move_on(faces, pose, spreads, asked)
    if faces.levels > 0:
        for code in range(len(found.stamp)):
            found.stamp[code] = -1
    stack = found.tree_stack
    stack[0] = 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        answer = box_answer(faces, asked, node, margin)
        if answer == UNKNOWN:
            answer = keep_box(
                reference, faces, pose, spreads, margin, node, counts, found.search, asked
            )
        if answer == APART:
            continue
        first = faces.first[node]
        if faces.count[node] == 0:
            stack[waiting], stack[waiting + 1] = first + 1, first
            waiting += 2
            continue
        for row in range(first, first + faces.count[node]):
            f = faces.order[row]
            if _is_apart(reference, faces, pose, spreads, margin, f, found):
                continue
            if faces.levels == 0:
                _keep_face(reference, faces, pose, spreads, margin, f, found)
            else:
                _split_face(reference, faces, refinement, pose, spreads, margin, f, found)
    if faces.levels > 0 or counts[LEAVES] == 0:
        _drop_unused(found)
