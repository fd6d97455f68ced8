"""Steps with error control, events and stored rows, for systems with smooth forces; the loop is that of step_loop.py.

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

A step in which a gap closes (closing_gaps.py) is taken again so that it ends there; the event is reported and not acted
upon: that is the caller's part, who may change state and model and go on.
Rows at given times are interpolated and cut no step: the motion has the same bits whatever is stored.
Validity: that of the kind of step. Two changes of sign between two looks go unseen; what must not be missed
bounds its step in `begin`.
Source: [DormandPrince1980]; control and interpolant as dormand_prince.py.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.by_reference import by_reference
from haptos.core.jit import device, routine
from haptos.dynamics.march.closing_gaps import TOUCH_TIME, first_closing, note_sides, sides_of
from haptos.dynamics.march.dormand_prince import (
    STAGES,
    error_ratio,
    interpolate,
    step,
)
from haptos.dynamics.march.step_control import (
    LEAST_RATIO,
    commit_state,
    kept_ratio,
    next_step,
    shorter_step,
)
from haptos.dynamics.march.step_loop import StepFunctions, march_steps, nothing

CITES: tuple[str, ...] = ("DormandPrince1980",)

# What `accept` returns, and how a march ends.
GO_ON, JUMP, STOP = range(3)
REACHED, EVENT, STEPS_OVER, STALLED, STOPPED = range(5)

SLIVER = 1e-14  # [-] of the time, or of one second: too short to be a step
FIRST_STEP = 1e-3  # [-] of the time asked for: tried first, the control finds its own
TOO_FAR = 32.0  # [-] error ratio of a step beyond what `begin` got ready for: tried again at less than half its size

# Entries of `clock` [s], [-], [s] and of `counts`.
TIME, NEXT, PREVIOUS, SMALLEST, WANTED, LANDING = range(6)
ACCEPTED, REJECTED, ROWS, WHICH, HAS_RATE, IS_FRESH, AHEAD, VERDICT, ENDED = range(9)

# What the loop works with: the kind of step, the family's functions and model, and limits of this call.
AdaptiveRun = namedtuple(
    "AdaptiveRun",
    "take ratio_of between rates begin fits accept gaps model march until relative longest most",
)


@by_reference
class AdaptiveMarch(
    namedtuple(
        "AdaptiveMarch", "y y1 k work absolute clock counts side before after trial times rows"
    )
):
    """Where a march is, and the room it works in.

    y, y1, work, absolute  (size,) state, its end in a step, room, absolute tolerances
    k        (7, size) stages            clock   time, step tried next [s], error ratio before, smallest step taken [s],
             what the control wants of the step tried now, the step that ends at an event [s]
    counts   steps accepted, rejected, rows stored, event of the last stop, whether k[0] is that of now, whether
             the step to come is the first after a start, an event or a change; event that a step is to end at,
             what `accept` said, how the march ended
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
        np.array([time, step, LEAST_RATIO, math.inf, 0.0, math.inf]), np.array([0, 0, 0, -1, 0, 1, -1, GO_ON, REACHED]),
        np.zeros(events), np.zeros(events), np.zeros(events), np.zeros(events),
        wanted, np.full((len(wanted), size), np.nan),
    )  # fmt: skip


@device
def all_of_it(model, t, y, h):
    """In place of `begin`, of a family with nothing to get ready."""
    return h


@device
def always_fits(model, t, h, y, y1):
    """In place of `fits`, of a family that got nothing ready."""
    return True


@device
def keep_nothing(model, t, h, y, y1):
    """In place of `accept`, of a family whose steps leave nothing but their state."""
    return GO_ON


@device
def no_gaps(model, t, y, out):
    """In place of `gaps`, of a family without events."""


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
    run = AdaptiveRun(
        take, ratio_of, between, rates, begin, fits, accept, gaps, model, march, until, relative, longest, most
    )  # fmt: skip
    _start(run)
    march_steps(
        StepFunctions(
            _goes_on, _propose, _attempt, _reject, _search, _shorten, _choose, _store_rows, _watch, _commit, _settle,
            nothing,
        ),
        run,
    )  # fmt: skip
    return march.counts[ENDED]


@device
def _start(run):
    """First step, sides of the gaps, row of the start."""
    march = run.march
    clock, counts = march.clock, march.counts
    if clock[NEXT] <= 0.0:
        clock[NEXT] = min(FIRST_STEP * (run.until - clock[TIME]), run.longest)
    if len(march.side) > 0 and counts[ACCEPTED] == 0:
        run.gaps(run.model, clock[TIME], march.y, march.before)
        sides_of(march.before, march.side)
    _store_first(march)
    counts[ENDED] = REACHED
    clock[LANDING] = math.inf


@device
def _goes_on(run):
    counts = run.march.counts
    if counts[ENDED] != REACHED or not run.march.clock[TIME] < run.until:
        return False
    if counts[ACCEPTED] + counts[REJECTED] >= run.most:
        counts[ENDED] = STEPS_OVER
    return counts[ENDED] == REACHED


@device
def _propose(run):
    clock = run.march.clock
    t = clock[TIME]
    clock[WANTED] = min(clock[NEXT], run.longest)
    h = min(_within(clock[WANTED], run.until - t), clock[LANDING])
    h = run.begin(run.model, t, run.march.y, h)
    if not h > 0.0:
        run.march.counts[ENDED] = STOPPED
    return h


@device
def _attempt(run, h):
    march = run.march
    t, y, y1, size = march.clock[TIME], march.y, march.y1, len(march.y)
    run.take(run.rates, run.model, t, h, y, size, march.k, y1, march.counts[HAS_RATE])
    march.counts[HAS_RATE] = 1
    ratio = run.ratio_of(h, y, y1, size, march.k, march.absolute, run.relative)
    if ratio <= 1.0 and not run.fits(run.model, t, h, y, y1):
        return TOO_FAR
    return ratio


@device
def _reject(run, h, ratio):
    clock, counts = run.march.clock, run.march.counts
    counts[REJECTED] += 1
    clock[NEXT] = shorter_step(h, ratio, 1.0)
    clock[LANDING] = math.inf
    if not clock[NEXT] > SLIVER * max(abs(clock[TIME]), 1.0):
        counts[ENDED] = STALLED


@device
def _search(run, h):
    """Part [s] of the step after which the first gap closes."""
    march = run.march
    clock, t = march.clock, march.clock[TIME]
    if len(march.side) == 0 or h == clock[LANDING]:
        return h
    share, march.counts[AHEAD] = first_closing(
        run.between, run.gaps, run.model, march, t, h, march.counts[IS_FRESH]
    )
    if share > 1.0:
        return h
    clock[LANDING] = h
    if share >= 1.0 - TOUCH_TIME:
        return h
    return max(share * h, SLIVER * max(abs(t), 1.0))


@device
def _shorten(run, h, part):
    run.march.clock[LANDING] = part


@device
def _choose(run, h, ratio):
    clock = run.march.clock
    clock[SMALLEST] = min(clock[SMALLEST], h)
    clock[NEXT] = next_step(h, ratio, clock[PREVIOUS], clock[WANTED])
    clock[PREVIOUS] = kept_ratio(ratio)


@device
def _store_rows(run, h):
    _store(run.between, run.march, run.march.clock[TIME], h)


@device
def _watch(run, h):
    march = run.march
    march.counts[VERDICT] = run.accept(run.model, march.clock[TIME], h, march.y, march.y1)


@device
def _commit(run, h):
    march, t = run.march, run.march.clock[TIME]
    march.counts[ACCEPTED] += 1
    march.counts[IS_FRESH] = 0
    march.clock[TIME] = run.until if h == run.until - t else t + h
    commit_state(march.y, march.y1, march.k, len(march.y))
    if march.counts[VERDICT] == JUMP:
        march.counts[HAS_RATE] = 0


@device
def _settle(run, h):
    """An event at the end of the step, or the family's wish, ends the march."""
    march, counts = run.march, run.march.counts
    is_event = h == march.clock[LANDING]
    march.clock[LANDING] = math.inf
    if is_event:
        note_sides(run.gaps, run.model, march, march.clock[TIME], counts[AHEAD])
        counts[WHICH] = counts[AHEAD]
        counts[HAS_RATE], counts[IS_FRESH] = 0, 1
        counts[ENDED] = EVENT
    elif counts[VERDICT] == STOP:
        counts[ENDED] = STOPPED


@device
def _within(h, left):
    """A step of about h [s] that leaves no sliver of the time that is left."""
    if h >= 0.999 * left:
        return left
    return min(h, 0.5 * left) if h > 0.75 * left else h


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
