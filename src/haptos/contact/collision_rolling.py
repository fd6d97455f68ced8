"""Rolling resistance during an impact: a torque against rotation that leaves the contact point alone.

    roll:  dL/dp = -C w/|w|                      lock:  dL/dp = -r x dP/dp, |.|_i <= C_i     Eq. (2.85), (2.86)
    dL_RR = lambda roll + (1 - lambda) lock,     lambda = min(|w|, w_s)/w_s                 Eq. (2.87), (2.88)
    dP_RR = m r~ I^-1 dL_RR   at the centre of mass                                        Eq. (2.89), (2.90)

    C    coefficients about the axes of B, lengths [m], >= 0     w    rate relative to the ground [rad/s]
    w_s  stick rate [rad/s], > 0                                 r    contact point from the centre of mass [m]
    P    impulse of the contact [N s], p its normal part
The velocity of the contact point does not feel dL_RR and dP_RR together, so the impact runs its course
without them and they are added along its path, in SUBSTEPS parts of every segment. Each part is
shortened where it would turn the motion round or bring energy: the work of rolling resistance is
never positive.
Frame: torques and rates in B axes, impulses, r and v in A axes.
Validity: shapes that roll; C as a share of the radius, small. The source multiplies a number
without unit by the radius; here C is the product, as in rolling_resistance.
Source: [VanWal2018] section 2.5.2; the bounds are ours.
"""

from __future__ import annotations

from haptos.contact.collision_geometry import from_contact
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add_scaled, cross, dot, norm, scale

CITES: tuple[str, ...] = ("VanWal2018",)

SUBSTEPS = 16  # [-] per segment of the path


@device
def rolling_rate(c_rr, w_s, w_B, contact_torque_B):
    """dL_RR/dp [m] in B axes, from w [rad/s] and the torque r x dP/dp [m] of the contact."""
    rate = norm(w_B)
    over, locked = 1.0 / max(rate, w_s), 1.0 - min(rate, w_s) / w_s
    return (
        -c_rr[0] * w_B[0] * over - locked * min(max(contact_torque_B[0], -c_rr[0]), c_rr[0]),
        -c_rr[1] * w_B[1] * over - locked * min(max(contact_torque_B[1], -c_rr[1]), c_rr[1]),
        -c_rr[2] * w_B[2] * over - locked * min(max(contact_torque_B[2], -c_rr[2]), c_rr[2]),
    )


@device
def rolling_part(mass, inverse_inertia, dcm_AB, r, v, w_B, impulse, p, c_rr, w_s):
    """(v, w_B, work [J] of rolling resistance) after a part of the contact impulse [N s], p along N."""
    torque_B = apply_transposed(dcm_AB, cross(r, impulse))
    turned = apply_symmetric(inverse_inertia, torque_B)
    v_mean, w_mean = add_scaled(v, 0.5 / mass, impulse), add_scaled(w_B, 0.5, turned)
    w_between = w_mean
    share, work = 0.0, 0.0
    angular, slowing, push = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for _ in range(2):  # the second time with the rate in the middle of the part
        rate = rolling_rate(c_rr, w_s, w_between, scale(1.0 / p, torque_B))
        angular = scale(p, rate)
        slowing = apply_symmetric(inverse_inertia, angular)
        push = scale(mass, cross(r, apply(dcm_AB, slowing)))  # Eq. (2.90)
        brings = dot(angular, w_mean) + dot(push, v_mean)
        costs = dot(angular, slowing) + dot(push, push) / mass
        share = min(max(-brings, 0.0) / costs, 1.0) if costs > 0.0 else 0.0
        work = share * (brings + 0.5 * share * costs)
        w_between = add_scaled(w_mean, 0.5 * share, slowing)
    v = add_scaled(add_scaled(v, 1.0 / mass, impulse), share / mass, push)
    w_B = add_scaled(add_scaled(w_B, 1.0, turned), share, slowing)
    return v, w_B, work


@device
def segment_impulse(path, segment, x):
    """Impulse (3) [N s], contact frame, at the share x of a segment of the path: a cubic in p."""
    p0, q1, q2 = 0.0, 0.0, 0.0
    if segment > 0:
        p0, q1, q2 = path[segment - 1, 0], path[segment - 1, 1], path[segment - 1, 2]
    row = path[segment]
    length = row[0] - p0
    early, late = x * (1.0 - x) * (1.0 - x) * length, -x * x * (1.0 - x) * length
    done = x * x * (3.0 - 2.0 * x)
    return (
        q1 + done * (row[1] - q1) + early * row[3] + late * row[5],
        q2 + done * (row[2] - q2) + early * row[4] + late * row[6],
        p0 + x * length,
    )


@routine
def rolling_impact(mass, inverse_inertia, dcm_AB, r, v, w_B, frame, path, segments, c_rr, w_s):
    """(v, w_B, work [J] <= 0) after an impact whose path was recorded, with rolling resistance."""
    work = 0.0
    before = (0.0, 0.0, 0.0)
    for segment in range(segments):
        for part in range(SUBSTEPS):
            after = segment_impulse(path, segment, (part + 1.0) / SUBSTEPS)
            if part + 1 == SUBSTEPS:  # exactly: shares of a segment round
                after = (path[segment, 1], path[segment, 2], path[segment, 0])
            change = (after[0] - before[0], after[1] - before[1], after[2] - before[2])
            if change[2] > 0.0:
                impulse = from_contact(frame, change)
                v, w_B, taken = rolling_part(
                    mass, inverse_inertia, dcm_AB, r, v, w_B, impulse, change[2], c_rr, w_s
                )
                work += taken
                before = after
    return v, w_B, work
