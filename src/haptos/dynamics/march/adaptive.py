"""Steps with error control, events and stored rows, for any system: the loop that a family compiles once.

A family of movers gives its equations as device functions; `advance` is inlined into its one compiled entry, or
`advance_by` with a step of another kind (partly_implicit.py) and its error and interpolant:

    rates(model, t, y, dy)            dy/dt; works of the energy ledger are components of y like any other
    begin(model, t, y, h) -> h'       get ready for a step of at most h [s] (contacts within its reach): the step
                                      that is allowed, at most h; 0 or less ends the march
    fits(model, t, h, y, y1) -> bool  whether the step stayed within what `begin` got ready for
    accept(model, t, h, y, y1) -> n   keep what the step has done (memory of contacts, extremes, phases); it may
                                      change y1 in place (unit quaternions). GO_ON; JUMP if the rates at its end
                                      have changed; STOP to end the march there
    gaps(model, t, y, out)            numbers whose change from above zero to below is an event

    error_i <= absolute_i + relative |y_i|     for all i

A step in which a gap closes is taken again so that it ends there, to TOUCH_TIME of its size; the event is reported and
not acted upon: that is the caller's part, who may change state and model and go on. An event is not seen again before its
gap has been above zero. Gaps are looked at in LOOKS places of each step, and in the first one after an event or a change
in CLOSER places before these, so that what opens and closes again within a small part of it is seen.
Rows at given times are interpolated and cut no step: the motion has the same bits whatever is stored.
Validity: that of `dormand_prince`. Two changes of sign between two looks go unseen; what must not be missed
bounds its step in `begin`.
Source: [DormandPrince1980]; control and interpolant as dormand_prince.py; the Illinois rule is textbook material.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.by_reference import by_reference
from haptos.core.jit import device, routine
from haptos.dynamics.march.dormand_prince import (
    STAGES,
    error_ratio,
    interpolate,
    step,
)
from haptos.dynamics.march.step_control import (
    LEAST_RATIO,
    NARROWINGS,
    bracket_guess,
    commit_state,
    kept_ratio,
    narrower,
    next_step,
    shorter_step,
)

CITES: tuple[str, ...] = ("DormandPrince1980",)

# What `accept` returns, and how a march ends.
GO_ON, JUMP, STOP = range(3)
REACHED, EVENT, STEPS_OVER, STALLED, STOPPED = range(5)

LOOKS = 4  # [-] places of a step where gaps are looked at; assumed
CLOSER = 10  # [-] looks besides, each at a quarter of the share of the one after it; assumed
TOUCH_TIME = 1e-13  # [-] of a step: how well the time of an event is known
SLIVER = 1e-14  # [-] of the time, or of one second: too short to be a step
FIRST_STEP = 1e-3  # [-] of the time asked for: tried first, the control finds its own

# Entries of `clock` [s], [-], [s] and of `counts`.
TIME, NEXT, PREVIOUS, SMALLEST = range(4)
ACCEPTED, REJECTED, ROWS, WHICH, HAS_RATE, IS_FRESH = range(6)


@by_reference
class AdaptiveMarch(
    namedtuple(
        "AdaptiveMarch", "y y1 k work absolute clock counts side before after trial times rows"
    )
):
    """Where a march is, and the room it works in.

    y, y1, work, absolute  (size,) state, its end in a step, room, absolute tolerances
    k        (7, size) stages            clock   time, step tried next [s], error ratio before, smallest step taken [s]
    counts   steps accepted, rejected, rows stored, event of the last stop, whether k[0] is that of now, whether
             the step to come is the first after a start, an event or a change
    side, before, after, trial  (events,) 1 where a gap is known to be above zero; gaps at two ends of a bracket, within it
    times    (m,) at which rows are wanted, rising [s]     rows  (m, size) states then
    """

    __slots__ = ()


def march_of(
    y: ArrayLike, absolute: ArrayLike, *, time: float = 0.0, events: int = 0, step: float = 0.0,
    times: ArrayLike = (), stages: int = STAGES,
) -> AdaptiveMarch:  # fmt: skip
    """A march that begins with a state at a time [s].

    absolute  tolerances per component         events  how many gaps the family has
    step      to try first [s]; 0 leaves it to the march      times  at which rows are stored [s], rising
    stages    rows of room for stages, of the kind of step
    """
    start = np.array(y, dtype=float)
    wanted = np.array(times, dtype=float)
    size = len(start)
    return AdaptiveMarch(
        start, np.zeros(size), np.zeros((stages, size)), np.zeros(size),
        np.array(np.broadcast_to(absolute, size), dtype=float),
        np.array([time, step, LEAST_RATIO, math.inf]), np.array([0, 0, 0, -1, 0, 1]),
        np.zeros(events), np.zeros(events), np.zeros(events), np.zeros(events),
        wanted, np.full((len(wanted), size), np.nan),
    )  # fmt: skip


def changed(march: AdaptiveMarch) -> None:
    """Say that the caller has changed state or model: rates are asked for anew, the step is tried as before."""
    march.counts[HAS_RATE], march.counts[IS_FRESH] = 0, 1


@device
def advance(rates, begin, fits, accept, gaps, model, march, until, relative, longest, most):
    """Carry a march on to a time [s]; REACHED, or why it ended before: EVENT (counts[WHICH]), STEPS_OVER, STALLED, STOPPED.

    relative  tolerance besides the absolute ones      longest  step [s]      most  steps accepted and rejected
    """
    kind = (step, error_ratio, interpolate)
    return advance_by(
        kind, rates, begin, fits, accept, gaps, model, march, until, relative, longest, most
    )


@device
def advance_by(
    kind, rates, begin, fits, accept, gaps, model, march, until, relative, longest, most
):
    """`advance` with steps of a kind: functions (step, error_ratio, interpolate) as those of dormand_prince.py.

    k[0] and k[6] are the rates at both ends of a step.
    """
    take, ratio_of, between = kind
    clock, counts = march.clock, march.counts
    y, y1, k, size = march.y, march.y1, march.k, len(march.y)
    events = len(march.side)
    if clock[NEXT] <= 0.0:
        clock[NEXT] = min(FIRST_STEP * (until - clock[TIME]), longest)
    if events > 0 and counts[ACCEPTED] == 0:
        gaps(model, clock[TIME], y, march.before)
        _sides(march.before, march.side)
    _store_first(march)
    landing, which = math.inf, -1
    while clock[TIME] < until:
        if counts[ACCEPTED] + counts[REJECTED] >= most:
            return STEPS_OVER
        t = clock[TIME]
        wanted = min(clock[NEXT], longest)
        h = begin(model, t, y, min(_within(wanted, until - t), landing))
        if not h > 0.0:
            return STOPPED
        take(rates, model, t, h, y, size, k, y1, counts[HAS_RATE])
        counts[HAS_RATE] = 1
        ratio = ratio_of(h, y, y1, size, k, march.absolute, relative)
        if ratio <= 1.0 and not fits(model, t, h, y, y1):
            ratio = 32.0  # a step that goes too far is tried again at less than half its size
        if ratio > 1.0:
            counts[REJECTED] += 1
            clock[NEXT] = shorter_step(h, ratio, 1.0)
            landing = math.inf
            if not clock[NEXT] > SLIVER * max(abs(t), 1.0):
                return STALLED
            continue
        if events > 0 and h != landing:
            part, which = _first_event(between, gaps, model, march, t, h)
            if part < 1.0 - TOUCH_TIME:
                landing = max(part * h, SLIVER * max(abs(t), 1.0))
                continue
            if part <= 1.0:
                landing = h
        is_event = h == landing
        _store(between, march, t, h)
        verdict = accept(model, t, h, y, y1)
        counts[ACCEPTED] += 1
        counts[IS_FRESH] = 0
        clock[SMALLEST] = min(clock[SMALLEST], h)
        clock[NEXT] = next_step(h, ratio, clock[PREVIOUS], wanted)
        clock[PREVIOUS] = kept_ratio(ratio)
        clock[TIME] = until if h == until - t else t + h
        commit_state(y, y1, k, size)
        if verdict == JUMP:
            counts[HAS_RATE] = 0
        landing = math.inf
        if is_event:
            _note_sides(gaps, model, march, which)
            counts[WHICH] = which
            counts[HAS_RATE], counts[IS_FRESH] = 0, 1
            return EVENT
        if verdict == STOP:
            return STOPPED
    return REACHED


@device
def _within(h, left):
    """A step of about h [s] that leaves no sliver of the time that is left."""
    if h >= 0.999 * left:
        return left
    return min(h, 0.5 * left) if h > 0.75 * left else h


@device
def _sides(values, side):
    for i in range(len(side)):
        side[i] = 1.0 if values[i] > 0.0 else 0.0


@device
def _note_sides(gaps, model, march, which):
    """Sides at the end of a step with an event; the one that happened is not seen again until its gap has been open."""
    gaps(model, march.clock[TIME], march.y, march.after)
    _sides(march.after, march.side)
    march.side[which] = 0.0


@device
def _first_event(between, gaps, model, march, t, h):
    """(share of the step, which) of the first gap that closes in it; (2, -1) if none does. Sides are kept if none does."""
    y, y1, k, work, size = march.y, march.y1, march.k, march.work, len(march.y)
    before, after, side = march.before, march.after, march.side
    gaps(model, t, y, before)
    low, found, first = 0.0, -1, 2.0
    for look in range(1 - CLOSER * march.counts[IS_FRESH], LOOKS + 1):
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
    _sides(after, side)
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


@routine
def _store_first(march):
    """The row of the start, if it is wanted."""
    counts, times = march.counts, march.times
    while counts[ROWS] < len(times) and times[counts[ROWS]] <= march.clock[TIME]:
        for i in range(len(march.y)):
            march.rows[counts[ROWS], i] = march.y[i]
        counts[ROWS] += 1


@routine
def _store(between, march, t, h):
    """Rows at the times wanted within an accepted step."""
    counts, times = march.counts, march.times
    while counts[ROWS] < len(times) and times[counts[ROWS]] <= t + h:
        share = min((times[counts[ROWS]] - t) / h, 1.0)
        between(share, h, march.y, march.y1, len(march.y), march.k, march.rows[counts[ROWS]])
        counts[ROWS] += 1
