"""Walls of creases that sharp corners of a body stand in: each corner that touches two walls or more has a row.

A field tells the nearest surface only: a corner at the bottom of a crease would be pushed by one wall, then by the other,
and the force would jump with every crossing. Every wall is asked for beside the corner, where it alone is nearest.

    walls[0]                          number of rows
    walls[1 + ROW_SIZE i ...]         corner, number of its walls, where each is asked for from the corner [m]
Frame: A axes. Validity: walls flat over that distance; at most 8 corners, 3 walls each. Source: elementary geometry, see crease_planes.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, dot, subtract
from haptos.geometry.distance.surface import ground_field

CITES: tuple[str, ...] = ()

MOST_CORNERS, MOST_CORNER_WALLS = 8, 3  # of more corners each feels one wall
ROW_SIZE = 2 + 3 * MOST_CORNER_WALLS
CORNER_WALLS_SIZE = 1 + ROW_SIZE * MOST_CORNERS


@device
def corner_row(walls, j):
    """Where the row of corner j begins; -1 if it is in no crease."""
    found = -1
    for i in range(int(walls[0])):
        if walls[1 + ROW_SIZE * i] == j:
            found = 1 + ROW_SIZE * i
    return found


@device
def wall_count(walls, row):
    """Number of walls of a corner's row; one, the ground itself, if it has none."""
    return 1 if row < 0 else int(walls[row + 1])


@device
def corner_offset(walls, row, i):
    """Where wall i of a corner is asked for, from the corner [m]."""
    at = row + 2 + 3 * i
    return walls[at], walls[at + 1], walls[at + 2]


@routine
def corner_gap(surface, at, walls, row, i):
    """(gap [m], gradient [-]) of wall i of a corner at a place [m].

    The tangent plane beside it, carried back: the gradient is that of this gap, so that a spring on it keeps energy.
    """
    offset = corner_offset(walls, row, i)
    d, gradient, hessian, _ = ground_field(surface, add(at, offset))
    return d - dot(gradient, offset), subtract(gradient, apply_symmetric(hessian, offset))


@device
def add_corner(walls, j, count):
    """Begin a row of `count` walls for corner j; where it begins, -1 if there is no room."""
    rows = int(walls[0])
    if rows == MOST_CORNERS:
        return -1
    row = 1 + ROW_SIZE * rows
    walls[0], walls[row], walls[row + 1] = rows + 1.0, j, min(count, MOST_CORNER_WALLS)
    return row


@device
def put_offset(walls, row, i, offset):
    """Write where wall i of a row is asked for."""
    at = row + 2 + 3 * i
    walls[at], walls[at + 1], walls[at + 2] = offset
