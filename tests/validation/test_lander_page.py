"""The page on landers: it names every item, its verdicts follow from its intervals, its exact rows hold."""

from __future__ import annotations

import numpy as np
import pytest

from tests.validation.lander_cases import cases
from tests.validation.lander_rows_shapes import geometry_rows
from tests.validation.lander_rows_spinner import model_rows
from tests.validation.lander_verdicts import Estimate, Row, bootstrap, share, worst
from tests.validation.landers import INTRODUCTION, ITEMS, PAGE, page
from tests.validation.verdict_page import VERDICTS


def test_the_page_has_a_row_for_every_item():
    items = {line.split("|")[1].strip() for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")}  # fmt: skip
    assert not set(ITEMS) - items


def test_the_page_begins_and_counts_as_its_writer_would():
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(INTRODUCTION)
    verdicts = [
        line.split("|")[6].strip(" *") for line in text.splitlines() if line.startswith("| ")
    ][1:]
    hold, fail, undecided, reported = (verdicts.count(verdict) for verdict in VERDICTS)
    assert len(verdicts) == hold + fail + undecided + reported
    line = f"**{hold} hold, {fail} fail, {undecided} undecided, {reported} reported.**"
    assert line in text


def test_every_failed_row_has_an_explanation():
    text = PAGE.read_text(encoding="utf-8")
    table, _, reasons = text.partition("## What fails")
    failed = [line.split("|")[1:4] for line in table.splitlines() if "| **fails** |" in line]
    for item, body, what in failed:
        assert f"- {item.strip()}, {body.strip()}, {what.strip()} (fails):" in reasons


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
    assert "| S1 | built-in | what | a/b | found | **fails** |" in text
    assert "- S1, built-in, what (fails): why" in text
