"""Rows kept in columns read as the dicts they were."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from haptos.results.many_runs import ManyRuns
from haptos.results.row_table import RowTable

ROWS = [
    {"outcome": "settled", "trusted": True, "time_s": 1.5, "bounces": 3, "odd": 1.0},
    {"outcome": "missed", "trusted": False, "time_s": -0.0, "bounces": -(2**62), "odd": 2},
    {"outcome": "settled", "trusted": True, "time_s": math.inf, "bounces": 0, "odd": "text"},
    {"outcome": "settled", "trusted": True, "time_s": 5e-324, "bounces": 2**63 - 1, "odd": None},
]


def table(rows: list[dict]) -> RowTable:
    found = RowTable(len(rows))
    for place in reversed(range(len(rows))):  # in any order
        found[place] = rows[place]
    return found


def test_rows_are_what_was_set() -> None:
    found = table(ROWS)
    assert list(found) == ROWS == found[:]
    assert found == ROWS
    assert repr(found) == repr(ROWS)
    assert found[-1] == ROWS[-1]
    assert found[1:3] == ROWS[1:3]
    assert [type(x) for row in found for x in row.values()] == [
        type(x) for row in ROWS for x in row.values()
    ]
    assert math.copysign(1.0, found[1]["time_s"]) == -1.0
    with pytest.raises(IndexError):
        found[len(ROWS)]


def test_bits_of_nan_survive() -> None:
    payload = np.array([0x7FF8_0000_0000_BEEF], dtype=np.uint64).view(np.float64)[0]
    found = table([{"x": float(payload)}])
    assert np.float64(found[0]["x"]).view(np.uint64) == 0x7FF8_0000_0000_BEEF


def test_rows_that_lack_the_same_numbers_are_equal() -> None:
    """As dicts are whose NaN is one object."""
    rows = [{"x": math.nan, "y": 1.0}]
    assert list(table(rows)) == rows
    assert table(rows) == table(rows)


def test_rows_with_other_keys_stand_beside_each_other() -> None:
    rows = [{"a": 1.0}, {"a": 2.0, "b": 3.0}, {}]
    assert list(table(rows)) == rows
    pd.testing.assert_frame_equal(table(rows).frame(), pd.DataFrame(rows))


def test_whole_numbers_too_large_for_eight_bytes_stay_whole() -> None:
    assert list(table([{"n": 2**70}, {"n": 1}])) == [{"n": 2**70}, {"n": 1}]


def test_the_table_of_pandas_is_that_of_the_dicts() -> None:
    rows = [{**row, "odd": 1.0} for row in ROWS]
    pd.testing.assert_frame_equal(ManyRuns(table(rows)).runs, ManyRuns(rows).runs)
    assert len(ManyRuns(RowTable(0)).runs) == 0


def test_a_number_takes_eight_bytes() -> None:
    tracemalloc.start()
    found = RowTable(10_000)
    for place in range(10_000):
        found[place] = {f"m{k}": place + 0.1 * k for k in range(40)}
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held / 10_000 < 40 * 8 + 40
    assert found[777]["m3"] == 777 + 0.1 * 3
