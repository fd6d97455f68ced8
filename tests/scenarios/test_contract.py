"""Scenarios are what their contract says: every part is there, and outsiders can add one."""

from __future__ import annotations

import ast
import dataclasses
import functools
from importlib import metadata
from types import SimpleNamespace

import pytest

from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.scenarios import registry
from haptos.scenarios.contract import Part, Parts, Scenario
from haptos.scenarios.registry import scenario, scenarios
from haptos.scenarios.schema import ScenarioConfig
from tests.house.sources import PACKAGE, SOURCES, relative, tree


def parts_of(described: object) -> dict[str, Part]:
    fields = {field.name: getattr(described, field.name) for field in dataclasses.fields(described)}  # type: ignore[arg-type]
    return {name: value for name, value in fields.items() if isinstance(value, Part)}


@pytest.mark.parametrize("name", list(scenarios()))
def test_every_part_of_a_scenario_can_be_imported(name: str) -> None:
    found = scenario(name)
    assert found.name == name
    assert found.question.endswith("?")
    assert issubclass(found.config_model, ScenarioConfig)
    for described in (found.running, found.showing, found.studying):
        assert all(part.value is not None for part in parts_of(described).values())
    assert all(isinstance(outcome, Outcome) for outcome in found.running.outcomes.value)
    assert found.showing.overview is None or found.showing.scene is not None


def test_main_metrics_are_metrics_of_the_scenario() -> None:
    for found in scenarios().values():
        names = found.running.metric_names
        assert found.showing.main_metrics
        if names is not None:
            assert set(found.showing.main_metrics) <= set(names())


def test_what_a_campaign_reports_are_metrics_and_outcomes_of_the_scenario() -> None:
    for found in scenarios().values():
        asked, names = found.studying, found.running.metric_names
        named = asked.sensitivity_of
        decided = (named,) if isinstance(named, str) else named
        metrics = {*asked.point_metrics, *decided, asked.fits_of} - {""}
        if names is not None:
            assert metrics <= set(names()), found.name
        outcomes = {outcome.label for outcome in found.running.outcomes.value}
        counted = (asked.share[0],) if isinstance(asked.share[0], str) else asked.share[0]
        assert set(counted) <= {"", *outcomes}, found.name
        assert bool(asked.share[0]) == bool(asked.share[1]), found.name


def test_a_scenario_nobody_registers_is_refused() -> None:
    with pytest.raises(ConfigError, match="no such scenario") as caught:
        scenario("landr")
    assert "lander" in caught.value.allowed


@pytest.fixture
def outsider(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Put entry points of other packages in place of those installed."""

    def register(*entries: SimpleNamespace) -> None:
        monkeypatch.setattr(metadata, "entry_points", lambda group: entries)
        registry.scenarios.cache_clear()

    yield register
    monkeypatch.undo()
    registry.scenarios.cache_clear()


def entry(loaded: object) -> SimpleNamespace:
    def load() -> object:
        if isinstance(loaded, Exception):
            raise loaded
        return loaded

    return SimpleNamespace(name="mine", value="mine:SCENARIO", load=load)


def test_a_scenario_from_outside_is_one_of_them(outsider) -> None:  # type: ignore[no-untyped-def]
    own = dataclasses.replace(scenario("lander"), name="mine")
    outsider(entry(own))
    assert scenario("mine") is own
    assert list(scenarios())[-1] == "mine"


@pytest.mark.parametrize(
    ("loaded", "words"),
    [
        (ImportError("no numba here"), "no numba here"),
        ("text", "a str"),
        (scenario("lander"), "'lander' in"),
    ],
)
def test_an_outsider_that_does_not_fit_is_refused(outsider, loaded: object, words: str) -> None:  # type: ignore[no-untyped-def]
    outsider(entry(loaded))
    with pytest.raises(ConfigError, match=words):
        scenarios()


def test_a_part_is_imported_only_when_it_is_used() -> None:
    part = Parts("nowhere")("simulate.simulate")
    assert part == Part("nowhere.simulate", "simulate")
    with pytest.raises(ModuleNotFoundError):
        part()


@functools.cache
def imported_names(path) -> set[str]:  # type: ignore[no-untyped-def]
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_nobody_outside_a_scenario_imports_its_folder() -> None:
    wrong = []
    for found in scenarios().values():
        folder = PACKAGE.joinpath(*found.package.split(".")[1:])
        for path in SOURCES:
            if path.is_relative_to(folder):
                continue
            inside = [one for one in imported_names(path) if one.startswith(found.package)]
            wrong += [f"{relative(path)} imports {one}" for one in inside]
    # A lift-off map has the ground, gravity and spin tables of a lander until these are shared.
    known = "src/haptos/scenarios/liftoff/"
    assert [line for line in wrong if not line.startswith(known)] == []


def test_scenario_is_a_frozen_record() -> None:
    assert isinstance(scenario("net"), Scenario)
    with pytest.raises(dataclasses.FrozenInstanceError):
        scenario("net").name = "other"  # type: ignore[misc]
