"""Tables of coefficients of Runge-Kutta pairs."""

from __future__ import annotations

import numpy as np

CITES: tuple[str, ...] = ()


def lower_table(rows: list[list[float]]) -> np.ndarray:
    """Square table whose rows begin with the numbers given; zeros fill the rest."""
    table = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
