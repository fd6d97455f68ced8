"""Reading triangle meshes from files: OBJ by our own strict reader, STL and PLY by trimesh."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh_checks import EXPORT_AGAIN

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LARGEST_FILE = 500_000_000  # [byte], assumed; far above any probe or shape model
FORMATS = (".obj", ".stl", ".ply")


def read_mesh(path: str | Path) -> tuple[Floats, Integers]:
    """(vertices, faces) of a mesh file, in the unit of the file, shapes (n, 3) and (m, 3).

    Vertices with exactly the same coordinates are joined (and then sorted): STL stores every triangle's corners
    anew, and OBJ and PLY may repeat them for textures. Polygons of an OBJ file are cut in a fan,
    which is right for convex ones. Nothing else is changed; closure is not checked here.
    """
    file = Path(path)
    _require_readable(file)
    vertices, faces = _read_obj(file) if file.suffix.lower() == ".obj" else _read_binary(file)
    if len(faces) == 0:
        raise GeometryError(str(file), "no triangles", "a complete mesh with faces", EXPORT_AGAIN)
    if faces.min() < 0 or faces.max() >= len(vertices):
        found = "a face that names a vertex the file does not have"
        raise GeometryError(str(file), found, "faces of its vertices", EXPORT_AGAIN)
    if not np.all(np.isfinite(vertices)):
        found = "a vertex that is not finite"
        raise GeometryError(str(file), found, "finite coordinates", EXPORT_AGAIN)
    points, joined = np.unique(vertices + 0.0, axis=0, return_inverse=True)
    if len(points) == len(vertices):
        return vertices, faces
    return points, joined.reshape(-1)[faces]


def _require_readable(file: Path) -> None:
    where = str(file)
    if not file.is_file():
        found = "a directory" if file.is_dir() else "no such file"
        raise GeometryError(where, found, "a mesh file", "check the path")
    if file.suffix.lower() not in FORMATS:
        found, hint = f"file type '{file.suffix}'", "export the mesh as OBJ, STL or PLY"
        raise GeometryError(where, found, ", ".join(FORMATS), hint)
    size = file.stat().st_size
    if size > LARGEST_FILE:
        raise GeometryError(
            where, f"{size / 1e6:.0f} MB", f"up to {LARGEST_FILE / 1e6:.0f} MB", "simplify the mesh"
        )
    if size == 0:
        raise GeometryError(where, "an empty file", "a mesh with faces", "copy it again")


def _read_obj(file: Path) -> tuple[Floats, Integers]:
    """Vertices and faces of a Wavefront OBJ file; every other kind of line is passed over."""
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    for number, words in enumerate(_words_per_line(file), start=1):
        try:
            if words and words[0] == "v":
                vertices.append((float(words[1]), float(words[2]), float(words[3])))
            elif words and words[0] == "f":
                faces += _fan([_obj_index(word, len(vertices)) for word in words[1:]])
        except (ValueError, IndexError) as error:
            raise GeometryError(
                f"{file} line {number}",
                f"'{' '.join(words)[:60]}'",
                "v x y z, or f with three or more vertices counted from 1",
                "mend that line, or export the mesh again",
            ) from error
    return np.array(vertices, float).reshape(-1, 3), np.array(faces, np.int64).reshape(-1, 3)


def _words_per_line(file: Path) -> Iterator[list[str]]:
    try:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                yield line.split("#", 1)[0].split()
    except UnicodeDecodeError as error:
        found, hint = "bytes that are not text", "check that the file is what its ending says"
        raise GeometryError(str(file), found, "an OBJ text file", hint) from error
    except OSError as error:
        found = f"an unreadable file ({error})"
        raise GeometryError(str(file), found, "a mesh file", "check its permissions") from error


def _fan(ring: list[int]) -> list[tuple[int, int, int]]:
    """Triangles of a convex polygon, from its first corner."""
    if len(ring) < 3:
        raise ValueError("fewer than three corners")
    return [(ring[0], ring[k], ring[k + 1]) for k in range(1, len(ring) - 1)]


def _obj_index(word: str, count: int) -> int:
    """Zero-based vertex of a face corner `v`, `v/vt`, `v//vn`; negative counts back from here."""
    index = int(word.split("/", 1)[0])
    if index == 0:
        raise ValueError("OBJ counts vertices from 1")
    if index < 0 and -index > count:
        raise ValueError("before the first vertex")
    return index - 1 if index > 0 else count + index


def _read_binary(file: Path) -> tuple[Floats, Integers]:
    """Vertices and faces of an STL or PLY file, as trimesh reads them, unprocessed."""
    import trimesh

    try:
        mesh = trimesh.load_mesh(file, process=False)
        vertices = np.asarray(mesh.vertices, dtype=float).reshape(-1, 3)
        faces = np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3)
    except Exception as error:  # trimesh raises whatever its parsers meet
        reason = " ".join(str(error).split())[:80] or type(error).__name__
        allowed = f"a complete {file.suffix.upper()[1:]} mesh"
        found = f"contents that cannot be read ({reason})"
        raise GeometryError(str(file), found, allowed, EXPORT_AGAIN) from error
    return vertices, faces
