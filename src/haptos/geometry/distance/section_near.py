"""Distance of a section to points that move little: one segment is asked for as long as it must be the nearest.

    d_k(p) <= d_k(p_0) + |p - p_0|,   d_j(p) >= d_j(p_0) - |p - p_0|     for all other segments j
    |p - p_0| < room = 1/2 (min_j d_j(p_0) - d_k(p_0))   =>   segment k is the nearest still

A row that is kept says so of one place: x, r of p_0, room^2, segment k. It is true of the section whoever asked it.
Validity: a section that does not move (spread 0); others are searched. Source: elementary.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.geometry.distance.section import (
    box_square,
    foot_gap,
    section_gap,
    segment_foot,
)

CITES: tuple[str, ...] = ()

X, R, ROOM, SEGMENT, KEPT = range(5)  # columns of what is kept
WIDEST = 0.5  # [-] of the section's feature: more room is not looked for


@routine
def two_nearest(section, x, r, spread, guess, stack):
    """(squared distance [m^2], segment, where on it) of the nearest point, and the square of the next segment's.

    guess  any segment, best the last answer        stack  scratch, STACK integers
    The next one's is cut off where it leaves more room than is looked for.
    """
    best, where = segment_foot(section, guess, x, r, spread)
    nearest = guess
    second = (math.sqrt(best) + 2.0 * WIDEST * section.feature) ** 2
    stack[0] = 1
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if not box_square(section.boxes, node, x, r) < second:
            continue
        if node >= section.leaves:
            k = node - section.leaves
            if k != guess:
                square, at = segment_foot(section, k, x, r, spread)
                if square < best:
                    second, best, where, nearest = best, square, at, k
                elif square < second:
                    second = square
            continue
        near, far = 2 * node, 2 * node + 1
        if box_square(section.boxes, far, x, r) < box_square(section.boxes, near, x, r):
            near, far = far, near
        stack[waiting], stack[waiting + 1] = far, near
        waiting += 2
    return best, nearest, where, second


@device
def kept_gap(section, x, r, spread, guess, stack, row):
    """As `section_gap`; `row` is used while it holds, else written anew."""
    if spread != 0.0:
        return section_gap(section, x, r, spread, guess, stack)
    dx, dr = x - row[X], r - row[R]
    if dx * dx + dr * dr < row[ROOM]:
        k = int(row[SEGMENT])
        square, where = segment_foot(section, k, x, r, 0.0)
        return foot_gap(section, square, k, where, x, r, 0.0)
    return _searched(section, x, r, guess, stack, row)


@routine
def _searched(section, x, r, guess, stack, row):
    square, k, where, second = two_nearest(section, x, r, 0.0, guess, stack)
    room = 0.5 * (math.sqrt(second) - math.sqrt(square))
    row[X], row[R], row[ROOM], row[SEGMENT] = x, r, room * room, k
    return foot_gap(section, square, k, where, x, r, 0.0)
