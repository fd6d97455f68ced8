"""Where a march of a net pauses, and what it goes on with: a pause changes no bit of the motion.

Outputs, windows of metrics and Ctrl-C need the march to stop now and then. Steps are chosen as if it did not:
it pauses before a step that reaches an output, or after one that has ended, and all that the next step
needs is kept. Frame: none. Validity: the same scratch is given again. Source: bookkeeping.
"""

from __future__ import annotations

import math

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

NOT_PAUSED, BEFORE_OUTPUT, AFTER_LOOK = range(3)  # values of IS_PAUSED


@device
def keep_on(march, powers, step):
    """Keep what the next call of `march` goes on with: powers [W], longest stable step [s]."""
    march.goes_on, march.stable_step = 1.0, step
    march.lost_power, march.field_power = powers


@device
def pauses(march, is_due, reason):
    """Whether the march pauses, as it is due; keeps the reason."""
    march.is_paused = reason if is_due else NOT_PAUSED
    return is_due


@device
def has_to_look(march, step):
    """Whether a step has ended after which the march has to pause."""
    is_touch = step.time == step.touched_at and march.look_at < math.inf
    return step.time >= march.look_at or is_touch


@device
def pauses_before(march, end):
    """Whether the march pauses before a step that ends at a time [s], as an output is due within it."""
    return pauses(march, end >= march.pause_at, BEFORE_OUTPUT)


@device
def pauses_after(march, step):
    """Whether the march pauses after the step that has ended."""
    return pauses(march, has_to_look(march, step), AFTER_LOOK)
