"""Shares of a swept campaign are those of each swept value, on the console, in the answer, the report and the files."""

from __future__ import annotations

import json

import pytest

from haptos.campaign.answer import campaign_answer
from haptos.campaign.campaign import Campaign, campaign
from haptos.campaign.swept_outcomes import named_value, swept_outcomes, swept_parts
from haptos.cli.campaign import campaign_text, summary
from haptos.view.report import campaign_report
from tests.campaign.fake_scenario import write_study

STUDY = """
base = "lander"
[campaign]
runs = 10
seed = 3
shard_runs = 100
{more}
[contact]
friction = {friction}
"""
GRID = '{ sweep = "grid", values = [0.1, 0.5, 0.9] }'


def settles_by_friction(configs, *, workers, should_stop=None):
    """Of ten runs each: one settles at friction 0.1, five at 0.5, nine at 0.9."""
    seen: dict[float, int] = {}
    rows = []
    for config in configs:
        friction = config.contact.friction
        seen[friction] = seen.get(friction, 0) + 1
        outcome = "settled" if seen[friction] <= round(10 * friction) else "escaped"
        rows.append(
            {"outcome": outcome, "ended": outcome, "trusted": True, "settle_time_s": 100.0 * friction}
        )  # fmt: skip
    return rows


def study(tmp_path, friction: str = GRID, more: str = "") -> Campaign:
    text = STUDY.format(friction=friction, more=more)
    return campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=settles_by_friction)


def test_every_swept_value_has_shares_of_its_own(tmp_path):
    done = study(tmp_path)
    (found,) = swept_outcomes(done.plan, done.runs)
    assert found.numbers is not None
    assert found.numbers["settled"].tolist() == [1, 5, 9]
    assert found.numbers["runs"].tolist() == [10, 10, 10]
    assert list(found.table.index) == ["0.1", "0.5", "0.9"]
    assert found.table["settled"].iloc[0] == "1 (10%) [2%, 40%]"  # Wilson, 1 of 10


def test_the_answer_gives_no_pooled_share(tmp_path):
    done = study(tmp_path)
    answer = done.report().answer
    assert answer.startswith("Of 30 runs at 3 swept values 15 end as escaped, 15 end as settled.")
    assert (
        "The share of settled is 10% at friction 0.1, 50% at friction 0.5, 90% at friction 0.9."
        in answer
    )
    assert (
        "The median settle time lies between 10 s (at friction 0.1) and 90 s (at friction 0.9)."
        in answer
    )
    assert "50.0%" not in answer
    assert "interval" not in answer


def test_console_json_and_report_show_them(tmp_path):
    done = study(tmp_path)
    assert "0.5           10        5 (50%) [24%, 76%]  5 (50%) [24%, 76%]" in campaign_text(done)
    reported = json.loads(json.dumps(summary(done)))
    rows = reported["swept_outcomes"]["Outcomes at each swept value"]
    assert [row["settled"] for row in rows] == [1, 5, 9]
    page = campaign_report(done.report(), tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Outcomes at each swept value" in page
    assert "9 (90%) [60%, 98%]" in page
    assert "95 % interval of the share" not in page
    assert "these shares depend on which values were chosen" in page


@pytest.mark.parametrize(
    ("friction", "more"),
    [
        ('{ distribution = "uniform", low = 0.1, high = 0.9 }', ""),
        ('{ sweep = "latin_hypercube", low = 0.1, high = 0.9 }', "points = 4"),
    ],
)
def test_what_samples_a_range_is_one_population(tmp_path, friction, more):
    done = study(tmp_path, friction, more)
    assert swept_parts(done.plan, done.runs) == {}
    assert swept_outcomes(done.plan, done.runs) == ()
    assert "95 % interval" in done.report().answer


def test_a_large_map_has_a_table_for_each_key(tmp_path):
    grid = '{ sweep = "grid", low = 0.1, high = 0.9, count = 9 }'
    more = "[settle]\nplace_hold_s = " + '{ sweep = "grid", low = 10.0, high = 90.0, count = 8 }'
    text = STUDY.format(friction=grid, more="").replace("runs = 10", "runs = 1") + more
    done = campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=settles_by_friction)
    assert len(swept_parts(done.plan, done.runs)) == 72
    one, other = swept_outcomes(done.plan, done.runs)
    assert (len(one.table), len(other.table)) == (9, 8)
    assert "[" not in one.table["settled"].iloc[0]  # no interval over other swept keys
    said = campaign_answer(done.statistics, (), swept_parts(done.plan, done.runs), "settled")
    assert "The share of settled lies between 0% (at friction 0." in said


def test_a_swept_value_is_told_with_its_name_and_unit():
    assert named_value("release.thrust_N", 10.0) == "thrust 10 N"
    assert named_value("release.velocity_m_per_s[0]", 0.05) == "velocity[0] 0.05 m/s"
    assert named_value("contact.friction", 0.5) == "friction 0.5"


def test_a_notebook_shows_question_answer_and_trust(tmp_path):
    shown = study(tmp_path)._repr_html_()
    assert "<strong>Of 30 runs at 3 swept values" in shown
    assert "30 of 30 runs are trusted." in shown
