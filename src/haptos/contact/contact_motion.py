"""Motion of a rigid body that stays on the ground at one point: sliding, sticking, rolling.

The point is a vertex of the probe, or the centre of a ball of radius R at that vertex. Its field
value c = d - R is held at zero by the normal force:

    c'' = grad d . u' + u . H u = -2 k c' - k^2 c                                 Eq. (2.92)
    stick:  F from c'' as above and s' = -k s                                     where |s| < v_s, |F_T| <= f F_N
    slip :  F_T = -f F_N s/|s|                                                    Eq. (2.97)
            F_N = -(grad d . u'_0 + u . H u + 2 k c' + k^2 c) / (grad d . M (n - f s/|s|))   Eq. (2.99)

    u    velocity of the vertex [m/s], u'_0 its acceleration without contact      H  Hessian of d [1/m]
    s    slip, tangential velocity of the contact point r = r_v - R n [m/s]       n  grad d / |grad d|
    M    velocity change of the vertex per impulse at r [1/kg]                    f  friction [-]
    k    rate [1/s] at which what is left of c and of a slip below v_s dies out: rounding, and the kinks of a grid
With c = c' = 0 the normal force is the published one. A body that meets a kink of the ground is
pushed back, or carried over it, within 1/k; a force that would pull is none.
A point slower than v_s sticks if its cone holds it, otherwise it slips, below v_s along the force that would hold
it. The source blends both forces below v_s (Eq. (2.105)), whose time is v_s/(f g): steps had to be as short. Rolling resistance as in collision_rolling,
per axis of B, with the force at the centre of mass that leaves the contact point's velocity alone:

    L_roll = -C w F_N/|w|,   lock: w' = 0, |L| <= |C| F_N                         Eq. (2.107), (2.108)
    F_RR = m r~ I^-1 L_RR                                                         Eq. (2.110)

Frame: A axes, torques and rates in B axes; forces act on the body.
Validity: one contact point; where friction would need an infinite normal force (Painleve) it is
bounded. Source: [VanWal2018] section 2.5.3; the correction terms, cones, the rate of sticking and that bound are ours.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.contact.regularisation import capped, slip_share
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import (
    add,
    add_scaled,
    cross,
    dot,
    norm,
    scale,
    subtract,
    tangential,
    tangents,
)

CITES: tuple[str, ...] = ("VanWal2018",)

# friction f [-], rolling (3) about B axes [m], stick speed v_s [m/s], stick rate w_s [rad/s],
# correction k [1/s]
Sliding = namedtuple("Sliding", "friction rolling v_s w_s correction")
LEAST = 1e-12  # [-] share of 1/m below which a normal force is without grip
EASY = 0.1  # [-] share of the grip without friction below which slip is taken to jam; assumed


@device
def solve3(a, b, c, rhs):
    """x of the 3 x 3 system with rows a, b, c; zero if it has no single solution."""
    bc = cross(b, c)
    determinant = dot(a, bc)
    if determinant == 0.0:
        return (0.0, 0.0, 0.0)
    total = add(add(scale(rhs[0], bc), scale(rhs[1], cross(c, a))), scale(rhs[2], cross(a, b)))
    return scale(1.0 / determinant, total)


@device
def response(body, dcm_AB, r_force, r_point, f):
    """Velocity change [m/s] of the point r_point per impulse f [N s] at r_force. Eq. (2.56)."""
    turn_B = apply_symmetric(body.inverse_inertia, apply_transposed(dcm_AB, cross(r_force, f)))
    return add_scaled(cross(apply(dcm_AB, turn_B), r_point), 1.0 / body.mass, f)


@device
def row_of(body, dcm_AB, r_force, r_point, direction):
    """The row vector q with q . f = direction . response(f)."""
    # direction . ((I^-1 (r_f x f)) x r_p) = (r_p x direction) . I^-1 (r_f x f)
    turn = apply(
        dcm_AB,
        apply_symmetric(body.inverse_inertia, apply_transposed(dcm_AB, cross(r_point, direction))),
    )
    return add_scaled(cross(turn, r_force), 1.0 / body.mass, direction)


@device
def rolling_lock(body, law, load, w_B, alpha_B):
    """L_RR [N m] in B axes; alpha_B is the angular acceleration without it [rad/s^2]."""
    most = (load * law.rolling[0], load * law.rolling[1], load * law.rolling[2])
    rate = norm(w_B)
    slow = max(rate, law.w_s)
    roll = (-most[0] * w_B[0] / slow, -most[1] * w_B[1] / slow, -most[2] * w_B[2] / slow)
    lock = scale(-1.0, apply_symmetric(body.inertia, alpha_B))
    lock = (
        min(max(lock[0], -most[0]), most[0]),
        min(max(lock[1], -most[1]), most[1]),
        min(max(lock[2], -most[2]), most[2]),
    )
    return add_scaled(roll, 1.0 - slip_share(rate, law.w_s), capped(lock, norm(most)))


@device
def slipping(law, mass, grip, wanted, n, along, fallback):
    """Force [N] with friction toward `along` that holds the point, grip . F = wanted. Eq. (2.99)

    Near a jam friction presses the point into the ground and the load would have no bound: friction
    then stays at that of a load 1/EASY times the frictionless one, and the normal force holds.
    """
    toward = add_scaled(n, law.friction, along)
    pull, bare = dot(grip, toward), dot(grip, n)
    if not bare > LEAST / mass:
        return scale(max(fallback, 0.0), toward)
    load = max(wanted / max(pull, EASY * bare), 0.0)
    more = max((wanted - pull * load) / bare, 0.0)
    return add_scaled(scale(load, toward), more, n)


@device
def held_or_slipping(law, mass, grip, wanted, n, slip, stick):
    """Force [N] at the contact point: that which holds it, if it is slow and the cone allows, else that of slip.

    grip . F = wanted holds the point on the ground; stick: the force that also lets its slip die out.
    """
    speed = norm(slip)
    along = scale(-1.0 / max(speed, law.v_s), slip)  # Eq. (2.97), shorter below v_s
    sticking_load, sticking = dot(stick, n), tangential(stick, n)
    held = norm(sticking)
    if speed < law.v_s:
        if sticking_load > 0.0 and held <= law.friction * sticking_load:
            return stick
        if held > 0.0:  # about to slip, along what would hold it
            share = slip_share(speed, law.v_s)
            along = add_scaled(along, (1.0 - share) / held, sticking)
    return slipping(law, mass, grip, wanted, n, along, sticking_load)


@routine
def contact_motion(law, body, r_v, dcm_AB, v, w_B, field, a_free, alpha_free_B):
    """(force_A [N], torque_B [N m], powers (normal, friction, rolling) [W], load [N], slip [m/s]).

    r_v  vertex from the centre of mass [m], A axes      field  (d [m], gradient, Hessian) there
    a_free, alpha_free_B: accelerations of the body without contact [m/s^2], [rad/s^2].
    """
    d, gradient, hessian = field
    steepness = norm(gradient)
    n = scale(1.0 / steepness, gradient)
    w_A, alpha_A = apply(dcm_AB, w_B), apply(dcm_AB, alpha_free_B)
    u = add(v, cross(w_A, r_v))
    bend = apply_symmetric(hessian, u)
    turning = scale(1.0 / steepness, tangential(bend, n))  # dn/dt, Eq. (2.104)
    r = add_scaled(r_v, -body.corner_radius, n)
    nu = add(v, cross(w_A, r))
    slip = tangential(nu, n)
    # Accelerations without contact: of the vertex, and of the slip of the contact point.
    u_dot = add(add(a_free, cross(alpha_A, r_v)), cross(w_A, cross(w_A, r_v)))
    r_dot = add_scaled(cross(w_A, r_v), -body.corner_radius, turning)
    s_dot = add(add(a_free, cross(alpha_A, r)), cross(w_A, r_dot))
    closing = dot(gradient, u)
    k = law.correction
    wanted = -(
        dot(gradient, u_dot) + dot(u, bend) + 2.0 * k * closing + k * k * (d - body.corner_radius)
    )
    none = (0.0, 0.0, 0.0)
    grip = row_of(body, dcm_AB, r, r_v, gradient)
    # The slip's direction turns with the normal: s = T nu, so T s_dot carries nu . n dn/dt too.
    u1, u2 = tangents(n)
    drift = subtract(s_dot, scale(dot(nu, n), turning))
    stick = solve3(
        grip,
        row_of(body, dcm_AB, r, r, u1),
        row_of(body, dcm_AB, r, r, u2),
        (wanted, -dot(u1, drift) - k * dot(u1, slip), -dot(u2, drift) - k * dot(u2, slip)),
    )
    speed = norm(slip)
    force = held_or_slipping(law, body.mass, grip, wanted, n, slip, stick)
    load = dot(force, n)
    if not load > 0.0:
        return none, none, none, 0.0, speed
    friction = tangential(force, n)
    torque_B = apply_transposed(dcm_AB, cross(r, force))
    powers = (load * dot(n, nu), dot(friction, nu), 0.0)
    if law.rolling[0] > 0.0 or law.rolling[1] > 0.0 or law.rolling[2] > 0.0:
        alpha_B = add(alpha_free_B, apply_symmetric(body.inverse_inertia, torque_B))
        roll_B = rolling_lock(body, law, load, w_B, alpha_B)
        turn = apply(dcm_AB, apply_symmetric(body.inverse_inertia, roll_B))
        push = scale(body.mass, cross(r, turn))  # Eq. (2.110)
        side = tangential(push, n)  # of which the ground gives no more than friction
        push = add(subtract(push, side), capped(side, law.friction * load))
        powers = (powers[0], powers[1], dot(push, v) + dot(roll_B, w_B))
        force, torque_B = add(force, push), add(torque_B, roll_B)
    return force, torque_B, powers, load, speed
