"""Rates of the two end bodies of a tether: pull of the line, gravity, air, light, ground, thrusters, wheels.

    thrust = sum of level x largest force along each thruster, and its moment;   m_prop' = -sum |F|/(Isp g0)
    wheels: h' = -g_rw, the hull gets g_rw;  |g_rw| <= g_max per axis, and no more of it where |h| >= h_max
    g_rw = command - G_p (angle to the attitude held) - G_v w

    level  0 to 1, times start and stop       Isp [s], g0 9.80665 m/s^2       h  momentum of the wheels, B axes [N m s]
A force asked for by `commands` acts at the centre of mass and burns propellant with the first thruster's Isp. Without
propellant there is no thrust. Propellant leaves with the speed of the hull: what it carries away is recorded apart.
Frame: N for momenta, B for moments. Validity: the centre of mass of the hull and its inertia do not move as it burns.
Source: [Quadrelli2017] Eqs. (13)-(15); wheels [Hughes1986].
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, quaternion_rate
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract
from haptos.dynamics.cable.tether_cells import three
from haptos.dynamics.cable.tether_loads import acceleration_at, hull_on_ground, hull_pushes
from haptos.dynamics.cable.tether_state import (
    ATTITUDE,
    BODY,
    CONTACT,
    DRAG,
    DRY,
    EXPELLED,
    FRICTION,
    GRAVITY,
    IMPULSE,
    LIGHT,
    MOMENTUM,
    POSITION,
    PROPELLANT,
    PROPELLANT_LOSS,
    RATE,
    THRUST,
    TRANSPORT,
    WHEEL_WORK,
    WHEELS,
    WORKS,
)
from haptos.dynamics.field import ORBIT, SMALL_BODY, pull_of
from haptos.dynamics.rigid.end_body import turning_rate
from haptos.environment.gravity_gradient import gravity_gradient_torque

CITES: tuple[str, ...] = ("Hughes1986", "Quadrelli2017")

STANDARD_GRAVITY = 9.80665  # [m/s^2], by definition


@routine
def thrust_of(hull, commands, k, t, is_dry):
    """(force, moment, mass flow [kg/s]) of the thrusters that burn, B axes."""
    force, moment, flow = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
    if is_dry != 0.0:
        return force, moment, flow
    rows = hull.thrusters
    for i in range(len(rows)):
        if rows[i, 8] <= t and t < rows[i, 9] and rows[i, 10] > 0.0:
            size = rows[i, 6] * rows[i, 10]
            push = (size * rows[i, 3], size * rows[i, 4], size * rows[i, 5])
            force = add(force, push)
            moment = add(moment, cross((rows[i, 0], rows[i, 1], rows[i, 2]), push))
            flow += size / (rows[i, 7] * STANDARD_GRAVITY)
    asked = (commands[k, 0], commands[k, 1], commands[k, 2])
    size = norm(asked)
    if size > 0.0 and len(rows) > 0:
        force = add(force, asked)
        flow += size / (rows[0, 7] * STANDARD_GRAVITY)
    return force, moment, flow


@device
def wheel_torque(hull, commands, k, y):
    """Torque of the wheels on the hull [N m], B axes, within their limits."""
    at = BODY * k
    largest, most = hull.wheels
    if largest <= 0.0:
        return (0.0, 0.0, 0.0)
    gain, damping = hull.hold
    sign = 1.0 if y[at + ATTITUDE] >= 0.0 else -1.0
    limits = (gain, damping, largest, most)
    angle, turn, held = at + ATTITUDE + 1, at + RATE, at + WHEELS
    return (
        _limited(commands[k, 3], sign * y[angle], y[turn], y[held], limits),
        _limited(commands[k, 4], sign * y[angle + 1], y[turn + 1], y[held + 1], limits),
        _limited(commands[k, 5], sign * y[angle + 2], y[turn + 2], y[held + 2], limits),
    )


@device
def _limited(command, half_angle, rate, held, limits):
    """Torque [N m] about one axis; the attitude held is that of N."""
    gain, damping, largest, most = limits
    wanted = command - 2.0 * gain * half_angle - damping * rate
    torque = min(max(wanted, -largest), largest)
    if (held <= -most and torque > 0.0) or (held >= most and torque < 0.0):
        return 0.0
    return torque


@routine
def field_moment(tether, hull, end):
    """Moment of the field on the hull [N m], B axes: gradient of gravity, or turning axes."""
    field = tether.field
    if field.kind == ORBIT and field.has_gradient:
        o = field.origin
        place = apply_transposed(end.dcm, add((o[0], o[1], o[2]), end.place))
        return gravity_gradient_torque(place, hull.inertia, field.mu)
    if field.kind == SMALL_BODY:
        # the torque of `turning_frame.apparent_torque`, for any inertia
        w = apply_transposed(end.dcm, three(field.turning, 0))
        change = apply_transposed(end.dcm, three(field.turning, 3))
        u, inertia = end.rate, hull.inertia
        own, carried = apply_symmetric(inertia, u), apply_symmetric(inertia, w)
        g = apply_symmetric(inertia, subtract(cross(u, w), change))
        g = subtract(subtract(g, cross(w, own)), cross(w, carried))
        return subtract(g, cross(u, carried))
    return (0.0, 0.0, 0.0)


@routine
def surface_pushes(tether, k, end, dy):
    """(moment [N m], B axes, force [N], N axes) of air, light and ground on hull k; their works are added to dy."""
    drag, light = hull_pushes(tether, k, end)
    centre = tether.hulls[k].outer[2]
    push = add(drag, light)
    moment = cross(centre, apply_transposed(end.dcm, push))
    v = add(end.velocity, apply(end.dcm, cross(end.rate, centre)))
    dy[WORKS + DRAG] += dot(drag, v)
    dy[WORKS + LIGHT] += dot(light, v)
    if tether.ground.is_on:
        contact, normal_power, friction_power, arm = hull_on_ground(tether, k, end)
        push = add(push, contact)
        moment = add(moment, apply_transposed(end.dcm, cross(arm, contact)))
        dy[WORKS + CONTACT] += normal_power
        dy[WORKS + FRICTION] += friction_power
    return moment, push


@routine
def body_rates(tether, t, y, k, end, fed, cell, dy):
    """Rates of the numbers of body k.

    fed   (payout, Feed, velocity of the line at the feed, slide)     cell  (place, velocity) of the first cell
    """
    hull, line, at, s = tether.hulls[k], tether.line, BODY * k, tether.springs
    j, sign = (0, 1.0) if k == 0 else (line.count, -1.0)
    payout, v_feed = fed[0], fed[2]
    e = scale(sign, (s.direction[j, 0], s.direction[j, 1], s.direction[j, 2]))
    tension, mu = s.tension[j], line.density
    pull = pull_of(tether.field)
    g_hull = acceleration_at(tether, pull, end.place, end.velocity)
    g_reel = acceleration_at(tether, pull, end.attachment, end.feed)
    own = scale(end.hull, g_hull)
    weight = scale(end.reel, g_reel)
    if hull.is_fixed:
        for c in range(3):
            dy[WORKS + IMPULSE + c] -= tension * e[c] - mu * payout * v_feed[c]
        for c in range(BODY):
            dy[at + c] = 0.0
        return
    push_B, moment, flow = thrust_of(hull, tether.commands, k, t, tether.status[DRY + k])
    push = apply(end.dcm, push_B)
    touch, at_centre = surface_pushes(tether, k, end, dy)
    outside = add(add(own, weight), add_scaled(push, -flow, end.velocity))
    outside = add(outside, at_centre)
    for c in range(3):
        dy[at + POSITION + c] = end.velocity[c]
        dy[at + MOMENTUM + c] = outside[c] + tension * e[c] - mu * payout * v_feed[c]
        dy[WORKS + IMPULSE + c] += outside[c]
    dy[at + PROPELLANT] = -flow
    dy[WORKS + EXPELLED] += flow
    dy[WORKS + THRUST] += dot(push, end.velocity)
    dy[WORKS + PROPELLANT_LOSS] -= 0.5 * flow * dot(end.velocity, end.velocity)
    dy[WORKS + GRAVITY] += dot(own, end.velocity) + dot(weight, end.feed)
    q = quaternion_rate(
        (y[at + ATTITUDE], y[at + ATTITUDE + 1], y[at + ATTITUDE + 2], y[at + ATTITUDE + 3]),
        end.rate,
    )
    for c in range(4):
        dy[at + ATTITUDE + c] = q[c]
    if not hull.can_turn:
        for c in range(3):
            dy[at + RATE + c] = dy[at + WHEELS + c] = 0.0
        return
    flux = mu * payout * payout * (1.0 + fed[1].strain)
    on_reel = add_scaled(weight, tension - flux, e)
    force = add(add(add(own, push), at_centre), on_reel)
    couple = (0.0, 0.0, 0.0)
    if line.count > 0 and hull.takes_couple:
        lever = subtract(cell[0], end.attachment)
        couple = scale(mu * payout, cross(lever, subtract(cell[1], v_feed)))
    _turn(tether, y, k, end, force, on_reel, couple, moment, touch, dy)


@routine
def _turn(tether, y, k, end, force, on_reel, couple, thrust, touch, dy):
    """Rates of turning and wheels of body k, and their works.

    force, on_reel  sum of forces, that on the reel [N]; couple [N m]: N axes      thrust, touch  moments [N m], B axes
    """
    hull, at = tether.hulls[k], BODY * k
    wheel = wheel_torque(hull, tether.commands, k, y)
    twist = field_moment(tether, hull, end)
    couple_B = apply_transposed(end.dcm, couple)
    g = add(add(add(thrust, touch), wheel), add(twist, couple_B))
    g = add(g, cross(hull.attachment, apply_transposed(end.dcm, on_reel)))
    w = turning_rate(
        hull.inertia, hull.attachment, end.hull, end.reel, end.rate, three(y, at + WHEELS),
        apply_transposed(end.dcm, force), g,
    )  # fmt: skip
    for c in range(3):
        dy[at + RATE + c] = w[c]
        dy[at + WHEELS + c] = -wheel[c]
    dy[WORKS + THRUST] += dot(thrust, end.rate)
    dy[WORKS + WHEEL_WORK] += dot(wheel, end.rate)
    dy[WORKS + GRAVITY] += dot(twist, end.rate)
    dy[WORKS + TRANSPORT] += dot(couple_B, end.rate)
