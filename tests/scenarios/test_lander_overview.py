"""Many landers in one scene: what varies between runs is reported, and a tumbling body tumbles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import haptos as hp
from haptos.environment.spin import uniform_attitudes
from haptos.results.result import Result
from haptos.results.scene import Lines, Points, ScalarMap, Scene, SceneSurface
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.scene_overview import overview
from haptos.scenarios.worlds.scene_ground import body_surface, world_to_draw
from tests.close import assert_close
from tests.hard_cases import ROUND, hard

UNIFORM = {"kind": "uniform", "period_h": 5.0}
TUMBLING = {
    "kind": "tumbling",
    "rate_rad_per_s": [1e-3, 0.0, 2e-3],
    "moment_ratios": [1.0, 1.5, 2.0],
}


@pytest.fixture(scope="module")
def result() -> Result:
    return hp.simulate(hp.default("lander"))


def items_of(shown: Scene) -> dict[str, object]:
    return {item.label: item for item in shown.items}


def over_sphere(spin: dict[str, object]) -> Config:
    return hard(**ROUND, spin=spin, release={"position_m": [0.0, 0.0, 101.0]})


def test_many_runs_share_one_scene(result: Result) -> None:
    rows = pd.DataFrame([result.as_row()] * 3)
    shown = overview(hp.default("lander"), rows, {0: result, 2: result})
    items = items_of(shown)
    assert {"ground", "places of rest", "trails", "probes"} <= set(items)
    probes = items["probes"]
    assert isinstance(probes, Points)
    assert np.shape(probes.positions) == (len(shown.time), 2, 3)
    assert len(overview(hp.default("lander"), rows[:0], {}).items) >= 1
    assert shown.notes == ()


def test_runs_on_another_ground_are_left_out_and_told_of(result: Result) -> None:
    here = hp.default("lander")
    rows = pd.DataFrame([result.as_row() | {"run": n, "surface.point_m[2]": z}
                         for n, z in enumerate((0.0, 0.0, 5.0))])  # fmt: skip
    surface = {**result.config["surface"], "point_m": [0.0, 0.0, 5.0]}
    lower = replace(result, config={**result.config, "surface": surface})
    shown = overview(here, rows, {0: result, 2: lower})
    items = items_of(shown)
    places, probes = items["places of rest"], items["probes"]
    assert isinstance(places, Points)
    assert isinstance(probes, Points)
    assert np.shape(places.positions) == (2, 3)
    assert np.shape(probes.positions)[1] == 1
    assert "surface.point_m[2]" in shown.notes[0]
    assert "2 of 3 runs" in shown.notes[0]


@pytest.mark.parametrize("key", ["gravity.mu_m3_per_s2", "spin.period_h"])
def test_gravity_or_spin_that_vary_are_told_of(result: Result, key: str) -> None:
    rows = pd.DataFrame([result.as_row() | {"run": n, key: float(n)} for n in range(3)])
    shown = overview(hp.default("lander"), rows, {0: result})
    (note,) = shown.notes
    assert key in note
    assert "run 0" in note
    same = rows.assign(**{key: 1.0})
    assert overview(hp.default("lander"), same, {0: result}).notes == ()


def test_a_spinning_body_turns_and_a_tumbling_one_tumbles() -> None:
    end = 1.0  # [s] of a scene without runs
    none = pd.DataFrame()
    steady = overview(over_sphere(UNIFORM), none, {})
    (frame,) = steady.frames
    spin = (0.0, 0.0, 2.0 * np.pi / (5.0 * 3600.0))
    assert_close(frame.quaternion, uniform_attitudes(spin, steady.time), rtol=1e-14)
    assert steady.notes == ()
    fast = {**TUMBLING, "rate_rad_per_s": [1.0, 0.0, 2.0]}
    tumbling = overview(over_sphere(fast), none, {})
    quaternion = np.asarray(tumbling.frames[0].quaternion)
    uniform = uniform_attitudes((1.0, 0.0, 2.0), tumbling.time)
    assert tumbling.time[-1] == end
    assert np.abs(quaternion - uniform).max() > 0.05
    assert_close(np.linalg.norm(quaternion, axis=1), np.ones(len(quaternion)), rtol=1e-12)
    assert any("tumbles" in note for note in tumbling.notes)


def test_slopes_of_a_tumbling_body_hold_the_change_of_its_spin() -> None:
    """-a = mu r / r^3 + w x (w x r) + w' x r, against the slope map at every vertex."""
    config = over_sphere(TUMBLING)
    world = world_to_draw(config)
    assert world is not None
    drawn = body_surface(config, world)
    places = np.asarray(drawn.vertices)
    w, moments = np.array([1e-3, 0.0, 2e-3]), np.array([1.0, 1.5, 2.0])
    change = -np.cross(w, moments * w) / moments
    load = 2.0 * places / 100.0**3 + np.cross(w, np.cross(w, places)) + np.cross(change, places)
    unit = places / np.linalg.norm(places, axis=1, keepdims=True)
    sine = np.linalg.norm(np.cross(load, unit), axis=1)
    expected = np.degrees(np.arctan2(sine, np.sum(load * unit, axis=1)))
    slope = next(scalar for scalar in drawn.maps if scalar.name == "slope")
    assert isinstance(slope, ScalarMap)
    # Normals of 5120 facets stand off from those of the sphere by some tenths of a degree.
    assert np.abs(np.asarray(slope.values) - expected).max() < 0.3
    still = 2.0 * places / 100.0**3 + np.cross(w, np.cross(w, places))
    sine = np.linalg.norm(np.cross(still, unit), axis=1)
    without = np.degrees(np.arctan2(sine, np.sum(still * unit, axis=1)))
    assert np.abs(np.asarray(slope.values) - without).max() > 1.0


def test_the_density_of_places_of_rest_is_a_map_of_the_body(result: Result) -> None:
    config = over_sphere(UNIFORM)
    ring = np.array([[100.0 * np.cos(a), 100.0 * np.sin(a), 0.0] for a in np.linspace(0, 6, 40)])
    rows = pd.DataFrame({"run": range(40), "settle_time_s": 1.0})
    rows[["rest_x_m", "rest_y_m", "rest_z_m"]] = ring
    shown = overview(config, rows, {})
    body = items_of(shown)["body"]
    assert isinstance(body, SceneSurface)
    density = np.asarray(body.maps[0].values)
    height = np.abs(np.asarray(body.vertices)[:, 2])
    assert density[height < 10.0].mean() > 10.0 * density[height > 40.0].mean()
    assert not any(isinstance(item, Lines) for item in shown.items)
