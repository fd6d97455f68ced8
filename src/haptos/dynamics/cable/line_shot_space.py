"""The shot of `line_shot.py` in three dimensions, in any field and over any ground: a straight line without waves.

Equations and energies are those of `line_shot.py`; gravity is the acceleration at each body, and its work is recorded:

    J w' = -l_a b x [T n + mu u (v_h - v_s)],   b' = w x b      b  way the tip points, w  turning of the body [rad/s]
Line that has left the spool is carried by the hull, with its weight.
Frame: N axes of the field, which may turn with a body; z up at the origin, near which the ground is hit. Validity: straight line,
T > mu u^2. Source: as `line_shot.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import OptimizeResult, brentq

from haptos.dynamics.cable.line_shot import (
    ANGLE,
    BRAKE,
    FEED,
    HIT,
    HOLD_X,
    HOLD_Z,
    LINE_END,
    LONGEST_FLIGHT,
    MISSED,
    MUZZLE,
    PAID,
    PITCH,
    RATE,
    SIZE,
    LineFlight,
    LineShot,
    ShotMotion,
)

CITES: tuple[str, ...] = ("Quadrelli2017",)

Floats = NDArray[np.float64]
# acceleration [m/s^2] at a place [m] with a velocity [m/s]; gap of the ground at a place [m], and the way from there on which
# none can be met
Pull = Callable[[Floats, Floats], Floats]
Gap = Callable[[Floats], tuple[float, float]]

# State: hull, its velocity, body, its velocity, way of the tip, turning, paid out, works of brake, feed, pitch, weight; impulses
# that hold the hull, and of the field
HULL, HULL_V, BODY, BODY_V, TIP, TURN = (slice(3 * k, 3 * k + 3) for k in range(6))
OUT, W_BRAKE, W_FEED, W_PITCH, W_WEIGHT = range(18, 23)
HOLD, FIELD = slice(23, 26), slice(26, 29)
STATES = 29
STEPS = 50  # least number of steps of a flight straight to the ground
SPEED_MARGIN = 1.1  # [-] of the larger speed at both ends of a step: that within it is below
STRIDE = 1e-4  # [-] of the height: looks at the ground are not closer


@dataclass(frozen=True, eq=False)
class SpaceFlight:
    """How it flew: rows as those of `line_shot.py`, in three dimensions, work of the field (n,) [J], its impulse and that of
    holding the hull at the end (3,) [N s]."""

    flight: LineFlight
    motion: ShotMotion
    weight: Floats
    impulse: Floats
    held: Floats


def _rates(shot: LineShot, pull: Pull, y: Floats) -> Floats:
    dy = np.zeros(STATES)
    between, apart = y[HULL] - y[BODY], y[BODY_V] - y[HULL_V]
    n = between / np.linalg.norm(between)
    u = max(-float(apart @ n), 0.0)
    mass, hull = shot.body - shot.density * y[OUT], shot.hull + shot.density * y[OUT]
    tension = shot.tension if u > 0.0 else 0.0
    load = tension * n + shot.density * u * apart
    g_body, g_hull = pull(y[BODY], y[BODY_V]), pull(y[HULL], y[HULL_V])
    dy[HULL], dy[BODY], dy[OUT] = y[HULL_V], y[BODY_V], u
    dy[BODY_V] = load / mass + g_body
    on_hull = -tension * n + hull * g_hull
    if shot.holds:
        dy[HOLD] = -on_hull
    else:
        dy[HULL_V] = on_hull / hull
    torque = np.cross(-shot.arm * y[TIP], load)
    dy[TIP], dy[TURN] = np.cross(y[TURN], y[TIP]), torque / shot.inertia
    dy[W_PITCH] = torque @ y[TURN]
    dy[W_BRAKE] = -u * (tension - shot.density * u * u)
    dy[W_FEED] = -shot.density * u * (u * u - 0.5 * float(apart @ apart))
    dy[W_WEIGHT] = mass * (g_body @ y[BODY_V]) + hull * (g_hull @ y[HULL_V])
    dy[FIELD] = mass * g_body + hull * g_hull
    return dy


def line_flight_in_space(
    shot: LineShot, start: ArrayLike, speed: float, pull: Pull, gap: Gap, *, aim: float = 0.0, tip_off: float = 0.0,
    velocity: ArrayLike = (0.0, 0.0, 0.0), interval: float = 0.1, tolerance: float = 1e-11,
) -> SpaceFlight:  # fmt: skip
    """Fly from a place [m] of the hull, which moves with a velocity [m/s] before; aim [rad] off -z towards x, as `line_flight`."""
    height = float(np.asarray(start, dtype=float)[2])
    out = MUZZLE * height
    y = _at_the_muzzle(shot, np.asarray(start, dtype=float), speed, aim, np.asarray(velocity, dtype=float))  # fmt: skip
    y[TURN] = 0.0, -tip_off, 0.0

    def touch(t: float, y: Floats) -> float:
        return gap(y[BODY])[0]

    def taken(t: float, y: Floats) -> float:
        return float(shot.length - out - y[OUT])

    def turned(t: float, y: Floats) -> float:
        return float((y[BODY_V] - y[HULL_V]) @ (y[BODY] - y[HULL]))

    for event in (touch, taken, turned):
        event.terminal = True  # type: ignore[attr-defined]
        event.direction = -1.0  # type: ignore[attr-defined]
    last = min(LONGEST_FLIGHT, 100.0 * shot.length / speed)
    done = solve_ivp(
        lambda _, y: _rates(shot, pull, y), (0.0, last), y, "DOP853", rtol=tolerance, atol=tolerance * _sizes(shot, height, speed),
        events=(touch, taken, turned), dense_output=True, max_step=height / speed / STEPS,
    )  # fmt: skip
    met = _first_met(done, gap, STRIDE * height)
    end = float(done.t[-1]) if met is None else met
    times = np.unique(np.append(np.arange(0.0, end, interval), end))
    states = np.array(done.sol(times).T)
    if met is None:
        states[-1] = done.y[:, -1]
    is_hit = met is not None or len(done.t_events[0]) > 0
    ended = LINE_END if met is None and len(done.t_events[1]) else HIT if is_hit else MISSED
    if ended == HIT and float(np.linalg.norm(states[-1, BODY])) > shot.reach:
        ended = MISSED
    motion = ShotMotion(*(states[:, part] for part in (HULL, HULL_V, BODY, BODY_V, TIP, TURN)))
    fastest = float(np.linalg.norm(motion.body_v - motion.hull_v, axis=1).max())
    flight = LineFlight(ended, times, _planar_rows(states, motion), shot.density * fastest**2 > shot.tension)  # fmt: skip
    return SpaceFlight(flight, motion, states[:, W_WEIGHT], states[-1, FIELD], states[-1, HOLD])


def _first_met(done: OptimizeResult, gap: Gap, least: float) -> float | None:
    """When [s] the way first meets ground before its end: checked at points as far apart as the ground is away, at least `least` [m]."""

    def along(t: float) -> float:
        return gap(done.sol(t)[BODY])[0]

    for begin, end, first, last in zip(done.t[:-1], done.t[1:], done.y.T[:-1], done.y.T[1:], strict=True):  # fmt: skip
        speed = SPEED_MARGIN * float(
            max(np.linalg.norm(first[BODY_V]), np.linalg.norm(last[BODY_V]))
        )
        t = float(begin)
        while True:
            way = gap(done.sol(t)[BODY])[1]
            before, t = t, t + max(way, least) / speed
            if t >= end:
                break
            if along(t) < 0.0:
                return (
                    float(brentq(along, before, t, xtol=1e-12)) if along(before) > 0.0 else before
                )
    return None


def _at_the_muzzle(shot: LineShot, place: Floats, speed: float, aim: float, before: Floats) -> Floats:  # fmt: skip
    """The state of a body that does not turn, when it leaves a hull that moves with a velocity before [m/s]."""
    y = np.zeros(STATES)
    way = np.array([math.sin(aim), 0.0, -math.cos(aim)])
    y[HULL], y[BODY], y[TIP] = place, place + MUZZLE * place[2] * way, way
    y[BODY_V] = speed * way + before
    if not shot.holds:
        y[HULL_V] = -shot.body / shot.hull * speed * way + before
    return y


def _sizes(shot: LineShot, height: float, speed: float) -> Floats:
    """The size of each state, to which the tolerance is relative."""
    sizes = np.ones(STATES)
    sizes[HULL] = sizes[BODY] = sizes[OUT] = height
    sizes[HULL_V] = sizes[BODY_V] = speed
    sizes[W_BRAKE : W_WEIGHT + 1] = shot.body * speed**2
    sizes[HOLD] = sizes[FIELD] = shot.body * speed
    return sizes


def _planar_rows(states: Floats, motion: ShotMotion) -> Floats:
    """States as rows of `line_shot.py`: what they have in the plane of the aim."""
    rows = np.zeros((len(states), SIZE))
    rows[:, 0:2], rows[:, 2:4] = motion.hull[:, ::2], motion.hull_v[:, ::2]
    rows[:, 4:6], rows[:, 6:8] = motion.body[:, ::2], motion.body_v[:, ::2]
    rows[:, [PAID, BRAKE, FEED, PITCH]] = states[:, [OUT, W_BRAKE, W_FEED, W_PITCH]]
    rows[:, RATE] = -motion.turning[:, 1]
    rows[:, ANGLE] = np.arctan2(motion.tip[:, 0], -motion.tip[:, 2])
    rows[:, [HOLD_X, HOLD_Z]] = states[:, HOLD][:, [0, 2]]
    return rows


def space_kinetic(shot: LineShot, flown: SpaceFlight) -> Floats:
    """Kinetic energy [J] of hull, body and line, (n,), with turning."""
    paid, motion = flown.flight.rows[:, PAID], flown.motion
    hull, body = shot.hull + shot.density * paid, shot.body - shot.density * paid
    moved = hull * (motion.hull_v**2).sum(axis=1) + body * (motion.body_v**2).sum(axis=1)
    return np.asarray(0.5 * (moved + shot.inertia * (motion.turning**2).sum(axis=1)))
