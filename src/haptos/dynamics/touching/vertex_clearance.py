"""How far along a step a free vertex is surely clear of the ground, and where it is below it."""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device, routine
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import dot
from haptos.dynamics.march.first_touch import NO_TOUCH, stride
from haptos.dynamics.touching.state import MOTION_SIZE, attitude, place_within
from haptos.dynamics.touching.touching_set import vertex_state
from haptos.geometry.distance.surface import clear_way, direction, gap_and_gradient
from haptos.geometry.terrain.land import is_rough

LEAST_STRIDE = (
    1e-8  # [features, body radii] of the search for a touch; a dip half as deep may be missed
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
StepView = namedtuple("StepView", "model h y y1 k at ways bend feature least slope is_convex")
# Clear up to here; of the last look: where, gap, rate (0 far from the ground); whether found below.
UNTIL, FROM, GAP, RATE, BELOW = 0, 1, 2, 3, 4
WAY_SIZE = 5


@device
def is_due(body, ways, j, theta):
    """Whether vertex j is free and has used up much of what it is known to be clear for.

    To place the body costs more than to ask for a vertex, so that vertices are asked for together.
    """
    left = ways[j, UNTIL] - theta
    return body.is_touching[j] == 0 and left <= EARLY * (ways[j, UNTIL] - ways[j, FROM])


@device
def are_all_due(body, ways, theta):
    """Whether every free vertex is due: none has been asked for lately, the body may be far."""
    for j in range(len(body.vertices)):
        if body.is_touching[j] == 0 and not is_due(body, ways, j, theta):
            return False
    return True


@device
def vertex_place(view, j, theta):
    """(place [m], velocity [m/s]) of vertex j at the fraction theta of a step; moves view.at there."""
    body = view.model.body
    place_within(view.model, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    return vertex_state(body, j, view.at, rotation_matrix(attitude(view.at)))


@device
def gap_and_rate(view, place, motion):
    """(gap [m] of a vertex, its rate [m per step]) at a place, moving at [m/s]."""
    d, gradient = gap_and_gradient(view.model.surface, place)
    return d - view.model.body.corner_radius, view.h * dot(direction(gradient), motion)


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
    model, ways = view.model, view.ways
    place, motion = vertex_state(model.body, j, view.at, dcm_AB)
    gap, rate, below = 0.0, 0.0, NO_TOUCH
    if is_rough(model.surface.land):
        way = clear_way(model.surface, place, model.body.corner_radius)
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
                place_within(model, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
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
