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
        r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13]
    )


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
def boom_pose(plant, k, y):
    """(tip from N's origin, dcm_N root, p, phi, velocity, turn) of the tip of boom k seen from its root."""
    booms = plant.booms
    a, b = booms.bodies[k, 0], booms.bodies[k, 1]
    root, root_arm, dcm_root = frame_of(plant, y, a, booms.root, k)
    tip, tip_arm, dcm_tip = frame_of(plant, y, b, booms.tip, k)
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


@routine
def boom_now(plant, k, t, length, p, phi, p_rate, omega):
    """(load, speed of the drive) of boom k at a pose and rates; those of a drive that gives way are solved for."""
    booms = plant.booms
    law = law_of(booms.law, k)
    still = boom_load(law, length, p, phi, p_rate, omega, 0.0)
    speed = _length_rate(booms, k, t, length, still)
    if speed == 0.0:
        return still, speed
    return boom_load(law, length, p, phi, p_rate, omega, speed), speed


@routine
def add_boom(plant, k, t, y, dy):
    """Loads of boom k, the rate of its length, works."""
    booms, at = plant.booms, plant.layout
    a, b = booms.bodies[k, 0], booms.bodies[k, 1]
    tip, dcm_root, p, phi, p_rate, omega = boom_pose(plant, k, y)
    load, speed = boom_now(plant, k, t, y[at.lengths + k], p, phi, p_rate, omega)
    force, moment = apply(dcm_root, load.force), apply(dcm_root, load.moment)
    torque = add(cross(tip, force), moment)
    add_load(plant, b, force, torque)
    add_load(plant, a, scale(-1.0, force), scale(-1.0, torque))
    drive = load.drive_force + load.resistance * speed
    dy[at.lengths + k] = speed
    dy[at.works + W_BOOM] += drive * speed
    dy[at.works + W_BOOM_DAMPING] += load.loss
    _note(booms.now[k], load, speed, drive, p, phi)


@device
def _length_rate(booms, k, t, length, load):
    drive = drive_of(booms.drive, k)
    asked = asked_speed(drive, t)
    if (asked > 0.0 and length >= booms.limits[k, 1]) or (
        asked < 0.0 and length <= booms.limits[k, 0]
    ):
        return 0.0
    return drive_speed(asked, drive.stall, load.drive_force, load.resistance)


@routine
def _note(now, load, speed, drive, p, phi):
    """Keep what the boom does at this evaluation."""
    now[B_SPEED], now[B_DRIVE], now[B_TENSION] = speed, drive, -load.force[0]
    now[B_ENERGY], now[B_EXTENSION] = load.energy, load.extension
    root = root_moment(p, load.force, load.moment)
    for i in range(3):
        now[B_FORCE + i], now[B_MOMENT + i] = load.force[i], load.moment[i]
        now[B_ROOT + i], now[B_PLACE + i], now[B_TURN + i] = root[i], p[i], phi[i]
