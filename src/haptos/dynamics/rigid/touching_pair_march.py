"""March of two bodies in polygonal contact: what a step gets ready, what it keeps, rows of its ledger.

    remainder = change of (kinetic + potential + elastic + stick) + losses - work put in

    losses  damping, viscous stick, friction (what shear forces took less what stretches store), released
            (stretches of area that comes or leaves, of cones that shrink), drag
    remesh  change of elastic and stick energy when leaves change at one pose; zero for fixed leaves
The loop is that of `march/adaptive.py`. Polygons are found once a step, with a margin for the way the bodies can go
in it. A step whose own remainder is larger than the tolerance is taken again, shorter, as long as that pays: where contact ends
within a step, or damping is cut off, the embedded error of the step misses it. A row of the log is kept at the end of each step; rows at given times lie within steps, on the interpolated state,
with the contact asked there, and change no step.
Validity: as touching_pair.py. Source: as adaptive.py.
"""

from __future__ import annotations

import math
from collections import namedtuple

from haptos.contact.sets.polygons import ADAPTIVE, GUESS, OVERFLOW
from haptos.contact.sets.polygons_step import (
    A_DEPTH,
    A_ELASTIC,
    A_FRICTION,
    A_LEAVE,
    A_RELEASED,
    A_REMESH,
    A_SLIPPING,
    A_STICK,
    A_TOUCH,
    begin_polygons,
    end_polygons,
    frictional_losses,
    note_extremes,
)
from haptos.contact.sets.polygons_sum import (
    AREA,
    DEPTH,
    ELASTIC,
    POLYGONS,
    PRESSURE,
    STICK,
    STICKING,
    SUMS,
)
from haptos.core.by_reference import by_reference
from haptos.core.inlining import routine
from haptos.core.jit import device, uncounted_entry
from haptos.core.vectors import dot, norm, subtract
from haptos.dynamics.march.adaptive import ACCEPTED, GO_ON, JUMP, REACHED, STOP, advance
from haptos.dynamics.march.adaptive import STALLED as MARCH_STALLED
from haptos.dynamics.march.adaptive import STEPS_OVER as MARCH_STEPS_OVER
from haptos.dynamics.march.dormand_prince import interpolate
from haptos.dynamics.rigid.touching_pair import (
    ATTITUDE,
    BODY,
    POSITION,
    SIZE,
    W_ACTUATOR,
    W_DAMPING,
    W_DRAG,
    W_DRIVE,
    W_LIGHT,
    W_PUSH,
    W_SHEAR,
    W_SHEAR_BACK,
    W_VISCOUS,
    WORKS,
    kinetic,
    pair_rates,
    potential,
    relative_pose,
    reversed_pose,
    spread_at,
    three,
    touch,
    velocities,
)
from haptos.geometry.distance.reference import reference_gap

CITES: tuple[str, ...] = ()

MARGIN_SHARE = 0.02  # [-] of the bodies' size: how far a step near contact may move
MARGIN_ROOM = 1.6  # [-] of the way a step is expected to take
PAYS = 0.3  # [-] of its remainder that a step taken again may keep, or it is accepted
RUNNING, TIME_OVER, STEPS_OVER, STALLED, SUNK, FULL = range(6)

# Columns of a row of the log: time, state, then these.
L_TIME, L_STATE = 0, 1
L_FORCE = 1 + SIZE
(L_ELASTIC, L_STICK, L_KINETIC, L_POTENTIAL, L_FRICTION, L_RELEASED, L_REMESH, L_DEPTH, L_AREA, L_POLYGONS,
 L_PRESSURE, L_STICKING, L_STEP) = range(L_FORCE + 6, L_FORCE + 19)  # fmt: skip
LOG = L_FORCE + 19

# Entries of `counters`: rows, stride of rows, rows since the last that was kept, outputs stored, whether it touches, how it ended
C_ROWS, C_STRIDE, C_SINCE, C_OUTPUTS, C_TOUCHING, C_ENDED, COUNTERS = range(7)
READY_TIME, READY_MARGIN, READY_REMAINDER = 0, 1, 2  # entries of `ready`
DEEPEST, LONGEST_WAY = 0, 1  # entries of `limits`

# pair      TouchingPair         march  March of adaptive.py
# limits    (2,) deepest contact [m], way of a step near contact [m]
# ready     (3,) time and margin of the last search [s], [m], remainder [J] of the last step refused for it
# counters, log (n, LOG)         times (m,) at which rows are wanted [s], outputs (m, LOG) these rows
# before    (2, 4) friction, released, stick, slipping of both passes at the step's start
# kept      (SUMS,) sums of the step's end
PairMarch = namedtuple(
    "PairMarch", "pair march limits ready counters log times outputs before kept"
)
by_reference(PairMarch)


@routine
def closing_bound(pair, y):
    """Largest speed [m/s] of a node of one body relative to the other."""
    v_A, w_A = velocities(pair, 0, y)
    v_B, w_B = velocities(pair, 1, y)
    apart = norm(subtract(three(y, BODY), three(y, POSITION)))
    a, b, size = norm(w_A), norm(w_B), pair.size
    turning = b * size + a * (apart + size)
    if pair.passes == 2:
        turning = max(turning, a * size + b * (apart + size))
    shape = max(abs(pair.spread[0, 1]), abs(pair.spread[1, 1]))
    return norm(subtract(v_B, v_A)) + turning + shape * size


@routine
def _clearance(pair, t, y):
    """A distance [m] that B is at least away from A; 0 if it may touch."""
    pose, _ = relative_pose(y)
    spread = spread_at(pair, 0, t)[0]
    side = pair.first
    gap, _, _, _ = reference_gap(side.reference, pose[0], spread, 0, side.found.search)
    return max(gap - side.faces.size, 0.0)


@routine
def begin_step(pair, t, y, margin):
    """Find the polygons within the margin and give them their stretches; False if they do not fit their room."""
    pose, _ = relative_pose(y)
    s_A, s_B = spread_at(pair, 0, t)[0], spread_at(pair, 1, t)[0]
    begin_polygons(pair.first, pose, (s_A, s_B), margin, pair.first.account)
    if pair.passes == 2:
        begin_polygons(pair.back, reversed_pose(pose), (s_B, s_A), margin, pair.back.account)
        if pair.back.found.counts[OVERFLOW] == 1:
            return False
    return pair.first.found.counts[OVERFLOW] == 0


@device
def _rates(model, t, y, dy):
    pair_rates(model.pair, t, y, dy)


@routine
def _begin(model, t, y, h):
    """Polygons for a step of at most h [s]; the step that is allowed, 0 if they do not fit their room."""
    pair, ready = model.pair, model.ready
    speed = closing_bound(pair, y)
    way = min(MARGIN_SHARE * pair.size, model.limits[LONGEST_WAY])
    room = max(way, 0.5 * _clearance(pair, t, y))
    if speed > 0.0:
        h = min(h, room / speed)
    margin = MARGIN_ROOM * speed * h + 1e-9 * pair.size
    if ready[READY_TIME] == t and margin <= ready[READY_MARGIN]:
        return h
    ready[READY_TIME], ready[READY_MARGIN], ready[READY_REMAINDER] = t, margin, math.inf
    if not begin_step(pair, t, y, margin):
        model.counters[C_ENDED] = FULL
        return 0.0
    return h


@routine
def _lost_by(side, y, y1, shear):
    """Energy [J] that a pass stores more, and has lost by friction, from the step's start to its end."""
    account = side.account
    friction, released = frictional_losses(
        side, y1[shear] - y[shear], account[A_STICK], account[A_SLIPPING]
    )
    stored = side.sums[ELASTIC] - account[A_ELASTIC] + side.sums[STICK] - account[A_STICK]
    return stored + friction + released


@routine
def _step_remainder(pair, y, y1):
    """Energy [J] that does not add up in a step, whose end the sums of the pair hold."""
    found = kinetic(pair, y1) - kinetic(pair, y) + potential(pair, y1) - potential(pair, y)
    found += _lost_by(pair.first, y, y1, W_SHEAR)
    if pair.passes == 2:
        found += _lost_by(pair.back, y, y1, W_SHEAR_BACK)
    for work in (W_DAMPING, W_VISCOUS):
        found += y1[work] - y[work]
    for work in (W_ACTUATOR, W_DRIVE, W_PUSH, W_DRAG, W_LIGHT):
        found -= y1[work] - y[work]
    return abs(found)


@routine
def _fits(model, t, h, y, y1):
    """Whether no node went farther than the margin of its search, and the step's ledger closes as far as it can."""
    if not _stays_near(model, y, y1):
        return False
    allowed = model.march.absolute[WORKS]
    remainder = _step_remainder(model.pair, y, y1)
    if not remainder > allowed:
        return True
    before = model.ready[READY_REMAINDER]
    model.ready[READY_REMAINDER] = remainder
    return remainder > PAYS * before


@routine
def _stays_near(model, y, y1):
    """Whether no node went farther than the margin of its search."""
    (r0, d0), _ = relative_pose(y)
    (r1, d1), _ = relative_pose(y1)
    turn = 0.0
    for i in range(3):
        turn += dot(subtract(d1[i], d0[i]), subtract(d1[i], d0[i]))
    size = model.pair.size + (norm(r1) if model.pair.passes == 2 else 0.0)
    return norm(subtract(r1, r0)) + size * math.sqrt(turn) <= model.ready[READY_MARGIN]


@device
def _account_for(pair):
    """Friction, released and remesh of all passes so far, into the account of the pair."""
    account, first = pair.account, pair.first.account
    for entry in (A_FRICTION, A_RELEASED, A_REMESH):
        account[entry] = first[entry]
        if pair.passes == 2:
            account[entry] += pair.back.account[entry]


@device
def _end_side(side, before, work):
    """Keep what the step has done to one pass; what it began with goes to `before`."""
    account = side.account
    before[0], before[1] = account[A_FRICTION], account[A_RELEASED]
    before[2], before[3] = account[A_STICK], account[A_SLIPPING]
    end_polygons(side, work, account)


@routine
def _write_row(pair, t, y, h, friction, released, row):
    """One row of the log of a state, whose sums are in the pair."""
    sums = pair.sums
    row[L_TIME] = t
    for i in range(SIZE):
        row[L_STATE + i] = y[i]
    for i in range(6):
        row[L_FORCE + i] = sums[i]
    row[L_ELASTIC], row[L_STICK] = sums[ELASTIC], sums[STICK]
    row[L_KINETIC], row[L_POTENTIAL] = kinetic(pair, y), potential(pair, y)
    row[L_FRICTION], row[L_RELEASED] = friction, released
    row[L_REMESH] = pair.account[A_REMESH]
    row[L_DEPTH], row[L_AREA] = sums[DEPTH], sums[AREA]
    row[L_POLYGONS], row[L_PRESSURE] = sums[POLYGONS], sums[PRESSURE]
    row[L_STICKING], row[L_STEP] = sums[STICKING], h


@routine
def _log(model, t, y, h):
    """Add a row; a full log keeps every second of its rows and doubles its stride."""
    counters, log, account = model.counters, model.log, model.pair.account
    counters[C_SINCE] += 1
    if counters[C_SINCE] < counters[C_STRIDE]:
        return
    counters[C_SINCE] = 0
    if counters[C_ROWS] == len(log):
        kept = len(log) // 2
        for k in range(kept):
            for c in range(LOG):
                log[k, c] = log[2 * k, c]
        counters[C_ROWS] = kept
        counters[C_STRIDE] *= 2
    row = log[counters[C_ROWS]]
    _write_row(model.pair, t, y, h, account[A_FRICTION], account[A_RELEASED], row)
    counters[C_ROWS] += 1


@device
def _at_share(model, t, h, y, y1, share):
    """State at a share of a step into the march's room, the contact there into the sums."""
    work = model.march.work
    interpolate(share, h, y, y1, SIZE, model.march.k, work)
    touch(model.pair, t + share * h, work)


@routine
def _crossing(model, t, h, y, y1):
    """Time [s] within a step at which contact begins or ends, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        _at_share(model, t, h, y, y1, middle)
        if (model.pair.sums[POLYGONS] > 0.0) == (model.counters[C_TOUCHING] == 1):
            low = middle
        else:
            high = middle
    return t + high * h


@device
def _note_crossing(model, t, h, y, y1, is_touching):
    account = model.pair.account
    when = _crossing(model, t, h, y, y1)
    if is_touching and account[A_TOUCH] < 0.0:
        account[A_TOUCH] = when
    if not is_touching:
        account[A_LEAVE] = when
    model.counters[C_TOUCHING] = 1 if is_touching else 0


@device
def _losses_within(side, before, work):
    """(friction, released) [J] of a pass up to a state within the step that ended last."""
    friction, released = frictional_losses(side, work, before[2], before[3])
    return before[0] + friction, before[1] + released


@routine
def _store_outputs(model, t, h, y, y1):
    """Rows at the times wanted within the step."""
    pair, counters, times = model.pair, model.counters, model.times
    while counters[C_OUTPUTS] < len(times) and times[counters[C_OUTPUTS]] <= t + h:
        when = times[counters[C_OUTPUTS]]
        _at_share(model, t, h, y, y1, min(max((when - t) / h, 0.0), 1.0))
        work = model.march.work
        _unit(work)
        friction, released = _losses_within(pair.first, model.before[0], work[W_SHEAR] - y[W_SHEAR])
        if pair.passes == 2:
            taken = work[W_SHEAR_BACK] - y[W_SHEAR_BACK]
            more, let_go = _losses_within(pair.back, model.before[1], taken)
            friction, released = friction + more, released + let_go
        row = model.outputs[counters[C_OUTPUTS]]
        _write_row(pair, when, work, h, friction, released, row)
        counters[C_OUTPUTS] += 1


@device
def _unit(y):
    for k in range(2):
        first = k * BODY + ATTITUDE
        size = 0.0
        for i in range(4):
            size += y[first + i] * y[first + i]
        for i in range(4):
            y[first + i] /= math.sqrt(size)


@routine
def _accept(model, t, h, y, y1):
    """Keep what an accepted step has done; the sums are those of its end."""
    pair, kept = model.pair, model.kept
    guess = pair.first.found.counts[GUESS], pair.back.found.counts[GUESS]
    for c in range(SUMS):
        kept[c] = pair.sums[c]
    _end_side(pair.first, model.before[0], y1[W_SHEAR] - y[W_SHEAR])
    if pair.passes == 2:
        _end_side(pair.back, model.before[1], y1[W_SHEAR_BACK] - y[W_SHEAR_BACK])
    _account_for(pair)
    note_extremes(pair.sums, pair.account)
    is_touching = pair.sums[POLYGONS] > 0.0
    _log(model, t + h, y1, h)
    if is_touching != (model.counters[C_TOUCHING] == 1):
        _note_crossing(model, t, h, y, y1, is_touching)
    _store_outputs(model, t, h, y, y1)
    for c in range(SUMS):
        pair.sums[c] = kept[c]
    pair.first.found.counts[GUESS], pair.back.found.counts[GUESS] = guess
    _unit(y1)
    if pair.account[A_DEPTH] > model.limits[DEEPEST]:
        model.counters[C_ENDED] = SUNK
        return STOP
    law = (
        pair.first.law
    )  # what a step keeps of friction may change the forces: sliding nodes have no viscous part
    changes = law.friction_at_rest > 0.0 or pair.first.refinement.mode == ADAPTIVE
    return JUMP if changes else GO_ON


@device
def _no_gaps(model, t, y, out):
    """Touches are noted with the steps they fall in; none ends a step."""


@routine
def _start(model, t, y):
    """First row of the log, and the rows wanted at the start."""
    pair, counters = model.pair, model.counters
    begin_step(pair, t, y, 0.0)
    touch(pair, t, y)
    pair.first.account[A_ELASTIC], pair.back.account[A_ELASTIC] = pair.first.sums[ELASTIC], 0.0
    pair.first.account[A_REMESH], pair.back.account[A_REMESH] = 0.0, 0.0
    if pair.passes == 2:
        pair.back.account[A_ELASTIC] = pair.back.sums[ELASTIC]
    counters[C_TOUCHING] = 1 if pair.sums[POLYGONS] > 0.0 else 0
    if counters[C_TOUCHING] == 1:
        pair.account[A_TOUCH] = t
    note_extremes(pair.sums, pair.account)
    _log(model, t, y, 0.0)
    while counters[C_OUTPUTS] < len(model.times) and model.times[counters[C_OUTPUTS]] <= t:
        _write_row(pair, t, y, 0.0, 0.0, 0.0, model.outputs[counters[C_OUTPUTS]])
        counters[C_OUTPUTS] += 1


@uncounted_entry
def march_pair(model, until, longest, most):
    """Carry the pair on to a time [s]; how it ended, one of RUNNING ...

    longest  step [s]      most  steps accepted and rejected
    """
    march = model.march
    if march.counts[ACCEPTED] == 0 and model.counters[C_ROWS] == 0:
        _start(model, march.clock[0], march.y)
    model.counters[C_ENDED] = RUNNING
    ended = advance(
        _rates, _begin, _fits, _accept, _no_gaps, model, march, until, 0.0, longest, most
    )
    if ended == REACHED:
        return TIME_OVER
    if ended == MARCH_STEPS_OVER:
        return STEPS_OVER
    if ended == MARCH_STALLED:
        return STALLED
    return model.counters[C_ENDED]
