"""Steps of a net with error control: Dormand and Prince 5(4) on all rates at once.

The state is that of `net_rates`, the pair and the control of its step those of `dormand_prince`. Each
kind of number has a tolerance of its own: places, velocities, attitudes, angular momenta, works.
A step whose largest error is above its tolerance is thrown away and tried again shorter. Steps end
where loads begin and end, where the pitch of a flight bends, and where a thread breaks: that time is
found on the interpolant to rounding, the step is taken anew up to it, and what the thread held is
booked as breakage.

    error_i <= absolute_i + relative |y_i|     for all i

Explicit, so stability limits the step as in `net_step`: about 3.3/w along the imaginary axis, at six
evaluations a step, beside 2/w at one. It wins where high accuracy is asked of a motion without jumps; a net in
which threads snatch and nodes strike is not of that kind.
Validity: that of `net_rates`; the damper's jump at l = L costs rejected steps.
Source: [DormandPrince1980].
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from haptos.core.errors import ConfigError
from haptos.core.jit import device, routine, uncounted_entry
from haptos.core.rotations import apply_transposed
from haptos.core.vectors import cross, norm, subtract
from haptos.dynamics.dormand_prince import (
    STAGES,
    error_ratio,
    interpolate,
    step,
    step_factor,
)
from haptos.dynamics.net_air import count_pushes
from haptos.dynamics.net_bodies import three
from haptos.dynamics.net_field import field_limit
from haptos.dynamics.net_layout import (
    BREAKAGE,
    BROKEN,
    LAST_STEP,
    NODE,
    SLIVER,
    STEPS,
    TIME,
    TOUCHED_AT,
    Motion,
    Net,
)
from haptos.dynamics.net_loads import load_limit
from haptos.dynamics.net_rates import (
    BODY_SIZE,
    NODE_SIZE,
    WORKS,
    Flow,
    net_rate,
    pack,
    remember_touch,
    state_size,
    surface_pose,
    unpack,
)
from haptos.dynamics.net_step import weigh
from haptos.dynamics.net_threads import AMPLE
from haptos.dynamics.net_touch import TINY, renew_list
from haptos.dynamics.thread_link import link_energy

CITES: tuple[str, ...] = ("DormandPrince1980",)

Room = namedtuple("Room", "y y1 k between spare absolute memory middle")
# y, y1, between, spare, absolute (size,)    k (7, size)    memory (3,) next step [s], error ratio before, steps rejected
NEXT, PREVIOUS, REJECTED = range(3)
FIRST_STEP = 1e-6  # [s] tried first; the control finds its own within a few steps
HALVINGS = 50  # [-] of the search for the time a thread breaks
STRONG, BEYOND = 1.0 - 1e-6, 1.0 + 1e-6  # [-] of the breaking tension: broken there; gone too far


def refuse_unfit(net: Net, where: str = "[run] scheme") -> None:
    """Refuse a net with parts that this scheme cannot march."""
    orders = net.orders
    is_held = np.any(orders.held > 0.0) or orders.nodes_held > 0.0
    options = net.options
    touches = options.has_self or options.has_bullets_net or options.has_bullets
    touches = touches or len(net.boxes.body) > 0 or len(net.hulls.owner) > 0
    unfit = {
        "winches or reels": len(orders.winds) > 0,
        "bullets held past time zero, by a delay or because they are not shot": is_held,
        "friction with memory": net.surface.body >= 0 and net.options.has_memory,
        "threads that bend": len(net.beams.element) > 0,
        "threads on sharp edges": net.options.has_edges and len(net.surface.edges) > 0,
        "contact of net, bullets and bodies with each other or the chaser": touches,
    }
    found = [name for name, is_there in unfit.items() if is_there]
    if found:
        allowed = "nets without: " + ", ".join(unfit)
        hint = 'scheme = "verlet", or for edges alone [contact] edges = false'
        raise ConfigError(where, f"'dormand-prince' with {', '.join(found)}", allowed, hint)


def room_of(
    net: Net,
    motion: Motion,
    *,
    position: float = 1e-6,
    velocity: float = 1e-5,
    attitude: float = 1e-7,
    rate: float = 1e-5,
    work: float = 1e-8,
) -> Room:
    """Room for the steps, with absolute tolerances per step.

    position [m]   velocity [m/s]   attitude [-] of quaternions   work [J]
    rate     [rad/s], of angular momenta as those of the body's least moment of inertia
    """
    n, bodies = int((net.points.owner == NODE).sum()), len(motion.place)
    size = state_size(n, bodies)
    absolute = np.empty(size)
    absolute[: 3 * n], absolute[3 * n : 6 * n] = position, velocity
    b = NODE_SIZE * n
    absolute[b : b + 3 * bodies] = position
    absolute[b + 3 * bodies : b + 6 * bodies] = velocity
    absolute[b + 6 * bodies : b + 10 * bodies] = attitude
    quickest = net.inverse_inertia.max(axis=1, initial=0.0)
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
    return Room(*rows, absolute, np.array([FIRST_STEP, 1.0, 0.0]), np.zeros(1))


@device
def _bound(net, motion, i, pose, time):
    """How far point i may move relative to the touched body in a step [m]; speeds may double."""
    place, _, omega, speed = pose
    arm = subtract(three(motion.x, i), place)
    relative = subtract(subtract(three(motion.v, i), speed), cross(omega, arm))
    return 2.0 * AMPLE * norm(relative) * time + TINY


@routine
def renew_lists(net, motion, time, stack):
    """Look up again what is near each point whose budget does not last for a step [s]."""
    if net.surface.body < 0:
        return
    pose = surface_pose(net, motion)
    for i in range(len(net.points.owner)):
        if net.points.radius[i] <= 0.0:
            continue
        way = _bound(net, motion, i, pose, time)
        if motion.budget[i] < way:
            y = apply_transposed(pose[1], subtract(three(motion.x, i), pose[0]))
            renew_list(net, motion, i, y, 2.0 * way, stack)


@routine
def use_up(net, motion, time):
    """Take the way of a step [s] that was accepted from the budgets."""
    if net.surface.body < 0:
        return
    pose = surface_pose(net, motion)
    for i in range(len(net.points.owner)):
        if net.points.radius[i] > 0.0:
            motion.budget[i] -= _bound(net, motion, i, pose, time)


@routine
def overloaded(threads, motion):
    """Largest tension over breaking tension [-]; 0 where nothing breaks."""
    worst = 0.0
    for e in range(len(threads.breaking)):
        if motion.whole[e] == 1 and motion.tension[e] > 0.0:
            worst = max(worst, motion.tension[e] / threads.breaking[e])
    return worst


@routine
def time_of_breakage(flow, room, time, h):
    """Part [s] of a step h from a time [s] after which the first thread is at its breaking tension."""
    low, high, size = 0.0, 1.0, len(room.y)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        interpolate(middle, h, room.y, room.y1, size, room.k, room.between)
        net_rate(flow, time + middle * h, room.between, room.spare)
        if overloaded(flow.net.threads, flow.motion) >= 1.0:
            high = middle
        else:
            low = middle
    return high * h


@routine
def cut_broken(threads, motion):
    """Cut what pulls with its breaking tension; books what it held. How many."""
    count = 0
    for e in range(len(threads.breaking)):
        if motion.whole[e] == 0 or not motion.tension[e] >= STRONG * threads.breaking[e]:
            continue
        i, j = threads.ends[e, 0], threads.ends[e, 1]
        distance = norm(subtract(three(motion.x, j), three(motion.x, i)))
        motion.books[BREAKAGE] -= link_energy(threads.stretching[e], motion.length[e], distance)
        motion.whole[e], motion.tension[e] = 0, 0.0
        count += 1
    motion.clock[BROKEN] += count
    return count


@device
def _within(time, left):
    """A step [s] that ends with what is left [s], or leaves more than a sliver of it."""
    if time >= 0.999999 * left:
        return left
    return 0.5 * left if time > 0.5 * left else time


@routine
def accept(flow, room, time, h):
    """Make the end of a step h from a time [s] the state; whether the rates change with a jump there."""
    net, motion, size = flow.net, flow.motion, len(room.y)
    use_up(net, motion, h)
    for i in range(size):
        room.y[i] = room.y1[i]
    for k in range(WORKS):
        motion.books[k] = room.y[size - WORKS + k]
    for b in range(len(motion.attitude)):
        q = motion.attitude[b]
        length = math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
        for k in range(4):
            motion.attitude[b, k] /= length
    touched = motion.clock[TOUCHED_AT]
    remember_touch(net, motion, time + h)
    count_pushes(motion.tally, 0.5 * h)
    cut = cut_broken(net.threads, motion)
    motion.clock[STEPS] += 1.0
    motion.clock[TIME] = time + h
    pack(motion, flow.nodes, room.y)
    return cut > 0 or motion.clock[TOUCHED_AT] != touched


@routine
def begin(flow, room):
    """Rates where the march begins, and on the first one the stock of energies."""
    net, motion = flow.net, flow.motion
    pack(motion, flow.nodes, room.y)
    renew_lists(net, motion, room.memory[NEXT], flow.scratch.stack)
    flow.middle[0] = motion.clock[TIME]
    net_rate(flow, motion.clock[TIME], room.y, room.k[0])
    if motion.clock[STEPS] == 0.0:
        weigh(net, motion)


@uncounted_entry
def march_dormand(net, motion, scratch, room, until, relative, longest, most):
    """March to a time [s], or until `most` steps are tried; whether the time was reached.

    relative  tolerance [-] besides the absolute ones of the room      longest  step allowed [s]
    """
    clock, memory, size = motion.clock, room.memory, len(room.y)
    nodes = 0
    while nodes < len(net.points.owner) and net.points.owner[nodes] < 0:
        nodes += 1
    flow = Flow(net, motion, scratch, nodes, room.middle)
    begin(flow, room)
    first = 0
    while clock[TIME] < until:
        if clock[STEPS] + memory[REJECTED] >= most:
            return False
        now = clock[TIME]
        limit = min(load_limit(net, motion), field_limit(net.field, now))
        left = until - now
        h = _within(min(memory[NEXT], longest, limit), left)
        if not h > 0.0:
            return False
        renew_lists(net, motion, h, scratch.stack)
        flow.middle[0] = now + 0.5 * h
        step(net_rate, flow, now, h, room.y, size, room.k, room.y1, first)
        first = 1
        ratio = error_ratio(h, room.y, room.y1, size, room.k, room.absolute, relative)
        if ratio > 1.0 and h > SLIVER:
            memory[NEXT] = h * min(step_factor(ratio, memory[PREVIOUS]), 0.9)
            memory[REJECTED] += 1.0
            unpack(room.y, motion, nodes)
            continue
        if overloaded(net.threads, motion) > BEYOND and h > SLIVER:
            part = max(time_of_breakage(flow, room, now, h), SLIVER)
            if part < h:
                memory[NEXT] = part
                memory[REJECTED] += 1.0
                unpack(room.y, motion, nodes)
                continue
        grown = h * step_factor(ratio, memory[PREVIOUS])
        memory[NEXT] = max(grown, memory[NEXT]) if h < memory[NEXT] else grown
        memory[PREVIOUS] = max(ratio, 1e-4)
        is_jump = accept(flow, room, now, h)
        clock[LAST_STEP] = h
        weigh(net, motion)
        if is_jump or h == limit:
            first = 0
        else:
            for i in range(size):
                room.k[0, i] = room.k[6, i]
        if h == left:
            clock[TIME] = until
    return True
