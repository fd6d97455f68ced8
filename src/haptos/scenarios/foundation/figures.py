"""What a bench run shows: force over the way and the depth, pressure and area over time."""

from __future__ import annotations

import numpy as np

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.panels import Panel
from haptos.results.result import Result


def figures(result: Result) -> dict[str, Drawing | tuple[Panel, ...]]:
    """Title -> drawing."""
    curve, motion = result.tables["curve"], result.trajectory
    force = np.asarray(curve["force"].values)
    drawn: dict[str, Drawing | tuple[Panel, ...]] = {
        "Force against depth": _plot("depth_m", "force_N", "contact", curve["depth"].values, force)
    }
    if result.config["motion"]["kind"] in ("press", "slide"):
        drawn["Force against way"] = _plot(
            "way_m", "force_N", "contact", curve["way"].values, force
        )
    if result.config["motion"]["kind"] == "slide":
        along = np.array(result.config["motion"]["along"], dtype=float)
        along /= np.linalg.norm(along)
        x = (motion["r_BN_N"].values - motion["r_BN_N"].values[0]) @ along
        drawn["Friction over the slide"] = _plot(
            "slide_m", "friction_force_N", "friction", x, motion["force_A"].values @ along
        )
    time = np.asarray(motion["time"].values)
    drawn["Area over time"] = _plot("time_s", "area_m2", "in contact", time, motion["area"].values)
    ledger = result.ledger
    stores = tuple(Line(name, ledger.time, series) for name, series in ledger.stores.items())
    works = tuple(Line(name, ledger.time, series) for name, series in ledger.works.items())
    drawn["Energy over time"] = LinePlot("time_s", "energy_J", stores + works)
    return drawn


def _plot(x_key: str, y_key: str, label: str, x: np.ndarray, y: np.ndarray) -> LinePlot:
    return LinePlot(x_key, y_key, (Line(label, np.asarray(x), np.asarray(y)),))
