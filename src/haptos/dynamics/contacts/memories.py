"""What the detectors of contacts remember between steps, one record for each kind of pair.

Factors of losses, anchors, lists of what is near and how long they hold: a law gets them by value, and they are
kept on accepted steps only. Memory of the ground is in `ground_arrays.py`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from haptos.contact.contact_flow import OPEN
from haptos.core.by_reference import by_reference
from haptos.dynamics.system import Hulls

SLOTS = 3  # [-] edges one element touches at a time
NEAREST = 24  # [-] triangles, or edges, kept as near to one point or element


@by_reference
class MeshMemory(namedtuple("MeshMemory", "factor offset budget clear row near_count near active")):
    """Points on the surface of a body.

    factor, offset  (p,) a [s/m] of `contact_flow`, OPEN where there is none; (p, 3) what friction with memory has
                stretched [m]
    row, near, near_count  nearest triangle, those near a point, how many
    budget, clear  readings of search.travel [m] up to which that list holds, and the point touches nothing
    active      points near enough to be looked at in every step
    """

    __slots__ = ()


@by_reference
class EdgeMemory(namedtuple("EdgeMemory", "factor bias held slot budget clear count near active")):
    """Elements on sharp edges.

    slot        (m, SLOTS) edges an element touches, -1 for none; factor, bias of each touch
    held        (m, SLOTS) energy held at each [J]
    near, count, budget, clear, active  as of `MeshMemory`, of elements
    """

    __slots__ = ()


PairMemory = namedtuple(
    "PairMemory", "first second factor reach close head chain cell order start tally"
)
# first, second, factor, reach  of each pair kept as near: points, a [s/m], sum of radii [m]
# close       pairs that may touch in this step
# head, chain  pairs that touch, by their first point
# cell, order, start  points sorted into cells
# Numbers of the tally; the last two are rows of three: nodes with nodes, bodies with nodes, bodies with bodies.
PAIR_SINCE, PAIR_MARGIN, PAIR_COUNT, PAIR_LOOKED, PAIR_LEFT_OUT, PAIR_PEAK, PAIR_MET = (
    0, 1, 2, 3, 4, 5, 8,
)  # fmt: skip
PAIR_TALLY = 11

BoxMemory = namedtuple("BoxMemory", "factor active tally")
# factor      (b, p) a [s/m] of `contact_flow`, ASLEEP until a point was found outside
# active      (b, p) points near the box
BOX_SINCE, BOX_MARGIN, BOX_COUNT, BOX_FAR, BOX_PEAK, BOX_MET = range(6)
BOX_TALLY = 6
ASLEEP = -2.0

HullMemory = namedtuple("HullMemory", "clear factor row near tally")
# clear (h,) way [m] within which no corner touches     factor, row (h, corners) a [s/m] of
# `contact_flow`, nearest triangle      near (.., 2) pairs and corners that may touch in this step
HULL_PEAK, HULL_MET = 0, 1  # columns of the tally: largest force [N], contacts

GlueMemory = namedtuple("GlueMemory", "body anchor normal load pull held tally")
# body        (p,) that a point is glued to, FREE before it touched, SPENT after it broke off
# anchor, normal, load  (p, 3) where it is held [m], unit normal there, load [N]; axes of `body`
# pull        (p, 3) acceleration against `body` in the step before [m/s^2], N axes
# held        points that are glued now      tally  how many, how many broke off, how many held before
FREE, SPENT = -1, -2
GLUED, UNGLUED, GLUED_BEFORE = range(3)


def _whole(*shape: int) -> Any:
    """Zeros that count."""
    return np.zeros(shape, dtype=np.int64)


def mesh_memory(points: int) -> MeshMemory:
    """Memory of the touch of points with the surface of a body."""
    f, p = np.zeros, points
    return MeshMemory(
        np.full(p, OPEN), f((p, 3)), f(p), f(p), _whole(p), _whole(p), _whole(p, NEAREST), _whole(p)
    )  # fmt: skip


def edge_memory(elements: int) -> EdgeMemory:
    """Memory of the touch of elements with sharp edges."""
    f, m = np.zeros, elements
    return EdgeMemory(
        np.full((m, SLOTS), OPEN), f((m, SLOTS)), f((m, SLOTS)), np.full((m, SLOTS), -1), f(m), f(m),
        _whole(m), _whole(m, NEAREST), _whole(m),
    )  # fmt: skip


def pair_memory(points: int, room: int) -> PairMemory:
    """Memory for a number of pairs of points near each other."""
    buckets = 1 << max(points - 1, 0).bit_length()
    tally = np.zeros(PAIR_TALLY)
    tally[PAIR_SINCE] = np.inf
    return PairMemory(
        first=_whole(room), second=_whole(room), factor=np.full(room, OPEN), reach=np.zeros(room),
        close=_whole(room), head=_whole(points), chain=_whole(room), cell=_whole(points, 3),
        order=_whole(points), start=_whole(buckets + 1), tally=tally,
    )  # fmt: skip


def box_memory(points: int, boxes: int) -> BoxMemory:
    """Memory of the touch of points with boxes."""
    tally = np.zeros((boxes, BOX_TALLY))
    tally[:, BOX_SINCE] = np.inf
    asleep = np.full((boxes, points), ASLEEP)
    return BoxMemory(asleep, _whole(boxes, points), tally)


def hull_memory(hulls: Hulls) -> HullMemory:
    """Memory of the touch of bodies with bodies."""
    count = hulls.end - hulls.begin
    most = (len(count), int(count.max(initial=0)))
    near = _whole(int(count.sum()), 2)
    tally = np.zeros((len(count), 2))
    return HullMemory(np.zeros(len(count)), np.full(most, OPEN), _whole(*most), near, tally)


def glue_memory(points: int) -> GlueMemory:
    """Memory of points that nothing has touched yet."""
    f, size = np.zeros, (points, 3)
    places = (f(size), f(size), f(size), f(size))
    return GlueMemory(np.full(points, FREE), *places, _whole(points), _whole(3))
