"""Energies of a state, and the work done on the motion so far."""

from __future__ import annotations

from haptos.contact.compliant import elastic_energy, vertex_gap
from haptos.contact.sets.corner_walls import corner_gap, corner_row, wall_count
from haptos.contact.spring_damper import spring_energy
from haptos.core.jit import device, routine
from haptos.core.rotations import apply_transposed, rotation_matrix
from haptos.core.vectors import add
from haptos.dynamics.rigid.rigid_body import (
    WORK_ACTUATOR,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_FRICTION,
    WORK_ROLLING,
    WORK_SPIN,
    WORK_SUNLIGHT,
    kinetic_energy,
    potential_energy,
)
from haptos.dynamics.touching.ground_contact import is_lying, stiffened, vertex_arm
from haptos.dynamics.touching.kept_gravity import gravity_here
from haptos.dynamics.touching.state import attitude, body_rate, position, spin_now, velocity


@device
def motion_energies(model, y):
    """(kinetic, potential) [J] relative to the ground."""
    x, v, w = position(y), velocity(y), body_rate(y)
    body = model.body
    spin, _ = spin_now(model, y)
    spin_B = apply_transposed(rotation_matrix(attitude(y)), spin)
    potential, _ = gravity_here(model, x)
    return (
        kinetic_energy(body.mass, body.inertia, v, w),
        potential_energy(body.mass, body.inertia, potential, spin, spin_B, x),
    )


@device
def motion_energy(model, y):
    """Kinetic and potential energy together [J]."""
    kinetic, potential = motion_energies(model, y)
    return kinetic + potential


@routine
def energies(model, y):
    """(kinetic, potential, elastic) [J] relative to the ground."""
    kinetic, potential = motion_energies(model, y)
    return kinetic, potential, spring_energies(model, y)


@device
def spring_energies(model, y):
    """Energy [J] in the springs under the vertices that touch."""
    dcm_AB, x, body, total = rotation_matrix(attitude(y)), position(y), model.body, 0.0
    if not is_lying(model):
        return elastic_energy(model.ground.law, model.surface, body, dcm_AB, x)
    for slot in range(body.touching_count[0]):
        j = body.touching[slot]
        gap, _, _ = vertex_gap(model.surface, body.vertices, body.corner_radius, j, dcm_AB, x)
        total += vertex_energy(model, add(x, vertex_arm(model, dcm_AB, j)), gap, j)
    return total


@device
def vertex_energy(model, at, gap, j):
    """Energy [J] in the springs under vertex j at a place [m], where the field leaves it that gap [m]."""
    k, walls = stiffened(model, model.ground.law).k, model.creases.corner_walls
    row, total = corner_row(walls, j), 0.0
    if row < 0:
        return spring_energy(k, gap)
    for wall in range(wall_count(walls, row)):
        total += spring_energy(k, corner_gap(model.surface, at, walls, row, wall)[0])
    return total


@device
def losses(model, y):
    """Energy [J] that damping, friction, rolling resistance and drag have taken so far."""
    lost = 0.0 - (y[WORK_DAMPING] + y[WORK_FRICTION] + y[WORK_ROLLING])
    if model.air.is_on:
        lost -= y[WORK_DRAG]
    return lost


@device
def works_put_in(model, y):
    """Work [J] done on the motion so far by sunlight, a tumbling body and the momentum device."""
    total = 0.0
    if model.sun.is_on:
        total += y[WORK_SUNLIGHT]
    if model.spin.is_tumbling:
        total += y[WORK_SPIN]
    if model.device.is_on:
        total += y[WORK_ACTUATOR]
    return total


@device
def works(model, y):
    """Work [J] done on the motion so far by all actors of the ledger."""
    return works_put_in(model, y) - losses(model, y)
