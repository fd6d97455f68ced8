"""The scene of a lift-off map: colours, directions along the ground, flights that move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import haptos as hp
from haptos.core.errors import HaptosError
from haptos.results.result import Result
from haptos.results.scene import Arrows, Points, Scene, SceneSurface
from haptos.scenarios.files import parse, parse_toml, preset_text
from haptos.scenarios.liftoff.config import Config
from haptos.scenarios.liftoff.scene import overview, scene
from tests.close import assert_close


@pytest.fixture(scope="module")
def result() -> Result:
    table = parse_toml(preset_text("liftoff-ellipsoid"), "x")
    table["surface"]["level"] = 3
    return hp.simulate(parse(table, "x"))


@pytest.fixture(scope="module")
def shown(result: Result) -> Scene:
    return scene(result)


def test_the_body_has_a_colour_for_every_map(result: Result, shown: Scene):
    (body,) = [item for item in shown.items if isinstance(item, SceneSurface)]
    names = {scalar.name for scalar in body.maps}
    assert {"least speed of lift-off", "speed limit for wheels", "slope"} <= names
    least = next(scalar for scalar in body.maps if scalar.name == "least speed of lift-off")
    assert_close(np.nanmin(least.values), result.metrics["least_speed_min_m_per_s"], rtol=1e-12)


def test_arrows_lie_in_the_ground_and_are_as_long_as_the_speed(result: Result, shown: Scene):
    (arrows,) = [item for item in shown.items if isinstance(item, Arrows)]
    table = result.tables["map"]
    normal, speed = table["normal_A"].values, table["least_speed_m_per_s"].values
    vectors = np.asarray(arrows.vectors)
    assert len(vectors) == len(speed)
    assert np.abs(np.einsum("ni,ni->n", vectors, normal)).max() < 1e-12
    assert_close(np.linalg.norm(vectors, axis=1), speed, rtol=1e-12)


def test_stones_move_and_the_body_turns(result: Result, shown: Scene):
    stones = [item for item in shown.items if isinstance(item, Points) and "V" in item.label]
    assert len(stones) == 3
    way = np.asarray(stones[2].positions)[:, 0]
    assert_close(way, result.trajectory["r_B3A_A"].values, rtol=1e-12)
    quaternion = np.asarray(shown.frames[0].quaternion)
    assert_close(np.linalg.norm(quaternion, axis=1), np.ones(len(quaternion)), rtol=1e-12)
    turn = 2.0 * np.arcsin(quaternion[-1, 3])
    assert_close(turn, 1.5e-4 * shown.time[-1], rtol=1e-3)


def test_many_maps_are_colours_of_one_body(result: Result):
    config = Config.model_validate(result.config)
    runs = pd.DataFrame({"run": range(9)})
    both = overview(config, runs, {0: result, 7: result})
    (body,) = both.items
    assert [scalar.name for scalar in body.maps] == ["least speed, run 0", "least speed, run 7"]
    assert both.notes == ("Maps of 2 of 9 runs on the body of run 0.",)
    assert overview(config, pd.DataFrame(), {}).items[0].maps == ()


def test_maps_of_other_shapes_are_left_out_and_told_of(result: Result):
    """Another ellipsoid has as many vertices; its colours on this body would be a lie."""
    config = Config.model_validate(result.config)
    surface = {**result.config["surface"], "semi_axes_m": [300.0, 200.0, 100.0]}
    other = replace(result, config={**result.config, "surface": surface})
    shown = overview(config, pd.DataFrame({"run": range(2)}), {0: result, 1: other})
    assert [scalar.name for scalar in shown.items[0].maps] == ["least speed, run 0"]
    assert "1 run again have bodies of another shape" in shown.notes[0]


def test_a_result_without_maps_is_refused(result: Result):
    with pytest.raises(HaptosError, match="run the scenario again"):
        scene(replace(result, tables={}))
