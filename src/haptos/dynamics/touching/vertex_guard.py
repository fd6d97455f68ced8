"""The surface guard of a body: how deep its vertices and its centre are, along every finished step.

It walks with the body, by strides within which the centre of mass surely stays above ground, and its vertices too
except for DIP, and asks at every stop about the vertices, whether they count as touching or not. A group of them that can surely
go NEAR from there, by what it could go when it was asked last, is not asked; far from the ground only the centre is. What is
allowed depends on the contact law: `depth_limit` with springs; with impacts 8 touch tolerances in flight, and the error in place
that a step may have (a step that ends at a touch is made anew, and ends within that error of where the touch was found); and on
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
from haptos.dynamics.march.dormand_prince import (
    interpolate_rows,
    interpolated_bounds,
    interpolated_vector,
)
from haptos.dynamics.rigid.free_rotation import most_free_rate
from haptos.dynamics.rigid.rigid_body import ATTITUDE, POSITION, RATE
from haptos.dynamics.touching.model import FLYING, PHASE
from haptos.dynamics.touching.run_memory import WAY_GROUPS
from haptos.dynamics.touching.run_parameters import IMPULSIVE
from haptos.dynamics.touching.state import (
    attitude,
    body_rate,
    position,
    turn_freely,
    turns_freely,
)
from haptos.geometry.distance.surface import clear_way, gap_and_gradient

TOLERANCES = 8.0  # [touch tolerances] a vertex in flight may be below ground
STEP_ERRORS = 8.0  # [step errors] in place that come on top of it
LYING_DEPTHS = (
    10.0  # [lying depths] a vertex on the ground may be below it, with its bounces; assumed
)
DIP = 0.1  # [body radii] shortest way between two looks at vertices: a dip up to half as deep may go unseen
NEAR = 0.12  # [body radii] a vertex that can surely go farther is not asked at a stop
CLOSEST = 1e-3  # [body radii] the same with the centre at the ground: no sheet that is thicker goes unseen
# A finished step: p parameters, m memory, limit [m] allowed depth, turn [m per step] that the rotation adds, and what
# places the body within it.
GuardView = namedtuple("GuardView", "p model m limit turn h y y1 k at")


@device
def depth_below(model, place, radius):
    """Depth [m] of a ball of that radius about a place below the ground; negative above."""
    field, _ = gap_and_gradient(model.surface, place)
    return radius - field


@routine
def deepest_of(model, x, dcm_AB, first, end):
    """(depth [m] of the deepest of vertices first..end-1, 0 if none is below ground; its place; way [m] that all of them can surely go)."""
    body = model.body
    deepest, where, least = 0.0, x, math.inf
    for j in range(first, end):
        r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
        place = add(x, r)
        way = clear_way(model.surface, place, body.corner_radius)
        least = min(least, way)
        if way < 0.0:
            depth = depth_below(model, place, body.corner_radius)
            if depth > deepest:
                deepest, where = depth, place
    return deepest, where, least


@device
def deepest_vertex(model, y):
    """(depth [m] of the deepest vertex, 0 if none is below ground; its place; way [m] that all of them can surely go)."""
    return deepest_of(model, position(y), rotation_matrix(attitude(y)), 0, len(model.body.vertices))


@device
def group_size(body):
    """Vertices in a group."""
    return (len(body.vertices) + WAY_GROUPS - 1) // WAY_GROUPS


@device
def group_count(body):
    """Number of groups."""
    size = group_size(body)
    return (len(body.vertices) + size - 1) // size


@device
def forget_ways(model, m):
    """Look at all vertices in the next step, however short: the body was moved, or none of them was looked at."""
    m.guard.way, m.guard.gone, m.guard.is_far, m.guard.centre_way = 0.0, 0.0, 0, 0.0
    for group in range(group_count(model.body)):
        m.guard.vertex_ways[group] = 0.0


@device
def spend(model, m, gone):
    """Take what was gone [m] since the last look from the ways of the centre and of all vertices; the least of these that is left [m]."""
    gone += m.guard.gone
    m.guard.gone = 0.0
    m.guard.centre_way -= gone
    least = math.inf
    for group in range(group_count(model.body)):
        m.guard.vertex_ways[group] -= gone
        least = min(least, m.guard.vertex_ways[group])
    return least


@device
def place_at(view, theta, x):
    """Place, which is x [m], and attitude at the fraction theta of a step, into `view.at`."""
    at = view.at
    at[0], at[1], at[2] = x
    if turns_freely(view.model):
        turn_freely(view.model, view.y, theta * view.h, at)
    else:
        interpolate_rows(theta, view.h, view.y, view.y1, ATTITUDE, RATE, view.k, at)


@routine
def look_at_ground(view, theta, gone):
    """Note the depth of the body at the fraction theta of a step; (way [m] to the next look, turn [m per step] till then).

    gone [m]: in this step since the last look.
    """
    model, m, radius = view.model, view.m, view.model.body.radius
    x = interpolated_vector(POSITION, theta, view.h, view.y, view.y1, view.k)
    least = 0.0 if m.guard.is_far != 0 else spend(model, m, gone)
    if m.guard.is_far != 0 or least >= NEAR * radius or m.guard.centre_way < NEAR * radius:
        m.guard.centre_way = clear_way(model.surface, x, 0.0)
    way = m.guard.centre_way - radius
    if way > DIP * radius:
        forget_ways(model, m)
        m.guard.is_far = 1
        return way, 0.0
    m.guard.is_far = 0
    if m.guard.centre_way < 0.0 or least < NEAR * radius:
        place_at(view, theta, x)
        least = note_depths(model, m, view.at, m.step.time + theta * view.h, view.limit)
    return next_way(model, m, least), view.turn


@routine
def look_at_state(model, m, y, t, limit):
    """Note the depth [m] of all vertices of a state; the way [m] to the next look."""
    forget_ways(model, m)
    m.guard.centre_way = clear_way(model.surface, position(y), 0.0)
    return next_way(model, m, note_depths(model, m, y, t, limit))


@device
def next_way(model, m, way):
    """Way [m] to the next look, from where all vertices can surely go `way` [m]."""
    radius = model.body.radius
    return min(max(way, DIP * radius), max(m.guard.centre_way, CLOSEST * radius))


@routine
def note_depths(model, m, y, t, limit):
    """Note the depths [m] of the centre and of the vertices that are near; the way [m] that all vertices can go."""
    x, body, least = position(y), model.body, math.inf
    if m.guard.centre_way < 0.0:
        note_depth(m.guard, depth_below(model, x, 0.0), max(limit - body.radius, 0.0), t, x)
    dcm_AB, size, near = rotation_matrix(attitude(y)), group_size(body), NEAR * body.radius
    for group in range(group_count(body)):
        if m.guard.vertex_ways[group] < near:
            end = min((group + 1) * size, len(body.vertices))
            depth, where, way = deepest_of(model, x, dcm_AB, group * size, end)
            if depth > 0.0:
                note_depth(m.guard, depth, limit, t, where)
            m.guard.vertex_ways[group] = max(way, DIP * body.radius)
        least = min(least, m.guard.vertex_ways[group])
    return least


@device
def allowed_depth(p, model, m):
    """Depth [m] that the law of contact allows a vertex now."""
    if p.contact.law != IMPULSIVE:
        return p.contact.depth_limit
    if model.body.touching_count[PHASE] == FLYING:
        return p.guard.flight_limit + m.guard.flight_depth
    return LYING_DEPTHS * p.contact.lying_depth


@device
def turning(model, h, y, y1, k):
    """Bound [m per step] on what the rotation adds to the speed of a vertex."""
    radius = model.body.radius
    if turns_freely(model):
        top = model.top
        rate = most_free_rate(attitude(y), body_rate(y), model.spin.rate, top.axis, top.ratio)
        return h * radius * rate
    rate, _ = interpolated_bounds(RATE, h, y, y1, k)
    return h * radius * rate


@device
def guard_step(p, model, y, m, h, scratch):
    """Look along the step just finished, unless it is shorter than the way that is left."""
    k, y1 = scratch.k, scratch.y1
    path, turn = step_path(h, y, y1, k), 0.0
    if m.guard.is_far == 0:
        turn = turning(model, h, y, y1, k)
    travel = path_length(path) + turn
    if travel <= m.guard.way:
        m.guard.way -= travel
        m.guard.gone += travel
    else:
        walk_step(p, model, y, m, h, scratch, path, turn)


@routine
def walk_step(p, model, y, m, h, scratch, path, turn):
    """Look along a step longer than the way that is left."""
    k, y1 = scratch.k, scratch.y1
    most_turn = turning(model, h, y, y1, k) if m.guard.is_far != 0 else turn
    view = GuardView(p, model, m, allowed_depth(p, model, m), most_turn, h, y, y1, k, scratch.at)
    sampled = DIP * model.body.radius
    way, gone = walk_path(look_at_ground, view, path, turn, max(m.guard.way, 0.0), sampled)
    m.guard.way = way
    m.guard.gone += gone


@routine
def guard_start(p, model, y, m):
    """First look; a body released in the ground may be as deep as it is."""
    depth, _, _ = deepest_vertex(model, y)
    m.guard.flight_depth = depth
    m.guard.way = look_at_state(model, m, y, m.step.time, allowed_depth(p, model, m))


@routine
def guard_end(p, model, y, m):
    """Last look, where the run ends."""
    look_at_state(model, m, y, m.step.time, allowed_depth(p, model, m))
