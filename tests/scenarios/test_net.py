"""A net shot at a box: opens, flies, strikes, wraps, and its ledger closes."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib import resources
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from haptos.core.errors import ConfigError, GeometryError
from haptos.core.outcome import Outcome
from haptos.results.result import Result
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.figures import figures
from haptos.scenarios.net.model import build
from haptos.scenarios.net.scene import scene
from haptos.scenarios.net.simulate import check, simulate
from tests.close import assert_close


def preset() -> dict[str, Any]:
    text = resources.files("haptos.scenarios.net") / "presets" / "net.toml"
    table = tomllib.loads(text.read_text(encoding="utf-8"))
    for later in ("closing", "burns"):
        del table[later]
    del table["threads"]["axial_stiffness_N"]  # threads as stiff as their fibres
    table["tether"] = {"length_m": 8.0, "nodes": 8}
    return table


def changed(**tables: dict[str, Any]) -> Config:
    table = preset()
    for name, keys in tables.items():
        table[name] = {**table.get(name, {}), **keys}
    return Config.model_validate(table)


@pytest.fixture(scope="module")
def result() -> Result:
    """A coarse net close to its target, so that it strikes soon."""
    return simulate(
        changed(
            net={"strings": 5, "rings": 5, "width_m": 1.0, "height_m": 1.0},
            target={"distance_m": 1.4},
            shot={"speed_m_per_s": 2.0},
            run={"duration_s": 1.6, "output_interval_s": 0.05, "step_share": 0.2},
        )
    )


def test_the_net_opens_strikes_and_its_books_close(result: Result) -> None:
    assert result.trusted
    assert result.ended in (Outcome.CAPTURED, Outcome.SLIPPED)
    assert 0.2 < result.metrics["first_touch_s"] < 1.5
    assert result.metrics["best_quality_percent"] > 50.0
    assert result.ledger.relative_remainder < 0.01


def test_all_momentum_stays_with_chaser_target_bullets_and_net(result: Result) -> None:
    model = build(Config.model_validate(result.config))
    motion = result.trajectory
    mass = 1.0 / model.motion.bodies.inverse_mass
    bodies = (mass[:, None] * motion["v_BN_N"].values[-1]).sum(axis=0)
    pull = 0.5 * model.bullet_masses.sum()  # bullets leave at 2 m/s; what is lost went to the net
    assert np.linalg.norm(bodies) < pull
    assert motion["v_BN_N"].values[-1, 0, 0] < 0.0  # the chaser recoils


def test_the_scene_and_the_figures_fit_the_run(result: Result) -> None:
    seen = scene(result)
    labels = {item.label for item in seen.items}
    assert labels == {"chaser", "target", "threads", "bullets", "force on the target"}
    assert "How far the net is open" in figures(result)


def missed(duration: float, speeds: list[float]) -> Result:
    return simulate(
        changed(
            net={"strings": 5, "rings": 5},
            target={"distance_m": 30.0},
            tether={"length_m": 9.0},
            shot={"speeds_m_per_s": speeds},
            run={"duration_s": duration},
        )
    )


def test_a_bullet_that_is_not_shot_is_dragged_out_by_the_net() -> None:
    times = missed(3.0, [1.0, 1.0, 0.0, 1.0]).trajectory
    away = np.linalg.norm(times["r_BN_N"].values - times["r_BN_N"].values[:, :1], axis=2)
    early = int(np.searchsorted(times["time"].values, 0.3))
    assert away[early, 4] < 0.6
    assert min(away[early, [2, 3, 5]]) > 0.8
    assert away[-1, 4] > away[0, 4] + 0.05
    assert times["v_BN_N"].values[-1, 4, 0] > 0.1


def test_bullets_none_of_which_is_shot_stay_where_they_are() -> None:
    places = missed(0.1, [0.0] * 4).trajectory["r_BN_N"].values
    assert np.abs(places[-1] - places[0]).max() < 1e-12


def test_the_recoil_of_four_bullets_is_that_of_their_momentum() -> None:
    """Of the bullets and of the knots that are tied to them."""
    config = changed(run={"duration_s": 0.01}, net={"strings": 5, "rings": 5})
    speed = -simulate(config).trajectory["v_BN_N"].values[-1, 0, 0]
    model = build(config)
    thrown, largest_inverse_mass = model.thrown_masses.sum(), model.motion.bodies.inverse_mass[0]
    assert_close(speed, thrown * 1.0 * np.cos(np.pi / 6.0) * largest_inverse_mass, rtol=1e-9)


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"net": {"strings": 10}}, "odd"),
        ({"target": {"distance_m": 0.6}}, "in front of the chaser"),
        ({"tether": {"length_m": 0.01}}, "length_m = 0.303"),
        ({"shot": {"system": "generator", "pressure_Pa": 1.0}}, "gas"),
    ],
)
def test_what_does_not_fit_is_refused_before_work(tables: dict[str, Any], words: str) -> None:
    with pytest.raises((ConfigError, GeometryError)) as refused:
        check(changed(**tables))
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "tables",
    [
        {"bullets": {"mass_kg": 0.1}},  # besides ratio
        {"shot": {"speeds_m_per_s": [1.0, 1.0]}},
        {"closing": {"failed": [7]}},
        {"target": {"file": "x.obj"}},  # besides boxes
        {"run": {"step_share": 2.0}},
        {"threads": {"material": "tecnora"}},
    ],
)
def test_tables_that_contradict_themselves_are_refused(tables: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        changed(**tables)


def test_a_run_stored_by_an_earlier_version_is_shown(result: Result) -> None:
    """It wrote the gravity of the ground for nets that are elsewhere, which files may not."""
    environment = {**result.config["environment"], "gravity_m_per_s2": [0.0, 0.0, -9.81]}
    stored = {**result.config, "environment": environment}
    with pytest.raises(ValidationError, match="remove it, or kind = 'ground'"):
        Config.model_validate(stored)
    assert Config.read_back(stored) == Config.model_validate(result.config)
    assert len(scene(replace(result, config=stored)).items) == len(scene(result).items)
    environment["gravity_m_per_s2"] = [0.0, 0.0, -1.0]  # not what it wrote by itself
    with pytest.raises(ValidationError, match="on the ground"):
        Config.read_back(stored)
