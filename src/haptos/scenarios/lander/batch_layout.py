"""Rows of a lander batch: parameters and memory of each run, and the model built from a row."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.contact.compliant import CompliantLaw, TouchingBody
from haptos.core.jit import device
from haptos.dynamics.rigid_body import FULL_SIZE
from haptos.environment.gravity import Gravity
from haptos.geometry.regions import MOST_REGIONS
from haptos.geometry.surface import Surface
from haptos.scenarios.lander.equations import Lander, Sun

LAW_SIZE = 7  # numbers of a CompliantLaw
GROUNDS = MOST_REGIONS + 1  # kinds of ground: none of the regions, and each region

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
        ("surface_kind", "i8"),
        ("surface", "f8", 4),
        ("gravity_kind", "i8"),
        ("gravity", "f8", 4),
        ("primary", "f8", 4),  # G M and place
        ("is_sunlit", "i8"),
        ("sun", "f8", 6),  # direction, acceleration in full light, distance, radius of the shadow
        ("spin", "f8", 3),
        ("is_tumbling", "i8"),
        ("moments", "f8", 3),
        ("duration", "f8"),
        ("output_interval", "f8"),
        ("relative_tolerance", "f8"),
        ("absolute_tolerance", "f8", FULL_SIZE),
        ("touch_tolerance", "f8"),
        ("contact_step", "f8"),  # first step tried after a touch
        ("depth_limit", "f8"),
        ("escape_distance", "f8"),
        ("settle", "f8", 3),  # speed, rate, hold
        ("max_steps", "i8"),
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
        ("energy_start", "f8"),
        ("energy_last", "f8"),
        ("largest_remainder", "f8"),
        ("largest_rise", "f8"),  # of the stored energy in one step
        ("path", "f8"),
        ("contact_time", "f8"),
        ("deepest", "f8"),
        ("first_touch_time", "f8"),
        ("first_touch_speed", "f8"),
        ("touches", "i8"),
        ("phases", "i8"),
        ("steps", "i8"),
        ("rejected", "i8"),
        ("row_count", "i8"),
        ("event_count", "i8"),
    ]
)

# Columns of a stored row and of a stored event.
ROW_TIME, ROW_STATE, ROW_ENERGIES = 0, 1, 1 + FULL_SIZE
ROW_TOUCHING = ROW_ENERGIES + 3
ROW_LOAD, ROW_SLIP, ROW_DEEPEST = ROW_TOUCHING + 1, ROW_TOUCHING + 2, ROW_TOUCHING + 3
ROW_SIZE = ROW_TOUCHING + 4
EVENT_TIME, EVENT_KIND, EVENT_VERTEX, EVENT_POINT, EVENT_NORMAL = 0, 1, 2, 3, 6
EVENT_CLOSING, EVENT_SLIP, EVENT_KINETIC = 9, 10, 11
EVENT_SIZE = 12
TOUCH, RELEASE, REST = 1, 2, 3  # kinds of event

# Working arrays of one thread: stages k (7, FULL_SIZE), trial state, looked-at state.
Scratch = namedtuple("Scratch", "k y1 at")
# Output of a run that is stored in full: rows (n, ROW_SIZE), events (n, EVENT_SIZE).
Record = namedtuple("Record", "is_on rows events")


@device
def six(a):
    return (a[0], a[1], a[2], a[3], a[4], a[5])


@device
def three(a):
    return (a[0], a[1], a[2])


@device
def law_of(row):
    """Compliant law from its row of numbers."""
    return CompliantLaw(row[0], row[1], row[2], row[3], row[4], row[5], row[6])


@device
def lander_of(p, land, vertices, touching, is_touching, touching_count):
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
    )
