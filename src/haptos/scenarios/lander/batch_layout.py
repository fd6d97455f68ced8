"""Rows of a lander batch: parameters and memory of each run, and the model built from a row."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.contact.compliant import TouchingBody
from haptos.contact.contact_motion import Sliding
from haptos.core.jit import device
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.environment.ball_drag import GroundAir
from haptos.environment.gravity import Gravity
from haptos.geometry.distance.surface import Surface
from haptos.geometry.terrain.regions import MOST_REGIONS
from haptos.scenarios.lander.equations import Lander, Sun, law_of

LAW_SIZE = 8  # numbers of a CompliantLaw
GROUNDS = MOST_REGIONS + 1  # kinds of ground: none of the regions, and each region
ROCKS = GROUNDS  # row of the coefficients of rocks, after those of the ground
COMPLIANT, IMPULSIVE = 0, 1  # laws of contact

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
        ("laws", "f8", (GROUNDS, LAW_SIZE)),  # by label of the region
        ("has_regions", "i8"),
        ("law_kind", "i8"),
        ("grounds", "f8", (GROUNDS + 1, 3)),  # restitution, friction, rolling length
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

# Where a run is, and what is told of it at the end.
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
        ("energy_start", "f8"),
        ("energy_last", "f8"),
        ("largest_remainder", "f8"),
        ("ledger_phases", "i8"),  # begun so far
        ("largest_rise", "f8"),  # of the stored energy in one step
        ("path", "f8"),
        ("contact_time", "f8"),
        ("unloaded", "f8"),  # when the vertex in contact motion lost its load; NaN while it has one
        ("touching_end", "i8"),  # vertices that carry the probe where the run ends
        ("deepest", "f8"),
        ("guard_way", "f8"),  # may be gone before the surface guard looks again
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
        ("rest_test", "f8"),  # time before which rest is not looked for again
        ("idle", "i8"),  # touches in a row that moved nothing
        ("first_touch_time", "f8"),
        ("first_touch_speed", "f8"),
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

# Columns of a stored row and of a stored event.
ROW_TIME, ROW_STATE, ROW_ENERGIES = 0, 1, 1 + FULL_SIZE
ROW_TOUCHING = ROW_ENERGIES + 3
ROW_LOAD, ROW_SLIP, ROW_DEEPEST = ROW_TOUCHING + 1, ROW_TOUCHING + 2, ROW_TOUCHING + 3
ROW_SIZE = ROW_TOUCHING + 4
EVENT_TIME, EVENT_KIND, EVENT_VERTEX, EVENT_POINT, EVENT_NORMAL = 0, 1, 2, 3, 6
EVENT_CLOSING, EVENT_SLIP, EVENT_KINETIC = 9, 10, 11
# Of impacts only: velocities and rates before and after, those of the contact point, works.
EVENT_V_BEFORE, EVENT_V_AFTER, EVENT_W_BEFORE, EVENT_W_AFTER, EVENT_NU_AFTER = 12, 15, 18, 21, 24
EVENT_ANGLE, EVENT_ASPECT, EVENT_WORKS, EVENT_GROUND, EVENT_MODE = 27, 28, 29, 32, 33
EVENT_NU_BEFORE = 34
EVENT_SIZE = 37
TOUCH, RELEASE, REST, IMPACT, SLIDE, LIFT, PULSE, TAKE_OFF = 1, 2, 3, 4, 5, 6, 7, 8  # of event

# Working arrays of one thread: stages k (7, FULL_SIZE), trial state, looked-at state, contact points,
# what is known of each vertex, stages and state of an output, numbers of the vertex in contact (3),
# gravity where it was asked for last (7); matrix, rows and arms of impacts at once (contact/impacts);
# planes of a crease.
Scratch = namedtuple(
    "Scratch", "k y1 at points ways output_k output_y held last_gravity matrix rows arms planes"
)
# Output of a run that is stored in full: rows (n, ROW_SIZE), events (n, EVENT_SIZE).
Record = namedtuple("Record", "is_on rows events")


@device
def six(a):
    return (a[0], a[1], a[2], a[3], a[4], a[5])


@device
def three(a):
    return (a[0], a[1], a[2])


@device
def lander_of(p, land, vertices, touching, is_touching, touching_count, last_gravity):
    """The run's model from its row of parameters, shared tables and rows of contact memory."""
    body = TouchingBody(
        p.mass,
        six(p.inertia),
        six(p.inverse_inertia),
        vertices[p.first_vertex : p.first_vertex + p.vertex_count],
        p.corner_radius,
        p.radius,
        touching,
        is_touching,
        touching_count,
    )
    s, g, sun = p.surface, p.gravity, p.sun
    primary = (p.primary[1], p.primary[2], p.primary[3])
    return Lander(
        body,
        Surface(p.surface_kind, s[0], s[1], s[2], s[3], land),
        Gravity(p.gravity_kind, g[0], g[1], g[2], g[3], land, p.primary[0], primary),
        law_of(p.laws[0]),
        three(p.spin),
        p.spin[0] != 0.0 or p.spin[1] != 0.0 or p.spin[2] != 0.0,
        p.is_tumbling != 0,
        three(p.moments),
        Sun(p.is_sunlit != 0, (sun[0], sun[1], sun[2]), sun[3], sun[4], sun[5]),
        p.laws,
        p.has_regions != 0,
        p.grounds,
        p.is_top != 0,
        (p.top[0], p.top[1], p.top[2]),
        p.top[3],
        Sliding(p.grounds[0, 1], three(p.rolling_axes), p.stick[0], p.stick[1], p.correction),
        p.hops > 0,
        (p.push[0], p.push[1]),
        air_of(p.has_air, p.air),
        last_gravity,
    )


@device
def air_of(has_air, row):
    """Air from its row of numbers."""
    wind, up = (row[3], row[4], row[5]), (row[7], row[8], row[9])
    return GroundAir(has_air != 0, row[0], row[1], row[2], wind, row[6] != 0.0, up, row[10])
