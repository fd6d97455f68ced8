"""The energy ledger of a run as it marches: its phases, what does not add up, and steps that miss too much of it."""

from __future__ import annotations

from haptos.core.jit import device
from haptos.dynamics.ledger.phase_ledger import LEAST_PHASE, next_phase, update_phase
from haptos.dynamics.touching.energies import energies, losses, motion_energies, works_put_in
from haptos.dynamics.touching.model import FLYING, PHASE
from haptos.dynamics.touching.run_memory import BOUNCES, GROUND

NOTHING_RESTS = 0.0  # [J]: every touch acts on the turn of the one body there is
KINK_ENERGY = 1e-8  # [-] of the energy of the phase; a step that misses more has met a kink


@device
def has_touched(m):
    """Whether the body has been in contact; one that was released lying on the ground may have no impact."""
    return m.touch.first_time >= 0.0 or m.contact.phases > 0 or m.hops.rests > 0


@device
def phase_event(model, m, phases):
    """Event that began the phase the run is in now, among those of `run_memory`."""
    event = phases[m.ledger.phases - 1].event
    if m.hops.count > 0:
        return GROUND + m.hops.count
    if event < GROUND and model.body.touching_count[PHASE] != FLYING:
        return GROUND
    if event < BOUNCES and has_touched(m):
        return BOUNCES
    return event


@device
def note_energy(model, y, m, phases):
    """Take the energy of now into the ledger of the phases; it comes back [J]."""
    event = phase_event(model, m, phases)
    if event != phases[m.ledger.phases - 1].event:
        m.ledger.phases = next_phase(phases, m.ledger.phases, event)
    kinetic, potential = motion_energies(model, y)
    energy, lost, supplied = (
        m.contact.elastic + kinetic + potential,
        losses(model, y),
        works_put_in(model, y),
    )
    remainder = energy - m.ledger.start + lost - supplied
    update_phase(
        phases,
        m.ledger.phases,
        m.step.time,
        energy,
        potential,
        NOTHING_RESTS,
        lost,
        supplied,
        remainder,
    )
    if (
        abs(remainder) > m.ledger.largest_remainder or remainder != remainder
    ):  # a NaN comes in, and stays
        m.ledger.largest_remainder = abs(remainder)
    return energy


@device
def update_ledger(model, y, m, phases):
    """Energy now, what does not add up, and the largest rise in one step."""
    energy = note_energy(model, y, m, phases)
    m.ledger.largest_rise = max(m.ledger.largest_rise, energy - m.ledger.last)
    m.ledger.last = energy


@device
def misses_energy(model, y, m, phases):
    """Whether a step to the state y would leave the ledger open by more than KINK_ENERGY."""
    row, first = phases[m.ledger.phases - 1], phases[0]
    lost = losses(model, y)
    before = phases[m.ledger.phases - 2].lost if m.ledger.phases > 1 else 0.0
    least = LEAST_PHASE * (first.highest - first.lowest)
    scale = max(row.highest - row.lowest + lost - before, least)
    kinetic, potential, elastic = energies(model, y)
    remainder = kinetic + potential + elastic - m.ledger.start + lost - works_put_in(model, y)
    return abs(remainder - row.remainder) > KINK_ENERGY * scale
