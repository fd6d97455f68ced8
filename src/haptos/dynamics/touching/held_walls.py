"""Walls of a crease that hold a ball in contact motion: which they are, and where each is asked for."""

from __future__ import annotations

from haptos.contact.crease_motion import MOST_WALLS
from haptos.contact.sets.crease_planes import (
    SEEN_THERE,
    SPACINGS,
    fine_spacing,
    has_creases,
    wall_offset,
)
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, cross, dot
from haptos.dynamics.touching.ground_contact import vertex_arm
from haptos.dynamics.touching.model import VERTEX, WALLS, three
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.dynamics.touching.struck_block import CREASE_REACH, walls_of
from haptos.geometry.distance.surface import direction, gap_and_gradient

BESIDE = 0.03  # [radii] how far beside the centre a wall is asked for
SAME_NORMAL = 0.9995  # [-] cosine, 1.8 degrees, below which a normal is another


@device
def release_walls(model, m):
    """No wall holds the body, and the next look is for all of them."""
    model.body.touching_count[WALLS] = 0
    m.creases.held_normal[0], m.creases.held_normal[1], m.creases.held_normal[2] = 0.0, 0.0, 0.0


@device
def has_turned(model, at, m):
    """Whether the normal under a place [m] is another than when creases were looked for last; it is kept."""
    _, gradient = gap_and_gradient(model.surface, at)
    n = direction(gradient)
    is_new = not dot(n, three(m.creases.held_normal)) > SAME_NORMAL
    if is_new:
        m.creases.held_normal[0], m.creases.held_normal[1], m.creases.held_normal[2] = n
    return is_new


@routine
def hold_walls(p, model, y, m, planes):
    """Let the walls of a crease that the ball in contact motion has reached hold it; none on open ground.

    A ball on one wall meets the other when that becomes the nearest: the normal turns at once. Walls are looked for
    then, and while some hold it.
    Returns whether it comes against one of them faster than it would stay: nothing is changed then.
    """
    if model.body.corner_radius == 0.0 or not has_creases(model.surface):
        return False
    dcm_AB = rotation_matrix(attitude(y))
    arm = vertex_arm(model, dcm_AB, model.body.touching_count[VERTEX])
    at, u = add(position(y), arm), add(velocity(y), cross(apply(dcm_AB, body_rate(y)), arm))
    if not has_turned(model, at, m) and model.body.touching_count[WALLS] == 0:
        return False
    found = walls_of(model, at, CREASE_REACH * model.body.corner_radius, planes)
    for wall in range(found):
        if -dot(three(planes[wall]), u) > p.contact.speed:
            return True
    count, radius = min(found, MOST_WALLS), model.body.corner_radius
    step = max(BESIDE * radius, SPACINGS * fine_spacing(model.surface, radius))
    if count > 0 or model.body.touching_count[WALLS] > 0:
        m.step.is_stale = 1
    model.body.touching_count[WALLS] = count
    for i in range(count):
        offset = wall_offset(model.surface, at, planes, count, i, step, SEEN_THERE)
        for k in range(3):
            model.creases.wall_offsets[3 * i + k] = offset[k]
    return False
