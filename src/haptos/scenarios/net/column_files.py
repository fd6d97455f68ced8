"""Tables of numbers from CSV files of the user: every column named, every cell a number."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.core.input_files import input_table

Floats = NDArray[np.float64]
LARGEST_FILE = 200_000_000  # [byte], assumed; millions of rows
LONGEST_HEADER = 10_000  # [characters]


def read_columns(path: str, columns: tuple[str, ...]) -> Floats:
    """These columns of a CSV file with a header, as rows of an array, (columns, n); no others."""
    import pandas as pd

    file = input_table(path, "an existing CSV file", LARGEST_FILE)
    try:
        table = pd.read_csv(file, skipinitialspace=True, compression=None)
    except (ValueError, OSError, OverflowError) as error:  # the reader's own errors are ValueErrors
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConfigError(str(file), said, "a readable CSV file", "export it again") from None
    if tuple(table.columns) != columns:
        found = "columns " + ", ".join(map(str, table.columns))
        raise ConfigError(str(file), found, ", ".join(columns), "rename the columns of the header")
    try:
        values = table.to_numpy(dtype=float)
    except ValueError:
        hint = "remove units and words from the rows"
        raise ConfigError(str(file), "a cell that is no number", "numbers", hint) from None
    if not all(math.isfinite(value) for value in values.ravel()):
        raise ConfigError(str(file), "an empty cell", "numbers in every cell", "fill the gaps")
    return np.ascontiguousarray(values.T)


def checked_times(file: str, times: Floats) -> Floats:
    """Times [s] of a file, if they are two or more and rise."""
    if len(times) < 2 or not (np.diff(times) > 0.0).all():
        found = f"{len(times)} times" if len(times) < 2 else "times that do not rise"
        raise ConfigError(file, found, "two or more rising times", "sort the rows, no doubles")
    return times


def header_of(path: str) -> list[str]:
    """Names of the columns of a CSV file; none if there is no such file."""
    try:
        file = input_table(path, "an existing CSV file", LARGEST_FILE)
    except ConfigError:
        return []  # `read_columns` says why
    with file.open(encoding="utf-8", errors="replace") as lines:
        return [name.strip() for name in lines.readline(LONGEST_HEADER).split(",")]
