"""Surfaces that turn faster than threads and steps can follow are not trusted, with place and time."""

from __future__ import annotations

import numpy as np
import pytest

import haptos
from haptos.results.checks import Check
from haptos.results.result import Result
from haptos.scenarios.files import parse, parse_toml, preset_text
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import build
from haptos.scenarios.net.simulate import run
from haptos.scenarios.net.striking import turning_checks


def small(**tables: object) -> Config:
    config = parse(laid_over(parse_toml(preset_text("net-small"), "test"), tables), "test")
    assert isinstance(config, Config)
    return config


def found(result: Result, name: str) -> Check:
    return next(check for check in result.checks if check.name == name)


def test_a_surface_near_the_speed_of_sound_of_threads_is_not_trusted() -> None:
    """36,000 deg/s of a box of 0.3 m: its corners pass at 163 m/s, waves in the threads run at 488 m/s."""
    result = haptos.simulate(small(target={"rate_deg_per_s": [36000.0, 0.0, 0.0]}))
    check = found(result, "surface speed")
    corner, sound = (
        200.0 * np.pi * np.sqrt(3.0) * 0.15,
        np.sqrt(85.0 / (0.4 * 0.25e-6 * np.pi * 1140.0)),
    )
    assert check.value == pytest.approx(corner / sound, rel=1e-9)
    assert not result.trusted
    assert "The speed of a surface by its turn" in result.verdict
    assert "m from the centre of 'target', touched from 0.91" in result.verdict


def test_a_target_that_tumbles_slowly_passes_with_room() -> None:
    result = haptos.simulate(small())
    assert 0.0 < found(result, "surface speed").value < 1e-3
    assert 0.0 < found(result, "surface travel").value < 1e-3
    assert result.trusted


def test_a_surface_that_passes_an_element_in_a_step_is_not_trusted() -> None:
    """A long box of 600 deg/s against elements of 1 cm: 2 cm in a step of 1 ms."""
    config = small(
        net={"nodes_per_link": 24}, run={"longest_step_s": 1e-3, "duration_s": 0.02},
        target={"rate_deg_per_s": [0.0, 0.0, 600.0], "distance_m": 3.0,
                "boxes": [{"size_m": [0.1, 4.0, 0.1], "mass_kg": 20.0}]},
    )  # fmt: skip
    model = build(config)
    stored, _, _ = run(config, model, lambda share: None)
    assert turning_checks(config, model, stored) == []  # nothing was touched
    model.motion.step.touched_at = 0.01
    travel = turning_checks(config, model, stored)[1]
    assert travel.name == "surface travel"
    reach = 0.5 * np.sqrt(4.0**2 + 2 * 0.1**2)
    step = 0.01 / np.radians(600.0)
    assert travel.value == pytest.approx(np.radians(600.0) * reach * step / 0.01, rel=1e-6)
    assert not travel.holds


def test_a_target_that_does_not_turn_is_not_asked() -> None:
    result = haptos.simulate(small(target={"rate_deg_per_s": [0.0, 0.0, 0.0]}))
    assert [check.name for check in result.checks if check.name.startswith("surface ")] == []
