"""Which vertices touch: the gap of the free ones, first touch within a step, touch and release."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.contact.compliant import vertex_gap
from haptos.contact.spring_damper import spring_energy
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, cross, dot, norm, tangential
from haptos.dynamics.march.dormand_prince import interpolated_bounds
from haptos.dynamics.march.first_touch import NO_TOUCH, first_touch, stride
from haptos.dynamics.rigid.free_rotation import most_free_rate
from haptos.dynamics.rigid.rigid_body import RATE as RATE_ROW
from haptos.dynamics.rigid.rigid_body import VELOCITY, kinetic_energy
from haptos.geometry.distance.surface import GRID, clear_way, direction, gap_and_gradient, gap_bound
from haptos.geometry.terrain.land import grid_slope, is_rough
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
LEAST_STRIDE = (
    1e-8  # [features, probe radii] of the search for a touch; a dip half as deep may be missed
)
LARGEST = 1e12  # [m] smallest feature of ground that has none
NEAR = 0.25  # [features] gap below which the rate of a vertex over uneven ground is asked for
LEAVING_STRIDE = 0.1  # [features] that a vertex which leaves uneven ground may go at once
LEAVING_SHARE = 0.7  # [-] of the time in which it would come back
EARLY = 0.5  # [-] share of a stride that may be given up to ask for several vertices at once
AT_HAND = (
    0.01  # [features] gap from which an approaching vertex goes on to where it would meet a plane,
)
OVERSHOOT = 1.1  # [-] and a little beyond,
AT_HAND_STRIDE = 0.03  # [features] but no farther than this
HALVINGS = 12  # of the stretch in which a vertex came nearest; a dip 1e-3 of it deep shows

# A step and what is known of each vertex: ways (n, WAY_SIZE), see below; bend [m per step^2] bounds the
# acceleration of every vertex; feature [m]: size of the smallest thing on the ground; least [m]:
# shortest stride; slope [-]: largest of the ground's field; is_convex: the ground bends away.
StepView = namedtuple("StepView", "lander h y y1 k at ways bend feature least slope is_convex")
# Clear up to here; of the last look: where, gap, rate (0 far from the ground); whether found below.
UNTIL, FROM, GAP, RATE, BELOW = 0, 1, 2, 3, 4
WAY_SIZE = 5


@device
def ball_way(lander, x):
    """Way [m] that the ball about the probe can surely go; negative ones promise nothing."""
    body, surface = lander.body, lander.surface
    if surface.kind != GRID and not is_rough(surface.land):
        return gap_bound(surface, x) - body.radius
    # The bound of a grid is off by its spacing, mostly far more than the probe is large.
    return clear_way(surface, x, body.corner_radius) - (body.radius - body.corner_radius)


@device
def is_due(body, ways, j, theta):
    """Whether vertex j is free and has used up much of what it is known to be clear for.

    To place the body costs more than to ask for a vertex, so that vertices are asked for together.
    """
    left = ways[j, UNTIL] - theta
    return body.is_touching[j] == 0 and left <= EARLY * (ways[j, UNTIL] - ways[j, FROM])


@device
def are_all_due(body, ways, theta):
    """Whether every free vertex is due: none has been asked for lately, the probe may be far."""
    for j in range(len(body.vertices)):
        if body.is_touching[j] == 0 and not is_due(body, ways, j, theta):
            return False
    return True


@routine
def free_gap(lander, y):
    """Way [m] the nearest vertex not touching can surely go; zero where it touches."""
    body = lander.body
    vertex_count = len(body.vertices)
    if body.touching_count[0] == vertex_count:
        return NOTHING_FREE
    x = position(y)
    far = ball_way(lander, x)
    if far > SURELY_FAR * body.radius:
        return far
    dcm_AB = rotation_matrix(attitude(y))
    least = NOTHING_FREE
    for j in range(vertex_count):
        if body.is_touching[j] == 0:
            r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
            least = min(least, clear_way(lander.surface, add(x, r), body.corner_radius))
    return least


@device
def vertex_place(view, j, theta):
    """(place [m], velocity [m/s]) of vertex j at the fraction theta of a step; moves view.at there."""
    body = view.lander.body
    place_within(view.lander, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    return vertex_state(body, j, view.at, rotation_matrix(attitude(view.at)))


@device
def vertex_state(body, j, y, dcm_AB):
    """(place [m], velocity [m/s]) of vertex j, A axes."""
    r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
    w_A = apply(dcm_AB, body_rate(y))
    return add(position(y), r), add(velocity(y), cross(w_A, r))


@device
def gap_and_rate(view, place, motion):
    """(gap [m] of a vertex, its rate [m per step]) at a place, moving at [m/s]."""
    d, gradient = gap_and_gradient(view.lander.surface, place)
    return d - view.lander.body.corner_radius, view.h * dot(direction(gradient), motion)


@device
def may_have_dipped(way, theta, gap, rate, bend):
    """Whether a vertex that came nearer at its last look and leaves now may have been below ground between.

    The tangents of its gap at both looks meet lower than the gap can bend away from them.
    """
    if not way[RATE] < 0.0 < rate:
        return False
    since = theta - way[FROM]
    meet = rate * way[GAP] - way[RATE] * gap + rate * way[RATE] * since
    return meet < 0.5 * bend * since * since * (rate - way[RATE])


@routine
def dip_between(view, j, low, high):
    """Where vertex j, which approaches at low and leaves at high, is below ground; NO_TOUCH if nowhere."""
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        place, motion = vertex_place(view, j, middle)
        gap, rate = gap_and_rate(view, place, motion)
        if gap < 0.0:
            return middle
        if rate < 0.0:
            low = middle
        else:
            high = middle
    return NO_TOUCH


@device
def uneven_stride(view, speed, bend, gap, rate):
    """Share of the step that a vertex near uneven ground may go at once; bend as of the vertex and the ground."""
    if rate < 0.0 and gap < AT_HAND * view.feature:
        most = stride(speed, view.bend, AT_HAND_STRIDE * view.feature)
        return min(OVERSHOOT * max(gap, 0.0) / -rate, most)
    most = stride(speed, view.bend, LEAVING_STRIDE * view.feature)
    return min(LEAVING_SHARE * stride(-rate, bend, gap), most)


@device
def vertex_look(view, j, theta, dcm_AB, speed, shortest):
    """Share of the step at which vertex j is below ground, at theta or before; writes its row of ways.

    speed [m per step] of any vertex now; shortest: share of the step of the least stride.
    """
    lander, ways = view.lander, view.ways
    place, motion = vertex_state(lander.body, j, view.at, dcm_AB)
    gap, rate, below = 0.0, 0.0, NO_TOUCH
    if is_rough(lander.surface.land):
        way = clear_way(lander.surface, place, lander.body.corner_radius)
        if way < NEAR * view.feature:
            gap, rate = gap_and_rate(view, place, motion)
    else:
        gap, rate = gap_and_rate(view, place, motion)
        way = gap / view.slope
    if view.is_convex:
        until = theta + stride(-rate, view.bend, gap)
    else:
        until = theta + stride(speed, view.bend, way)
        if way < NEAR * view.feature:
            bend = view.bend + speed * speed / view.feature  # the ground may curve by 1/feature
            if way >= 0.0 and may_have_dipped(ways[j], theta, gap, rate, bend):
                below = dip_between(view, j, ways[j, FROM], theta)
                place_within(lander, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
            until = max(until, min(theta + uneven_stride(view, speed, bend, gap, rate), 1.0))
    if way < 0.0 and theta > 0.0:
        below = theta
    if below <= 1.0:
        ways[j, BELOW] = 1.0
        return below
    ways[j, UNTIL] = max(until, min(theta + shortest, 1.0))
    ways[j, FROM], ways[j, GAP] = theta, gap
    ways[j, RATE] = rate if way < NEAR * view.feature else 0.0
    return NO_TOUCH


@routine
def clear_until(view, theta):
    """(until, above, below): see first_touch; of all free vertices, as seen from the fraction theta of a step.

    A vertex that is clear from an earlier look up to here is not asked again.
    """
    lander, body, ways = view.lander, view.lander.body, view.ways
    place_within(lander, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    speed = view.h * (norm(velocity(view.at)) + norm(body_rate(view.at)) * body.radius)
    if len(body.vertices) > 1 and are_all_due(body, ways, theta):
        far = ball_way(lander, position(view.at))
        if far > SURELY_FAR * body.radius:
            return theta + stride(speed, view.bend, far), theta, NO_TOUCH
    dcm_AB = rotation_matrix(attitude(view.at))
    shortest = stride(speed, view.bend, view.least)
    until, above, below = NO_TOUCH, theta, NO_TOUCH
    for j in range(len(body.vertices)):
        ways[j, BELOW] = 0.0
        if body.is_touching[j] != 0:
            continue
        if is_due(body, ways, j, theta):
            below = min(below, vertex_look(view, j, theta, dcm_AB, speed, shortest))
            if ways[j, BELOW] != 0.0:
                above = min(above, ways[j, FROM])
        until = min(until, ways[j, UNTIL])
    return until, above, below


@routine
def gap_found_below(view, theta):
    """Least gap [m] at the fraction theta of a step of the vertices that the last look found below."""
    lander, body = view.lander, view.lander.body
    place_within(lander, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    dcm_AB = rotation_matrix(attitude(view.at))
    least = NOTHING_FREE
    for j in range(len(body.vertices)):
        if view.ways[j, BELOW] != 0.0:
            place, _ = vertex_state(body, j, view.at, dcm_AB)
            least = min(least, clear_way(lander.surface, place, body.corner_radius))
    return least


@routine
def also_below(view, theta, tolerance):
    """Where the vertices that are below ground at a touch, but were not looked at, were last seen above it.

    They count as found below from then on; NO_TOUCH if there are none. Only vertices near uneven ground
    are asked: others are surely clear.
    """
    lander, body, ways = view.lander, view.lander.body, view.ways
    above = NO_TOUCH
    if view.is_convex:
        return above
    place_within(lander, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    dcm_AB = rotation_matrix(attitude(view.at))
    for j in range(len(body.vertices)):
        if ways[j, BELOW] != 0.0 or ways[j, RATE] == 0.0 or body.is_touching[j] != 0:
            continue
        place, _ = vertex_state(body, j, view.at, dcm_AB)
        if ways[j, FROM] < theta and (
            clear_way(lander.surface, place, body.corner_radius) < -tolerance
        ):
            ways[j, BELOW] = 1.0
            above = min(above, ways[j, FROM])
    return above


@device
def acceleration_bound(lander, h, y, y1, k):
    """Bound [m/s^2] on the acceleration of any vertex along the interpolated step.

    Of the centre from the rates of its interpolated velocity; of the rotation R (alpha + w^2), or of
    a body that turns freely R (sum of its constant rates)^2.
    """
    _, a = interpolated_bounds(VELOCITY, h, y, y1, k)
    if turns_freely(lander):
        turning = most_free_rate(
            attitude(y), body_rate(y), lander.spin, lander.top_axis, lander.top_ratio
        )
        return a + turning * turning * lander.body.radius
    w, alpha = interpolated_bounds(RATE_ROW, h, y, y1, k)
    return a + (alpha + w * w) * lander.body.radius


@device
def touch_within_step(lander, start_gap, h, y, y1, scratch, tolerance, feature, least):
    """Fraction of the step at which a free vertex first touches; above 1 if none does.

    start_gap [m]: gap of the free vertices at the start of the step.
    feature [m]: size of the ground's smallest feature.   least [m]: shortest stride.
    """
    bend = h * h * acceleration_bound(lander, h, y, y1, scratch.k)
    speed = h * (norm(velocity(y)) + norm(body_rate(y)) * lander.body.radius)
    until, ways = stride(speed, bend, start_gap), scratch.ways
    if until > 1.0 or (speed == 0.0 and bend == 0.0):
        return NO_TOUCH
    is_convex = lander.surface.kind != GRID and not is_rough(lander.surface.land)
    slope = grid_slope(lander.surface.land) if lander.surface.kind == GRID else 1.0
    view = StepView(
        lander, h, y, y1, scratch.k, scratch.at, ways, bend, feature, least, slope, is_convex
    )
    for j in range(len(lander.body.vertices)):
        ways[j, UNTIL], ways[j, FROM], ways[j, RATE] = until, 0.0, 0.0
    if start_gap <= least:
        for j in range(len(lander.body.vertices)):
            ways[j, UNTIL] = 0.0
        until, _, _ = clear_until(view, 0.0)
    return first_touch(clear_until, gap_found_below, also_below, view, until, tolerance)


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
    fill_event(record.events[m.event_count], t, kind, vertex, point, normal, closing, slip, kinetic)
    m.event_count += 1


@device
def fill_event(row, t, kind, vertex, point, normal, closing, slip, kinetic):
    """Write the columns that all events have; NaN to the others."""
    row[EVENT_TIME], row[EVENT_KIND], row[EVENT_VERTEX] = t, kind, vertex
    for i in range(3):
        row[EVENT_POINT + i] = point[i]
        row[EVENT_NORMAL + i] = normal[i]
    row[EVENT_CLOSING], row[EVENT_SLIP], row[EVENT_KINETIC] = closing, slip, kinetic
    for i in range(EVENT_KINETIC + 1, EVENT_SIZE):
        row[i] = np.nan
