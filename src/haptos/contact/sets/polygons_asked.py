"""What was asked before of a pair in polygonal contact, so that far faces are not asked again.

    |gap(x, now) - gap(x, then)| <= S(now) - S(then)
    S  sum over calls of |dr| + |dR| size: the way of B's nodes relative to A, at most

    r, R   position and attitude of B in A        |dR|  Frobenius norm of the change of attitude [-]
    size   [m] of the ball about B's origin that holds its nodes
The middle of a box of the tree over B's faces, and every corner of a face, keep their last distance and S.
While the bound decides, nothing is asked; else it is asked anew. The answers are those of asking always.
A change of spread of one of the shapes, or a long way, forgets everything.
Validity: exact distances; rounding of S within WAY_ROOM of the size. Source: elementary.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from haptos.core.by_reference import by_reference
from haptos.core.jit import device, routine
from haptos.core.rotations import apply
from haptos.core.vectors import add
from haptos.geometry.distance.reference import reference_gap
from haptos.geometry.mesh.curved_faces import CurvedFaces, lifted

CITES: tuple[str, ...] = ()

# Entries of `counts` of a set
NODES, LEAVES, QUERIES, OVERFLOW, GUESS, CALL = range(6)
APART, CLOSE, UNKNOWN = 0, 1, 2
WAY_ROOM = 1e-9  # [-] of B's size, for rounding of ways
LONGEST_WAY = 1e3  # [-] of B's size, after which all is asked anew

# way (1,) [m] of B's nodes so far; frame (14,) pose and spreads of the last call
# box_gap, box_way        (boxes,) [m] gap of the middle of a box of the tree, and the way when it was asked
# vertex_gap, vertex_way  (v,) [m] of every corner of faces; vertex_call (v,) number of that call
# vertex_rows             (v, 13) point in A, normal, wall, place and shape rate in B of that call
AskedGaps = namedtuple(
    "AskedGaps", "way frame box_gap box_way vertex_gap vertex_way vertex_call vertex_rows"
)
by_reference(AskedGaps)


def nothing_asked(faces: CurvedFaces) -> AskedGaps:
    """Memory of a pair that has not been asked yet."""
    boxes, vertices = len(faces.first), int(faces.vertex.max()) + 1
    return AskedGaps(
        np.zeros(1), np.full(14, np.nan), np.zeros(boxes), np.full(boxes, -np.inf),
        np.zeros(vertices), np.full(vertices, -np.inf), np.zeros(vertices, dtype=np.int64),
        np.zeros((vertices, 13)),
    )  # fmt: skip


@routine
def move_on(faces, pose, spreads, asked):
    """Add the way from the last call's pose to this one; forget all where the bound does not hold."""
    frame = asked.frame
    shift, turn = 0.0, 0.0
    for i in range(3):
        shift += (pose[0][i] - frame[i]) ** 2
        frame[i] = pose[0][i]
        for j in range(3):
            turn += (pose[1][i][j] - frame[3 + 3 * i + j]) ** 2
            frame[3 + 3 * i + j] = pose[1][i][j]
    way = asked.way[0] + math.sqrt(shift) + faces.size * math.sqrt(turn)
    is_same = frame[12] == spreads[0] and frame[13] == spreads[1]
    frame[12], frame[13] = spreads[0], spreads[1]
    if is_same and way < LONGEST_WAY * faces.size:
        asked.way[0] = way
        return
    asked.way[0] = 0.0
    asked.box_way[:] = -math.inf
    asked.vertex_way[:] = -math.inf


@device
def box_answer(faces, asked, node, margin):
    """APART if nothing in a box can lie within the margin, CLOSE if its middle cannot tell, UNKNOWN to ask."""
    since = asked.way[0] - asked.box_way[node] + WAY_ROOM * faces.size
    most = _half_diagonal(faces.boxes, node) + margin
    gap = asked.box_gap[node]
    if gap - since > most:
        return APART
    return CLOSE if gap + since <= most else UNKNOWN


@device
def _half_diagonal(boxes, node):
    x, y, z = (
        boxes[node, 3] - boxes[node, 0],
        boxes[node, 4] - boxes[node, 1],
        boxes[node, 5] - boxes[node, 2],
    )
    return 0.5 * math.sqrt(x * x + y * y + z * z)


@routine
def keep_box(reference, faces, pose, spreads, margin, node, counts, search, asked):
    """APART or CLOSE of a box by asking its middle."""
    b = faces.boxes
    middle = (
        0.5 * (b[node, 0] + b[node, 3]),
        0.5 * (b[node, 1] + b[node, 4]),
        0.5 * (b[node, 2] + b[node, 5]),
    )
    p = add(pose[0], apply(pose[1], middle))
    gap, _, _, guess = reference_gap(reference, p, spreads[0], counts[GUESS], search)
    counts[GUESS] = guess
    counts[QUERIES] += 1
    asked.box_gap[node], asked.box_way[node] = gap, asked.way[0]
    return APART if gap > _half_diagonal(b, node) + margin else CLOSE


@device
def vertex_bound(faces, asked, v):
    """A distance [m] that corner v is at least away from A."""
    since = asked.way[0] - asked.vertex_way[v] + WAY_ROOM * faces.size
    return asked.vertex_gap[v] - since


@device
def vertex_gap(reference, faces, pose, spreads, f, corner, counts, search, asked):
    """Gap [m] of a corner of face f, asked once a call."""
    v = faces.vertex[f, corner]
    if asked.vertex_call[v] == counts[CALL]:
        return asked.vertex_gap[v]
    return _ask_vertex(reference, faces, pose, spreads, f, corner, v, counts, search, asked)


@routine
def _ask_vertex(reference, faces, pose, spreads, f, corner, v, counts, search, asked):
    asked.vertex_call[v] = counts[CALL]
    x, rate = (faces.place[v, 0], faces.place[v, 1], faces.place[v, 2]), (0.0, 0.0, 0.0)
    if faces.is_still != 1:
        n = 1 << faces.levels
        i, j = n if corner == 1 else 0, n if corner == 2 else 0
        x, rate = lifted(faces, f, i, j, n, spreads[1])
    p = add(pose[0], apply(pose[1], x))
    gap, normal, wall, guess = reference_gap(reference, p, spreads[0], counts[GUESS], search)
    counts[GUESS] = guess
    counts[QUERIES] += 1
    asked.vertex_gap[v], asked.vertex_way[v] = gap, asked.way[0]
    row = asked.vertex_rows[v]
    row[6] = wall
    for c in range(3):
        row[c], row[3 + c], row[7 + c], row[10 + c] = p[c], normal[c], x[c], rate[c]
    return gap
