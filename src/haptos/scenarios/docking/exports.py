"""Files of a docking for other programs: loads over time, what was measured, events, as CSV."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from haptos.core.whole_files import write_whole
from haptos.results.result import Result
from haptos.results.table_files import csv_of

LOADS, MEASURED, EVENTS = "loads.csv", "measured.csv", "events.csv"


def write_files(result: Result, directory: Path) -> list[Path]:
    """Write loads.csv, measured.csv and events.csv; their paths."""
    motion = result.trajectory
    columns: dict[str, np.ndarray] = {"time_s": motion["time"].values}
    for name, unit in (("force_LC", "N"), ("torque_LC", "N_m")):
        for k, axis in enumerate(("lateral_1", "lateral_2", "axial")):
            columns[f"{name}_{axis}_{unit}"] = motion[name].values[:, k]
    columns |= {
        "boom_length_m": motion["boom_length"].values, "boom_tension_N": motion["boom_tension"].values,
        "state": motion["state"].values,
    }  # fmt: skip
    columns |= {f"{n}_m": motion[n].values for n in motion.data_vars if str(n).startswith("depth_")}
    return [
        write_whole(directory / LOADS, _csv(columns)),
        write_whole(directory / MEASURED, _measured(result)),
        write_whole(directory / EVENTS, csv_of(result.events)),
    ]


def _measured(result: Result) -> str:
    table = result.tables["measured"].drop_vars(["force", "torque"])
    return csv_of(table, has_index=False)


def _csv(columns: dict[str, np.ndarray]) -> str:
    rows = [",".join(columns)]
    rows += [
        ",".join(f"{value:.9g}" for value in row) for row in zip(*columns.values(), strict=True)
    ]
    return "\n".join(rows) + "\n"
