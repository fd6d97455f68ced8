"""Rocks near a point, kept by a thread from one question to the next: to make them again is most of the cost of rocks.

A few lists, one for each cluster of places lately asked for. A list answers for the points of one cell of the rocks' grid
within `slack` of its centre and for rocks nearer than `most`, of which it holds all in the order in which they are made:

    |x - centre| <= slack,  gap < most      =>      |centre - rock| < most + slack + bounding ball

so that what is found has the same bits as without. Corners are made when a rock is first asked for, and its bounding ball then
reaches to the farthest of them. The rock that was nearest is asked first: what it leaves of the gap rules most others out. A list
that overflows is not used, and the next one has half its slack.
Layout, all in one array: number of the list made last, slack [m] of the next, gap [m] that is too far; then of each list: cell, centre [m], slack, most [m], number of
rocks, number of the rock that was nearest; then of each rock: facet, number, centre [m], size, ball [m], mark, whether its corners are there, corners from its centre [m].
"""

from __future__ import annotations

import math

import numpy as np

from haptos.core.arena import Arena, fields_start
from haptos.core.arena_slots import KEPT_ROCKS, TERRAIN
from haptos.core.jit import IS_PLAIN_PYTHON, device
from haptos.core.vectors import dot, subtract, three_at

LISTS, MOST_KEPT = 4, 160  # [-] lists of a thread, rocks of a list: 230 kB
SLACK = 4.0  # [smallest rocks] of a list; assumed
WIDER = 2.0  # [slacks] a list is made for rocks so much farther than asked for
LEAST_SLACK = 0.25  # [smallest rocks] rocks that are too many even so are not kept
LAST, NEXT_SLACK, TOO_FAR = 0, 1, 2
FIRST_LIST = 3
ROUNDED_UP = 1.0 + 1e-12  # [-] of the ball about the corners of a rock
CELL, CENTRE, LIST_SLACK, MOST, COUNT, NEAREST, FIRST_ROCK = 0, 1, 4, 5, 6, 7, 8
FACET, ROCK, PLACE, SIZE, BALL, MARK, HAS_CORNERS, CORNERS = 0, 1, 2, 5, 6, 7, 8, 9
ROCK_SIZE = CORNERS + 36
LIST_SIZE = FIRST_ROCK + MOST_KEPT * ROCK_SIZE


def with_kept_rocks(land: Arena) -> tuple[Arena, np.ndarray]:
    """(the same tables, with lists for one thread; the lists, which the caller holds as long as it asks)."""
    if IS_PLAIN_PYTHON or not has_polyhedral(land):
        return land, np.zeros(0)
    kept = np.zeros(FIRST_LIST + LISTS * LIST_SIZE)
    kept[TOO_FAR] = math.inf
    for number in range(LISTS):
        kept[FIRST_LIST + number * LIST_SIZE + CELL] = -1.0
    layout = land.layout.copy()
    layout[KEPT_ROCKS] = kept.ctypes.data
    layout.setflags(write=False)
    return Arena(land.numbers, land.integers, layout), kept


@device
def has_polyhedral(arena):
    """Whether polyhedral rocks lie on the ground."""
    return arena.numbers[fields_start(arena, TERRAIN) + 4] != 0.0


@device
def list_for(numbers, cell, x, gap):
    """Where the list begins that answers for x [m] of a cell and rocks nearer than `gap` [m]; -1 if none does."""
    found = -1
    for number in range(LISTS):
        at = FIRST_LIST + number * LIST_SIZE
        d = subtract(x, three_at(numbers, at + CENTRE))
        slack = numbers[at + LIST_SLACK]
        if numbers[at + CELL] == cell and gap <= numbers[at + MOST] and dot(d, d) <= slack * slack:
            found = at
            break
    return found


@device
def begin_list(numbers, cell, x, gap, smallest):
    """Begin a list in place of the oldest; where it begins."""
    number = (int(numbers[LAST]) + 1) % LISTS
    if numbers[NEXT_SLACK] == 0.0:
        numbers[NEXT_SLACK] = SLACK * smallest
    at, slack = FIRST_LIST + number * LIST_SIZE, numbers[NEXT_SLACK]
    numbers[LAST], numbers[at + CELL], numbers[at + COUNT] = number, cell, 0.0
    numbers[at + NEAREST] = 0.0
    numbers[at + CENTRE], numbers[at + CENTRE + 1], numbers[at + CENTRE + 2] = x
    numbers[at + LIST_SLACK] = slack
    numbers[at + MOST] = gap + WIDER * slack
    return at


@device
def list_reach(numbers, at):
    """How near [m] the bounding ball of a rock is to the centre of a list that holds it."""
    return numbers[at + MOST] + numbers[at + LIST_SLACK]


@device
def add_kept(numbers, at, facet, rock, centre, size, ball, mark):
    """Put a rock into a list; whether there was room."""
    count = int(numbers[at + COUNT])
    if count == MOST_KEPT:
        return False
    row = kept_row(at, count)
    numbers[at + COUNT] = count + 1.0
    numbers[row + FACET], numbers[row + ROCK], numbers[row + HAS_CORNERS] = facet, rock, 0.0
    numbers[row + PLACE], numbers[row + PLACE + 1], numbers[row + PLACE + 2] = centre
    numbers[row + SIZE], numbers[row + BALL], numbers[row + MARK] = size, ball, mark
    return True


@device
def end_list(numbers, at, has_room, smallest):
    """Where a list begins that is ready; -1 of one without room for its rocks."""
    if has_room:
        return at
    slack = numbers[at + LIST_SLACK]
    if slack <= LEAST_SLACK * smallest:
        numbers[TOO_FAR] = min(numbers[TOO_FAR], numbers[at + MOST] - WIDER * slack)
    numbers[at + CELL] = -1.0
    numbers[NEXT_SLACK] = max(0.5 * slack, LEAST_SLACK * smallest)
    return -1


@device
def is_too_far(numbers, gap):
    """Whether rocks nearer than `gap` [m] were too many to be kept."""
    return gap >= numbers[TOO_FAR]


@device
def kept_count(numbers, at):
    return int(numbers[at + COUNT])


@device
def kept_row(at, i):
    """Where rock i of a list begins."""
    return at + FIRST_ROCK + i * ROCK_SIZE


@device
def kept_centre(numbers, row):
    return three_at(numbers, row + PLACE)


@device
def put_corners(numbers, row, corners):
    """Keep the twelve corners of a rock, and how far the farthest of them is."""
    square = 0.0
    for i in range(12):
        at = row + CORNERS + 3 * i
        numbers[at], numbers[at + 1], numbers[at + 2] = corners[i]
        square = max(square, dot(corners[i], corners[i]))
    numbers[row + HAS_CORNERS] = 1.0
    numbers[row + BALL] = min(numbers[row + BALL], ROUNDED_UP * math.sqrt(square))


@device
def kept_corners(numbers, row):
    """The twelve corners of a rock from its centre [m]."""
    c = row + CORNERS
    return (
        three_at(numbers, c), three_at(numbers, c + 3), three_at(numbers, c + 6), three_at(numbers, c + 9),
        three_at(numbers, c + 12), three_at(numbers, c + 15), three_at(numbers, c + 18),
        three_at(numbers, c + 21), three_at(numbers, c + 24), three_at(numbers, c + 27),
        three_at(numbers, c + 30), three_at(numbers, c + 33),
    )  # fmt: skip
