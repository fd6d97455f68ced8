"""The first touch of a free vertex within a step."""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import norm
from haptos.dynamics.march.dormand_prince import interpolated_bounds
from haptos.dynamics.march.first_touch import NO_TOUCH, first_touch, stride
from haptos.dynamics.rigid.free_rotation import most_free_rate
from haptos.dynamics.rigid.rigid_body import RATE as RATE_ROW
from haptos.dynamics.rigid.rigid_body import VELOCITY
from haptos.dynamics.touching.state import (
    MOTION_SIZE,
    attitude,
    body_rate,
    place_within,
    position,
    turns_freely,
    velocity,
)
from haptos.dynamics.touching.touching_set import NOTHING_FREE, SURELY_FAR, ball_way, vertex_state
from haptos.dynamics.touching.vertex_clearance import (
    BELOW,
    FROM,
    RATE,
    UNTIL,
    StepView,
    are_all_due,
    is_due,
    vertex_look,
)
from haptos.geometry.distance.surface import GRID, clear_way
from haptos.geometry.terrain.land import grid_slope, is_rough


@routine
def clear_until(view, theta):
    """(until, above, below): see first_touch; of all free vertices, as seen from the fraction theta of a step.

    A vertex that is clear from an earlier look up to here is not asked again.
    """
    model, body, ways = view.model, view.model.body, view.ways
    place_within(model, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    speed = view.h * (norm(velocity(view.at)) + norm(body_rate(view.at)) * body.radius)
    if len(body.vertices) > 1 and are_all_due(body, ways, theta):
        far = ball_way(model, position(view.at))
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
    model, body = view.model, view.model.body
    place_within(model, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    dcm_AB = rotation_matrix(attitude(view.at))
    least = NOTHING_FREE
    for j in range(len(body.vertices)):
        if view.ways[j, BELOW] != 0.0:
            place, _ = vertex_state(body, j, view.at, dcm_AB)
            least = min(least, clear_way(model.surface, place, body.corner_radius))
    return least


@routine
def also_below(view, theta, tolerance):
    """Where the vertices that are below ground at a touch, but were not looked at, were last seen above it.

    They count as found below from then on; NO_TOUCH if there are none. Only vertices near uneven ground
    are asked: others are surely clear.
    """
    model, body, ways = view.model, view.model.body, view.ways
    above = NO_TOUCH
    if view.is_convex:
        return above
    place_within(model, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    dcm_AB = rotation_matrix(attitude(view.at))
    for j in range(len(body.vertices)):
        if ways[j, BELOW] != 0.0 or ways[j, RATE] == 0.0 or body.is_touching[j] != 0:
            continue
        place, _ = vertex_state(body, j, view.at, dcm_AB)
        if ways[j, FROM] < theta and (
            clear_way(model.surface, place, body.corner_radius) < -tolerance
        ):
            ways[j, BELOW] = 1.0
            above = min(above, ways[j, FROM])
    return above


@device
def acceleration_bound(model, h, y, y1, k):
    """Bound [m/s^2] on the acceleration of any vertex along the interpolated step.

    Of the centre from the rates of its interpolated velocity; of the rotation R (alpha + w^2), or of
    a body that turns freely R (sum of its constant rates)^2.
    """
    _, a = interpolated_bounds(VELOCITY, h, y, y1, k)
    if turns_freely(model):
        turning = most_free_rate(
            attitude(y), body_rate(y), model.spin.rate, model.top.axis, model.top.ratio
        )
        return a + turning * turning * model.body.radius
    w, alpha = interpolated_bounds(RATE_ROW, h, y, y1, k)
    return a + (alpha + w * w) * model.body.radius


@device
def touch_within_step(model, start_gap, h, y, y1, scratch, tolerance, feature, least):
    """Fraction of the step at which a free vertex first touches; above 1 if none does.

    start_gap [m]: gap of the free vertices at the start of the step.
    feature [m]: size of the ground's smallest feature.   least [m]: shortest stride.
    """
    bend = h * h * acceleration_bound(model, h, y, y1, scratch.k)
    speed = h * (norm(velocity(y)) + norm(body_rate(y)) * model.body.radius)
    until, ways = stride(speed, bend, start_gap), scratch.ways
    if until > 1.0 or (speed == 0.0 and bend == 0.0):
        return NO_TOUCH
    is_convex = model.surface.kind != GRID and not is_rough(model.surface.land)
    slope = grid_slope(model.surface.land) if model.surface.kind == GRID else 1.0
    view = StepView(
        model, h, y, y1, scratch.k, scratch.at, ways, bend, feature, least, slope, is_convex
    )
    for j in range(len(model.body.vertices)):
        ways[j, UNTIL], ways[j, FROM], ways[j, RATE] = until, 0.0, 0.0
    if start_gap <= least:
        for j in range(len(model.body.vertices)):
            ways[j, UNTIL] = 0.0
        until, _, _ = clear_until(view, 0.0)
    return first_touch(clear_until, gap_found_below, also_below, view, until, tolerance)
