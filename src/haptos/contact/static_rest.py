"""Can a body lie still? Forces at its contact points, within their friction cones, that balance all.

Searched are F_i at the points r_i with F_i . n_i >= 0 and |T F_i| <= f_i F_i . n_i, and a rolling torque
|L| <= sum c_rr_i F_i . n_i, that leave the least acceleration of the body:

    a = a_0 + sum F_i/m,     alpha = alpha_0 + I^-1 (sum r_i x F_i + L)

by projected Gauss-Seidel: point after point takes the force that stops its own acceleration, cut to
its cone. If a balance exists the rest goes to zero; if none does it stays of the order of a_0.

    a_0, alpha_0  accelerations of the body at rest without contact [m/s^2], [rad/s^2]
Frame: A axes. Validity: rigid points; the forces need not be unique, only whether they exist counts.
Source: the projected Gauss-Seidel method as in [Jourdan1998]; the question is ours.
"""

from __future__ import annotations

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
    tangential,
    tangents,
    three_at,
)

CITES: tuple[str, ...] = ("Jourdan1998",)

MOST_POINTS = 16  # contact points looked at; three carry a body
SWEEPS = 400  # [-] bound of the search; a cube on its face needs about 40
BALANCED = 1e-4  # [-] share of |a_0| that may be left over
LOOK_BACK, TOO_SLOW = 20, 0.7  # sweeps after which the rest must have fallen to this share
# Columns of a contact point: arm, normal, friction, rolling length, force, and the forces [kg] that
# change its acceleration by one along and across the normal.
ARM, NORMAL, FRICTION, ROLLING, FORCE, STOP_ALONG, STOP_ACROSS = 0, 3, 6, 7, 8, 11, 12
POINT_SIZE = 13


@device
def _turned(body, dcm_AB, torque_A):
    """I^-1 torque [rad/s^2], A axes."""
    return apply(dcm_AB, apply_symmetric(body.inverse_inertia, apply_transposed(dcm_AB, torque_A)))


@device
def _stopping(body, dcm_AB, r, direction):
    """1 / (direction . M direction) [kg]: force that changes the point's acceleration by one."""
    turn = cross(_turned(body, dcm_AB, cross(r, direction)), r)
    return 1.0 / (1.0 / body.mass + dot(turn, direction))


@routine
def is_balanced(body, dcm_AB, a_0, alpha_0, points, count):
    """Whether `count` contact points, rows of points (n, POINT_SIZE), can hold the body still."""
    a, alpha = a_0, alpha_0
    size = norm(a_0)
    if size == 0.0:
        return True
    if count == 0:
        return False
    roll = (0.0, 0.0, 0.0)
    for i in range(count):
        row = points[i]
        r, n = three_at(row, ARM), three_at(row, NORMAL)
        u1, u2 = tangents(n)
        row[STOP_ALONG] = _stopping(body, dcm_AB, r, n)
        row[STOP_ACROSS] = min(_stopping(body, dcm_AB, r, u1), _stopping(body, dcm_AB, r, u2))
        for k in range(3):
            row[FORCE + k] = 0.0
    earlier = 1e300
    for sweep in range(SWEEPS):
        room = 0.0
        for i in range(count):
            row = points[i]
            r, n, before = three_at(row, ARM), three_at(row, NORMAL), three_at(row, FORCE)
            here = add(a, cross(alpha, r))
            load = dot(before, n) - row[STOP_ALONG] * dot(here, n)
            load = max(load, 0.0)
            wanted = add_scaled(tangential(before, n), -row[STOP_ACROSS], tangential(here, n))
            most, held = row[FRICTION] * load, norm(wanted)
            if held > most:
                wanted = scale(most / held, wanted)
            after = add_scaled(wanted, load, n)
            change = add_scaled(after, -1.0, before)
            a = add_scaled(a, 1.0 / body.mass, change)
            alpha = add(alpha, _turned(body, dcm_AB, cross(r, change)))
            row[FORCE], row[FORCE + 1], row[FORCE + 2] = after
            room += row[ROLLING] * load
        if room > 0.0:
            inertial = apply(dcm_AB, apply_symmetric(body.inertia, apply_transposed(dcm_AB, alpha)))
            after = add_scaled(roll, -1.0, inertial)
            held = norm(after)
            if held > room:
                after = scale(room / held, after)
            alpha = add(alpha, _turned(body, dcm_AB, add_scaled(after, -1.0, roll)))
            roll = after
        left = norm(a) + norm(alpha) * body.radius
        if left <= BALANCED * size:
            return True
        if sweep % LOOK_BACK == LOOK_BACK - 1:
            if left > TOO_SLOW * earlier:
                return False
            earlier = left
    return False
