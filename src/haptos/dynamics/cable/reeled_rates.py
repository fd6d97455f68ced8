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
from haptos.dynamics.cable.winches import LEAST_SHARE, wind_times
from haptos.dynamics.rigid.bodies import attitude_of, put, three
from haptos.dynamics.rigid.rigid_turn import turning_energy
from haptos.dynamics.system import (
    REELED,
    TOUCHED_AT,
    WIND_DENSITY,
    WIND_ELEMENT,
    WIND_POINT,
    Motion,
    Net,
)

CITES: tuple[str, ...] = ("Salvi2014",)

Base = namedtuple("Base", "mass inverse_mass inverse_inertia length line_length is_on")
# masses, inverse moments and lengths at the start of a step      is_on  whether winches take up mass


def base_of(net: Net, motion: Motion) -> Base:
    """Room for what a step begins with."""
    return Base(
        motion.mass.copy(), motion.inverse_mass.copy(), net.inverse_inertia.copy(),
        motion.length.copy(), motion.line_length.copy(),
        bool((net.orders.winds[:, WIND_DENSITY] != 0.0).any()),
    )  # fmt: skip


@routine
def keep_base(net, motion, base):
    """Keep masses and lengths as they are at the start of a step."""
    if not base.is_on:
        return
    _copy(motion.mass, base.mass)
    _copy(motion.inverse_mass, base.inverse_mass)
    _copy(motion.length, base.length)
    _copy(motion.line_length, base.line_length)
    for b in range(len(base.inverse_mass)):
        put(base.inverse_inertia, b, three(net.inverse_inertia, b))


@device
def _copy(rows, target):
    """Copy numbers one by one, which asks for no memory."""
    for i in range(len(target)):
        target[i] = rows[i]


@routine
def restore_base(net, motion, base):
    """Bring back masses as they were at the start of the step."""
    if not base.is_on:
        return
    _copy(base.mass, motion.mass)
    _copy(base.inverse_mass, motion.inverse_mass)
    for b in range(len(base.inverse_mass)):
        put(net.inverse_inertia, b, three(base.inverse_inertia, b))


@device
def wound_since(net, motion, base, row):
    """Length [m] that a row has taken up since the start of the step."""
    e = int(net.orders.winds[row, WIND_ELEMENT])
    if e >= 0:
        return base.length[e] - motion.length[e]
    return base.line_length[-1 - e] - motion.line_length[-1 - e]


@device
def carries(net, motion, row, middle):
    """Whether a row takes up mass in the step about a middle [s]."""
    winds = net.orders.winds
    start, stop = wind_times(winds, row, motion.clock[TOUCHED_AT])
    is_winding = start < middle and middle < stop
    return is_winding and winds[row, WIND_DENSITY] != 0.0 and winds[row, WIND_POINT] >= 0.0


@device
def ends_of(net, row):
    """(first, after the last) of the points of a row's line, or -1, -1 for the two ends of an element."""
    e = int(net.orders.winds[row, WIND_ELEMENT])
    if e >= 0:
        return -1, 1
    return int(net.lines.start[-1 - e]), int(net.lines.start[-e])


@device
def end_of(net, row, s):
    """Point number s of a row."""
    e = int(net.orders.winds[row, WIND_ELEMENT])
    return net.threads.ends[e, s + 1] if e >= 0 else net.lines.point[s]


@device
def gives(net, base, i, to, mass):
    """Whether a point can give a mass [kg] to a winch: a node that is not the winch and keeps some."""
    if i == to or net.points.owner[i] >= 0:
        return False
    return base.mass[i] - mass >= LEAST_SHARE * base.mass[i]


@routine
def carry_masses(net, motion, base, middle):
    """Bring masses and moments to the lengths of now."""
    restore_base(net, motion, base)
    if not base.is_on:
        return
    for row in range(len(net.orders.winds)):
        if not carries(net, motion, row, middle):
            continue
        to = int(net.orders.winds[row, WIND_POINT])
        first, last = ends_of(net, row)
        part = net.orders.winds[row, WIND_DENSITY] * wound_since(net, motion, base, row)
        part /= last - first
        body = net.points.owner[to]
        for s in range(first, last):
            i = end_of(net, row, s)
            if not gives(net, base, i, to, part):
                continue
            motion.mass[i] -= part
            if body < 0:
                motion.mass[to] += part
            elif motion.inverse_mass[body] > 0.0:
                shrink = 1.0 / (1.0 + part * motion.inverse_mass[body])
                motion.inverse_mass[body] *= shrink
                for k in range(3):
                    net.inverse_inertia[body, k] *= shrink


@routine
def reel_rates(net, motion, base, middle, nodes, dy, works):
    """Add what mass that arrives does to the velocities of winches, and its power to the books."""
    if not base.is_on:
        return
    bodies, winds = len(motion.inverse_mass), net.orders.winds
    for row in range(len(winds)):
        if not carries(net, motion, row, middle):
            continue
        to, e = int(winds[row, WIND_POINT]), int(winds[row, WIND_ELEMENT])
        first, last = ends_of(net, row)
        whole = winds[row, WIND_DENSITY] * wound_since(net, motion, base, row)
        pace = motion.pace[e] if e >= 0 else motion.line_pace[-1 - e]
        flow = -winds[row, WIND_DENSITY] * pace / (last - first)
        body = net.points.owner[to]
        for s in range(first, last):
            i = end_of(net, row, s)
            if not gives(net, base, i, to, whole / (last - first)):
                continue
            if body < 0:
                gap = subtract(three(motion.v, i), three(motion.v, to))
                at, light, turning = 3 * (nodes + to), 1.0 / motion.mass[to], 0.0
            else:
                gap = subtract(three(motion.v, i), three(motion.speed, body))
                at, light = 6 * nodes + 3 * (bodies + body), motion.inverse_mass[body]
                turning = turning_energy(
                    attitude_of(motion, body), three(motion.momentum, body),
                    three(net.inverse_inertia, body),
                )  # fmt: skip
            for k in range(3):
                dy[at + k] += flow * light * gap[k]
            dy[works + REELED] -= flow * (0.5 * dot(gap, gap) + turning * light)
