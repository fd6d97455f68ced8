"""The lift-off scenario: what it stores, what its numbers are, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import haptos as hp
from haptos import reports
from haptos.core.errors import ConfigError
from haptos.results.drawings import BodyMap, LinePlot
from haptos.results.result import Result
from haptos.scenarios.files import default, parse, parse_toml, preset_text
from haptos.scenarios.liftoff.answer import answer
from haptos.scenarios.liftoff.figures import figures
from haptos.scenarios.liftoff.model import build
from haptos.scenarios.liftoff.tables import metric_names
from tests.cli.commands import assert_refused, haptos
from tests.close import assert_close
from tests.geometry.closed_meshes import ball

FILES = {
    "checksums.json", "fit.csv", "figures", "latitudes.csv", "liftoff.ply", "liftoff.vtp", "rays.csv", "report.html",
    "result.nc", "ridges.csv", "scenario.toml", "summary.json", "vertices.parquet",
}  # fmt: skip


def changed(name: str, **tables: dict) -> hp.Result:
    table = parse_toml(preset_text(name), name)
    for key, values in tables.items():
        table[key] = {**table.get(key, {}), **values}
    return hp.simulate(parse(table, name))


@pytest.fixture(scope="module")
def ellipsoid() -> Result:
    return changed("liftoff-ellipsoid", surface={"level": 4})


@pytest.fixture(scope="module")
def top() -> Result:
    return changed(
        "liftoff", surface={"level": 3}, gravity={"facets": 400}, harmonics={"degrees": [4, 8]}
    )


def test_an_ellipsoid_has_its_tabulated_range_of_speeds(ellipsoid: Result):
    assert ellipsoid.outcome.label == "mapped"
    reported = ellipsoid.metrics
    assert_close(reported["least_speed_min_m_per_s"], 0.0452, rtol=3e-3)
    table = ellipsoid.tables["map"]
    greatest = table["greatest_speed_m_per_s"].values
    assert_close([greatest.min(), greatest.max()], [0.0984, 0.4335], rtol=3e-3)
    assert reported["convex_share"] == 1.0
    assert reported["held_share"] == 1.0


def test_names_of_all_metrics_are_known_before_a_run(ellipsoid: Result):
    assert metric_names() == tuple(ellipsoid.metrics)


def test_flights_of_a_run_confirm_its_speed_and_keep_their_energy(ellipsoid: Result):
    reported = ellipsoid.metrics
    assert reported["flight_confirmed_s"] == reported["flight_duration_s"]
    assert ellipsoid.trusted
    assert ellipsoid.ledger.relative_remainder < 1e-9
    slow, same, fast = (ellipsoid.trajectory[f"height_B{k}"].values[-1] for k in (1, 2, 3))
    assert slow < 0.0 < fast
    assert abs(same) < 0.1 * min(-slow, fast)
    assert abs(reported["place_latitude_deg"] - 20.0) < 12.0  # the mesh is even in direction


def test_rays_hold_both_roots_and_the_plane(ellipsoid: Result):
    rays = ellipsoid.tables["rays"]
    along, against = rays["speed_m_per_s"].values, rays["speed_against_m_per_s"].values
    assert_close(against[:180], -along[180:360], rtol=1e-12)
    ratio = rays["plane_ratio"].values
    assert np.nanmin(ratio) > 1.0
    assert np.isnan(ratio[180])  # against the spin a plane never lets go
    least = ellipsoid.metrics["place_speed_m_per_s"]
    assert least <= along.min() < 1.001 * least


def test_a_saved_map_opens_again_the_same(ellipsoid: Result, tmp_path: Path):
    assert hp.open(ellipsoid.save(tmp_path)).equals(ellipsoid)


def test_a_body_with_a_series_shows_every_figure(top: Result):
    wanted = figures(top)
    assert {
        "Least speed of lift-off", "Greatest speed of lift-off", "Greatest less least",
        "Least radius of curvature", "Greatest radius of curvature",
        "Speed over a ridge, ball of 1 m", "Speed over azimuth", "Radius of curvature over azimuth",
        "Plane over curved ground", "Speed over a ridge by size", "Height of the flights",
        "Flights from the place of least speed", "Least latitude of release",
        "Speed limit for wheels", "Speed limit for hops", "Slope", "Error of the harmonic fit",
        "Curvature of mesh less harmonics", "Section at the equator",
    } == set(wanted)  # fmt: skip
    for drawing in wanted.values():
        assert isinstance(drawing, BodyMap | LinePlot)
        if isinstance(drawing, BodyMap):
            assert drawing.values.shape == (len(drawing.faces),)
            assert np.isfinite(drawing.values).any()


def test_curvature_may_come_from_the_series(top: Result):
    own = changed(
        "liftoff", surface={"level": 3}, gravity={"facets": 400},
        harmonics={"degrees": [4, 8], "use": True},
    )  # fmt: skip
    mesh, series = (r.tables["map"]["curvature_largest_per_m"].values for r in (top, own))
    assert not np.allclose(mesh, series)
    assert_close(np.median(series), np.median(mesh), rtol=0.2)
    both = [r.tables["map"]["curvature_difference"].values for r in (top, own)]
    assert_close(both[0], both[1], rtol=0.05)


def test_the_command_stores_tables_meshes_pictures_and_a_report(tmp_path: Path, monkeypatch):
    settings = ["surface.level=2", "gravity.facets=300", "harmonics.degrees=[3,4]"]
    options = [part for setting in settings for part in ("--set", setting)]
    monkeypatch.setattr("haptos.scenarios.liftoff.figures.figures", few_figures)  # the rest is slow
    done = haptos("run", "liftoff", *options, "--out", tmp_path / "map", "--json")
    assert done.code == 0, done
    reported = json.loads(done.out)
    assert reported["outcome"] == "mapped"
    found = {path.name for path in (tmp_path / "map").iterdir()}
    assert found == FILES
    rows = pd.read_parquet(tmp_path / "map" / "vertices.parquet")
    assert len(rows) == reported["metrics"]["vertices"] == 162
    assert {"least_speed_m_per_s", "wheel_limit_m_per_s", "x_m"} <= set(rows.columns)
    rays = pd.read_csv(tmp_path / "map" / "rays.csv")
    assert len(rays) == 361
    pictures = {path.name for path in (tmp_path / "map" / "figures").iterdir()}
    assert pictures == {"slope.png", "speed-over-azimuth.png"}
    page = (tmp_path / "map" / "report.html").read_text(encoding="utf-8")
    assert "Speed over azimuth" in page


def few_figures(result: Result) -> dict:
    return {title: figures(result)[title] for title in ("Slope", "Speed over azimuth")}


def test_worlds_of_all_kinds_are_built(tmp_path: Path):
    from haptos.geometry.mesh.mesh_export import write_ply
    from haptos.geometry.shape.harmonic_files import write_harmonics
    from haptos.geometry.shape.spherical_harmonics import HarmonicSurface

    vertices, faces = ball(3, 200.0)
    write_ply(tmp_path / "ball.ply", vertices, faces)
    write_harmonics(tmp_path / "ball.txt", HarmonicSurface([[200.0]], [[0.0]]))
    surfaces = {
        "sphere": {"radius_m": 200.0, "level": 3},
        "mesh": {"file": str(tmp_path / "ball.ply"), "unit": "m"},
        "harmonics": {"file": str(tmp_path / "ball.txt"), "level": 3},
    }
    for shape, keys in surfaces.items():
        table = {
            "schema": 1, "scenario": "liftoff", "surface": {"shape": shape, **keys},
            "gravity": {"mu_m3_per_s2": 2.5}, "spin": {"kind": "uniform", "period_h": 11.6355},
        }  # fmt: skip
        reported = hp.simulate(parse(table, shape)).metrics
        assert_close(reported["least_speed_min_m_per_s"], 0.0818, rtol=0.02)
        assert reported["flight_confirmed_s"] > 0.0


def test_a_primary_is_felt():
    with_tide = changed("liftoff-phobos", surface={"level": 2})
    table = parse_toml(preset_text("liftoff-phobos"), "x")
    del table["primary"]
    table["surface"]["level"] = 2
    alone = hp.simulate(parse(table, "x"))
    key = "least_speed_min_m_per_s"
    assert with_tide.metrics[key] < 0.97 * alone.metrics[key]
    assert "Battin1999" in with_tide.cites


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (["map.mode=tangent"], ["mode"]),
        (["map.azimuth_step_deg=0"], ["azimuth_step_deg"]),
        (["surface.radius_m=3"], ["radius_m"]),
        (["gravity.mu_m3_per_s2=-1"], ["mu_m3_per_s2"]),
        (["map.kept_energy=[0.0]"], ["kept_energy"]),
        (["harmonics.degrees=[110]"], ["degrees"]),
        (["vehicle.margin=2"], ["margin"]),
    ],
)
def test_bad_files_are_refused_before_any_work(settings: list[str], words: list[str], tmp_path):
    options = [part for setting in settings for part in ("--set", setting)]
    done = haptos("run", "liftoff", *options, "--out", tmp_path / "x")
    assert_refused(done, *words)
    assert not (tmp_path / "x").exists()


def test_a_place_that_holds_nothing_and_a_series_without_a_mesh_are_refused():
    with pytest.raises(ConfigError, match="nothing stays"):
        changed("liftoff-ellipsoid", surface={"level": 2}, spin={"period_h": 0.01})
    with pytest.raises(ConfigError, match="surface with a mesh"):
        changed("liftoff-ellipsoid", harmonics={"degrees": [4]})


def test_models_are_ready_without_running():
    model = build(default("liftoff-ellipsoid"))
    assert model.gravity_facets == 0
    assert_close(model.omega[2], 1.5e-4, rtol=1e-4)


def test_scenarios_without_exports_write_none(tmp_path: Path, ellipsoid: Result):
    import dataclasses

    lander = dataclasses.replace(ellipsoid, scenario="lander")
    reports.write_files(lander, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_ground_that_holds_nothing_counts_with_a_speed_of_zero():
    fast = changed("liftoff-ellipsoid", surface={"level": 2}, spin={"period_h": 1.0}, place={
        "latitude_deg": 80.0, "longitude_deg": 0.0})  # fmt: skip
    numbers, table = fast.metrics, fast.tables["map"]
    assert 0.5 < numbers["held_share"] < 1.0
    assert numbers["least_speed_min_m_per_s"] == 0.0
    least = table["least_speed_m_per_s"].values
    assert_close(numbers["least_speed_q50_m_per_s"], np.median(least), rtol=1e-12)
    assert answer(fast).startswith("Nothing stays at rest on ")


@pytest.mark.parametrize("other", [{"object_radius_m": 50.0}, {"mode": "plane_gravity"}])
def test_the_speed_of_the_place_is_that_of_the_map(other: dict):
    table = parse_toml(preset_text("liftoff-ellipsoid"), "x")
    table["surface"]["level"] = 2
    table["map"] = other
    del table["place"]
    numbers = hp.simulate(parse(table, "x")).metrics
    assert_close(numbers["place_speed_m_per_s"], numbers["least_speed_min_m_per_s"], rtol=1e-12)


def test_hops_on_a_moon_stay_this_side_of_its_passes():
    table = changed("liftoff-phobos", surface={"level": 2}).tables["map"]
    limit, place = table["hop_limit_m_per_s"].values, table["r_A"].values
    near = int(np.argmin(place[:, 0]))  # faces Mars
    assert_close(limit[near], 0.5 * 3.585, rtol=0.02)  # flown in test_zero_velocity
    assert limit[int(np.argmax(place[:, 1]))] == 0.0  # stands above the pass
