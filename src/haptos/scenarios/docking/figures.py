"""What a docking shows: loads at the locking crown, depths, areas and polygons of pairs, boom, states, energy."""

from __future__ import annotations

import numpy as np

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.over_time import energy_plot
from haptos.results.panels import Panel
from haptos.results.result import Result
from haptos.scenarios.docking.model import PAIRS

SHAPES = 7  # boom shapes drawn


def figures(result: Result) -> dict[str, Drawing | tuple[Panel, ...]]:
    """Title -> drawing."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values)
    pairs = [
        name.replace(" ", "_") for name in PAIRS if f"depth_{name.replace(' ', '_')}" in motion
    ]
    drawn: dict[str, Drawing | tuple[Panel, ...]] = {
        "Force at the crown": _axes(time, motion["force_LC"].values, "force_N"),
        "Torque at the crown": _axes(time, motion["torque_LC"].values, "torque_N_m"),
    }
    for quantity, key in (("depth", "depth_m"), ("area", "area_m2"), ("polygons", "polygons")):
        drawn[f"{quantity.capitalize()} of each pair"] = LinePlot(
            "time_s", key, tuple(Line(name.replace("_", " "), time, motion[f"{quantity}_{name}"].values) for name in pairs)
        )  # fmt: skip
    drawn["Length of the boom"] = LinePlot(
        "time_s", "length_m", (Line("boom", time, motion["boom_length"].values),)
    )
    drawn["Tension of the boom"] = LinePlot(
        "time_s", "tension_N", (Line("boom", time, motion["boom_tension"].values),)
    )
    drawn["Moment at the boom's root"] = _axes(
        time, motion["boom_root_moment"].values, "moment_N_m"
    )
    drawn["Shape of the boom"] = _shapes(time, motion["boom_shape"].values)
    drawn["State"] = LinePlot(
        "time_s", "state", (Line("number of the state", time, motion["state"].values),)
    )
    drawn["Energy over time"] = energy_plot(result.ledger, hides_idle=True)
    return drawn


def _axes(time: np.ndarray, values: np.ndarray, key: str) -> LinePlot:
    labels = ("lateral 1", "lateral 2", "axial") if "moment" not in key else ("x", "y", "z")
    return LinePlot(
        "time_s", key, tuple(Line(label, time, values[:, k]) for k, label in enumerate(labels))
    )


def _shapes(time: np.ndarray, shapes: np.ndarray) -> LinePlot:
    """Sideways places along the boom at some times."""
    chosen = np.unique(np.linspace(0, len(time) - 1, SHAPES).round().astype(int))
    lines = [
        Line(f"{time[k]:.0f} s, {name}", shapes[k, :, 0], shapes[k, :, axis])
        for k in chosen
        for axis, name in ((1, "y"), (2, "z"))
    ]
    return LinePlot("along_m", "sideways_m", tuple(lines))
