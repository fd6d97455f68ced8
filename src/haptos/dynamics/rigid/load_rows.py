"""Loads on bodies as the rows that kernels read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.system import (
    LOAD_AXES,
    LOAD_BODY,
    LOAD_BOOK,
    LOAD_REACTION,
    LOAD_SIZE,
    LOAD_START,
    LOAD_STOP,
)

Floats = NDArray[np.float64]
NOBODY = -1.0  # reaction of a load without one, and axes of one in N axes


def load_row(body: int, start: float, stop: float, book: int) -> Floats:
    """A load of nothing on a body from start to stop [s], in N axes."""
    row = np.zeros(LOAD_SIZE)
    row[LOAD_BODY], row[LOAD_REACTION], row[LOAD_AXES] = body, NOBODY, NOBODY
    row[LOAD_START], row[LOAD_STOP], row[LOAD_BOOK] = start, stop, book
    return row
