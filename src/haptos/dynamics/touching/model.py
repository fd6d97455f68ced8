"""A rigid body whose vertices touch ground, and all that acts on it: one tuple, made from a row of parameters."""

from __future__ import annotations

from collections import namedtuple

from haptos.contact.compliant import CompliantLaw, TouchingBody
from haptos.contact.contact_motion import Sliding
from haptos.core.jit import device
from haptos.environment.ball_drag import GroundAir
from haptos.environment.gravity import Gravity
from haptos.environment.ground_sunlight import Sun
from haptos.geometry.distance.surface import Surface

# Contact memory of a run: touching_count (4,) holds the vertices that touch springs, the phase, the vertex in
# contact, and the walls of a crease that hold it, 0 on open ground.
COUNT, PHASE, VERTEX, WALLS = 0, 1, 2, 3
FLYING, SLIDING, SPRINGY = 0, 1, 2  # phases of a run with impulsive contact
RESTING = 3  # phase of any run that waits on the ground for its next hop
PUSHED = 4  # as SPRINGY, on springs stiff enough for a momentum device, until it leaves the ground
# body: TouchingBody; surface, gravity: tagged tuples; law: CompliantLaw; spin: omega_AN_A at the
# start [rad/s]; is_spinning, is_tumbling; moments: principal moments of the small body, any unit;
# sun: Sun; laws (n,): record of the law of each region, where has_regions; grounds (n,): record of restitution,
# friction and rolling length of each region, then of rocks; is_top, top_axis, top_ratio: of free_rotation;
# sliding: Sliding with shares of rolling by axis; is_hopping: it carries a momentum device;
# push: k, c of the springs under a PUSHED body; air: GroundAir; last_gravity (7,): place, potential and
# acceleration where the rates asked for gravity last; wall_offsets (3 MOST_WALLS): where each wall is asked for,
# from the vertex in contact [m]; wall_rows (WALL_ROWS, WALL_SIZE): of crease_motion, working array;
# corner_walls (CORNER_WALLS_SIZE): corners of a lying body in creases, `contact/sets/corner_walls`
TouchingModel = namedtuple(
    "TouchingModel",
    "body surface gravity law spin is_spinning is_tumbling moments sun laws has_regions "
    "grounds is_top top_axis top_ratio sliding is_hopping push air last_gravity "
    "wall_offsets wall_rows corner_walls",
)


@device
def six(a):
    return (a[0], a[1], a[2], a[3], a[4], a[5])


@device
def three(a):
    return (a[0], a[1], a[2])


@device
def law_of(row):
    """Compliant law of a record."""
    return CompliantLaw(row.k, row.c, row.mu, row.mu_s, row.c_rr, row.v_s, row.w_s, row.normal)


@device
def model_of(
    p,
    land,
    vertices,
    touching,
    is_touching,
    touching_count,
    last_gravity,
    wall_offsets,
    wall_rows,
    corner_walls,
):
    """The run's model from its row of parameters, shared tables and rows of contact memory."""
    own, contact = p.body, p.contact
    body = TouchingBody(
        own.mass,
        six(own.inertia),
        six(own.inverse_inertia),
        vertices[own.first_vertex : own.first_vertex + own.vertex_count],
        own.corner_radius,
        own.radius,
        touching,
        is_touching,
        touching_count,
    )
    s, g, spin = p.surface.numbers, p.gravity.numbers, p.spin.rate
    return TouchingModel(
        body,
        Surface(p.surface.kind, s[0], s[1], s[2], s[3], land),
        Gravity(
            p.gravity.kind,
            g[0],
            g[1],
            g[2],
            g[3],
            land,
            p.gravity.primary_mu,
            three(p.gravity.primary),
        ),
        law_of(p.ground.laws[0]),
        three(spin),
        spin[0] != 0.0 or spin[1] != 0.0 or spin[2] != 0.0,
        p.spin.is_tumbling != 0,
        three(p.spin.moments),
        sun_of(p.sun),
        p.ground.laws,
        p.ground.has_regions != 0,
        p.ground.pairs,
        own.is_top != 0,
        three(own.top_axis),
        own.top_ratio,
        Sliding(
            p.ground.pairs[0].friction,
            three(contact.rolling_axes),
            contact.stick_speed,
            contact.stick_rate,
            contact.correction,
        ),
        p.hops.count > 0,
        (p.hops.spring, p.hops.damper),
        air_of(p.air),
        last_gravity,
        wall_offsets,
        wall_rows,
        corner_walls,
    )


@device
def sun_of(row):
    """Sunlight of a record."""
    return Sun(row.is_on != 0, three(row.direction), row.strength, row.distance, row.shadow)


@device
def air_of(row):
    """Air of a record."""
    return GroundAir(
        row.is_on != 0, row.density, row.thinning, row.strength, three(row.wind), row.is_flat != 0,
        three(row.up), row.level,
    )  # fmt: skip
