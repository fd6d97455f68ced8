"""The energy ledger of a run as it marches: its phases, what does not add up, and steps that miss too much of it."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.dynamics.ledger.phase_ledger import LEAST_PHASE, next_phase, update_phase
from haptos.dynamics.touching.energies import energies, losses, motion_energies, works_put_in
from haptos.dynamics.touching.model import FLYING, PHASE
from haptos.dynamics.touching.run_rows import BOUNCES, GROUND

NOTHING_RESTS = 0.0  # [J]: every touch acts on the turn of the one body there is
KINK_ENERGY = 1e-8  # [-] of the energy of the phase; a step that misses more has met a kink


@device
def has_touched(m):
    """Whether the body has been in contact; one that was released lying on the ground may have no impact."""
    return m.first_touch_time >= 0.0 or m.phases > 0 or m.rests > 0


@device
def phase_event(model, m, phases):
    """Event that began the phase the run is in now, among those of `batch_layout`."""
    event = phases[m.ledger_phases - 1].event
    if m.hops > 0:
        return GROUND + m.hops
    if event < GROUND and model.body.touching_count[PHASE] != FLYING:
        return GROUND
    if event < BOUNCES and has_touched(m):
        return BOUNCES
    return event


@device
def note_energy(model, y, m, phases):
    """Take the energy of now into the ledger of the phases; it comes back [J]."""
    event = phase_event(model, m, phases)
    if event != phases[m.ledger_phases - 1].event:
        m.ledger_phases = next_phase(phases, m.ledger_phases, event)
    kinetic, potential = motion_energies(model, y)
    energy, lost, supplied = (
        m.elastic + kinetic + potential,
        losses(model, y),
        works_put_in(model, y),
    )
    remainder = energy - m.energy_start + lost - supplied
    update_phase(
        phases, m.ledger_phases, m.t, energy, potential, NOTHING_RESTS, lost, supplied, remainder
    )
    if abs(remainder) > m.largest_remainder or remainder != remainder:  # a NaN comes in, and stays
        m.largest_remainder = abs(remainder)
    return energy


@device
def update_ledger(model, y, m, phases):
    """Energy now, what does not add up, and the largest rise in one step."""
    energy = note_energy(model, y, m, phases)
    m.largest_rise = max(m.largest_rise, energy - m.energy_last)
    m.energy_last = energy


@device
def misses_energy(model, y, m, phases):
    """Whether a step to the state y would leave the ledger open by more than KINK_ENERGY."""
    row, first = phases[m.ledger_phases - 1], phases[0]
    lost = losses(model, y)
    before = phases[m.ledger_phases - 2].lost if m.ledger_phases > 1 else 0.0
    least = LEAST_PHASE * (first.highest - first.lowest)
    scale = max(row.highest - row.lowest + lost - before, least)
    kinetic, potential, elastic = energies(model, y)
    remainder = kinetic + potential + elastic - m.energy_start + lost - works_put_in(model, y)
    return abs(remainder - row.remainder) > KINK_ENERGY * scale
