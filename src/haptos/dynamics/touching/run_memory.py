"""Memory of a run of a rigid body whose vertices touch ground: the other row of a batch, which each step writes.

A record of records, as the parameters: where the run is, and what is reported of it at the end.

    m.step.time, m.contact.elastic, m.guard.way
"""

from __future__ import annotations

import numpy as np

from haptos.contact.crease_motion import MOST_WALLS
from haptos.contact.sets.corner_walls import CORNER_WALLS_SIZE

WAY_GROUPS = 32  # groups of vertices whose ways the surface guard keeps

STEP = np.dtype(
    [
        ("time", "f8"),  # now
        ("h", "f8"),  # to try next; 0 before the run has begun
        ("ratio", "f8"),  # error ratio of the last accepted step
        ("is_stale", "i8"),  # forces jumped: the first stage must be made anew
        ("next_time", "f8"),  # a step ends there: end of the run, begin or end of a pulse
    ]
)
COUNTS = np.dtype(
    [
        ("steps", "i8"),
        ("rejected", "i8"),
        ("phase_steps", "i8", 3),  # in flight, in contact, on springs
        ("idle", "i8"),  # touches in a row that moved nothing
        ("rows", "i8"),  # stored
        ("events", "i8"),
    ]
)
CONTACT_NOW = np.dtype(
    [
        ("free_gap", "f8"),  # of the nearest vertex not touching, or a lower bound
        ("elastic", "f8"),  # energy in the springs
        ("unloaded", "f8"),  # when the vertex in contact motion lost its load; NaN while it has one
        ("deepest", "f8"),
        ("phases", "i8"),
        ("total_time", "f8"),
        ("touching_end", "i8"),  # vertices that carry the body where the run ends
    ]
)
TOUCHES = np.dtype(
    [
        ("count", "i8"),
        ("first_time", "f8"),  # NaN before it
        ("first_speed", "f8"),
        ("fastest", "f8"),  # [m/s] of a vertex where it touches, or of the centre on the ground
    ]
)
IMPACTS = np.dtype(
    [
        ("count", "i8"),
        ("largest_loss", "f8"),  # energy, of one impact
        ("losses", "f8"),  # sum over all impacts
    ]
)
LEDGER = np.dtype(
    [
        ("start", "f8"),  # energy
        ("last", "f8"),
        ("largest_remainder", "f8"),
        ("largest_rise", "f8"),  # of the stored energy in one step
        ("phases", "i8"),  # begun so far
    ]
)
REST = np.dtype(
    [
        ("calm_since", "f8"),
        ("place", "f8", 3),  # from which the centre has not moved away, in contact,
        ("place_since", "f8"),  # since then
        ("steady_since", "f8"),  # since when friction has taken next to nothing,
        ("steady_lost", "f8"),  # and what all losses were then
        ("test_time", "f8"),  # time before which rest is not looked for again
    ]
)
PIVOT = np.dtype(
    [
        ("vertex", "f8"),  # on which the body stands alone, negative for none;
        ("place", "f8", 3),  # where, since when, from where its centre leans to it,
        ("since", "f8"),
        ("lean", "f8", 3),
        ("turned", "f8"),  # and the angle by which that has gone round
    ]
)
GUARD = np.dtype(
    [
        ("way", "f8"),  # may be gone before the surface guard looks again,
        ("is_far", "i8"),  # whether a ball about the body is clear of the ground that far,
        ("gone", "f8"),  # what was gone since the last look in steps before,
        ("centre_way", "f8"),  # and what the centre could surely go then,
        ("vertex_ways", "f8", WAY_GROUPS),  # and groups of vertices
        ("share", "f8"),  # worst depth it found over what is allowed; that depth, its limit,
        ("depth", "f8"),
        ("limit", "f8"),
        ("time", "f8"),  # time and place
        ("place", "f8", 3),
        ("flight_depth", "f8"),  # of the deepest vertex at the last take-off
    ]
)
CREASES = np.dtype(
    [
        # Normal of the ground under the vertex in contact, when creases were looked for last.
        ("held_normal", "f8", 3),
        ("wall_offsets", "f8", 3 * MOST_WALLS),  # of the walls of a crease that hold the body
        ("corner_walls", "f8", CORNER_WALLS_SIZE),  # of corners in creases, of a lying body,
        ("looked_place", "f8", 3),  # and where and how it was when they were looked for
        ("looked_attitude", "f8", 4),
    ]
)
HOPS = np.dtype(
    [
        ("count", "i8"),  # begun
        ("rests", "i8"),
        ("rest_place", "f8", 3),  # of the last rest
        ("distance", "f8"),  # sum over the hops done
        ("soften_time", "f8"),  # when stiff springs give way to soft ones
        ("take_off", "f8"),  # time of the hop going on, NaN before it
    ]
)
# Where a run is, and what is reported of it at the end.
MEMORY = np.dtype(
    [
        ("outcome", "i8"),
        ("path", "f8"),  # length
        ("step", STEP),
        ("counts", COUNTS),
        ("contact", CONTACT_NOW),
        ("touch", TOUCHES),
        ("impacts", IMPACTS),
        ("ledger", LEDGER),
        ("rest", REST),
        ("pivot", PIVOT),
        ("guard", GUARD),
        ("creases", CREASES),
        ("hops", HOPS),
    ]
)
# Events that begin a phase of the ledger: release, first touch, first time on the ground, and
# GROUND + n for the pulse of hop n.
FLIGHT, BOUNCES, GROUND = 0, 1, 2
MOST_HOP_PHASES = 12  # [-] hops with a phase of their own; the last one holds all that follow
