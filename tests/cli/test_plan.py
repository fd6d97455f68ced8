"""`haptos plan` as a user types it."""

from __future__ import annotations

from typer.testing import CliRunner

from haptos.cli.main import app


def said(*arguments: str):
    return CliRunner().invoke(app, ["plan", *arguments])


def test_rows_are_told_with_their_sources():
    found = said("ryugu", "--date", "2018-09-21", "--days", "60")
    assert found.exit_code == 0
    lines = found.output.splitlines()
    assert "JetPropulsion2020" in lines[0]
    assert len(lines) == 2 + 3
    assert lines[2].split()[1] == "-6.195"


def test_a_table_is_written_whole(tmp_path):
    file = tmp_path / "calendar.csv"
    found = said(
        "bennu", "--date", "2019-01-01", "--days", "10", "--step-days", "1", "--out", str(file)
    )
    assert found.exit_code == 0
    assert len(file.read_text().splitlines()) == 12


def test_bad_input_ends_with_code_two():
    assert said("vulcan", "--date", "2018-09-21").exit_code == 2
    assert said("ryugu", "--date", "soon").exit_code == 2
