"""March of a tether through time: steps with error control, modes and events between them, rows beside them.

A step is tried; it is taken again, shorter, if its error is too large, if a spring kept its mode too long, or if an event
fell through zero in it by more than a hair. Rows at output times are steps of their own from the start of the step that
holds them, so that the path knows nothing of them. Extremes are those of the ends of all steps; depths below ground those
of the path between them (`tether_guard.py`).
"""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any

import numpy as np

from haptos.core.jit import device, routine, uncounted_entry
from haptos.core.vectors import add_scaled, norm, scale, subtract
from haptos.dynamics.cable.tether import tether_rates
from haptos.dynamics.cable.tether_cells import three
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_energy import energies, fill_scale
from haptos.dynamics.cable.tether_events import (
    BREAK,
    GAPS,
    TANGLE,
    act_on,
    event_gaps,
    is_tangled,
    mode_time,
    set_modes,
    slack_length,
    worst_mode,
)
from haptos.dynamics.cable.tether_guard import watch_ground
from haptos.dynamics.cable.tether_implicit import factorise, freeze, solve_stiff
from haptos.dynamics.cable.tether_state import (
    ATTITUDE,
    BODY,
    DAMPING,
    FEED,
    MOMENTUM,
    PROPELLANT,
    RATE,
    SHAFT,
    STORED,
    WORKS,
)
from haptos.dynamics.march.implicit import BROKEN, DIAGONAL, implicit_step

CITES: tuple[str, ...] = ()

RUNNING, TIME_OVER, EVENT, STALLED, STEPS_OVER = range(5)
ASK, LOOK = -1, -2  # in place of a number of steps
SAFETY, SHRINK_MOST, GROW_MOST = 0.9, 0.2, 4.0  # [-] of step control
HAIR = 1e-9  # [-] event function at which an event has been met
MOST_TRIES = 80  # of one step
CLIMB = (
    1.1  # [-] by which the longest step rises from one to the next after Newton's method has failed
)
MODE_SHARE = 1e3  # [-] of the tolerance of velocities that a mode held too long may cost

Room = namedtuple("Room", "y1 k right z work scale gaps gaps_before rate_1")
Plan = namedtuple("Plan", "until longest least steps tolerance is_explicit tangle_share tangle_gap")
# until, longest and least step [s]   steps at most   tolerance [-]   tangle by `is_tangled`, share 0 for never
Output = namedtuple("Output", "times rows counts events extremes stops pauses watches guard")
# times (n,) [s], rows (n, size)   counts (COUNTS,)   events (m, 4): time, code, place, number   extremes (EXTREMES,)
# guard (GUARD,) of `tether_guard`
# stops (GAPS + 3,) 1 for events that end the march   pauses (p,) [s] where steps end   watches (w, 2) kind, bound
ROW, EVENTS, STEPS, REJECTED, ASKED, MODE_STOPS, SIDE_STEPS, TANGLED, COUNTS = range(9)
(
    TENSION, TENSION_AT, TENSION_IN, SIDE, ACCELERATION_0, ACCELERATION_1, SPEED_0, SPEED_1, TURN_0, TURN_1,
    SLACK_TIME, SLACK_LENGTH, SHORTEST, PAYOUT_0, PAYOUT_1, BRAKE_0, BRAKE_1, LEAST_DISTANCE, EXTREMES,
) = range(19)  # fmt: skip


@routine
def _note(output, t, code, place, number):
    """Add an event; a full table keeps its first ones."""
    c = output.counts
    if c[EVENTS] < len(output.events):
        row = output.events[c[EVENTS]]
        row[0], row[1], row[2], row[3] = t, code, place, number
        c[EVENTS] += 1


@routine
def _try(tether, t, h, y, room, is_explicit):
    """(rates asked, error ratio) of a step; its change of the state is in room.z."""
    if not is_explicit:
        factorise(tether, h * DIAGONAL)
    return implicit_step(
        tether_rates, solve_stiff, tether, t, h, y, len(y), room.k, room.right, room.z, room.work,
        room.scale, is_explicit,
    )  # fmt: skip


@routine
def _write_rows(tether, t, h, y, room, plan, output):
    """Rows at the output times in (t, t + h), each by a step of its own; whether there were any."""
    c, some = output.counts, False
    while c[ROW] < len(output.times) and output.times[c[ROW]] < t + h:
        part = output.times[c[ROW]] - t
        row = output.rows[c[ROW]]
        if part > 0.0:
            _try(tether, t, part, y, room, plan.is_explicit)
            c[SIDE_STEPS] += 1
            some = True
            for i in range(len(y)):
                row[i] = y[i] + room.z[i]
        else:
            for i in range(len(y)):
                row[i] = y[i]
        c[ROW] += 1
    return some


@routine
def _unit(y):
    for k in range(2):
        first, size = BODY * k + ATTITUDE, 0.0
        for i in range(4):
            size += y[first + i] * y[first + i]
        for i in range(4):
            y[first + i] /= math.sqrt(size)


@routine
def _update_extremes(tether, t, h, y, dy, output):
    """Largest and smallest numbers at the end of a step."""
    x, s = output.extremes, tether.springs
    is_slack = False
    for j in range(len(s.tension)):
        if s.tension[j] > x[TENSION]:
            x[TENSION], x[TENSION_AT], x[TENSION_IN] = s.tension[j], t, j
        is_slack = is_slack or s.mode[j] == 0
    for k in range(2):
        at = BODY * k
        if tether.status[FEED + 2 * k] > 0.0:
            x[SIDE] = min(x[SIDE], tether.status[FEED + 2 * k + 1])
        x[PAYOUT_0 + k] = max(x[PAYOUT_0 + k], abs(tether.status[FEED + 2 * k]))
        x[BRAKE_0 + k] = max(x[BRAKE_0 + k], -dy[WORKS + SHAFT + k])
        x[TURN_0 + k] = max(x[TURN_0 + k], norm(three(y, at + RATE)))
        x[ACCELERATION_0 + k] = max(x[ACCELERATION_0 + k], hull_acceleration(tether, y, dy, k))
    if is_slack:
        x[SLACK_TIME] += h
    x[SLACK_LENGTH] = max(x[SLACK_LENGTH], slack_length(tether))
    x[SHORTEST] = min(x[SHORTEST], h)
    apart = subtract(end_of(tether, y, 1).attachment, end_of(tether, y, 0).attachment)
    x[LEAST_DISTANCE] = min(x[LEAST_DISTANCE], norm(apart))


@device
def hull_acceleration(tether, y, dy, k):
    """Size of the acceleration [m/s^2] of a hull with its reel: P' less what leaves, over its mass."""
    at, status, hull = BODY * k, tether.status, tether.hulls[k]
    mu, payout = tether.line.density, status[FEED + 2 * k]
    m = hull.mass + y[at + PROPELLANT] + mu * y[STORED + k]
    flow = mu * payout - dy[at + PROPELLANT]
    momentum, change = three(y, at + MOMENTUM), three(dy, at + MOMENTUM)
    return norm(scale(1.0 / m, add_scaled(change, flow / m, momentum)))


@routine
def _first_event(room):
    """(event that falls through zero in the step, or -1; share of the step at which the first does)."""
    event, place = -1, 2.0
    for e in range(GAPS):
        before, now = room.gaps_before[e], room.gaps[e]
        if before > 0.0 and now <= 0.0 and before / (before - now) < place:
            event, place = e, before / (before - now)
    return event, place


@routine
def _next_pause(t, until, pauses):
    """Time [s] at which the step from t has to end at the latest."""
    end = until
    for i in range(len(pauses)):
        if pauses[i] > t and pauses[i] < end:
            end = pauses[i]
    return end


@routine
def _take_step(tether, t, y, first, end, speed, shortest, room, plan, output):
    """(step [s], event or -1, error ratio, step that errors allow, shortest step [s] at which Newton's method failed).

    room.y1 is the state at its end; step 0 if it stalls.
    """
    c, failed = output.counts, math.inf
    wanted = min(first, plan.longest)
    step = min(wanted, end - t)
    if step < end - t < 1.5 * step:
        step = 0.5 * (end - t)
    for rounds in range(MOST_TRIES):
        asked, ratio = _try(tether, t, step, y, room, plan.is_explicit)
        c[ASKED] += asked
        if ratio > 1.0:
            if step <= plan.least:
                return 0.0, -1, ratio, wanted, failed
            c[REJECTED] += 1
            if ratio >= BROKEN:
                failed = min(failed, step)
            step *= 0.5 if ratio >= BROKEN else max(SAFETY * ratio**-0.2, SHRINK_MOST)
            wanted = step
            continue
        for i in range(len(y)):
            room.y1[i] = y[i] + room.z[i]
        _unit(room.y1)
        tether_rates(tether, t + step, room.y1, room.rate_1)
        c[ASKED] += 1
        can_shrink = step > 4.0 * plan.least and rounds < MOST_TRIES // 2
        worst, share = worst_mode(tether, room.y1, step)
        if worst > MODE_SHARE * plan.tolerance * speed and can_shrink and step > shortest:
            c[MODE_STOPS] += 1
            step *= min(max(share, 0.02), 0.98)
            continue
        event_gaps(tether, room.y1, output.watches, room.gaps)
        event, place = _first_event(room)
        if event >= 0 and room.gaps[event] < -HAIR and can_shrink:
            step *= min(max(place, 0.02), 0.999)
            continue
        return step, event, ratio, wanted, failed
    return 0.0, -1, 1.0, wanted, failed


@routine
def _act(tether, t, y, event, plan, output):
    """Act on an event, look for a tangle; whether the march ends here."""
    if event >= 0:
        where, number = act_on(tether, y, event)
        _note(output, t, event, where, number)
        return output.stops[event] != 0
    if plan.tangle_share > 0.0 and is_tangled(tether, y, plan.tangle_share, plan.tangle_gap):
        if output.counts[TANGLED] == 0:
            _note(output, t, TANGLE, 0, slack_length(tether))
        output.counts[TANGLED] = 1
        return output.stops[TANGLE] != 0
    return False


@routine
def _switch_modes(tether, t, y, dy):
    """Give springs the modes of now, and fill springs and rates again; number that changed.

    A spring that goes slack while it is stretched loses what it holds to its damper, at once.
    """
    before = energies(tether, y)[1]
    changed = set_modes(tether)
    if changed > 0:
        tether_rates(tether, t, y, dy)
        y[WORKS + DAMPING] += energies(tether, y)[1] - before
    return changed


@routine
def _answer(tether, t, y, room, plan, output):
    """Rates in room.work, energies in room.scale, and for LOOK the depth below ground in output.guard."""
    tether_rates(tether, t, y, room.work)
    room.scale[0], room.scale[1], room.scale[2] = energies(tether, y)
    if plan.steps == LOOK:
        watch_ground(tether, t, 0.0, y, room.rate_1, y, room.rate_1, output.guard)


@uncounted_entry
def march_tether(tether, clock, y, room, plan, output):
    """Carry y from clock[0] to plan.until; how it ended. clock[1] is the step tried next [s], clock[2] the longest one.

    State, record, output are changed in place. plan.steps of ASK or LOOK marches not at all: see `ask_rates`.
    """
    t, h, c = clock[0], clock[1], output.counts
    if plan.steps < 0:
        _answer(tether, t, y, room, plan, output)
        return TIME_OVER
    tether_rates(tether, t, y, room.k[0])
    _switch_modes(tether, t, y, room.k[0])
    if c[STEPS] == 0:
        _update_extremes(tether, t, 0.0, y, room.k[0], output)
        watch_ground(tether, t, 0.0, y, room.k[0], y, room.k[0], output.guard)
    ended, ceiling = TIME_OVER, clock[2]
    while t < plan.until:
        if c[STEPS] + c[REJECTED] >= plan.steps:
            ended = STEPS_OVER
            break
        event_gaps(tether, y, output.watches, room.gaps_before)
        # A tension that has jumped beyond its limit: a spring got taut, or the start is so.
        if room.gaps_before[BREAK] <= 0.0:
            stopped = _act(tether, t, y, BREAK, plan, output)
            tether_rates(tether, t, y, room.k[0])
            _switch_modes(tether, t, y, room.k[0])
            if stopped:
                ended = EVENT
                break
            continue
        for j in range(tether.line.count + 1):
            tether.springs.before[j] = tether.springs.gap[j]
        freeze(tether, y)
        _, speed = fill_scale(tether, y, plan.tolerance, room.scale)
        end = _next_pause(t, plan.until, output.pauses)
        step, event, ratio, wanted, failed = _take_step(
            tether, t, y, min(h, ceiling), end, speed, mode_time(tether, y), room, plan, output
        )
        ceiling = 0.7 * failed if failed < math.inf else CLIMB * ceiling
        if step == 0.0:
            ended = STALLED
            break
        some = _write_rows(tether, t, step, y, room, plan, output)
        watch_ground(tether, t, step, y, room.k[0], room.y1, room.rate_1, output.guard)
        for i in range(len(y)):
            y[i] = room.y1[i]
            room.k[0, i] = room.rate_1[i]
        t = t + step if step < end - t else end
        c[STEPS] += 1
        if some:
            tether_rates(tether, t, y, room.k[0])
        _update_extremes(tether, t, step, y, room.k[0], output)
        _switch_modes(tether, t, y, room.k[0])
        h = wanted
        if step >= wanted:
            h = step * min(max(SAFETY * max(ratio, 1e-10) ** -0.2, SHRINK_MOST), GROW_MOST)
        stopped = _act(tether, t, y, event, plan, output)
        if event >= 0 or t >= end:
            tether_rates(tether, t, y, room.k[0])
            _switch_modes(tether, t, y, room.k[0])
        if stopped:
            ended = EVENT
            break
    while c[ROW] < len(output.times) and output.times[c[ROW]] <= t:
        for i in range(len(y)):
            output.rows[c[ROW], i] = y[i]
        c[ROW] += 1
    clock[0], clock[1], clock[2] = t, h, ceiling
    return ended


def _asked(tether: Any, t: float, y: Any, dy: Any, totals: Any, guard: Any, what: int) -> None:
    """One call of the march's own entry that asks rather than marches: rates compile once."""
    nothing = np.zeros(0)
    room = Room(
        nothing, np.zeros((0, 0)), nothing, nothing, dy, totals, nothing, nothing, np.zeros(len(y))
    )
    plan = Plan(float(t), math.inf, 0.0, what, 1.0, False, 0.0, 0.0)
    none = np.zeros(0, dtype=np.int64)
    output = Output(
        nothing, np.zeros((0, 0)), none, np.zeros((0, 0)), nothing, none, nothing, np.zeros((0, 0)), guard
    )  # fmt: skip
    march_tether(tether, np.array([float(t), 0.0, math.inf]), y, room, plan, output)


def ask_rates(tether: Any, t: float, y: Any, dy: Any, totals: Any) -> None:
    """Springs and rates at (t, y) with modes as they are; totals (3,): kinetic, elastic, series energy [J]."""
    _asked(tether, t, y, dy, totals, np.zeros(0), ASK)


def look_at_ground(tether: Any, t: float, y: Any, guard: Any) -> None:
    """Keep in guard how deep bodies and line are in the ground at (t, y)."""
    _asked(tether, t, y, np.zeros(len(y)), np.zeros(3), guard, LOOK)
