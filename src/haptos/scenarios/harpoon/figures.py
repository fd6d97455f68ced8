"""What a harpoon run shows: depth and where its energy goes, capacity over direction, swing, tension, energy."""

from __future__ import annotations

import numpy as np

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.over_time import energy_plot
from haptos.results.panels import Panel
from haptos.results.result import Result


def figures(result: Result) -> dict[str, Drawing | tuple[Panel, ...]]:
    """Title -> drawing."""
    drawn: dict[str, Drawing | tuple[Panel, ...]] = {}
    if "entry" in result.tables:
        entry = result.tables["entry"]
        depth = np.asarray(entry["depth"].values)
        drawn["Depth over time"] = _plot(
            "time_s", "depth_m", "tip", entry["entry_time"].values, depth
        )
        taken = [name for name in entry.data_vars if str(name).startswith(("soil", "over"))]
        lines = [Line("kinetic", depth, np.asarray(entry["kinetic"].values))]
        lines += [
            Line(str(name).replace("_", " "), depth, np.asarray(entry[name].values))
            for name in taken
        ]
        drawn["Energy over depth"] = LinePlot("depth_m", "energy_J", tuple(lines))
    if "capacity" in result.tables:
        table = result.tables["capacity"]
        x = np.degrees(table["angle"].values)
        required = np.full(len(x), result.config["hold"]["required_N"])
        held = Line("held", x, np.asarray(table["capacity"].values))
        drawn["Capacity over direction"] = LinePlot(
            "angle_deg", "capacity_N", (held, Line("required", x, required))
        )
    motion = result.trajectory
    if "swing_angle" in motion:
        angle, distance = np.degrees(motion["swing_angle"].values), _distance(result)
        known = np.isfinite(angle)
        time = np.asarray(motion["time"].values)[known]
        drawn["Swing over time"] = _plot("time_s", "angle_deg", "line", time, angle[known])
        drawn["Swing over distance"] = _plot(
            "distance_m", "angle_deg", "line", distance[known], angle[known]
        )
        pull = np.asarray(motion["tension"].values)[known]
        drawn["Tension over time"] = _plot("time_s", "tension_N", "line", time, pull)
    drawn["Energy over time"] = energy_plot(result.ledger)
    return drawn


def _distance(result: Result) -> np.ndarray:
    motion = result.trajectory
    return np.asarray(np.linalg.norm(motion["r_BN_N"].values - motion["r_CN_N"].values, axis=1))


def _plot(x_key: str, y_key: str, label: str, x: np.ndarray, y: np.ndarray) -> LinePlot:
    return LinePlot(x_key, y_key, (Line(label, np.asarray(x), np.asarray(y)),))
