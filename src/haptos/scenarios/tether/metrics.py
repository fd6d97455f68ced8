"""Numbers of a tether run: tension, swing, lengths, work, propellant."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.cable import tether_extremes as extremes
from haptos.dynamics.cable.tether_ends import end_of
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import STORED
from haptos.environment.orbital_origin import origin_path, origin_state
from haptos.scenarios.tether.config import Config
from haptos.scenarios.tether.config_place import TetherOrbit
from haptos.scenarios.tether.surroundings import axes_of, elements_of

Floats = NDArray[np.float64]
METRICS = (
    "peak_tension_N", "peak_tension_at_s", "deployed_m", "distance_m", "shortest_distance_m", "range_rate_m_per_s",
    "largest_in_plane_deg", "largest_out_of_plane_deg", "end_in_plane_deg", "swing_period_s", "turn_rate_deg_per_s",
    "slack_time_s", "slack_length_m", "largest_payout_m_per_s", "winch_work_J", "damped_J", "transport_J",
    "first_rate_deg_per_s", "second_rate_deg_per_s", "first_acceleration_m_per_s2", "second_acceleration_m_per_s2",
    "propellant_kg", "steps",
)  # fmt: skip


def metric_names() -> tuple[str, ...]:
    return METRICS


def swing_angles(config: Config, time: Floats, apart: Floats) -> tuple[Floats, Floats]:
    """(in plane, out of plane) [rad] of the line: from the local vertical, or from its first direction.

    In orbit ORF: in plane towards flight, out of plane towards the orbit normal. A line that hangs down counts from below.
    Else in the plane of x and z, and towards y.
    """
    along, normal, up, _ = _plane(config, time, apart)
    x, y, z = ((apart * axis).sum(axis=1) for axis in (along, normal, up))
    sign = math.copysign(1.0, float(z[0])) if isinstance(config.place, TetherOrbit) else 1.0
    size = np.linalg.norm(apart, axis=1)
    return np.unwrap(np.arctan2(sign * x, sign * z)), np.arcsin(np.clip(y / size, -1.0, 1.0))


def _plane(config: Config, time: Floats, apart: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(level, normal, up, rate at which these turn [rad/s]) of the plane that angles are in, (n, 3) each."""
    if isinstance(config.place, TetherOrbit):
        path = origin_path(elements_of(config.place), config.place.mu_m3_per_s2)
        states = [origin_state(path, float(t)) for t in time]
        r, v = (np.array([s[k] for s in states]) for k in (0, 1))
        up = r / np.linalg.norm(r, axis=1, keepdims=True)
        h = np.cross(r, v)
        normal = h / np.linalg.norm(h, axis=1, keepdims=True)
        turning = h / (r * r).sum(axis=1, keepdims=True)
    else:
        up = np.broadcast_to(axes_of(config).rows.T @ np.array(config.start.direction), apart.shape)
        up = up / np.linalg.norm(up, axis=1, keepdims=True)
        side = np.eye(3)[1 if abs(up[0, 1]) < 0.9 else 2]
        normal = np.broadcast_to(side, apart.shape)
        turning = np.zeros(apart.shape)
    return np.cross(normal, up), normal, up, turning


def turn_rate(config: Config, time: float, apart: Floats, speed: Floats) -> float:
    """Rate [rad/s] of the angle in plane at a time [s], of a line between two feed points apart [m] that move with a speed [m/s]."""
    along, _, up, turning = _plane(config, np.array([time]), apart[None])
    against = speed - np.cross(turning[0], apart)
    x, z = float(apart @ along[0]), float(apart @ up[0])
    size = x * x + z * z
    return float(against @ along[0] * z - against @ up[0] * x) / size if size > 0.0 else 0.0


def period_of(time: Floats, angle: Floats) -> float:
    """Mean time [s] between falls of an angle through its mean; NaN with fewer than two.

    Of a line that keeps its length: while it is reeled its angle has a mean of its own at every length.
    """
    if len(time) == 0:
        return math.nan
    away = angle - angle.mean()
    falls = np.flatnonzero((away[:-1] > 0.0) & (away[1:] <= 0.0))
    if len(falls) < 2:
        return math.nan
    at = time[falls] + (time[falls + 1] - time[falls]) * away[falls] / (
        away[falls] - away[falls + 1]
    )
    return float(np.diff(at).mean())


def longest_hold(config: Config) -> tuple[float, float]:
    """(start, end) [s] of the longest step in which the line keeps its length; (0, 0) without one."""
    now, found = 0.0, (0.0, 0.0)
    for step in config.steps:
        after = now + (step.duration_s or 0.0)
        if step.kind == "hold" and after - now > found[1] - found[0]:
            found = (now, after)
        now = after
    return found


def metrics(config: Config, run: TetherRun, time: Floats, points: Floats) -> dict[str, float]:
    """Numbers of a run; points (n, k, 3) [m] from the first attachment to the second at times [s]."""
    x, works = run.extremes, run.works()
    apart = points[:, -1] - points[:, 0]
    distance = np.linalg.norm(apart, axis=1)
    inside, outside = swing_angles(config, time, apart)
    feeds = [np.array(end_of(run.tether, run.state, k).feed) for k in (0, 1)]
    rate = (feeds[1] - feeds[0]) @ apart[-1] / distance[-1]
    turn = turn_rate(config, float(time[-1]), apart[-1], feeds[1] - feeds[0])
    start, stop = longest_hold(config)
    held = (time >= start) & (time <= stop) & (stop > start)
    state, line = run.state, run.system.line
    stored = float(state[STORED] + state[STORED + 1])
    lost = -(works["damping"] + works["series"])
    found = (
        float(x[extremes.TENSION]), float(x[extremes.TENSION_AT]), line.total - stored, float(distance[-1]),
        float(x[extremes.LEAST_DISTANCE]), float(rate), math.degrees(float(np.abs(inside).max())),
        math.degrees(float(np.abs(outside).max())), math.degrees(float(inside[-1])), period_of(time[held], inside[held]),
        math.degrees(float(turn)), float(x[extremes.SLACK_TIME]), float(x[extremes.SLACK_LENGTH]),
        float(max(x[extremes.PAYOUT_0], x[extremes.PAYOUT_1])), works["winch_0"] + works["winch_1"], lost,
        works["transport"], math.degrees(float(x[extremes.TURN_0])), math.degrees(float(x[extremes.TURN_1])),
        float(x[extremes.ACCELERATION_0]), float(x[extremes.ACCELERATION_1]), works["expelled"], float(run.counts["steps"]),
    )  # fmt: skip
    return dict(zip(METRICS, found, strict=True))
