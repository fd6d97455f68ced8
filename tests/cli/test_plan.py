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
    assert lines[0].startswith(
        "On 2018-09-21T00:00 UTC the Sun stands over latitude -6.195 deg of ryugu"
    )
    assert "JetPropulsion2020" in lines[1]
    assert len(lines) == 3 + 3
    assert lines[3].split()[2] == "-6.195"
    assert [line.split()[0] for line in lines[3:]] == [
        "2018-09-21T00:00", "2018-10-21T00:00", "2018-11-20T00:00"
    ]  # fmt: skip
    assert lines[2].split()[:2] == ["date_utc", "jd_tdb"]


def test_a_table_is_written_whole(tmp_path):
    file = tmp_path / "calendar.csv"
    found = said(
        "bennu", "--date", "2019-01-01", "--days", "10", "--step-days", "1", "--out", str(file)
    )
    assert found.exit_code == 0
    lines = file.read_text().splitlines()
    assert len(lines) == 12
    assert found.output.startswith("On 2019-01-01T00:00 UTC the Sun stands over latitude")
    assert lines[11].startswith("2019-01-11T00:00,2458494.5")


def test_bad_input_ends_with_code_two():
    assert said("vulcan", "--date", "2018-09-21").exit_code == 2
    assert said("ryugu", "--date", "soon").exit_code == 2


def test_a_misspelt_body_is_told_the_nearest_and_zones_become_utc():
    assert "try: ryugu" in said("ryuga", "--date", "2018-09-21").output
    found = said("ryugu", "--date", "2018-09-21T02:30+02:00")
    assert found.output.splitlines()[3].startswith("2018-09-21T00:30 ")
