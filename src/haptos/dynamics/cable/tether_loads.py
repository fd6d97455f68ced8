"""What the surroundings do to a tether and its end bodies: gravity, air, light.

    light on a cell = nu c_R P d |l| sin(g) s            drag by `thread_drag`, with l the cell's stretched vector

    nu  sunlit share [-]     c_R  1 absorbs, 2 sends back      P  pressure of light [N/m^2]     d  diameter [m]
    s   unit vector from the Sun      g  its angle to the line
The N axes are those of `dynamics/field.py`: they do not turn in free space and along an orbit, whose origin flies; with a
small body they turn with it, and the forces of turning axes are in the acceleration.
Ground is a plane at rest in N axes, and hulls touch it as balls: `contact/laws/normal.py` and `slip_friction.py`.
Frame: N axes. Validity: gravity acts on centres of cells, of hulls, and on the reel at its own place.
Source: light on a thin cylinder, [Quadrelli2017]; the other laws are in their files.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.contact.laws.normal import normal_load
from haptos.contact.slip_friction import slip_friction
from haptos.core.jit import device, routine
from haptos.core.rotations import apply
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract
from haptos.dynamics.air_loads import air_at, sky_of
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_state import CELLS, DRAG, GRAVITY, IMPULSE, LIGHT, WORKS
from haptos.dynamics.field import NO_FIELD, ORBIT, SMALL_BODY, body_pull, pull_at, pull_of
from haptos.environment.gravity_terms import sunlit_share
from haptos.environment.thread_drag import thread_drag

CITES: tuple[str, ...] = ("Quadrelli2017",)

TetherAir = namedtuple(
    "TetherAir", "is_on coefficient log_density spacing altitude up wind rate"
)  # as `system.Air`; coefficient of drag [-]
TetherGround = namedtuple("TetherGround", "is_on point normal law stiffness loss friction fade")
# a plane: point [m], unit normal out of it, N axes   law, stiffness, loss of `contact/laws/normal.py`   friction [-], fade
# [m/s] speed of full friction
TetherLight = namedtuple("TetherLight", "is_on pressure reflection to_sun distance radius")
# pressure P [N/m^2]   reflection c_R   to_sun unit vector, N axes   distance of the Sun, radius of the planet [m]


@device
def acceleration_at(field, pull, x, v):
    """Acceleration [m/s^2] of the field at a place [m] with a velocity [m/s]; pull = pull_of(field)."""
    if field.kind == NO_FIELD:
        return (0.0, 0.0, 0.0)
    if field.kind == SMALL_BODY:
        return body_pull(field, x, v)
    return pull_at(pull, x, v)


@device
def lit_share(field, light, x):
    """Share of the Sun [-] seen at a place [m]."""
    if light.radius <= 0.0:
        return 1.0
    o = field.origin
    place = add(x, (o[0], o[1], o[2])) if field.kind == ORBIT else x
    return sunlit_share(place, light.to_sun, light.distance, light.radius)


@device
def stretched(tether, y, ends, i):
    """Vector [m] from one interface of cell i to the other."""
    n = tether.line.count
    here = three(y, CELLS + 3 * i)
    low, high = ends[0][0], ends[1][0]
    if i > 0:
        before = three(y, CELLS + 3 * i - 3)
        low = scale(0.5, add(before, here))
    if i < n - 1:
        after = three(y, CELLS + 3 * i + 3)
        high = scale(0.5, add(here, after))
    return (high[0] - low[0], high[1] - low[1], high[2] - low[2])


@routine
def cell_loads(tether, y, ends, dy):
    """Add gravity, drag and light of all cells to the rates of their momenta and to the ledger."""
    n, field, air, light = tether.line.count, tether.field, tether.air, tether.light
    has_field = field.kind != NO_FIELD
    if not (has_field or air.is_on or light.is_on):
        return
    mu, pull = tether.line.density, pull_of(field)
    first, second = widths(tether, y)
    for i in range(n):
        m = mu * cell_width(tether, i, first, second)
        x, b = three(y, CELLS + 3 * i), CELLS + 3 * n + 3 * i
        v = scale(1.0 / m, three(y, b))
        if has_field:
            put_load(scale(m, acceleration_at(field, pull, x, v)), v, b, GRAVITY, dy)
        if air.is_on or light.is_on:
            along = stretched(tether, y, ends, i)
            if air.is_on:
                put_load(_drag(tether, x, v, along), v, b, DRAG, dy)
            if light.is_on:
                put_load(_light(tether, x, along), v, b, LIGHT, dy)


@device
def _drag(tether, x, v, along):
    density, through = air_at(sky_of(tether.field, tether.air), tether.air.log_density, x, v)
    return thread_drag(density, tether.air.coefficient, tether.line.diameter, along, through)


@device
def _light(tether, x, along):
    light = tether.light
    seen = norm(cross(along, light.to_sun))
    size = lit_share(tether.field, light, x) * light.reflection * light.pressure
    return scale(-size * tether.line.diameter * seen, light.to_sun)


@device
def ground_gap(tether, k, place):
    """Gap [m] between the ball of hull k and the ground."""
    ground = tether.ground
    return dot(ground.normal, subtract(place, ground.point)) - tether.hulls[k].radius


@device
def ground_force(tether, k, end):
    """(force [N], power of the normal force, of friction [W], arm of the contact from the hull's centre [m])."""
    ground, radius = tether.ground, tether.hulls[k].radius
    arm = scale(-radius, ground.normal)
    gap = ground_gap(tether, k, end.place)
    if gap >= 0.0:
        return (0.0, 0.0, 0.0), 0.0, 0.0, arm
    v = add(end.velocity, cross(apply(end.dcm, end.rate), arm))
    rate = -dot(v, ground.normal)
    load = normal_load(ground.law, ground.stiffness, ground.loss, -gap, rate)
    slip = add_scaled(v, rate, ground.normal)
    friction, heat = slip_friction(ground.friction, ground.fade, 0.1 * ground.fade, load, slip)
    return add_scaled(friction, load, ground.normal), -load * rate, -heat, arm


@device
def put_load(force, v, b, entry, dy):
    """Add a force [N] on what has its momentum at y[b:b + 3] and moves with v, and its work and impulse."""
    power = 0.0
    for c in range(3):
        dy[b + c] += force[c]
        dy[WORKS + IMPULSE + c] += force[c]
        power += force[c] * v[c]
    dy[WORKS + entry] += power
