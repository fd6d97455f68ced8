"""Inverse masses that a place on a thread element and a body show to each other.

    1/m = 1/m_body + (1 - s)^2/m_i + s^2/m_j         along a unit vector

    s  place between the ends i and j of the element [-]     m_i  of a node, or of a body at its fixed point [kg]
A node that is glued to the body shows no mass of its own. A body is taken as it is in the middle of the step: an impulse
there works over the mean way of a point that turns with it, which at 100 rad/s matters to a contact that stays closed.
Frame: N axes. Validity: straight elements, rigid bodies. Source: elementary mechanics.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, rotation_matrix
from haptos.core.vectors import add, add_scaled, cross, dot, scale, tangential
from haptos.dynamics.contacts.glue import is_glued
from haptos.dynamics.contacts.resolve import (
    effective_inverse_mass,
    moved_by,
    pose_at,
    rates_of_fast,
    turned_by,
)
from haptos.dynamics.rigid.bodies import three
from haptos.dynamics.system import NODE

CITES: tuple[str, ...] = ()


@routine
def held_at(system, motion, i, time):
    """(dcm_NB, arm [m] of point i) of its body after a time [s] of its free way; of a node, of no use."""
    owner = system.points.owner[i]
    if owner == NODE:
        return rotation_matrix((1.0, 0.0, 0.0, 0.0)), (0.0, 0.0, 0.0)
    dcm = pose_at(system, motion, owner, time)[1]
    return dcm, apply(dcm, three(system.points.offset, i))


@device
def end_speed(system, motion, i, held):
    """Velocity [m/s] of a node, or of a point of a body held as `held_at` says."""
    owner = system.points.owner[i]
    if owner == NODE:
        return three(motion.points.v, i)
    omega = rates_of_fast(held[0], three(system.inverse_inertia, owner), motion, owner)
    return add(three(motion.bodies.speed, owner), cross(omega, held[1]))


@device
def element_masses(system, motion, ends, held, s, body, axes):
    """(inverse masses [1/kg] along the normal and across it, their coupling) of an element and a body.

    ends, s  points of the element and the place between them      axes  the normal, the slip; unit
    held     `held_at` of both ends         body  attitude, inverse moments and arm [m] of the touched one
    """
    (n, across), (dcm, inverse, arm) = axes, body
    inverse_mass = motion.bodies.inverse_mass[system.surface.body]
    inverse_n = effective_inverse_mass(dcm, inverse, inverse_mass, arm, n)
    inverse_n += dot(element_moved(system, motion, ends, held, s, n), n)
    inverse_t = effective_inverse_mass(dcm, inverse, inverse_mass, arm, across)
    inverse_t += dot(element_moved(system, motion, ends, held, s, across), across)
    coupling = add_scaled(
        scale((1.0 - s) ** 2, end_turned(system, ends[0], held[0], n)),
        s * s,
        end_turned(system, ends[1], held[1], n),
    )
    return inverse_n, inverse_t, tangential(add(coupling, turned_by(dcm, inverse, arm, n)), n)


@device
def element_moved(system, motion, ends, held, s, impulse):
    """Velocity [m/s] that an impulse [N s] gives to the place between two ends of an element."""
    return add_scaled(
        scale((1.0 - s) ** 2, end_moved(system, motion, ends[0], held[0], impulse)),
        s * s,
        end_moved(system, motion, ends[1], held[1], impulse),
    )


@device
def end_moved(system, motion, i, held, impulse):
    """Velocity [m/s] that an impulse [N s] gives to a point; a glued one does not move by itself."""
    owner = system.points.owner[i]
    if owner == NODE:
        is_held = is_glued(system, motion, i, system.surface.body)
        return scale(0.0 if is_held else 1.0 / motion.points.mass[i], impulse)
    inverse = three(system.inverse_inertia, owner)
    return moved_by((held[0], inverse, motion.bodies.inverse_mass[owner], held[1]), impulse)


@device
def end_turned(system, i, held, n):
    """What an impulse along n at a point of a body makes it move by turning, `turned_by`."""
    owner = system.points.owner[i]
    if owner == NODE:
        return (0.0, 0.0, 0.0)
    return turned_by(held[0], three(system.inverse_inertia, owner), held[1], n)
