"""The stiff part of a tether's rates, solved for in order N: axial stiffness and damping of the springs that are taut.

    (1 - p A) z = r,   z_x = r_x + p z_v,   z_v = r_v - p M^-1 sum_j g_j tau_j
    tau_j = (c_j + p k_j) g_j . z_v + k_j g_j . r_x              tension that z adds to spring j
    so  tau_j + p (c_j + p k_j) sum_l S_jl tau_l = (c_j + p k_j) g_j . r_v + k_j g_j . r_x,    S_jl = g_j M^-1 g_l

    p  h times the diagonal of the scheme [s]        k_j, c_j  slopes of the tension with distance and its rate
    g_j  takes the rate of spring j's length from velocities: its direction at both ends      M  masses
A spring shares a mass with its two neighbours only, so S is tridiagonal and the unknowns are N + 1 scalars; the hulls at
the ends, with their levers, wheels and reels, add one number each: the acceleration of the attachment under a unit pull.
Springs that are slack, cut, or held at a tension by their reel have k = c = 0.
Frame: N axes, rates of hulls in B axes. Validity: directions and masses of the start of the step; what turns is left to
Newton's method. Source: elimination of the velocities, derived here.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, quaternion_rate, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, scale
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_state import ATTITUDE, BODY, CELLS, MOMENTUM, POSITION, RATE
from haptos.dynamics.rigid.end_body import response_to_pull

CITES: tuple[str, ...] = ()


@routine
def freeze(tether, y):
    """Keep directions, slopes and masses of (t, y), whose springs are filled, for the step that begins."""
    n, s, f = tether.line.count, tether.springs, tether.factors
    first, second = widths(tether, y)
    for i in range(n):
        f.masses[i] = tether.line.density * cell_width(tether, i, first, second)
    for j in range(n + 1):
        f.push[j], f.drag[j] = s.stiffness[j], s.damping[j]
        for c in range(3):
            f.direction[j, c] = s.direction[j, c]
    for k in range(2):
        hull, end = tether.hulls[k], end_of(tether, y, k)
        pull = three(f.direction[0 if k == 0 else n], 0)
        turn, gain = (0.0, 0.0, 0.0), 0.0
        if not hull.is_fixed:
            turn, gain = response_to_pull(
                hull.inertia, hull.attachment, hull.can_turn, end.hull, end.reel, end.dcm, pull
            )
        f.turns[k, 0], f.turns[k, 1], f.turns[k, 2], f.turns[k, 3] = turn[0], turn[1], turn[2], gain
        f.numbers[k, 0], f.numbers[k, 1] = end.hull / (end.hull + end.reel), end.hull + end.reel
        for c in range(4):
            f.numbers[k, 2 + c] = y[BODY * k + ATTITUDE + c]


@routine
def factorise(tether, pace):
    """Rows of the tridiagonal matrix for a pace p [s], eliminated downwards."""
    n, f = tether.line.count, tether.factors
    for j in range(n + 1):
        weight = pace * (f.drag[j] + pace * f.push[j])
        here = three(f.direction[j], 0)
        own, left, right = 0.0, 0.0, 0.0
        if j == 0:
            own += f.turns[0, 3]
        else:
            own += 1.0 / f.masses[j - 1]
            left = -dot(here, three(f.direction[j - 1], 0)) / f.masses[j - 1]
        if j == n:
            own += f.turns[1, 3]
        else:
            own += 1.0 / f.masses[j]
            right = -dot(here, three(f.direction[j + 1], 0)) / f.masses[j]
        pivot = 1.0 + weight * own
        if j > 0:
            pivot -= weight * left * f.beyond[j - 1]
        f.below[j] = weight * left
        f.inverse[j] = 1.0 / pivot
        f.beyond[j] = weight * right / pivot


@device
def _attachment(tether, k, row):
    """(change of place, of velocity) of attachment k for changes `row` of the state."""
    f, hull, at = tether.factors, tether.hulls[k], BODY * k
    q = (f.numbers[k, 2], f.numbers[k, 3], f.numbers[k, 4], f.numbers[k, 5])
    place, speed = (
        three(row, at + POSITION),
        scale(1.0 / f.numbers[k, 1], three(row, at + MOMENTUM)),
    )
    if not hull.can_turn:
        return place, speed
    dcm = rotation_matrix(q)
    d = (row[at + ATTITUDE], row[at + ATTITUDE + 1], row[at + ATTITUDE + 2], row[at + ATTITUDE + 3])
    angle = (
        2.0 * (q[0] * d[1] - q[1] * d[0] - q[2] * d[3] + q[3] * d[2]),
        2.0 * (q[0] * d[2] - q[2] * d[0] - q[3] * d[1] + q[1] * d[3]),
        2.0 * (q[0] * d[3] - q[3] * d[0] - q[1] * d[2] + q[2] * d[1]),
    )
    place = add(place, apply(dcm, cross(angle, hull.attachment)))
    lever = apply(dcm, cross(three(row, at + RATE), hull.attachment))
    return place, add_scaled(speed, f.numbers[k, 0], lever)


@routine
def solve_stiff(tether, pace, right, z):
    """z of (1 - pace A) z = right, after `freeze` and `factorise` for this pace."""
    n, f = tether.line.count, tether.factors
    places, momenta = CELLS, CELLS + 3 * n
    first, last = _attachment(tether, 0, right), _attachment(tether, 1, right)
    before = 0.0
    for j in range(n + 1):
        stretch, rate = 0.0, 0.0
        for c in range(3):
            if j == 0:
                x_a, v_a = first[0][c], first[1][c]
            else:
                x_a = right[places + 3 * j - 3 + c]
                v_a = right[momenta + 3 * j - 3 + c] / f.masses[j - 1]
            if j == n:
                x_b, v_b = last[0][c], last[1][c]
            else:
                x_b = right[places + 3 * j + c]
                v_b = right[momenta + 3 * j + c] / f.masses[j]
            stretch += f.direction[j, c] * (x_b - x_a)
            rate += f.direction[j, c] * (v_b - v_a)
        value = (f.drag[j] + pace * f.push[j]) * rate + f.push[j] * stretch
        before = (value - f.below[j] * before) * f.inverse[j]
        f.tension[j] = before
    for j in range(n - 1, -1, -1):
        f.tension[j] -= f.beyond[j] * f.tension[j + 1]
    for i in range(len(right)):
        z[i] = right[i]
    for i in range(n):
        a, b = places + 3 * i, momenta + 3 * i
        for c in range(3):
            z[b + c] += pace * (
                f.tension[i + 1] * f.direction[i + 1, c] - f.tension[i] * f.direction[i, c]
            )
            z[a + c] += pace * z[b + c] / f.masses[i]
    for k in range(2):
        _hull(tether, k, pace, z)


@device
def _hull(tether, k, pace, z):
    """Add the pull of its end spring, and the way that follows, to the numbers of hull k."""
    f, hull, at, n = tether.factors, tether.hulls[k], BODY * k, tether.line.count
    if hull.is_fixed:
        return
    j, sign = (0, 1.0) if k == 0 else (n, -1.0)
    pull = sign * pace * f.tension[j]
    for c in range(3):
        z[at + MOMENTUM + c] += pull * f.direction[j, c]
    v = scale(1.0 / f.numbers[k, 1], three(z, at + MOMENTUM))
    if hull.can_turn:
        for c in range(3):
            z[at + RATE + c] += pull * f.turns[k, c]
        q = (f.numbers[k, 2], f.numbers[k, 3], f.numbers[k, 4], f.numbers[k, 5])
        w = three(z, at + RATE)
        turn = quaternion_rate(q, w)
        for c in range(4):
            z[at + ATTITUDE + c] += pace * turn[c]
        lever = apply(rotation_matrix(q), cross(w, hull.attachment))
        v = add_scaled(v, f.numbers[k, 0] - 1.0, lever)
    for c in range(3):
        z[at + POSITION + c] += pace * v[c]
