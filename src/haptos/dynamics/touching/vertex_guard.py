"""The surface guard of a body: how deep its vertices and its centre are, along every finished step.

It walks with the body, by strides within which the centre of mass surely stays above ground, and its vertices too
except for DIP, and asks at every stop about all vertices, whether they count as touching or not. What is allowed depends on the
contact law: `depth_limit` with springs; with impacts 8 touch tolerances in flight, and the error in place that a
step may have (a step that ends at a touch is made anew, and ends within that error of where the touch was found); and on
the ground, where a body lies on soft springs by design, LYING_DEPTHS times the depth it sinks in by under its
weight. A body that takes off may be as deep as it was then. The centre of mass is not allowed below ground, unless
vertices may be deeper than the body is large.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add
from haptos.dynamics.guard.surface_guard import note_depth, path_length, step_path, walk_path
from haptos.dynamics.march.dormand_prince import interpolated_bounds, interpolated_vector
from haptos.dynamics.rigid.free_rotation import most_free_rate
from haptos.dynamics.rigid.rigid_body import POSITION, RATE
from haptos.dynamics.touching.model import FLYING, PHASE
from haptos.dynamics.touching.run_rows import IMPULSIVE
from haptos.dynamics.touching.state import (
    MOTION_SIZE,
    attitude,
    body_rate,
    place_within,
    position,
    turns_freely,
)
from haptos.geometry.distance.surface import clear_way, gap_and_gradient

TOLERANCES = 8.0  # [touch tolerances] a vertex in flight may be below ground
STEP_ERRORS = 8.0  # [step errors] in place that come on top of it
LYING_DEPTHS = (
    10.0  # [lying depths] a vertex on the ground may be below it, with its bounces; assumed
)
DIP = 0.1  # [body radii] shortest way between two looks at vertices: a dip up to half as deep may go unseen
CLOSEST = 1e-3  # [body radii] the same with the centre at the ground: no sheet that is thicker goes unseen
# A finished step: p parameters, m memory, limit [m] allowed depth, and what places the body within it.
GuardView = namedtuple("GuardView", "p model m limit h y y1 k at")


@device
def depth_below(model, place, radius):
    """Depth [m] of a ball of that radius about a place below the ground; negative above."""
    field, _ = gap_and_gradient(model.surface, place)
    return radius - field


@routine
def deepest_vertex(model, y):
    """(depth [m] of the deepest vertex, 0 if none is below ground; its place; way [m] that all of them can surely go)."""
    body = model.body
    dcm_AB = rotation_matrix(attitude(y))
    deepest, where, least = 0.0, position(y), math.inf
    for j in range(len(body.vertices)):
        r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
        place = add(position(y), r)
        way = clear_way(model.surface, place, body.corner_radius)
        least = min(least, way)
        if way < 0.0:
            depth = depth_below(model, place, body.corner_radius)
            if depth > deepest:
                deepest, where = depth, place
    return deepest, where, least


@routine
def look_at_ground(view, theta):
    """Note the depth of the body at the fraction theta of a step; the way [m] to the next look."""
    model, m = view.model, view.m
    x = interpolated_vector(POSITION, theta, view.h, view.y, view.y1, view.k)
    centre = clear_way(model.surface, x, 0.0)
    if centre >= model.body.radius:
        return next_way(model, centre, centre - model.body.radius)
    place_within(model, theta, view.h, view.y, view.y1, MOTION_SIZE, view.k, view.at)
    way = note_depths(model, m, view.at, m.t + theta * view.h, view.limit, centre)
    return next_way(model, centre, way)


@routine
def look_at_state(model, m, y, t, limit):
    """Note the depth [m] of a state; the way [m] to the next look."""
    centre = clear_way(model.surface, position(y), 0.0)
    if centre >= model.body.radius:
        return next_way(model, centre, centre - model.body.radius)
    return next_way(model, centre, note_depths(model, m, y, t, limit, centre))


@device
def next_way(model, centre, way):
    """Way [m] to the next look, from where the centre can surely go `centre` [m] and all vertices `way` [m]."""
    radius = model.body.radius
    return min(max(way, DIP * radius), max(centre, CLOSEST * radius))


@routine
def note_depths(model, m, y, t, limit, centre):
    """Note the depths [m] of the centre and the vertices of a state whose centre can go `centre` [m]; the way [m] they can go."""
    x = position(y)
    if centre < 0.0:
        note_depth(m, depth_below(model, x, 0.0), max(limit - model.body.radius, 0.0), t, x)
    depth, where, way = deepest_vertex(model, y)
    if depth > 0.0:
        note_depth(m, depth, limit, t, where)
    return way


@device
def allowed_depth(p, model, m):
    """Depth [m] that the law of contact allows a vertex now."""
    if p.law_kind != IMPULSIVE:
        return p.depth_limit
    if model.body.touching_count[PHASE] == FLYING:
        return p.flight_limit + m.flight_depth
    return LYING_DEPTHS * p.lying_depth


@device
def turning(model, h, y, y1, k):
    """Bound [m per step] on what the rotation adds to the speed of a vertex."""
    radius = model.body.radius
    if turns_freely(model):
        return (
            h
            * radius
            * most_free_rate(attitude(y), body_rate(y), model.spin, model.top_axis, model.top_ratio)
        )
    rate, _ = interpolated_bounds(RATE, h, y, y1, k)
    return h * radius * rate


@device
def guard_step(p, model, y, m, h, scratch):
    """Look along the step just finished, unless it is shorter than the way that is left."""
    k, y1 = scratch.k, scratch.y1
    path, turn = step_path(h, y, y1, k), turning(model, h, y, y1, k)
    travel = path_length(path) + turn
    if travel <= m.guard_way:
        m.guard_way -= travel
    else:
        view = GuardView(p, model, m, allowed_depth(p, model, m), h, y, y1, k, scratch.at)
        m.guard_way = walk_path(look_at_ground, view, path, turn, max(m.guard_way, 0.0))


@routine
def guard_start(p, model, y, m):
    """First look; a body released in the ground may be as deep as it is."""
    depth, _, _ = deepest_vertex(model, y)
    m.flight_depth = depth
    m.guard_way = look_at_state(model, m, y, m.t, allowed_depth(p, model, m))


@routine
def guard_end(p, model, y, m):
    """Last look, where the run ends."""
    look_at_state(model, m, y, m.t, allowed_depth(p, model, m))
