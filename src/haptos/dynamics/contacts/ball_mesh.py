"""Balls of bullets against the surface of a body, over one step.

A bullet that lands on a face presses with several balls at once, and turns while it does: the step is
cut into parts as short as the stiffest contact asks, and all balls go through each part one after the
other, forwards and backwards in turn. Their lists of triangles are those of `point_mesh`.

    part <= 0.2/w,   w  frequency of the contact at its deepest [1/s]

Frame: N axes. Validity: as `point_mesh`. Source: the scheme is ours; the force is that of
`contact_flow`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import longest_step
from haptos.core.jit import device, routine
from haptos.core.rotations import apply_transposed
from haptos.core.vectors import norm, subtract
from haptos.dynamics.contacts.detect import mesh_contact
from haptos.dynamics.contacts.glue import is_glued
from haptos.dynamics.contacts.point_mesh import touch_point
from haptos.dynamics.contacts.resolve import (
    TURNING,
    carried_to,
    centre_of,
    largest_inverse_mass,
    pair_numbers,
    path_of,
    pose_at,
)
from haptos.dynamics.rigid.bodies import place_points, three

CITES: tuple[str, ...] = ()

MOST_PARTS = 1000  # [-] of a step


@device
def _is_near(system, motion, i):
    is_ball = system.points.owner[i] >= 0 and motion.contacts.mesh.near_count[i] > 0
    is_ball = is_ball and not is_glued(system, motion, i, system.surface.body)
    return is_ball and motion.contacts.search.travel >= motion.contacts.mesh.clear[i]


@routine
def parts_of(system, motion, time):
    """Parts a step [s] is cut into: 0 if no ball is near, 1 if none presses."""
    body, surface = system.surface.body, system.surface
    near, shortest = 0, time
    for a in range(int(motion.contacts.search.point_count)):
        i = motion.contacts.mesh.active[a]
        if not _is_near(system, motion, i):
            continue
        near = 1
        place, dcm = pose_at(system, motion, body, 0.0)
        y = apply_transposed(dcm, subtract(three(motion.points.x, i), place))
        gap, _, row = mesh_contact(system, motion, i, y)
        speed = norm(subtract(path_of(system, motion, i)[1], three(motion.bodies.speed, body)))
        if gap > speed * time:
            continue
        pair = pair_numbers(surface.pairs, surface.surface[row], system.points.kind[i])
        inverse = (
            largest_inverse_mass(system, motion, i) + TURNING * motion.bodies.inverse_mass[body]
        )
        step = longest_step(pair, inverse, -gap, speed, system.options.has_memory, inverse)
        shortest = min(shortest, step)
    return near * int(min(math.ceil(time / shortest), MOST_PARTS))


@routine
def touch_balls(system, motion, time):
    """(largest force [N], contacts of balls at the ends of the parts of a step)."""
    peak, touching = 0.0, 0
    place_points(system, motion)
    parts = parts_of(system, motion, time)
    count, body = int(motion.contacts.search.point_count), system.surface.body
    for p in range(parts):
        begin, part = p * time / parts, time / parts
        for a in range(count):
            i = motion.contacts.mesh.active[count - 1 - a if p % 2 == 1 else a]
            if not _is_near(system, motion, i):
                continue
            place, dcm = pose_at(system, motion, body, begin)
            moved, dcm_end = pose_at(system, motion, body, begin + part)
            x, end = (
                carried_to(system, motion, i, begin),
                carried_to(system, motion, i, begin + part),
            )
            y = apply_transposed(dcm, subtract(x, place))
            y_end = apply_transposed(dcm_end, subtract(end, moved))
            middle = begin + 0.5 * part
            places = (
                carried_to(system, motion, i, middle),
                centre_of(motion, system.points.owner[i], middle),
            )
            is_touching, force = touch_point(
                system, motion, i, (y, y_end), (dcm_end, place), places, (begin, part, time)
            )
            peak = max(peak, force)
            if is_touching:
                touching += 1
    return peak, touching
