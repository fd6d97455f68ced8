"""Distance grids kept on disk, by the content they were made from."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.array_files import cache_home, damaged, mark_used, prune, read_arrays, write_arrays
from haptos.core.errors import StorageError
from haptos.geometry.distance.distance_grid import Grid, grid_of
from haptos.geometry.distance.grid_build import Progress, build_grid

MAGIC = b"haptos distance grid 3\n"  # the number rises when the layout of the file changes
_BUILDERS = (
    "mesh/triangle_tree", "distance/distance_mesh", "distance/distance_grid", "distance/grid_build",
)  # fmt: skip
_VALUES = ("origin", "counts", "spacing", "band", "lipschitz")


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
    home = cache_home("grids") if folder is None else folder
    file = home / f"{grid_key(vertices, faces, spacing, margin)}.grid"
    with contextlib.suppress(StorageError):
        grid = read_grid(file)
        mark_used(file)
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


def grid_key(
    vertices: ArrayLike, faces: ArrayLike, spacing: float, margin: float | None = None
) -> str:
    """Name of a grid: a hash of mesh, spacing, margin, file format and the sources that build it."""
    points = np.ascontiguousarray(vertices, dtype=np.float64)
    corners = np.ascontiguousarray(faces, dtype=np.int64)
    digest = hashlib.sha256(MAGIC)
    for name in _BUILDERS:
        digest.update((Path(__file__).parents[1] / f"{name}.py").read_bytes())
    lengths = [float(spacing).hex(), "default" if margin is None else float(margin).hex()]
    digest.update(json.dumps([points.shape, corners.shape, lengths]).encode())
    digest.update(points.tobytes())
    digest.update(corners.tobytes())
    return digest.hexdigest()[:40]


def write_grid(path: Path, grid: Grid) -> None:
    """Write a grid whole or not at all, with a checksum of everything in it."""
    values = {name: getattr(grid, name) for name in _VALUES}
    write_arrays(path, MAGIC, values, {"table": grid.table, "values": grid.values})


def read_grid(path: Path) -> Grid:
    """The grid in a file; StorageError if it is missing or not exactly what was written."""
    head, arrays = read_arrays(path, MAGIC)
    table = arrays["table"]
    if len(table) != math.prod(head["counts"]):
        raise damaged(path, "sizes that do not fit together")
    return grid_of(
        head["origin"], head["counts"], head["spacing"], head["band"], head["lipschitz"],
        table, arrays["values"],
    )  # fmt: skip
