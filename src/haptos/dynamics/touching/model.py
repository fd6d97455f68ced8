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
# law: CompliantLaw where there are no regions; laws (n,): record of the law of each region; pairs (n,): record of
# restitution, friction and rolling length of each region, then of rocks
GroundKinds = namedtuple("GroundKinds", "law laws has_regions pairs")
# rate: omega_AN_A at the start [rad/s]; moments: principal ones of the small body, any unit
Spin = namedtuple("Spin", "rate is_on is_tumbling moments")
Top = namedtuple("Top", "is_on axis ratio")  # a body with two equal moments, see free_rotation
# push: k, c of the springs under a PUSHED body
Device = namedtuple("Device", "is_on push")  # for momentum
# wall_offsets (3 MOST_WALLS): where each wall is asked for, from the vertex in contact [m];
# wall_rows (WALL_ROWS, WALL_SIZE): of crease_motion, working array;
# corner_walls (CORNER_WALLS_SIZE): corners of a lying body in creases, `contact/sets/corner_walls`
Creases = namedtuple("Creases", "wall_offsets wall_rows corner_walls")
# body: TouchingBody; surface, gravity: tagged tuples; sun: Sun; air: GroundAir; sliding: Sliding with shares of
# rolling by axis; last_gravity (7,): place, potential and acceleration where the rates asked for gravity last
TouchingModel = namedtuple(
    "TouchingModel",
    "body surface ground sliding creases gravity last_gravity spin sun air top device",
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
    own, contact, spin = p.body, p.contact, p.spin.rate
    s, g = p.surface.numbers, p.gravity.numbers
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
    sliding = Sliding(
        p.ground.pairs[0].friction, three(contact.rolling_axes), contact.stick_speed,
        contact.stick_rate, contact.correction,
    )  # fmt: skip
    primary_mu, primary = p.gravity.primary_mu, three(p.gravity.primary)
    is_spinning = spin[0] != 0.0 or spin[1] != 0.0 or spin[2] != 0.0
    return TouchingModel(
        body,
        Surface(p.surface.kind, s[0], s[1], s[2], s[3], land),
        GroundKinds(
            law_of(p.ground.laws[0]), p.ground.laws, p.ground.has_regions != 0, p.ground.pairs
        ),
        sliding,
        Creases(wall_offsets, wall_rows, corner_walls),
        Gravity(p.gravity.kind, g[0], g[1], g[2], g[3], land, primary_mu, primary),
        last_gravity,
        Spin(three(spin), is_spinning, p.spin.is_tumbling != 0, three(p.spin.moments)),
        sun_of(p.sun),
        air_of(p.air),
        Top(own.is_top != 0, three(own.top_axis), own.top_ratio),
        Device(p.hops.count > 0, (p.hops.spring, p.hops.damper)),
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
