"""Loads of booms on the bodies they join, and the speed of their drives.

Validity: as boom.py and drives.py. Source: as boom.py.
"""

from __future__ import annotations

import math

from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, cross, norm, scale, subtract
from haptos.dynamics.flexible.boom import BoomLaw, boom_load, root_moment
from haptos.dynamics.flexible.drives import Drive, asked_speed, drive_speed
from haptos.dynamics.joined.plant_model import (
    B_DRIVE,
    B_ENERGY,
    B_EXTENSION,
    B_FORCE,
    B_MOMENT,
    B_PLACE,
    B_ROOT,
    B_SPEED,
    B_TENSION,
    B_TURN,
    W_BOOM,
    W_BOOM_DAMPING,
)
from haptos.dynamics.joined.plant_outer import (
    add_load,
    frame_of,
    product_transposed,
    velocity_at,
)

CITES: tuple[str, ...] = ()


@device
def law_of(rows, k):
    r = rows[k]
    return BoomLaw(
        r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13], r[14]
    )  # fmt: skip


@device
def drive_of(rows, k):
    r = rows[k]
    return Drive(r[0], r[1], r[2], r[3], r[4])


@device
def rotation_vector(dcm):
    """phi [rad] of a rotation matrix that turns by less than pi."""
    s = (
        0.5 * (dcm[2][1] - dcm[1][2]),
        0.5 * (dcm[0][2] - dcm[2][0]),
        0.5 * (dcm[1][0] - dcm[0][1]),
    )
    sine = norm(s)
    if sine < 1e-12:
        return s
    cosine = 0.5 * (dcm[0][0] + dcm[1][1] + dcm[2][2] - 1.0)
    return scale(math.atan2(sine, cosine) / sine, s)


@device
def boom_pose(plant, first, last, y):
    """(tip from N's origin, dcm_N root, p, phi, velocity, turn) of the tip of element `last` seen from the root of `first`."""
    booms = plant.booms
    a, b = booms.bodies[first, 0], booms.bodies[last, 1]
    root, root_arm, dcm_root = frame_of(plant, y, a, booms.root, first)
    tip, tip_arm, dcm_tip = frame_of(plant, y, b, booms.tip, last)
    v_root, w_root = velocity_at(plant, a, root_arm)
    v_tip, w_tip = velocity_at(plant, b, tip_arm)
    apart = subtract(tip, root)
    p = apply_transposed(dcm_root, apart)
    phi = rotation_vector(product_transposed(dcm_root, dcm_tip))
    v = subtract(subtract(v_tip, v_root), cross(w_root, apart))
    return (
        tip,
        dcm_root,
        p,
        phi,
        apply_transposed(dcm_root, v),
        apply_transposed(dcm_root, subtract(w_tip, w_root)),
    )


@device
def share_of(booms, k):
    """Share [-] of the length of boom k that each of its elements has."""
    return 1.0 / (booms.first[k + 1] - booms.first[k])


@routine
def element_load(plant, e, y, length, speed):
    """`BoomLoad` of element e with a length [m] and its rate [m/s]."""
    _, _, p, phi, v, w = boom_pose(plant, e, e, y)
    return boom_load(law_of(plant.booms.law, e), length, p, phi, v, w, speed)


@routine
def boom_speed(plant, k, t, y):
    """(rate of the length [m/s], resistance [N s/m]) of boom k: a drive that gives way is solved for."""
    booms, length, share = plant.booms, y[plant.layout.lengths + k], share_of(plant.booms, k)
    force, resistance = 0.0, 0.0
    for e in range(booms.first[k], booms.first[k + 1]):
        load = element_load(plant, e, y, share * length, 0.0)
        force += share * load.drive_force
        resistance += share * share * load.resistance
    return _length_rate(booms, k, t, length, force, resistance), resistance


@routine
def add_boom(plant, k, t, y, dy):
    """Loads of boom k, the rate of its length, works."""
    booms, at = plant.booms, plant.layout
    speed, _ = boom_speed(plant, k, t, y)
    share, now = share_of(booms, k), booms.now[k]
    first, last = booms.first[k], booms.first[k + 1] - 1
    drive, energy = 0.0, 0.0
    for e in range(first, last + 1):
        tip, dcm, p, phi, v, w = boom_pose(plant, e, e, y)
        law, length = law_of(booms.law, e), share * y[at.lengths + k]
        load = boom_load(law, length, p, phi, v, w, share * speed)
        _add_wrench(plant, e, tip, apply(dcm, load.force), apply(dcm, load.moment))
        drive += share * (load.drive_force + load.resistance * (share * speed))
        energy += load.energy
        dy[at.works + W_BOOM_DAMPING] += load.loss
        if e == first:
            _note_root(now, load, p)
        if e == last:
            _note_tip(now, load)
    dy[at.lengths + k] = speed
    dy[at.works + W_BOOM] += drive * speed
    now[B_SPEED], now[B_DRIVE], now[B_ENERGY] = speed, drive, energy
    _, _, place, turn, _, _ = boom_pose(plant, first, last, y)
    for i in range(3):
        now[B_PLACE + i], now[B_TURN + i] = place[i], turn[i]


@device
def _add_wrench(plant, e, tip, force, moment):
    """Wrench of element e on its tip's body, its opposite on its root's."""
    a, b = plant.booms.bodies[e, 0], plant.booms.bodies[e, 1]
    torque = add(cross(tip, force), moment)
    add_load(plant, b, force, torque)
    add_load(plant, a, scale(-1.0, force), scale(-1.0, torque))


@device
def _length_rate(booms, k, t, length, force, resistance):
    drive = drive_of(booms.drive, k)
    asked = asked_speed(drive, t)
    if (asked > 0.0 and length >= booms.limits[k, 1]) or (
        asked < 0.0 and length <= booms.limits[k, 0]
    ):
        return 0.0
    return drive_speed(asked, drive.stall, force, resistance)


@routine
def _note_root(now, load, p):
    """Keep what the boom does at its root: tension, moment, its spring."""
    now[B_TENSION], now[B_EXTENSION] = -load.force[0], load.extension
    root = root_moment(p, load.force, load.moment)
    for i in range(3):
        now[B_ROOT + i] = root[i]


@routine
def _note_tip(now, load):
    """Keep what the boom does at its tip, in axes of its last element's root."""
    for i in range(3):
        now[B_FORCE + i], now[B_MOMENT + i] = load.force[i], load.moment[i]
