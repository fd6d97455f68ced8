"""What a tether run shows: lengths, tension, swing, energy."""

from __future__ import annotations

import numpy as np

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.over_time import energy_plot
from haptos.results.panels import Panel
from haptos.results.result import Result
from haptos.scenarios.system_view import system_figures
from haptos.scenarios.tether.config import Config
from haptos.scenarios.tether.metrics import swing_angles
from haptos.scenarios.tether.model import NAMES


def figures(result: Result) -> dict[str, Drawing | tuple[Panel, ...]]:
    """Title -> drawing."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values, dtype=float)
    tension = np.asarray(motion["tension"].values, dtype=float)
    points = np.asarray(motion["r_point_N"].values, dtype=float)
    apart = points[:, -1] - points[:, 0]
    config = Config.read_back(result.config)
    inside, outside = (np.degrees(a) for a in swing_angles(config, time, apart))
    return {
        **system_figures(result, [NAMES]),
        "Line out": LinePlot("time_s", "length_m", (
            Line("deployed", time, motion["deployed"].values),
            Line("distance", time, motion["distance"].values),
        )),
        "Tension along the line": LinePlot("time_s", "tension_N", (
            Line("at the first body", time, tension[:, 0]),
            Line("in the middle", time, tension[:, tension.shape[1] // 2]),
            Line("at the second body", time, tension[:, -1]),
        )),
        "Swing": LinePlot("time_s", "angle_deg", (
            Line("in the plane", time, inside), Line("out of it", time, outside),
        )),
        "Energy over time": energy_plot(result.ledger),
    }  # fmt: skip
