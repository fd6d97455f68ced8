"""The ground that points of a system touch, fixed in the axes of the motion, and what is remembered of it."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from haptos.contact.contact_flow import OPEN, PAIR_SIZE
from haptos.geometry.distance import surface as surfaces

Ground = namedtuple("Ground", "is_on surface arm axes pairs body_reach")
# is_on       whether there is any           surface  of `geometry.distance.surface`, A axes
# arm, axes   of the N origin from that of A [m], N axes, and dcm_NA:  x_A = axes^T (x + arm)
# pairs       (1, kinds, PAIR_SIZE) numbers of contact
# body_reach  (k,) least distance [m] of the centre of a body that does not touch the ground from it; 0 for
#             bodies with balls that do: for the guard

GroundMemory = namedtuple("GroundMemory", "factor clear near tally watch worst")
# factor      (p,) a [s/m] of `contact_flow`, OPEN where there is no contact
# clear       (p,) travel [m] up to which a point touches nothing; by error control the way left to it
# near        (p,) whether a point may touch within the step, by error control
# tally       numbers below                 watch  (tracks,) way of the guard's travel [m] until which a track is safe
# worst       of the guard: share of what is allowed, depth [m], track, time [s], place (3,) [m]
(
    GROUND_TRAVEL, GROUND_WAKE, GROUND_PEAK, GROUND_MET, GROUND_AT, GUARD_TRAVEL, GUARD_SPEED, GUARD_TIME,
    GUARD_WAKE,
) = range(9)  # fmt: skip
# GROUND_TRAVEL  how far points may have gone so far, and GROUND_WAKE, until which none touches [m]
# GROUND_PEAK    largest force of one contact [N]     GROUND_MET  contacts so far
# GROUND_AT      time of the first touch [s], inf before it
# GUARD_...      travel [m], largest speed [m/s] and time [s] of the last look, travel of the next look [m]
GROUND_TALLY = 9
WORST_SHARE, WORST_DEPTH, WORST_TRACK, WORST_TIME, WORST_PLACE = range(5)
WORST_SIZE = 7


def no_ground() -> Ground:
    """Nothing to fall on."""
    f = np.zeros
    return Ground(
        False, surfaces.no_ground(), f(3), np.eye(3), np.zeros((1, 1, PAIR_SIZE)), f(0)
    )  # fmt: skip


def ground_memory(points: int, tracks: int = 0) -> GroundMemory:
    """Memory of points that have touched nothing yet; tracks: of the guard."""
    tally = np.zeros(GROUND_TALLY)
    tally[GROUND_AT] = np.inf
    near: Any = np.zeros(points, dtype=np.int64)
    return GroundMemory(
        np.full(points, OPEN), np.zeros(points), near, tally, np.zeros(tracks), np.zeros(WORST_SIZE)
    )
