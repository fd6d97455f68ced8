"""Mass of thread that winches take up, in rates: from the ends of an element to the winch, momentum kept.

    m_i' = -rho |L'|/2 of both ends,   M' = rho |L'|,   M V' = F + sum m (v_i - V),   I ~ M
    power = -sum m (|v_i - V|^2/2 + E_turn/M)

    m  mass per time that comes from node i [kg/s]      V, M, I  of the winch's body, or of its node
    E_turn  energy of its turning [J]
Masses follow the lengths, so they are no numbers of the state: at every stage they are those at the
start of the step and what was wound since. Limit of `winches.carry` for short steps.

Frame: N. Validity: the thread arrives at the winch at once, so angular momentum is not kept.
Source: [Salvi2014] section 2.8.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device, routine
from haptos.core.vectors import dot, subtract
from haptos.dynamics.cable.winches import LEAST_SHARE, winch_times
from haptos.dynamics.motion import Motion
from haptos.dynamics.rigid.bodies import attitude_of, put, three
from haptos.dynamics.rigid.rigid_turn import turning_energy
from haptos.dynamics.system import REELED, System

CITES: tuple[str, ...] = ("Salvi2014",)

Base = namedtuple("Base", "mass inverse_mass inverse_inertia length line_length is_on")
# masses, inverse moments and lengths at the start of a step      is_on  whether winches take up mass


def base_of(system: System, motion: Motion) -> Base:
    """Room for what a step begins with."""
    return Base(
        motion.points.mass.copy(), motion.bodies.inverse_mass.copy(), system.inverse_inertia.copy(),
        motion.elements.length.copy(), motion.lines.length.copy(),
        bool((system.orders.winches["density"] != 0.0).any()),
    )  # fmt: skip


@routine
def keep_base(system, motion, base):
    """Keep masses and lengths as they are at the start of a step."""
    if not base.is_on:
        return
    _copy(motion.points.mass, base.mass)
    _copy(motion.bodies.inverse_mass, base.inverse_mass)
    _copy(motion.elements.length, base.length)
    _copy(motion.lines.length, base.line_length)
    for b in range(len(base.inverse_mass)):
        put(base.inverse_inertia, b, three(system.inverse_inertia, b))


@device
def _copy(rows, target):
    """Copy numbers one by one, which asks for no memory."""
    for i in range(len(target)):
        target[i] = rows[i]


@routine
def restore_base(system, motion, base):
    """Bring back masses as they were at the start of the step."""
    if not base.is_on:
        return
    _copy(base.mass, motion.points.mass)
    _copy(base.inverse_mass, motion.bodies.inverse_mass)
    for b in range(len(base.inverse_mass)):
        put(system.inverse_inertia, b, three(base.inverse_inertia, b))


@device
def wound_since(system, motion, base, row):
    """Length [m] that a row has taken up since the start of the step."""
    e = int(system.orders.winches[row].element)
    if e >= 0:
        return base.length[e] - motion.elements.length[e]
    return base.line_length[-1 - e] - motion.lines.length[-1 - e]


@device
def carries(system, motion, row, middle):
    """Whether a row takes up mass in the step about a middle [s]."""
    winches = system.orders.winches
    start, stop = winch_times(winches, row, motion.step.touched_at)
    is_winding = start < middle and middle < stop
    return is_winding and winches[row].density != 0.0 and winches[row].point >= 0.0


@device
def ends_of(system, row):
    """(first, after the last) of the points of a row's line, or -1, -1 for the two ends of an element."""
    e = int(system.orders.winches[row].element)
    if e >= 0:
        return -1, 1
    return int(system.lines.start[-1 - e]), int(system.lines.start[-e])


@device
def end_of(system, row, s):
    """Point number s of a row."""
    e = int(system.orders.winches[row].element)
    return system.threads.ends[e, s + 1] if e >= 0 else system.lines.point[s]


@device
def gives(system, base, i, to, mass):
    """Whether a point can give a mass [kg] to a winch: a node that is not the winch and keeps some."""
    if i == to or system.points.owner[i] >= 0:
        return False
    return base.mass[i] - mass >= LEAST_SHARE * base.mass[i]


@routine
def carry_masses(system, motion, base, middle):
    """Bring masses and moments to the lengths of now."""
    restore_base(system, motion, base)
    if not base.is_on:
        return
    for row in range(len(system.orders.winches)):
        if not carries(system, motion, row, middle):
            continue
        to = int(system.orders.winches[row].point)
        first, last = ends_of(system, row)
        part = system.orders.winches[row].density * wound_since(system, motion, base, row)
        part /= last - first
        body = system.points.owner[to]
        for s in range(first, last):
            i = end_of(system, row, s)
            if not gives(system, base, i, to, part):
                continue
            motion.points.mass[i] -= part
            if body < 0:
                motion.points.mass[to] += part
            elif motion.bodies.inverse_mass[body] > 0.0:
                shrink = 1.0 / (1.0 + part * motion.bodies.inverse_mass[body])
                motion.bodies.inverse_mass[body] *= shrink
                for k in range(3):
                    system.inverse_inertia[body, k] *= shrink


@routine
def reel_rates(system, motion, base, middle, nodes, dy, works):
    """Add what mass that arrives does to the velocities of winches, and its power to the ledger."""
    if not base.is_on:
        return
    bodies, winches = len(motion.bodies.inverse_mass), system.orders.winches
    for row in range(len(winches)):
        if not carries(system, motion, row, middle):
            continue
        to, e = int(winches[row].point), int(winches[row].element)
        first, last = ends_of(system, row)
        whole = winches[row].density * wound_since(system, motion, base, row)
        pace = motion.elements.pace[e] if e >= 0 else motion.lines.pace[-1 - e]
        flow = -winches[row].density * pace / (last - first)
        body = system.points.owner[to]
        for s in range(first, last):
            i = end_of(system, row, s)
            if not gives(system, base, i, to, whole / (last - first)):
                continue
            if body < 0:
                gap = subtract(three(motion.points.v, i), three(motion.points.v, to))
                at, inverse_mass, turning = 3 * (nodes + to), 1.0 / motion.points.mass[to], 0.0
            else:
                gap = subtract(three(motion.points.v, i), three(motion.bodies.speed, body))
                at, inverse_mass = 6 * nodes + 3 * (bodies + body), motion.bodies.inverse_mass[body]
                turning = turning_energy(
                    attitude_of(motion, body), three(motion.bodies.momentum, body),
                    three(system.inverse_inertia, body),
                )  # fmt: skip
            for k in range(3):
                dy[at + k] += flow * inverse_mass * gap[k]
            dy[works + REELED] -= flow * (0.5 * dot(gap, gap) + turning * inverse_mass)
