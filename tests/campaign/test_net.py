"""Nets through the campaign runner: rows from the metrics, the same on any number of threads."""

from __future__ import annotations

from pathlib import Path

import pytest

import haptos as hp
from haptos.cli.builtin import builtin_text, campaign_names, loaded_plan

STUDIES = [name for name in campaign_names() if name.startswith("net-")]


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_of_nets_is_a_valid_plan(name: str) -> None:
    plan = loaded_plan(name)
    first, last = plan.config(0), plan.config(plan.total - 1)
    assert first.scenario == last.scenario == "net"
    assert first != last


def test_a_small_study_runs_and_has_a_column_for_every_metric(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(builtin_text("net-small-demo"), encoding="utf-8")
    one = hp.campaign(file, out=tmp_path / "one", workers=1, progress="off")
    two = hp.campaign(file, out=tmp_path / "two", workers=2, progress="off")
    assert list(one.runs["shot.angle_deg"]) == [20.0, 30.0, 40.0]
    names = hp.simulate(hp.default("net-small")).metrics
    assert set(names) <= set(one.runs.columns)
    assert one.runs.equals(two.runs)
    distance = one.runs["predicted_distance_m"].to_numpy()
    assert (distance[:-1] > distance[1:]).all()


def test_the_study_of_errors_draws_anew_for_every_run() -> None:
    plan = loaded_plan("net-errors")
    draws = {plan.config(run).errors.draw for run in range(10)}
    assert len(draws) == 10
    sizes = [plan.config(10 * point).errors for point in range(20)]
    assert [one.mass for one in sizes[:5]] == [0.1, 0.3, 0.5, 0.7, 0.9]
    assert all(sum((e.mass, e.angle, e.speed, e.delay)) > 0.0 for e in sizes)


def test_the_study_of_failures_names_one_failure_at_a_time() -> None:
    plan = loaded_plan("net-failures")
    none, missed, lost, winch = (plan.config(run) for run in range(4))
    assert none.shot.speeds_m_per_s == (1.0, 1.0, 1.0, 1.0)
    assert missed.shot.speeds_m_per_s[0] == 0.0
    assert lost.bullets.lost == (0,)
    assert winch.closing.failed == (0,)
