"""Reading plate tables (.tab): the text form of shape models in the Planetary Data System."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.obj_files import read_obj
from haptos.geometry.mesh.text_lines import COPY_AGAIN, NumberLines

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SHORTEST_ROW = 6  # [byte], "0 0 0" and a line end


def read_plate_table(file: Path) -> tuple[Floats, Integers]:
    """(vertices, faces) of a plate table, in the unit of the file, shapes (n, 3) and (m, 3).

    Counts stand in the first line ("n m"), in the first two lines, or each before its own table.
    Rows are "x y z" and "i j k", or these after their own number, which must then run 1, 2, 3...
    Vertices are counted from 1. Tables whose rows begin with the letters v and f are read as OBJ.
    Source: Planetary Data System, Small Bodies Node, definition of plate shape models.
    """
    lines = NumberLines(file)
    first = lines.peek()
    if first and not first[0][0].isdigit():
        return read_obj(file)
    vertex_count, face_count = _counts(lines)
    vertices = _numbered(lines, vertex_count, float, "vertices")
    if face_count is None:
        face_count = lines.integer("number of facets", lines.size // SHORTEST_ROW)
    faces = _numbered(lines, face_count, int, "facets")
    lines.require_end()
    if faces.min() < 1:
        row = int(np.argmax(faces.min(axis=1) < 1))
        found = f"facet {row + 1} with the corners {' '.join(map(str, faces[row]))}"
        hint = "add one to every corner if the table counts from 0"
        raise GeometryError(lines.where, found, "vertices counted from 1", hint)
    return vertices, faces - 1


def _counts(lines: NumberLines) -> tuple[int, int | None]:
    """Declared vertices and facets; None if the number of facets comes after the vertices."""
    most = lines.size // SHORTEST_ROW
    number, words = lines.words()
    if len(words) not in (1, 2):
        raise lines.fault(number, words, "the number of vertices, or of vertices and facets")
    vertex_count = lines.count(number, words[0], "number of vertices", most)
    if len(words) == 2:
        return vertex_count, lines.count(number, words[1], "number of facets", most)
    if len(lines.peek()) == 1:
        return vertex_count, lines.integer("number of facets", most)
    return vertex_count, None


def _numbered(lines: NumberLines, rows: int, kind: type, what: str) -> NDArray:
    """A table of three columns, freed of the row numbers before them."""
    table = lines.table(rows, (3, 4), kind, what)
    if table.shape[1] == 3:
        return table
    wrong = np.flatnonzero(table[:, 0] != np.arange(1, rows + 1))
    if len(wrong):
        found = f"row {wrong[0] + 1} of the {what} with the number {table[wrong[0], 0]:g}"
        raise GeometryError(lines.where, found, "rows numbered 1, 2, 3 and on", COPY_AGAIN)
    return np.ascontiguousarray(table[:, 1:])
