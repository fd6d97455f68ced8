"""Where a march of a net pauses, and what it goes on with: a pause changes no bit of the motion.

Outputs, windows of metrics and Ctrl-C need the march to stop now and then. Steps are chosen as if it did not:
it pauses before a step that reaches an output, or after one that has ended, and all that the next step
needs is kept. Frame: none. Validity: the same scratch is given again. Source: bookkeeping.
"""

from __future__ import annotations

import math

from haptos.core.jit import device
from haptos.dynamics.system import (
    FIELD_POWER,
    GOES_ON,
    IS_PAUSED,
    LOOK_AT,
    LOST_POWER,
    PAUSE_AT,
    STABLE_STEP,
    TIME,
    TOUCHED_AT,
)

CITES: tuple[str, ...] = ()

NOT_PAUSED, BEFORE_OUTPUT, AFTER_LOOK = range(3)  # values of IS_PAUSED


@device
def keep_on(march, powers, step):
    """Keep what the next call of `march` goes on with: powers [W], longest stable step [s]."""
    march[GOES_ON], march[STABLE_STEP] = 1.0, step
    march[LOST_POWER], march[FIELD_POWER] = powers


@device
def pauses(march, is_due, reason):
    """Whether the march pauses, as it is due; keeps the reason."""
    march[IS_PAUSED] = reason if is_due else NOT_PAUSED
    return is_due


@device
def has_to_look(march, clock):
    """Whether a step has ended after which the march has to pause."""
    is_touch = clock[TIME] == clock[TOUCHED_AT] and march[LOOK_AT] < math.inf
    return clock[TIME] >= march[LOOK_AT] or is_touch


@device
def pauses_before(march, end):
    """Whether the march pauses before a step that ends at a time [s], as an output is due within it."""
    return pauses(march, end >= march[PAUSE_AT], BEFORE_OUTPUT)


@device
def pauses_after(march, clock):
    """Whether the march pauses after the step that has ended."""
    return pauses(march, has_to_look(march, clock), AFTER_LOOK)
