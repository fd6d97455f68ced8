"""Section of a body of revolution: lines and arcs in the half-plane (x, r), and its exact distance.

    gap(x, r) = +-min over segments |p - foot|,      positive outside the solid
    line   foot on the straight piece, normal to the left of the direction of travel
    arc    foot = c + rho (p - c)/|p - c| within its angles
    corner sign by the sum of the two normals that meet there, as for edges of a mesh

The section may change in time: every point, centre and radius goes in a straight line between two
shapes, p(s) = p_0 + s (p_1 - p_0) with the spread s in [0, 1]. The wall's normal speed is then
w_n = (dfoot/ds . n) ds/dt, exact for lines and arcs.
The solid lies to the right of the direction of travel; an arc that turns clockwise is convex.
Ends on the axis close the solid there; a wall that ends off the axis goes on straight.
Frame: x along the axis, r >= 0 from it. Sign: gap > 0 outside, normal out of the solid.
Validity: a section that does not cross itself, in both shapes; arcs keep their angles.
Source: elementary; signs at corners as [Baerentzen2005].
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from haptos.core.by_reference import by_reference
from haptos.core.jit import device

CITES: tuple[str, ...] = ("Baerentzen2005",)

LINE, ARC = 0, 1
START, MIDDLE, END = 0, 1, 2  # where on its segment the foot lies
STACK = 64

# Columns of `segments`: kind, then x0, r0, x1, r1, cx, cr, rho of the first shape and their change
# to the second, first angle and angle turned through (> 0 counter-clockwise), previous and next segment,
# direction of the middle of an arc and cosine of half the angle it turns through.
KIND, SHAPE, CHANGE, ANGLE, TURN, BEFORE, AFTER = 0, 1, 8, 15, 16, 17, 18
MIDDLE_X, MIDDLE_R, COSINE, COLUMNS = 19, 20, 21, 22
OPEN_END, AXIS_END = -1, -2

# segments  (n, COLUMNS)
# boxes     (2 leaves, 4) least x, r and most x, r of both shapes; node k has children 2k, 2k + 1
# leaves    number of leaves of the tree of boxes, a power of two
# feature   [m] length below which the section is straight: least radius or segment
Section = namedtuple("Section", "segments boxes leaves feature")
by_reference(Section)


@device
def shape_value(section, k, column, spread):
    """Coordinate or radius [m] of segment k at the spread."""
    return section.segments[k, SHAPE + column] + spread * section.segments[k, CHANGE + column]


@device
def segment_end_normal(section, k, at_end, spread):
    """Unit normal (x, r) at the first or last point of segment k."""
    if section.segments[k, KIND] == LINE:
        x0, r0 = shape_value(section, k, 0, spread), shape_value(section, k, 1, spread)
        dx = shape_value(section, k, 2, spread) - x0
        dr = shape_value(section, k, 3, spread) - r0
        length = math.sqrt(dx * dx + dr * dr)
        return -dr / length, dx / length
    turn = section.segments[k, TURN]
    angle = section.segments[k, ANGLE] + (turn if at_end else 0.0)
    sign = -1.0 if turn > 0.0 else 1.0
    return sign * math.cos(angle), sign * math.sin(angle)


@device
def segment_point(section, k, share, spread):
    """((x, r), change with the spread (x, r)) of the point at `share` in [0, 1] of segment k."""
    s = section.segments
    if s[k, KIND] == LINE:
        x0, r0 = shape_value(section, k, 0, spread), shape_value(section, k, 1, spread)
        x1, r1 = shape_value(section, k, 2, spread), shape_value(section, k, 3, spread)
        c = CHANGE
        dx = s[k, c] + share * (s[k, c + 2] - s[k, c])
        dr = s[k, c + 1] + share * (s[k, c + 3] - s[k, c + 1])
        return (x0 + share * (x1 - x0), r0 + share * (r1 - r0)), (dx, dr)
    angle = s[k, ANGLE] + share * s[k, TURN]
    ca, sa = math.cos(angle), math.sin(angle)
    cx, cr = shape_value(section, k, 4, spread), shape_value(section, k, 5, spread)
    rho = shape_value(section, k, 6, spread)
    swell = s[k, CHANGE + 6]
    moved = (s[k, CHANGE + 4] + swell * ca, s[k, CHANGE + 5] + swell * sa)
    return (cx + rho * ca, cr + rho * sa), moved


@device
def _line_foot(section, k, x, r, spread):
    x0, r0 = shape_value(section, k, 0, spread), shape_value(section, k, 1, spread)
    dx = shape_value(section, k, 2, spread) - x0
    dr = shape_value(section, k, 3, spread) - r0
    share = ((x - x0) * dx + (r - r0) * dr) / (dx * dx + dr * dr)
    share = min(max(share, 0.0), 1.0)
    ex, er = x - x0 - share * dx, r - r0 - share * dr
    where = START if share <= 0.0 else END if share >= 1.0 else MIDDLE
    return ex * ex + er * er, where


@device
def _arc_foot(section, k, x, r, spread):
    s = section.segments
    dx = x - shape_value(section, k, 4, spread)
    dr = r - shape_value(section, k, 5, spread)
    distance = math.sqrt(dx * dx + dr * dr)
    if dx * s[k, MIDDLE_X] + dr * s[k, MIDDLE_R] >= distance * s[k, COSINE]:
        over = distance - shape_value(section, k, 6, spread)
        return over * over, MIDDLE
    ax, ar = (
        x - shape_value(section, k, 0, spread),
        r - shape_value(section, k, 1, spread),
    )
    bx, br = (
        x - shape_value(section, k, 2, spread),
        r - shape_value(section, k, 3, spread),
    )
    first, last = ax * ax + ar * ar, bx * bx + br * br
    return (first, START) if first <= last else (last, END)


@device
def segment_foot(section, k, x, r, spread):
    """(squared distance [m^2], START, MIDDLE or END) of the point of segment k nearest to (x, r)."""
    if section.segments[k, KIND] == LINE:
        return _line_foot(section, k, x, r, spread)
    return _arc_foot(section, k, x, r, spread)


@device
def box_square(boxes, node, x, r):
    """Squared distance [m^2] of a point from a box of the tree, 0 within it."""
    dx = max(boxes[node, 0] - x, 0.0, x - boxes[node, 2])
    dr = max(boxes[node, 1] - r, 0.0, r - boxes[node, 3])
    return dx * dx + dr * dr


@device
def nearest_segment(section, x, r, spread, guess, stack):
    """(squared distance [m^2], segment, where on it) of the nearest point of the section.

    guess  any segment, best the last answer        stack  scratch, STACK integers
    """
    best, where = segment_foot(section, guess, x, r, spread)
    nearest = guess
    stack[0] = 1
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if not box_square(section.boxes, node, x, r) < best:
            continue
        if node >= section.leaves:
            k = node - section.leaves
            if k != guess:
                square, at = segment_foot(section, k, x, r, spread)
                if square < best:
                    best, where, nearest = square, at, k
            continue
        near, far = 2 * node, 2 * node + 1
        if box_square(section.boxes, far, x, r) < box_square(section.boxes, near, x, r):
            near, far = far, near
        stack[waiting], stack[waiting + 1] = far, near
        waiting += 2
    return best, nearest, where


@device
def _corner_normal(section, k, at_end, spread):
    """Sum of the normals that meet at an end of segment k; its own at an open end."""
    nx, nr = segment_end_normal(section, k, at_end, spread)
    other = int(section.segments[k, AFTER if at_end else BEFORE])
    if other == AXIS_END:
        return 2.0 * nx, 0.0
    if other == OPEN_END:
        return nx, nr
    mx, mr = segment_end_normal(section, other, not at_end, spread)
    return nx + mx, nr + mr


@device
def section_gap(section, x, r, spread, guess, stack):
    """(gap [m], normal (x, r), wall motion [m] per unit of spread, segment) of the point (x, r)."""
    square, k, where = nearest_segment(section, x, r, spread, guess, stack)
    return foot_gap(section, square, k, where, x, r, spread)


@device
def foot_gap(section, square, k, where, x, r, spread):
    """As `section_gap` of a point whose nearest segment k, squared distance [m^2] and place on k are known."""
    if where == MIDDLE:
        return _gap_of_middle(section, k, x, r, spread)
    column = 0 if where == START else 2
    dx = x - shape_value(section, k, column, spread)
    dr = r - shape_value(section, k, column + 1, spread)
    mx, mr = _corner_normal(section, k, where == END, spread)
    distance = math.sqrt(square)
    gap = math.copysign(distance, dx * mx + dr * mr)
    if distance > 0.0:
        nx, nr = dx / gap, dr / gap
    else:
        length = math.sqrt(mx * mx + mr * mr)
        length = length if length > 0.0 else 1.0
        nx, nr = mx / length, mr / length
    change = CHANGE + column
    moved = section.segments[k, change] * nx + section.segments[k, change + 1] * nr
    return gap, (nx, nr), moved, k


@device
def _gap_of_middle(section, k, x, r, spread):
    """As `section_gap` where the foot lies within segment k."""
    s = section.segments
    if s[k, KIND] == LINE:
        nx, nr = segment_end_normal(section, k, False, spread)
        x0, r0 = shape_value(section, k, 0, spread), shape_value(section, k, 1, spread)
        dx = shape_value(section, k, 2, spread) - x0
        dr = shape_value(section, k, 3, spread) - r0
        share = ((x - x0) * dx + (r - r0) * dr) / (dx * dx + dr * dr)
        c = CHANGE
        wx = s[k, c] + share * (s[k, c + 2] - s[k, c])
        wr = s[k, c + 1] + share * (s[k, c + 3] - s[k, c + 1])
        return (x - x0) * nx + (r - r0) * nr, (nx, nr), wx * nx + wr * nr, k
    dx = x - shape_value(section, k, 4, spread)
    dr = r - shape_value(section, k, 5, spread)
    distance = math.sqrt(dx * dx + dr * dr)
    sign = -1.0 if s[k, TURN] > 0.0 else 1.0
    if distance > 0.0:
        nx, nr = sign * dx / distance, sign * dr / distance
    else:
        nx, nr = sign * s[k, MIDDLE_X], sign * s[k, MIDDLE_R]
    gap = sign * (distance - shape_value(section, k, 6, spread))
    moved = s[k, CHANGE + 4] * nx + s[k, CHANGE + 5] * nr + sign * s[k, CHANGE + 6]
    return gap, (nx, nr), moved, k


def tree_of_boxes(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, int]:
    """(boxes, leaves) of a binary tree over boxes in the order given; empty ones never match."""
    leaves = 1
    while leaves < len(low):
        leaves *= 2
    boxes = np.empty((2 * leaves, 4))
    boxes[:, :2], boxes[:, 2:] = np.inf, -np.inf
    boxes[leaves : leaves + len(low), :2] = low
    boxes[leaves : leaves + len(low), 2:] = high
    for node in range(leaves - 1, 0, -1):
        pair = boxes[2 * node : 2 * node + 2]
        boxes[node, :2], boxes[node, 2:] = pair[:, :2].min(axis=0), pair[:, 2:].max(axis=0)
    return boxes, leaves
