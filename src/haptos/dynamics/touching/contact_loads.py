"""Load, slip and depth of the contact at a state."""

from __future__ import annotations

from haptos.contact.compliant import compliant_contact
from haptos.core.jit import routine
from haptos.core.rotations import rotation_matrix
from haptos.dynamics.touching.ground_contact import is_lying, law_here, lying_now, sliding_contact
from haptos.dynamics.touching.model import PHASE, SLIDING
from haptos.dynamics.touching.rates import free_motion
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity


@routine
def sliding_now(model, t, y):
    """(load [N], slip [m/s], gap [m], closing speed [m/s]) of the vertex in contact."""
    x, v, w = position(y), velocity(y), body_rate(y)
    a, alpha = free_motion(model, t, y, v, w)
    dcm_AB = rotation_matrix(attitude(y))
    _, _, _, load, slip, gap, closing = sliding_contact(model, dcm_AB, x, v, w, a, alpha)
    return load, slip, gap, closing


@routine
def contact_now(model, t, y):
    """(load [N], slip speed [m/s], deepest [m]) of the touching vertices; zeros in flight."""
    body = model.body
    if body.touching_count[PHASE] == SLIDING:
        load, slip, gap, _ = sliding_now(model, t, y)
        return load, slip, max(-gap, 0.0)
    if body.touching_count[0] == 0:
        return 0.0, 0.0, 0.0
    x, v, q, w = position(y), velocity(y), attitude(y), body_rate(y)
    none = (0.0, 0.0, 0.0)
    if is_lying(model):
        _, _, _, seen = lying_now(model, rotation_matrix(q), x, v, w)
        return seen
    _, _, _, seen = compliant_contact(
        law_here(model, x), model.surface, body, rotation_matrix(q), x, v, w, none, none
    )
    return seen
