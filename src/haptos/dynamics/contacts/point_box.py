"""Points of a net and balls of bullets against bodies that are boxes, the chaser first of all.

    q = |y| - half sides;   outside  gap = |max(q, 0)|,   inside  gap = max(q)

    y  place of a point in the axes of the box [m]
A point that begins inside, as a net in its canister does, is left alone until it was found outside.
Where the way of a step goes into the box or through it, the face it goes in by gives the normal.
Points far off are not looked at until the ways of all points add up to a margin. Impulses are those
of `resolve`.
Frame: axes of the body, box about its centre. Validity: friction has no memory; threads between two
nodes pass over edges. Source: elementary geometry; force in `contact_flow`.
"""

from __future__ import annotations

import math

from haptos.contact.contact_flow import OPEN, contact_energy
from haptos.core.jit import routine
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add_scaled, dot, norm, subtract
from haptos.dynamics.contacts.detect import box_contact
from haptos.dynamics.contacts.glue import is_glued, stick, will_stick
from haptos.dynamics.contacts.memories import (
    ASLEEP,
    BOX_COUNT,
    BOX_FAR,
    BOX_MARGIN,
    BOX_MET,
    BOX_PEAK,
    BOX_SINCE,
)
from haptos.dynamics.contacts.point_mesh import body_pose, longest_way
from haptos.dynamics.contacts.resolve import pair_numbers, path_of, resolve_contact
from haptos.dynamics.rigid.bodies import place_points, three

CITES: tuple[str, ...] = ()

SPARE = 4.0  # [-] ways of a step that the list of near points covers at least


@routine
def entry_axis(half, y, y_end):
    """Axis (0, 1, 2) of the face by which the way from y, outside, goes into a box; -1 for none.

    half  sides [m]        y, y_end  ends of the way [m], axes of the box
    """
    first, last, axis = 0.0, 1.0, -1
    for k in range(3):
        way = y_end[k] - y[k]
        if way == 0.0:
            if abs(y[k]) > half[k]:
                return -1
            continue
        near, far = (-half[k] - y[k]) / way, (half[k] - y[k]) / way
        if near > far:
            near, far = far, near
        if near >= first:
            first, axis = near, k
        last = min(last, far)
    return axis if first <= last else -1


@routine
def touch_boxes(system, motion, time):
    """(elastic energy at the end [J], largest force [N]) of points on all boxes."""
    energy, peak = 0.0, 0.0
    if len(system.boxes.body) == 0 or motion.step.time < system.orders.nodes_held:
        return energy, peak
    place_points(system, motion)
    for b in range(len(system.boxes.body)):
        body, tally = system.boxes.body[b], motion.contacts.boxes.tally[b]
        way = longest_way(system, motion, body, tally[BOX_FAR], time)
        tally[BOX_SINCE] += way
        if not tally[BOX_SINCE] + way < tally[BOX_MARGIN]:
            _sort_out(system, motion, b, way)
        for a in range(int(tally[BOX_COUNT])):
            i = motion.contacts.boxes.active[b, a]
            owner = system.points.owner[i]
            if owner >= 0 and motion.step.time < system.orders.held[owner]:
                continue
            if is_glued(system, motion, i, body):
                continue
            pressed, force = _touch_box(system, motion, b, i, time)
            energy, peak = energy + pressed, max(peak, force)
            tally[BOX_PEAK] = max(tally[BOX_PEAK], force)
    return energy, peak


@routine
def _sort_out(system, motion, b, way):
    """Find the points near a box; those first found outside may touch it from now on."""
    body, factor = system.boxes.body[b], motion.contacts.boxes.factor
    tally = motion.contacts.boxes.tally[b]
    place, dcm, _, _ = body_pose(system, motion, body, 0.0)
    margin = max(system.options.margin, SPARE * way)
    count, far = 0, 0.0
    for i in range(len(system.points.owner)):
        away = subtract(three(motion.points.x, i), place)
        far = max(far, norm(away))
        if system.points.radius[i] <= 0.0 or system.points.owner[i] == body:
            continue
        gap = box_contact(system, b, i, apply_transposed(dcm, away))[0]
        if gap > 0.0 and factor[b, i] == ASLEEP:
            factor[b, i] = OPEN
        if factor[b, i] != ASLEEP and gap < margin:
            motion.contacts.boxes.active[b, count] = i
            count += 1
    tally[BOX_COUNT], tally[BOX_SINCE], tally[BOX_MARGIN] = count, way, margin
    tally[BOX_FAR] = far + margin


@routine
def _touch_box(system, motion, b, i, time):
    """(elastic energy at the end [J], largest force [N]) of a point and a box."""
    body, owner, radius = system.boxes.body[b], system.points.owner[i], system.points.radius[i]
    half = three(system.boxes.half, b)
    place, dcm, moved, dcm_end = body_pose(system, motion, body, time)
    x = three(motion.points.x, i)
    begin, v = path_of(system, motion, i)
    y = apply_transposed(dcm, subtract(x, place))
    y_end = apply_transposed(dcm_end, subtract(add_scaled(begin, time, v), moved))
    gap, n = box_contact(system, b, i, y)
    gap_end, n_end = box_contact(system, b, i, y_end)
    factor = motion.contacts.boxes.factor[b, i]
    if gap > 0.0:
        factor = OPEN
        axis = entry_axis(half, y, y_end)
        if axis < 0 and gap_end > 0.0:
            motion.contacts.boxes.factor[b, i] = OPEN
            return 0.0, 0.0
        n = n_end
        if axis >= 0:
            side = math.copysign(1.0, y[axis])
            n = (
                side if axis == 0 else 0.0,
                side if axis == 1 else 0.0,
                side if axis == 2 else 0.0,
            )
            gap = max(side * y[axis] - half[axis] - radius, 0.0)
            gap_end = gap + dot(n, subtract(y_end, y))
    else:
        gap_end = gap + dot(n, subtract(y_end, y))
    if will_stick(system, motion, i, (gap, gap_end)):
        stick(system, motion, i, body, (y, y_end), (gap, gap_end), n, time)
        motion.contacts.boxes.tally[b, BOX_MET] += 1.0
        return 0.0, 0.0
    pair = pair_numbers(system.boxes.numbers, b, system.points.kind[i])
    n = apply(dcm_end, n)
    contact = x if owner < 0 else add_scaled(x, -radius, n)
    lever = subtract(contact, three(motion.bodies.place, owner)) if owner >= 0 else (0.0, 0.0, 0.0)
    found, memory = resolve_contact(
        system, motion, i, body, (subtract(contact, place), lever), n, (gap, gap_end), (0.0, time, time),
        pair, (factor, (0.0, 0.0, 0.0)), False,
    )  # fmt: skip
    motion.contacts.boxes.factor[b, i] = memory[0]
    if factor == OPEN and found[1] > 0.0:
        motion.contacts.boxes.tally[b, BOX_MET] += 1.0
    return contact_energy(pair, found[0]), found[1]
