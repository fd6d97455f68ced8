"""Parts of a step of a tether: what it works with, one try of it, rows beside it, modes and events at its end."""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.core.by_reference import by_reference
from haptos.core.inlining import routine
from haptos.dynamics.cable.tether import tether_rates
from haptos.dynamics.cable.tether_energy import energies
from haptos.dynamics.cable.tether_events import (
    GAPS,
    TANGLE,
    act_on,
    is_tangled,
    set_modes,
    slack_length,
)
from haptos.dynamics.cable.tether_implicit import factorise, solve_stiff
from haptos.dynamics.cable.tether_state import ATTITUDE, BODY, DAMPING, WORKS
from haptos.dynamics.march.implicit import DIAGONAL, implicit_step

CITES: tuple[str, ...] = ()

RUNNING, TIME_OVER, EVENT, STALLED, STEPS_OVER = range(5)
ASK, LOOK = -1, -2  # in place of a number of steps

Room = namedtuple("Room", "y1 k right z work scale gaps gaps_before rate_1 trial")
Plan = namedtuple("Plan", "until longest least steps tolerance is_explicit tangle_share tangle_gap")
# until, longest and least step [s]   steps at most   tolerance [-]   tangle by `is_tangled`, share 0 for never
Output = namedtuple("Output", "times rows counts events extremes stops pauses watches guard")
# times (n,) [s], rows (n, size)   counts (COUNTS,)   events (m, 4): time, code, place, number   extremes (EXTREMES,)
# guard (GUARD,) of `tether_guard`
# stops (GAPS + 3,) 1 for events that end the march   pauses (p,) [s] where steps end   watches (w, 2) kind, bound
TetherMarch = namedtuple("TetherMarch", "tether clock y room plan output")
for record in (Room, Output, TetherMarch):
    by_reference(record)
# Entries of `clock` [s]: time, step tried next, longest one that Newton's method is trusted with.
NOW, NEXT, CEILING = range(3)
# Entries of `trial`, of the step that is being tried: its size [s], 0 before it is; that the errors allow; time at which it
# has to end; speed [m/s] of its scale; shortest step that a mode may cut; shortest at which Newton's method failed; times it
# was tried; event at its end or -1; whether rows were stored; how the march ended.
STEP, WANTED, END, SPEED, SHORTEST_CUT, FAILED, ROUNDS, MET, HAS_ROWS, ENDED, TRIAL = range(11)
ROW, EVENTS, STEPS, REJECTED, ASKED, MODE_STOPS, SIDE_STEPS, TANGLED, COUNTS = range(9)


@routine
def note_event(output, t, code, place, number):
    """Add an event; a full table keeps its first ones."""
    c = output.counts
    if c[EVENTS] < len(output.events):
        row = output.events[c[EVENTS]]
        row[0], row[1], row[2], row[3] = t, code, place, number
        c[EVENTS] += 1


@routine
def try_step(tether, t, h, y, room, is_explicit):
    """(rates asked, error ratio) of a step; its change of the state is in room.z."""
    if not is_explicit:
        factorise(tether, h * DIAGONAL)
    return implicit_step(
        tether_rates, solve_stiff, tether, t, h, y, len(y), room.k, room.right, room.z, room.work,
        room.scale, is_explicit,
    )  # fmt: skip


@routine
def write_rows(tether, t, h, y, room, plan, output):
    """Rows at the output times in (t, t + h), each by a step of its own; whether there were any."""
    c, some = output.counts, False
    while c[ROW] < len(output.times) and output.times[c[ROW]] < t + h:
        part = output.times[c[ROW]] - t
        row = output.rows[c[ROW]]
        if part > 0.0:
            try_step(tether, t, part, y, room, plan.is_explicit)
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
def unit_attitudes(y):
    for k in range(2):
        first, size = BODY * k + ATTITUDE, 0.0
        for i in range(4):
            size += y[first + i] * y[first + i]
        for i in range(4):
            y[first + i] /= math.sqrt(size)


@routine
def first_event(room):
    """(event that falls through zero in the step, or -1; share of the step at which the first does)."""
    event, place = -1, 2.0
    for e in range(GAPS):
        before, now = room.gaps_before[e], room.gaps[e]
        if before > 0.0 and now <= 0.0 and before / (before - now) < place:
            event, place = e, before / (before - now)
    return event, place


@routine
def next_pause(t, until, pauses):
    """Time [s] at which the step from t has to end at the latest."""
    end = until
    for i in range(len(pauses)):
        if pauses[i] > t and pauses[i] < end:
            end = pauses[i]
    return end


@routine
def act_at_end(tether, t, y, event, plan, output):
    """Act on an event, look for a tangle; whether the march ends here."""
    if event >= 0:
        where, number = act_on(tether, y, event)
        note_event(output, t, event, where, number)
        return output.stops[event] != 0
    if plan.tangle_share > 0.0 and is_tangled(tether, y, plan.tangle_share, plan.tangle_gap):
        if output.counts[TANGLED] == 0:
            note_event(output, t, TANGLE, 0, slack_length(tether))
        output.counts[TANGLED] = 1
        return output.stops[TANGLE] != 0
    return False


@routine
def switch_modes(tether, t, y, dy):
    """Give springs the modes of now, and fill springs and rates again; number that changed.

    A spring that goes slack while it is stretched loses what it holds to its damper, at once.
    """
    before = energies(tether, y)[1]
    changed = set_modes(tether)
    if changed > 0:
        tether_rates(tether, t, y, dy)
        y[WORKS + DAMPING] += energies(tether, y)[1] - before
    return changed
