"""Energy ledger by phase: what a run stores, loses and fails to account for between two events.

A run is cut into phases by events that a scenario names. Of each phase this record keeps, over all steps,

    stored     = max(E) - min(U) - min(W)           E  energy held, U  the potential part of it,
                                                    W  what may rest in the motion of rigid bodies [J]
    dissipated = L(end) - L(start)                  L  energy lost to friction, damping ... so far [J]
    put in     = S(end) - S(start)                  S  work of winches, thrust, sunlight ... so far [J]
    remainder  = max |R(t) - R(start)|              R = E - E(0) + L - S, what does not add up [J]

A row holds running values; those at the start of a phase are those at the end of the one before it.
Frame: E is taken in the frame of the centre of mass of all that moves, that of the ground where
something is fixed to it. R is the same in every frame that moves evenly.
Validity: as many phases as there are rows; later events leave the last phase open.
A body that spins and drifts on undisturbed holds energy that no contact and no thread has handled; it
must not make an error of these look small.
Source: the project's own definition, docs/models/energy-ledger.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

LEAST_PHASE = 1e-3  # [-] of the largest phase: the least energy a phase is measured by

PHASE = np.dtype(
    [
        ("event", "i8"),  # that began it, in the numbers of the scenario
        ("end", "f8"),  # [s] of its last step
        ("energy", "f8"),  # E, U, W, L, S, R at its last step [J]
        ("potential", "f8"),
        ("resting", "f8"),
        ("lost", "f8"),
        ("supplied", "f8"),
        ("remainder", "f8"),
        ("highest", "f8"),  # E [J]
        ("lowest", "f8"),  # U [J]
        ("least_resting", "f8"),  # W [J]
        ("largest", "f8"),  # |R - R(start)| [J]
    ]
)


def phase_rows(*shape: int) -> Any:
    """Room for phases, for compiled kernels and plain Python alike."""
    return np.zeros(shape, dtype=PHASE).view(np.recarray)


@device
def first_phase(phases, event, energy, potential, resting):
    """Begin the first phase at time zero with the energies [J] of now."""
    row = phases[0]
    row.event = event
    row.end, row.lost, row.supplied, row.remainder, row.largest = 0.0, 0.0, 0.0, 0.0, 0.0
    row.energy, row.highest = energy, energy
    row.potential, row.lowest = potential, potential
    row.resting, row.least_resting = resting, resting


@device
def lower_phase(phases, potential):
    """Count the potential of the first phase from this one [J], if it is lower than what it reaches."""
    phases[0].lowest = min(phases[0].lowest, potential)


@device
def next_phase(phases, count, event):
    """End the phase `count` at its last step and begin the next; how many there are now."""
    if count >= len(phases):
        return count
    before, row = phases[count - 1], phases[count]
    row.event = event
    row.end, row.energy, row.potential = before.end, before.energy, before.potential
    row.lost, row.supplied, row.remainder = before.lost, before.supplied, before.remainder
    row.highest, row.lowest, row.largest = before.energy, before.potential, 0.0
    row.resting, row.least_resting = before.resting, before.resting
    return count + 1


@device
def update_phase(phases, count, time, energy, potential, resting, lost, supplied, remainder):
    """Take a step that ended at a time [s] into the last of `count` phases; energies in joules."""
    row = phases[count - 1]
    start = phases[count - 2].remainder if count > 1 else 0.0
    row.end, row.energy, row.potential = time, energy, potential
    row.lost, row.supplied, row.remainder = lost, supplied, remainder
    row.highest = max(row.highest, energy)
    row.lowest = min(row.lowest, potential)
    row.resting, row.least_resting = resting, min(row.least_resting, resting)
    missing = abs(remainder - start)
    if missing > row.largest or missing != missing:  # a NaN comes in, and stays
        row.largest = missing
