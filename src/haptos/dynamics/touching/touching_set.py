"""Which vertices touch: the gap of the free ones, touch and release."""

from __future__ import annotations

from haptos.contact.compliant import vertex_gap
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, cross, dot, norm, tangential
from haptos.dynamics.rigid.rigid_body import kinetic_energy
from haptos.dynamics.touching.energies import vertex_energy
from haptos.dynamics.touching.ground_contact import vertex_arm
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.dynamics.touching.stored_rows import RELEASE, TOUCH, store_event
from haptos.geometry.distance.surface import GRID, clear_way, gap_bound
from haptos.geometry.terrain.land import is_rough

SURELY_FAR = 0.1  # [body radii] above this gap the bounding ball decides, below it the vertices
NOTHING_FREE = 1e300  # [m] gap when every vertex touches already


@device
def ball_way(model, x):
    """Way [m] that the ball about the body can surely go; negative ones promise nothing."""
    body, surface = model.body, model.surface
    if surface.kind != GRID and not is_rough(surface.land):
        return gap_bound(surface, x) - body.radius
    # The bound of a grid is off by its spacing, mostly far more than the body is large.
    return clear_way(surface, x, body.corner_radius) - (body.radius - body.corner_radius)


@routine
def free_gap(model, y):
    """Way [m] the nearest vertex not touching can surely go; zero where it touches."""
    body = model.body
    vertex_count = len(body.vertices)
    if body.touching_count[0] == vertex_count:
        return NOTHING_FREE
    x = position(y)
    far = ball_way(model, x)
    if far > SURELY_FAR * body.radius:
        return far
    dcm_AB = rotation_matrix(attitude(y))
    least = NOTHING_FREE
    for j in range(vertex_count):
        if body.is_touching[j] == 0:
            r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
            least = min(least, clear_way(model.surface, add(x, r), body.corner_radius))
    return least


@device
def vertex_state(body, j, y, dcm_AB):
    """(place [m], velocity [m/s]) of vertex j, A axes."""
    r = apply(dcm_AB, (body.vertices[j, 0], body.vertices[j, 1], body.vertices[j, 2]))
    w_A = apply(dcm_AB, body_rate(y))
    return add(position(y), r), add(velocity(y), cross(w_A, r))


@routine
def update_touching(model, y, t, tolerance, m, record):
    """Let vertices at the ground touch and vertices above it go; number of new touches.

    A vertex touches while its gap is below zero, or within `tolerance` of it and closing.
    Updates depth, spring energy and the nearest free vertex in m.
    """
    body, contact = model.body, m.contact
    x, v, w_B = position(y), velocity(y), body_rate(y)
    dcm_AB = rotation_matrix(attitude(y))
    w_A = apply(dcm_AB, w_B)
    contact.elastic = 0.0
    contact.free_gap = gap_bound(model.surface, x) - body.radius
    if body.touching_count[0] == 0 and contact.free_gap > max(SURELY_FAR * body.radius, tolerance):
        return 0
    contact.free_gap = NOTHING_FREE
    fresh, count = 0, 0
    for j in range(len(body.vertices)):
        gap, n, r = vertex_gap(model.surface, body.vertices, body.corner_radius, j, dcm_AB, x)
        u = add(v, cross(w_A, r))
        closing = -dot(u, n)
        before = body.is_touching[j] != 0
        now = gap <= 0.0 or (gap <= tolerance and closing > 0.0)
        if now:
            body.touching[count] = j
            count += 1
            contact.deepest = max(contact.deepest, -gap)
            m.touch.fastest = max(m.touch.fastest, norm(u))
            contact.elastic += vertex_energy(model, add(x, vertex_arm(model, dcm_AB, j)), gap, j)
        else:
            contact.free_gap = min(contact.free_gap, gap)
        if now != before:
            body.is_touching[j] = 1 if now else 0
            fresh += 1 if now else 0
            if record.is_on:
                slip = norm(tangential(u, n))
                kinetic = kinetic_energy(body.mass, body.inertia, v, w_B)
                kind = TOUCH if now else RELEASE
                store_event(record, m, t, kind, j, add(x, r), n, closing, slip, kinetic)
    body.touching_count[0] = count
    if model.surface.kind == GRID or is_rough(model.surface.land):
        contact.free_gap = free_gap(model, y)  # the field of such ground is no distance
    return fresh
