"""Means at every design point: those of its own runs, in the page and in files, and none without a sweep."""

from __future__ import annotations

import pandas as pd

from haptos.campaign.campaign import campaign
from haptos.campaign.point_statistics import point_statistics
from haptos.campaign.statistics import grouped
from tests.campaign.fake_scenario import write_study
from tests.campaign.test_findings import HEAD, SWEPT, by_restitution
from tests.close import assert_close


def study(tmp_path, text: str):
    text = text.replace('base = "lander"', 'base = "lander-bilobe"')
    return campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=by_restitution)


def test_every_point_has_the_mean_of_its_own_runs(tmp_path):
    done = study(tmp_path, SWEPT)
    (found,) = point_statistics(done.plan, done.runs)
    assert list(found.table.index)[:2] == ["cube, 0.2", "octahedron, 0.2"]
    assert found.table.index.name == "shape [-], restitution [-]"
    assert found.table["settle time [s]"].iloc[0].startswith("1620 ")
    assert (found.table["at rest [-]"] == "1 [0.839, 1]").all()  # Wilson, 20 of 20
    numbers = found.numbers
    assert isinstance(numbers, pd.DataFrame)
    cubes = done.runs[done.runs["probe.shape"] == "cube"]
    expected = grouped(cubes, "contact.restitution")["mean"].xs("settle_time_s", level="metric")
    mine = numbers[numbers["probe.shape"] == "cube"]["settle_time_s"]
    assert_close(mine.to_numpy(), expected.to_numpy(), rtol=1e-12)


def test_the_report_holds_them_and_files_beside_it(tmp_path):
    done = study(tmp_path, SWEPT)
    assert "Each design point" in [one.title for one in done.report().findings]


def test_one_point_or_one_run_at_each_has_none(tmp_path):
    plain = study(tmp_path, HEAD.format(runs=20, more=""))
    assert point_statistics(plain.plan, plain.runs) == ()


def test_switches_and_runs_that_never_rest_are_told(tmp_path):
    swept = HEAD.format(runs=3, more="") + (
        '[contact]\ncontact_motion = { sweep = "grid", values = [true, false] }\n'
    )
    done = study(tmp_path, swept)
    lost = done.runs.assign(outcome="escaped", settle_time_s=float("nan"))
    (found,) = point_statistics(done.plan, lost)
    assert list(found.table.index) == ["True", "False"]
    assert list(found.table["settle time [s]"]) == ["–", "–"]
    assert found.table["at rest [-]"].iloc[0].startswith("0 [0, ")


def test_another_scenario_has_its_own_metrics_and_share(tmp_path):
    text = (
        'base = "net-small"\n[campaign]\nruns = 4\nseed = 7\n'
        '[contact]\nfriction = { sweep = "grid", values = [0.1, 0.3] }\n'
    )

    def caught(configs, *, workers, should_stop=None):
        return [
            {"outcome": "captured" if n % 2 else "slipped", "ended": "captured", "trusted": True,
             "largest_tension_N": 10.0 * config.contact.friction}
            for n, config in enumerate(configs)
        ]  # fmt: skip

    done = campaign(write_study(tmp_path, text), out=tmp_path / "out", batch=caught)
    (found,) = point_statistics(done.plan, done.runs)
    assert "at rest [-]" not in found.table
    assert found.numbers["captured"].tolist() == [0.5, 0.5]
    assert_close(found.numbers["largest_tension_N"].to_numpy(), [1.0, 3.0], rtol=1e-12)
    assert found.note.startswith("Share of runs captured.")
