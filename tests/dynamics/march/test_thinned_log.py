"""A log of fixed length: all rows of a short run, evenly spread ones of a long run, always the last."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.march.thinned_log import keep_row, kept_rows, new_log


@pytest.mark.parametrize(("count", "stride"), [(5, 1), (8, 1), (9, 2), (100, 16)])
def test_rows_are_evenly_spread_and_the_last_is_there(count, stride):
    log, counters = new_log(2, rows=8)
    for k in range(count):
        keep_row(log, counters, float(k), np.array([k, -k], dtype=float), 2)
    last = np.array([count - 1.0, 1.0 - count])
    rows = kept_rows(log, counters, count - 1.0, last)
    assert len(rows) <= 9
    assert np.array_equal(rows[-1], [count - 1.0, *last])
    assert set(np.diff(rows[:-1, 0])) <= {float(stride)}
    assert np.array_equal(rows[:, 1], rows[:, 0])
