"""The page on nets: it names every item, explains what fails, and its exact rows hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.validation import net_chain, net_rows_laws
from tests.validation.lander_verdicts import Row
from tests.validation.net_chain_exact import exact_chain
from tests.validation.net_rows_chain import CLOSES, SHARES, observed_order, sticky_rows
from tests.validation.net_rows_opening import flight_rows, student
from tests.validation.net_trials import failed, merged
from tests.validation.nets import INTRODUCTION, ITEMS, PAGE, page
from tests.validation.verdict_page import STANDINGS, laid_over, rows_of_page


def lines_of_the_table() -> list[list[str]]:
    text = PAGE.read_text(encoding="utf-8").partition("## Notes")[0]
    return [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| ")]


def test_the_page_has_a_row_for_every_item():
    items = {cells[0].strip() for cells in lines_of_the_table()}
    assert not set(ITEMS) - items


def test_the_page_begins_and_counts_as_its_writer_would():
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(INTRODUCTION)
    rows = lines_of_the_table()[1:]
    found = [cells[6].strip(" *") for cells in rows]
    assert set(found) <= set(STANDINGS)
    assert "**" + ", ".join(f"{found.count(name)} {name}" for name in STANDINGS) + ".**" in text
    assert all(cells[5].strip() for cells in rows)  # how many runs, or none


def test_every_failed_row_has_an_explanation():
    reasons = PAGE.read_text(encoding="utf-8").partition("## Notes")[2]
    for cells in lines_of_the_table():
        item, net, what, found = (cells[k].strip(" *") for k in (0, 1, 2, 6))
        if found in STANDINGS[2:6]:
            assert f"- {item}, {net}, {what} ({found}):" in reasons


@pytest.mark.parametrize("row", flight_rows(), ids=lambda row: row.what)
def test_rows_of_the_parabola_hold(row):
    assert row.verdict == "holds", row


def test_v12_stress_never_passes_the_strength_and_the_run_goes_on():
    found = net_chain.breakage()
    assert found["bullet_links_broken"] == found["bullet_links"] == 4
    assert found["stress"] <= net_chain.STRENGTH
    assert len(found["listed"]) == found["threads_broken"] + found["bullet_links_broken"]
    assert found["end"] == 0.4


def test_v13_bullets_reach_their_speed_and_the_chaser_recoils():
    found = net_chain.shooting()
    assert np.abs(np.subtract(found["gained"], 1.0)).max() < 1e-6
    assert found["bend"] < 1e-6
    assert abs(found["recoil"] / found["formula"] - 1.0) < 0.01
    assert found["turned"] > 1e-3


def test_v14_lines_are_slack_before_the_touch_and_a_tenth_as_long_after_it():
    found = net_chain.winding(kind="free")
    assert abs(found["lengths"][1] / found["lengths"][0] - 0.1) < 1e-9
    assert found["tension_before"] == 0.0 < found["tension_peak"]


def test_v14_winches_gain_the_mass_of_lines_along_the_mouth():
    found = net_chain.winding(kind="interlaced")
    assert np.abs(np.subtract(found["grown"], 0.81)).max() < 0.01


def test_v15_momenta_are_kept_through_the_whole_chain():
    found = net_chain.chain(0.2, has_losses=True, closing="free")
    assert max(found["momentum"], found["angular"]) < 1e-10
    assert found["remainder"] < 5e-3
    assert found["deepest"] < 0.0


@pytest.mark.slow
@pytest.mark.parametrize("closing", ["free", "running"])
def test_v15_the_error_of_the_ledger_falls_with_the_step(closing):
    runs = [
        net_chain.chain(share, has_losses=False, closing=closing) for share in (0.4, 0.2, 0.1, 0.05)
    ]
    assert observed_order(runs) > 1.7
    assert runs[-1]["remainder"] < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("closing", ["free", "running"])
def test_v15_the_ledger_closes_with_the_shortest_steps_of_the_page(closing):
    found = net_chain.chain(SHARES[-1], has_losses=False, closing=closing, seed=1)
    assert found["remainder"] < 1e-6


@pytest.mark.slow
def test_v22_a_net_that_closes_when_it_has_swung_around_holds_the_tow():
    found = net_chain.towed(10.0, seed=2)
    assert found["outcome"] == "captured"
    assert found["remainder"] < CLOSES


@pytest.mark.slow
@pytest.mark.parametrize("closing", ["free", "running"])
def test_v15_error_control_keeps_momenta_and_closes_the_ledger(closing):
    found = exact_chain(1e-4, has_losses=False, closing=closing)
    assert max(found["momentum"], found["angular"]) < 1e-10
    assert found["remainder"] < 1e-6


@pytest.mark.slow
def test_v15_error_control_closes_the_ledger_with_losses():
    found = exact_chain(1e-2, has_losses=True, closing="running")
    assert found["remainder"] * found["scale"] < 1e-4 * found["shot_energy"]


def test_v17_a_thread_stays_on_its_side_of_an_edge():
    least, last, missed = net_rows_laws.on_the_edge()
    assert least > 0.25e-3
    assert last > 0.25e-3
    assert missed < 1e-6


def test_v18_and_v19_bullets_of_many_balls():
    assert [row.verdict for row in net_rows_laws.bullet_rows()] == ["holds", "holds"]


def test_v21_glue_holds_a_point_where_it_touched():
    assert sticky_rows()[0].verdict == "holds"


def test_v22_fixed_points_leave_the_spin_of_the_target_undamped():
    swings = net_chain.fixed_tow()["spin_swings"]
    assert swings[2] > 0.8 * swings[0]


def test_intervals_are_those_of_student():
    found = student(np.array([1.0, 2.0, 3.0]))
    assert abs(found.value - 2.0) < 1e-15
    assert abs(found.high - 2.0 - 4.302653 / np.sqrt(3.0)) < 1e-5


def test_order_of_a_square_law_is_two():
    runs = [{"share": h, "remainder": 3.0 * h * h} for h in (0.4, 0.2, 0.1)]
    assert abs(observed_order(runs) - 2.0) < 1e-12


def test_a_missed_shot_has_no_speed_and_tables_are_laid_over_each_other():
    found = failed({"bullets": {"count": 8}}, "missed")
    assert found["shot"]["speeds_m_per_s"] == [0.0] + [1.0] * 7
    assert merged({"a": {"b": 1}}, {"a": {"c": 2}}) == {"a": {"b": 1, "c": 2}}


def test_a_page_can_be_written():
    text = page([Row("V1", "kernel", "what", "a|b", "found", "fails", "why")], "10 runs")
    assert "| V1 | kernel | what | a/b | found | - | **ours fails** |" in text
    assert "- V1, kernel, what (ours fails): why" in text


def test_rows_that_are_not_run_again_stay_as_they_stand_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    took = next(line for line in text.splitlines() if "runs of openings and captures" in line)
    rows = rows_of_page(text)
    assert page(rows, took) == text
    again = replace(rows[3], found="another number", verdict="fails", otherwise="")
    new = Row("V24", "kernel", "what", "1", "2", "holds")
    found = laid_over([new, again], rows)
    assert found == [*rows[:3], again, *rows[4:], new]
    assert laid_over([replace(again, found="not run")], rows) == rows
