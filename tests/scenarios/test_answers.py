"""The answer says in a few sentences what a person asked, for every way a run can end."""

from __future__ import annotations

import dataclasses
import math

import pytest

import haptos as hp
from haptos.campaign.answer import campaign_answer
from haptos.campaign.statistics import statistics
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.lander import answer as lander
from haptos.scenarios.registry import scenario


@pytest.fixture(scope="module")
def landed() -> Result:
    return hp.simulate("lander")


def test_the_answer_opens_summary_json_and_notebook(landed: Result) -> None:
    lines = landed.summary().splitlines()
    assert lines[1] == scenario("lander").question
    assert lines[2] == landed.answer
    assert list(landed.as_json())[:2] == ["question", "answer"]
    assert landed.answer.split("<")[0] in landed._repr_html_()


def test_a_lander_says_when_and_where_it_rests(landed: Result) -> None:
    reported = landed.metrics
    assert landed.ended is Outcome.SETTLED
    assert f"comes to rest {reported['settle_time_s']:.4g} s after its release" in landed.answer
    assert f"{reported['rest_x_m']:.4g}" in landed.answer
    assert f"{reported['first_touch_speed_m_per_s']:.3g} m/s" in landed.answer


@pytest.mark.parametrize("ended", scenario("lander").running.outcomes.value)
def test_a_lander_has_an_answer_for_every_end(landed: Result, ended: Outcome) -> None:
    text = lander.answer(dataclasses.replace(landed, ended=ended))
    assert text.count(".") >= 2
    assert "nan" not in text
    assert ("comes to rest" in text) == (ended is Outcome.SETTLED)


def test_a_lander_that_never_touches_says_so(landed: Result) -> None:
    metrics = landed.metrics | {"first_touch_time_s": math.nan, "impacts": 0}
    missed = dataclasses.replace(landed, ended=Outcome.MISSED, metrics=metrics)
    assert "never touches the ground" in lander.answer(missed)
    assert "first touches" not in lander.answer(missed)
    late = metrics | {"end_time_s": landed.config["run"]["duration_s"]}
    over = lander.answer(dataclasses.replace(missed, metrics=late))
    assert "beyond the distance of escape" in lander.answer(missed)
    assert "within" in over
    assert "escape" not in over


def test_the_answer_of_a_campaign_names_shares_and_main_metrics() -> None:
    probes = [hp.default("lander", {"contact": {"friction": f}}) for f in (0.3, 0.5, 0.7)]
    runs = hp.simulate_batch(probes).runs
    found = statistics(runs)
    text = campaign_answer(found, scenario("lander").showing.main_metrics)
    assert text.startswith("Of 3 runs 3 end as settled (100.0%, 95 % interval")
    assert f"The settle time is {runs['settle_time_s'].median():.3g} s in the median" in text
