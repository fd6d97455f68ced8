"""A net shot in an aircraft on a parabola, reduced to its centre of mass: how far it strays.

    r'' = -2 w x r' - w x (w x r) + a,   r(0) = r_0,   r'(0) = v           Eqs. (A.10), (A.11)
    without a: r(t) = R(t)^T (r_0 + (v + w x r_0) t)

    r    place from the centre about which the aircraft turns [m]      w  its rate [rad/s], constant
    v    first velocity of the centre of mass [m/s]                    a  disturbance [m/s^2]
    R    turn of the aircraft by |w| t
A free thing flies straight in space, so the answer without disturbance is closed. With one it is
integrated. Deviations are taken from the straight line r_0 + v t in the aircraft.
Frame: aircraft axes, x fore, y the pitch axis, z up; w along +y puts the nose down.
Validity: the net as one point; constant pitch rate; shot along the roll axis unless v says otherwise.
The lateral deviation of a shot along x is exactly zero.
Source: [Salvi2014] App. A.3 to A.5.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.nets.opening_quality import (
    predicted_distance,
    predicted_speed,
    predicted_wrap_time,
)

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]
PITCH_RATE = math.radians(4.0)  # [rad/s], -45 to +45 degrees in 22 s
PARABOLA = 22.0  # [s], of weightlessness
BOX_LENGTH = 2.0  # [m], of the box in which nets were tested
DISTANCES = (1.0, 2.0)  # [m], capture distances that fit the box
DURATIONS = (3.0, 18.0)  # [s], for the cameras, and of one parabola


@dataclass(frozen=True, slots=True)
class ParabolicShot:
    """Where the net is when it has gone a distance along its first direction.

    time       [s]                          place     [m], from the centre of turning
    velocity   [m/s], in the aircraft       deviation [m], from the straight line at that time
    slope      of the path to the first direction [rad]       turned  angle of the aircraft [rad]
    """

    time: float
    place: Floats
    velocity: Floats
    deviation: Floats
    slope: float
    turned: float

    @property
    def speed(self) -> float:
        """[m/s], in the aircraft."""
        return float(np.linalg.norm(self.velocity))


def parabolic_path(
    times: ArrayLike,
    place: ArrayLike,
    velocity: ArrayLike,
    *,
    pitch_rate: float = PITCH_RATE,
    disturbance: Callable[[float], ArrayLike] | None = None,
) -> tuple[Floats, Floats]:
    """(places [m], velocities [m/s]), (k, 3) each, at times [s], rising from 0, (k,).

    disturbance  acceleration [m/s^2], (3,), in aircraft axes at a time
    """
    when = np.atleast_1d(np.asarray(times, dtype=float))
    first, speed = np.asarray(place, dtype=float), np.asarray(velocity, dtype=float)
    if disturbance is not None:
        return _integrated(when, first, speed, pitch_rate, disturbance)
    omega = np.array([0.0, pitch_rate, 0.0])
    straight = speed + np.cross(omega, first)
    inertial = first + straight * when[:, None]
    places = _turned_back(pitch_rate * when, inertial)
    velocities = _turned_back(pitch_rate * when, np.broadcast_to(straight, inertial.shape))
    return places, velocities - np.cross(omega, places)


def parabolic_shot(
    place: ArrayLike,
    velocity: ArrayLike,
    *,
    distance: float = BOX_LENGTH,
    pitch_rate: float = PITCH_RATE,
    disturbance: Callable[[float], ArrayLike] | None = None,
) -> ParabolicShot:
    """The shot when it has gone `distance` [m] along its first direction, within one parabola."""
    from scipy.optimize import brentq

    first, speed = np.asarray(place, dtype=float), np.asarray(velocity, dtype=float)
    size = float(np.linalg.norm(speed))
    if not (math.isfinite(size) and size > 0.0 and distance > 0.0):
        found = f"{size} m/s over {distance} m"
        raise ConfigError("parabolic shot", found, "a speed and a distance", "0.4 m/s over 2 m")
    forward = speed / size

    def beyond(t: float) -> float:
        """Way [m] beyond the distance at a time [s]."""
        places, _ = parabolic_path(
            [0.0, t], first, speed, pitch_rate=pitch_rate, disturbance=disturbance
        )
        return float((places[-1] - first) @ forward) - distance

    tried = np.linspace(0.0, PARABOLA, 401)[1:]
    places, _ = parabolic_path(
        np.append(0.0, tried), first, speed, pitch_rate=pitch_rate, disturbance=disturbance
    )
    reached = np.flatnonzero((places[1:] - first) @ forward >= distance)
    if len(reached) == 0:
        found, allowed = f"a shot that has not gone {distance} m after {PARABOLA} s", "one parabola"
        raise ConfigError("parabolic shot", found, allowed, "shoot faster, or from farther fore")
    last = int(reached[0])
    time = float(brentq(beyond, tried[last - 1] if last else 0.0, tried[last], xtol=1e-13))
    path, rates = parabolic_path(
        [0.0, time], first, speed, pitch_rate=pitch_rate, disturbance=disturbance
    )
    return _reported(time, first, speed, path[-1], rates[-1], pitch_rate)


def deviations(
    places: ArrayLike,
    speeds: ArrayLike,
    *,
    distance: float = BOX_LENGTH,
    pitch_rate: float = PITCH_RATE,
) -> Floats:
    """Deviations [m], (n, m, 3), of shots along x from places [m], (n, 3), at speeds [m/s], (m,).

    Taken when the undisturbed net would have gone the distance [m], as in the source.
    """
    first = np.atleast_2d(np.asarray(places, float))
    along = np.atleast_1d(np.asarray(speeds, float))
    found = np.empty((len(first), len(along), 3))
    for row, place in enumerate(first):
        for column, speed in enumerate(along):
            velocity = np.array([speed, 0.0, 0.0])
            path, _ = parabolic_path([distance / speed], place, velocity, pitch_rate=pitch_rate)
            found[row, column] = path[0] - place - [distance, 0.0, 0.0]
    return found


def admissible(
    net_size: float,
    speed: float,
    divergences: ArrayLike,
    *,
    target_size: float = 0.1,
    bullet_ratio: float = 1.0,
    distances: tuple[float, float] = DISTANCES,
    durations: tuple[float, float] = DURATIONS,
) -> NDArray[np.bool_]:
    """Which divergence angles [rad], (k,), keep capture distance and duration within their limits.

    net_size, target_size  [m]          speed  of the bullets [m/s]
    bullet_ratio  BR [-]                distances [m], durations [s]  least and largest allowed
    Duration is the time to the capture distance and the time of wrapping. The published ranges
    imply a bullet ratio near 1 and a target of 0.07 to 0.11 m.
    """
    kept = []
    for angle in np.atleast_1d(np.asarray(divergences, dtype=float)):
        far = predicted_distance(net_size, float(angle))
        slow = predicted_speed(bullet_ratio, speed, float(angle))
        long = far / slow + predicted_wrap_time(net_size, target_size, slow)
        fits = distances[0] <= far <= distances[1] and durations[0] <= long <= durations[1]
        kept.append(fits)
    return np.array(kept)


def admissible_range(angles: ArrayLike, kept: ArrayLike) -> tuple[float, float] | None:
    """(least, largest) of the angles that are kept; None if there are none."""
    chosen = np.asarray(angles, dtype=float)[np.asarray(kept, dtype=bool)]
    return (float(chosen.min()), float(chosen.max())) if len(chosen) else None


def _turned_back(angles: Floats, vectors: Floats) -> Floats:
    """Components in the aircraft after it turned by angles [rad], (k,), about y."""
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    return np.stack([cosine * x - sine * z, y, sine * x + cosine * z], axis=1)


def _integrated(
    times: Floats,
    place: Floats,
    velocity: Floats,
    pitch_rate: float,
    disturbance: Callable[[float], ArrayLike],
) -> tuple[Floats, Floats]:
    """The path under a disturbance, as `parabolic_path` gives it, by integration."""
    from scipy.integrate import solve_ivp

    omega = np.array([0.0, pitch_rate, 0.0])

    def rate(t: float, y: Floats) -> Floats:
        """Derivative of place and velocity in the aircraft."""
        turning = -2.0 * np.cross(omega, y[3:]) - np.cross(omega, np.cross(omega, y[:3]))
        return np.concatenate([y[3:], turning + np.asarray(disturbance(t), dtype=float)])

    start = np.concatenate([place, velocity])
    if not times[-1] > 0.0:
        return np.tile(place, (len(times), 1)), np.tile(velocity, (len(times), 1))
    solved = solve_ivp(
        rate, (0.0, times[-1]), start, method="DOP853", t_eval=times, rtol=1e-11, atol=1e-12
    )
    return solved.y[:3].T, solved.y[3:].T


def _reported(
    time: float, first: Floats, speed: Floats, place: Floats, velocity: Floats, pitch_rate: float
) -> ParabolicShot:
    """What is reported of a shot from its first place and velocity and those at a time [s]."""
    cosine = float(velocity @ speed) / float(np.linalg.norm(velocity) * np.linalg.norm(speed))
    slope = math.acos(min(1.0, max(-1.0, cosine)))
    return ParabolicShot(
        time, place, velocity, place - first - speed * time, slope, pitch_rate * time
    )
