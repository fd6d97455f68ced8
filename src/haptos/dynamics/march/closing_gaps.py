"""The first of several gaps that closes within a step, on its interpolant, and when.

Gaps are looked at in LOOKS places of each step; in the first one after an event or a change also in CLOSER places before
these, so that what opens and closes again within a small part of it is seen. Between an open look and a closed
one the time is narrowed by regula falsi with the Illinois rule, to TOUCH_TIME of the step. A gap that has closed is not
seen again before it has been above zero.

    gaps(model, t, y, out)                           numbers whose change from above zero to below is an event
    between(share, h, y, y1, size, k, out)           state within the step
    march   y, y1, k, work, side, before, after, trial of `AdaptiveMarch`

Validity: two changes of sign between two looks go unseen. Source: the Illinois rule is textbook material.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.dynamics.march.step_control import NARROWINGS, bracket_guess, narrower

CITES: tuple[str, ...] = ()

LOOKS = 4  # [-] places of a step where gaps are looked at; assumed
CLOSER = 10  # [-] looks besides, each at a quarter of the share of the one after it; assumed
TOUCH_TIME = 1e-13  # [-] of a step: how well the time of an event is known


@device
def sides_of(values, side):
    """Note which gaps are above zero."""
    for i in range(len(side)):
        side[i] = 1.0 if values[i] > 0.0 else 0.0


@device
def note_sides(gaps, model, march, t, which):
    """Sides at the end of a step with an event; the one that happened is not seen again until its gap has been open."""
    gaps(model, t, march.y, march.after)
    sides_of(march.after, march.side)
    march.side[which] = 0.0


@device
def first_closing(between, gaps, model, march, t, h, is_fresh):
    """(share of the step, which) of the first gap that closes in it; (2, -1) if none does. Sides are kept if none does."""
    y, y1, k, work, size = march.y, march.y1, march.k, march.work, len(march.y)
    before, after, side = march.before, march.after, march.side
    gaps(model, t, y, before)
    low, found, first = 0.0, -1, 2.0
    for look in range(1 - CLOSER * is_fresh, LOOKS + 1):
        high = look / LOOKS if look > 0 else 0.25 ** (1 - look) / LOOKS
        between(high, h, y, y1, size, k, work)
        gaps(model, t + high * h, work, after)
        for i in range(len(side)):
            if side[i] > 0.0 and after[i] <= 0.0:
                share = _narrow(between, gaps, model, march, t, h, i, low, high)
                if share < first:
                    found, first = i, share
        if found >= 0:
            return first, found
        for i in range(len(side)):
            before[i] = after[i]
            if after[i] > 0.0:
                side[i] = 1.0
        low = high
    sides_of(after, side)
    return first, found


@device
def _narrow(between, gaps, model, march, t, h, i, low, high):
    """Share of the step at which gap i closes, between two looks; by regula falsi with the Illinois rule."""
    y, y1, k, work, size, at = march.y, march.y1, march.k, march.work, len(march.y), march.trial
    low_gap, high_gap = march.before[i], march.after[i]
    kept = 0
    for _ in range(NARROWINGS):
        if high - low <= TOUCH_TIME or high_gap == 0.0:
            break
        middle = bracket_guess(low, low_gap, high, high_gap)
        if not (low < middle < high):
            middle = 0.5 * (low + high)
        between(middle, h, y, y1, size, k, work)
        gaps(model, t + middle * h, work, at)
        low, low_gap, high, high_gap, kept = narrower(
            low, low_gap, high, high_gap, kept, middle, at[i]
        )
    return high
