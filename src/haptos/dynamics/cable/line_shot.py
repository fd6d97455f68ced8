"""A body shot with a line that leaves its own spool at constant tension: flight until it reaches a plane.

    m v_h' = T n + mu u (v_h - v_s) + m g,      m' = -mu u,      u = (v_s - v_h).n      u > 0 pays out
    M v_s' = -T n + M g, or held where it is;   M' = mu u
    J q'' = -l_a b.[T n + mu u (v_h - v_s)]     turning about the centre of mass, towards the line: the spool is there

    h, s   the body and the hull it was shot from      n   unit vector from h to s       T  tension of the line [N]
    mu     linear density [kg/m]                       l_a attachment behind the centre of mass [m]
    q      angle of the axis from -z [rad], b = (cos q, sin q)          J  inertia across the axis [kg m^2]
Line that has left the spool moves with the hull: along the line the pull on the body is T - mu u^2, momentum is kept exactly.
Energy: brake -u (T - mu u^2), feed -mu u (u^2 - |v_h - v_s|^2/2), the jump of line from the coil to rest; the
weight of line that is out acts at the hull, and lifting it there counts with the feed.
Frame: plane (x, z), z out of the ground; the plane that is hit holds the origin and is tilted by `slope` about y.
Validity: straight line without waves, T > mu u^2 (else it cannot be braked); planar. Source: elementary mechanics of a moving mass; [Quadrelli2017] for the set-up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

CITES: tuple[str, ...] = ("Quadrelli2017",)

Floats = NDArray[np.float64]

# State: hull x, z, v_x, v_z; body x, z, v_x, v_z; paid out, angle, rate; works of brake, feed, holding impulse x, z, pitch
SIZE = 16
PAID, ANGLE, RATE, BRAKE, FEED, HOLD_X, HOLD_Z, PITCH = range(8, 16)
HIT, MISSED, LINE_END = "hit", "missed", "line end"
LONGEST_FLIGHT = 1e5  # [s]
MUZZLE = 1e-3  # [-] of the height: line that is out when the body leaves the muzzle


@dataclass(frozen=True, slots=True)
class LineShot:
    """What is shot.

    hull, body  masses [kg], body with all its line       inertia  across the axis [kg m^2]
    tension [N], density [kg/m], length [m] of the line   arm  l_a [m]     gravity along -z [m/s^2]
    slope of the plane [rad]                              holds  whether the hull stays where it is
    reach  distance [m] along the plane from the origin within which there is something to hit
    """

    hull: float
    body: float
    inertia: float
    tension: float
    density: float
    length: float
    arm: float
    gravity: float = 0.0
    slope: float = 0.0
    holds: bool = True
    reach: float = math.inf


@dataclass(frozen=True, eq=False)
class LineFlight:
    """How it flew: HIT, MISSED or LINE_END; times (n,) [s] and states (n, 16); slowed  whether T < mu u^2 was met."""

    ended: str
    times: Floats
    rows: Floats
    supercritical: bool

    @property
    def last(self) -> Floats:
        return np.asarray(self.rows[-1])


@dataclass(frozen=True, eq=False)
class ShotMotion:
    """In three dimensions, (n, 3) each: places [m] and velocities [m/s] of hull and body, way its tip points, its turning [rad/s]."""

    hull: Floats
    hull_v: Floats
    body: Floats
    body_v: Floats
    tip: Floats
    turning: Floats


def _rates(shot: LineShot, t: float, y: Floats) -> Floats:
    dy = np.zeros(SIZE)
    hull, v_s, body, v_h = y[0:2], y[2:4], y[4:6], y[6:8]
    between = hull - body
    n = between / np.linalg.norm(between)
    apart = v_h - v_s
    u = max(-float(apart @ n), 0.0)
    mass = shot.body - shot.density * y[PAID]
    down = np.array([0.0, -shot.gravity])
    pull = shot.tension if u > 0.0 else 0.0
    dy[0:2], dy[4:6] = v_s, v_h
    dy[6:8] = (pull * n + shot.density * u * apart) / mass + down
    held = -pull * n + (shot.hull + shot.density * y[PAID]) * down
    if shot.holds:
        dy[HOLD_X], dy[HOLD_Z] = -held
    else:
        dy[2:4] = held / (shot.hull + shot.density * y[PAID])
    dy[PAID] = u
    across = np.array([math.cos(y[ANGLE]), math.sin(y[ANGLE])])
    turn = -shot.arm * float((pull * n + shot.density * u * apart) @ across)
    dy[ANGLE], dy[RATE] = y[RATE], turn / shot.inertia
    dy[PITCH] = turn * y[RATE]
    dy[BRAKE] = -u * (pull - shot.density * u * u)
    dy[FEED] = -shot.density * u * (u * u - 0.5 * float(apart @ apart))
    dy[FEED] += shot.density * u * shot.gravity * float(between[1])
    return dy


def line_flight(
    shot: LineShot,
    height: float,
    speed: float,
    *,
    aim: float = 0.0,
    tip_off: float = 0.0,
    aside: float = 0.0,
    velocity: tuple[float, float] = (0.0, 0.0),
    interval: float = 0.1,
    tolerance: float = 1e-12,
) -> LineFlight:
    """Fly from a height [m] with a muzzle speed [m/s], `aim` off the vertical [rad], turning at `tip_off` [rad/s].

    The hull recoils at once unless it holds its place; the body starts at the hull, a thousandth of the height below it.
    aside [m], velocity [m/s]  of the hull before the shot
    """
    y = np.zeros(SIZE)
    way = np.array([math.sin(aim), -math.cos(aim)])
    start = MUZZLE * height
    y[0:2], y[4:6] = (aside, height), np.array([aside, height]) + start * way
    y[6:8], y[ANGLE], y[RATE] = speed * way + velocity, aim, tip_off
    if not shot.holds:
        y[2:4] = -shot.body / shot.hull * speed * way + velocity
    out = np.array([math.sin(shot.slope), math.cos(shot.slope)])

    def touch(t: float, y: Floats) -> float:
        return float(y[4:6] @ out)

    def taken(t: float, y: Floats) -> float:
        return float(shot.length - start - y[PAID])

    def turned(t: float, y: Floats) -> float:
        return float((y[6:8] - y[2:4]) @ (y[4:6] - y[0:2]))

    for event in (touch, taken, turned):
        event.terminal = True  # type: ignore[attr-defined]
        event.direction = -1.0  # type: ignore[attr-defined]
    last = min(LONGEST_FLIGHT, 100.0 * shot.length / speed)
    scale = tolerance * np.array([height] * 2 + [speed] * 2 + [height] * 2 + [speed] * 2
                                 + [height, 1.0, 1.0] + [shot.body * speed**2] * 2
                                 + [shot.body * speed] * 2 + [shot.body * speed**2])  # fmt: skip
    done = solve_ivp(
        lambda t, y: _rates(shot, t, y), (0.0, last), y, "DOP853", rtol=tolerance, atol=scale,
        events=(touch, taken, turned), dense_output=True,
    )  # fmt: skip
    end = float(done.t[-1])
    times = np.unique(np.append(np.arange(0.0, end, interval), end))
    rows = np.array(done.sol(times).T)
    rows[-1] = done.y[:, -1]
    ended = LINE_END if len(done.t_events[1]) else HIT if len(done.t_events[0]) else MISSED
    if ended == HIT and float(np.linalg.norm(rows[-1, 4:6])) > shot.reach:
        ended = MISSED
    fastest = float(np.linalg.norm(rows[:, 6:8] - rows[:, 2:4], axis=1).max())
    return LineFlight(ended, times, rows, shot.density * fastest**2 > shot.tension)


def flight_energy(shot: LineShot, rows: Floats) -> tuple[Floats, Floats]:
    """(kinetic, potential) [J] of hull, body and line, (n,) each; the kinetic energy counts turning."""
    hull = shot.hull + shot.density * rows[:, PAID]
    body = shot.body - shot.density * rows[:, PAID]
    kinetic = 0.5 * hull * (rows[:, 2:4] ** 2).sum(axis=1)
    kinetic += 0.5 * body * (rows[:, 6:8] ** 2).sum(axis=1)
    kinetic += 0.5 * shot.inertia * rows[:, RATE] ** 2
    # line that is out counts at the hull, where its weight is carried
    potential = shot.gravity * (hull * rows[:, 1] + body * rows[:, 5])
    return kinetic, potential
