"""Run until precise: stops where the runs in order say so, whatever the threads and interruptions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from haptos.campaign.campaign import campaign, open_campaign
from haptos.campaign.intervals import mean_interval
from haptos.campaign.plan import load_plan
from haptos.campaign.precision import Goal, Until, half_width
from haptos.cli.campaign import campaign_text
from haptos.core.errors import ConfigError
from haptos.scenarios.files import load
from tests.campaign.fake_scenario import contents, fake_batch, write_study

STUDY = """
schema = 1
scenario = "lander"
base = "lander"
[campaign]
runs = 1000
seed = 7
shard_runs = 50
until = { metric = "settle_time_s", statistic = "mean", half_width = 3.0 }
[contact]
friction = { distribution = "uniform", low = 0.2, high = 0.8 }
"""


@pytest.fixture
def study(tmp_path):
    return write_study(tmp_path, STUDY)


def rows(values):
    count = len(values)
    columns = {"outcome": ["settled"] * count, "trusted": [True] * count, "time_s": values}
    return pa.Table.from_pydict(columns)


def test_a_campaign_stops_at_the_first_shard_that_knows_enough(study, tmp_path):
    done = campaign(study, out=tmp_path / "out", batch=fake_batch)
    count = len(done.runs)
    assert count % 50 == 0
    assert 100 < count < 1000
    for stop, enough in ((count, True), (count - 50, False)):
        part = done.runs[:stop]
        low, high = mean_interval(part["settle_time_s"][part["trusted"]])
        assert (0.5 * (high - low) <= 3.0) == enough
    assert done.report().provenance["until"] == "mean of settle_time_s known to 3, met"
    assert len(list((tmp_path / "out" / "shards").iterdir())) == count // 50


def test_the_stop_does_not_depend_on_threads_or_on_what_was_there(study, tmp_path):
    first = campaign(study, out=tmp_path / "one", batch=fake_batch, workers=1)
    campaign(study, out=tmp_path / "many", batch=fake_batch, workers=64)  # all shards in one batch
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    (tmp_path / "many" / "runs.parquet").unlink()
    (tmp_path / "many" / "shards" / "shard-000001.parquet").unlink()
    resumed = campaign(study, out=tmp_path / "many", batch=fake_batch, resume=True)
    assert contents(tmp_path / "one") == contents(tmp_path / "many")
    assert open_campaign(tmp_path / "many").runs.equals(first.runs)
    assert resumed.runs.equals(first.runs)


def test_a_goal_out_of_reach_uses_all_runs_and_says_so(tmp_path):
    text = STUDY.replace("half_width = 3.0", "half_width = 0.01").replace("1000", "210")
    done = campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=fake_batch)
    assert len(done.runs) == 210
    assert "not met by 210 runs" in done.report().provenance["until"]


def test_a_goal_that_the_very_last_shard_reaches_is_met(tmp_path):
    done = campaign(write_study(tmp_path, STUDY), out=tmp_path / "out", batch=fake_batch)
    needed = len(done.runs)
    assert needed < 1000
    just = write_study(tmp_path, STUDY.replace("1000", str(needed)), "just.toml")
    again = campaign(just, out=tmp_path / "just", batch=fake_batch)
    assert len(again.runs) == needed == again.plan.total
    assert again.is_goal_met
    assert again.report().provenance["until"].endswith(", met")
    assert f"known to 3: met, at most {needed} runs" in campaign_text(again)


def test_shards_that_arrive_in_any_order_stop_at_the_same_place():
    generator = np.random.default_rng(1)
    parts = [generator.normal(0.0, 1.0, 40) for _ in range(30)]
    until = Until(metric="time_s", half_width=0.1)
    stops = set()
    for order in (range(30), range(29, -1, -1), generator.permutation(30)):
        goal = Goal(until, "study")
        for shard in order:
            goal.take(int(shard), rows(parts[shard]))
        stops.add(goal.shards)
    assert len(stops) == 1
    assert 8 <= stops.pop() <= 13  # 384 values are needed on average


def test_intervals_of_campaigns_that_stopped_hold_the_truth():
    generator, hits = np.random.default_rng(2), 0
    for _ in range(100):
        goal, kept, shard = Goal(Until(metric="time_s", half_width=0.15), "study"), [], 0
        while not goal.is_reached:
            kept.append(generator.exponential(1.0, 100))
            goal.take(shard, rows(kept[-1]))
            shard += 1
        low, high = mean_interval(np.concatenate(kept))
        hits += low <= 1.0 <= high
    assert hits >= 88  # three standard deviations of 100 throws at 0.95 below it


def test_quantiles_and_shares_have_their_own_widths():
    values = np.random.default_rng(3).normal(0.0, 1.0, 400)
    median = half_width(Until(metric="a", statistic="median", half_width=1.0), values)
    mean = half_width(Until(metric="a", statistic="mean", half_width=1.0), values)
    assert 1.0 < median / mean < 1.6  # sqrt(pi / 2) on average
    share = half_width(Until(metric="a", statistic="share", half_width=1.0), values > 0.0)
    assert 0.045 < share < 0.051  # 1.96 sqrt(0.25 / 400) = 0.049
    few = half_width(Until(metric="a", statistic="q95", half_width=1.0), values[:20])
    assert few == float("inf")


def test_unknown_metrics_statistics_widths_and_many_points_are_refused(tmp_path):
    def refused(old, new, word):
        with pytest.raises(ConfigError, match=word):
            campaign(
                write_study(tmp_path, STUDY.replace(old, new)),
                out=tmp_path / "out",
                batch=fake_batch,
            )

    refused('"settle_time_s"', '"settle"', "settle_time_s")
    refused('"mean"', '"mode"', "until")
    refused("3.0", "0.0", "half_width")
    swept = STUDY + 'rolling_resistance_m = { sweep = "grid", values = [0.002, 0.005] }\n'
    with pytest.raises(ConfigError, match="2 design points"):
        load_plan(write_study(tmp_path, swept))


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ('metric = "settle_time"', "settle_time_s"),
        ('metric = "setled", statistic = "share"', "settled"),
    ],
)
def test_a_name_that_nothing_has_is_refused_before_work(given, advice, tmp_path):
    text = STUDY.replace('metric = "settle_time_s", statistic = "mean"', given)
    with pytest.raises(ConfigError) as refusal:
        campaign(write_study(tmp_path, text), out=tmp_path / "out")
    assert f"'{advice}'" in refusal.value.hint
    assert not (tmp_path / "out").exists()


LIFTOFF = """
schema = 1
scenario = "liftoff"
base = "liftoff"
[campaign]
runs = 500
until = { metric = "least_speed_min_m_per_s", half_width = 0.01 }
[spin]
period_h = { distribution = "uniform", low = 8.0, high = 14.0 }
"""


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ('metric = "settle_time_s"', "flight_duration_s"),
        ('metric = "settled", statistic = "share"', "mapped"),
        ('metric = "least_speed_m_per_s"', "least_speed_min_m_per_s"),
    ],
)
def test_what_a_lift_off_never_tells_is_refused_before_work(given, advice, tmp_path):
    text = LIFTOFF.replace('metric = "least_speed_min_m_per_s"', given)
    with pytest.raises(ConfigError) as refusal:
        campaign(write_study(tmp_path, text), out=tmp_path / "out")
    assert advice in refusal.value.allowed
    assert not (tmp_path / "out").exists()


def test_outcomes_of_another_scenario_are_refused():
    from haptos.campaign.precision import check_goal

    for scenario, never in (("lander", "mapped"), ("lander", "captured"), ("net", "mapped")):
        with pytest.raises(ConfigError, match=never):
            check_goal(Until(metric=never, statistic="share", half_width=0.1), scenario, "study")
    for scenario in ("lander", "net", "liftoff"):
        rule = Until(metric="not trusted", statistic="share", half_width=0.1)
        check_goal(rule, scenario, "study")


def test_every_metric_a_lander_tells_can_be_asked_for():
    from haptos.campaign.precision import check_goal
    from haptos.scenarios.lander.metrics import metric_names
    from haptos.scenarios.lander.simulate import simulate

    reported = simulate(load("lander")).metrics
    assert metric_names() == tuple(reported)
    for name in reported:
        check_goal(Until(metric=name, half_width=1.0), "lander", "study")
