"""Findings as files: numbers read back by other readers, LaTeX that a compiler takes, names in the report."""

from __future__ import annotations

import pandas as pd
import pytest

from haptos.campaign.findings_files import latex_finding, write_findings
from haptos.results.campaign_summary import Finding

INDICES = pd.DataFrame(
    {"first": [1.0 / 3.0, float("nan")], "first_low": [0.1, 0.2]},
    index=pd.Index(["contact.friction", "release.position_m[0]"], name="key"),
)
FIT = pd.DataFrame({"a0 [s]": ["12 [10, 14]"]}, index=pd.Index(["50 % of all"], name="runs of"))
NUMBERS = pd.DataFrame({"a0_s": [12.0 / 7.0], "a0_low_s": [10.0]}, index=FIT.index)


@pytest.fixture
def found() -> list[Finding]:
    return [Finding("Sensitivity of settle_time_s", INDICES), Finding("Fit", FIT, numbers=NUMBERS)]


def test_numbers_keep_all_their_digits(found, tmp_path):
    first, second = write_findings(found, tmp_path)
    assert [len(one.files) for one in (first, second)] == [3, 3]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(first.files + second.files)
    for finding, numbers in ((first, INDICES), (second, NUMBERS)):
        csv, parquet, _ = finding.files
        back = pd.read_csv(tmp_path / csv, index_col=0)
        pd.testing.assert_frame_equal(back, numbers, check_exact=True)
        pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / parquet), numbers)


def test_latex_rows_have_as_many_cells_as_columns_and_nothing_bare():
    text = latex_finding(INDICES)
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {row.count(" & ") for row in rows} == {2}
    assert r"first\_low" in rows[0]
    assert "-- & 0.2" in rows[2]
    assert r"50 \% of all & 12 [10, 14] \\" in latex_finding(FIT)


def test_written_again_the_files_are_the_same(found, tmp_path):
    names = [write_findings(found, tmp_path) for _ in range(2)]
    assert [one.files for one in names[0]] == [one.files for one in names[1]]
