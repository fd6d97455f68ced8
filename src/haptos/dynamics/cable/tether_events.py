"""What happens on a tether at an instant: a break, the end of the line, too fast a pay-out, empty tanks, full wheels.

Each event is a number that falls through zero, made of order one: BREAK 1 - T/T_break, END room on the reel over the
whole length, FAST tension
on the reel's side over what the line takes with it, of reels that a tension rules, DRY propellant, FULL room of the wheels, and what a
user watches. Steps end where one falls through zero. Taut and slack are modes of the springs, changed between steps:

    taut where  T_e + min(c eps', 0) > 0

A spring that goes slack while it is stretched (its damper pushes) gives what it holds to the damper at that instant.
A spring that is cut breaks off with what it holds; both parts live on, each with its reel.
Tangle: slack length above a share of the line while two cells that are not neighbours come closer than a gap; looked for
at the end of every step. Source: events of [Quadrelli2017] section 2; the conditions are ours.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.vectors import dot, norm, subtract
from haptos.dynamics.cable.reel_laws import CONSTANT_TENSION
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_loads import end_gap, lit_share
from haptos.dynamics.cable.tether_reel import BRAKE_TEMPERATURE, FADE_START, LEAST_STORED
from haptos.dynamics.cable.tether_state import (
    BODY,
    BREAKAGE,
    CELLS,
    CUT,
    CUT_AT,
    DRY,
    FEED,
    FULL,
    JAMMED,
    PROPELLANT,
    REEL,
    REEL_STATES,
    STORED,
    WHEELS,
    WORKS,
)

CITES: tuple[str, ...] = ("Quadrelli2017",)

(
    BREAK, END_0, END_1, FAST_0, FAST_1, DRY_0, DRY_1, FULL_0, FULL_1, DARK, LIT, TOUCH_0, TOUCH_1, FADE_0, FADE_1,
    LEAVE_0, LEAVE_1, WATCHES,
) = range(18)  # fmt: skip
MOST_WATCHES = 8
GAPS = WATCHES + MOST_WATCHES
TANGLE, SLACK, TAUT = GAPS, GAPS + 1, GAPS + 2
EVENT_NAMES = (
    "tether broke", "tether end reached", "tether end reached", "supercritical pay-out", "supercritical pay-out",
    "propellant out", "propellant out", "wheels saturated", "wheels saturated", "eclipse begins", "eclipse ends",
    "touches ground", "touches ground", "brake fades", "brake fades",
    "leaves ground", "leaves ground",
    *("watch",) * MOST_WATCHES, "slack tangle", "slack", "taut",
)  # fmt: skip
(
    DISTANCE_BELOW, RANGE_RATE_BELOW, TENSION_ABOVE, DISTANCE_ABOVE, STORED_BELOW, RATE_ABOVE, DEPLOYED_BELOW, DEPLOYED_ABOVE,
) = range(1, 9)  # fmt: skip
MODE_TIME = 0.05  # [-] of the time a wave takes through a cell
LONE_TIME = 1e-9  # [-] of the time of a bounce: one spring alone has no neighbours to chatter with
ALWAYS = 1.0  # of an event that cannot happen now


@routine
def event_gaps(tether, y, watches, out):
    """Event functions at y, whose springs are filled; > 0 before."""
    line, s, status, n = tether.line, tether.springs, tether.status, tether.line.count
    for e in range(GAPS):
        out[e] = ALWAYS
    largest = 0.0
    for j in range(n + 1):
        largest = max(largest, s.tension[j])
    if line.breaking < math.inf and status[CUT] < 0.0:
        out[BREAK] = 1.0 - largest / line.breaking
    a, b = end_of(tether, y, 0), end_of(tether, y, 1)
    for k in range(2):
        payout, side = status[FEED + 2 * k], status[FEED + 2 * k + 1]
        if payout > 0.0 and status[JAMMED + k] == 0.0:
            out[END_0 + k] = (y[STORED + k] - tether.reels[k].numbers[LEAST_STORED]) / line.total
            j = 0 if k == 0 else n
            if line.density > 0.0 and s.mode[j] == 1 and tether.reels[k].kind >= CONSTANT_TENSION:
                out[FAST_0 + k] = side / (abs(side) + line.density * payout * payout)
        fade, hot = (
            tether.reels[k].numbers[FADE_START],
            y[REEL + REEL_STATES * k + BRAKE_TEMPERATURE],
        )
        if fade < math.inf:
            out[FADE_0 + k] = 1.0 - hot / fade
        if status[DRY + k] == 0.0 and len(tether.hulls[k].thrusters) > 0:
            out[DRY_0 + k] = y[BODY * k + PROPELLANT] / tether.hulls[k].mass
        most = tether.hulls[k].wheels[1]
        if tether.hulls[k].wheels[0] > 0.0 and status[FULL + k] == 0.0:
            held = 0.0
            for c in range(3):
                held = max(held, abs(y[BODY * k + WHEELS + c]))
            out[FULL_0 + k] = 1.0 - held / most
    if tether.light.radius > 0.0:
        lit = lit_share(tether, a.place) - 0.5
        out[DARK], out[LIT] = lit, -lit
    if tether.ground.is_on:
        out[TOUCH_0] = end_gap(tether, 0, a.place)
        out[TOUCH_1] = end_gap(tether, 1, b.place)
        out[LEAVE_0], out[LEAVE_1] = -out[TOUCH_0], -out[TOUCH_1]
    apart, closing = subtract(b.attachment, a.attachment), subtract(b.feed, a.feed)
    distance = norm(apart)
    for i in range(len(watches)):
        kind, bound = int(watches[i, 0]), watches[i, 1]
        size = abs(bound) if bound != 0.0 else 1.0
        if kind == DISTANCE_BELOW:
            out[WATCHES + i] = (distance - bound) / size
        elif kind == DISTANCE_ABOVE:
            out[WATCHES + i] = (bound - distance) / size
        elif kind == RANGE_RATE_BELOW:
            out[WATCHES + i] = (dot(apart, closing) / distance - bound) / size
        elif kind == TENSION_ABOVE:
            out[WATCHES + i] = (bound - largest) / size
        elif kind == STORED_BELOW:
            out[WATCHES + i] = (y[STORED] + y[STORED + 1] - bound) / size
        elif kind == DEPLOYED_BELOW:
            out[WATCHES + i] = (line.total - y[STORED] - y[STORED + 1] - bound) / size
        elif kind == DEPLOYED_ABOVE:
            out[WATCHES + i] = (bound - line.total + y[STORED] + y[STORED + 1]) / size
        elif kind == RATE_ABOVE:
            out[WATCHES + i] = (bound - max(norm(a.rate), norm(b.rate))) / size


@routine
def cut_spring(tether, y, j):
    """Break spring j: what it holds is lost, and the grid becomes two."""
    s, status = tether.springs, tether.status
    first, _ = widths(tether, y)
    energy = 0.5 * s.length[j] * s.elastic[j] * max(s.strain[j], 0.0)
    y[WORKS + BREAKAGE] -= energy
    status[CUT_AT] = y[STORED] + j * first
    status[CUT] = j
    s.mode[j] = 0
    return energy


@routine
def act_on(tether, y, e):
    """Change what an event changes; (place: spring or end, number beside it)."""
    s, status = tether.springs, tether.status
    if e == BREAK:
        worst = 0
        for j in range(tether.line.count + 1):
            if s.tension[j] > s.tension[worst]:
                worst = j
        tension = s.tension[worst]
        cut_spring(tether, y, worst)
        return worst, tension
    if e in (END_0, END_1):
        k = e - END_0
        speed = status[FEED + 2 * k]
        status[JAMMED + k] = 1.0
        return k, speed
    if e in (FAST_0, FAST_1):
        return e - FAST_0, status[FEED + 2 * (e - FAST_0)]
    if e in (DRY_0, DRY_1):
        status[DRY + e - DRY_0] = 1.0
        return e - DRY_0, 0.0
    if e in (FULL_0, FULL_1):
        status[FULL + e - FULL_0] = 1.0
        return e - FULL_0, tether.hulls[e - FULL_0].wheels[1]
    if e in (TOUCH_0, TOUCH_1):
        return e - TOUCH_0, 0.0
    if e in (LEAVE_0, LEAVE_1):
        return e - LEAVE_0, 0.0
    if e in (FADE_0, FADE_1):
        return e - FADE_0, tether.reels[e - FADE_0].numbers[FADE_START]
    return 0, 0.0


@device
def spring_mass(tether, y, j):
    """The lighter of the masses [kg] at the ends of spring j."""
    n, m = tether.line.count, math.inf
    first, second = widths(tether, y)
    if n > 0:
        m = tether.line.density * cell_width(tether, min(j, n - 1), first, second)
    if j == 0 or n == 0:
        m = min(m, tether.hulls[0].mass)
    if j == n:
        m = min(m, tether.hulls[1].mass)
    return m


@device
def mode_error(tether, y, j, taut, h):
    """Velocity [m/s] that spring j has wrongly given in a step h [s] in which its mode changed; taut: what it should be."""
    s, line = tether.springs, tether.line
    before, now = s.before[j], s.gap[j]
    late = h * abs(now) / max(abs(now) + abs(before), 1e-300)
    m = spring_mass(tether, y, j)
    if taut:
        force = abs(line.stiffness * s.strain[j]) + abs(line.damping * s.rate[j])
    else:
        force = abs(s.tension[j])
    return force * late / m


@routine
def mode_time(tether, y):
    """Time [s] below which a step is not cut for a mode that changes: a share of a cell's own time.

    Springs that hang at no tension change their mode without end; within this time the change is left to the step's end.
    """
    line, hulls = tether.line, tether.hulls
    first, second = widths(tether, y)
    if line.count > 0:
        return MODE_TIME * min(first, second) * math.sqrt(line.density / line.stiffness)
    lightest = min(hulls[0].mass, hulls[1].mass)
    return LONE_TIME * math.sqrt(
        lightest * (line.total - y[STORED] - y[STORED + 1]) / line.stiffness
    )


@routine
def worst_mode(tether, y, h):
    """(largest error [m/s] of modes held too long, share of the step after which the worst of them changed)."""
    s, worst, share = tether.springs, 0.0, 1.0
    for j in range(tether.line.count + 1):
        taut = s.gap[j] > 0.0
        if taut == (s.mode[j] == 1):
            continue
        error = mode_error(tether, y, j, taut, h)
        if error > worst:
            worst = error
        before, now = abs(s.before[j]), abs(s.gap[j])
        share = min(share, before / max(before + now, 1e-300))
    return worst, share


@routine
def set_modes(tether):
    """Give every spring the mode of now; number that changed."""
    s, changed = tether.springs, 0
    for j in range(tether.line.count + 1):
        mode = 1 if s.gap[j] > 0.0 else 0
        if mode != s.mode[j]:
            s.mode[j] = mode
            changed += 1
    return changed


@routine
def slack_length(tether):
    """Length [m] that springs are shorter than their natural length, summed."""
    s, total = tether.springs, 0.0
    for j in range(tether.line.count + 1):
        total += max(s.length[j] - s.distance[j], 0.0)
    return total


@routine
def is_tangled(tether, y, share, gap):
    """Whether slack is longer than a share [-] of the line and two cells that are no neighbours are within a gap [m]."""
    n = tether.line.count
    deployed = tether.line.total - y[STORED] - y[STORED + 1]
    if n < 3 or slack_length(tether) <= share * deployed:
        return False
    for i in range(n - 2):
        here = three(y, CELLS + 3 * i)
        for j in range(i + 2, n):
            away = subtract(three(y, CELLS + 3 * j), here)
            if dot(away, away) < gap * gap:
                return True
    return False
