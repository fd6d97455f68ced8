"""A mesh and numbers per facet or vertex as files that other programs open: VTK PolyData and PLY.

VTP: XML with inline base64 arrays (ParaView, PyVista, VTK); vertices and numbers float64.
PLY: binary, little endian; vertices float64, numbers float32 as properties of faces and vertices.
Both are written whole or not at all. The unit of a number belongs in its name: `slope_deg`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.whole_files import write_whole

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VTK_TYPES = {"f8": "Float64", "i8": "Int64"}


def write_vtp(
    path: str | Path,
    vertices: ArrayLike,
    faces: ArrayLike,
    facet_data: Mapping[str, ArrayLike] | None = None,
    vertex_data: Mapping[str, ArrayLike] | None = None,
) -> Path:
    """Write a VTK XML PolyData file [m]; facet_data: name -> (m,) or (m, 3), vertex_data: (n, ...)."""
    points, corners, data = _checked(path, vertices, faces, facet_data or {})
    held = _numbers(path, vertex_data or {}, len(points), "vertex", "vertices")
    offsets = 3 * np.arange(1, len(corners) + 1)
    cells = [_array("connectivity", corners.ravel(), "i8"), _array("offsets", offsets, "i8")]
    pieces = [
        '<?xml version="1.0"?>',
        '<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
        "<PolyData>",
        f'<Piece NumberOfPoints="{len(points)}" NumberOfVerts="0" NumberOfLines="0" '
        f'NumberOfStrips="0" NumberOfPolys="{len(corners)}">',
        "<PointData>",
        *(_array(name, values, "f8") for name, values in held.items()),
        "</PointData>",
        "<CellData>",
        *(_array(name, values, "f8") for name, values in data.items()),
        "</CellData>",
        "<Points>",
        _array("Points", points, "f8"),
        "</Points>",
        "<Polys>",
        *cells,
        "</Polys>",
        "</Piece>",
        "</PolyData>",
        "</VTKFile>",
    ]
    return write_whole(path, "\n".join(pieces) + "\n")


def write_ply(
    path: str | Path,
    vertices: ArrayLike,
    faces: ArrayLike,
    facet_data: Mapping[str, ArrayLike] | None = None,
    vertex_data: Mapping[str, ArrayLike] | None = None,
) -> Path:
    """Write a binary PLY file [m]; facet_data: name -> (m,), vertex_data: name -> (n,)."""
    points, corners, data = _checked(path, vertices, faces, facet_data or {})
    held = _numbers(path, vertex_data or {}, len(points), "vertex", "vertices")
    wide = [name for name, values in {**data, **held}.items() if values.ndim != 1]
    if wide:
        hint = "write_vtp, or one name per component"
        raise GeometryError(str(path), f"vectors in '{wide[0]}'", "one number each", hint)
    row = np.dtype([("count", "u1"), ("corners", "<i4", (3,)), *((name, "<f4") for name in data)])
    table = np.zeros(len(corners), dtype=row)
    table["count"], table["corners"] = 3, corners
    for name, values in data.items():
        table[name] = values
    head = [
        "ply",
        "format binary_little_endian 1.0",
        "comment vertices in metres",
        f"element vertex {len(points)}",
        *(f"property double {axis}" for axis in "xyz"),
        *(f"property float {name}" for name in held),
        f"element face {len(corners)}",
        "property list uchar int vertex_indices",
        *(f"property float {name}" for name in data),
        "end_header",
    ]
    places = np.zeros(len(points), dtype=[("place", "<f8", (3,)), *((n, "<f4") for n in held)])
    places["place"] = points
    for name, values in held.items():
        places[name] = values
    body = places.tobytes() + table.tobytes()
    return write_whole(path, "\n".join(head).encode("ascii") + b"\n" + body)


def _checked(
    path: str | Path, vertices: ArrayLike, faces: ArrayLike, data: Mapping[str, ArrayLike]
) -> tuple[NDArray[np.float64], NDArray[np.int64], dict[str, NDArray[np.float64]]]:
    where = str(path)
    points, corners = np.asarray(vertices, dtype=float), np.asarray(faces, dtype=np.int64)
    for name, array in (("vertices", points), ("faces", corners)):
        if array.ndim != 2 or array.shape[1] != 3:
            found = f"{name} of shape {array.shape}"
            raise GeometryError(where, found, "shape (n, 3)", "triangles only")
    if len(corners) and (corners.min() < 0 or corners.max() >= len(points)):
        found = "a face that names a vertex the mesh does not have"
        raise GeometryError(where, found, f"0 to {len(points) - 1}", "faces of its vertices")
    values = _numbers(path, data, len(corners), "facet", "facets")
    return points, corners, values


def _numbers(
    path: str | Path, data: Mapping[str, ArrayLike], count: int, one: str, many: str
) -> dict[str, NDArray[np.float64]]:
    """Named numbers, refused unless there is one (or three) for each facet or vertex."""
    where = str(path)
    values = {name: np.asarray(given, dtype=float) for name, given in data.items()}
    for name, array in values.items():
        if not NAME.fullmatch(name):
            found = f"the name '{name}'"
            raise GeometryError(where, found, "letters, digits and _", "slope_deg")
        if len(array) != count or array.shape[1:] not in ((), (3,)):
            found = f"'{name}' of shape {array.shape} for {count} {many}"
            raise GeometryError(where, found, f"one value per {one}", f"values of the {many}")
    return values


def _array(name: str, values: NDArray, kind: str) -> str:
    """DataArray element: byte count and bytes in one base64 text, as VTK writes them."""
    raw = np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()
    size = np.array(len(raw), dtype="<u8").tobytes()
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim == 2 else ""
    text = base64.b64encode(size + raw).decode("ascii")
    return (
        f'<DataArray type="{_VTK_TYPES[kind]}" Name={quoteattr(name)}{width} format="binary">'
        f"{text}</DataArray>"
    )
