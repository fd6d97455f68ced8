"""`haptos size tether`: a table, a file, a picture, and what it refuses."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from haptos.cli.main import app
from haptos.core.errors import ConfigError
from haptos.dynamics.cable.tether_sizes import COLUMNS, tether_sizes
from tests.close import assert_close


def test_it_prints_the_best_first_and_every_material():
    told = CliRunner().invoke(app, ["size", "tether", "--speed", "1000"])
    assert told.exit_code == 0
    assert told.stdout.startswith("Best of all: carbon nanotube at 1000 m/s")
    assert "nylon 66" in told.stdout


def test_it_writes_a_table_and_a_picture(tmp_path: Path):
    table, picture = tmp_path / "sizes.csv", tmp_path / "sizes.png"
    words = ["--material", "zylon hm", "--out", str(table), "--plot", str(picture)]
    told = CliRunner().invoke(app, ["size", "tether", *words])
    assert told.exit_code == 0
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert_close(float(rows[1]["payload_per_tether"]), 1.359, rtol=1e-3)
    assert_close(float(rows[1]["tapered_tether_per_payload"]), 0.6456, rtol=5e-4)
    assert picture.read_bytes().startswith(b"\x89PNG")


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
    ],
)
def test_what_cannot_be_sized_is_refused(changes, words):
    with pytest.raises(ConfigError, match=words):
        tether_sizes(**{"speeds": [1000.0], **changes})
