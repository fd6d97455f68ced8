"""Sums over a tether and its bodies: energy, momentum, angular momentum, mass, slack, tolerances of the state.

    E = hulls and reels, m V^2/2 and w . J w/2, + cells m v^2/2 + springs length U + series springs k_d l_d^2/2
    tolerance: of lengths  tol x distance,  of velocities  tol x largest relative speed or T/sqrt(EA mu)
Frame: N axes, about its origin. Source: elementary mechanics.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine
from haptos.core.rotations import apply
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, cross, dot, norm, scale, subtract
from haptos.dynamics.cable.tether_cells import cell_width, three, widths
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_state import (
    ATTITUDE,
    BODY,
    CELLS,
    CUT,
    ENERGY_ENTRIES,
    EXPELLED,
    HEAT_ABSORBED,
    HEAT_FED,
    IMPULSE,
    MOMENTUM,
    POSITION,
    PROPELLANT,
    RATE,
    REEL,
    REEL_STATES,
    SERIES,
    STORED,
    WHEELS,
    WORKS,
)
from haptos.dynamics.rigid.end_body import hull_energy

CITES: tuple[str, ...] = ()

LEAST_SPEED = 1e-3  # [m/s] scale of velocities where nothing moves or pulls
LEAST_TURN = 1e-3  # [rad/s] scale of rates where nothing turns


@routine
def energies(tether, y):
    """(kinetic, elastic, of the series dampers' springs) [J]; springs must be those of y."""
    n, s = tether.line.count, tether.springs
    first, second = widths(tether, y)
    kinetic, elastic, series = 0.0, 0.0, 0.0
    for k in range(2):
        end, hull = end_of(tether, y, k), tether.hulls[k]
        series += 0.5 * tether.line.series[k][0] * y[SERIES + k] ** 2
        kinetic += hull_energy(
            end.velocity,
            end.rate,
            end.dcm,
            hull.inertia,
            hull.attachment,
            end.hull,
            end.reel,
            hull.can_turn,
        )
    for i in range(n):
        q = three(y, CELLS + 3 * n + 3 * i)
        kinetic += 0.5 * dot(q, q) / (tether.line.density * cell_width(tether, i, first, second))
    for j in range(n + 1):
        if j != int(tether.status[CUT]):
            elastic += 0.5 * s.length[j] * s.elastic[j] * max(s.strain[j], 0.0)
    return kinetic, elastic, series


@routine
def momenta(tether, y):
    """(momentum [N s], angular momentum about the N origin [N m s], mass [kg]) of all."""
    n = tether.line.count
    p, h, mass = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
    for k in range(2):
        end, hull = end_of(tether, y, k), tether.hulls[k]
        p = add(p, three(y, BODY * k + MOMENTUM))
        h = add(h, cross(end.place, scale(end.hull, end.velocity)))
        h = add(h, cross(end.attachment, scale(end.reel, end.feed)))
        if hull.can_turn:
            own = add(apply_symmetric(hull.inertia, end.rate), three(y, BODY * k + WHEELS))
            h = add(h, apply(end.dcm, own))
        mass += end.hull + end.reel
    first, second = widths(tether, y)
    for i in range(n):
        q = three(y, CELLS + 3 * n + 3 * i)
        p = add(p, q)
        h = add(h, cross(three(y, CELLS + 3 * i), q))
        mass += tether.line.density * cell_width(tether, i, first, second)
    return p, h, mass


@routine
def fill_scale(tether, y, tolerance, scale_row):
    """Tolerance of every number of the state for the step from y, whose springs are filled."""
    n, line, s = tether.line.count, tether.line, tether.springs
    a, b = end_of(tether, y, 0), end_of(tether, y, 1)
    apart = subtract(b.attachment, a.attachment)
    length = max(norm(apart), line.total - y[STORED] - y[STORED + 1])
    gap = subtract(b.feed, a.feed)
    speed = max(LEAST_SPEED, norm(gap))
    first, second = widths(tether, y)
    for i in range(n):
        m = line.density * cell_width(tether, i, first, second)
        away = subtract(scale(1.0 / m, three(y, CELLS + 3 * n + 3 * i)), a.feed)
        speed = max(speed, norm(away))
    if line.density > 0.0:
        pull = 0.0
        for j in range(n + 1):
            pull = max(pull, s.tension[j])
        speed = max(speed, pull / math.sqrt(line.stiffness * line.density))
    work = 0.0
    for e in range(len(ENERGY_ENTRIES)):
        work = max(work, abs(y[WORKS + e]))
    mass = a.hull + a.reel + b.hull + b.reel
    free = mass if tether.hulls[0].is_fixed or tether.hulls[1].is_fixed else math.inf
    work += 0.5 * min(a.hull + a.reel, b.hull + b.reel, free) * speed * speed
    for k in range(2):
        at, hull, end = BODY * k, tether.hulls[k], a if k == 0 else b
        turn = max(norm(end.rate), LEAST_TURN)
        moment = max(hull.inertia[0], hull.inertia[3], hull.inertia[5])
        for c in range(3):
            scale_row[at + POSITION + c] = tolerance * length
            scale_row[at + MOMENTUM + c] = tolerance * speed * (end.hull + end.reel)
            scale_row[at + RATE + c] = tolerance * turn
            scale_row[at + WHEELS + c] = tolerance * max(turn * moment, 1e-9)
        for c in range(4):
            scale_row[at + ATTITUDE + c] = tolerance
        scale_row[at + PROPELLANT] = tolerance * end.hull
        scale_row[STORED + k] = scale_row[SERIES + k] = tolerance * length
        for c in range(REEL_STATES):
            at = REEL + REEL_STATES * k + c
            scale_row[at] = tolerance * max(abs(y[at]), 1.0)
    for i in range(WORKS, CELLS):
        scale_row[i] = tolerance * work
    heat = tolerance * max(work, 300.0 * line.density * line.heat_capacity * length)
    for e in range(HEAT_ABSORBED, HEAT_FED + 1):
        scale_row[WORKS + e] = heat
    scale_row[WORKS + EXPELLED] = tolerance * mass
    for c in range(3):
        scale_row[WORKS + IMPULSE + c] = 10.0 * tolerance * mass * speed
    _cell_scales(tether, y, tolerance, length, speed, first, second, scale_row)
    return length, speed


@device
def _cell_scales(tether, y, tolerance, length, speed, first, second, scale_row):
    n = tether.line.count
    for i in range(n):
        m = tether.line.density * cell_width(tether, i, first, second)
        for c in range(3):
            scale_row[CELLS + 3 * i + c] = tolerance * length
            scale_row[CELLS + 3 * n + 3 * i + c] = tolerance * speed * m
        scale_row[CELLS + 6 * n + i] = tolerance * 300.0
    for i in range(CELLS + 7 * n, len(y)):
        scale_row[i] = tolerance * max(abs(y[i]), 1.0)
