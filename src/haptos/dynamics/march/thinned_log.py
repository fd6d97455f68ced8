"""Rows of a run of unknown length in a log of fixed length: a full log keeps every second row.

Validity: any length of a run; half of the log at least is in use. Source: textbook material.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import device

CITES: tuple[str, ...] = ()

ROWS = 4096  # [-] of a log


def new_log(size: int, rows: int = ROWS) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(log of time and `size` numbers, counters: rows used, stride, rows since the last that was kept)."""
    return np.zeros((rows, size + 1)), np.array([0, 1, 0], dtype=np.int64)


@device
def keep_row(log, counters, t, y, size):
    """Add time and state, or skip them by the stride."""
    counters[2] += 1
    if counters[2] < counters[1]:
        return
    counters[2] = 0
    if counters[0] == len(log):
        kept = len(log) // 2
        for k in range(kept):
            for c in range(size + 1):
                log[k, c] = log[2 * k, c]
        counters[0] = kept
        counters[1] *= 2
    row = counters[0]
    log[row, 0] = t
    for i in range(size):
        log[row, 1 + i] = y[i]
    counters[0] += 1


def kept_rows(
    log: NDArray[np.float64], counters: NDArray[np.int64], t: float, y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Rows that were kept, and the last state in any case."""
    rows = log[: counters[0]]
    if len(rows) and rows[-1, 0] == t:
        return rows.copy()
    return np.vstack([rows, np.concatenate([[t], y])])
