"""Energy of a run as it marches: its phases, what does not add up, and steps that miss too much of it."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.dynamics.ledger.phase_ledger import LEAST_PHASE, next_phase, update_phase
from haptos.dynamics.rigid.rigid_body import (
    WORK_ACTUATOR,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_FRICTION,
    WORK_ROLLING,
    WORK_SPIN,
    WORK_SUNLIGHT,
)
from haptos.scenarios.lander.batch_layout import BOUNCES, GROUND
from haptos.scenarios.lander.equations import (
    FLYING,
    PHASE,
    energies,
    motion_energies,
)

KINK_ENERGY = 1e-8  # [-] of the energy of the phase; a step that misses more has met a kink


@device
def losses(lander, y):
    """Energy [J] that damping, friction, rolling resistance and drag have taken so far."""
    lost = 0.0 - (y[WORK_DAMPING] + y[WORK_FRICTION] + y[WORK_ROLLING])
    if lander.air.is_on:
        lost -= y[WORK_DRAG]
    return lost


@device
def works_put_in(lander, y):
    """Work [J] done on the motion so far by sunlight, a tumbling body and the momentum device."""
    total = 0.0
    if lander.sun.is_on:
        total += y[WORK_SUNLIGHT]
    if lander.is_tumbling:
        total += y[WORK_SPIN]
    if lander.is_hopping:
        total += y[WORK_ACTUATOR]
    return total


@device
def works(lander, y):
    """Work [J] done on the motion so far by all actors the ledger books."""
    return works_put_in(lander, y) - losses(lander, y)


@device
def has_touched(m):
    """Whether the probe has been in contact; one that was released lying on the ground may have no impact."""
    return m.first_touch_time >= 0.0 or m.phases > 0 or m.rests > 0


@device
def phase_event(lander, m, phases):
    """Event that began the phase the run is in now, among those of `batch_layout`."""
    event = phases[m.ledger_phases - 1].event
    if m.hops > 0:
        return GROUND + m.hops
    if event < GROUND and lander.body.touching_count[PHASE] != FLYING:
        return GROUND
    if event < BOUNCES and has_touched(m):
        return BOUNCES
    return event


@device
def note_energy(lander, y, m, phases):
    """Take the energy of now into the ledger of the phases; it comes back [J]."""
    event = phase_event(lander, m, phases)
    if event != phases[m.ledger_phases - 1].event:
        m.ledger_phases = next_phase(phases, m.ledger_phases, event)
    kinetic, potential = motion_energies(lander, y)
    energy, lost, supplied = (
        m.elastic + kinetic + potential,
        losses(lander, y),
        works_put_in(lander, y),
    )
    remainder = energy - m.energy_start + lost - supplied
    update_phase(phases, m.ledger_phases, m.t, energy, potential, lost, supplied, remainder)
    if abs(remainder) > m.largest_remainder or remainder != remainder:  # a NaN comes in, and stays
        m.largest_remainder = abs(remainder)
    return energy


@device
def keep_books(lander, y, m, phases):
    """Energy now, what does not add up, and the largest rise in one step."""
    energy = note_energy(lander, y, m, phases)
    m.largest_rise = max(m.largest_rise, energy - m.energy_last)
    m.energy_last = energy


@device
def misses_energy(lander, y, m, phases):
    """Whether a step to the state y would leave the ledger open by more than KINK_ENERGY."""
    row, first = phases[m.ledger_phases - 1], phases[0]
    lost = losses(lander, y)
    before = phases[m.ledger_phases - 2].lost if m.ledger_phases > 1 else 0.0
    least = LEAST_PHASE * (first.highest - first.lowest)
    scale = max(row.highest - row.lowest + lost - before, least)
    kinetic, potential, elastic = energies(lander, y)
    remainder = kinetic + potential + elastic - m.energy_start + lost - works_put_in(lander, y)
    return abs(remainder - row.remainder) > KINK_ENERGY * scale
