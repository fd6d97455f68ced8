"""Motion of a ball that stays on several walls of a crease at once: sliding, sticking and rolling along it.

Every wall i holds the ball as the ground holds it in contact_motion, and all forces act together:

    n_i . u' = -(u . H_i u)/|grad d_i| - 2 k c_i' - k^2 c_i      or more, where F_N = 0
    s_i' = -k s_i         by F_T = -f F_N s_i/max(|s_i|, v_s) + F',      |F'| <= f F_N max(1 - |s_i|/v_s, 0), as far as that goes
    L = -sum_i C_i F_N,i w/max(|w|, w_s)                                 rolling resistance

    c_i  gap [m], n_i normal, H_i Hessian [1/m] of wall i                s_i  slip of its contact point [m/s]
    u    velocity of the ball's centre [m/s]                             k    rate of contact_motion [1/s]
A point at rest sticks within its cone, one faster than v_s slips, and between them the force has no jump.
The forces are found in passes. In each the loads that bound friction and rolling are those of the pass before (those without friction at
first), so that forces have fixed bounds and one answer of the motion; sweeps over the walls find it (projected
over-relaxation). Where friction is given, in the first pass and where all walls slip, the loads are those of one linear
system, unless one of them would pull. Passes end when the loads agree. Where friction on one wall presses the ball into the other (a wedge
narrower than the friction angle jams) they would grow without bound: a bound is at most JAM times the load without friction.
Sticking on two walls leaves the squeeze along the line through both contact points open; the motion does not depend on it.
Frame: A axes, torques and rates in B axes; forces act on the body.
Validity: a round body whose inertia is much the same about all axes.
Source: passes and sweeps after [Jourdan1998]; one wall as in [VanWal2018] section 2.5.3.
"""

from __future__ import annotations

from haptos.contact.contact_motion import response
from haptos.contact.regularisation import capped
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import (
    add,
    add_scaled,
    cross,
    dot,
    norm,
    put_three,
    scale,
    subtract,
    tangential,
    tangents,
    three_at,
)

CITES: tuple[str, ...] = ("Jourdan1998", "VanWal2018")

MOST_WALLS = 3
WALL_ROWS = 2 * MOST_WALLS  # those of the walls, then those of the linear system
LEAST_PIVOT = (
    1e-9  # [-] share of what a load does by itself below which it counts as one with the others
)
SWEEPS = 120  # [-] at most; creases of 30 to 140 degrees take some 40
MORE = 1.6  # [-] over-relaxation; walls that are nearly one plane would take thousands of sweeps without
DONE = 1e-8  # [-] change of a force, over all of them, at which sweeps end
ALIKE = 8  # [-] rounds over the pairs of three walls
LEAST_ROOM = 1e-6  # [-] of two walls that face each other no slip goes along the line between their contact points
PASSES = 4  # [-] at most
AGREED = 1e-6  # [-] change of the loads, over their sum, at which passes end
JAM = 10.0  # [-] assumed; contact_motion has the same
# Columns of a wall: normal, wanted acceleration along it [m/s^2], slip [m/s], wanted acceleration of the slip [m/s^2],
# contact point from the centre of mass [m], 1/D of the normal and of the tangents [kg], force [N], friction [-],
# rolling length [m], load that bounds friction and rolling [N], most that it may be [N]
NORMAL, WANTED, SLIP, WANTED_SLIP, ARM, EASE_NORMAL, EASE_ALONG, FORCE, FRICTION, ROLLING, BOUND, MOST = (
    0, 3, 4, 7, 10, 13, 14, 15, 18, 19, 20, 21,
)  # fmt: skip
WALL_SIZE = 22
# Columns of a row of the linear system: what each load does to its wall [1/kg], what is wanted [m/s^2] and then the load [N],
# the friction that is given [N]
WISH, GIVEN = MOST_WALLS, MOST_WALLS + 1


@routine
def put_wall(row, law, body, r_v, dcm_AB, motion, field, free):
    """Write one wall: law Sliding of contact_motion, whose rolling (3) is taken about its first axis.

    motion  (v [m/s] in A axes, w_B [rad/s])       field  (d [m], gradient, Hessian) of this wall at the centre
    free    (acceleration [m/s^2] in A, angular acceleration [rad/s^2] in B axes) without contact
    Returns (gap [m], closing speed [m/s]).
    """
    (v, w_B), (d, gradient, hessian), (a_free, alpha_B) = motion, field, free
    steepness = norm(gradient)
    n = scale(1.0 / steepness, gradient)
    w, alpha, k = apply(dcm_AB, w_B), apply(dcm_AB, alpha_B), law.correction
    u = add(v, cross(w, r_v))
    bend = scale(1.0 / steepness, apply_symmetric(hessian, u))
    turning = tangential(bend, n)
    r = add_scaled(r_v, -body.corner_radius, n)
    nu = add(v, cross(w, r))
    slip = tangential(nu, n)
    u_dot = add(add(a_free, cross(alpha, r_v)), cross(w, cross(w, r_v)))
    r_dot = add_scaled(cross(w, r_v), -body.corner_radius, turning)
    s_dot = add(add(a_free, cross(alpha, r)), cross(w, r_dot))
    drift = subtract(s_dot, scale(dot(nu, n), turning))
    gap, closing = (d - body.corner_radius) / steepness, -dot(n, u)
    row[WANTED] = -(dot(n, u_dot) + dot(u, bend) - 2.0 * k * closing + k * k * gap)
    u1, u2 = tangents(n)
    along = max(
        dot(u1, response(body, dcm_AB, r, r, u1)), dot(u2, response(body, dcm_AB, r, r, u2))
    )
    row[EASE_NORMAL] = 1.0 / dot(n, response(body, dcm_AB, r, r_v, n))
    row[EASE_ALONG], row[FRICTION], row[ROLLING] = 1.0 / along, law.friction, law.rolling[0]
    row[BOUND], row[MOST] = 0.0, 0.0
    put_three(row, NORMAL, n)
    put_three(row, SLIP, slip)
    put_three(row, WANTED_SLIP, scale(-1.0, tangential(add_scaled(drift, k, slip), n)))
    put_three(row, ARM, r)
    put_three(row, FORCE, (0.0, 0.0, 0.0))
    return gap, closing


@device
def within_bounds(row, v_s, load, along):
    """Force [N] of a wall: load along its normal, none if negative, and friction as its bound allows."""
    slip, most = three_at(row, SLIP), row[FRICTION] * row[BOUND]
    speed = norm(slip)
    against = scale(-most / max(speed, v_s), slip)
    free = capped(subtract(along, against), most * max(1.0 - speed / v_s, 0.0))
    return add_scaled(add(against, free), max(load, 0.0), three_at(row, NORMAL))


@device
def ask_alike(walls, count, v_s):
    """Ask of contact points that stick only what a rigid ball can do: no different accelerations along the line between two.

    Sweeps would else raise the squeeze along that line until they end. What is asked of the slips gives way, not of the gaps.
    """
    for _ in range(ALIKE if count > 2 else 1):
        for i in range(count):
            for j in range(i + 1, count):
                line = subtract(three_at(walls[j], ARM), three_at(walls[i], ARM))
                line = scale(1.0 / max(norm(line), 1e-300), line)
                loose = 1.0 - norm(three_at(walls[i], SLIP)) / v_s
                other = 1.0 - norm(three_at(walls[j], SLIP)) / v_s
                if loose > 0.0 and other > 0.0:
                    # The one that slips faster, which friction holds less, gives way more: no jump at v_s.
                    here = scale(other, tangential(line, three_at(walls[i], NORMAL)))
                    there = scale(loose, tangential(line, three_at(walls[j], NORMAL)))
                    room = dot(here, line) + dot(there, line)
                    share = _apart(walls[i], walls[j], line) / max(room, LEAST_ROOM)
                    _ask_slip(walls[i], scale(share, here))
                    _ask_slip(walls[j], scale(-share, there))


@device
def _ask_slip(row, more):
    """Add to what is asked of the slip of a wall [m/s^2]."""
    put_three(row, WANTED_SLIP, add(three_at(row, WANTED_SLIP), more))


@device
def _apart(one, other, line):
    """How much more of the acceleration along a line is asked of the other wall's contact point [m/s^2]."""
    asked = add_scaled(three_at(other, WANTED_SLIP), other[WANTED], three_at(other, NORMAL))
    less = add_scaled(three_at(one, WANTED_SLIP), one[WANTED], three_at(one, NORMAL))
    return dot(subtract(asked, less), line)


@device
def _is_given(row, v_s):
    """Whether friction of a wall is given: it slips, or has no bound yet."""
    return not (row[FRICTION] * row[BOUND] > 0.0 and norm(three_at(row, SLIP)) < v_s)


@routine
def put_loads(walls, count, v_s, body, r_v, dcm_AB, rolling):
    """Write the linear system of the loads, friction being given; whether it is that of every wall."""
    a, alpha = (0.0, 0.0, 0.0), _turn(body, dcm_AB, rolling)
    for i in range(count):
        if not _is_given(walls[i], v_s):
            return False
        friction = within_bounds(walls[i], v_s, 0.0, (0.0, 0.0, 0.0))
        a = add_scaled(a, 1.0 / body.mass, friction)
        alpha = add(alpha, _turn(body, dcm_AB, cross(three_at(walls[i], ARM), friction)))
        put_three(walls[MOST_WALLS + i], GIVEN, friction)
    for i in range(count):
        row, n = walls[MOST_WALLS + i], three_at(walls[i], NORMAL)
        row[WISH] = walls[i, WANTED] - dot(n, add(a, cross(alpha, r_v)))
        for j in range(count):
            row[j] = dot(n, response(body, dcm_AB, three_at(walls[j], ARM), r_v, three_at(walls[j], NORMAL)))  # fmt: skip
    return True


@routine
def is_solved(rows, size):
    """Solve the symmetric system of the first `size` rows by elimination, what is wanted becomes the load; whether it could."""
    for k in range(size):
        own = rows[k, k]
        for above in range(k):
            share = rows[k, above] / rows[above, above]
            for other in range(above + 1, size):
                rows[k, other] -= share * rows[above, other]
            rows[k, WISH] -= share * rows[above, WISH]
        if not rows[k, k] > LEAST_PIVOT * own:
            return False
    for k in range(size - 1, -1, -1):
        for below in range(k + 1, size):
            rows[k, WISH] -= rows[k, below] * rows[below, WISH]
        rows[k, WISH] /= rows[k, k]
    return True


@routine
def loads_at_once(walls, count, v_s, body, r_v, dcm_AB, rolling):
    """Let the walls take the loads that fit each other, if all friction is given and none would pull; whether that is so."""
    if not put_loads(walls, count, v_s, body, r_v, dcm_AB, rolling):
        return False
    rows = walls[MOST_WALLS:]
    if not is_solved(rows, count):
        return False
    for i in range(count):
        if rows[i, WISH] < 0.0:
            return False
    for i in range(count):
        force = add_scaled(three_at(rows[i], GIVEN), rows[i, WISH], three_at(walls[i], NORMAL))
        put_three(walls[i], FORCE, force)
    return True


@routine
def sweep(walls, count, v_s, body, r_v, dcm_AB, rolling):
    """Let the walls take forces that fit each other, within their bounds; rolling: torque [N m], A axes."""
    if loads_at_once(walls, count, v_s, body, r_v, dcm_AB, rolling):
        return
    a, alpha = (0.0, 0.0, 0.0), _turn(body, dcm_AB, rolling)
    for i in range(count):
        force = three_at(walls[i], FORCE)
        a = add_scaled(a, 1.0 / body.mass, force)
        alpha = add(alpha, _turn(body, dcm_AB, cross(three_at(walls[i], ARM), force)))
    for _ in range(SWEEPS):
        change, size = 0.0, 0.0
        for i in range(count):
            row = walls[i]
            n, r, old = three_at(row, NORMAL), three_at(row, ARM), three_at(row, FORCE)
            missing = row[WANTED] - dot(n, add(a, cross(alpha, r_v)))
            point = tangential(add(a, cross(alpha, r)), n)
            more = scale(MORE * row[EASE_ALONG], subtract(three_at(row, WANTED_SLIP), point))
            load = dot(n, old) + MORE * row[EASE_NORMAL] * missing
            new = within_bounds(row, v_s, load, add(tangential(old, n), more))
            moved = subtract(new, old)
            put_three(row, FORCE, new)
            a = add_scaled(a, 1.0 / body.mass, moved)
            alpha = add(alpha, _turn(body, dcm_AB, cross(r, moved)))
            change, size = max(change, norm(moved)), size + norm(new)
        if change <= DONE * size:
            break


@routine
def crease_motion(walls, count, law, body, r_v, dcm_AB, v, w_B):
    """(force_A [N], torque_B [N m], powers (normal, friction, rolling) [W], load [N], slip [m/s]) of all walls.

    walls (WALL_ROWS, WALL_SIZE), the first `count` of them written by put_wall; their forces are written too.
    """
    ask_alike(walls, count, law.v_s)
    w_A = apply(dcm_AB, w_B)
    against = scale(-1.0 / max(norm(w_B), law.w_s), w_A)
    rolling = (0.0, 0.0, 0.0)
    for number in range(PASSES):
        sweep(walls, count, law.v_s, body, r_v, dcm_AB, rolling)
        change, total, length = 0.0, 0.0, 0.0
        for i in range(count):
            load = dot(three_at(walls[i], NORMAL), three_at(walls[i], FORCE))
            if number == 0:
                walls[i, MOST] = JAM * load
            bound = min(load, walls[i, MOST])
            change, total = max(change, abs(bound - walls[i, BOUND])), total + load
            walls[i, BOUND] = bound
            length += walls[i, ROLLING] * bound
        if change <= AGREED * total:
            break
        rolling = scale(length, against)
    return _sum_of(walls, count, dcm_AB, v, w_A, rolling)


@device
def _turn(body, dcm_AB, torque):
    """Angular acceleration [rad/s^2] by a torque [N m], both in A axes."""
    return apply(dcm_AB, apply_symmetric(body.inverse_inertia, apply_transposed(dcm_AB, torque)))


@device
def _sum_of(walls, count, dcm_AB, v, w_A, rolling):
    """Force, torque in B axes, powers, load and fastest slip of all walls; rolling: torque in A axes [N m]."""
    force, torque, load, fastest = (0.0, 0.0, 0.0), rolling, 0.0, 0.0
    normal, friction = 0.0, 0.0
    for i in range(count):
        n, r, f = three_at(walls[i], NORMAL), three_at(walls[i], ARM), three_at(walls[i], FORCE)
        nu = add(v, cross(w_A, r))
        force, torque = add(force, f), add(torque, cross(r, f))
        load += dot(n, f)
        normal += dot(n, f) * dot(n, nu)
        friction += dot(tangential(f, n), nu)
        fastest = max(fastest, norm(three_at(walls[i], SLIP)))
    powers = (normal, friction, dot(rolling, w_A))
    return force, apply_transposed(dcm_AB, torque), powers, load, fastest
