"""Reading triangle meshes from files: our own strict readers for text, trimesh for STL and PLY."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.input_files import input_file
from haptos.geometry.mesh.declared_counts import require_held_counts
from haptos.geometry.mesh.icq_files import read_icq
from haptos.geometry.mesh.mesh_checks import EXPORT_AGAIN
from haptos.geometry.mesh.mesh_topology import joined_vertices
from haptos.geometry.mesh.obj_files import read_obj
from haptos.geometry.mesh.plate_tables import read_plate_table

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_FILE = 500_000_000  # [byte], assumed; far above any probe or shape model
LARGEST, SMALLEST = (
    1e15,
    1e-12,
)  # [length unit] of the largest coordinate: no body or probe is beyond
FORMATS = (".obj", ".stl", ".ply", ".tab", ".icq")


def read_mesh(path: str | Path) -> tuple[Floats, Integers]:
    """(vertices, faces) of a mesh file, in the unit of the file, shapes (n, 3) and (m, 3).

    Vertices with exactly the same coordinates are joined (and then sorted): STL stores every triangle's corners
    anew, and OBJ and PLY may repeat them for textures. Polygons of an OBJ file are cut in a fan,
    which is right for convex ones. Nothing else is changed; closure is not checked here.
    """
    vertices, faces = stored_mesh(path)
    points, joined = joined_vertices(vertices)
    return (vertices, faces) if len(points) == len(vertices) else (points, joined[faces])


def stored_mesh(path: str | Path) -> tuple[Floats, Integers]:
    """(vertices, faces) as they stand in a file, repeated vertices too; finite and in range."""
    file = Path(path)
    _require_readable(file)
    reader = {".obj": read_obj, ".tab": read_plate_table, ".icq": read_icq}
    vertices, faces = reader.get(file.suffix.lower(), _read_binary)(file)
    if len(faces) == 0:
        raise GeometryError(str(file), "no triangles", "a complete mesh with faces", EXPORT_AGAIN)
    outside = np.flatnonzero((faces.min(axis=1) < 0) | (faces.max(axis=1) >= len(vertices)))
    if len(outside):
        found = (
            f"a face that names a vertex the file does not have "
            f"({len(outside)} such, the first is triangle {outside[0]})"
        )
        raise GeometryError(str(file), found, f"{len(vertices)} vertices", EXPORT_AGAIN)
    wild = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    if len(wild):
        found = f"a vertex that is not finite ({len(wild)} such, the first is vertex {wild[0]})"
        raise GeometryError(str(file), found, "finite coordinates", EXPORT_AGAIN)
    size = float(np.abs(vertices).max())
    if not SMALLEST <= size <= LARGEST:
        found = f"coordinates of up to {size:.3g}"
        allowed = f"a largest coordinate from {SMALLEST:g} to {LARGEST:g}"
        raise GeometryError(str(file), found, allowed, EXPORT_AGAIN)
    return vertices, faces


def _require_readable(file: Path) -> None:
    where = str(file)
    input_file(file, "a mesh file", LARGEST_FILE, error=GeometryError)
    if file.suffix.lower() not in FORMATS:
        found, hint = f"file type '{file.suffix}'", "export the mesh as OBJ, STL or PLY"
        raise GeometryError(where, found, ", ".join(FORMATS), hint)
    if file.stat().st_size == 0:
        raise GeometryError(where, "an empty file", "a mesh with faces", "copy it again")


def _read_binary(file: Path) -> tuple[Floats, Integers]:
    """Vertices and faces of an STL or PLY file, as trimesh reads them, unprocessed."""
    require_held_counts(file)
    import trimesh

    log = logging.getLogger("trimesh")
    before = log.level
    log.setLevel(logging.CRITICAL)  # its parsers log what they meet; the refusal tells the user
    try:
        mesh = trimesh.load_mesh(file, process=False)
        vertices = np.asarray(mesh.vertices, dtype=float).reshape(-1, 3)
        faces = np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3)
    except Exception as error:  # trimesh raises whatever its parsers meet
        reason = " ".join(str(error).split())[:80] or type(error).__name__
        allowed = f"a complete {file.suffix.upper()[1:]} mesh"
        found = f"contents that cannot be read ({reason})"
        raise GeometryError(str(file), found, allowed, EXPORT_AGAIN) from error
    finally:
        log.setLevel(before)
    return vertices, faces
