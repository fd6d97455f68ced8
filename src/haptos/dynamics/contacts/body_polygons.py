"""Rigid bodies of a system that press on each other, or on the ground, by polygons, over one step.

A step is cut into parts as short as the contact asks. In the middle of each part every row of faces gives its kick,

    x(t + dt/2) = x + v dt/2,   J = dt F(x, v + J/(2 m)),   v' = v + J/m

which keeps the energy of springs as Verlet's scheme does; forces that depend on velocities see the mean of both,
by one repetition. Rows act one after the other, forwards and backwards in turn. What threads and fields do to a body,
half of it before and half after the drift, counts in the contact as the even pull a it is,

    x - a t (h - t)/2,   v - a (h/2 - t)        t  time within the step h [s]

or a body at rest would be thrown up and down in every step, and damping and friction would eat that.

    dt <= PART/w,  PART_LOSS/r,    w^2 = sum of K A/m,  r = sum of D A/m
    A  area [m^2] of the leaves that may touch within the step       1/m  inverse masses of both bodies, at most

Polygons are found at the start of a step, and again where bodies have gone farther than their margin; stretches of
friction go on from part to part. Losses of a step are

    damping   = sum of dt x (power of damping and viscous shear, at the mean velocity)
    friction + released = work of shear forces - change of what stretches store

Momenta are kept to rounding: the reference takes the opposite of the change of both momenta.
Frame: N axes. Validity: as the contact law; attitudes change little within a part.
Source: [Hairer2003] for the scheme; the law is contact/laws/foundation.py.
"""

from __future__ import annotations

import math

from haptos.contact.sets.polygons import LEAVES, NODES, OVERFLOW
from haptos.contact.sets.polygons_memory import remember
from haptos.contact.sets.polygons_step import (
    A_ELASTIC,
    A_REMESH,
    A_STICK,
    begin_polygons,
    most_released,
)
from haptos.contact.sets.polygons_sum import (
    DAMPING,
    DEPTH,
    ELASTIC,
    FORCE,
    POLYGONS,
    PRESSURE,
    SHEAR,
    SLIPPING,
    TORQUE,
    VISCOUS,
    add_forces,
    move_nodes,
)
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, add_scaled, cross, dot, norm, scale, subtract
from haptos.dynamics.cable.candidates import AMPLE
from haptos.dynamics.contacts.body_kicks import book_body_losses
from haptos.dynamics.contacts.point_mesh import TINY
from haptos.dynamics.contacts.polygon_rows import GROUND, NOBODY
from haptos.dynamics.contacts.resolve import (
    TURNING,
    pose_at,
    push_centre,
    rates_of_fast,
    turn_early,
    world_inverse,
)
from haptos.dynamics.joined.plant_outer import product_transposed
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.rigid.bodies import rates_of, strike, three
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING
from haptos.geometry.distance.reference import reference_gap

CITES: tuple[str, ...] = ("Hairer2003",)

PART, PART_LOSS = 0.05, 0.1  # [-] of a part of a step against what presses, and what is lost
MOST_PARTS = 20_000  # [-] of a step
STILL = (0.0, 0.0)  # spreads of shapes, and their rates: none changes


@routine
def frame_at(row, side, system, motion, time):
    """(origin [m], dcm) of the reference (0) or sampled body (1) after a time [s] of its free way."""
    body = row.bodies[side]
    if body == GROUND:
        f = row.frame
        return (f[0], f[1], f[2]), ((f[3], f[4], f[5]), (f[6], f[7], f[8]), (f[9], f[10], f[11]))
    place, dcm = pose_at(system, motion, body, time)
    left = motion.step.length - time
    return add_scaled(place, -0.5 * time * left, _pull(motion, body)), dcm


@device
def _pull(motion, body):
    """Acceleration [m/s^2] of a body's centre by threads and fields."""
    return scale(motion.bodies.inverse_mass[body], three(motion.bodies.force, body))


@routine
def speeds_of(row, side, system, motion, dcm, time):
    """(velocity [m/s], rate [rad/s]) of the reference or sampled body at a time [s] within the step, N axes."""
    body = row.bodies[side]
    if body == GROUND:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    rate = rates_of_fast(dcm, three(system.inverse_inertia, body), motion, body)
    ahead = 0.5 * motion.step.length - time
    return add_scaled(three(motion.bodies.speed, body), -ahead, _pull(motion, body)), rate


@device
def _inverse_mass(motion, body):
    return 0.0 if body == GROUND else motion.bodies.inverse_mass[body]


@device
def _pose(first, second):
    """(r_BA_A, dcm_AB) of the frames of reference and sampled body."""
    apart = apply_transposed(first[1], subtract(second[0], first[0]))
    return apart, product_transposed(first[1], second[1])


@routine
def _speed_bound(row, system, motion):
    """Speed [m/s] of a node relative to the reference, at most."""
    a, b, size = row.bodies[0], row.bodies[1], row.faces.size
    v, apart, turning = three(motion.bodies.speed, b), three(motion.bodies.place, b), 0.0
    if a != GROUND:
        v = subtract(v, three(motion.bodies.speed, a))
        apart = subtract(apart, three(motion.bodies.place, a))
        turning = norm(rates_of(system, motion, a)) * (norm(apart) + size)
    return norm(v) + norm(rates_of(system, motion, b)) * size + turning


@routine
def search_row(row, system, motion, time):
    """Find the polygons of a row that may touch within a step [s]; whether there are any."""
    now = row.pressing
    way = AMPLE * _speed_bound(row, system, motion) * time + TINY
    now.clear -= way
    if now.clear > 0.0:
        return False
    pose = _pose(frame_at(row, 0, system, motion, 0.0), frame_at(row, 1, system, motion, 0.0))
    gap, _, _, _ = reference_gap(row.reference, pose[0], 0.0, 0, row.found.search)
    now.clear = gap - row.faces.size - way
    if now.clear > 0.0:
        return False
    _find(row, pose, way)
    return row.found.counts[LEAVES] > 0


@routine
def _find(row, pose, margin):
    """Find the polygons within a margin [m] and begin their account."""
    begin_polygons(row, pose, STILL, margin, row.account)
    now = row.pressing
    now.margin = margin
    now.shear_work, now.most_released = 0.0, 0.0
    if row.found.counts[OVERFLOW] == 1:
        now.is_full = 1


@routine
def _went(row, pose):
    """How far [m] any node may have gone since its polygons were found."""
    frame, shift, turn = row.found.asked.frame, 0.0, 0.0
    for i in range(3):
        shift += (pose[0][i] - frame[i]) ** 2
        for j in range(3):
            turn += (pose[1][i][j] - frame[3 + 3 * i + j]) ** 2
    return math.sqrt(shift) + row.faces.size * math.sqrt(turn)


@routine
def _stiffness(row, motion):
    """(w^2 [1/s^2], r [1/s]) of a row if all its leaves pressed."""
    area = 0.0
    for m in range(row.found.counts[LEAVES]):
        area += row.found.area[m]
    inverse = _inverse_mass(motion, row.bodies[0]) + _inverse_mass(motion, row.bodies[1])
    inverse *= TURNING * area
    law = row.law
    return max(law.modulus, law.shear) * inverse, max(law.damping, law.shear_damping) * inverse


@routine
def _loads(row, system, motion, first, second, at, ahead):
    """Sums of a row at a pose whose distances are known; (force, torque about B's centre) on B, N axes.

    at     time within the step [s]
    ahead  [s] by which what the row's own last force does is added to the velocities
    """
    a, b = row.bodies[0], row.bodies[1]
    v_A, w_A = speeds_of(row, 0, system, motion, first[1], at)
    v_B, w_B = speeds_of(row, 1, system, motion, second[1], at)
    apart = subtract(second[0], first[0])
    if ahead > 0.0:
        force, torque = _on_sampled(row, first, apart)
        v_B = add_scaled(v_B, ahead * _inverse_mass(motion, b), force)
        w_B = add_scaled(
            w_B, ahead, world_inverse(second[1], three(system.inverse_inertia, b), torque)
        )
        if a != GROUND:
            v_A = add_scaled(v_A, -ahead * _inverse_mass(motion, a), force)
            about = add(torque, cross(apart, force))
            w_A = add_scaled(
                w_A, -ahead, world_inverse(first[1], three(system.inverse_inertia, a), about)
            )
    v = apply_transposed(first[1], subtract(subtract(v_B, v_A), cross(w_A, apart)))
    w = apply_transposed(first[1], subtract(w_B, w_A))
    add_forces(row.law, _pose(first, second), (v, w), STILL, row.found, row.sums)
    return _on_sampled(row, first, apart)


@device
def _on_sampled(row, first, apart):
    """(force [N], torque about its centre [N m]) of a row's sums on the sampled body, N axes."""
    s = row.sums
    force = apply(first[1], (s[FORCE], s[FORCE + 1], s[FORCE + 2]))
    torque = apply(first[1], (s[TORQUE], s[TORQUE + 1], s[TORQUE + 2]))
    return force, subtract(torque, cross(apart, force))


@routine
def carry_on(row):
    """Let stretches of friction go on from the state of the row's sums; note what they let go."""
    found, now = row.found, row.pressing
    now.most_released += most_released(row)
    if row.sums[SLIPPING] > 0.0:
        now.slips = 1
    for k in range(found.counts[NODES]):
        found.weight_before[k] = found.weight[k]
        for c in range(3):
            found.stretch[k, c] = found.held[k, c]
            found.point_before[k, c] = found.point[k, c]


@device
def _arm(impulse, angular):
    """Arm [m] at which an impulse [N s] has an angular one [N m s], except for what turns about it."""
    square = dot(impulse, impulse)
    return scale(1.0 / square, cross(impulse, angular)) if square > 0.0 else (0.0, 0.0, 0.0)


@routine
def _push(system, motion, body, impulse, early, angular, early_angular):
    """Give a body an impulse [N s] and one about its centre [N m s]; the change of its angular momentum about the origin."""
    book_body_losses(system, motion, body, _arm(impulse, angular), impulse, early)
    strike(motion, body, (0.0, 0.0, 0.0), angular)
    turn_early(system, motion, body, early_angular)
    return add(push_centre(motion, body, impulse, early), angular)


@routine
def _push_both(row, system, motion, apart, impulse, angular, time):
    """Give the sampled body its impulses at a time [s] within the step, the reference their opposite."""
    a, b = row.bodies[0], row.bodies[1]
    early, early_angular = scale(time, impulse), scale(time, angular)
    spun = _push(system, motion, b, impulse, early, angular, early_angular)
    if a == GROUND:
        return
    back, against, late = (
        add(angular, cross(apart, impulse)),
        scale(-1.0, impulse),
        scale(-1.0, early),
    )
    book_body_losses(system, motion, a, _arm(impulse, back), against, late)
    orbital = push_centre(motion, a, against, late)
    strike(motion, a, (0.0, 0.0, 0.0), scale(-1.0, add(spun, orbital)))
    turn_early(system, motion, a, scale(-time, back))


@routine
def kick_row(row, system, motion, at, part):
    """Kick of a row for a part [s] of a step, at a time [s] within it."""
    first, second = frame_at(row, 0, system, motion, at), frame_at(row, 1, system, motion, at)
    pose, now = _pose(first, second), row.pressing
    if _went(row, pose) > now.margin:
        end_row(row, motion)
        _find(row, pose, 4.0 * AMPLE * _speed_bound(row, system, motion) * part + TINY)
    if row.found.counts[LEAVES] == 0:
        return
    move_nodes(row.reference, row.faces, pose, STILL, False, row.found)
    _loads(row, system, motion, first, second, at, 0.0)
    law = row.law
    if law.damping > 0.0 or law.friction_at_rest > 0.0:
        _loads(row, system, motion, first, second, at, 0.5 * part)
    apart = subtract(second[0], first[0])
    force, torque = _on_sampled(row, first, apart)
    sums = row.sums
    if sums[POLYGONS] == 0.0:
        carry_on(row)
        now.is_touching = 0
        return
    _push_both(row, system, motion, apart, scale(part, force), scale(part, torque), at)
    motion.ledger.work[CONTACT_DAMPING] -= part * (sums[DAMPING] + sums[VISCOUS])
    now.shear_work += part * sums[SHEAR]
    carry_on(row)
    if now.is_touching == 0:
        now.met += 1
        note_contact_speed(
            motion, row.bodies[1], (_speed_bound(row, system, motion), 0.0, 0.0), 1.0
        )
    now.is_touching = 1
    now.peak = max(now.peak, norm(force))
    now.deepest = max(now.deepest, sums[DEPTH])
    now.pressure = max(now.pressure, sums[PRESSURE])


@routine
def end_row(row, motion):
    """Book what friction took since the row's account began; its stretches are remembered by name."""
    now, account, found = row.pressing, row.account, row.found
    stick = 0.0
    for k in range(found.counts[NODES]):
        a = (found.stretch[k, 0], found.stretch[k, 1], found.stretch[k, 2])
        stick += 0.5 * row.law.shear * found.weight[k] * dot(a, a)
    taken = now.shear_work - (stick - account[A_STICK])
    if now.slips == 0:
        taken = min(max(taken, 0.0), now.most_released)
    motion.ledger.work[RUBBING] -= taken
    account[A_STICK] = stick
    for k in range(found.counts[NODES]):
        for c in range(3):
            found.held[k, c] = found.stretch[k, c]
    remember(row.memory, found, row.law.resets)


@routine
def held_by_row(row, system, motion, time):
    """Energy [J] that a row holds at the end of a step [s], all kicks given."""
    first, second = frame_at(row, 0, system, motion, time), frame_at(row, 1, system, motion, time)
    pose = _pose(first, second)
    move_nodes(row.reference, row.faces, pose, STILL, False, row.found)
    _loads(row, system, motion, first, second, time, 0.0)
    row.pressing.deepest = max(row.pressing.deepest, row.sums[DEPTH])
    elastic, slipping = row.sums[ELASTIC], row.sums[SLIPPING]
    carry_on(row)
    end_row(row, motion)
    row.account[A_ELASTIC] = elastic
    row.pressing.slips = 1 if slipping > 0.0 else 0
    row.pressing.clear = 0.0
    return elastic + row.account[A_STICK]


@routine
def _leave(row):
    """A row whose faces cannot touch holds nothing."""
    row.account[A_ELASTIC], row.account[A_STICK], row.account[A_REMESH] = 0.0, 0.0, 0.0
    row.memory.count[0] = 0
    row.pressing.is_near, row.pressing.slips, row.pressing.is_touching = 0, 0, 0


@routine
def parts_of(rows, motion, time):
    """Parts a step [s] is cut into."""
    square, rate = 0.0, 0.0
    for row in rows:
        if row.pressing.is_near == 1:
            own, lost = _stiffness(row, motion)
            square, rate = square + own, rate + lost
    most = max(math.sqrt(square) * time / PART, rate * time / PART_LOSS)
    return int(min(max(math.ceil(most), 1.0), MOST_PARTS))


@routine
def touch_polygons(rows, system, motion, time, stack):
    """(energy held at the end of a step [J], largest force [N]) of bodies that press by polygons."""
    count = 0
    for k in range(len(rows)):
        row = rows[k]
        if row.bodies[0] == NOBODY:
            continue
        if search_row(row, system, motion, time):
            row.pressing.is_near = 1
            count += 1
        else:
            _leave(row)
    if count == 0:
        return 0.0, 0.0
    parts = parts_of(rows, motion, time)
    part, peak, energy = time / parts, 0.0, 0.0
    for p in range(parts):
        for k in range(len(rows)):
            row = rows[len(rows) - 1 - k if p % 2 == 1 else k]
            if row.pressing.is_near == 1:
                before = row.pressing.peak
                row.pressing.peak = 0.0
                kick_row(row, system, motion, (p + 0.5) * part, part)
                peak = max(peak, row.pressing.peak)
                row.pressing.peak = max(before, row.pressing.peak)
    for k in range(len(rows)):
        if rows[k].pressing.is_near == 1:
            energy += held_by_row(rows[k], system, motion, time)
    return energy, peak
