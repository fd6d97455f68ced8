"""The stiff part of a tether's rates, solved for in order N: what turns and stretches of the springs that are taut do.

    (1 - p A) z = r,   z_x = r_x + p z_v,   z_v = r_v - p M^-1 sum_j (+-) F_j
    F_j = (C_j + p K_j) dz_v + K_j dr_x               force that z adds to spring j; d: difference of its two ends
    K_j = k_j g g^T + (T_j/distance_j) (1 - g g^T),   C_j = c_j g g^T
    so  F_j + p G_j [(M_a^-1 + M_b^-1) F_j - M_a^-1 F_j-1 - M_b^-1 F_j+1] = G_j dr_v + K_j dr_x,   G_j = C_j + p K_j

    p  h times the diagonal of the scheme [s]        k_j, c_j  slopes of the tension with distance and its rate
    g  direction of spring j        T_j/distance_j  what holds a taut spring straight: stiffness of transverse waves
    M_a, M_b  masses at its ends
A spring shares a mass with its two neighbours only: rows of 3 x 3 blocks, tridiagonal, in axes of each spring, where G_j is
diagonal. The hulls at the ends, with their levers, wheels and reels, add one block each: what a force on the attachment does
to its velocity. Axes turn with the springs while Newton's method goes on, so that a line that turns as a whole meets the
matrix it was factorised for. Springs that are slack or cut have G = 0; one held at a tension by its reel has k = c = 0.
Frame: N axes, rates of hulls in B axes. Validity: tensions and masses of the start of the step; what bends is left to
Newton's method. Source: elimination of the velocities, derived here.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, quaternion_rate, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract, tangents
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_state import ATTITUDE, BODY, CELLS, MOMENTUM, POSITION, RATE
from haptos.dynamics.rigid.end_body import response_to_pull

CITES: tuple[str, ...] = ()


@routine
def freeze(tether, y):
    """Keep axes, slopes and masses of (t, y), whose springs are filled, for the step that begins."""
    n, s, f = tether.line.count, tether.springs, tether.factors
    first, second = widths(tether, y)
    for i in range(n):
        f.masses[i] = tether.line.density * cell_width(tether, i, first, second)
    for j in range(n + 1):
        f.push[j], f.drag[j] = s.stiffness[j], s.damping[j]
        f.turn[j] = max(s.tension[j], 0.0) / s.distance[j] if s.distance[j] > 0.0 else 0.0
        along = three(s.direction[j], 0)
        second_axis, third_axis = tangents(along)
        for c in range(3):
            f.axes[j, 0, c] = along[c]
            f.axes[j, 1, c] = second_axis[c]
            f.axes[j, 2, c] = third_axis[c]
    for k in range(2):
        hull, end = tether.hulls[k], end_of(tether, y, k)
        for a in range(3):
            turn, gain = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            if not hull.is_fixed:
                pull = (1.0 if a == 0 else 0.0, 1.0 if a == 1 else 0.0, 1.0 if a == 2 else 0.0)
                turn, gain = response_to_pull(
                    hull.inertia, hull.attachment, hull.can_turn, end.hull, end.reel, end.dcm, pull
                )
            for c in range(3):
                f.turns[k, a, c], f.mobility[k, a, c] = turn[c], gain[c]
        f.numbers[k, 0], f.numbers[k, 1] = end.hull / (end.hull + end.reel), end.hull + end.reel
        for c in range(4):
            f.numbers[k, 2 + c] = y[BODY * k + ATTITUDE + c]


@device
def _weights(f, j, pace):
    """Diagonal of p G_j in the axes of spring j."""
    across = pace * pace * f.turn[j]
    return (pace * (f.drag[j] + pace * f.push[j]), across, across)


@device
def _coupling(f, j, other, pace, mass, out):
    """-p G_j B_j B_other^T/mass: what a force in a neighbour does to spring j."""
    weights = _weights(f, j, pace)
    for a in range(3):
        for b in range(3):
            total = 0.0
            for c in range(3):
                total += f.axes[j, a, c] * f.axes[other, b, c]
            out[a, b] = -weights[a] / mass * total


@device
def _invert(m, out):
    """Inverse of a 3 x 3 block, by cofactors."""
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        for d in range(3):
            e, g = (d + 1) % 3, (d + 2) % 3
            out[d, a] = m[b, e] * m[c, g] - m[b, g] * m[c, e]
    back = 1.0 / (m[0, 0] * out[0, 0] + m[0, 1] * out[1, 0] + m[0, 2] * out[2, 0])
    for a in range(3):
        for d in range(3):
            out[a, d] *= back


@device
def _add_mobility(f, j, k, pace, pivot):
    """p G_j B_j W_k B_j^T of the hull at end k."""
    weights = _weights(f, j, pace)
    for a in range(3):
        for b in range(3):
            total = 0.0
            for c in range(3):
                for d in range(3):
                    total += f.axes[j, a, c] * f.mobility[k, c, d] * f.axes[j, b, d]
            pivot[a, b] += weights[a] * total


@routine
def factorise(tether, pace):
    """Rows of the block tridiagonal matrix for a pace p [s], eliminated downwards."""
    n, f = tether.line.count, tether.factors
    pivot, block = f.pivot, f.block
    for j in range(n + 1):
        weights = _weights(f, j, pace)
        masses = 0.0
        if j > 0:
            masses += 1.0 / f.masses[j - 1]
        if j < n:
            masses += 1.0 / f.masses[j]
        for a in range(3):
            for b in range(3):
                pivot[a, b] = 1.0 + weights[a] * masses if a == b else 0.0
        if j == 0:
            _add_mobility(f, j, 0, pace, pivot)
        if j == n:
            _add_mobility(f, j, 1, pace, pivot)
        if j > 0:
            below, beyond = f.below[j], f.beyond[j - 1]
            _coupling(f, j, j - 1, pace, f.masses[j - 1], below)
            for a in range(3):
                for b in range(3):
                    pivot[a, b] -= (
                        below[a, 0] * beyond[0, b]
                        + below[a, 1] * beyond[1, b]
                        + below[a, 2] * beyond[2, b]
                    )
        inverse = f.inverse[j]
        _invert(pivot, inverse)
        if j < n:
            beyond = f.beyond[j]
            _coupling(f, j, j + 1, pace, f.masses[j], block)
            for a in range(3):
                for b in range(3):
                    beyond[a, b] = (
                        inverse[a, 0] * block[0, b]
                        + inverse[a, 1] * block[1, b]
                        + inverse[a, 2] * block[2, b]
                    )


@device
def _turned_axes(tether, j):
    """Axes of spring j turned, the shortest way, to where it points now."""
    f = tether.factors
    old, now = three(f.axes[j, 0], 0), three(tether.springs.direction[j], 0)
    second_axis, third_axis = three(f.axes[j, 1], 0), three(f.axes[j, 2], 0)
    cosine = dot(old, now)
    if not cosine > 0.0:  # far off: Newton's method fails, and the step is taken again
        return old, second_axis, third_axis
    both, back = add(old, now), -1.0 / (1.0 + cosine)
    return (
        now,
        add_scaled(second_axis, back * dot(second_axis, now), both),
        add_scaled(third_axis, back * dot(third_axis, now), both),
    )


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
    """z of (1 - pace A) z = right, after `freeze` and `factorise` for this pace; springs point where the rates were asked."""
    n, f = tether.line.count, tether.factors
    places, momenta = CELLS, CELLS + 3 * n
    x_b, v_b = _attachment(tether, 0, right)
    last = _attachment(tether, 1, right)
    before = (0.0, 0.0, 0.0)
    for j in range(n + 1):
        x_a, v_a = x_b, v_b
        if j == n:
            x_b, v_b = last
        else:
            x_b = three(right, places + 3 * j)
            v_b = scale(1.0 / f.masses[j], three(right, momenta + 3 * j))
        weight = pace * f.turn[j]
        stretch, rate = subtract(x_b, x_a), subtract(v_b, v_a)
        axes = _turned_axes(tether, j)
        along = (f.drag[j] + pace * f.push[j]) * dot(axes[0], rate) + f.push[j] * dot(
            axes[0], stretch
        )
        held = add_scaled(scale(weight, rate), f.turn[j], stretch)
        below, inverse = f.below[j], f.inverse[j]
        p, q, r = before
        given = (
            along - (below[0, 0] * p + below[0, 1] * q + below[0, 2] * r),
            dot(axes[1], held) - (below[1, 0] * p + below[1, 1] * q + below[1, 2] * r),
            dot(axes[2], held) - (below[2, 0] * p + below[2, 1] * q + below[2, 2] * r),
        )
        before = (
            dot(three(inverse[0], 0), given),
            dot(three(inverse[1], 0), given),
            dot(three(inverse[2], 0), given),
        )
        for c in range(3):
            f.force[j, c] = before[c]
    for i in range(len(right)):
        z[i] = right[i]
    after, far = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for j in range(n, -1, -1):
        here = three(f.force[j], 0)
        if j < n:
            beyond = f.beyond[j]
            here = (
                here[0] - dot(three(beyond[0], 0), after),
                here[1] - dot(three(beyond[1], 0), after),
                here[2] - dot(three(beyond[2], 0), after),
            )
        after = here
        axes = _turned_axes(tether, j)
        pull = add_scaled(add_scaled(scale(here[0], axes[0]), here[1], axes[1]), here[2], axes[2])
        if j == n:
            _hull(tether, 1, -pace, pull, pace, z)
        else:
            a, b = places + 3 * j, momenta + 3 * j
            for c in range(3):
                z[b + c] += pace * (far[c] - pull[c])
                z[a + c] += pace * z[b + c] / f.masses[j]
        far = pull
    _hull(tether, 0, pace, far, pace, z)


@device
def _hull(tether, k, share, pull, pace, z):
    """Add share [s] times the pull of its end spring, and the way that follows, to the numbers of hull k."""
    f, hull, at = tether.factors, tether.hulls[k], BODY * k
    if hull.is_fixed:
        return
    for c in range(3):
        z[at + MOMENTUM + c] += share * pull[c]
    v = scale(1.0 / f.numbers[k, 1], three(z, at + MOMENTUM))
    if hull.can_turn:
        for c in range(3):
            turn = (
                pull[0] * f.turns[k, 0, c] + pull[1] * f.turns[k, 1, c] + pull[2] * f.turns[k, 2, c]
            )
            z[at + RATE + c] += share * turn
        q = (f.numbers[k, 2], f.numbers[k, 3], f.numbers[k, 4], f.numbers[k, 5])
        w = three(z, at + RATE)
        turn = quaternion_rate(q, w)
        for c in range(4):
            z[at + ATTITUDE + c] += pace * turn[c]
        lever = apply(rotation_matrix(q), cross(w, hull.attachment))
        v = add_scaled(v, f.numbers[k, 0] - 1.0, lever)
    for c in range(3):
        z[at + POSITION + c] += pace * v[c]
