"""Another number of cells for a tether that has grown or shrunk: what cells hold is carried over.

    cell i: position rho + rho_s (s - s_i), momentum per length q/D + slope (s - s_i),   slopes from the interfaces
    a new cell takes the integral over the part of the line that it covers

so that mass, momentum and first moment sum(m rho) are kept to rounding, whatever the two numbers of cells. The energy
is not: what changes is the ledger entry `grid`.
Frame: N axes. Validity: a line that is not cut. Source: conservative remapping, textbook material.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import CELLS, CUT, GRID, WORKS

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


def regrid(run: TetherRun, cells: int) -> TetherRun:
    """The run with another number of cells: same bodies, reels, time, ledger; rows begin anew."""
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
        dataclasses.replace(system, cells=cells), tolerance=run.tolerance, scheme=run.scheme
    )
    made.state[:CELLS] = y[:CELLS]
    made.state[CELLS:] = np.concatenate(
        [places.ravel(), speeds.ravel(), warm.ravel(), y[CELLS + 7 * n :]]
    )
    made.adopt(run)
    made.state[WORKS + GRID] += sum(made.refresh()) - before
    return made
