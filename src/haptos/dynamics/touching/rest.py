"""Rest of a body after impacts: whether its contact points can hold it."""

from __future__ import annotations

from haptos.contact.sets.corner_walls import corner_offset, corner_row, wall_count
from haptos.contact.sets.crease_planes import KIND, put_plane, wall_field
from haptos.contact.static_rest import (
    ARM,
    BALANCED,
    FORCE,
    FRICTION,
    MOST_POINTS,
    NORMAL,
    ROLLING,
    is_balanced,
)
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, dot, norm, scale, subtract, tangential, three_at
from haptos.dynamics.rigid.rigid_body import RATE, VELOCITY, WORK_DAMPING, kinetic_energy
from haptos.dynamics.touching.ground_contact import ground_row, vertex_arm
from haptos.dynamics.touching.held_vertex import RESTING_GAP
from haptos.dynamics.touching.model import PHASE, SPRINGY, three
from haptos.dynamics.touching.rates import contact_rate, free_motion
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.dynamics.touching.struck_block import walls_of
from haptos.geometry.distance.surface import direction, ground_field

MOST_FALL = (
    0.03  # [radii] that a vertex may be above the ground and still hold a body at rest; assumed
)
ONE_LINE = 1e-6  # [radii] that points of one corner or edge may be off it
REST_PAUSE = 0.5  # [-] over the correction rate: time between two looks for a balance


@routine
def resting_points(p, model, y, points, planes, reach):
    """Number of contact points within `reach` [m] of the ground, their rows written to points.

    A ball in a crease has one on each wall. Of more than fit every second, fourth ... is taken.
    """
    body, x = model.body, position(y)
    dcm_AB = rotation_matrix(attitude(y))
    count, seen, every = 0, 0, 1
    for j in range(len(body.vertices)):
        arm = vertex_arm(model, dcm_AB, j)
        d, gradient, _, kind = ground_field(model.surface, add(x, arm))
        if d - body.corner_radius > reach:
            continue
        walls = resting_walls(model, j, add(x, arm), reach, planes)
        for wall in range(max(walls, 1)):
            if count == MOST_POINTS and seen % every == 0:
                count, every = MOST_POINTS // 2, 2 * every
                for i in range(count):
                    for k in range(FORCE):
                        points[i, k] = points[2 * i, k]
            if seen % every == 0:
                n, made = direction(gradient), kind
                if walls > 0:
                    n, made = three(planes[wall]), int(planes[wall, KIND])
                put_point(p, model, points[count], add(x, arm), arm, n, made)
                count += 1
            seen += 1
    return count


@device
def resting_walls(model, j, at, reach, planes):
    """Number of walls of a crease, two or more, within `reach` [m] of vertex j at a place [m]; 0 of no crease."""
    row, found = corner_row(model.creases.corner_walls, j), 0
    if row < 0:
        return walls_of(model, at, reach, planes)
    for wall in range(wall_count(model.creases.corner_walls, row)):
        offset = corner_offset(model.creases.corner_walls, row, wall)
        gap, gradient, _, kind = wall_field(model.surface, at, offset)
        if gap <= reach:
            put_plane(planes, found, direction(gradient), gap, kind, offset)
            found += 1
    return found if found > 1 else 0


@device
def put_point(p, model, point, at, arm, n, kind):
    """Write a contact point on ground of normal n."""
    r = add_scaled(arm, -model.body.corner_radius, n)
    row, axes = model.ground.pairs[ground_row(model, at, kind)], p.contact.rolling_axes
    for i in range(3):
        point[ARM + i], point[NORMAL + i] = r[i], n[i]
    point[FRICTION] = row.friction
    point[ROLLING] = row.rolling * min(axes[0], axes[1], axes[2])


@routine
def is_carried(p, model, y, t, pull, dy):
    """Whether a body that creeps on springs, slower than it would stick, is in balance there.

    The forces of its springs then are forces within the cones of friction that hold it: what
    is_balanced searches for, which near the edge of the cones it does not find. dy: working array.
    """
    v, w = norm(velocity(y)), norm(body_rate(y)) * model.body.radius
    if model.body.touching_count[PHASE] != SPRINGY or not v + w < p.contact.stick_speed:
        return False
    contact_rate(model, t, y, dy)
    # The rates of the velocities are the accelerations.
    return norm(velocity(dy)) + norm(body_rate(dy)) * model.body.radius <= BALANCED * pull


@routine
def is_at_rest(p, model, y, m, scratch):
    """Whether the body is slow and its contact points can hold it."""
    v, w = norm(velocity(y)), norm(body_rate(y)) * model.body.radius
    if not (v < p.contact.speed and w < p.contact.speed) or m.step.time < m.rest.test_time:
        return False
    m.rest.test_time = m.step.time + REST_PAUSE / p.contact.correction
    none = (0.0, 0.0, 0.0)
    a, alpha_B = free_motion(model, m.step.time, y, none, none)
    pull = norm(a)
    if pull == 0.0:
        return False
    dcm_AB = rotation_matrix(attitude(y))
    fall = min((v * v + w * w) / pull, MOST_FALL * model.body.radius)
    reach = RESTING_GAP * p.contact.lying_depth + fall
    count = resting_points(p, model, y, scratch.points, scratch.planes, reach)
    if is_tipping(model.body, a, scratch.points, count):
        return False
    if is_carried(p, model, y, m.step.time, pull, scratch.at):
        return True
    return is_balanced(model.body, dcm_AB, a, apply(dcm_AB, alpha_B), scratch.points, count)


@routine
def is_tipping(body, a, points, count):
    """Whether the body stands on one corner or one edge below its centre: a balance that it passes and does not keep.

    a: pull [m/s^2]. Round corners roll and do not tip; rolling resistance holds what stands near its balance.
    """
    if count == 0 or body.corner_radius > 0.0:
        return False
    first, along, longest = three_at(points[0], ARM), (0.0, 0.0, 0.0), 0.0
    for i in range(count):
        if points[i, ROLLING] > 0.0:
            return False
        apart = subtract(three_at(points[i], ARM), first)
        if norm(apart) > longest:
            along, longest = apart, norm(apart)
    if longest > ONE_LINE * body.radius:
        along = scale(1.0 / longest, along)
    for i in range(count):
        if (
            norm(tangential(subtract(three_at(points[i], ARM), first), along))
            > ONE_LINE * body.radius
        ):
            return False
    return dot(tangential(first, along), a) > 0.0


@device
def come_to_rest(model, y, m):
    """Take what is left of the motion; it counts as lost in impacts."""
    body = model.body
    y[WORK_DAMPING] -= kinetic_energy(body.mass, body.inertia, velocity(y), body_rate(y))
    for i in range(3):
        y[VELOCITY + i] = 0.0
        y[RATE + i] = 0.0
    m.step.is_stale = 1
