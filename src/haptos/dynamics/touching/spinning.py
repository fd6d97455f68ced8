"""Does a body spin on for ever: in place like a sleeping top, or round the corner it stands on like one that leans?

A point contact has no torque about its normal, so that nothing ends such a motion. It counts once it has lasted for
`place_hold_s` while friction took less than STEADY of its kinetic energy:

    in place     its centre stays within place_share radii, and it turns at least once in that time
    goes round   it stands on one vertex, which stays within place_share radii, and its centre has gone round the
                 vertical through that TURNS times: precession of a top, with whatever nutation

What still travels moves its vertex; what leans over, or loses its spin, strikes the ground or loses energy before.
Frame: A axes; vertical along gravity. Source: ours.
"""

from __future__ import annotations

import math

from haptos.contact.settling import has_stayed
from haptos.core.jit import device, routine
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import add, cross, dot, norm, subtract, tangential
from haptos.dynamics.rigid.rigid_body import kinetic_energy
from haptos.dynamics.touching.energies import losses
from haptos.dynamics.touching.ground_contact import touching_now, vertex_arm
from haptos.dynamics.touching.kept_gravity import gravity_here
from haptos.dynamics.touching.model import COUNT, PHASE, SLIDING, VERTEX, three
from haptos.dynamics.touching.state import attitude, body_rate, position, velocity
from haptos.geometry.distance.surface import direction

CITES: tuple[str, ...] = ()

STEADY = 1e-3  # [-] of the kinetic energy that may be lost in place_hold_s; assumed
TURNS = 3.0  # [-] of the centre round the vertex it stands on; assumed
NO_VERTEX = -1.0


@device
def standing_vertex(model):
    """The vertex a body stands on alone; NO_VERTEX in flight and on several."""
    count = model.body.touching_count
    if count[PHASE] == SLIDING:
        return count[VERTEX]
    return model.body.touching[0] if count[COUNT] == 1 else int(NO_VERTEX)


@device
def note_place(p, model, x, m):
    """Begin anew to be in place where the body flies or has moved away."""
    if touching_now(model) == 0 or norm(subtract(x, three(m.rest.place))) > p.settle.place:
        m.rest.place[0], m.rest.place[1], m.rest.place[2] = x
        m.rest.place_since = m.step.time


@device
def note_losses(model, y, m):
    """Begin anew to keep the energy where too much of it was lost."""
    lost = losses(model, y)
    kinetic = kinetic_energy(model.body.mass, model.body.inertia, velocity(y), body_rate(y))
    if not lost - m.rest.steady_lost <= STEADY * kinetic:
        m.rest.steady_since, m.rest.steady_lost = m.step.time, lost


@routine
def note_turns(p, model, y, m):
    """Add up the angle by which the centre goes round the vertex it stands on; anew where that is another, or moves."""
    j, x = standing_vertex(model), position(y)
    if j < 0:
        m.pivot.vertex = NO_VERTEX
        return
    arm = vertex_arm(model, rotation_matrix(attitude(y)), j)
    at = add(x, arm)
    _, pull = gravity_here(model, x)
    down = direction(pull)
    lean = tangential(arm, down)
    if m.pivot.vertex != j or norm(subtract(at, three(m.pivot.place))) > p.settle.place:
        m.pivot.vertex, m.pivot.since, m.pivot.turned = j, m.step.time, 0.0
        m.pivot.place[0], m.pivot.place[1], m.pivot.place[2] = at
    else:
        before = three(m.pivot.lean)
        m.pivot.turned += math.atan2(dot(down, cross(before, lean)), dot(before, lean))
    m.pivot.lean[0], m.pivot.lean[1], m.pivot.lean[2] = lean


@device
def note_spin(p, model, y, m):
    """What is kept of a step to see a body that spins on."""
    note_place(p, model, position(y), m)
    if touching_now(model) == 0:
        m.pivot.vertex = NO_VERTEX
        return
    note_losses(model, y, m)
    note_turns(p, model, y, m)


@device
def has_slow_place(p, model, y, m):
    """Whether a body that turns slower than rest does was in place long enough."""
    return (
        touching_now(model) > 0
        and norm(body_rate(y)) < p.settle.rate
        and has_stayed(m.rest.place_since, m.step.time, p.settle.place_hold)
    )


@device
def spins_since(p, model, y, m):
    """Time [s] since when a body that spins on does so; negative for any other."""
    rate, hold = norm(body_rate(y)), p.settle.place_hold
    is_steady = touching_now(model) > 0 and has_stayed(m.rest.steady_since, m.step.time, hold)
    if not is_steady or rate < p.settle.rate:
        return -1.0
    if has_stayed(m.rest.place_since, m.step.time, hold) and rate * hold >= 2.0 * math.pi:
        return m.rest.place_since
    is_on_vertex = m.pivot.vertex >= 0.0 and has_stayed(m.pivot.since, m.step.time, hold)
    if is_on_vertex and abs(m.pivot.turned) >= TURNS * 2.0 * math.pi:
        return m.pivot.since
    return -1.0
