"""Distance grids kept on disk, by the content they were made from."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import StorageError
from haptos.core.whole_files import storage_errors, whole_file
from haptos.geometry.distance_grid import Grid, grid_of
from haptos.geometry.grid_build import Progress, build_grid

MAGIC = b"haptos distance grid 1\n"  # the number rises when the layout of the file changes
LARGEST_CACHE = 4_000_000_000  # [byte], assumed; about forty grids of 100 MB
_BUILDERS = ("triangle_tree", "distance_mesh", "distance_grid", "grid_build")


def cached_grid(
    vertices: ArrayLike,
    faces: ArrayLike,
    spacing: float,
    margin: float | None = None,
    *,
    where: str = "distance grid",
    workers: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
) -> Grid:
    """The grid of `build_grid`, from the disk if it was built before.

    An entry that is damaged in any way is built again, never used. If the folder cannot be
    written the grid is built every time. Arguments as in `build_grid`; folder is for tests.
    """
    home = grid_folder() if folder is None else folder
    file = home / f"{grid_key(vertices, faces, spacing, margin)}.grid"
    with contextlib.suppress(StorageError):
        grid = read_grid(file)
        with contextlib.suppress(OSError):
            os.utime(file)  # the entries used last are pruned last
        if progress is not None:
            progress(1.0)
        return grid
    grid = build_grid(
        vertices, faces, spacing, margin, where=where, workers=workers, progress=progress
    )
    with contextlib.suppress(StorageError):
        write_grid(file, grid)
        prune(home, file)
    return grid


def grid_folder() -> Path:
    """Where grids are kept: beside the compiled kernels."""
    home = os.environ.get("HAPTOS_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "haptos" / "grids"


def grid_key(
    vertices: ArrayLike, faces: ArrayLike, spacing: float, margin: float | None = None
) -> str:
    """Name of a grid: a hash of mesh, spacing, margin, file format and the sources that build it."""
    points = np.ascontiguousarray(vertices, dtype=np.float64)
    corners = np.ascontiguousarray(faces, dtype=np.int64)
    digest = hashlib.sha256(MAGIC)
    for name in _BUILDERS:
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    lengths = [float(spacing).hex(), "default" if margin is None else float(margin).hex()]
    digest.update(json.dumps([points.shape, corners.shape, lengths]).encode())
    digest.update(points.tobytes())
    digest.update(corners.tobytes())
    return digest.hexdigest()[:40]


def write_grid(path: Path, grid: Grid) -> None:
    """Write a grid whole or not at all, with a checksum of everything in it."""
    head = {
        name: getattr(grid, name) for name in ("origin", "counts", "spacing", "band", "lipschitz")
    }
    sizes = {"blocks": len(grid.table), "values": len(grid.values)}
    text = json.dumps(head | sizes).encode()
    parts = [len(text).to_bytes(8, "little"), text, grid.table.data, grid.values.data]
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        for part in (MAGIC, _checksum(parts), *parts):
            file.write(part)


def _checksum(parts: list[bytes | memoryview]) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.digest()


def read_grid(path: Path) -> Grid:
    """The grid in a file; StorageError if it is missing or not exactly what was written."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _damaged(path, error.strerror or str(error)) from None
    if not content.startswith(MAGIC):
        raise _damaged(path, "another format")
    view = memoryview(content)[len(MAGIC) :]
    if bytes(view[:32]) != _checksum([view[32:]]):
        raise _damaged(path, "contents that do not match their checksum")
    length = int.from_bytes(view[32:40], "little")
    head = json.loads(bytes(view[40 : 40 + length]))
    middle = 40 + length + 8 * head["blocks"]
    # Copies, since kernels are compiled for aligned arrays.
    table = np.frombuffer(view[40 + length : middle], dtype=np.int32).reshape(-1, 2).copy()
    values = np.frombuffer(view[middle:], dtype=np.float64).copy()
    if len(table) != math.prod(head["counts"]) or len(values) != head["values"]:
        raise _damaged(path, "sizes that do not fit together")
    return grid_of(
        head["origin"], head["counts"], head["spacing"], head["band"], head["lipschitz"],
        table, values,
    )  # fmt: skip


def _damaged(path: Path, found: str) -> StorageError:
    return StorageError(str(path), found, "a complete distance grid", "delete it; it is rebuilt")


def prune(folder: Path, kept: Path, largest: int = LARGEST_CACHE) -> None:
    """Delete the grids not used for the longest time until the folder is small enough."""
    with contextlib.suppress(OSError):
        files = [(path.stat(), path) for path in folder.glob("*.grid")]
        total = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda pair: (pair[0].st_mtime, pair[1])):
            if total <= largest:
                break
            if path != kept:
                path.unlink()
                total -= status.st_size
