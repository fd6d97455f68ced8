"""Corners of a lying body that stand in creases: which they are, and the springs of all their walls.

Corners are looked at anew when the body has moved by half of what a look sees. A crease counts if its walls, each
carried back from where it alone is nearest, are different planes and the nearest of them is the ground
that the field tells: kinks of polyhedral rocks and fine grids do, ground that is curved or filleted does not. A wall is found before
a corner sinks into it, and springs keep their energy, except for what a grid rounds off below a crease: what they get there is
taken from the motion.
"""

from __future__ import annotations

import math

from haptos.contact.sets.corner_walls import (
    MOST_CORNER_WALLS,
    add_corner,
    corner_gap,
    put_offset,
)
from haptos.contact.sets.crease_planes import (
    SAME,
    SEEN_ROUNDED,
    SEEN_THERE,
    SPACINGS,
    STEP,
    fine_spacing,
    has_kinks,
    planes_about,
    wall_offset,
)
from haptos.core.jit import device, routine
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import add, dot, norm, subtract
from haptos.dynamics.rigid.rigid_body import RATE, VELOCITY, WORK_DAMPING, kinetic_energy
from haptos.dynamics.touching.energies import spring_energies
from haptos.dynamics.touching.ground_contact import vertex_arm
from haptos.dynamics.touching.model import three
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.geometry.distance.surface import direction, gap_and_gradient

MOVED = 0.5  # [looks] way of the body after which its corners are looked at again
BESIDE = 2.0  # [looks] how far beside a corner a wall is asked for
NEAREST = 1e-4  # [radii] by which the nearest wall may differ from the field,
ROUNDED = 0.2  # [depths] and what a grid rounds off below a crease besides;
GRID_LIFT = 0.16  # [spacings] by which a grid lifts the bottom of a crease, times the sine of half its angle: 0.15 at most, measured


@device
def release_corners(model, m):
    """No corner stands in a crease, and the next look is for all of them."""
    model.creases.corner_walls[0] = 0.0
    m.creases.looked_place[0] = math.nan


@device
def has_moved(model, y, m, limit):
    """Whether some point of the body may have moved by `limit` [m] since the last look."""
    q, p = attitude(y), m.creases.looked_attitude
    cosine = abs(q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3])
    turned = 2.0 * math.acos(min(cosine, 1.0))
    way = norm(subtract(position(y), three(m.creases.looked_place))) + turned * model.body.radius
    return not way < limit


@device
def is_crease(model, at, d, row, count, planes, beside, rounded_off):
    """Whether walls `beside` [m] a corner at a place [m], where the field is d [m], are a crease; where they are goes to their row.

    rounded_off [m]: by how much a grid may lift the bottom of a crease, times the sine of half its angle.
    """
    walls, nearest, least, kept = model.creases.corner_walls, math.inf, 1.0, 0
    same = SEEN_ROUNDED if rounded_off > 0.0 else SEEN_THERE
    for i in range(count):
        if kept == MOST_CORNER_WALLS:
            break
        put_offset(walls, row, kept, wall_offset(model.surface, at, planes, count, i, beside, same))
        gap, gradient = corner_gap(model.surface, at, walls, row, kept)
        closest = -1.0
        for other in range(kept):
            _, seen = corner_gap(model.surface, at, walls, row, other)
            cosine = dot(direction(gradient), direction(seen))
            closest, least = max(closest, cosine), min(least, cosine)
        if closest <= SAME:
            kept, nearest = kept + 1, min(nearest, gap)
        elif rounded_off == 0.0:
            return False
    walls[row + 1] = kept
    slack = NEAREST * model.body.radius + ROUNDED * abs(d)
    lifted = rounded_off * math.sqrt(max(0.5 * (1.0 - least), 0.0))
    return kept > 1 and -slack <= nearest - d <= slack + lifted


@routine
def begin_crease(model, at, d, j, planes, spacing, beside):
    """Begin a row for corner j at a place [m] where the field is d [m], if walls asked for `beside` [m] it are a crease.

    spacing [m] of a grid whose walls are looked for where it does not round them off; 0: at the kinks of the field itself.
    """
    size, walls = model.body.radius, model.creases.corner_walls
    count = planes_about(model.surface, at, 0.0, size, spacing, STEP * size, planes)
    row = add_corner(walls, j, count) if count > 1 else -1
    if row < 0:
        return False
    if is_crease(model, at, d, row, count, planes, beside, GRID_LIFT * spacing):
        return True
    walls[0] -= 1.0
    return False


@routine
def look_at_corner(model, at, d, j, planes):
    """Begin a row for corner j at a place [m] where the field is d [m], if it stands in a crease."""
    # A grid finer than the body has true walls from one and a half spacings beside a crease on; one that
    # rounds the crease off has flatter ones before.
    near, spacing = (
        BESIDE * STEP * model.body.radius,
        fine_spacing(model.surface, model.body.radius),
    )
    far = near + SPACINGS * spacing
    if spacing > 0.0 and begin_crease(model, at, d, j, planes, spacing, far):
        return
    if not begin_crease(model, at, d, j, planes, 0.0, far) and spacing > 0.0:
        begin_crease(model, at, d, j, planes, 0.0, near)


@routine
def look_at_corners(model, y, m, planes):
    """Find the corners of a lying body that stand in creases, unless it has hardly moved since the last look."""
    body, reach = model.body, STEP * model.body.radius
    if body.corner_radius > 0.0 or not has_kinks(model.surface, body.radius):
        return
    if not has_moved(model, y, m, MOVED * reach):
        return
    x, q, walls = position(y), attitude(y), model.creases.corner_walls
    rows_before, energy_before = walls[0], spring_energies(model, y)
    m.creases.looked_place[0], m.creases.looked_place[1], m.creases.looked_place[2] = x
    for i in range(4):
        m.creases.looked_attitude[i] = q[i]
    put_corners(model, x, rotation_matrix(q), reach, planes)
    if rows_before == 0.0 and walls[0] == 0.0:
        return
    m.step.is_stale = 1
    gained = spring_energies(model, y) - energy_before
    if gained > motion_of(model, y):  # deeper in a wall than it can pay for: each feels one
        walls[0] = 0.0
        gained = spring_energies(model, y) - energy_before
    give_to_springs(model, y, gained)


@routine
def put_corners(model, x, dcm_AB, reach, planes):
    """Write the rows of corners in creases of a body at x [m] that are within `reach` [m] of the ground."""
    body = model.body
    model.creases.corner_walls[0] = 0.0
    for j in range(len(body.vertices)):
        at = add(x, vertex_arm(model, dcm_AB, j))
        d, _ = gap_and_gradient(model.surface, at)
        if d < reach:
            look_at_corner(model, at, d, j, planes)


@device
def motion_of(model, y):
    """Kinetic energy [J] relative to the ground."""
    return kinetic_energy(model.body.mass, model.body.inertia, velocity(y), body_rate(y))


@device
def give_to_springs(model, y, energy):
    """Take from the motion what springs have got [J] though nothing moved; what they have less counts as lost in damping."""
    kinetic = motion_of(model, y)
    if energy < 0.0:
        y[WORK_DAMPING] += energy
    elif energy > 0.0 and kinetic > 0.0:
        kept = math.sqrt(max(1.0 - energy / kinetic, 0.0))
        for i in range(3):
            y[VELOCITY + i] *= kept
            y[RATE + i] *= kept
