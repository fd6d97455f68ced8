"""Reading implicitly connected quadrilaterals (.icq): shape models on the grid of a cube."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.text_lines import COPY_AGAIN, NumberLines

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SHORTEST_ROW = 6  # [byte], "0 0 0" and a line end
LARGEST_SEAM = 0.1  # [-], assumed: copies of a seam vertex may differ by this share of size / q


def read_icq(file: Path) -> tuple[Floats, Integers]:
    """(vertices, faces) of an ICQ file, in the unit of the file: 6 q^2 + 2 and 12 q^2 of them.

    The first line is q; then come 6 (q + 1)^2 vertices v(i, j, f), i fastest, of the six sides f of a
    cube. The quadrilateral v(i, j) v(i, j+1) v(i+1, j+1) v(i+1, j) is outward; it is cut in two along
    its shorter diagonal. Sides share the vertices of their seams: these are joined by their place
    in the cube, not by coordinates, so rounding in the file opens no slit; the first copy stands.
    Source: R. W. Gaskell, implicitly connected quadrilateral format, Planetary Data System.
    """
    lines = NumberLines(file)
    most = math.isqrt(max(lines.size // (6 * SHORTEST_ROW), 1))
    q = lines.integer("grid size q", most)
    stored = lines.table(6 * (q + 1) ** 2, (3,), float, "vertices")
    lines.require_end()
    same = seam_copies(q)
    _require_closed_seams(lines.where, stored, same, q)
    kept, number = np.unique(same, return_inverse=True)
    vertices = stored[kept]
    return vertices, _halved(vertices, number[_quadrilaterals(q)])


def seam_copies(q: int) -> Integers:
    """For every stored vertex the first stored vertex at the same place of the cube."""
    index = np.arange(6 * (q + 1) ** 2).reshape(6, q + 1, q + 1)  # [side, j, i]
    places = np.empty((6, q + 1, q + 1, 3), dtype=np.int64)
    j, i = np.indices((q + 1, q + 1))
    low, high = np.zeros_like(i), np.full_like(i, q)
    for side, place in enumerate(
        [
            (i, q - j, high),  # top, seen with y up
            (i, low, q - j),
            (low, q - i, q - j),
            (q - i, high, q - j),
            (high, i, q - j),
            (i, j, low),
        ]
    ):
        places[side] = np.stack(place, axis=-1)
    x, y, z = np.moveaxis(places, -1, 0)
    _, first, number = np.unique(
        (x * (q + 1) + y) * (q + 1) + z, return_index=True, return_inverse=True
    )
    return index.ravel()[first[number.ravel()]]


def _require_closed_seams(where: str, stored: Floats, same: Integers, q: int) -> None:
    with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is refused later
        apart = np.max(np.abs(stored - stored[same]), axis=1)
        size = float(np.max(np.ptp(stored, axis=0)))
        far = np.flatnonzero(apart > LARGEST_SEAM * size / q)
    if len(far):
        found = f"{len(far)} seam vertices away from their copies, the first in row {far[0] + 1}"
        raise GeometryError(where, found, "sides of the cube that meet in their seams", COPY_AGAIN)


def _quadrilaterals(q: int) -> Integers:
    """Stored vertices of the corners of all quadrilaterals, outward, shape (6 q^2, 4)."""
    index = np.arange(6 * (q + 1) ** 2).reshape(6, q + 1, q + 1)
    ring = (index[:, :-1, :-1], index[:, 1:, :-1], index[:, 1:, 1:], index[:, :-1, 1:])
    return np.stack(ring, axis=-1).reshape(-1, 4)


def _halved(vertices: Floats, ring: Integers) -> Integers:
    """Two triangles of every quadrilateral, along its shorter diagonal."""
    a, b, c, d = ring.T
    with np.errstate(invalid="ignore", over="ignore"):
        first = np.sum((vertices[a] - vertices[c]) ** 2, axis=1)
        second = np.sum((vertices[b] - vertices[d]) ** 2, axis=1)
    turned = np.where((second < first)[:, None], np.roll(ring, -1, axis=1), ring)
    a, b, c, d = turned.T
    return np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3)
