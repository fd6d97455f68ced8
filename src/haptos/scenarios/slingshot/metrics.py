"""Numbers of a sling-shot, found beside the closed forms of a straight line without offset."""

from __future__ import annotations

import math

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.frames import NO_FRAME
from haptos.dynamics.cable import tether_extremes as extremes
from haptos.dynamics.cable.hitchhike import fly_by_turn, hitchhike, reel_in_speed
from haptos.dynamics.cable.tether_reel import BRAKE_TEMPERATURE, TENSION_SET
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, MOMENTUM, POSITION, REEL, STORED
from haptos.results.result import described
from haptos.scenarios.line_results import LineRows
from haptos.scenarios.slingshot.config import Config, Leave, SlingshotHitchhike, Turn
from haptos.scenarios.slingshot.line import line_of
from haptos.scenarios.slingshot.model import flight_time, hull_mass

Floats = NDArray[np.float64]
METRICS = (
    "end_time_s", "deployed_m", "left_m", "peak_tension_N", "peak_tension_time_s", "peak_tension_share",
    "peak_acceleration_m_per_s2", "peak_payout_m_per_s", "peak_brake_power_W", "brake_energy_J", "feed_loss_J",
    "recovered_J", "drawn_J", "brake_heat_J", "brake_end_K", "brake_fade_time_s", "line_energy_J", "damping_loss_J",
    "transport_J", "end_speed_m_per_s", "end_range_rate_m_per_s", "end_speed_across_m_per_s", "turned_deg",
    "would_break_time_s", "target_time_s", "flight_time_s", "end_snatch_N", "closed_length_m", "closed_time_s", "closed_acceleration_m_per_s2", "closed_speed_m_per_s",
    "steps",
)  # fmt: skip


def metric_names() -> tuple[str, ...]:
    return METRICS


def metrics(
    config: Config, run: TetherRun, rows: LineRows, swept: float = math.nan
) -> dict[str, float]:
    """Numbers of a run; NaN where something did not happen or has no closed form; swept [rad] of a turn."""
    line, works, largest = line_of(config), run.works(), run.extremes
    v, away, across = _end_motion(config, run)
    fade = _fade_time(run)
    start = np.array([config.speed, 0.0, 0.0])
    size = float(np.linalg.norm(start) * np.linalg.norm(v))
    turned = (
        math.degrees(math.acos(min(max(float(start @ v) / size, -1.0), 1.0))) if size else math.nan
    )
    if math.isfinite(swept):  # whole turns count
        turned = math.degrees(swept)
    found = (
        run.time, run.system.line.total - float(run.state[STORED]), float(run.state[STORED]),
        float(largest[extremes.TENSION]), float(largest[extremes.TENSION_AT]),
        float(largest[extremes.TENSION]) / line.breaking, float(largest[extremes.ACCELERATION_0]),
        float(largest[extremes.PAYOUT_0]), float(largest[extremes.BRAKE_0]), -works["shaft_0"], -works["feed_loss_0"],
        works["recovered_0"], works["drawn_0"], works["brake_heat_0"],
        float(run.state[REEL + BRAKE_TEMPERATURE]), fade, run.refresh()[1], -works["damping"],
        works["transport"], float(np.linalg.norm(v)), away, across, turned, would_break(run), target_time(run), flight_time(config),
        end_snatch(run), *closed_numbers(config, run), float(run.counts["steps"]),
    )  # fmt: skip
    return dict(zip(METRICS, found, strict=True))


def _end_motion(config: Config, run: TetherRun) -> tuple[Floats, float, float]:
    """(velocity of the spacecraft [m/s], away from the anchor, across that)."""
    mass = hull_mass(config) + run.system.line.density * float(run.state[STORED])
    v = run.state[MOMENTUM : MOMENTUM + 3] / mass
    apart = run.state[POSITION : POSITION + 3] - run.state[BODY + POSITION : BODY + POSITION + 3]
    n = apart / np.linalg.norm(apart)
    away = float(v @ n)
    return v, away, float(np.linalg.norm(v - away * n))


def would_break(run: TetherRun) -> float:
    """Time [s] at which a line that is only watched first passed its strength; NaN if it did not."""
    names = [watch.what for watch in run.system.watches]
    if "tension above" not in names:
        return math.nan
    stopping = run.time if names[0] != "tension above" else math.nan
    times = [when for when, name, *_ in run.events if name == "watch"]
    passed = [when for when in times if when < stopping or names == ["tension above"]]
    return min(passed, default=math.nan)


def _fade_time(run: TetherRun) -> float:
    """When the brake became as hot as it fades at [s]; NaN if it did not."""
    return min((when for when, name, *_ in run.events if name == "brake fades"), default=math.nan)


def end_snatch(run: TetherRun) -> float:
    """Tension [N] of the wave that runs along the line when its end stops it: T + v sqrt(EA mu), v = u (1 + T/EA).

    NaN for other ends.

    The largest tension of the cells themselves has no limit as they get finer: the damper of the last half cell.
    """
    ends = [speed for _, name, _, speed in run.events if name == "tether end reached"]
    if not ends:
        return math.nan
    line = run.system.line
    held = float(run.tether.reels[0].numbers[TENSION_SET])
    speed = ends[-1] * (1.0 + held / line.stiffness)  # of the line at the feed point
    return held + speed * math.sqrt(line.stiffness * line.density)


def closed_numbers(config: Config, run: TetherRun) -> tuple[float, float, float, float]:
    """(length [m], time [s], largest acceleration [m/s^2], speed at the end [m/s]) by closed forms; NaN for none."""
    line, kind, tension = line_of(config), config.manoeuvre, config.reel.tension_N
    off = config.tether.length_m - config.distance
    try:
        if isinstance(kind, SlingshotHitchhike):
            mass = hull_mass(config) + line.density * config.tether.length_m
            stop = hitchhike(mass, config.speed, tension, line.density, line.stiffness)
            return stop.length, stop.time, stop.largest_acceleration, 0.0
        if isinstance(kind, Leave):
            strain = tension / line.stiffness
            length = (config.distance - kind.release_distance_m) / (1.0 + strain)
            mass = hull_mass(config) + line.density * off
            speed, time = reel_in_speed(mass, length, tension, line.density, line.stiffness)
            return length, time, tension / mass, speed
        if isinstance(kind, Turn):
            mass = hull_mass(config) + line.density * off
            force, time, _ = fly_by_turn(
                mass, config.speed, config.distance, math.radians(kind.angle_deg)
            )
            return config.distance, time, force / mass, config.speed
    except ConfigError:  # nothing moves, or no length would do
        pass
    return (math.nan,) * 4


def stop_table(config: Config, run: TetherRun) -> xarray.Dataset:
    """The closed forms, and where they come from."""
    length, time, acceleration, speed = closed_numbers(config, run)
    named = {
        "length": (length, "m", "line paid out, reeled in or turned on"),
        "duration": (time, "s", "of the manoeuvre"),
        "acceleration": (acceleration, "m/s^2", "largest of the spacecraft"),
        "speed": (speed, "m/s", "of the spacecraft at the end"),
    }
    return xarray.Dataset({
        name: described(("row",), np.array([value]), unit, NO_FRAME, f"{text}, by the closed form of a straight line")
        for name, (value, unit, text) in named.items()
    })  # fmt: skip


def further_events(
    config: Config, run: TetherRun, rows: LineRows, jammed_at: float, cut_at: float
) -> list[tuple[float, str]]:
    """Events besides those of the line itself."""
    found = [
        (would_break(run), "tension above strength"),
    ]
    found.append((jammed_at, "reel jams"))
    found.append((float(run.extremes[extremes.TENSION_AT]), "largest tension"))
    found.append((cut_at, "line parts"))
    if not isinstance(config.manoeuvre, Turn) and 0.0 < config.reel.ramp_s <= run.time:
        found.append((config.reel.ramp_s, "ramp ends"))
    found.append((target_time(run), "line meets the target"))
    found.append((run.time, "end"))
    return [(when, name) for when, name in found if math.isfinite(when)]


def target_time(run: TetherRun) -> float:
    """First time [s] of the path at which spacecraft or line is inside the target's ellipsoid; NaN for none."""
    first = run.below_ground_at
    return first if math.isfinite(first) else math.nan
