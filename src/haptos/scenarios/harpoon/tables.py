"""Numbers of a harpoon run: motion, events, metrics, the entry and the hold as tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.results.result import described
from haptos.scenarios.phase_history import History
from haptos.scenarios.phase_tables import event_table, motion_table

if TYPE_CHECKING:
    from haptos.scenarios.harpoon.simulate import HarpoonHistory

Floats = NDArray[np.float64]

METRICS = (
    "muzzle_speed_m_per_s", "recoil_speed_m_per_s", "recoil_force_N", "barrel_time_s", "hover_propellant_kg", "impact_time_s", "impact_speed_m_per_s", "incidence_deg", "attack_deg", "ground_gravity_m_per_s2", "ground_slope_deg",
    "depth_m", "entry_time_s", "peak_deceleration_m_per_s2", "turned_deg", "speed_left_m_per_s",
    "axial_capacity_N", "lateral_capacity_N", "inward_capacity_N", "pushed_in_m", "least_capacity_N", "margin", "pull_peak_N", "slip_m", "stance_load_N",
    "sample_kg", "capture_time_s", "capture_speed_m_per_s", "capture_angle_deg", "capture_tension_N",
    "angle_beyond_50_m_deg", "angle_beyond_10_m_deg", "largest_angle_deg", "peak_tension_N", "slack_time_s",
    "propellant_kg", "lateral_speed_change_m_per_s",
)  # fmt: skip


def metric_names() -> tuple[str, ...]:
    return METRICS


def trajectory(history: History) -> xarray.Dataset:
    """Motion along time; NaN where a phase has no such quantity."""
    xyz = ("time", "axis")
    series = {
        "hull": ("r_BN_N", xyz, "m", "N", "spacecraft"),
        "hull_v": ("v_BN_N", xyz, "m/s", "N", "velocity of the spacecraft"),
        "load": ("r_CN_N", xyz, "m", "N", "tip of the harpoon; the canister after ejection"),
        "load_v": ("v_CN_N", xyz, "m/s", "N", "velocity of harpoon or canister"),
        "axis": ("axis_angle", ("time",), "rad", "-", "axis of the harpoon from straight down"),
        "depth": ("depth", ("time",), "m", "-", "of the tip below ground"),
        "length": ("line_length", ("time",), "m", "-", "line between spacecraft and load"),
        "tension": ("tension", ("time",), "N", "-", "of the line"),
        "damper": ("damper_stretch", ("time",), "m", "-", "of the series damper"),
        "cells": (
            "line_N",
            ("time", "cell", "axis"),
            "m",
            "N",
            "cells of the line, from the spacecraft",
        ),
        "tensions": (
            "line_tension",
            ("time", "element"),
            "N",
            "-",
            "between spacecraft, cells and load",
        ),
        "swing": ("swing_angle", ("time",), "rad", "-", "of the line from the thrust"),
    }
    return motion_table(history, series, "the shot was due")


def events(history: History) -> xarray.Dataset:
    """What happened when."""
    return event_table(history, "the shot was due")


def metrics(story: HarpoonHistory) -> dict[str, float]:
    """Numbers of a run; NaN where something did not happen."""
    found = dict.fromkeys(METRICS, math.nan)
    config, model, flight = story.config, story.model, story.flight
    speed, barrel = config.muzzle
    found["muzzle_speed_m_per_s"] = speed
    found["recoil_speed_m_per_s"] = model.mass * speed / config.spacecraft.mass_kg
    if barrel is not None:
        found["recoil_force_N"], found["barrel_time_s"] = barrel.force, barrel.duration
    found["hover_propellant_kg"] = story.hover_propellant
    if story.hit is not None:
        found["impact_time_s"] = config.failures.late_s + float(flight.times[-1])
        found["ground_gravity_m_per_s2"] = story.hit.gravity
        found["ground_slope_deg"] = (
            math.degrees(abs(story.hit.lean)) if story.hit.gravity > 0.0 else math.nan
        )
        found["impact_speed_m_per_s"] = story.hit.speed
        found["incidence_deg"] = math.degrees(story.hit.incidence)
        found["attack_deg"] = math.degrees(story.hit.attack)
    if (entered := story.entered) is not None:
        found["depth_m"], found["entry_time_s"] = entered.depth, entered.time
        found["peak_deceleration_m_per_s2"] = entered.peak
        found["turned_deg"] = math.degrees(float(np.abs(entered.turned - entered.turned[0]).max()))
        found["speed_left_m_per_s"] = entered.speed_left
        found["pushed_in_m"] = math.nan if entered.pushed is None else entered.pushed.way
    if (held := story.held) is not None:
        found["axial_capacity_N"], found["lateral_capacity_N"] = held.axial, held.lateral
        found["least_capacity_N"], found["inward_capacity_N"] = held.least, held.inward
        found["margin"] = held.margin(config.hold.required_N)
    if story.pulled is not None:
        found["pull_peak_N"], found["slip_m"] = story.pulled.peak, story.pulled.slip
    found["stance_load_N"], found["sample_kg"] = story.stance, story.sample
    found |= _return_metrics(story)
    return {name: float(value) for name, value in found.items()}


def _return_metrics(story: HarpoonHistory) -> dict[str, float]:
    back = story.retrieved
    if back is None:
        return {}
    return {
        "capture_time_s": back.time if back.ended == "captured" else math.nan,
        "capture_speed_m_per_s": back.speed,
        "capture_angle_deg": math.degrees(back.angle),
        "capture_tension_N": back.pull,
        "angle_beyond_50_m_deg": math.degrees(back.angle_far),
        "angle_beyond_10_m_deg": math.degrees(back.angle_middle),
        "largest_angle_deg": math.degrees(back.angle_all),
        "peak_tension_N": back.peak,
        "slack_time_s": back.slack,
        "propellant_kg": back.propellant,
        "lateral_speed_change_m_per_s": back.lateral_dv,
    }


def tables(story: HarpoonHistory) -> dict[str, xarray.Dataset]:
    """The entry along depth, and the capacity over the direction of a pull."""
    found: dict[str, xarray.Dataset] = {}
    if (entered := story.entered) is not None:
        row = ("row",)
        found["entry"] = xarray.Dataset({
            "entry_time": described(row, entered.times, "s", "-", "since impact"),
            "depth": described(row, entered.depths, "m", "-", "of the tip"),
            "kinetic": described(row, entered.kinetic, "J", "-", "of the harpoon"),
            **{
                name.replace(" ", "_"): described(row, -work, "J", "-", f"taken by {name}")
                for name, work in entered.works.items() if name.startswith(("soil", "over"))
            },
        })  # fmt: skip
    if (held := story.held) is not None:
        angles = np.linspace(0.0, math.pi, 91)
        capacity = np.array([held.capacity(float(angle)) for angle in angles])
        found["capacity"] = xarray.Dataset({
            "angle": described(("direction",), angles, "rad", "-", "of the pull from the outward axis"),
            "capacity": described(("direction",), capacity, "N", "-", "largest pull that is held"),
        })  # fmt: skip
    return found
