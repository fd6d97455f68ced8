"""The ground under the body's vertices: which law holds there, and the force of it."""

from __future__ import annotations

from haptos.contact.compliant import CompliantLaw
from haptos.contact.contact_motion import Sliding, contact_motion
from haptos.contact.crease_motion import crease_motion, put_wall
from haptos.contact.lying_motion import lying_motion
from haptos.contact.sets.crease_planes import wall_field
from haptos.core.jit import device, routine
from haptos.core.rotations import apply
from haptos.core.vectors import add, cross, dot, scale
from haptos.dynamics.touching.model import (
    COUNT,
    PHASE,
    PUSHED,
    SLIDING,
    SPRINGY,
    VERTEX,
    WALLS,
    law_of,
)
from haptos.geometry.distance.surface import direction, ground_field
from haptos.geometry.terrain.land import regions_in
from haptos.geometry.terrain.regions import region_at
from haptos.geometry.terrain.terrain import GROUND, ROCK


@device
def law_here(model, x):
    """Contact law of the ground under the point x [m]."""
    if model.ground.has_regions:
        return stiffened(
            model, law_of(model.ground.laws[region_at(regions_in(model.surface.land), x)])
        )
    return stiffened(model, model.ground.law)


@device
def stiffened(model, law):
    """The law as it is, or on the springs of a PUSHED body."""
    if model.body.touching_count[PHASE] != PUSHED:
        return law
    k, c = model.device.push
    return CompliantLaw(k, c, law.mu, law.mu_s, law.c_rr, law.v_s, law.w_s, law.normal)


@device
def is_lying(model):
    """Whether the body is on springs between impacts and rest."""
    phase = model.body.touching_count[PHASE]
    return phase in (SPRINGY, PUSHED)


@device
def ground_row(model, x, kind):
    """Row of the coefficients of the ground at the point x [m]; kind: GROUND or ROCK."""
    if kind == ROCK:
        return len(model.ground.pairs) - 1
    if model.ground.has_regions:
        return region_at(regions_in(model.surface.land), x)
    return 0


@device
def vertex_arm(model, dcm_AB, j):
    """Vertex j from the centre of mass [m], A axes."""
    vertices = model.body.vertices
    return apply(dcm_AB, (vertices[j, 0], vertices[j, 1], vertices[j, 2]))


@device
def sliding_law(model, at, kind):
    """Law of contact motion on the ground at a place [m]; kind: GROUND or ROCK."""
    row, s = model.ground.pairs[ground_row(model, at, kind)], model.sliding
    rolling = scale(row.rolling, s.rolling)
    return Sliding(row.friction, rolling, s.v_s, s.w_s, s.correction)


@routine
def crease_contact(model, dcm_AB, arm, at, v, w, a, alpha):
    """As `sliding_contact` for the walls of a crease that hold the vertex in contact at the place `at` [m]."""
    count, offsets = model.body.touching_count[WALLS], model.creases.wall_offsets
    nearest, fastest, law = 1e300, -1e300, sliding_law(model, at, GROUND)
    for i in range(count):
        offset = (offsets[3 * i], offsets[3 * i + 1], offsets[3 * i + 2])
        d, gradient, hessian, kind = wall_field(model.surface, at, offset)
        law = sliding_law(model, add(at, offset), kind)
        gap, closing = put_wall(
            model.creases.wall_rows[i], law, model.body, arm, dcm_AB, (v, w), (d, gradient, hessian), (a, alpha)
        )  # fmt: skip
        nearest, fastest = min(nearest, gap), max(fastest, closing)
    force, torque_B, powers, load, slip = crease_motion(
        model.creases.wall_rows, count, law, model.body, arm, dcm_AB, v, w
    )
    return force, torque_B, powers, load, slip, nearest, fastest


@routine
def sliding_contact(model, dcm_AB, x, v, w, a, alpha):
    """Result of contact_motion at the vertex in contact, the gap there [m], its closing speed [m/s]."""
    arm = vertex_arm(model, dcm_AB, model.body.touching_count[VERTEX])
    at = add(x, arm)
    if model.body.touching_count[WALLS] > 1:
        return crease_contact(model, dcm_AB, arm, at, v, w, a, alpha)
    d, gradient, hessian, kind = ground_field(model.surface, at)
    law = sliding_law(model, at, kind)
    force, torque_B, powers, load, slip = contact_motion(
        law, model.body, arm, dcm_AB, v, w, (d, gradient, hessian), a, alpha
    )
    closing = -dot(direction(gradient), add(v, cross(apply(dcm_AB, w), arm)))
    return force, torque_B, powers, load, slip, d - model.body.corner_radius, closing


@device
def lying_now(model, dcm_AB, x, v, w):
    """Result of lying_motion for the vertices that touch."""
    law, axes = law_here(model, x), model.sliding.rolling
    rolling = (law.c_rr * axes[0], law.c_rr * axes[1], law.c_rr * axes[2])
    return lying_motion(
        law, rolling, model.surface, model.body, model.creases.corner_walls, dcm_AB, x, v, w
    )


@device
def touching_now(model):
    """Number of vertices in contact."""
    count = model.body.touching_count[COUNT]
    return count + (1 if model.body.touching_count[PHASE] == SLIDING else 0)
