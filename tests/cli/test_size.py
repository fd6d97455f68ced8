"""`haptos size tether`: a table, a file, a picture, and what it refuses."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from haptos.cli.main import app
from haptos.core.errors import ConfigError
from haptos.dynamics.cable.tether_sizes import COLUMNS, SIZED, material_table, tether_sizes
from tests.close import assert_close


def test_it_prints_the_best_first_and_every_material():
    reported = CliRunner().invoke(app, ["size", "tether", "--speed", "1000"])
    assert reported.exit_code == 0
    assert reported.stdout.startswith("Best at 1000 m/s: carbon nanotube carries 18.2 kg")
    assert "nylon 66" in reported.stdout


def test_it_writes_a_table_and_a_picture(tmp_path: Path):
    table, picture = tmp_path / "sizes.csv", tmp_path / "sizes.png"
    words = ["--material", "zylon hm", "--out", str(table), "--plot", str(picture)]
    reported = CliRunner().invoke(app, ["size", "tether", *words])
    assert reported.exit_code == 0
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert_close(float(rows[1]["payload_per_tether"]), 1.359, rtol=1e-3)
    assert_close(float(rows[1]["tapered_tether_per_payload"]), 0.6456, rtol=5e-4)
    assert picture.read_bytes().startswith(b"\x89PNG")
    lines = reported.stdout.splitlines()
    assert lines[0].startswith("Best at 500 m/s: zylon hm carries 6.94 kg")
    assert lines[-2:] == [f"3 rows in {table}", f"picture: {picture}"]


def test_many_rows_are_a_short_table_without_nan():
    reported = CliRunner().invoke(app, ["size", "tether"])
    lines = reported.stdout.splitlines()
    assert len(lines) == 3 + 2 + 3 * len(SIZED) + 1
    assert "nan" not in reported.stdout.replace("nanotube", "")
    assert all(len(line) <= 100 for line in lines)


def test_options_say_their_units():
    page = " ".join(CliRunner().invoke(app, ["size", "tether", "--help"]).stdout.split())
    for unit in ("in m/s", "in kg", "in m^2", "in deg"):
        assert unit in page.replace(" │ │ ", " ")


def test_a_picture_of_no_kind_is_refused(tmp_path: Path):
    words = ["size", "tether", "--speed", "500", "--plot", str(tmp_path / "sizes.foo")]
    reported = CliRunner().invoke(app, words)
    assert reported.exit_code == 2
    assert "png, svg, pdf, jpg" in reported.output


def test_a_tether_that_tears_carries_nothing():
    row = tether_sizes([3000.0], ["nylon 66"])[0]
    assert row["payload_per_tether"] == 0.0
    assert row["section_m2"] != row["section_m2"]
    assert row["stop_start_mass_kg"] != row["stop_start_mass_kg"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"share": 1.5}, "breaking stress"),
        ({"mass": 0.0}, "above zero"),
        ({"materials": ["kevlr 49"]}, "kevlar 49"),
        ({"speeds": []}, "one speed"),
        ({"speeds": [-1.0]}, "above zero"),
        ({"share": 0.5, "strain": 0.01}, "one of share, strain"),
        ({"strain": 0.1}, "breaking stress over its modulus"),
        ({"section": 0.0}, "above zero"),
        ({"turn": 7.0}, "360 deg"),
    ],
)
def test_what_cannot_be_sized_is_refused(changes, words):
    with pytest.raises(ConfigError, match=words):
        tether_sizes(**{"speeds": [1000.0], **changes})


def test_an_unknown_fibre_is_told_every_name_of_the_table():
    reported = CliRunner().invoke(app, ["size", "tether", "--material", "cheese"])
    assert reported.exit_code == 2
    assert all(name in " ".join(reported.output.split()) for name in SIZED)
    assert tether_sizes([1000.0], ["Carbon-Nanotube"]) == tether_sizes(
        [1000.0], ["carbon nanotube"]
    )


def test_kevlar_of_the_published_strain_has_its_limit_of_speed():
    row = tether_sizes([1000.0], ["kevlar of 10 km/s"], strain=0.01)[0]
    assert_close(float(row["largest_speed_m_per_s"]), 1414.2136, rtol=1e-7)
    assert_close(float(row["payload_per_tether"]), 0.5, rtol=1e-9)


def test_stop_ejection_and_turn_of_zylon():
    row = tether_sizes([1670.0], ["zylon hm"], share=1.0, length=50e3)[0]
    assert_close(float(row["stop_start_mass_kg"]), 2000.0, rtol=1e-3)  # published, 2 t to 1 t
    assert_close(float(row["stop_length_m"]), 120.08e3, rtol=2e-3)
    assert_close(float(row["stop_tension_N"]), 30.97e3, rtol=1e-3)
    turn = tether_sizes([1000.0], ["zylon hm"], length=50e3)[0]
    found = [
        float(turn[name]) for name in ("turn_force_N", "turn_time_s", "turn_speed_change_m_per_s")
    ]
    assert_close(found, (20e3, 52.36, 1000.0), rtol=1e-4)
    assert turn["turn_carries_line"] == 0.0  # 15.5 kN at half strength
    assert (
        tether_sizes([1000.0], ["zylon hm"], share=0.9, length=50e3)[0]["turn_carries_line"] == 1.0
    )
    v = float(turn["ejection_speed_m_per_s"])
    root = 1000.0 * v**2 / 50e3 + 0.5 * 1560.0 * 5.34e-6 * v**2
    assert_close(root / 5.34e-6, 2.9e9, rtol=1e-9)


def test_every_value_of_every_material_has_a_source(tmp_path: Path):
    rows = material_table()
    assert {row["material"] for row in rows} == set(SIZED)
    assert all(row["source"] for row in rows)
    reported = CliRunner().invoke(app, ["size", "materials", "--material", "kevlar 49"])
    assert reported.exit_code == 0
    assert "[DuPont2017]" in reported.stdout
    table = tmp_path / "materials.csv"
    assert CliRunner().invoke(app, ["size", "materials", "--out", str(table)]).exit_code == 0
    with table.open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(rows)
