"""Energy ledger of a net by phase: what it stores, loses and is given between two events.

    stored in   = kinetic - P^2/(2 M) + threads + contacts         frame of the centre of mass

    resting     = sum over rigid bodies  m |v - P/M|^2/2 + w . I w/2

    P, M  momentum [N s] and mass [kg] of all nodes and bodies that move
A body that is held has no end of mass: then the frame is its own and nothing is taken off. Work of
gravity counts as put in, as there is no potential among the stores.
Events are rows of a time and whether it counts from the first touch; the phase is that of the latest.
Frame: N axes. Validity: that of `phase_ledger`. Source: elementary mechanics.
"""

from __future__ import annotations

from haptos.core.flat_views import flat
from haptos.core.jit import device, reduction, routine
from haptos.core.vectors import dot, subtract
from haptos.dynamics.ledger.phase_events import FIRST_TOUCH
from haptos.dynamics.ledger.phase_ledger import first_phase, next_phase, update_phase
from haptos.dynamics.rigid.bodies import three, turn_energy
from haptos.dynamics.rigid.loads import clock_times
from haptos.dynamics.system import (
    BREAKAGE,
    CONTACT_DAMPING,
    DRAG,
    REELED,
    RUBBING,
    SLIVER,
    THREAD_DAMPING,
    WELDING,
)

CITES: tuple[str, ...] = ()

# Works that are losses; the others put energy in, or take it out by a force from outside.
LOSSES = (THREAD_DAMPING, CONTACT_DAMPING, RUBBING, BREAKAGE, REELED, DRAG, WELDING)


@reduction
def nodes_sums(motion):
    """(kinetic energy [J], mass [kg], three of momentum [N s]) of the nodes, in one go."""
    energy, total, px, py, pz = 0.0, 0.0, 0.0, 0.0, 0.0
    v, mass = flat(motion.points.v), motion.points.mass
    for i in range(int(motion.step.nodes)):
        m, x, y, z = mass[i], v[3 * i], v[3 * i + 1], v[3 * i + 2]
        energy += m * (x * x + y * y + z * z)
        total += m
        px += m * x
        py += m * y
        pz += m * z
    return 0.5 * energy, total, px, py, pz


@routine
def common_motion(motion, nodes):
    """(mass [kg] of all that moves, velocity [m/s] of its centre); all 0 where a body is held.

    nodes  what `nodes_sums` gives
    """
    _, mass, px, py, pz = nodes
    for b in range(len(motion.bodies.inverse_mass)):
        if motion.bodies.inverse_mass[b] == 0.0:
            return 0.0, (0.0, 0.0, 0.0)
        m = 1.0 / motion.bodies.inverse_mass[b]
        mass += m
        px += m * motion.bodies.speed[b, 0]
        py += m * motion.bodies.speed[b, 1]
        pz += m * motion.bodies.speed[b, 2]
    if not mass > 0.0:
        return 0.0, (0.0, 0.0, 0.0)
    return mass, (px / mass, py / mass, pz / mass)


@routine
def resting_energy(system, motion, velocity):
    """Kinetic energy [J] of the rigid bodies, seen from what moves with a velocity [m/s]."""
    total = 0.0
    for b in range(len(motion.bodies.inverse_mass)):
        if motion.bodies.inverse_mass[b] > 0.0:
            drift = subtract(three(motion.bodies.speed, b), velocity)
            total += 0.5 * dot(drift, drift) / motion.bodies.inverse_mass[b]
        total += turn_energy(system, motion, b)
    return total


@device
def last_event(events, now, touched_at):
    """Number of the latest event that began before the end of a step, now [s].

    A timed event is not part of a step that ends with it; the first touch is found at the end of its step.
    """
    found, latest = 0, events[0, 0]
    for e in range(1, len(events)):
        start, _ = clock_times(events[e, 0], events[e, 0], events[e, 1], touched_at)
        until = now if e == FIRST_TOUCH else now - SLIVER
        if start <= until and start >= latest:
            found, latest = e, start
    return found


@routine
def note_phase(system, motion, remainder, nodes):
    """Take the energies of now into the ledger of the phases; remainder of the whole run [J].

    nodes  what `nodes_sums` gives
    """
    phases, work = motion.ledger.phases, motion.ledger.work
    mass, velocity = common_motion(motion, nodes)
    resting = resting_energy(system, motion, velocity)
    energy = (
        motion.ledger.energy.kinetic
        - 0.5 * mass * dot(velocity, velocity)
        + motion.ledger.energy.elastic
        + motion.ledger.energy.pressed
    )
    lost, supplied = 0.0, 0.0
    for k in range(len(work)):
        if k in LOSSES:
            lost -= work[k]
        else:
            supplied += work[k]
    if motion.step.count == 0.0:
        first_phase(phases, 0, energy, 0.0, resting)
        motion.ledger.energy.phase_count = 1.0
    count = int(motion.ledger.energy.phase_count)
    event = last_event(system.orders.events, motion.step.time, motion.step.touched_at)
    if event != phases[count - 1].event:
        count = next_phase(phases, count, event)
        motion.ledger.energy.phase_count = float(count)
    update_phase(phases, count, motion.step.time, energy, 0.0, resting, lost, supplied, remainder)
