"""Mass, stiffness and damping of joined bodies about the start of a step: what its implicit part is made of.

    z = (shift, turn) of every body, N axes           energy of a small motion  1/2 z^T K z,  loss  z'^T D z'
    K = sum T^T K_j T,   D = sum T^T D_j T,   T: motion of both bodies of joint j -> that of one seen from the other
    joints: booms (seen from the root, at the tip) and contacts that touch (seen from the reference, at its origin)
    p = T^T dW/dl of a joint that a drive makes longer: K z becomes K z - p l, l the change of its length or stroke
    d = T^T of the damping's wrench over the rate of the length, c its resistance: with v (1 - F/F_s) of the drive D
    becomes D - d d^T/(F_s/v + c)
They are held within a step. The step is exact to its order whatever they are; they decide how long it may be.
Validity: small motions within a step. Source: as boom.py and contact/sets/polygons_slope.py.
"""

from __future__ import annotations

from haptos.contact.sets.polygons_slope import DAMPING, STIFFNESS, fill_slopes
from haptos.contact.sets.polygons_sum import POLYGONS
from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply
from haptos.core.vectors import add, cross, scale, subtract
from haptos.dynamics.flexible.appendages import invert
from haptos.dynamics.flexible.boom import boom_load, boom_slope
from haptos.dynamics.flexible.drives import asked_speed
from haptos.dynamics.joined.plant_booms import (
    boom_pose,
    boom_speed,
    drive_of,
    law_of,
    share_of,
)
from haptos.dynamics.joined.plant_contacts import contact_pose, slide_axis
from haptos.dynamics.joined.plant_model import BODY
from haptos.dynamics.joined.plant_outer import matrix_of, three

CITES: tuple[str, ...] = ()

LENGTH_STEP = (
    1e-6  # [-] of a boom's length, by which the slope of its loads over its length is taken
)


@routine
def set_slopes(plant, t, y):
    """Start of a step: its state, and mass, stiffness and damping there; velocities must be set."""
    room, at = plant.implicit, plant.layout
    room.weight[0], room.joints[0] = 0.0, 0
    for i in range(at.size):
        room.start[i] = y[i]
    for i in range(6 * at.bodies):
        for j in range(6 * at.bodies):
            room.stiffness[i, j], room.damping[i, j] = 0.0, 0.0
        for m in range(at.booms + at.slides):
            room.pulls[m, i] = 0.0
    for k in range(at.booms):
        _add_boom(plant, k, t, y)
    for k in range(at.pairs):
        if plant.contacts[k].kept[POLYGONS] > 0.0:
            _add_contact(plant, k, y)
    if room.joints[0] > 0:
        for b in range(at.bodies):
            _set_mass(plant, b)


@routine
def _set_mass(plant, b):
    """Mass of body b in N axes: its momenta over its velocities, those of its modes held."""
    room = plant.implicit
    for i in range(6):
        for j in range(6):
            room.work[0, i, j] = plant.appendages.inverse[b, i, j]
    invert(room.work[0], room.work[1])
    _turned(matrix_of(plant.bodies.dcm, b, 0), room.work[1], room.work[0], room.mass[b])


@routine
def _add_boom(plant, k, t, y):
    """Elements of boom k, each seen from its root at its tip; then what a drive gives way that all of them share."""
    booms, room, share = plant.booms, plant.implicit, share_of(plant.booms, k)
    size, length = 6 * plant.layout.bodies, share * y[plant.layout.lengths + k]
    for i in range(size):
        room.wrench[i] = 0.0
    for e in range(booms.first[k], booms.first[k + 1]):
        tip, dcm, p, phi, _, _ = boom_pose(plant, e, e, y)
        law = law_of(booms.law, e)
        a, b = booms.bodies[e, 0], booms.bodies[e, 1]
        boom_slope(law, length, p, phi, 1.0, 1.0, room.work[2])
        _join(plant, a, b, y, tip, dcm, room.work[2], room.stiffness)
        boom_slope(law, length, p, phi, law.beta, law.stretch_beta, room.work[2])
        _join(plant, a, b, y, tip, dcm, room.work[2], room.damping)
        force, moment = _length_slope(law, length, p, phi)
        force, moment = scale(share, apply(dcm, force)), scale(share, apply(dcm, moment))
        _add_pull(plant, a, b, y, tip, force, moment, room.pulls[k])
        force, moment = _rate_slope(law, length, p, phi)
        force, moment = scale(share, apply(dcm, force)), scale(share, apply(dcm, moment))
        _add_pull(plant, a, b, y, tip, force, moment, room.wrench)
    _give_way(plant, k, t, y, size)


@routine
def _give_way(plant, k, t, y, size):
    """Damping that is left with a drive whose speed falls in proportion to its load: D - d d^T/(F_s/v + c)."""
    room, drive = plant.implicit, drive_of(plant.booms.drive, k)
    asked = abs(asked_speed(drive, t))
    speed, resistance = boom_speed(plant, k, t, y)
    if not 0.0 < abs(speed) < asked:
        return
    below = asked / (drive.stall + asked * resistance)
    for i in range(size):
        for j in range(size):
            room.damping[i, j] -= below * room.wrench[i] * room.wrench[j]


@routine
def _length_slope(law, length, p, phi):
    """(force [N/m], moment [N]) on the tip per length of the boom at one pose, root axes."""
    d, rest = LENGTH_STEP * length, (0.0, 0.0, 0.0)
    more = boom_load(law, length + d, p, phi, rest, rest, 0.0)
    less = boom_load(law, length - d, p, phi, rest, rest, 0.0)
    return (
        scale(0.5 / d, subtract(more.force, less.force)),
        scale(0.5 / d, subtract(more.moment, less.moment)),
    )


@routine
def _rate_slope(law, length, p, phi):
    """(force [N s/m], moment [N s]) on the tip per rate of the boom's length, root axes."""
    rest = (0.0, 0.0, 0.0)
    more = boom_load(law, length, p, phi, rest, rest, 1.0)
    less = boom_load(law, length, p, phi, rest, rest, 0.0)
    return subtract(more.force, less.force), subtract(more.moment, less.moment)


@routine
def _add_contact(plant, k, y):
    """Contact k, seen from its reference at the origin of that."""
    contact, room = plant.contacts[k], plant.implicit
    _, place, dcm, _, _ = contact_pose(plant, k, y)
    a, b = contact.bodies[0], contact.bodies[1]
    _join(plant, a, b, y, place, dcm, contact.slopes[STIFFNESS], room.stiffness)
    n = contact.bodies[2]
    if n >= 0:
        axis, s = slide_axis(plant, n), room.work[1]
        out = room.pulls[plant.layout.booms + n]
        _add_pull(plant, a, b, y, place, _times(s, 0, axis), _times(s, 3, axis), out)
    _join(plant, a, b, y, place, dcm, contact.slopes[DAMPING], room.damping)


@routine
def keep_slopes(contact):
    """Stiffness and damping of a contact at the state just evaluated, for the steps from there."""
    if contact.sums[POLYGONS] > 0.0:
        fill_slopes(contact.law, contact.found, contact.slopes)


@routine
def _turned(dcm, local, work, out):
    """R M R^T of a (6, 6) matrix of two vectors, R = dcm on both."""
    for i in range(6):
        f, c = 3 * (i // 3), i % 3
        for j in range(6):
            work[i, j] = (
                dcm[c][0] * local[f, j] + dcm[c][1] * local[f + 1, j] + dcm[c][2] * local[f + 2, j]
            )
    for i in range(6):
        for j in range(6):
            f, c = 3 * (j // 3), j % 3
            out[i, j] = (
                dcm[c][0] * work[i, f] + dcm[c][1] * work[i, f + 1] + dcm[c][2] * work[i, f + 2]
            )


@routine
def _join(plant, a, b, y, place, dcm, local, out):
    """Add T^T S T of a joint between bodies a and b at a place, S given in the axes of dcm."""
    room = plant.implicit
    room.joints[0] += 1
    _turned(dcm, local, room.work[0], room.work[1])
    arm_a, arm_b = subtract(place, three(y, a * BODY)), subtract(place, three(y, b * BODY))
    _add_block(room, arm_b, arm_b, b, b, 1.0, out)
    _add_block(room, arm_a, arm_a, a, a, 1.0, out)
    _add_block(room, arm_b, arm_a, b, a, -1.0, out)
    _add_block(room, arm_a, arm_b, a, b, -1.0, out)


@routine
def _add_block(room, arm_r, arm_c, r, c, sign, out):
    """Add sign T_r^T S T_c, S = work[1], to the block of bodies r and c; T moves a body's motion out by its arm."""
    s, w = room.work[1], room.work[0]
    for i in range(6):
        row = (s[i, 0], s[i, 1], s[i, 2])
        for j in range(3):
            w[i, j] = row[j]
        w[i, 3] = s[i, 3] + arm_c[1] * row[2] - arm_c[2] * row[1]
        w[i, 4] = s[i, 4] + arm_c[2] * row[0] - arm_c[0] * row[2]
        w[i, 5] = s[i, 5] + arm_c[0] * row[1] - arm_c[1] * row[0]
    for j in range(6):
        x, y, z = w[0, j], w[1, j], w[2, j]
        out[6 * r, 6 * c + j] += sign * x
        out[6 * r + 1, 6 * c + j] += sign * y
        out[6 * r + 2, 6 * c + j] += sign * z
        out[6 * r + 3, 6 * c + j] += sign * (w[3, j] + arm_r[1] * z - arm_r[2] * y)
        out[6 * r + 4, 6 * c + j] += sign * (w[4, j] + arm_r[2] * x - arm_r[0] * z)
        out[6 * r + 5, 6 * c + j] += sign * (w[5, j] + arm_r[0] * y - arm_r[1] * x)


@routine
def _add_pull(plant, a, b, y, place, f, m, out):
    """Add T^T (f, m): what a force and a moment at a place on body b, and their opposites on a, do to both."""
    arm_a, arm_b = subtract(place, three(y, a * BODY)), subtract(place, three(y, b * BODY))
    on_b, on_a = add(m, cross(arm_b, f)), add(m, cross(arm_a, f))
    for i in range(3):
        out[6 * b + i] += f[i]
        out[6 * b + 3 + i] += on_b[i]
        out[6 * a + i] -= f[i]
        out[6 * a + 3 + i] -= on_a[i]


@device
def _times(s, first, x):
    """Three rows from `first` of a (6, 6) matrix, on a shift."""
    return (
        s[first, 0] * x[0] + s[first, 1] * x[1] + s[first, 2] * x[2],
        s[first + 1, 0] * x[0] + s[first + 1, 1] * x[1] + s[first + 1, 2] * x[2],
        s[first + 2, 0] * x[0] + s[first + 2, 1] * x[1] + s[first + 2, 2] * x[2],
    )
