"""Loads of polygonal contacts between joined bodies, and the drives of surfaces that slide or spread.

    load on the stroke's drive  F . x         load on the spread's drive  Q/growth, Q = -sum F . dx/ds

A drive enters its line of speed with the load at rest, so that neither waits for the other; at stall both agree.
Validity: as the contact law and drives.py. Source: as contact/laws/foundation.py.
"""

from __future__ import annotations

import math

from haptos.contact.sets.polygons import LEAVES, NODES
from haptos.contact.sets.polygons_sum import (
    ACTUATOR,
    DAMPING,
    FORCE,
    SHEAR,
    SUMS,
    TENSION,
    TORQUE,
    VISCOUS,
    add_forces,
    move_nodes,
)
from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, add_scaled, cross, dot, scale, subtract
from haptos.dynamics.flexible.drives import asked_speed, drive_speed
from haptos.dynamics.joined.plant_booms import drive_of
from haptos.dynamics.joined.plant_model import (
    C_DAMPING,
    C_SHEAR,
    C_TENSION,
    C_VISCOUS,
    CONTACT_WORKS,
    S_FORCE,
    S_LOAD,
    S_RATE,
    S_SPEED,
    W_SPREAD,
    W_STROKE,
)
from haptos.dynamics.joined.plant_outer import (
    add_load,
    frame_of,
    matrix_of,
    product_transposed,
    three,
    velocity_at,
)

CITES: tuple[str, ...] = ()

NUDGE = 1e-9  # [1/s] rate of spread at which its load is asked for: no damping to speak of


@device
def slide_axis(plant, n):
    """Unit x of slide n in N axes."""
    body = plant.slides.body[n]
    dcm, frame = matrix_of(plant.bodies.dcm, body, 0), matrix_of(plant.slides.place, n, 3)
    return apply(dcm, (frame[0][0], frame[1][0], frame[2][0]))


@device
def shape_share(sigma):
    """(share of the shape's way, its derivative) at the spread sigma: 3 s^2 - 2 s^3."""
    s = min(max(sigma, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s)


@routine
def contact_pose(plant, k, y):
    """(r_BA_A, dcm_AB), place of A's frame, dcm_NA, arms of both frames from their bodies, N axes."""
    contact = plant.contacts[k]
    place_A, arm_A, dcm_NA = frame_of(plant, y, contact.bodies[0], contact.places, 0)
    place_B, arm_B, dcm_NB = frame_of(plant, y, contact.bodies[1], contact.places, 1)
    n = contact.bodies[2]
    if n >= 0:
        back = scale(-y[plant.layout.strokes + n], slide_axis(plant, n))
        place_B, arm_B = add(place_B, back), add(arm_B, back)
    pose = (
        apply_transposed(dcm_NA, subtract(place_B, place_A)),
        product_transposed(dcm_NA, dcm_NB),
    )
    return pose, place_A, dcm_NA, arm_A, arm_B


@routine
def contact_twist(plant, k, place, dcm_NA, arms, stroke_speed):
    """(v_BA_A, omega_BA_A) of B's frame seen from A's; a slide goes back at its speed [m/s]."""
    contact = plant.contacts[k]
    v_A, w_A = velocity_at(plant, contact.bodies[0], arms[0])
    v_B, w_B = velocity_at(plant, contact.bodies[1], arms[1])
    n = contact.bodies[2]
    if n >= 0 and stroke_speed != 0.0:
        v_B = add_scaled(v_B, -stroke_speed, slide_axis(plant, n))
    apart = apply(dcm_NA, place)
    v = subtract(subtract(v_B, v_A), cross(w_A, apart))
    return apply_transposed(dcm_NA, v), apply_transposed(dcm_NA, subtract(w_B, w_A))


@routine
def add_contact(plant, k, y, dy, stroke_speed, shape_rate, is_counted):
    """Sums of contact k, whose distances are known, with its slide at given speeds; loads and works if counted."""
    contact = plant.contacts[k]
    pose, place_A, dcm_NA, arm_A, arm_B = contact_pose(plant, k, y)
    twist = contact_twist(plant, k, pose[0], dcm_NA, (arm_A, arm_B), stroke_speed)
    sums = contact.sums
    add_forces(contact.law, pose, twist, (0.0, shape_rate), contact.found, sums)
    if not is_counted:
        return
    force = apply(dcm_NA, three(sums, FORCE))
    torque = add(apply(dcm_NA, three(sums, TORQUE)), cross(place_A, force))
    add_load(plant, contact.bodies[1], force, torque)
    add_load(plant, contact.bodies[0], scale(-1.0, force), scale(-1.0, torque))
    first = plant.layout.contacts + CONTACT_WORKS * k
    dy[first + C_DAMPING], dy[first + C_TENSION] = sums[DAMPING], sums[TENSION]
    dy[first + C_SHEAR], dy[first + C_VISCOUS] = sums[SHEAR], sums[VISCOUS]
    n = contact.bodies[2]
    if n >= 0:
        works = plant.layout.works
        dy[works + W_STROKE] += stroke_speed * dot(force, slide_axis(plant, n))
        dy[works + W_SPREAD] += sums[ACTUATOR]


@routine
def _ask(plant, k, y, is_spreading):
    """Distances of the nodes of contact k at a state."""
    contact = plant.contacts[k]
    move_nodes(
        contact.reference,
        contact.faces,
        contact_pose(plant, k, y)[0],
        (0.0, contact_spread(plant, k, y)),
        is_spreading,
        contact.found,
    )


@device
def contact_spread(plant, k, y):
    """Share of the way of a shape that spreads, 0 of others."""
    n = plant.contacts[k].bodies[2]
    return shape_share(y[plant.layout.spreads + n])[0] if n >= 0 else 0.0


@device
def _is_free(contact):
    return contact.found.counts[NODES] == 0 or contact.found.counts[LEAVES] == 0


@routine
def _clear(contact):
    for c in range(SUMS):
        contact.sums[c] = 0.0


@device
def _slide_speeds(plant, n, t, y, load, swell):
    """Speed of the stroke [m/s] and rate of the spread [1/s] of slide n under its loads [N], within its ends."""
    slides, at = plant.slides, plant.layout
    stroke, spread = drive_of(slides.stroke, n), drive_of(slides.spread, n)
    speed, rate = asked_speed(stroke, t), asked_speed(spread, t)
    x, sigma = y[at.strokes + n], y[at.spreads + n]
    if (speed > 0.0 and x >= slides.longest[n]) or (speed < 0.0 and x <= 0.0):
        speed = 0.0
    if (rate > 0.0 and sigma >= slides.until[n]) or (rate < 0.0 and sigma <= 0.0):
        rate = 0.0
    return drive_speed(speed, stroke.stall, load, 0.0), drive_speed(rate, spread.stall, swell, 0.0)


@device
def _note_slide(plant, n, dy, speed, load, rate, swell):
    at, now = plant.layout, plant.slides.now
    dy[at.strokes + n], dy[at.spreads + n] = speed, rate
    now[n, S_SPEED], now[n, S_FORCE], now[n, S_RATE], now[n, S_LOAD] = speed, load, rate, swell


@device
def _axial_load(plant, k, n, y):
    """Load [N] of contact k on the stroke of slide n."""
    dcm_NA = contact_pose(plant, k, y)[2]
    return dot(apply(dcm_NA, three(plant.contacts[k].sums, FORCE)), slide_axis(plant, n))


@routine
def add_contacts(plant, t, y, dy):
    """Loads of all contacts; rates of strokes and spreads. Those of a slide are asked twice while it moves: at rest
    for the load of its drives, then at the speeds that load allows."""
    for k in range(plant.layout.pairs):
        if _is_free(plant.contacts[k]):
            _clear(plant.contacts[k])
    for n in range(-1, plant.layout.slides):
        asked = n >= 0 and asked_speed(drive_of(plant.slides.stroke, n), t) != 0.0
        turn = asked_speed(drive_of(plant.slides.spread, n), t) if n >= 0 else 0.0
        nudge = math.copysign(NUDGE, turn) if turn != 0.0 else 0.0
        is_still = not asked and turn == 0.0
        load, swell = 0.0, 0.0
        for k in range(plant.layout.pairs):
            if plant.contacts[k].bodies[2] == n and not _is_free(plant.contacts[k]):
                _ask(plant, k, y, turn != 0.0)
                add_contact(plant, k, y, dy, 0.0, nudge, is_still)
                if n >= 0:
                    load += _axial_load(plant, k, n, y)
                if turn != 0.0:
                    swell += plant.contacts[k].sums[ACTUATOR] / (nudge * plant.slides.growth[n])
        if n >= 0:
            speed, rate = _slide_speeds(plant, n, t, y, load, swell)
            shape_rate = rate * shape_share(y[plant.layout.spreads + n])[1]
            for k in range(plant.layout.pairs):
                is_on = plant.contacts[k].bodies[2] == n and not _is_free(plant.contacts[k])
                if is_on and not is_still:
                    add_contact(plant, k, y, dy, speed, shape_rate, True)
            _note_slide(plant, n, dy, speed, load, rate, swell)
