"""Parameters of a run of a rigid body whose vertices touch ground: one row of a batch.

A record of records, one for each thing that numbers belong to, which kernels read by address:

    p.body.mass, p.contact.lying_depth, p.surface.feature, p.hops.count
"""

from __future__ import annotations

import numpy as np

from haptos.contact.compliant import CompliantLaw
from haptos.dynamics.rigid.rigid_body import FULL_SIZE
from haptos.geometry.terrain.regions import MOST_REGIONS

LAW = np.dtype([(name, "f8") for name in CompliantLaw._fields])  # springs under vertices
# Of an impact or of contact motion: restitution [-], friction [-], rolling length [m].
GROUND_PAIR = np.dtype([("restitution", "f8"), ("friction", "f8"), ("rolling", "f8")])
GROUNDS = MOST_REGIONS + 1  # kinds of ground: none of the regions, and each region
ROCKS = GROUNDS  # row of the coefficients of rocks, after those of the ground
COMPLIANT, IMPULSIVE = 0, 1  # laws of contact

BODY = np.dtype(
    [
        ("mass", "f8"),
        ("inertia", "f8", 6),
        ("inverse_inertia", "f8", 6),
        ("first_vertex", "i8"),
        ("vertex_count", "i8"),
        ("corner_radius", "f8"),
        ("radius", "f8"),  # of the bounding ball about the centre of mass
        ("is_top", "i8"),  # two equal moments: rotation in flight is known in closed form
        ("top_axis", "f8", 3),
        ("top_ratio", "f8"),
    ]
)
GROUND_KINDS = np.dtype(
    [
        ("has_regions", "i8"),
        ("laws", LAW, GROUNDS),  # by label of the region
        ("pairs", GROUND_PAIR, GROUNDS + 1),  # by label of the region, then of rocks
    ]
)
CONTACT = np.dtype(
    [
        ("law", "i8"),  # kind of law
        ("speed", "f8"),  # below which a vertex stays on the ground
        ("has_motion", "i8"),  # whether one vertex may slide, stick and roll
        ("stick_speed", "f8"),
        ("stick_rate", "f8"),
        ("rolling_axes", "f8", 3),
        ("lying_depth", "f8"),  # sink of a body that lies on its vertices
        ("correction", "f8"),  # rate at which a contact point returns to the ground
        ("depth_limit", "f8"),
    ]
)
REGOLITH = np.dtype(
    [("grazing", "f8"), ("normal", "f8"), ("critical_angle", "f8")]  # restitutions; angle 0: none
)
CHANCE_ROCKS = np.dtype([("chance", "f8"), ("largest", "f8"), ("shape", "f8")])  # StochasticRocks
IMPACT = np.dtype(
    [
        ("law", "i8"),  # of restitution
        ("regolith", REGOLITH),
        ("rocks", CHANCE_ROCKS),
        ("key", "i8", 2),  # of the run's random numbers
    ]
)
SURFACE = np.dtype(
    [("kind", "i8"), ("numbers", "f8", 4), ("feature", "f8")]  # [m] the ground's smallest
)
GRAVITY = np.dtype(
    [
        ("kind", "i8"),
        ("numbers", "f8", 4),
        ("primary_mu", "f8"),
        ("primary", "f8", 3),  # its place
        ("height_energy", "f8"),  # potential energy above the ground below the release
    ]
)
SUN = np.dtype(
    [
        ("is_on", "i8"),
        ("direction", "f8", 3),
        ("strength", "f8"),  # acceleration in full light
        ("distance", "f8"),
        ("shadow", "f8"),  # radius of the ball that casts it
    ]
)
AIR = np.dtype(
    [
        ("is_on", "i8"),
        ("density", "f8"),
        ("thinning", "f8"),
        ("strength", "f8"),
        ("wind", "f8", 3),
        ("is_flat", "i8"),
        ("up", "f8", 3),
        ("level", "f8"),
    ]
)
SPIN = np.dtype([("rate", "f8", 3), ("is_tumbling", "i8"), ("moments", "f8", 3)])
RUN = np.dtype(
    [
        ("duration", "f8"),
        ("output_interval", "f8"),
        ("max_steps", "i8"),
        ("escape_distance", "f8"),
    ]
)
ACCURACY = np.dtype(
    [
        ("relative", "f8"),  # tolerances of a step
        ("absolute", "f8", FULL_SIZE),
        ("touch", "f8"),  # [m] how closely the instant of touch is met
        ("least_stride", "f8"),  # [m] shortest stride of the search for a touch within a step
        ("least_step", "f8"),  # a shorter one is no step
        ("contact_step", "f8"),  # first step tried after a touch
    ]
)
GUARD_LIMITS = np.dtype(
    [
        ("is_on", "i8"),  # 0 only where the guard's cost is measured
        ("flight_limit", "f8"),  # [m] depth that the surface guard allows a vertex in flight
    ]
)
SETTLING = np.dtype(
    [
        ("speed", "f8"),
        ("rate", "f8"),
        ("hold", "f8"),
        ("place", "f8"),  # distance within which the body counts as in place,
        ("place_hold", "f8"),  # and for how long
        ("in_balance", "i8"),  # whether a body that forces can hold is at rest
    ]
)
DEVICE = np.dtype(
    [
        ("count", "i8"),  # hops asked for; 0: no momentum device
        ("wait", "f8"),
        ("torque", "f8"),
        ("time", "f8"),  # of a pulse
        ("momentum", "f8"),  # of the wheel when it begins
        ("spring", "f8"),  # of a vertex while the device acts, and its damper
        ("damper", "f8"),
        ("axis", "f8", 3),  # B axes
        ("has_target", "i8"),
        ("target", "f8", 3),  # A axes
    ]
)
# Everything that may differ between runs of a batch; SI units.
PARAMETERS = np.dtype(
    [
        ("body", BODY),
        ("ground", GROUND_KINDS),
        ("contact", CONTACT),
        ("impact", IMPACT),
        ("surface", SURFACE),
        ("gravity", GRAVITY),
        ("sun", SUN),
        ("air", AIR),
        ("spin", SPIN),
        ("run", RUN),
        ("accuracy", ACCURACY),
        ("guard", GUARD_LIMITS),
        ("settle", SETTLING),
        ("hops", DEVICE),
    ]
)
