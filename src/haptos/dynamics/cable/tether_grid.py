"""Another number of cells for a tether that has grown or shrunk: what cells hold is carried over.

    cell i: position rho + rho_s (s - s_i), momentum per length q/D + slope (s - s_i),   slopes from the interfaces
    a new cell takes the integral over the part of the line that it covers

so that mass, momentum and first moment sum(m rho) are kept to rounding, whatever the two numbers of cells. The energy
is not: what changes is the ledger entry `grid`.
By itself: `GriddedRun` watches the deployed length and has twice or half as many cells when it has doubled or halved, so
that a cell stays within a factor 2 of its first length.
Frame: N axes. Validity: a line that is not cut. Source: conservative remapping, textbook material.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.tether_run import Ended, TetherRun
from haptos.dynamics.cable.tether_state import CELLS, CUT, GRID, STORED, WORKS
from haptos.dynamics.cable.tether_system import MOST_CELLS, TetherWatch

CITES: tuple[str, ...] = ()
Floats = NDArray[np.float64]


def remapped(values: Floats, slopes: Floats, count: int) -> Floats:
    """Averages over `count` even cells of what is linear in each of the even cells given: (n, m) -> (count, m)."""
    n = len(values)
    edges = np.union1d(np.linspace(0.0, 1.0, n + 1), np.linspace(0.0, 1.0, count + 1))
    middle, width = 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)
    old = np.minimum((middle * n).astype(int), n - 1)
    new = np.minimum((middle * count).astype(int), count - 1)
    parts = (values[old] + slopes[old] * (middle - (old + 0.5) / n)[:, None]) * width[:, None]
    out = np.zeros((count, values.shape[1]))
    np.add.at(out, new, parts)
    return out * count


def _slopes(values: Floats, first: Floats, last: Floats) -> Floats:
    """Slope over the whole line of each cell: from interface to interface, ends given."""
    inside = 0.5 * (values[1:] + values[:-1])
    edges = np.vstack([first, inside, last])
    return np.diff(edges, axis=0) * len(values)


def regrid(run: TetherRun, cells: int, watches: Sequence[TetherWatch] | None = None) -> TetherRun:
    """The run with another number of cells: same bodies, reels, time, ledger; rows begin anew. Watches stay if left out."""
    system, n = run.system, run.system.cells
    if n == 0 or cells < 3:
        raise ConfigError(
            "cells", f"{n} to {cells}", "from a line with cells, to 3 or more", "cells = 10"
        )
    if run.tether.status[CUT] >= 0.0:
        raise ConfigError("regrid", "a line that is cut", "a whole line", "regrid before it breaks")
    before = sum(run.refresh())
    y = run.state
    rho, q = (y[CELLS + 3 * n * k : CELLS + 3 * n * (k + 1)].reshape(n, 3) for k in (0, 1))
    theta = y[CELLS + 6 * n : CELLS + 7 * n].reshape(n, 1)
    p_0, p_1 = run.attachments()
    places = remapped(rho, _slopes(rho, p_0, p_1), cells)
    speeds = remapped(n * q, _slopes(n * q, n * q[0], n * q[-1]), cells) / cells
    warm = remapped(theta, np.zeros_like(theta), cells)
    made = TetherRun(
        dataclasses.replace(system, cells=cells, watches=system.watches if watches is None else watches),
        tolerance=run.tolerance, scheme=run.scheme,
    )  # fmt: skip
    made.state[:CELLS] = y[:CELLS]
    made.state[CELLS:] = np.concatenate(
        [places.ravel(), speeds.ravel(), warm.ravel(), y[CELLS + 7 * n :]]
    )
    made.adopt(run)
    made.state[WORKS + GRID] += sum(made.refresh()) - before
    return made


LEAST_CELLS = 3  # of a line that reels feed


class GriddedRun:
    """A tether run whose cells double or halve in number as its length does.

    regrids  False: the cells stay what they are
    run      the run of now        parts  all runs so far, one per grid: rows of each have its own number of cells
    changes  (time [s], cells before, cells after) of every change
    A line that is cut keeps its cells.
    """

    def __init__(self, run: TetherRun, *, regrids: bool = True) -> None:
        self.own, self.regrids = tuple(run.system.watches), regrids
        self.changes: list[tuple[float, int, int]] = []
        self.parts = [self._watching(run)]

    @property
    def run(self) -> TetherRun:
        return self.parts[-1]

    def _watching(self, run: TetherRun) -> TetherRun:
        """The run, watching for its own length to double or halve."""
        run.watch_for([*self.own, *self._bounds(run)])
        return run

    def _bounds(self, run: TetherRun) -> list[TetherWatch]:
        n, length = run.system.cells, deployed_length(run)
        found: list[TetherWatch] = []
        if not self.regrids:
            return found
        if 2 * n <= MOST_CELLS:
            found.append(TetherWatch("deployed above", 2.0 * length))
        if n // 2 >= LEAST_CELLS:
            found.append(TetherWatch("deployed below", 0.5 * length))
        return found

    def advance(self, until: float, rows: ArrayLike | None = None, **options: Any) -> Ended:
        """March to a time [s], rows at output times [s]; ends earlier at an event that stops."""
        times = np.zeros(0) if rows is None else np.asarray(rows, dtype=float)
        while True:
            run = self.run
            found = run.advance(until, rows=times[times >= run.time], **options)
            is_cut = run.tether.status[CUT] >= 0.0
            if found.watch < len(self.own) or is_cut:
                return found
            n = run.system.cells
            is_longer = run.system.watches[found.watch].what == "deployed above"
            made = regrid(run, 2 * n if is_longer else n // 2, self.own)
            self.changes.append((run.time, n, made.system.cells))
            self.parts.append(self._watching(made))
            times = times[times > (run.row_times[-1] if len(run.row_times) else -np.inf)]


def deployed_length(run: TetherRun) -> float:
    """Natural length between the reels now [m]."""
    return float(run.system.line.total - run.state[STORED] - run.state[STORED + 1])
