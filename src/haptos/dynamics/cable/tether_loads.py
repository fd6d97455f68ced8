"""What the surroundings do to a tether and its end bodies: gravity, a third body, air, light, ground.

    light on a cell = nu c_R P d |l| sin(g) s            drag by `thread_drag`, with l the cell's stretched vector
    light on a hull = nu c_R A P s                       drag -1/2 rho c_d A |u| u, both at the hull's centre of pressure
    third body      = its pull at the place less that at the centre of what is orbited, `primary_tide`
    ground          = normal law of `contact/laws/normal.py` and `slip_friction.py`, hulls as balls, cells as points

    nu  sunlit share [-]     c_R  1 absorbs, 2 sends back      P  pressure of light [N/m^2]     d  diameter [m]
    s   unit vector from the Sun      g  its angle to the line      u  velocity through the air [m/s]
The N axes are those of `dynamics/field.py`: they do not turn in free space and along an orbit, whose origin flies; over a
small body they turn with it, and the forces of turning axes are in the acceleration. The origin of an orbit feels no
third body: bodies and line drift away from it by what that does.
A cell has the stiffness and loss of the ground times its mass over that of the lighter hull that moves: it sinks in as deep.
Frame: N axes. Validity: gravity acts on centres of cells, of hulls, and on the reel at its own place.
Source: light on a thin cylinder, [Quadrelli2017]; the other laws are in their files.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.contact.laws.normal import normal_load
from haptos.contact.slip_friction import slip_friction
from haptos.core.jit import device, routine
from haptos.core.rotations import apply
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale
from haptos.dynamics.air_loads import air_at, sky_of
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_state import (
    CELLS,
    CONTACT,
    DRAG,
    FRICTION,
    GRAVITY,
    IMPULSE,
    LIGHT,
    WORKS,
)
from haptos.dynamics.contacts.detect import ground_gap
from haptos.dynamics.field import (
    NO_FIELD,
    ORBIT,
    SMALL_BODY,
    body_pull,
    pull_at,
    pull_of,
)
from haptos.environment.circling import circling_place
from haptos.environment.gravity_terms import primary_tide, sunlit_share
from haptos.environment.thread_drag import thread_drag

CITES: tuple[str, ...] = ("Quadrelli2017",)

TetherAir = namedtuple(
    "TetherAir", "is_on coefficient log_density spacing altitude up wind rate"
)  # as `system.Air`; coefficient of drag [-]
TetherGround = namedtuple(
    "TetherGround", "is_on is_watched surface arm axes law stiffness loss friction fade"
)
# is_on  whether it is felt    is_watched  whether depths are looked for    surface, arm, axes  as `contacts.ground_arrays`
# law, stiffness, loss of `contact/laws/normal.py`   friction [-], fade [m/s] speed of full friction
TetherLight = namedtuple("TetherLight", "is_on pressure reflection path distance radius to_sun")
# pressure P [N/m^2]   reflection c_R of the line   path `Circling` of the unit vector to the Sun, N axes
# distance of the Sun, radius of what casts a shadow [m], 0 for none   to_sun (3,) the vector now
ThirdBody = namedtuple("ThirdBody", "mu path place")
# mu G M [m^3/s^2], 0 for none    path `Circling` from the centre of what is orbited [m], N axes    place (3,) now


@device
def renew_sky(tether, t):
    """Bring Sun, third body and ground to a time [s], after the field."""
    light, third, ground, field = tether.light, tether.third, tether.ground, tether.field
    sun = circling_place(light.path, t)
    for c in range(3):
        light.to_sun[c] = sun[c]
    if third.mu > 0.0:
        place = circling_place(third.path, t)
        for c in range(3):
            third.place[c] = place[c]
    if field.kind == ORBIT:
        for c in range(3):
            ground.arm[c] = field.origin[c]


@device
def from_centre(field, x):
    """Place [m] from the centre of the planet or small body, N axes."""
    o = field.origin
    if field.kind == ORBIT:
        return add(x, (o[0], o[1], o[2]))
    if field.kind == SMALL_BODY:
        return add(x, (field.arm[0], field.arm[1], field.arm[2]))
    return x


@device
def acceleration_at(tether, pull, x, v):
    """Acceleration [m/s^2] of field and third body at a place [m] with a velocity [m/s]; pull = pull_of(field)."""
    field, third = tether.field, tether.third
    a = (0.0, 0.0, 0.0)
    if field.kind == SMALL_BODY:
        a = body_pull(field, x, v)
    elif field.kind != NO_FIELD:
        a = pull_at(pull, x, v)
    if third.mu > 0.0:
        a = add(a, primary_tide(from_centre(field, x), three(third.place, 0), third.mu)[1])
    return a


@device
def lit_share(tether, x):
    """Share of the Sun [-] seen at a place [m]."""
    light = tether.light
    if light.radius <= 0.0:
        return 1.0
    place = from_centre(tether.field, x)
    return sunlit_share(place, three(light.to_sun, 0), light.distance, light.radius)


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
    ground = tether.ground
    has_field = field.kind != NO_FIELD or tether.third.mu > 0.0
    if not (has_field or air.is_on or light.is_on or ground.is_on):
        return
    near, far = tether.hulls[0], tether.hulls[1]
    lightest = min(math.inf if near.is_fixed else near.mass, math.inf if far.is_fixed else far.mass)
    mu, pull = tether.line.density, pull_of(field)
    first, second = widths(tether, y)
    for i in range(n):
        m = mu * cell_width(tether, i, first, second)
        x, b = three(y, CELLS + 3 * i), CELLS + 3 * n + 3 * i
        v = scale(1.0 / m, three(y, b))
        if has_field:
            put_load(scale(m, acceleration_at(tether, pull, x, v)), v, b, GRAVITY, dy)
        if air.is_on or light.is_on:
            along = stretched(tether, y, ends, i)
            if air.is_on:
                put_load(_drag(tether, x, v, along), v, b, DRAG, dy)
            if light.is_on:
                put_load(_light(tether, x, along), v, b, LIGHT, dy)
        if ground.is_on:
            share = m / lightest if lightest < math.inf else 1.0
            _, normal, friction, _ = ground_push(ground, x, v, 0.5 * tether.line.diameter, share)
            put_load(normal, v, b, CONTACT, dy)
            put_load(friction, v, b, FRICTION, dy)


@device
def _drag(tether, x, v, along):
    density, through = air_at(sky_of(tether.field, tether.air), tether.air.log_density, x, v)
    return thread_drag(density, tether.air.coefficient, tether.line.diameter, along, through)


@device
def _light(tether, x, along):
    light, to_sun = tether.light, three(tether.light.to_sun, 0)
    seen = norm(cross(along, to_sun))
    size = lit_share(tether, x) * light.reflection * light.pressure
    return scale(-size * tether.line.diameter * seen, to_sun)


@device
def hull_pushes(tether, k, end):
    """(drag, light) [N] on hull k, N axes, both at its centre of pressure."""
    drag_area, light_area, _ = tether.hulls[k].outer
    drag, light = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if tether.air.is_on and drag_area > 0.0:
        sky = sky_of(tether.field, tether.air)
        density, through = air_at(sky, tether.air.log_density, end.place, end.velocity)
        drag = scale(-0.5 * density * drag_area * norm(through), through)
    if tether.light.is_on and light_area > 0.0:
        size = lit_share(tether, end.place) * tether.light.pressure * light_area
        light = scale(-size, three(tether.light.to_sun, 0))
    return drag, light


@device
def end_gap(tether, k, place):
    """Gap [m] between the ball of hull k and the ground."""
    return ground_gap(tether.ground, place)[0] - tether.hulls[k].radius


@device
def ground_push(ground, x, v, radius, share):
    """(load [N], normal force [N], friction [N], its heat [W]) on a ball of a radius [m] at x that moves with v.

    share  of the ground's stiffness and loss that it feels [-]
    """
    gap, n = ground_gap(ground, x)
    still = (0.0, 0.0, 0.0)
    if gap >= radius:
        return 0.0, still, still, 0.0
    rate = -dot(v, n)
    # the loss of a Hertz contact is per speed already
    loss = ground.loss if ground.law == 0 else share * ground.loss
    load = normal_load(ground.law, share * ground.stiffness, loss, radius - gap, rate)
    slip = add_scaled(v, rate, n)
    friction, heat = slip_friction(ground.friction, ground.fade, 0.1 * ground.fade, load, slip)
    return load, scale(load, n), friction, heat


@device
def hull_on_ground(tether, k, end):
    """(force [N], power of the normal force, of friction [W], arm of the contact from the hull's centre [m])."""
    ground, radius = tether.ground, tether.hulls[k].radius
    gap, n = ground_gap(ground, end.place)
    arm = scale(-radius, n)
    if gap >= radius:
        return (0.0, 0.0, 0.0), 0.0, 0.0, arm
    v = add(end.velocity, cross(apply(end.dcm, end.rate), arm))
    _, normal, friction, heat = ground_push(ground, end.place, v, radius, 1.0)
    return add(normal, friction), dot(normal, v), -heat, arm


@device
def put_load(force, v, b, entry, dy):
    """Add a force [N] on what has its momentum at y[b:b + 3] and moves with v, and its work and impulse."""
    power = 0.0
    for c in range(3):
        dy[b + c] += force[c]
        dy[WORKS + IMPULSE + c] += force[c]
        power += force[c] * v[c]
    dy[WORKS + entry] += power
