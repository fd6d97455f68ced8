"""`haptos warmup`: compiles one scenario or all, by running the start of each."""

from __future__ import annotations

from typing import Any

import pytest

from haptos.scenarios.registry import scenarios
from tests.cli.commands import assert_refused, haptos


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Configurations that warmup runs, without running them."""
    found: list[Any] = []
    monkeypatch.setattr("haptos.face.simulate", found.append)
    return found


def test_one_name_compiles_that_scenario_alone(run: list[Any]):
    done = haptos("warmup", "net")
    assert done.code == 0
    assert [config.scenario for config in run] == ["net"]
    assert run[0].run.duration_s == 1.0
    assert "net: ready" in done.out


def test_no_name_compiles_all(run: list[Any]):
    assert haptos("warmup").code == 0
    assert [config.scenario for config in run] == list(scenarios())


def test_a_name_of_nothing_is_refused(run: list[Any]):
    assert_refused(haptos("warmup", "landr"), "no such scenario", "lander")
    assert not run
