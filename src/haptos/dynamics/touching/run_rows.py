"""Rows of a batch: parameters and memory of each run of a rigid body whose vertices touch ground."""

from __future__ import annotations

import numpy as np

from haptos.contact.compliant import CompliantLaw
from haptos.contact.crease_motion import MOST_WALLS
from haptos.contact.sets.corner_walls import CORNER_WALLS_SIZE
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.geometry.terrain.regions import MOST_REGIONS

LAW = np.dtype([(name, "f8") for name in CompliantLaw._fields])  # springs under vertices
# Of an impact or of contact motion: restitution [-], friction [-], rolling length [m].
GROUND_PAIR = np.dtype([("restitution", "f8"), ("friction", "f8"), ("rolling", "f8")])
GROUNDS = MOST_REGIONS + 1  # kinds of ground: none of the regions, and each region
ROCKS = GROUNDS  # row of the coefficients of rocks, after those of the ground
COMPLIANT, IMPULSIVE = 0, 1  # laws of contact
WAY_GROUPS = 32  # groups of vertices whose ways the surface guard keeps
# Everything that may differ between runs of a batch; SI units.
PARAMETERS = np.dtype(
    [
        ("mass", "f8"),
        ("inertia", "f8", 6),
        ("inverse_inertia", "f8", 6),
        ("first_vertex", "i8"),
        ("vertex_count", "i8"),
        ("corner_radius", "f8"),
        ("radius", "f8"),  # of the bounding ball about the centre of mass
        ("laws", LAW, GROUNDS),  # by label of the region
        ("has_regions", "i8"),
        ("law_kind", "i8"),
        ("grounds", GROUND_PAIR, GROUNDS + 1),  # by label of the region, then of rocks
        ("rolling_axes", "f8", 3),
        ("restitution_law", "i8"),
        ("regolith", "f8", 3),  # grazing, normal restitution, critical angle (0: none)
        ("stochastic", "f8", 3),  # chance, largest, shape of virtual rocks
        ("contact_speed", "f8"),
        ("has_contact_motion", "i8"),
        ("rests_in_balance", "i8"),
        ("stick", "f8", 2),  # speed, rate
        ("lying_depth", "f8"),  # sink of a body that lies on its vertices
        ("correction", "f8"),  # rate at which a contact point returns to the ground
        ("is_top", "i8"),  # two equal moments: rotation in flight is known in closed form
        ("top", "f8", 4),  # its axis and ratio
        ("key", "i8", 2),  # of the run's random numbers
        ("surface_kind", "i8"),
        ("surface", "f8", 4),
        ("gravity_kind", "i8"),
        ("gravity", "f8", 4),
        ("primary", "f8", 4),  # G M and place
        ("is_sunlit", "i8"),
        ("sun", "f8", 6),  # direction, acceleration in full light, distance, radius of the shadow
        ("has_air", "i8"),
        ("air", "f8", 11),  # of GroundAir, from the density on
        ("spin", "f8", 3),
        ("is_tumbling", "i8"),
        ("moments", "f8", 3),
        ("height_energy", "f8"),  # potential energy above the ground below the release
        ("duration", "f8"),
        ("output_interval", "f8"),
        ("relative_tolerance", "f8"),
        ("absolute_tolerance", "f8", FULL_SIZE),
        ("touch_tolerance", "f8"),
        ("feature", "f8"),  # [m] the ground's smallest
        ("least_stride", "f8"),  # [m] shortest stride of the search for a touch within a step
        ("flight_limit", "f8"),  # [m] depth that the surface guard allows a vertex in flight
        ("is_guarded", "i8"),  # 0 only where the guard's cost is measured
        ("least_step", "f8"),  # a shorter one is no step
        ("contact_step", "f8"),  # first step tried after a touch
        ("depth_limit", "f8"),
        ("escape_distance", "f8"),
        ("settle", "f8", 3),  # speed, rate, hold
        ("in_place", "f8", 2),  # distance, hold
        ("max_steps", "i8"),
        ("hops", "i8"),  # asked for; 0: no momentum device
        ("hop", "f8", 4),  # wait, torque, time of a pulse, momentum of the wheel when it begins
        ("push", "f8", 2),  # spring and damper of a vertex while the device acts
        ("hop_axis", "f8", 3),  # B axes
        ("hop_target", "f8", 3),  # A axes
        ("has_hop_target", "i8"),
    ]
)
# Where a run is, and what is reported of it at the end.
MEMORY = np.dtype(
    [
        ("outcome", "i8"),
        ("t", "f8"),
        ("h", "f8"),  # step to try next; 0 before the run has begun
        ("is_stale", "i8"),  # forces jumped: the first stage must be made anew
        ("free_gap", "f8"),  # of the nearest vertex not touching, or a lower bound
        ("elastic", "f8"),  # energy in the springs
        ("ratio", "f8"),  # error ratio of the last accepted step
        ("calm_since", "f8"),
        ("place", "f8", 3),  # from which the centre has not moved away, in contact,
        ("place_since", "f8"),  # since then
        ("steady_since", "f8"),  # since when friction has taken next to nothing,
        ("steady_lost", "f8"),  # and what all losses were then
        ("pivot_vertex", "f8"),  # on which the body stands alone, negative for none;
        ("pivot", "f8", 3),  # where, since when, from where its centre leans to it,
        ("pivot_since", "f8"),
        ("lean", "f8", 3),
        ("turned", "f8"),  # and the angle by which that has gone round
        ("energy_start", "f8"),
        ("energy_last", "f8"),
        ("largest_remainder", "f8"),
        ("ledger_phases", "i8"),  # begun so far
        ("largest_rise", "f8"),  # of the stored energy in one step
        ("path", "f8"),
        ("contact_time", "f8"),
        ("unloaded", "f8"),  # when the vertex in contact motion lost its load; NaN while it has one
        ("touching_end", "i8"),  # vertices that carry the body where the run ends
        ("deepest", "f8"),
        ("guard_way", "f8"),  # may be gone before the surface guard looks again,
        ("guard_is_far", "i8"),  # whether a ball about the body is clear of the ground that far,
        ("guard_gone", "f8"),  # what was gone since the last look in steps before,
        ("centre_way", "f8"),  # and what the centre could surely go then,
        ("vertex_ways", "f8", WAY_GROUPS),  # and groups of vertices
        ("guard_share", "f8"),  # worst depth it found over what is allowed; that depth, its limit,
        ("guard_depth", "f8"),
        ("guard_limit", "f8"),
        ("guard_time", "f8"),  # time and place
        ("guard_place", "f8", 3),
        ("flight_depth", "f8"),  # of the deepest vertex at the last take-off
        ("impacts", "i8"),
        ("impact_energy", "f8"),  # largest loss in one impact
        ("impact_losses", "f8"),  # sum over all impacts
        ("phase_steps", "i8", 3),  # steps in flight, in contact, on springs
        (
            "held_normal",
            "f8",
            3,
        ),  # of the ground under the vertex in contact, when creases were looked for last
        ("wall_offsets", "f8", 3 * MOST_WALLS),  # of the walls of a crease that hold the body
        ("corner_walls", "f8", CORNER_WALLS_SIZE),  # of corners in creases, of a lying body,
        ("looked_place", "f8", 3),  # and where and how it was when they were looked for
        ("looked_attitude", "f8", 4),
        ("rest_test", "f8"),  # time before which rest is not looked for again
        ("idle", "i8"),  # touches in a row that moved nothing
        ("first_touch_time", "f8"),
        ("first_touch_speed", "f8"),
        (
            "fastest_touch",
            "f8",
        ),  # [m/s] of a vertex where it touches, or of the centre on the ground
        ("touches", "i8"),
        ("phases", "i8"),
        ("steps", "i8"),
        ("rejected", "i8"),
        ("next_time", "f8"),  # a step ends there: end of the run, begin or end of a pulse
        ("hops", "i8"),  # begun
        ("rests", "i8"),
        ("rest_place", "f8", 3),  # of the last rest
        ("hop_distance", "f8"),  # sum over the hops done
        ("soften_time", "f8"),  # when stiff springs give way to soft ones
        ("take_off", "f8"),  # time of the hop going on, NaN before it
        ("row_count", "i8"),
        ("event_count", "i8"),
    ]
)
# Events that begin a phase of the ledger: release, first touch, first time on the ground, and
# GROUND + n for the pulse of hop n.
FLIGHT, BOUNCES, GROUND = 0, 1, 2
MOST_HOP_PHASES = 12  # [-] hops with a phase of their own; the last one holds all that follow
