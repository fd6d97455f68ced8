"""Ledger of one step of joined bodies: what a step leaves unexplained, and whether a shorter one would explain more.

    remainder = change of kinetic, modal, boom, elastic and stick energy - works put in + losses,     over the step
A step that leaves more than its tolerance is taken again, shorter, for as long as that pays: where contact begins or ends within
a step, or the nearest face of an edge changes, the embedded error misses it.
Validity: as plant_rates.py. Source: elementary.
"""

from __future__ import annotations

import math

from haptos.contact.sets.polygons import NODES
from haptos.contact.sets.polygons_step import frictional_losses
from haptos.contact.sets.polygons_sum import ELASTIC, SLIPPING, STICK
from haptos.core.inlining import routine
from haptos.dynamics.joined.plant_model import (
    A_ELASTIC,
    A_STICK,
    B_ENERGY,
    C_DAMPING,
    C_SHEAR,
    C_VISCOUS,
    CONTACT_WORKS,
    L_ALLOWED,
    L_REFUSED,
    L_STORED,
    W_BOOM_DAMPING,
    WORKS,
)
from haptos.dynamics.joined.plant_rates import kinetic_energy, mode_energy

CITES: tuple[str, ...] = ()

PAYS = 0.3  # [-] of its remainder that a step taken again may keep, or it is accepted


@routine
def _stored_apart(plant, y):
    """Energy [J] stored now, contacts apart; velocities and booms must be those of the state."""
    total = kinetic_energy(plant, y) + mode_energy(plant, y)
    for k in range(plant.layout.booms):
        total += plant.booms.now[k, B_ENERGY]
    return total


@routine
def keep_stored(plant, y):
    """The state just evaluated is that of the last accepted step."""
    plant.record.ledger[L_STORED] = _stored_apart(plant, y)
    plant.record.ledger[L_REFUSED] = math.inf


@routine
def contact_losses(plant, k, y, y1):
    """(friction [J], released [J]) of contact k from the step's start to its end, which its sums hold."""
    contact = plant.contacts[k]
    at = plant.layout.contacts + CONTACT_WORKS * k + C_SHEAR
    before = contact.account[A_STICK]
    return frictional_losses(contact, y1[at] - y[at], before, contact.kept[SLIPPING])


@routine
def _step_remainder(plant, y, y1):
    """Energy [J] that does not add up in a step whose end is the last evaluation."""
    at = plant.layout
    found = _stored_apart(plant, y1) - plant.record.ledger[L_STORED]
    for i in range(WORKS):
        done = y1[at.works + i] - y[at.works + i]
        found += done if i >= W_BOOM_DAMPING else -done
    for k in range(at.pairs):
        contact = plant.contacts[k]
        if contact.found.counts[NODES] == 0:
            continue
        first, sums, account = at.contacts + CONTACT_WORKS * k, contact.sums, contact.account
        friction, released = contact_losses(plant, k, y, y1)
        found += friction + released
        found += sums[ELASTIC] - account[A_ELASTIC] + sums[STICK] - account[A_STICK]
        found += y1[first + C_DAMPING] - y[first + C_DAMPING]
        found += y1[first + C_VISCOUS] - y[first + C_VISCOUS]
    return abs(found)


@routine
def closes(plant, y, y1):
    """Whether the ledger of a step closes as far as it can."""
    ledger = plant.record.ledger
    remainder = _step_remainder(plant, y, y1)
    if not remainder > ledger[L_ALLOWED]:
        return True
    before = ledger[L_REFUSED]
    ledger[L_REFUSED] = remainder
    return remainder > PAYS * before
