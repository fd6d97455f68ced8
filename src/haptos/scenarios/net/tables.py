"""Stored states of a net run as described tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.frames import NO_FRAME
from haptos.dynamics.system import PUSHES, SHOT
from haptos.geometry.nets.net_topology import TETHER, THREAD_CLASSES
from haptos.results.result import described, described_columns
from haptos.scenarios.net.body_numbers import TARGET
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.histories import (
    bullet_forces,
    bullet_peaks,
    closing_history,
    contact_forces,
    force_on_target,
    in_orbit_axes,
    largest_of,
    quality,
    travel,
    winch_power,
)
from haptos.scenarios.net.model import Model
from haptos.scenarios.net.weather_tables import air_dataset, force_by_kind
from haptos.scenarios.system_tables import (
    body_motion,
    broken_table,
    element_table,
    event_table,
    surface_table,
    touched_at,
)

if TYPE_CHECKING:
    from haptos.dynamics.march.snapshots import Stored

Floats = NDArray[np.float64]


def trajectory_table(config: Config, model: Model, stored: Stored) -> xarray.Dataset:
    """Motion over time: bodies, points of net and tether, tensions, forces, momenta."""
    variables = {
        **body_motion(model, stored),
        **_over_time(model, stored),
        **_forces(config, model, stored),
    }  # fmt: skip
    time = described(("time",), stored.time, "s", NO_FRAME, "time since the start")
    coordinates = {"time": time, "body": list(model.names)}
    if model.system.air.has_drag or model.system.air.has_light:
        variables["force_by_kind_N"] = force_by_kind(stored.pushes)
        coordinates["push"] = list(PUSHES)
    return xarray.Dataset(variables, coords=coordinates)


def _over_time(model: Model, stored: Stored) -> dict[str, xarray.Variable]:
    """One number at each time."""
    length, winding = closing_history(model, stored)
    stress = (stored.tension / model.sections).max(axis=1, initial=0.0)
    broken = (np.asarray(stored.whole) == 0).sum(axis=1).astype(float)
    way, power = np.linalg.norm(travel(model, stored), axis=1), winch_power(stored)
    columns = {
        "largest_stress": (
            stress,
            "Pa",
            "largest of all elements at this time: tension over section of fibre",
        ),
        "broken": (broken, "-", "thread elements broken so far"),
        "quality": (quality(model, stored), "%", "how far the net is open"),
        "travel": (way, "m", "way of the middle of the knots"),
        "tether_tension": (largest_of(model, stored, TETHER), "N", "largest along the tether"),
        "closing_tension": (winding, "N", "largest of the closing lines: what a winch must hold"),
        "closing_length": (length, "m", "of all closing lines without load"),
        "winch_power": (power, "W", "of winches and reels, mean since the time before"),
    }
    return described_columns(("time",), columns)


def _forces(config: Config, model: Model, stored: Stored) -> dict[str, xarray.Variable]:
    """Vectors at each time, and what acts on the bullets."""
    row = ("time", "axis")
    mean = "mean since the time before"
    found = {
        "f_bullet": described(
            ("time", "bullet"), bullet_forces(model, stored), "N", NO_FRAME,
            f"of threads and contacts on each bullet, {mean}",
        ),
    }  # fmt: skip
    touched = contact_forces(config, stored, model.bullets)
    found["f_contact_bullet_N"] = described(
        ("time", "bullet", "axis"), touched, "N", "N", f"of contacts alone on each bullet, {mean}"
    )
    if model.surface is not None:
        touched = contact_forces(config, stored, np.array([TARGET]))[:, 0]
        found["f_contact_target_N"] = described(
            row, touched, "N", "N", f"of contacts alone on the target, {mean}"
        )
        force, torque = force_on_target(config, model, stored)
        found["f_target_N"] = described(row, force, "N", "N", f"of the net on the target, {mean}")
        found["t_target_N"] = described(
            row, torque, "N m", "N", f"of the net on the target about its centre, {mean}"
        )
        if config.surroundings == "orbit":
            axes = "along V-bar, H-bar, R-bar"
            pairs = {"f_target_L": (force, "N"), "t_target_L": (torque, "N m")}
            for name, (vectors, unit) in pairs.items():
                turned = in_orbit_axes(stored, vectors)
                found[name] = described(row, turned, unit, "L", f"the same {axes}")
    return found


def events_table(config: Config, model: Model) -> xarray.Dataset:
    """Shots, the first touch, the start of closing."""
    touched = touched_at(model)
    shots = model.system.orders.loads[model.system.orders.loads["work"] == SHOT]
    rows = [(float(start), "shot") for start in shots["start"]]
    rows.append((touched, "first touch"))
    if config.closing is not None:
        rows.append((touched + config.closing.start_s, "closing begins"))
    return event_table(rows, "shot, first touch, closing begins")


def tables(config: Config, model: Model, stored: Stored) -> dict[str, xarray.Dataset]:
    """Threads and what became of them, bullets; target and air where there are any."""
    kinds = np.array([THREAD_CLASSES[kind] for kind in model.element_class], dtype=object)
    peaks = bullet_peaks(config, model, stored)
    alone = "largest force of one contact in the run, apart from the pull of threads"
    found = {
        "elements": element_table(model, kinds, "normal, reinforced, bullet, closing or tether"),
        "bullets": xarray.Dataset(
            {
                "mass": described(
                    ("bullet",), model.bullet_masses, "kg", NO_FRAME, "of each bullet"
                ),
                "peak_contact_force": described(("bullet",), peaks, "N", NO_FRAME, alone),
            }
        ),
        "broken": broken_table(model, kinds),
    }
    if model.surface is not None:
        found["target"] = surface_table(*model.surface, "target")
    if model.system.air.has_drag:
        found["air"] = air_dataset(config)
    return found
