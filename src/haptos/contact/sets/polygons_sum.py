"""Forces, energies and powers of all polygons of a pair, added up in one fixed order.

    load of a node   f_i = K int s+ lambda_i dA,   w_i = int_{s>0} lambda_i dA,   s_i = f_i/(K w_i)
    force on B       F = sum w_i (p_i n_i + tau_i) at node x_i; -F on A at the same points
    sdot_i = -n_i . v_i + w_n,    v_i velocity of B's node relative to A, with the drive of its shape

    d(elastic + stick)/dt = -sum F . (v_B - v_A) - losses + actuator
    actuator = -sum F_i . v_shape + sum p w w_n + sum over leaves 1/2 K int (s+)^2 dA (dA/dt)/A
Frame: A axes, torque about A's origin. Forces act on B.
Validity: as contact/laws/foundation.py. Source: as contact/laws/foundation.py.
"""

from __future__ import annotations

from haptos.contact.laws.foundation import (
    CLIPPED,
    INSIDE,
    centre_integrals,
    leaf_integrals,
    pressure,
    shear,
    stretched,
)
from haptos.contact.sets.polygons import (
    CODE,
    FACE,
    LEAVES,
    NODES,
    ask_node,
    find_polygons,
    leaf_area,
    node_place,
)
from haptos.core.jit import device, routine, uncounted_entry
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract, tangential
from haptos.geometry.mesh.curved_faces import lifted

CITES: tuple[str, ...] = ()

# Sums of a pair. Forces [N], torques [N m], energies [J], powers [W], areas [m^2], depth [m], pressure [Pa].
FORCE, TORQUE, ELASTIC, STICK, DAMPING, TENSION, SHEAR, VISCOUS, ACTUATOR = (
    0,
    3,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
)
AREA, DEPTH, PRESSURE, POLYGONS, STICKING, SLIPPING, QUERIED, FULL_SET, SUMS = range(13, 22)


@routine
def move_nodes(reference, faces, pose, spreads, is_moving, found):
    """Distances of all nodes of the set at another pose; places too if the shape of B moves."""
    n = 1 << faces.levels
    for k in range(found.counts[NODES]):
        if is_moving:
            f = found.names[k, FACE]
            i, j = node_place(faces, f, found.names[k, CODE], n)
            x, rate = lifted(faces, f, i, j, n, spreads[1])
            for c in range(3):
                found.place[k, c], found.shape_rate[k, c] = x[c], rate[c]
        p = add(pose[0], apply(pose[1], (found.place[k, 0], found.place[k, 1], found.place[k, 2])))
        ask_node(reference, p, spreads[0], k, found)
    if is_moving:
        for m in range(found.counts[LEAVES]):
            a, b, c = found.corners[m, 0], found.corners[m, 1], found.corners[m, 2]
            found.area[m] = leaf_area(a, b, c, found)


@device
def _integrals(law, s1, s2, s3):
    if law.integral == CLIPPED:
        return leaf_integrals(s1, s2, s3)
    return centre_integrals(s1, s2, s3, law.integral == INSIDE)


@routine
def load_nodes(law, found, sums):
    """Loads and weights of the nodes, energy of the leaves; area, polygons and energy into `sums`."""
    for k in range(found.counts[NODES]):
        found.load[k], found.weight[k] = 0.0, 0.0
    energy, area, polygons = 0.0, 0.0, 0
    for m in range(found.counts[LEAVES]):
        a, b, c = found.corners[m, 0], found.corners[m, 1], found.corners[m, 2]
        size = found.area[m]
        f1, f2, f3, w1, w2, w3, q = _integrals(law, -found.gap[a], -found.gap[b], -found.gap[c])
        found.energy[m] = 0.5 * law.modulus * size * q
        if q <= 0.0:
            continue
        found.load[a] += size * f1
        found.load[b] += size * f2
        found.load[c] += size * f3
        found.weight[a] += size * w1
        found.weight[b] += size * w2
        found.weight[c] += size * w3
        energy += found.energy[m]
        area += size * (w1 + w2 + w3)
        polygons += 1
    sums[ELASTIC], sums[AREA], sums[POLYGONS] = energy, area, polygons


@routine
def _swelling(rates, dcm, found):
    """Power [W] that the growing area of a moving shape puts into the leaves."""
    total = 0.0
    for m in range(found.counts[LEAVES]):
        if found.energy[m] > 0.0:
            a, b, c = found.corners[m, 0], found.corners[m, 1], found.corners[m, 2]
            p, q, r = _row(found.place, a), _row(found.place, b), _row(found.place, c)
            dp, dq, dr = (
                _row(found.shape_rate, a),
                _row(found.shape_rate, b),
                _row(found.shape_rate, c),
            )
            u, v, du, dv = subtract(q, p), subtract(r, p), subtract(dq, dp), subtract(dr, dp)
            across = cross(u, v)
            growth = dot(across, add(cross(du, v), cross(u, dv))) / dot(across, across)
            total += found.energy[m] * growth * rates[1]
    return total


@device
def _row(rows, k):
    return (rows[k, 0], rows[k, 1], rows[k, 2])


@routine
def _node_force(law, pose, twist, rates, k, with_friction, found, sums):
    """Add node k to the sums."""
    w = found.weight[k]
    n, x = _row(found.normal, k), _row(found.point, k)
    depth = found.load[k] / w
    drive = scale(rates[1], apply(pose[1], _row(found.shape_rate, k)))
    rigid = add(twist[0], cross(twist[1], subtract(x, pose[0])))
    v = add(rigid, drive)
    wall = found.wall[k] * rates[0]
    depth_rate = wall - dot(n, v)
    p, damping = pressure(law, depth, depth_rate)
    force = scale(w * p, n)
    sums[DAMPING] += w * damping * depth_rate
    if p < 0.0:
        sums[TENSION] += w * p * depth_rate
    if with_friction:
        force = add(force, _shear_force(law, v, w, p, k, n, x, found, sums))
    for c in range(3):
        sums[FORCE + c] += force[c]
    arm = cross(x, force)
    for c in range(3):
        sums[TORQUE + c] += arm[c]
    sums[ACTUATOR] += w * p * wall - dot(force, drive)
    sums[DEPTH] = max(sums[DEPTH], -found.gap[k])
    sums[PRESSURE] = max(sums[PRESSURE], p)


@routine
def _shear_force(law, v, w, p, k, n, x, found, sums):
    """Friction [N] of node k; its stretch and powers into the set and the sums."""
    slip = tangential(v, n)
    before = _row(found.point_before, k)
    way = subtract(x, before)
    trial = stretched(_row(found.stretch, k), way, n, found.weight_before[k], w)
    tau, held, slips = shear(law, trial, slip, p)
    for c in range(3):
        found.held[k, c] = held[c]
    found.slips[k] = 1 if slips else 0
    sums[STICK] += 0.5 * law.shear * w * dot(held, held)
    sums[SHEAR] += w * law.shear * dot(held, slip)
    sums[VISCOUS] -= w * dot(add_scaled(tau, law.shear, held), slip)
    if slips:
        sums[SLIPPING] += 1.0
    else:
        sums[STICKING] += w
    return scale(w, tau)


@routine
def add_forces(law, pose, twist, rates, found, sums):
    """All sums of a set whose distances are known.

    pose   (r_BA_A, dcm_AB)      twist  (v_BA_A [m/s] of B's origin, omega_BA_A [rad/s]), both seen from A
    rates  d/dt of the spreads of A and B [1/s]
    """
    for c in range(SUMS):
        sums[c] = 0.0
    load_nodes(law, found, sums)
    with_friction = law.friction_at_rest > 0.0
    for k in range(found.counts[NODES]):
        found.held[k, 0], found.held[k, 1], found.held[k, 2] = 0.0, 0.0, 0.0
        found.slips[k] = 0
        if found.weight[k] > 0.0:
            _node_force(law, pose, twist, rates, k, with_friction, found, sums)
    if rates[1] != 0.0:
        sums[ACTUATOR] += _swelling(rates, pose[1], found)


@uncounted_entry
def fill_sums(law, reference, faces, refinement, poses, twists, spreads, rates, found, sums):
    """Sums of many poses without memory: rows r_BA_A, quat_AB and v_BA_A, omega_BA_A.

    Friction has no history here: every node is unstretched.
    """
    for i in range(len(poses)):
        q = (poses[i, 3], poses[i, 4], poses[i, 5], poses[i, 6])
        pose = ((poses[i, 0], poses[i, 1], poses[i, 2]), rotation_matrix(q))
        twist = (
            (twists[i, 0], twists[i, 1], twists[i, 2]),
            (twists[i, 3], twists[i, 4], twists[i, 5]),
        )
        find_polygons(reference, faces, refinement, pose, spreads, 0.0, found)
        for k in range(found.counts[NODES]):
            found.weight_before[k] = 0.0
            for c in range(3):
                found.stretch[k, c], found.point_before[k, c] = 0.0, found.point[k, c]
        add_forces(law, pose, twist, rates, found, sums[i])
        sums[i, QUERIED], sums[i, FULL_SET] = found.counts[2], found.counts[3]
