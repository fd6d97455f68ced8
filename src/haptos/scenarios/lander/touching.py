"""Which vertices touch: the gap of the free ones, first touch within a step, touch and release."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.contact.compliant import vertex_gap
from haptos.contact.spring_damper import spring_energy
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, cross, dot, norm, subtract, tangential
from haptos.dynamics.first_touch import NO_TOUCH, first_touch
from haptos.dynamics.rigid_body import kinetic_energy
from haptos.geometry.land import is_rough
from haptos.geometry.surface import GRID, clear_way, gap_bound
from haptos.scenarios.lander.batch_layout import (
    EVENT_CLOSING,
    EVENT_KIND,
    EVENT_KINETIC,
    EVENT_NORMAL,
    EVENT_POINT,
    EVENT_SIZE,
    EVENT_SLIP,
    EVENT_TIME,
    EVENT_VERTEX,
    RELEASE,
    TOUCH,
)
from haptos.scenarios.lander.equations import (
    attitude,
    body_rate,
    place_within,
    position,
    stiffened,
    turns_freely,
    velocity,
)

SURELY_FAR = 0.1  # [probe radii] above this gap the bounding ball decides, below it the vertices
MOTION_SIZE = 13  # rows of the state that place the vertices
NOTHING_FREE = 1e300  # [m] gap when every vertex touches already

# A step and what is known of each vertex: ways (n, 2), from where in the step it is how far clear [m].
StepView = namedtuple("StepView", "lander h y y1 k at ways fastest")
FROM, WAY = 0, 1


@routine
def free_gap(lander, y):
    """Way [m] the nearest vertex not touching can surely go; zero where it touches."""
    body = lander.body
    vertex_count = len(body.vertices)
    if body.touching_count[0] == vertex_count:
        return NOTHING_FREE
    x = position(y)
    far = gap_bound(lander.surface, x) - body.radius
    if far > SURELY_FAR * body.radius:
        return far
    dcm_AB = rotation_matrix(attitude(y))
    least = NOTHING_FREE
    for j in range(vertex_count):
        if body.is_touching[j] == 0:
            r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
            least = min(least, clear_way(lander.surface, add(x, r), body.corner_radius))
    return least


@routine
def gap_within_step(view, theta, is_bound):
    """Gap [m] of the free vertices at the fraction theta of a step, or a bound of it.

    A vertex that is clear from an earlier look up to here is not asked again; to a bound it adds what
    is left of its way, else nothing. The search within a bracket keeps what the looks have found, so
    that it asks each time for the vertices that were below ground at the bracket's end.
    """
    lander, body, ways = view.lander, view.lander.body, view.ways
    place_within(lander, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    x = position(view.at)
    far = gap_bound(lander.surface, x) - body.radius
    if far > SURELY_FAR * body.radius:
        return far
    dcm_AB = rotation_matrix(attitude(view.at))
    least = NOTHING_FREE
    for j in range(len(body.vertices)):
        if body.is_touching[j] != 0:
            continue
        left = ways[j, WAY] - (theta - ways[j, FROM]) * view.fastest
        if theta < ways[j, FROM] or left <= 0.0:
            r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
            left = clear_way(lander.surface, add(x, r), body.corner_radius)
            if is_bound:
                ways[j, FROM], ways[j, WAY] = theta, left
        elif not is_bound:
            continue
        least = min(least, left)
    return least


@device
def bound_within_step(view, theta):
    """Bound of the gap [m] of the free vertices at the fraction theta of a step."""
    return gap_within_step(view, theta, True)


@device
def true_gap_within_step(view, theta):
    """Gap [m] of the vertices that may touch at the fraction theta of a step."""
    return gap_within_step(view, theta, False)


@device
def most_travel(h, y, y1, radius):
    """Bound [m] on the way of any vertex during a step, from both ends and their difference."""
    v0, v1, w0, w1 = velocity(y), velocity(y1), body_rate(y), body_rate(y1)
    speed = max(norm(v0), norm(v1)) + norm(subtract(v1, v0))
    rate = max(norm(w0), norm(w1)) + norm(subtract(w1, w0))
    return h * (speed + rate * radius)


@device
def touch_within_step(lander, start_gap, h, y, y1, scratch, tolerance, looks):
    """Fraction of the step at which a free vertex first touches; above 1 if none does.

    start_gap [m]: gap of the free vertices at the start of the step.
    """
    fastest = most_travel(h, y, y1, lander.body.radius)
    if turns_freely(lander):
        fastest += 2.0 * h * norm(lander.spin) * lander.body.radius
    gap, ways = max(start_gap, 0.0), scratch.ways
    if gap > fastest:
        return NO_TOUCH
    for j in range(len(lander.body.vertices)):
        ways[j, FROM], ways[j, WAY] = 0.0, gap
    view = StepView(lander, h, y, y1, scratch.k, scratch.at, ways, fastest)
    return first_touch(
        bound_within_step, true_gap_within_step, view, gap, fastest, tolerance, looks
    )


@routine
def update_touching(lander, y, t, tolerance, m, record):
    """Let vertices at the ground touch and vertices above it go; number of new touches.

    A vertex touches while its gap is below zero, or within `tolerance` of it and closing.
    Keeps the books of depth, spring energy and the nearest free vertex in m.
    """
    body = lander.body
    x, v, w_B = position(y), velocity(y), body_rate(y)
    dcm_AB = rotation_matrix(attitude(y))
    w_A = apply(dcm_AB, w_B)
    m.elastic = 0.0
    m.free_gap = gap_bound(lander.surface, x) - body.radius
    if body.touching_count[0] == 0 and m.free_gap > max(SURELY_FAR * body.radius, tolerance):
        return 0
    m.free_gap = NOTHING_FREE
    fresh, count = 0, 0
    for j in range(len(body.vertices)):
        gap, n, r = vertex_gap(lander.surface, body.vertices, body.corner_radius, j, dcm_AB, x)
        u = add(v, cross(w_A, r))
        closing = -dot(u, n)
        before = body.is_touching[j] != 0
        now = gap <= 0.0 or (gap <= tolerance and closing > 0.0)
        if now:
            body.touching[count] = j
            count += 1
            m.deepest = max(m.deepest, -gap)
            m.elastic += spring_energy(stiffened(lander, lander.law).k, gap)
        else:
            m.free_gap = min(m.free_gap, gap)
        if now != before:
            body.is_touching[j] = 1 if now else 0
            fresh += 1 if now else 0
            if record.is_on:
                slip = norm(tangential(u, n))
                kinetic = kinetic_energy(body.mass, body.inertia, v, w_B)
                kind = TOUCH if now else RELEASE
                store_event(record, m, t, kind, j, add(x, r), n, closing, slip, kinetic)
    body.touching_count[0] = count
    if lander.surface.kind == GRID or is_rough(lander.surface.land):
        m.free_gap = free_gap(lander, y)  # the field of such ground is no distance
    return fresh


@routine
def store_event(record, m, t, kind, vertex, point, normal, closing, slip, kinetic):
    """Append one event."""
    row = record.events[m.event_count]
    row[EVENT_TIME], row[EVENT_KIND], row[EVENT_VERTEX] = t, kind, vertex
    for i in range(3):
        row[EVENT_POINT + i] = point[i]
        row[EVENT_NORMAL + i] = normal[i]
    row[EVENT_CLOSING], row[EVENT_SLIP], row[EVENT_KINETIC] = closing, slip, kinetic
    for i in range(EVENT_KINETIC + 1, EVENT_SIZE):
        row[i] = np.nan
    m.event_count += 1
