"""Points of a net and balls of bullets pressed on bodies that are boxes: forces of the moment.

    gap by `box_contact`,   f = k depth^(3/2) max(0, 1 + a depth') n and friction, `point_mesh_rates`

A point that begins inside, as a net in its canister does, is left alone until it was found outside.
Frame: N; boxes about the centres of their bodies. Validity: friction has no memory; threads between two
nodes pass over edges. Source: elementary geometry; force in `point_mesh_rates`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN, entry_factor
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import dot, norm, subtract
from haptos.dynamics.contacts.detect import box_contact
from haptos.dynamics.contacts.memories import (
    ASLEEP,
    BOX_MET,
    BOX_PEAK,
)
from haptos.dynamics.contacts.point_mesh_rates import press, relative_speed
from haptos.dynamics.contacts.resolve import pair_numbers
from haptos.dynamics.ledger.extremes import note_contact_speed
from haptos.dynamics.rigid.bodies import attitude_of, three
from haptos.dynamics.rigid.loads import point_speed

CITES: tuple[str, ...] = ()

SEEN = 0.2  # [-] of half the thickness of a box that a point within it may move in a step


@routine
def on_box(system, motion, b, i, dcm):
    """(gap [m], normal) of point i and box b."""
    y = apply_transposed(
        dcm, subtract(three(motion.points.x, i), three(motion.bodies.place, system.boxes.body[b]))
    )
    gap, n = box_contact(system, b, i, y)
    return gap, apply(dcm, n)


@device
def _is_beside(system, b, i):
    """Whether a point may touch a box: not of its own body."""
    return system.points.radius[i] > 0.0 and system.points.owner[i] != system.boxes.body[b]


@routine
def press_boxes(system, motion, scratch, dy, works):
    """Push points that touch boxes out of them."""
    for b in range(len(system.boxes.body)):
        body, tally = system.boxes.body[b], motion.contacts.boxes.tally[b]
        dcm = rotation_matrix(attitude_of(motion, body))
        for i in range(len(system.points.owner)):
            factor = motion.contacts.boxes.factor[b, i]
            if factor == ASLEEP or not _is_beside(system, b, i):
                continue
            gap, n = on_box(system, motion, b, i, dcm)
            if gap < 0.0:
                pair = pair_numbers(system.boxes.numbers, b, system.points.kind[i])
                load = press(
                    system, motion, scratch, i, body, system.points.radius[i], gap, n, pair, factor, dy,
                    works,
                )  # fmt: skip
                tally[BOX_PEAK] = max(tally[BOX_PEAK], load)


@routine
def remember_boxes(system, motion):
    """Wake points that are outside for the first time; keep the factors of loss of those that touch."""
    for b in range(len(system.boxes.body)):
        body = system.boxes.body[b]
        dcm = rotation_matrix(attitude_of(motion, body))
        for i in range(len(system.points.owner)):
            if not _is_beside(system, b, i):
                continue
            factor = motion.contacts.boxes.factor[b, i]
            gap, n = on_box(system, motion, b, i, dcm)
            if gap >= 0.0:
                motion.contacts.boxes.factor[b, i] = OPEN
            elif factor == OPEN:
                relative, _ = relative_speed(system, motion, i, body, system.points.radius[i], n)
                note_contact_speed(motion, system.points.owner[i], relative, 1.0)
                pair = pair_numbers(system.boxes.numbers, b, system.points.kind[i])
                motion.contacts.boxes.factor[b, i] = entry_factor(pair, max(-dot(relative, n), 0.0))
                motion.contacts.boxes.tally[b, BOX_MET] += 1.0


@routine
def box_limit(system, motion):
    """Longest step [s] in which no point passes through a box unseen: to its face, or a share of its depth."""
    step = math.inf
    for b in range(len(system.boxes.body)):
        body = system.boxes.body[b]
        dcm = rotation_matrix(attitude_of(motion, body))
        half = three(system.boxes.half, b)
        seen = SEEN * min(half[0], half[1], half[2])
        for i in range(len(system.points.owner)):
            if motion.contacts.boxes.factor[b, i] == ASLEEP or not _is_beside(system, b, i):
                continue
            gap, _ = on_box(system, motion, b, i, dcm)
            speed = norm(
                subtract(
                    three(motion.points.v, i),
                    point_speed(system, motion, body, three(motion.points.x, i)),
                )
            )
            if speed > 0.0:
                step = min(step, max(gap, seen) / speed)
    return step
