"""A closed body from a grid of heights: two triangles a cell on top, a flat floor below, walls between.

    x = (column - (columns - 1)/2) spacing,   y = (row - (rows - 1)/2) spacing,   z = height

Frame: z up, x along the columns, y along the rows, the middle of the grid at x = y = 0.
Validity: one height for each place; the walls and the floor are part of the body. Source: elementary.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_NODES = 1_000_000  # of a grid


def height_grid(
    heights: ArrayLike, spacing: float, below: float, where: str = "height grid"
) -> tuple[Floats, Integers]:
    """(vertices [m], faces) of the closed body under a grid.

    heights  (rows, columns) [m]     spacing  of the nodes [m], > 0     below  floor under the lowest height [m], > 0
    """
    z = np.asarray(heights, dtype=np.float64)
    if z.ndim != 2 or min(z.shape) < 2 or z.size > MOST_NODES:
        allowed = f"two rows and columns or more, up to {MOST_NODES} numbers"
        raise GeometryError(where, f"heights of shape {z.shape}", allowed, "a smaller cut of it")
    if not np.all(np.isfinite(z)):
        found = f"{np.count_nonzero(~np.isfinite(z))} heights that are not finite"
        raise GeometryError(where, found, "finite heights", "fill the gaps first")
    for name, value in (("spacing", spacing), ("depth of the floor", below)):
        if not (math.isfinite(value) and value > 0.0):
            raise GeometryError(where, f"{name} {value:g} m", "above 0", "0.01")
    rows, columns = z.shape
    x = spacing * (np.arange(columns) - 0.5 * (columns - 1))
    y = spacing * (np.arange(rows) - 0.5 * (rows - 1))
    top = np.column_stack([np.tile(x, rows), np.repeat(y, columns), z.reshape(-1)])
    floor = top.copy()
    floor[:, 2] = float(z.min()) - below
    place = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = place[:-1, :-1], place[:-1, 1:], place[1:, 1:], place[1:, :-1]
    cells = np.concatenate([_rows(a, b, c), _rows(a, c, d)])
    return np.concatenate([top, floor]), np.concatenate(
        [cells, cells[:, ::-1] + place.size, _walls(place)]
    )


def _rows(a: Integers, b: Integers, c: Integers) -> Integers:
    return np.column_stack([a.reshape(-1), b.reshape(-1), c.reshape(-1)])


def _walls(place: Integers) -> Integers:
    """Triangles between the border of the grid, counter-clockwise from above, and the floor under it."""
    border = np.concatenate([place[0, :-1], place[:-1, -1], place[-1, :0:-1], place[:0:-1, 0]])
    after = np.roll(border, -1)
    n = place.size
    return np.concatenate([_rows(after, border, border + n), _rows(after, border + n, after + n)])


def read_heights(path: str) -> Floats:
    """Heights of a text file, (rows, columns): numbers apart by commas or spaces, or a NumPy file (.npy)."""
    file = Path(path)
    hint = "one row of numbers a line, or numpy.save"
    if not file.is_file():
        raise GeometryError(path, "no such file", "a file of heights", hint)
    try:
        if file.suffix.lower() == ".npy":
            return np.asarray(np.load(file, allow_pickle=False), dtype=np.float64)
        text = file.read_text(encoding="utf-8").replace(",", " ")
        return np.loadtxt(text.splitlines(), ndmin=2)
    except (ValueError, OSError, EOFError, UnicodeDecodeError, TypeError) as error:
        reason = " ".join(str(error).split())[:80]
        found = f"contents that cannot be read ({reason})"
        raise GeometryError(path, found, "rows of as many numbers each", hint) from error
