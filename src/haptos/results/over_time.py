"""Quantities of a run over time as drawings: lines of its trajectory, and the energies of its ledger."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.results.drawings import Line, LinePlot
from haptos.results.ledger import EnergyLedger
from haptos.results.result import Result

Floats = NDArray[np.float64]
AXES = ("x", "y", "z")


class OverTime:
    """Quantities of a trajectory as lines over time; `names` are those of its bodies."""

    def __init__(self, result: Result) -> None:
        self.motion = result.trajectory
        self.time: Floats = np.asarray(self.motion["time"].values, dtype=float)
        self.names = [str(name) for name in self.motion["body"].values]

    def values(self, name: str) -> Floats:
        """A quantity of the trajectory, first axis time."""
        return np.asarray(self.motion[name].values, dtype=float)

    def line(self, name: str, label: str) -> Line:
        """A quantity of one number over time."""
        return Line(label, self.time, self.values(name))

    def vector(self, values: Floats, axes: tuple[str, ...] = AXES) -> tuple[Line, ...]:
        """Components and size."""
        size = np.linalg.norm(values, axis=1)
        parts = [Line(axis, self.time, values[:, k]) for k, axis in enumerate(axes)]
        return (*parts, Line("size", self.time, size))

    def plot(self, key: str, *lines: Line) -> LinePlot:
        """Lines over time; the key names quantity and unit."""
        return LinePlot("time_s", key, tuple(lines))


def energy_plot(ledger: EnergyLedger, *, hides_idle: bool = False) -> LinePlot:
    """Energies and works [J] over time; hides_idle: without works that are zero all the way."""
    works = [each for each in ledger.works.items() if np.any(each[1]) or not hides_idle]
    lines = [Line(name, ledger.time, e) for name, e in (*ledger.stores.items(), *works)]
    return LinePlot("time_s", "energy_J", tuple(lines))
