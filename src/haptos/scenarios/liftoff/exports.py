"""Files of a lift-off run for other programs: the mesh with its numbers, tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from haptos.core.whole_files import write_whole
from haptos.geometry.mesh.mesh_export import write_ply, write_vtp
from haptos.results.result import Result
from haptos.results.table_files import csv_of, parquet_of

MESH_VTP, MESH_PLY, MAP_TABLE = "liftoff.vtp", "liftoff.ply", "vertices.parquet"
CURVES = ("rays", "ridges", "latitudes", "fit")  # tables written as CSV


def write_files(result: Result, directory: Path) -> list[Path]:
    """Write liftoff.vtp, liftoff.ply, vertices.parquet and a CSV file per curve; their paths."""
    table = result.tables["map"]
    vertices = np.asarray(table["r_A"].values)
    faces = np.asarray(result.tables["mesh"]["corners"].values)
    numbers = {str(n): v.values for n, v in table.data_vars.items() if v.dims == ("vertex",)}
    places = {"vertex": np.arange(len(vertices))}
    places |= {f"{axis}_m": vertices[:, k] for k, axis in enumerate("xyz")}
    finite = {name: np.where(np.isfinite(v), v, np.nan) for name, v in numbers.items()}
    return [
        write_vtp(directory / MESH_VTP, vertices, faces, vertex_data=finite),
        write_ply(directory / MESH_PLY, vertices, faces, vertex_data=finite),
        write_whole(directory / MAP_TABLE, parquet_of({**places, **numbers})),
        *(
            write_whole(directory / f"{name}.csv", csv_of(result.tables[name]))
            for name in CURVES
            if name in result.tables
        ),
    ]
