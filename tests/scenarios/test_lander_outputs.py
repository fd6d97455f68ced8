"""What a lander run reports: the same whatever is stored of it, and as accurate as its motion."""

from __future__ import annotations

import numpy as np
import pytest

import haptos
from haptos.core.outcome import Outcome
from haptos.dynamics.touching.batch_march import march_recorded
from haptos.scenarios.files import parse, parse_toml, preset_names, preset_text
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.model import build
from tests.hard_cases import CUBE, hard, kinds
from tests.lander_cases import lander

SHORT = 3000.0  # [s] of a preset; all have touched the ground by then
PRESETS = [
    name
    for name in preset_names()
    if name.startswith("lander") and "file" not in parse_toml(preset_text(name), name)["surface"]
]
# Pairs in polygonal contact have a march of their own, and its test: test_grounded_run.py.
MARCHED = [
    name
    for name in PRESETS
    if parse_toml(preset_text(name), name)["contact"].get("law") != "foundation"
]


def preset(name: str, interval: float) -> Config:
    config = parse(parse_toml(preset_text(name), name), name)
    assert isinstance(config, Config)
    run = config.run.model_copy(
        update={
            "output_interval_s": interval,
            "duration_s": min(config.run.duration_s, SHORT),
        }
    )
    return config.model_copy(update={"run": run})


@pytest.mark.parametrize("name", MARCHED)
def test_the_motion_has_the_same_bits_for_any_output_interval(name):
    found = []
    for interval in (0.0, 7.3, 100.0):
        batch, _, events = march_recorded(build(preset(name, interval)))
        memory = batch.memory[0].copy()
        memory["counts"]["rows"] = 0
        found.append((batch.state.tobytes(), memory.tobytes(), events.tobytes()))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name", PRESETS)
def test_no_stored_row_misses_more_energy_than_is_reported_as_the_largest(name):
    ledger = haptos.simulate(preset(name, 7.3)).ledger
    rows = np.abs(ledger.remainder).max()
    assert rows <= ledger.max_remainder
    assert ledger.max_remainder in (rows, ledger.step_remainder)
    # Rows are steps of their own, as accurate as the motion: interpolated ones missed up to 26 times as much.
    assert rows <= 1.3 * ledger.step_remainder


def test_a_ball_at_rest_after_impacts_touches_the_ground():
    result = haptos.simulate(hard())
    assert result.ended is Outcome.SETTLED
    assert result.metrics["touching_at_end"] == 1


def test_a_cube_at_rest_touches_with_its_face():
    for config in (hard(probe=CUBE), lander()):
        result = haptos.simulate(config)
        assert result.ended is Outcome.SETTLED
        assert result.metrics["touching_at_end"] == 4


def test_a_probe_that_still_flies_touches_nothing():
    result = haptos.simulate(hard(run={"duration_s": 3.0}))
    assert result.metrics["touching_at_end"] == 0


def test_a_slide_is_reported_with_its_place_and_motion():
    result = haptos.simulate(
        hard(release={"position_m": [0.0, 0.0, 0.1], "velocity_m_per_s": [0.01, 0.0, 0.0]})
    )
    slide = kinds(result).index("slide")
    events = result.events
    np.testing.assert_allclose(events["normal_A"].values[slide], [0.0, 0.0, 1.0], atol=1e-15)
    assert abs(events["point_A"].values[slide][2]) < 1e-9
    assert np.all(np.isfinite(events["v_before_A"].values[slide]))


def test_a_place_of_rest_after_many_impacts_is_said_to_be_one_of_many():
    said = {name: haptos.simulate(name).answer for name in ("lander", "lander-itokawa")}
    assert "one of many" in said["lander-itokawa"]
    assert "one of many" not in said["lander"]
    repeated = haptos.simulate(haptos.default("lander-itokawa", {"run": {"repeats": 2}}))
    assert "one of many" not in repeated.answer
