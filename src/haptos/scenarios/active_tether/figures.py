"""What an active-tether run shows: forces, shapes of the line, rate of the spacecraft, energy."""

from __future__ import annotations

import numpy as np

from haptos.results.drawings import Drawing, Line, LinePlot
from haptos.results.over_time import energy_plot
from haptos.results.panels import Panel
from haptos.results.result import Result


def figures(result: Result) -> dict[str, Drawing | tuple[Panel, ...]]:
    """Title -> drawing."""
    motion = result.trajectory
    time = np.asarray(motion["time"].values)

    def over(key: str, unit_key: str, label: str, scale: float = 1.0) -> LinePlot:
        return LinePlot(
            "time_s", unit_key, (Line(label, time, scale * np.asarray(motion[key].values)),)
        )

    shapes = result.tables["shapes"]
    along = np.asarray(shapes["along"].values)
    lines = tuple(
        Line(f"{when:.3g} s", along, row)
        for when, row in zip(shapes["shape_time"].values, shapes["sideways"].values, strict=True)
    )
    drawn: dict[str, Drawing | tuple[Panel, ...]] = {
        "Force on the end effector": over("contact_force", "force_N", "along the normal"),
        "Tension at the spacecraft": over("tension", "tension_N", "line"),
        "Shape of the line": LinePlot("share_of_the_line", "sideways_m", lines),
        "Rate of the spacecraft": over("rate", "rate_deg_per_s", "spacecraft", 180.0 / np.pi),
        "Energy over time": energy_plot(result.ledger),
    }
    if "loop" in result.tables:
        drawn |= _loop(result)
    return drawn


def _loop(result: Result) -> dict[str, Drawing | tuple[Panel, ...]]:
    """Stress over strain, and phases and temperature of a wire over time."""
    table = result.tables["loop"]
    when = np.asarray(table["loop_time"].values)
    strain, stress = np.asarray(table["strain"].values), np.asarray(table["stress"].values)
    found: dict[str, Drawing | tuple[Panel, ...]] = {
        "Stress over strain": LinePlot("strain", "stress_Pa", (Line("line", strain, stress),))
    }
    if "austenite" in table:
        phases = tuple(Line(name, when, np.asarray(table[name].values)) for name in ("plus", "minus", "austenite"))  # fmt: skip
        warm = Line("middle segment", when, np.asarray(table["temperature"].values))
        found["Phase fractions"] = LinePlot("time_s", "fraction", phases)
        found["Temperature"] = LinePlot("time_s", "temperature_K", (warm,))
    return found
