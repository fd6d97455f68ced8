"""March of a tether through time: steps with error control, modes and events between them, rows beside them.

A step is tried; it is taken again, shorter, if its error is too large, if a spring kept its mode too long, or if an event
fell through zero in it by more than a hair. Rows at output times are steps of their own from the start of the step that
holds them, so that the path knows nothing of them. Extremes are those of the ends of all steps; depths below ground those
of the path between them (`tether_guard.py`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from haptos.core.inlining import routine
from haptos.core.jit import device, uncounted_entry
from haptos.dynamics.cable.tether import tether_rates
from haptos.dynamics.cable.tether_energy import energies, fill_scale
from haptos.dynamics.cable.tether_events import BREAK, event_gaps, mode_time, worst_mode
from haptos.dynamics.cable.tether_extremes import update_extremes
from haptos.dynamics.cable.tether_guard import watch_ground
from haptos.dynamics.cable.tether_implicit import freeze
from haptos.dynamics.cable.tether_steps import (
    ASK,
    ASKED,
    CEILING,
    END,
    ENDED,
    EVENT,
    FAILED,
    HAS_ROWS,
    LOOK,
    MET,
    MODE_STOPS,
    NEXT,
    NOW,
    REJECTED,
    ROUNDS,
    ROW,
    RUNNING,
    SHORTEST_CUT,
    SPEED,
    STALLED,
    STEP,
    STEPS,
    STEPS_OVER,
    TIME_OVER,
    TRIAL,
    WANTED,
    Output,
    Plan,
    Room,
    TetherMarch,
    act_at_end,
    first_event,
    next_pause,
    switch_modes,
    try_step,
    unit_attitudes,
    write_rows,
)
from haptos.dynamics.march.dormand_prince import BROKEN
from haptos.dynamics.march.implicit import implicit_factor
from haptos.dynamics.march.step_loop import StepFunctions, march_steps, nothing

CITES: tuple[str, ...] = ()

HAIR = 1e-9  # [-] event function at which an event has been met
MOST_TRIES = 80  # of one step
CLIMB = (
    1.1  # [-] by which the longest step rises from one to the next after Newton's method has failed
)
MODE_SHARE = 1e3  # [-] of the tolerance of velocities that a mode held too long may cost,
MODE_MOST = 0.5  # [-] of the speed of the scale at most: beyond it springs held too long feed waves


@routine
def _answer(tether, t, y, room, plan, output):
    """Rates in room.work, energies in room.scale, and for LOOK the depth below ground in output.guard."""
    tether_rates(tether, t, y, room.work)
    room.scale[0], room.scale[1], room.scale[2] = energies(tether, y)
    if plan.steps == LOOK:
        watch_ground(tether, t, 0.0, y, room.rate_1, y, room.rate_1, output.guard)


@routine
def _renew_rates(run):
    """Rates and modes of springs as all is now."""
    tether_rates(run.tether, run.clock[NOW], run.y, run.room.k[0])
    switch_modes(run.tether, run.clock[NOW], run.y, run.room.k[0])


@device
def _mode_cost(run):
    """Velocity [m/s] that a mode held too long may cost."""
    return min(MODE_SHARE * run.plan.tolerance, MODE_MOST) * run.room.trial[SPEED]


@routine
def _goes_on(run):
    trial, counts = run.room.trial, run.output.counts
    if trial[ENDED] != RUNNING:
        return False
    if trial[STEP] > 0.0:  # a step is being tried, and is tried to its end
        return True
    if not run.clock[NOW] < run.plan.until:
        trial[ENDED] = TIME_OVER
    elif counts[STEPS] + counts[REJECTED] >= run.plan.steps:
        trial[ENDED] = STEPS_OVER
    return trial[ENDED] == RUNNING


@routine
def _propose(run):
    """The step to try; before the first try of one all is frozen that stays as it is in it."""
    tether, y, room, trial = run.tether, run.y, run.room, run.room.trial
    if trial[STEP] > 0.0:
        return trial[STEP]
    event_gaps(tether, y, run.output.watches, room.gaps_before)
    # A tension that has jumped beyond its limit: a spring got taut, or the start is so.
    while room.gaps_before[BREAK] <= 0.0:
        stopped = act_at_end(tether, run.clock[NOW], y, BREAK, run.plan, run.output)
        _renew_rates(run)
        if stopped:
            trial[ENDED] = EVENT
            return 0.0
        event_gaps(tether, y, run.output.watches, room.gaps_before)
    for j in range(tether.line.count + 1):
        tether.springs.before[j] = tether.springs.gap[j]
    freeze(tether, y)
    _, trial[SPEED] = fill_scale(tether, y, run.plan.tolerance, room.scale)
    trial[SHORTEST_CUT] = mode_time(tether, y)
    trial[FAILED], trial[ROUNDS] = math.inf, 0.0
    trial[END] = next_pause(run.clock[NOW], run.plan.until, run.output.pauses)
    trial[WANTED] = min(run.clock[NEXT], run.clock[CEILING], run.plan.longest)
    left = trial[END] - run.clock[NOW]
    trial[STEP] = min(trial[WANTED], left)
    if trial[STEP] < left < 1.5 * trial[STEP]:
        trial[STEP] = 0.5 * left
    return trial[STEP]


@routine
def _attempt(run, h):
    asked, ratio = try_step(run.tether, run.clock[NOW], h, run.y, run.room, run.plan.is_explicit)
    run.output.counts[ASKED] += asked
    return ratio


@routine
def _try_again(run, h):
    """Try the step at another size [s]; too many tries and the march has stalled."""
    trial = run.room.trial
    trial[STEP] = h
    trial[ROUNDS] += 1.0
    if trial[ROUNDS] >= MOST_TRIES:
        trial[ENDED] = STALLED
        _note_failure(run)


@routine
def _reject(run, h, ratio):
    trial = run.room.trial
    if h <= run.plan.least:
        trial[ENDED] = STALLED
        _note_failure(run)
        return
    run.output.counts[REJECTED] += 1
    if ratio >= BROKEN:
        trial[FAILED] = min(trial[FAILED], h)
    trial[WANTED] = h * (0.5 if ratio >= BROKEN else implicit_factor(ratio))
    _try_again(run, trial[WANTED])


@routine
def _search(run, h):
    """Part [s] of the step after which a spring should have changed its mode, or an event is met."""
    tether, y, room, trial, plan = run.tether, run.y, run.room, run.room.trial, run.plan
    for i in range(len(y)):
        room.y1[i] = y[i] + room.z[i]
    unit_attitudes(room.y1)
    tether_rates(tether, run.clock[NOW] + h, room.y1, room.rate_1)
    run.output.counts[ASKED] += 1
    can_shrink = h > 4.0 * plan.least and trial[ROUNDS] < MOST_TRIES // 2
    worst, share = worst_mode(tether, room.y1, h)
    is_late = worst > _mode_cost(run)
    if is_late and can_shrink and h > trial[SHORTEST_CUT]:
        run.output.counts[MODE_STOPS] += 1
        return h * min(max(share, 0.02), 0.98)
    event_gaps(tether, room.y1, run.output.watches, room.gaps)
    event, place = first_event(room)
    trial[MET] = event
    if event >= 0 and room.gaps[event] < -HAIR and can_shrink:
        return h * min(max(place, 0.02), 0.999)
    return h


@device
def _shorten(run, h, part):
    _try_again(run, part)


@routine
def _note_failure(run):
    """Let the longest step sink below one at which Newton's method failed, or rise a little."""
    failed = run.room.trial[FAILED]
    run.clock[CEILING] = 0.7 * failed if failed < math.inf else CLIMB * run.clock[CEILING]


@routine
def _choose(run, h, ratio):
    _note_failure(run)
    wanted = run.room.trial[WANTED]
    run.clock[NEXT] = wanted
    if h >= wanted:
        run.clock[NEXT] = h * implicit_factor(ratio)


@routine
def _store_rows(run, h):
    has_rows = write_rows(run.tether, run.clock[NOW], h, run.y, run.room, run.plan, run.output)
    run.room.trial[HAS_ROWS] = 1.0 if has_rows else 0.0


@routine
def _watch(run, h):
    room = run.room
    watch_ground(
        run.tether, run.clock[NOW], h, run.y, room.k[0], room.y1, room.rate_1, run.output.guard
    )


@routine
def _commit(run, h):
    y, room, trial, t = run.y, run.room, run.room.trial, run.clock[NOW]
    for i in range(len(y)):
        y[i] = room.y1[i]
        room.k[0, i] = room.rate_1[i]
    run.clock[NOW] = t + h if h < trial[END] - t else trial[END]
    run.output.counts[STEPS] += 1
    trial[STEP] = 0.0


@routine
def _settle(run, h):
    """Extremes, modes and events at the end of a step."""
    tether, t, y, trial = run.tether, run.clock[NOW], run.y, run.room.trial
    if trial[HAS_ROWS] != 0.0:
        tether_rates(tether, t, y, run.room.k[0])
    update_extremes(tether, t, h, y, run.room.k[0], run.output.extremes)
    switch_modes(tether, t, y, run.room.k[0])
    stopped = act_at_end(tether, t, y, int(trial[MET]), run.plan, run.output)
    if trial[MET] >= 0 or t >= trial[END]:
        _renew_rates(run)
    if stopped:
        trial[ENDED] = EVENT


@routine
def _start(run):
    """Rates, modes and extremes where the march begins."""
    tether, t, y, room, output = run.tether, run.clock[NOW], run.y, run.room, run.output
    _renew_rates(run)
    if output.counts[STEPS] == 0:
        update_extremes(tether, t, 0.0, y, room.k[0], output.extremes)
        watch_ground(tether, t, 0.0, y, room.k[0], y, room.k[0], output.guard)
    room.trial[STEP], room.trial[ENDED] = 0.0, RUNNING


@routine
def _store_last(run):
    """Rows at the time where the march ends."""
    c, output = run.output.counts, run.output
    while c[ROW] < len(output.times) and output.times[c[ROW]] <= run.clock[NOW]:
        for i in range(len(run.y)):
            output.rows[c[ROW], i] = run.y[i]
        c[ROW] += 1


@uncounted_entry
def march_tether(run):
    """Carry run.y from run.clock[NOW] to plan.until by the loop of `march/step_loop.py`; how it ended.

    State, record, output are changed in place. plan.steps of ASK or LOOK marches not at all: see `ask_rates`.
    """
    if run.plan.steps < 0:
        _answer(run.tether, run.clock[NOW], run.y, run.room, run.plan, run.output)
        return TIME_OVER
    _start(run)
    march_steps(
        StepFunctions(
            _goes_on, _propose, _attempt, _reject, _search, _shorten, _choose, _store_rows, _watch, _commit, _settle,
            nothing,
        ),
        run,
    )  # fmt: skip
    _store_last(run)
    return int(run.room.trial[ENDED])


def _asked(tether: Any, t: float, y: Any, dy: Any, totals: Any, guard: Any, what: int) -> None:
    """One call of the march's own entry that asks rather than marches: rates compile once."""
    none, no_counts = np.zeros(0), np.zeros(0, dtype=np.int64)
    room = Room(
        none, np.zeros((0, 0)), none, none, dy, totals, none, none, np.zeros(len(y)), np.zeros(TRIAL)
    )  # fmt: skip
    plan = Plan(float(t), math.inf, 0.0, what, 1.0, False, 0.0, 0.0)
    output = Output(
        none, np.zeros((0, 0)), no_counts, np.zeros((0, 0)), none, no_counts, none, np.zeros((0, 0)), guard
    )  # fmt: skip
    clock = np.array([float(t), 0.0, math.inf])
    march_tether(TetherMarch(tether, clock, y, room, plan, output))


def ask_rates(tether: Any, t: float, y: Any, dy: Any, totals: Any) -> None:
    """Springs and rates at (t, y) with modes as they are; totals (3,): kinetic, elastic, series energy [J]."""
    _asked(tether, t, y, dy, totals, np.zeros(0), ASK)


def look_at_ground(tether: Any, t: float, y: Any, guard: Any) -> None:
    """Keep in guard how deep bodies and line are in the ground at (t, y)."""
    _asked(tether, t, y, np.zeros(len(y)), np.zeros(3), guard, LOOK)
