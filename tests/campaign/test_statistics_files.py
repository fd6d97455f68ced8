"""Statistics as files: read back by other readers, LaTeX that a compiler takes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from haptos.campaign.statistics import Statistics, statistics
from haptos.campaign.statistics_files import escaped, latex_table, write_statistics
from haptos.results.campaign_summary import STATISTICS


@pytest.fixture
def found() -> Statistics:
    times = np.random.default_rng(1).exponential(100.0, 60)
    runs = {"run": range(60), "outcome": "settled", "ended": "settled", "trusted": True}
    return statistics(pd.DataFrame(runs | {"settle_time_s": times, "none_m": np.nan}))


def test_files_hold_every_statistic(found, tmp_path):
    names = [path.name for path in write_statistics(found, tmp_path)]
    assert names == ["statistics.csv", "statistics.parquet", "statistics.tex", "outcomes.csv"]
    back = pd.read_csv(tmp_path / "statistics.csv", index_col="metric")
    pd.testing.assert_frame_equal(back, found.metrics)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "statistics.parquet"), found.metrics)
    assert list(back.columns) == list(STATISTICS)
    assert pd.read_csv(tmp_path / "outcomes.csv")["share_high"][0] == 1.0


def test_letters_that_latex_reads_as_commands_are_made_plain():
    reported = escaped("a\\b^c~d_{e}<1")
    plain = r"a\textbackslash{}b\textasciicircum{}c\textasciitilde{}d\_\{e\}\textless{}1"
    assert reported == plain


def test_latex_rows_have_as_many_cells_as_columns_and_no_bare_underscore(found):
    text = latex_table(found.metrics)
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {row.count("&") for row in rows} == {5}
    assert r"settle\_time\_s & 60 & " in text
    assert r"none\_m & 0 & --" in text
    assert "[" in rows[1]
