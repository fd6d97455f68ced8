"""Files of a net run for other programs: histories and broken threads as tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from haptos.core.whole_files import write_whole
from haptos.results.result import Result
from haptos.results.table_files import csv_of

HISTORY, BROKEN = "history.csv", "broken.csv"


def write_files(result: Result, directory: Path) -> list[Path]:
    """Write history.csv, one row per stored time, and if threads broke broken.csv; their paths."""
    written = [write_whole(directory / HISTORY, _history(result))]
    if "broken" in result.tables and result.tables["broken"].sizes["break"]:
        table = csv_of(result.tables["broken"], has_index=False)
        written.append(write_whole(directory / BROKEN, table))
    return written


def _history(result: Result) -> str:
    """All quantities of one number or one vector, with the unit in the head of each column."""
    import pandas as pd

    motion = result.trajectory
    columns = {"time [s]": np.asarray(motion["time"].values)}
    for name, variable in motion.data_vars.items():
        head = f"[{variable.attrs['unit']}]"
        if variable.dims == ("time",):
            columns[f"{name} {head}"] = variable.values
        elif variable.dims == ("time", "axis"):
            for k, axis in enumerate("xyz"):
                columns[f"{name} {axis} {head}"] = variable.values[:, k]
        elif variable.dims == ("time", "bullet"):
            for b in range(variable.shape[1]):
                columns[f"{name} {b + 1} {head}"] = variable.values[:, b]
    return pd.DataFrame(columns).to_csv(index=False)
