"""Gravity tables kept on disk, by the content they were made from."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from haptos.core.array_files import cache_home, mark_used, prune, read_arrays, write_arrays
from haptos.core.errors import StorageError
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_table import GravityTable, table_of
from haptos.environment.gravity_table_build import gravity_table

MAGIC = b"haptos gravity table 3\n"  # the number rises when the layout of the file changes
_VALUES = ("first", "spacing", "centre", "mu", "core", "radius")


def cached_gravity_table(
    field: PolyhedronField,
    spacing: float,
    *,
    margin: float | None = None,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
    folder: Path | None = None,
) -> GravityTable:
    """The table of `gravity_table`, from the disk if it was filled before.

    A damaged entry is filled again, never used. Arguments as there; folder is for tests.
    """
    home = cache_home("gravity") if folder is None else folder
    file = home / f"{table_key(field, spacing, margin)}.gravity"
    with contextlib.suppress(StorageError):
        values, arrays = read_arrays(file, MAGIC)
        mark_used(file)
        if progress is not None:
            progress(1.0)
        first, spacing, centre, mu, core, radius = (values[name] for name in _VALUES)
        return table_of(
            arrays["coefficients"], first, spacing, centre, mu, core, radius, arrays["far"]
        )
    table = gravity_table(field, spacing, margin=margin, workers=workers, progress=progress)
    with contextlib.suppress(StorageError):
        head = {name: getattr(table, name) for name in _VALUES}
        write_arrays(file, MAGIC, head, {"coefficients": table.coefficients, "far": table.far})
        prune(home, file)
    return table


def table_key(field: PolyhedronField, spacing: float, margin: float | None = None) -> str:
    """Name of a table: a hash of mesh, density, spacing, margin, format and building sources."""
    digest = hashlib.sha256(MAGIC)
    for source in sorted(Path(__file__).parent.glob("gravity_*.py")):
        digest.update(source.read_bytes())
    points = np.ascontiguousarray(field.vertices, dtype=np.float64)
    corners = np.ascontiguousarray(field.faces, dtype=np.int64)
    numbers = [float(field.strength).hex(), float(spacing).hex()]
    numbers.append("default" if margin is None else float(margin).hex())
    digest.update(json.dumps([points.shape, corners.shape, numbers]).encode())
    digest.update(points.tobytes())
    digest.update(corners.tobytes())
    return digest.hexdigest()[:40]
