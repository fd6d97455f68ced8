"""Steps of a net with error control: Dormand and Prince 5(4) on all rates at once.

The state is that of `rates`, the pair and the control of its step those of `dormand_prince`. Each
kind of number has a tolerance of its own: places, velocities, attitudes, angular momenta, works.
A step whose largest error is above its tolerance is thrown away and tried again shorter. Steps end
where loads and windings begin and end, where the pitch of a flight bends, and by `step_ends` where
a thread breaks, where the target is touched first, and where a thread slides off an edge. Which
contacts there are is settled between steps, so that all within one is smooth except for threads that
become taut or slack.

    error_i <= absolute_i + relative |y_i|     for all i

Explicit, so stability limits the step as in `splitting`: about 3.3/w along the imaginary axis, at six
evaluations a step, beside 2/w at one. It wins where high accuracy is asked of a motion without jumps; a net in
which threads snatch and nodes strike is not of that kind.
Validity: that of `rates`; the damper's jump at l = L costs rejected steps.
Source: [DormandPrince1980].
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from haptos.core.by_reference import by_reference
from haptos.core.errors import ConfigError
from haptos.core.inlining import routine
from haptos.core.jit import device, uncounted_entry
from haptos.dynamics.air_loads import count_pushes
from haptos.dynamics.cable.reeled_rates import base_of, keep_base, restore_base
from haptos.dynamics.cable.winch_rates import winding_limit
from haptos.dynamics.contacts.element_edge_rates import renew_crossings, use_up_edges
from haptos.dynamics.contacts.point_box_rates import box_limit, remember_boxes
from haptos.dynamics.contacts.point_ground_rates import (
    ground_limit,
    note_first_ground,
    remember_ground,
    renew_ground,
    use_up_ground,
)
from haptos.dynamics.contacts.point_mesh_rates import remember_touch, renew_lists, use_up
from haptos.dynamics.contacts.point_point_rates import pair_limit, renew_near_pairs, use_up_pairs
from haptos.dynamics.field import field_limit
from haptos.dynamics.guard.ground_guard import watch_ground
from haptos.dynamics.guard.system_guard import watch_surfaces
from haptos.dynamics.ledger.extremes import note_lines, note_tensions
from haptos.dynamics.march.dormand_prince import STAGES, error_ratio, step
from haptos.dynamics.march.pauses import NOT_PAUSED, pauses_after, pauses_before
from haptos.dynamics.march.rates import (
    BODY_SIZE,
    NODE_SIZE,
    WORKS,
    Flow,
    net_rate,
    pack,
    state_size,
    unpack,
)
from haptos.dynamics.march.splitting import update_energy_ledger, within
from haptos.dynamics.march.step_control import kept_ratio, next_step, shorter_step
from haptos.dynamics.march.step_ends import (
    BEYOND,
    NOTHING,
    TOUCHES,
    cut_broken,
    happened,
    keep_peaks,
    peak_count,
    restore_peaks,
    time_of_first,
)
from haptos.dynamics.march.step_loop import StepFunctions, march_steps, nothing
from haptos.dynamics.motion import Motion
from haptos.dynamics.rigid.bodies import place_points
from haptos.dynamics.rigid.body_rates import remember_hulls, renew_hulls, use_up_hulls
from haptos.dynamics.rigid.loads import load_limit
from haptos.dynamics.rigid.rigid_body import normalise
from haptos.dynamics.system import (
    NODE,
    SLIVER,
    System,
)

CITES: tuple[str, ...] = ("DormandPrince1980",)


@by_reference
class StepArrays(
    namedtuple("StepArrays", "y y1 k between spare absolute memory middle peaks base")
):
    """Room the steps work in.

    y, y1, between, spare, absolute (size,)    k (7, size)    peaks  largest forces before a step
    base    masses and lengths before it, `reeled_rates`       middle  (1,) of the step [s]
    memory  (9,) next step [s], error ratio before, steps rejected, time a step has to end [s], what
            happens then; of the step tried now: longest that loads allow [s], error ratio, whether it is
            the last one, whether rates jump at its end
    """

    __slots__ = ()


NEXT, PREVIOUS, REJECTED, LANDING, LANDS_ON, LIMIT, RATIO, IS_LAST, IS_JUMP = range(9)
# flow: Flow    room: StepArrays    kept: what a pause keeps    limits of this call, as those of `march_dormand`
SystemMarch = namedtuple("SystemMarch", "flow room kept until relative longest most")
FIRST_STEP = 1e-6  # [s] tried first; the control finds its own within a few steps


def refuse_unfit(system: System, where: str = "[run] scheme") -> None:
    """Refuse a net with parts that this scheme cannot march."""
    orders = system.orders
    is_held = np.any(orders.held > 0.0) or orders.nodes_held > 0.0
    unfit = {
        "winches that stall": bool(np.isfinite(orders.winches["stall"]).any()),
        "bullets held past time zero, by a delay or because they are not shot": is_held,
        "friction with memory": system.surface.body >= 0 and system.options.has_memory,
        "threads that bend": len(system.beams.element) > 0,
        "bodies that touch by polygons": len(system.polygons) > 0,
        "glue": system.options.has_glue
        and (system.surface.body >= 0 or len(system.boxes.body) > 0),
    }
    found = [name for name, is_there in unfit.items() if is_there]
    if found:
        allowed = "nets without: " + ", ".join(unfit)
        scheme = f"'dormand-prince' with {', '.join(found)}"
        hint = 'scheme = "verlet"'
        if found == ["winches that stall"]:
            hint += ", or limited = false in [closing]"
        raise ConfigError(where, scheme, allowed, hint)


def room_of(
    system: System,
    motion: Motion,
    *,
    position: float = 1e-6,
    velocity: float = 1e-5,
    attitude: float = 1e-7,
    rate: float = 1e-5,
    work: float = 1e-8,
) -> StepArrays:
    """Room for the steps, with absolute tolerances per step.

    position [m]   velocity [m/s]   attitude [-] of quaternions   work [J]
    rate     [rad/s], of angular momenta as those of the body's least moment of inertia
    """
    n, bodies = int((system.points.owner == NODE).sum()), len(motion.bodies.place)
    size = state_size(n, bodies)
    absolute = np.empty(size)
    absolute[: 3 * n], absolute[3 * n : 6 * n] = position, velocity
    b = NODE_SIZE * n
    absolute[b : b + 3 * bodies] = position
    absolute[b + 3 * bodies : b + 6 * bodies] = velocity
    absolute[b + 6 * bodies : b + 10 * bodies] = attitude
    quickest = system.inverse_inertia.max(axis=1, initial=0.0)
    own = np.divide(rate, quickest, out=np.full(bodies, np.inf), where=quickest > 0.0)
    absolute[b + 10 * bodies : b + BODY_SIZE * bodies] = np.repeat(own, 3)
    absolute[-WORKS:] = work
    rows = (
        np.zeros(size),
        np.zeros(size),
        np.zeros((STAGES, size)),
        np.zeros(size),
        np.zeros(size),
    )
    memory = np.array([FIRST_STEP, 1.0, 0.0, np.inf, NOTHING, 0.0, 0.0, 0.0, 0.0])
    peaks = np.zeros(peak_count(motion))
    return StepArrays(*rows, absolute, memory, np.zeros(1), peaks, base_of(system, motion))


@device
def _is_landing(memory, now, h):
    """Whether a step h from now [s] ends where it has to, to the rounding of the clock."""
    return abs(memory[LANDING] - now - h) <= 0.01 * SLIVER


@routine
def get_ready(flow, room, time):
    """Settle which contacts a step of at most a time [s] may have; whether energy was let go."""
    system, motion, size = flow.system, flow.motion, len(room.y)
    place_points(system, motion)
    renew_lists(system, motion, time, flow.scratch.stack)
    renew_near_pairs(system, motion, time)
    renew_hulls(system, motion, time, flow.scratch.stack)
    renew_ground(system, motion, time)
    lost = renew_crossings(system, motion, time, flow.scratch.stack)
    for k in range(WORKS):
        room.y[size - WORKS + k] = motion.ledger.work[k]
    keep_peaks(motion, room.peaks)
    return lost > 0.0


@routine
def give_up(flow, room):
    """Throw a step away: back to where it began."""
    room.memory[REJECTED] += 1.0
    unpack(room.y, flow.motion, flow.nodes)
    restore_base(flow.system, flow.motion, room.base)
    restore_peaks(flow.motion, room.peaks)


@routine
def accept(flow, room, time, h, landed):
    """Make the end of a step h from a time [s] the state; whether the rates change with a jump there."""
    system, motion, size = flow.system, flow.motion, len(room.y)
    use_up(system, motion, h)
    use_up_edges(system, motion, h)
    use_up_pairs(system, motion, h)
    use_up_hulls(system, motion, h)
    use_up_ground(system, motion, h)
    for i in range(size):
        room.y[i] = room.y1[i]
    for k in range(WORKS):
        motion.ledger.work[k] = room.y[size - WORKS + k]
    for b in range(len(motion.bodies.attitude)):
        normalise(motion.bodies.attitude[b], 0)
    keep_base(system, motion, room.base)
    remember_touch(system, motion)
    remember_boxes(system, motion)
    remember_hulls(system, motion, flow.scratch.stack)
    remember_ground(system, motion, time + h)
    count_pushes(motion.ledger.pushes, 0.5 * h)
    note_tensions(motion, time + h)
    note_lines(motion, time + h)
    cut = cut_broken(system.threads, motion, time + h)
    is_first = landed % (2 * TOUCHES) >= TOUCHES
    if is_first:
        motion.step.touched_at = time + h
        note_first_ground(system, motion, time + h)
    motion.step.count += 1.0
    motion.step.time = time + h
    motion.step.last = h
    pack(motion, flow.nodes, room.y)
    return cut > 0 or is_first


@routine
def begin(flow, room):
    """Rates where the march begins, and on the first one the stock of energies."""
    system, motion = flow.system, flow.motion
    pack(motion, flow.nodes, room.y)
    keep_base(system, motion, room.base)
    remember_boxes(system, motion)
    get_ready(flow, room, room.memory[NEXT])
    flow.middle[0] = motion.step.time
    net_rate(flow, motion.step.time, room.y, room.k[0])
    if motion.step.count == 0.0:
        update_energy_ledger(system, motion)
        watch_surfaces(system, motion, motion.step.time, flow.scratch.stack, False)
        watch_ground(system, motion, motion.step.time, False)


@routine
def _goes_on(run):
    step, memory = run.flow.motion.step, run.room.memory
    is_over = step.count + memory[REJECTED] >= run.most
    return run.kept.is_paused == NOT_PAUSED and step.time < run.until and not is_over


@routine
def _propose(run):
    """The step to try, with all made ready for it; 0 where the march pauses before it."""
    flow, room, memory = run.flow, run.room, run.room.memory
    system, motion = flow.system, flow.motion
    now = motion.step.time
    memory[LIMIT] = min(
        load_limit(system, motion), field_limit(system.field, now), winding_limit(system, motion)
    )
    left, ahead = run.until - now, memory[LANDING] - now
    h = min(within(min(memory[NEXT], run.longest), left), memory[LIMIT], ahead)
    if pauses_before(run.kept, now + h):
        return 0.0
    if get_ready(flow, room, h):
        run.kept.has_rates = 0.0
    return min(
        h, pair_limit(system, motion), box_limit(system, motion), ground_limit(system, motion)
    )


@routine
def _attempt(run, h):
    """Take a step; one that is as short as steps get is taken whatever its error."""
    flow, room, size = run.flow, run.room, len(run.room.y)
    now = flow.motion.step.time
    flow.middle[0] = now + 0.5 * h
    step(net_rate, flow, now, h, room.y, size, room.k, room.y1, int(run.kept.has_rates))
    run.kept.has_rates = 1.0
    ratio = error_ratio(h, room.y, room.y1, size, room.k, room.absolute, run.relative)
    room.memory[RATIO] = ratio
    return ratio if h > SLIVER else 0.0


@routine
def _reject(run, h, ratio):
    memory = run.room.memory
    memory[NEXT] = shorter_step(h, ratio, memory[PREVIOUS])
    give_up(run.flow, run.room)


@routine
def _search(run, h):
    """Part [s] of the step after which something happens that it has to end with."""
    flow, room, memory = run.flow, run.room, run.room.memory
    now = flow.motion.step.time
    if _is_landing(memory, now, h) or not h > SLIVER:
        return h
    if happened(flow.system, flow.motion, BEYOND) == NOTHING:
        return h
    part, memory[LANDS_ON] = time_of_first(flow, room, now, h)
    if part < h:
        return part
    memory[LANDING] = now + h
    net_rate(flow, now + h, room.y1, room.spare)  # the search has left it elsewhere
    return h


@routine
def _shorten(run, h, part):
    run.room.memory[LANDING] = run.flow.motion.step.time + max(part, SLIVER)
    give_up(run.flow, run.room)


@routine
def _choose(run, h, _):
    memory, left = run.room.memory, run.until - run.flow.motion.step.time
    memory[NEXT] = next_step(h, memory[RATIO], memory[PREVIOUS], memory[NEXT])
    memory[PREVIOUS] = kept_ratio(memory[RATIO])
    memory[IS_LAST] = 1.0 if h == left else 0.0
    memory[IS_JUMP] = 1.0 if h in (memory[LIMIT], left) else 0.0


@routine
def _commit(run, h):
    memory, now = run.room.memory, run.flow.motion.step.time
    has_landed = _is_landing(memory, now, h)
    if accept(run.flow, run.room, now, h, int(memory[LANDS_ON]) if has_landed else NOTHING):
        memory[IS_JUMP] = 1.0
    if has_landed:
        memory[LANDING], memory[LANDS_ON] = math.inf, NOTHING
    for i in range(len(run.room.y)):
        run.room.k[0, i] = run.room.k[6, i]


@routine
def _settle(run, h):
    """Energies and depths at the end of a step."""
    system, motion, stack = run.flow.system, run.flow.motion, run.flow.scratch.stack
    update_energy_ledger(system, motion)
    watch_surfaces(system, motion, motion.step.time, stack, False)
    watch_ground(system, motion, motion.step.time, False)


@routine
def _conclude(run, h):
    memory = run.room.memory
    if memory[IS_JUMP] != 0.0:
        run.kept.has_rates = 0.0
    if memory[IS_LAST] != 0.0:
        run.flow.motion.step.time = run.until
    pauses_after(run.kept, run.flow.motion.step)


@uncounted_entry
def march_dormand(system, motion, scratch, room, until, relative, longest, most):
    """March to a time [s], or until `most` steps are tried, or to a pause; whether the time was reached.

    relative  tolerance [-] besides the absolute ones of the room      longest  step allowed [s]
    A pause changes no bit of the motion, as long as the same scratch and room are given again.
    """
    kept = scratch.march
    flow = Flow(system, motion, scratch, int(motion.step.nodes), room.middle, room.base)
    if kept.goes_on == 0.0:
        begin(flow, room)
        kept.goes_on, kept.has_rates = 1.0, 0.0
    kept.is_paused = NOT_PAUSED
    march_steps(
        StepFunctions(
            _goes_on, _propose, _attempt, _reject, _search, _shorten, _choose, nothing, nothing, _commit, _settle,
            _conclude,
        ),
        SystemMarch(flow, room, kept, until, relative, longest, most),
    )  # fmt: skip
    is_there = motion.step.time >= until
    if is_there:
        watch_surfaces(system, motion, motion.step.time, scratch.stack, True)
        watch_ground(system, motion, motion.step.time, True)
    return is_there
