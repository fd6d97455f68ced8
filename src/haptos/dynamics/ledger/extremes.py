"""Largest tensions, energies and speeds of contacts of points and bodies over all steps, not only at stored times.

    largest(t) = max over all steps up to t,     taken where the forces of a step are evaluated

Each element keeps its own, with the time of it, and the time it broke. Frame: none.
Validity: between two steps a force may be larger by what it changes within one.
Source: bookkeeping.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from haptos.core.jit import device, routine
from haptos.core.vectors import norm

CITES: tuple[str, ...] = ()

Extremes = namedtuple("Extremes", "tension tension_at line line_at broke_at energy contact_speed")
# tension, tension_at  (m,) largest tension of each element so far [N], when [s]
# line, line_at        (q,) the same of running lines
# broke_at             (m,) when an element broke [s], inf if it is whole
# energy               (2,) largest energies of bending and twist [J]
# contact_speed        (2,) largest speed [m/s] at which a node, and a body, pressed on what it touched
SPEED_OF_NODE, SPEED_OF_BODY = 0, 1


def extremes_of(elements: int, lines: int) -> Extremes:
    """Extremes of a motion in which nothing has happened yet."""
    f = np.zeros
    return Extremes(
        f(elements), f(elements), f(lines), f(lines), np.full(elements, np.inf), f(2), f(2)
    )  # fmt: skip


@device
def note_tension(extremes, e, tension, time):
    """Keep the tension [N] of element e at a time [s] if it is its largest."""
    if tension > extremes.tension[e]:
        extremes.tension[e], extremes.tension_at[e] = tension, time


@device
def note_contact_speed(motion, owner, relative, force):
    """Keep the speed [m/s] of a point against what it presses on with a force [N]; owner: its body, < 0 of a node."""
    if force > 0.0:
        fastest = motion.ledger.extremes.contact_speed
        kind = SPEED_OF_NODE if owner < 0 else SPEED_OF_BODY
        fastest[kind] = max(fastest[kind], norm(relative))


@device
def note_broken(extremes, e, tension, time):
    """Keep when [s] an element broke, and at which tension [N]."""
    note_tension(extremes, e, tension, time)
    extremes.broke_at[e] = time


@routine
def note_lines(motion, time):
    """Keep the largest tensions of running lines, and energies of bending and twist, at a time [s]."""
    extremes, held = motion.ledger.extremes, motion.turning.tally
    for q in range(len(extremes.line)):
        if motion.lines.tension[q] > extremes.line[q]:
            extremes.line[q], extremes.line_at[q] = motion.lines.tension[q], time
    for k in range(2):
        extremes.energy[k] = max(extremes.energy[k], held[k])


@routine
def note_tensions(motion, time):
    """Keep the largest tensions of all elements at a time [s]."""
    for e in range(len(motion.elements.tension)):
        note_tension(motion.ledger.extremes, e, motion.elements.tension[e], time)
