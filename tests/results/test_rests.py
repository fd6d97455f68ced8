"""Places of rest of a table: one row for each run, or the known ones alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from haptos.results.rests import REST, has_rests, known_rests, rest_columns

TABLE = pd.DataFrame([[1.0, 2.0, 3.0], [np.nan] * 3, [4.0, np.inf, 6.0]], columns=list(REST))


def test_every_run_has_a_row_and_only_finite_places_are_known():
    assert rest_columns(TABLE).shape == (3, 3)
    assert known_rests(TABLE).tolist() == [[1.0, 2.0, 3.0]]


def test_missing_values_of_pandas_are_no_places():
    table = TABLE.astype("Float64")
    table.loc[0, "rest_x_m"] = pd.NA
    assert known_rests(table).shape == (0, 3)


def test_a_table_of_another_scenario_has_none():
    assert has_rests(TABLE)
    assert not has_rests(TABLE.drop(columns="rest_z_m"))
