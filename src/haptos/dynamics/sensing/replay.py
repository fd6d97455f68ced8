"""Readings of a sensor from a file in place of a simulated one: what flew, or what another program made."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError

Floats = NDArray[np.float64]
MOST_BYTES = 200_000_000


@dataclass(frozen=True, eq=False)
class Replay:
    """Rows of a recording: a sample gets the newest row that is not after it.

    times  (n,) [s], rising           values  (n, m), NaN where the sensor gave nothing
    """

    times: Floats
    values: Floats

    def at(self, time: float) -> Floats:
        """Values at a time [s]; NaN before the first row."""
        row = int(np.searchsorted(self.times, time + 1e-9, side="right")) - 1
        return np.full(self.values.shape[1], np.nan) if row < 0 else self.values[row].copy()


def read_replay(path: str | Path, width: int, where: str) -> Replay:
    """Recording of a CSV file: time [s], then `width` numbers in SI units and radians a row.

    A first row of names is skipped; an empty field or `nan` is a sample that gave nothing.
    """
    path = Path(path)
    hint = f"rows of {width + 1} numbers: time_s, then {width} values"
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        raise ConfigError(where, f"'{path}', no file that can be read", "a CSV file", hint)
    rows = _numbers(path, width, where, hint)
    if len(rows) == 0:
        raise ConfigError(where, f"'{path}' with 0 rows", "one row or more", hint)
    if not (np.isfinite(rows[:, 0]).all() and (np.diff(rows[:, 0]) > 0.0).all()):
        raise ConfigError(where, f"'{path}': times that do not rise", "rising times", hint)
    return Replay(rows[:, 0].copy(), rows[:, 1:].copy())


def _numbers(path: Path, width: int, where: str, hint: str) -> Floats:
    """(n, width + 1) numbers of a CSV file, without its row of names."""
    rows = []
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            for number, row in enumerate(csv.reader(lines)):
                if not row or (number == 0 and not _is_number(row[0])):
                    continue
                if len(row) != width + 1:
                    found = f"'{path}', line {number + 1} with {len(row)} columns"
                    raise ConfigError(where, found, f"{width + 1} columns", hint)
                rows.append([float(field) if field.strip() else math.nan for field in row])
    except (ValueError, UnicodeDecodeError, csv.Error) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(where, f"'{path}': {error}", "numbers in columns", hint) from error
    return np.array(rows, dtype=float).reshape(-1, width + 1)


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
