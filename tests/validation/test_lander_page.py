"""The page on landers: it names every item, its verdicts follow from its intervals, its exact rows hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import haptos
from tests.validation import lander_cases, landers
from tests.validation.lander_cases import by_name, cases, compute
from tests.validation.lander_maps import map_area, map_peak
from tests.validation.lander_modes import ashman_distance, two_groups
from tests.validation.lander_rows_balls import BALL_FAMILIES
from tests.validation.lander_rows_shapes import geometry_rows
from tests.validation.lander_rows_spinner import model_rows
from tests.validation.lander_verdicts import Estimate, Row, bootstrap, share, worst
from tests.validation.landers import INTRODUCTION, ITEMS, PAGE, page
from tests.validation.verdict_page import STANDINGS, rows_before, standing, with_rows_before


def test_the_page_has_a_row_for_every_item():
    items = {line.split("|")[1].strip() for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")}  # fmt: skip
    assert not set(ITEMS) - items


def test_the_page_begins_and_counts_as_its_writer_would():
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(INTRODUCTION)
    table = text.partition("## Notes")[0]
    lines = [line.split("|") for line in table.splitlines() if line.startswith("| ")][1:]
    found = [cells[7].strip(" *") for cells in lines]
    assert set(found) <= set(STANDINGS)
    assert "**" + ", ".join(f"{found.count(name)} {name}" for name in STANDINGS) + ".**" in text
    assert all(cells[6].strip() for cells in lines)  # how many runs, or none


def test_every_row_that_is_not_reproduced_has_an_explanation():
    text = PAGE.read_text(encoding="utf-8")
    table, _, reasons = text.partition("## Notes")
    for name in STANDINGS[2:6]:
        failed = [line.split("|")[1:4] for line in table.splitlines() if f"| **{name}** |" in line]
        for item, body, what in failed:
            assert f"- {item.strip()}, {body.strip()}, {what.strip()} ({name}):" in reasons


@pytest.mark.parametrize("row", [*model_rows(), *geometry_rows()], ids=lambda row: f"{row.item}")
def test_exact_rows_hold(row):
    assert row.verdict in ("holds", "reported"), row


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.1, 0.5, "holds"), (-0.5, -0.1, "fails"), (-0.1, 0.5, "undecided")]
)  # fmt: skip
def test_a_verdict_is_that_of_the_interval(low, high, expected):
    found = Estimate(0.5 * (low + high), low, high)
    assert found.is_positive == expected
    opposite = {"holds": "fails", "fails": "holds"}.get(expected, expected)
    assert found.is_negative == opposite


def test_the_worst_statement_decides_a_row():
    assert worst(["holds", "undecided"]) == "undecided"
    assert worst(["undecided", "fails", "holds"]) == "fails"
    assert worst(["holds", "holds"]) == "holds"


def test_intervals_of_the_page_hold_the_truth():
    generator, hits = np.random.default_rng(1), 0
    for _ in range(20):
        sample = generator.normal(1.0, 1.0, 50)
        found = bootstrap(lambda rows, x=sample: float(x[rows].mean()), 50)
        hits += found.low <= 1.0 <= found.high
    assert hits >= 16  # three standard deviations of 20 throws at 0.95 below 19
    found = share(np.arange(100) < 30)
    assert found.low < 0.3 < found.high


def test_names_of_cases_are_unique_and_a_page_can_be_written():
    names = [(case.name, case.body) for case in cases()]
    assert len(names) == len(set(names))
    row = Row("S1", "built-in", "what", "a|b", "found", "fails", "why")
    from unittest.mock import patch

    with patch("tests.validation.landers.counts_of_cases", lambda: "few"):
        text = page([row], 60.0, 10)
    assert "| S1 | built-in | what | a/b | found | - | **ours fails** |" in text
    assert "- S1, built-in, what (ours fails): why" in text
    assert "| S1 | built-in | what | new | - | ours fails |" in text


@pytest.mark.parametrize(
    ("verdict", "is_identity", "otherwise", "expected"),
    [
        ("holds", False, "", "reproduced"), ("holds", True, "", "identity"), ("holds", False, "open", "reproduced"),
        ("fails", False, "", "ours fails"), ("fails", True, "", "ours fails"), ("undecided", False, "", "open"),
        ("fails", False, "source shown wrong", "source shown wrong"), ("reported", False, "open", "reported"),
    ],
)  # fmt: skip
def test_a_standing_is_that_of_the_verdict(verdict, is_identity, otherwise, expected):
    row = Row("S1", "-", "-", "-", "-", verdict, is_identity=is_identity, otherwise=otherwise)
    assert standing(row) == expected


def test_rows_that_were_not_run_again_keep_what_they_said():
    first = rows_before("landers")[0]
    mine = Row(first["item"], first["about"], "anew", "-", "-", "holds")
    rows = with_rows_before([mine], "landers", "why")
    assert [row.what for row in rows if (row.item, row.body) == (mine.item, mine.body)] == ["anew"]
    assert len(rows) == len(rows_before("landers"))
    before = {(r["item"], r["about"], r["what"]): r["standing"] for r in rows_before("landers")}
    assert all(standing(row) == before[row.item, row.body, row.what] for row in rows[1:])


def test_a_map_of_places_has_its_peak_and_area():
    generator = np.random.default_rng(2)
    east, north = np.radians(-20.0 + 5.0 * generator.normal(size=(2, 4000)))
    places = np.stack([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)], axis=1)  # fmt: skip
    peak = map_peak(places)
    assert max(abs(peak[0] + 20.0), abs(peak[1] + 20.0)) <= 5.0
    # Normal of 5 deg smoothed by 10 deg: 68 % lie within pi (5^2 + 10^2) 2 ln(1/0.32).
    expected = np.pi * 125.0 * 2.0 * np.log(1.0 / 0.32)
    assert abs(map_area(places) / expected - 1.0) < 0.1


def test_two_groups_are_told_from_one():
    generator = np.random.default_rng(3)
    one = generator.normal(20.0, 5.0, 400)
    two = np.concatenate([generator.normal(10.0, 4.0, 120), generator.normal(35.0, 6.0, 280)])
    means, deviations, share_of_first = two_groups(two)
    assert np.abs(means - [10.0, 35.0]).max() < 1.5
    assert np.abs(deviations - [4.0, 6.0]).max() < 1.0
    assert abs(share_of_first - 0.3) < 0.05
    assert ashman_distance(one) < 2.0 < ashman_distance(two)


def test_rows_whose_cases_are_not_kept_are_left_out(monkeypatch, tmp_path):
    monkeypatch.setattr(lander_cases, "KEPT", tmp_path)
    lander_cases._kept_runs.cache_clear()
    assert landers._if_kept(lambda: BALL_FAMILIES["S4"]("built-in")) == []


def test_runs_are_kept_as_they_come_and_a_second_pass_adds_to_them(monkeypatch, tmp_path):
    monkeypatch.setattr(lander_cases, "KEPT", tmp_path)
    monkeypatch.setattr(lander_cases, "CHUNK", 2)
    case = replace(by_name()["bounce-cube", "built-in"], runs=5)
    compute(case, 3)
    first = pd.read_parquet(case.file)
    compute(case, 5)
    found = pd.read_parquet(case.file)
    assert (len(first), len(found)) == (3, 5)
    pd.testing.assert_frame_equal(found[:3], first)
    whole = haptos.simulate_batch(case.configs(), workers=1).runs["settle_time_s"]
    assert np.array_equal(found["settle_time_s"], whole)
