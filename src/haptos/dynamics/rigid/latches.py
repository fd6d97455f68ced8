"""What the chaser still holds moves with it: bullets before their shot, the net in its canister.

After every kick the held things and the chaser get the velocities of one rigid body with the same
momentum and angular momentum. The kinetic energy that kicks had put into motions against each other
goes, as in any grip that does not slip.

    V = P/M,   w = I^-1 H,   v_i = V + w x (x_i - X)

    P, H  momentum [N s] and angular momentum about the common centre X [N m s] of all
    M, I  their mass [kg] and inertia about X [kg m^2]     V, w  velocity of X [m/s], rate [rad/s]
    x_i, v_i  place [m] and velocity [m/s] of a node, or of the centre of a body
Frame: N axes.
Validity: held from rest relative to the chaser; places follow by the drift of each, whose error is
of second order in w times step. Source: elementary mechanics.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.symmetric import solve_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract
from haptos.dynamics.field import moments_of
from haptos.dynamics.rigid.bodies import attitude_of, body_energy, put, rates_of, three
from haptos.dynamics.system import WELDING

CITES: tuple[str, ...] = ()

HOLDER = 0  # the chaser


@routine
def enforce_latches(system, motion, time):
    """Make what is held at a time [s] move with the chaser; records what that costs."""
    orders = system.orders
    holds_nodes = time < orders.nodes_held
    count = 0
    for b in range(len(orders.held)):
        if time < orders.held[b]:
            count += 1
    if count == 0 and not holds_nodes:
        return
    before = _energy(system, motion, holds_nodes)
    if motion.bodies.inverse_mass[HOLDER] == 0.0:
        turn = rates_of(system, motion, HOLDER)
        speed, centre = three(motion.bodies.speed, HOLDER), three(motion.bodies.place, HOLDER)
    else:
        turn, speed, centre = _common(system, motion, time, holds_nodes)
        _carry_along(system, motion, HOLDER, turn, speed, centre)
    for b in range(len(orders.held)):
        if time < orders.held[b]:
            _carry_along(system, motion, b, turn, speed, centre)
    if holds_nodes:
        for i in range(int(motion.step.nodes)):
            arm = subtract(three(motion.points.x, i), centre)
            put(motion.points.v, i, add(speed, cross(turn, arm)))
    motion.ledger.work[WELDING] += _energy(system, motion, holds_nodes) - before


@device
def _carry_along(system, motion, b, turn, speed, centre):
    """Give a body the motion of the common one: rate [rad/s], velocity [m/s] of its centre [m]."""
    arm = subtract(three(motion.bodies.place, b), centre)
    put(motion.bodies.speed, b, add(speed, cross(turn, arm)))
    dcm = rotation_matrix(attitude_of(motion, b))
    moments, w = moments_of(system, b), apply_transposed(dcm, turn)
    h = (moments[0] * w[0], moments[1] * w[1], moments[2] * w[2])
    put(motion.bodies.momentum, b, apply(dcm, h))


@device
def _with_point(inertia, mass, r):
    """Inertia (xx, xy, xz, yy, yz, zz) [kg m^2] with a mass [kg] added at r [m]."""
    square = dot(r, r)
    xx, xy, xz, yy, yz, zz = inertia
    return (
        xx + mass * (square - r[0] * r[0]), xy - mass * r[0] * r[1], xz - mass * r[0] * r[2],
        yy + mass * (square - r[1] * r[1]), yz - mass * r[1] * r[2],
        zz + mass * (square - r[2] * r[2]),
    )  # fmt: skip


@device
def _with_body(inertia, dcm, moments):
    """Inertia with a body's own principal moments [kg m^2] added; its axes are columns of dcm."""
    xx, xy, xz, yy, yz, zz = inertia
    for k in range(3):
        a, b, c = dcm[0][k], dcm[1][k], dcm[2][k]
        m = moments[k]
        xx, xy, xz = xx + m * a * a, xy + m * a * b, xz + m * a * c
        yy, yz, zz = yy + m * b * b, yz + m * b * c, zz + m * c * c
    return (xx, xy, xz, yy, yz, zz)


@routine
def _common(system, motion, time, holds_nodes):
    """(w [rad/s], V [m/s], X [m]) of the rigid body that all held things and the chaser make."""
    mass, first, momentum = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for b in range(len(motion.bodies.inverse_mass)):
        if b == HOLDER or time < system.orders.held[b]:
            m = 1.0 / motion.bodies.inverse_mass[b]
            mass += m
            first = add_scaled(first, m, three(motion.bodies.place, b))
            momentum = add_scaled(momentum, m, three(motion.bodies.speed, b))
    nodes = int(motion.step.nodes) if holds_nodes else 0
    for i in range(nodes):
        m = motion.points.mass[i]
        mass += m
        first = add_scaled(first, m, three(motion.points.x, i))
        momentum = add_scaled(momentum, m, three(motion.points.v, i))
    centre, speed = scale(1.0 / mass, first), scale(1.0 / mass, momentum)
    inertia, spin = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for b in range(len(motion.bodies.inverse_mass)):
        if b == HOLDER or time < system.orders.held[b]:
            m = 1.0 / motion.bodies.inverse_mass[b]
            arm = subtract(three(motion.bodies.place, b), centre)
            dcm = rotation_matrix(attitude_of(motion, b))
            inertia = _with_body(_with_point(inertia, m, arm), dcm, moments_of(system, b))
            spin = add(spin, three(motion.bodies.momentum, b))
            spin = add_scaled(spin, m, cross(arm, subtract(three(motion.bodies.speed, b), speed)))
    for i in range(nodes):
        arm = subtract(three(motion.points.x, i), centre)
        inertia = _with_point(inertia, motion.points.mass[i], arm)
        away = subtract(three(motion.points.v, i), speed)
        spin = add_scaled(spin, motion.points.mass[i], cross(arm, away))
    return solve_symmetric(inertia, spin), speed, centre


@device
def _energy(system, motion, holds_nodes):
    """Kinetic energy [J] of all bodies, and of the nodes if they are held."""
    total = body_energy(system, motion)
    if holds_nodes:
        for i in range(int(motion.step.nodes)):
            v = three(motion.points.v, i)
            total += 0.5 * motion.points.mass[i] * dot(v, v)
    return total
