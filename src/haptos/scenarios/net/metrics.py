"""Key figures of a net run: opening, capture, strength, winches, tow, and what predicted them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from haptos.core.units import DEGREE
from haptos.dynamics.nets.opening_quality import (
    deployment,
    predicted_distance,
    predicted_speed,
    predicted_wrap_time,
)
from haptos.dynamics.system import WORK_KINDS
from haptos.dynamics.totals import body_rates
from haptos.geometry.nets.net_topology import CLOSING, TETHER
from haptos.scenarios.net.body_numbers import CHASER, TARGET
from haptos.scenarios.net.colliding import collisions
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.ground_metrics import ground_metrics
from haptos.scenarios.net.histories import (
    bullet_forces,
    bullet_peaks,
    closing_history,
    contact_forces,
    force_on_target,
    largest_tension,
    recoil,
    winch_power,
)
from haptos.scenarios.net.model import Model
from haptos.scenarios.net.pressing import pressed
from haptos.scenarios.net.touching import meetings
from haptos.scenarios.net.weather_tables import push_metrics

if TYPE_CHECKING:
    from haptos.dynamics.march.snapshots import Stored
    from haptos.scenarios.net.windows import Windows

Floats = NDArray[np.float64]
LATE = 0.25  # [-] of the run, its last part, over which means of the tow are taken


def metrics(config: Config, model: Model, stored: Stored, windows: Windows) -> dict[str, float]:
    """Name with unit -> number; NaN for what did not happen.

    Extremes of tensions, contacts and energies are those of all steps. Forces that are means, and
    powers, are the largest over windows of `run.force_window_s`. No number depends on the output interval.
    """
    extremes = model.motion.ledger.extremes
    found = {
        **_opening(model, windows),
        **_predicted(config, model),
        "largest_tension_N": float(extremes.tension.max(initial=0.0)),
        "largest_stress_Pa": float((extremes.tension / model.sections).max(initial=0.0)),
        "broken_elements": float(model.motion.step.broken),
        "peak_contact_force_N": float(model.motion.step.peak_force),
        "bullet_force_N": float(bullet_forces(model, windows).max()),
        "bullet_contact_force_N": float(bullet_peaks(config, model, stored).max()),
        "bullet_mass_kg": float(model.bullet_masses.mean()),
        "net_mass_kg": float(model.nodes.mass),
        "recoil_m_per_s": recoil(model, float(stored.time[-1])),
        "steps": float(model.motion.step.count),
    }
    if config.threads.model == "beam":
        found["bending_energy_J"] = float(extremes.energy[0])
        found["twist_energy_J"] = float(extremes.energy[1])
    found |= push_metrics(config, model)
    found |= meetings(config, model.motion) | collisions(model.system.hulls, model.motion)
    found |= pressed(model.system.polygons)
    if config.closing is not None:
        length, _ = closing_history(model, stored)
        in_lines = float(np.max(extremes.line, initial=0.0))
        found["closing_tension_N"] = max(largest_tension(model, CLOSING), in_lines)
        found["closing_length_m"] = float(length[-1])
        found["winch_work_J"] = float(stored.work[-1, WORK_KINDS.index("winch")])
        found["winch_power_W"] = float(winch_power(windows).max())
    if config.tether is not None:
        found |= _tow(model, windows)
    if model.surface is not None:
        found |= _target(config, model, stored, windows)
    if config.site is not None:
        found |= ground_metrics(model.motion)
    return found


def _opening(model: Model, windows: Windows) -> dict[str, float]:
    """Quality before the first touch: its top, where that was, and the band above 70 %."""
    touched = float(model.motion.step.touched_at)
    gone, index = windows.middle - windows.middle[0], windows.quality
    way = np.linalg.norm(gone, axis=1)
    ahead = np.concatenate([[True], np.diff(np.maximum.accumulate(way)) > 0.0])
    free = ahead & (windows.time <= touched) & np.isfinite(way) & np.isfinite(index)
    names = ("best_quality_percent", "capture_distance_m", "band_low_m", "band_high_m", "tolerance",
             "lateral_offset_m", "quality_at_touch_percent")  # fmt: skip
    found = {"first_touch_s": touched if math.isfinite(touched) else math.nan}
    found |= dict.fromkeys(names, math.nan)
    if free.sum() < 2:
        return found
    ways, curve, aside = way[free], index[free], np.linalg.norm(gone[free, 1:], axis=1)
    if math.isfinite(
        touched
    ):  # the touch lies between stored times; its quality is of the curve too
        at = [float(np.interp(touched, windows.time, part)) for part in (way, index)]
        found["quality_at_touch_percent"] = at[1]
        if at[0] > ways[-1]:
            ways, curve = np.append(ways, at[0]), np.append(curve, at[1])
            aside = np.append(
                aside, np.interp(touched, windows.time, np.linalg.norm(gone[:, 1:], axis=1))
            )
    opened = deployment(ways, curve)
    best = np.fmax(opened.best_quality, found["quality_at_touch_percent"])
    values = (best, opened.capture_distance, *opened.band, opened.tolerance,
              aside[np.argmax(curve)])  # fmt: skip
    return found | dict(zip(names, map(float, values), strict=False))


def _predicted(config: Config, model: Model) -> dict[str, float]:
    """Speed and capture distance by formulas, for bullets that are all alike."""
    heavy = float(model.bullet_masses.sum())
    ratio = heavy / (heavy + model.nodes.mass)
    thrown = (heavy + _shot_knots(config, model)) / (heavy + model.nodes.mass)
    angle = config.shot.angle_deg * DEGREE
    if config.net.states_file is not None:
        return {"bullet_ratio": ratio}
    speed = predicted_speed(thrown, config.shot.speed_m_per_s, angle)
    size = float(np.sqrt(np.prod(model.mesh.extent[1:])))
    found = {"bullet_ratio": ratio, "predicted_speed_m_per_s": speed}
    if angle > 0.0:
        found["predicted_distance_m"] = predicted_distance(size, angle)
    if model.surface is not None:
        face = float(np.sort(np.ptp(model.surface[0], axis=0))[1])
        found["predicted_wrap_time_s"] = predicted_wrap_time(size, face, speed)
    return found


def _shot_knots(config: Config, model: Model) -> float:
    """Mass [kg] of the knots that are parts of bullets, and are shot with them."""
    if config.bullets.link_length_m > 0.0:
        return 0.0
    knots = [k for b, k in enumerate(model.nodes.bullet_knots) if b not in config.bullets.lost]
    return float(model.nodes.masses[knots].sum())


def _tow(model: Model, windows: Windows) -> dict[str, float]:
    """Tension of the tether: its largest, and its mean over the last part of the run."""
    late = windows.time >= (1.0 - LATE) * windows.time[-1]
    return {
        "tether_tension_N": largest_tension(model, TETHER),
        "late_tether_tension_N": float(windows.tether[late].mean()),
    }


def _target(config: Config, model: Model, stored: Stored, windows: Windows) -> dict[str, float]:
    """How the target moves and turns at the end, and the share of its turning that is gone."""
    rate = np.linalg.norm(body_rates(model, stored)[:, TARGET], axis=1)
    spin = np.linalg.norm(stored.momentum[:, TARGET], axis=1)
    force = np.linalg.norm(force_on_target(config, model, windows)[0], axis=1)
    touched = contact_forces(config, windows, np.array([TARGET]))[:, 0]
    away = stored.place[:, TARGET] - stored.place[:, CHASER]
    return {
        "target_force_N": float(np.max(force)),
        "target_contact_force_N": float(np.linalg.norm(touched, axis=1).max()),
        "target_rate_rad_per_s": float(rate[-1]),
        "spin_lost": float(1.0 - spin[-1] / spin[0]) if spin[0] > 0.0 else math.nan,
        "target_speed_m_per_s": float(np.linalg.norm(stored.speed[-1, TARGET])),
        "distance_m": float(np.linalg.norm(away[-1])),
    }
