"""A boom or an active tether between a spacecraft and an end effector that presses or pulls on the ground, in one plane.

    nodes i = 0..N at distances D = L/N; node 0 is the attachment on the spacecraft, node N carries the force stage
    axial     T_j = EA (l_j/D - 1) + c_a l_j'/D + A sigma_act a;   a string has T >= 0
    bending   M_i = EI k_i + c_b k_i' + M_c,   k_i = turn of the line at node i over D
    control   M_c = g EI (k_i + e_i) + d k_i', at most M_max in size: effective stiffness (1 + g) EI until it saturates
    change    1/E goes from 1/E_0 to 1/E_1 and g from g_0 to g_1 with a share s that grows in time (a linear ramp of austenite); stretch
              and bow that are there then are stiffened by work of the material
    stage     F = F_ref + b v while it is on (v closing): a damper about the wanted force; locked spring before and at its stops
    contact   f_n = max(0, k d + c d'), friction mu f_n against slip; a gripper holds by the same spring, up to a limit;
              on a ground of `geometry/distance/surface.py` the ball of `tether_loads.ground_push`, whose spring counts as work

    e_i      error of the sensed curvature [1/m], held between samples
    T, M, F  tension [N], moment [N m], push of the stage [N]      k_i  curvature [1/m]     EA, EI  stiffness [N], [N m^2]
    a        activation of the polymer [-], a' = (u - a)/tau_r     sigma_act  its largest stress [Pa]
Euler load of the pinned boom: pi^2 EI/L^2, with control (1 + g) times that; a load beyond it grows as
exp(t (pi/L) sqrt((P - P_cr)/mu)). A loop that turns the error of the contact force into speed of the stage is unstable beyond the
modes of boom and end effector; a stage that yields to its own force as a damper does no positive work and is stable for any b > 0.
Frame: plane (x, z), z out of the ground, which is tilted by `slope`, or is a surface of its own; what pushes across the plane
is held; q turns the spacecraft from z towards x.
Sign: T > 0 pulls, F > 0 pushes. Validity: thin boom, curvature times radius small, planar, segments stay in place (nothing is reeled); damping is that of E_0.
Source: [Quadrelli2017] section 6; Euler load [Timoshenko1961]; polymer as materials/electro_active.py.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.inlining import routine
from haptos.core.jit import device, entry
from haptos.dynamics.cable.tether_loads import ground_push
from haptos.dynamics.contacts.detect import ground_gap
from haptos.dynamics.march.adaptive import GO_ON, advance, all_of_it, always_fits

CITES: tuple[str, ...] = ("Quadrelli2017", "Timoshenko1961")

# State: centre x, z, angle q; their rates; activation, integral of the force loop; works; share of the change; then nodes 1..N and the end
# effector: places, then velocities
CENTRE, ANGLE, SPEED, RATE, ACTIVATION, INTEGRAL, WORKS, CHANGED, NODES = 0, 2, 3, 5, 6, 7, 8, 18, 19  # fmt: skip
(
    W_AXIAL,
    W_BENDING,
    W_SHAPE,
    W_ACTIVE,
    W_STAGE,
    W_CONTACT,
    W_FRICTION,
    W_THRUST,
    W_IMPULSE,
    W_HELD,
) = range(8, 18)
WORK_NAMES = {
    "axial damping": W_AXIAL, "bending damping": W_BENDING, "shape control": W_SHAPE, "active material": W_ACTIVE,
    "force stage": W_STAGE, "contact damping": W_CONTACT, "friction": W_FRICTION, "thrust": W_THRUST,
}  # fmt: skip

# N, D [m], mass of a node [kg], EA [N], EI [N m^2], c_a [N s], c_b [N m^2 s], whether it is a string, whether the root is
# clamped; g [-], d [N m^2 s], M_max [N m]; mass [kg], inertia [kg m^2], lever of the attachment along and across the axis [m]; effector mass [kg] and
# radius [m]; contact k [N/m], c [N s/m], mu [-], slope [rad]; gravity [m/s^2]; stage stroke [m], b [N s/m], lock [N/m], lock
# damping [N s/m]; polymer stress over the section [N], tau_r [s], gains of its force loop [1/N], [1/(N s)]; grip limit [N];
# gravity along x [m/s^2], ground of its own (`TetherGround`, on or not), change of stiffness and gain
Boom = namedtuple(
    "Boom",
    "count piece node axial bending axial_damping bending_damping string clamped gain rate_gain largest mass inertia lever offset "
    "effector radius stiffness damping friction slope gravity stroke stage_damping lock lock_damping active response "
    "proportional integral grip aside ground change",
)
# E_0/E_1 - 1 [-], g_1 - g_0 [-]
BoomChange = namedtuple("BoomChange", "softer gain")
# What changes between calls: stage force [N] (below 0: locked), grip on (1), place of the grip x, z [m], thrust x, z [N],
# wanted end force [N] of the polymer loop, whether that loop is on (1), torque on the spacecraft [N m], rate of the change [1/s];
# after these ORDERS the error of the sensed curvature [1/m] where each piece begins, N + 1 numbers
ORDERS = 10
(
    O_STAGE, O_GRIP, O_GRIP_X, O_GRIP_Z, O_THRUST_X, O_THRUST_Z, O_WANTED, O_LOOP, O_TORQUE, O_CHANGE,
) = range(ORDERS)  # fmt: skip
# Extremes: contact force and when, deflection [m], rate [rad/s], tension, moment, stroke used [m], force on the grip
EXTREMES = 8
X_FORCE, X_WHEN, X_BOW, X_RATE, X_TENSION, X_MOMENT, X_STROKE, X_GRIP = range(EXTREMES)
STAGE_BODY = 1.0  # [m] of the stage that does not slide: its guide, in line with the boom; assumed
SLIP_SPEED = 1e-3  # [m/s] over which friction turns on
TRIGGER, BOTTOM, EVENTS = range(3)
BOTTOM_STIFFNESS = 100.0  # [-] of the lock: the stop at the end of the stroke


@device
def place_of(boom, y, i):
    """(x, z, v_x, v_z) of node i; node N + 1 is the end effector."""
    if i == 0:
        s, c = math.sin(y[2]), math.cos(y[2])
        x, z = y[0] + boom.offset * c - boom.lever * s, y[1] - boom.offset * s - boom.lever * c
        turn_x, turn_z = -boom.offset * s - boom.lever * c, boom.lever * s - boom.offset * c
        return x, z, y[3] + turn_x * y[5], y[4] + turn_z * y[5]
    at = NODES + 2 * (i - 1)
    to = at + 2 * (boom.count + 1)
    return y[at], y[at + 1], y[to], y[to + 1]


@device
def stage_push(boom, orders, length, closing):
    """(push [N], elastic energy [J], power of drive and damper [W]) of the stage at a length [m], closing at a speed [m/s].

    Locked at full stroke before it is on; then a wanted force and a damper, with stops at both ends of the stroke.
    """
    out = length - boom.stroke  # > 0 beyond full extension
    wanted = orders[0]
    if wanted < 0.0:
        push = -boom.lock * out + boom.lock_damping * closing
        return push, 0.5 * boom.lock * out * out, -boom.lock_damping * closing * closing
    push = wanted + boom.stage_damping * closing
    power = -push * closing
    energy = 0.0
    stop = BOTTOM_STIFFNESS * boom.lock
    if out > 0.0:
        push -= boom.lock * out
        energy = 0.5 * boom.lock * out * out
    elif length < 0.0:
        push -= stop * length
        energy = 0.5 * stop * length * length
    return push, energy, power


@device
def ground_force(boom, orders, x, z, vx, vz):
    """(f_x, f_z on the effector, normal force, elastic energy [J], damping power, friction power [W])."""
    if boom.ground.is_on:
        normal, push, rub, heat = ground_push(
            boom.ground, (x, 0.0, z), (vx, 0.0, vz), boom.radius, 1.0
        )
        return push[0] + rub[0], push[2] + rub[2], normal, 0.0, push[0] * vx + push[2] * vz, -heat
    s, c = math.sin(boom.slope), math.cos(boom.slope)
    if orders[1] > 0.5:
        dx, dz = x - orders[2], z - orders[3]
        fx = -boom.stiffness * dx - boom.damping * vx
        fz = -boom.stiffness * dz - boom.damping * vz
        energy = 0.5 * boom.stiffness * (dx * dx + dz * dz)
        return fx, fz, fx * s + fz * c, energy, -boom.damping * (vx * vx + vz * vz), 0.0
    depth = boom.radius - (x * s + z * c)
    if depth <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    rate = -(vx * s + vz * c)
    spring = boom.stiffness * depth
    f = max(spring + boom.damping * rate, 0.0)
    slip = vx * c - vz * s
    rub = -boom.friction * f * slip / max(abs(slip), SLIP_SPEED)
    energy = 0.5 * boom.stiffness * depth * depth
    return f * s + rub * c, f * c - rub * s, f, energy, -(f - spring) * rate, rub * slip


@device
def stiffened(boom, orders, y):
    """(E/E_0 [-], its rate [1/s], gain [-]) of the material now. A linear ramp of austenite is one of 1/E."""
    whole = 1.0 + boom.change.softer * y[CHANGED]
    rate = -boom.change.softer * orders[O_CHANGE] / (whole * whole)
    return 1.0 / whole, rate, boom.gain + boom.change.gain * y[CHANGED]


@device
def _bend(boom, now, y, j, error, before, piece, forces):
    """Moment where piece j begins, on the nodes around it: (size [N m], energy [J], loss, work of control [W], torque on the hull, work of the material [W])."""
    # the piece before is the last one, or the axis of the spacecraft for a clamped root
    ax, az, la, ua, wa = before
    tx, tz, length, du, dw = piece
    arm = boom.piece if j < boom.count else 0.5 * (boom.piece + STAGE_BODY)
    if j == 0:
        ax, az, la = -math.sin(y[2]), -math.cos(y[2]), math.inf
        arm = 0.5 * boom.piece
    turn = math.atan2(ax * tz - az * tx, ax * tx + az * tz)
    spin_b = (-tz * du + tx * dw) / length
    spin_a = (-az * ua + ax * wa) / la if j > 0 else -y[5]
    curve, curving = turn / arm, (spin_b - spin_a) / arm
    stiff, stiffening, gain = now
    bending = stiff * boom.bending
    lead = gain * bending * (curve + error) + boom.rate_gain * curving
    control = min(max(lead, -boom.largest), boom.largest)
    loss = boom.bending_damping * curving
    moment = bending * curve + loss + control
    bx, bz = -tz / length, tx / length
    forces[j + 1, 0] -= moment * bx
    forces[j + 1, 1] -= moment * bz
    forces[j, 0] += moment * bx
    forces[j, 1] += moment * bz
    torque = -moment
    if j > 0:
        torque = 0.0
        px, pz = -az / la, ax / la
        forces[j, 0] += moment * px
        forces[j, 1] += moment * pz
        forces[j - 1, 0] -= moment * px
        forces[j - 1, 1] -= moment * pz
    energy = 0.5 * bending * curve * curve * arm
    grown = 0.5 * stiffening * boom.bending * curve * curve * arm
    return abs(moment), energy, -loss * curving * arm, -control * curving * arm, torque, grown


@routine
def boom_forces(boom, orders, y, dy, forces):
    """Fill forces (N + 2, 2) and the rates of works; returns (torque on the spacecraft, elastic energy, tension at the root,
    largest moment, contact force, stroke used, potential energy)."""
    n, d = boom.count, boom.piece
    for i in range(n + 2):
        forces[i, 0] = 0.0
        forces[i, 1] = 0.0
    elastic, torque, biggest, root = 0.0, 0.0, 0.0, 0.0
    axial, active = 0.0, 0.0
    x0, z0, u0, w0 = place_of(boom, y, 0)
    before = (0.0, 0.0, 0.0, 0.0, 0.0)  # direction, length, velocity difference of the piece before
    bending, shape = 0.0, 0.0
    stage, used = 0.0, 0.0
    now = stiffened(boom, orders, y)
    stretched = now[0] * boom.axial
    for j in range(n + 1):
        x1, z1, u1, w1 = place_of(boom, y, j + 1)
        dx, dz, du, dw = x1 - x0, z1 - z0, u1 - u0, w1 - w0
        length = math.sqrt(dx * dx + dz * dz)
        tx, tz = dx / length, dz / length
        rate = du * tx + dw * tz
        if j == n:
            push, held, stage = stage_push(boom, orders, length - STAGE_BODY, -rate)
            pull, used = -push, boom.stroke + STAGE_BODY - length
            elastic += held
        else:
            strain = length / d - 1.0
            spring, damper = stretched * strain, boom.axial_damping * rate / d
            drive = boom.active * y[6]
            pull = spring + damper + drive
            if boom.string > 0.5 and pull < 0.0:
                damper -= pull
                pull = 0.0
            axial -= damper * rate
            active -= drive * rate
            active += 0.5 * now[1] * boom.axial * strain * strain * d
            elastic += 0.5 * stretched * strain * strain * d
        if j == 0:
            root = pull
        forces[j, 0] += pull * tx
        forces[j, 1] += pull * tz
        forces[j + 1, 0] -= pull * tx
        forces[j + 1, 1] -= pull * tz
        if boom.bending > 0.0 and (j > 0 or boom.clamped > 0.5):
            piece = (tx, tz, length, du, dw)
            moment, stored, loss, work, twist, grown = _bend(
                boom, now, y, j, orders[ORDERS + j], before, piece, forces
            )
            biggest = max(biggest, moment)
            elastic += stored
            bending += loss
            shape += work
            active += grown
            torque += twist
        before = (tx, tz, length, du, dw)
        x0, z0, u0, w0 = x1, z1, u1, w1
    fx, fz, normal, stored, damped, rubbed = ground_force(boom, orders, x1, z1, u1, w1)
    forces[n + 1, 0] += fx
    forces[n + 1, 1] += fz
    elastic += stored
    dy[8] = axial
    dy[9] = bending
    dy[10] = shape
    dy[11] = active
    dy[12] = stage
    dy[13] = damped
    dy[14] = rubbed
    return torque, elastic, root, biggest, normal, used


@routine
def _rates(model, t, y, dy):
    boom, orders, forces, _extremes = model
    n = boom.count
    torque, _, root, _, normal, _ = boom_forces(boom, orders, y, dy, forces)
    s, c = math.sin(y[2]), math.cos(y[2])
    fx, fz = forces[0, 0], forces[0, 1]
    dy[0], dy[1], dy[2] = y[3], y[4], y[5]
    dy[3] = (fx + orders[4]) / boom.mass + boom.aside
    dy[4] = (fz + orders[5]) / boom.mass - boom.gravity
    # how the attachment moves with q, as in place_of
    turn_x, turn_z = -boom.offset * s - boom.lever * c, boom.lever * s - boom.offset * c
    dy[5] = (turn_x * fx + turn_z * fz + torque + orders[8]) / boom.inertia
    dy[15] = orders[4] * y[3] + orders[5] * y[4] + orders[8] * y[5]
    dy[16] = normal
    dy[17] = 1.0 if normal > 0.0 else 0.0
    dy[CHANGED] = orders[O_CHANGE]
    wanted = 0.0
    error = orders[6] - root
    dy[7] = 0.0
    if orders[7] > 0.5:
        wanted = boom.proportional * error + y[7]
        if (wanted < 1.0 and error > 0.0) or (wanted > 0.0 and error < 0.0):  # no wind-up
            dy[7] = boom.integral * error
    dy[6] = (min(max(wanted, 0.0), 1.0) - y[6]) / boom.response
    offset = 2 * (n + 1)
    for i in range(1, n + 2):
        at = NODES + 2 * (i - 1)
        mass = boom.effector if i == n + 1 else (0.5 * boom.node if i == n else boom.node)
        dy[at] = y[at + offset]
        dy[at + 1] = y[at + 1 + offset]
        dy[at + offset] = forces[i, 0] / mass + boom.aside
        dy[at + 1 + offset] = forces[i, 1] / mass - boom.gravity


@routine
def bow(boom, y):
    """Largest distance [m] of a node from the straight line between root and end effector."""
    x0, z0, _, _ = place_of(boom, y, 0)
    x1, z1, _, _ = place_of(boom, y, boom.count + 1)
    dx, dz = x1 - x0, z1 - z0
    length = math.sqrt(dx * dx + dz * dz)
    most = 0.0
    for i in range(1, boom.count + 1):
        x, z, _, _ = place_of(boom, y, i)
        most = max(most, abs((x - x0) * dz - (z - z0) * dx) / length)
    return most


@device
def _accept(model, t, h, y, y1):
    boom, orders, forces, extremes = model
    scratch = y  # the step is over: its start may be written on
    _, _, root, moment, normal, used = boom_forces(boom, orders, y1, scratch, forces)
    if normal > extremes[0]:
        extremes[0], extremes[1] = normal, t + h
    extremes[2] = max(extremes[2], bow(boom, y1))
    extremes[3] = max(extremes[3], abs(y1[5]))
    extremes[4] = max(extremes[4], abs(root))
    extremes[5] = max(extremes[5], moment)
    extremes[6] = max(extremes[6], used)
    if orders[1] > 0.5:
        extremes[7] = max(extremes[7], abs(normal))
    return GO_ON


@device
def _gaps(model, t, y, out):
    boom, orders, _forces, _extremes = model
    x, z, _u, _w = place_of(boom, y, boom.count + 1)
    if boom.ground.is_on:
        out[0] = ground_gap(boom.ground, (x, 0.0, z))[0] - boom.radius
    else:
        s, c = math.sin(boom.slope), math.cos(boom.slope)
        out[0] = x * s + z * c - boom.radius
    x0, z0, _, _ = place_of(boom, y, boom.count)
    length = math.sqrt((x - x0) * (x - x0) + (z - z0) * (z - z0))
    out[1] = length - STAGE_BODY if orders[0] >= 0.0 else 1.0


@entry
def march_boom(boom, orders, forces, extremes, march, until, relative, longest, most):
    """Carry a boom on to a time [s]; how it ended as `advance` says."""
    model = (boom, orders, forces, extremes)
    return advance(
        _rates, all_of_it, always_fits, _accept, _gaps, model, march, until, relative, longest, most
    )


@routine
def boom_energy(boom, orders, y, scratch, forces):
    """(kinetic, potential, elastic) [J]."""
    n = boom.count
    _, elastic, _, _, _, _ = boom_forces(boom, orders, y, scratch, forces)
    kinetic = 0.5 * boom.mass * (y[3] * y[3] + y[4] * y[4]) + 0.5 * boom.inertia * y[5] * y[5]
    potential = boom.mass * (boom.gravity * y[1] - boom.aside * y[0])
    for i in range(1, n + 2):
        x, z, u, w = place_of(boom, y, i)
        mass = boom.effector if i == n + 1 else (0.5 * boom.node if i == n else boom.node)
        kinetic += 0.5 * mass * (u * u + w * w)
        potential += mass * (boom.gravity * z - boom.aside * x)
    return kinetic, potential, elastic


@entry
def boom_rows(boom, orders, rows, scratch, forces, out):
    """Fill out (n, 7): kinetic, potential, elastic energy [J], tension at the root, largest moment, contact force, stroke."""
    for k in range(len(rows)):
        kinetic, potential, elastic = boom_energy(boom, orders, rows[k], scratch, forces)
        _, _, root, moment, normal, used = boom_forces(boom, orders, rows[k], scratch, forces)
        out[k, 0] = kinetic
        out[k, 1] = potential
        out[k, 2] = elastic
        out[k, 3] = root
        out[k, 4] = moment
        out[k, 5] = normal
        out[k, 6] = used
