"""Inverse masses that a place on a thread element and a body show to each other.

    1/m = 1/m_body + (1 - s)^2/m_i + s^2/m_j         along a unit vector

    s  place between the ends i and j of the element [-]     m_i  of a node, or of a body at its fixed point [kg]
A node that is glued to the body shows no mass of its own.
Frame: N axes. Validity: straight elements, rigid bodies. Source: elementary mechanics.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.rotations import rotation_matrix
from haptos.core.vectors import add, add_scaled, scale, subtract, tangential
from haptos.dynamics.contacts.glue import is_glued
from haptos.dynamics.contacts.resolve import shown, turned_by
from haptos.dynamics.rigid.bodies import attitude_of, three
from haptos.dynamics.system import NODE

CITES: tuple[str, ...] = ()


@device
def element_masses(net, motion, ends, s, body, axes):
    """(inverse masses [1/kg] along the normal and across it, their coupling) of an element and a body.

    ends, s  points of the element and the place between them      axes  the normal, the slip; unit
    body     attitude, inverse moments and arm [m] of the touched one
    """
    (i, j), (n, across), (dcm, inverse, arm) = ends, axes, body
    light = motion.inverse_mass[net.surface.body]
    inverse_n = shown(dcm, inverse, light, arm, n) + ends_shown(net, motion, i, j, s, n)
    inverse_t = shown(dcm, inverse, light, arm, across) + ends_shown(net, motion, i, j, s, across)
    coupling = add_scaled(
        scale((1.0 - s) ** 2, end_turned(net, motion, i, n)), s * s, end_turned(net, motion, j, n)
    )
    return inverse_n, inverse_t, tangential(add(coupling, turned_by(dcm, inverse, arm, n)), n)


@device
def end_shown(net, motion, i, n):
    """Inverse mass [1/kg] a point shows along the unit vector n."""
    owner = net.points.owner[i]
    if owner == NODE:
        return 0.0 if is_glued(net, motion, i, net.surface.body) else 1.0 / motion.mass[i]
    arm = subtract(three(motion.x, i), three(motion.place, owner))
    own = rotation_matrix(attitude_of(motion, owner))
    return shown(own, three(net.inverse_inertia, owner), motion.inverse_mass[owner], arm, n)


@device
def ends_shown(net, motion, i, j, s, n):
    """Inverse mass [1/kg] that the place p + s u of an element shows along n."""
    return (1.0 - s) ** 2 * end_shown(net, motion, i, n) + s * s * end_shown(net, motion, j, n)


@device
def end_turned(net, motion, i, n):
    """What an impulse along n at a point of a body makes it move by turning, `turned_by`."""
    owner = net.points.owner[i]
    if owner == NODE:
        return (0.0, 0.0, 0.0)
    arm = subtract(three(motion.x, i), three(motion.place, owner))
    own = rotation_matrix(attitude_of(motion, owner))
    return turned_by(own, three(net.inverse_inertia, owner), arm, n)
