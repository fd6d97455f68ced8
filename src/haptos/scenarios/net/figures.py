"""What a net run shows over time: opening, tensions, speeds of turning."""

from __future__ import annotations

import numpy as np

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.result import Result


def figures(result: Result) -> dict[str, Drawing]:
    """Title -> drawing."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values)

    def line(name: str, label: str) -> Line:
        return Line(label, time, np.asarray(motion[name].values, dtype=float))

    rate = np.degrees(np.linalg.norm(motion["omega_BN_B"].values, axis=2))
    names = [str(name) for name in motion["body"].values]
    turning = tuple(
        Line(name, time, rate[:, n]) for n, name in enumerate(names) if name in ("chaser", "target")
    )
    drawn: dict[str, Drawing] = {
        "How far the net is open": LinePlot("time_s", "quality_percent", (line("quality", "net"),)),
        "Largest tension": LinePlot(
            "time_s", "tension_N",
            (
                Line("all threads", time, np.asarray(motion["tension"].values.max(axis=1))),
                line("tether_tension", "tether"),
                line("closing_tension", "closing threads"),
            ),
        ),
        "Rates": LinePlot("time_s", "rate_deg_per_s", turning),
    }  # fmt: skip
    if float(motion["broken"].values[-1]) > 0.0:
        drawn["Broken thread elements"] = LinePlot(
            "time_s", "broken_elements", (line("broken", "broken"),)
        )
    if "force_by_kind_N" in motion:
        sizes = np.linalg.norm(motion["force_by_kind_N"].values, axis=2)
        kinds = enumerate(str(kind) for kind in motion["push"].values)
        pushes = tuple(Line(kind, time, sizes[:, n]) for n, kind in kinds if sizes[:, n].any())
        drawn["Air and light"] = LinePlot("time_s", "force_N", pushes)
    return drawn
