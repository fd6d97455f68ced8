"""The real lander in a campaign: the rows of single runs, the same bytes on every path."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.campaign.campaign import campaign
from haptos.campaign.plan import load_plan
from haptos.scenarios.lander.simulate import simulate, simulate_batch
from tests.campaign.fake_scenario import contents, write_study

STUDY = """
base = "lander"
name = "six cubes"
[campaign]
runs = 3
seed = 7
shard_runs = 2
common_random_numbers = true
[contact]
friction = { sweep = "grid", values = [0.2, 0.8] }
[release]
attitude_quaternion = { distribution = "random_attitude" }
velocity_m_per_s = [{ distribution = "normal", mean = 0.05, sigma = 0.01 }, 0.0, 0.0]
"""


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    return write_study(tmp_path_factory.mktemp("lander"), STUDY)


@pytest.fixture(scope="module")
def done(study):
    return campaign(study, out=study.parent / "out", workers=2)


def test_rows_are_those_of_single_runs(study, done):
    run = simulate(load_plan(study).config(4))
    row = done.runs.iloc[4]
    assert row["outcome"] == run.outcome.label
    np.testing.assert_equal({name: row[name] for name in run.metrics}, run.metrics)


def test_workers_shards_and_interruption_do_not_change_a_bit(study, done):
    out = study.parent / "again"
    calls = iter(range(100))

    def failing(configs, *, workers, should_stop=None):
        if next(calls) == 1:
            raise KeyboardInterrupt
        return simulate_batch(configs, workers=workers, should_stop=should_stop)

    from haptos.campaign.interruption import Interrupted

    with pytest.raises(Interrupted):
        campaign(study, out=out, workers=1, batch=failing)
    campaign(study, out=out, workers=1, resume=True)
    assert contents(out) == contents(done.directory)


def test_common_random_numbers_give_every_friction_the_same_throws(done):
    def by_friction(metric):
        return done.runs.pivot(index="replicate", columns="contact.friction", values=metric)

    touch, way = by_friction("first_touch_time_s"), by_friction("path_length_m")
    assert touch[0.2].nunique() == 3
    assert (touch[0.2] == touch[0.8]).all()
    assert (way[0.2] != way[0.8]).all()


def test_the_report_sees_the_campaign(done):
    view = done.report()
    assert view.title == "six cubes"
    assert view.keys_by_kind["swept"] == ["contact.friction"]
    assert set(view.keys_by_kind["swept"] + view.keys_by_kind["random"]) <= set(view.runs.columns)
    assert view.provenance["runs"] == 6
    assert view.cites
