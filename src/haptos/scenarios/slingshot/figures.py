"""What a sling-shot shows: lengths, tensions, speeds, power and the path."""

from __future__ import annotations

import numpy as np

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.over_time import energy_plot
from haptos.results.panels import Panel
from haptos.results.result import Result
from haptos.scenarios.slingshot.model import NAMES
from haptos.scenarios.system_view import system_figures


def figures(result: Result) -> dict[str, Drawing | tuple[Panel, ...]]:
    """Title -> drawing."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values, dtype=float)
    tension = np.asarray(motion["tension"].values, dtype=float)
    middle = tension.shape[1] // 2
    drawn: dict[str, Drawing | tuple[Panel, ...]] = {
        **system_figures(result, [NAMES]),
        "Line out and left": LinePlot("time_s", "length_m", (
            Line("deployed", time, motion["deployed"].values),
            Line("on the reel", time, motion["stored"].values[:, 0]),
            Line("distance", time, motion["distance"].values),
        )),
        "Tension along the line": LinePlot("time_s", "tension_N", (
            Line("at the reel", time, tension[:, 0]),
            Line("in the middle", time, tension[:, middle]),
            Line("at the anchor", time, tension[:, -1]),
        )),
        "Speed of the line at the reel": LinePlot(
            "time_s", "payout_m_per_s", (Line("paid out", time, motion["payout"].values[:, 0]),)
        ),
    }  # fmt: skip
    place = np.asarray(motion["r_BN_N"].values[:, 0], dtype=float)
    path = Line("spacecraft", place[:, 0], place[:, 1])
    last = np.asarray(motion["r_point_N"].values[-1], dtype=float)
    shape = Line("line at the end", last[:, 0], last[:, 1])
    drawn["Path"] = LinePlot("x_m", "y_m", (path, shape), is_true_to_scale=True)
    drawn["Energy over time"] = energy_plot(result.ledger)
    return drawn
