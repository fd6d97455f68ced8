"""Tables as text and bytes: what is written is read back."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import xarray

from haptos.results.table_files import csv_of, parquet_of


def test_a_table_comes_with_its_index_or_without():
    table = xarray.Dataset({"force": ("time", [1.0, 2.5])}, coords={"time": [0.0, 0.1]})
    assert csv_of(table).splitlines() == ["time,force", "0.0,1.0", "0.1,2.5"]
    assert csv_of(table, has_index=False).splitlines() == ["force", "1.0", "2.5"]


def test_columns_are_read_back_in_their_order():
    columns = {"vertex": np.arange(3), "x_m": np.array([0.1, 0.2, np.nan])}
    found = pd.read_parquet(io.BytesIO(parquet_of(columns)))
    assert list(found.columns) == ["vertex", "x_m"]
    assert all(np.array_equal(found[n], columns[n], equal_nan=True) for n in columns)
