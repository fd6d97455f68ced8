"""Where a net is: found from the rest, refused where it makes no sense, and its ledger closes there."""

from __future__ import annotations

import importlib.util
import math
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from haptos.core.errors import ConfigError
from haptos.core.units import DEGREE
from haptos.dynamics.field import FLIGHT, ORBIT, UNIFORM, field_at, renew_field
from haptos.dynamics.system import PUSHES
from haptos.environment.atmosphere import EARTH_RATE, air_density, standard_table
from haptos.environment.gravity_j2 import EARTH_J2
from haptos.environment.orbit_frames import EARTH_RADIUS, KeplerElements, state_from_elements
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.figures import figures
from haptos.scenarios.net.model import build
from haptos.scenarios.net.simulate import check, simulate
from haptos.scenarios.net.surroundings import elements_of, field_of
from haptos.scenarios.net.weather import air_table, flat_faces
from tests.close import assert_close

ALL_AIR = {"body_drag": True, "bullet_drag": True, "thread_drag": True}
ALL_ORBIT = {"j2": True, "gravity_gradient": True, "sunlight": True, "earthlight": True}


def config_of(environment: dict[str, Any], **tables: Any) -> Config:
    """A coarse net shot at a box nearby."""
    given = {
        "schema": 1, "scenario": "net", "run": {"duration_s": 0.3, "output_interval_s": 0.1},
        "net": {"strings": 5, "rings": 5, "width_m": 1.0, "height_m": 1.0, "nodes_per_link": 0},
        "threads": {"material": "nylon 66", "fibre_share": 0.4},
        "bullets": {"ratio": 0.5, "radius_m": 0.01, "length_m": 0.03},
        "shot": {"speed_m_per_s": 3.0}, "environment": environment,
        "target": {"distance_m": 3.0, "boxes": [{"size_m": [0.5, 0.5, 0.5], "mass_kg": 83.0}]},
    }  # fmt: skip
    return Config.model_validate({**given, **tables})


@pytest.mark.parametrize(
    ("environment", "holds", "kind"),
    [
        ({}, True, "free"),
        ({"kind": "auto"}, False, "orbit"),
        ({"kind": "auto"}, True, "ground"),
        ({"kind": "auto", "flight": {}}, True, "flight"),
        ({"kind": "auto", "pitch_rate_deg_per_s": 4.0}, False, "flight"),
        ({"kind": "ground"}, False, "ground"),
    ],
)
def test_the_place_is_found_from_what_the_chaser_may_do(environment, holds, kind):
    config = config_of(environment, chaser={"holds_place": holds})
    assert config.surroundings == kind
    again = Config.model_validate(config.as_table())
    assert again.surroundings == kind


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"kind": "free", "thread_drag": True}, "where there is air"),
        ({"kind": "ground", "j2": True}, "in orbit"),
        ({"kind": "flight", "sunlight": True}, "in orbit"),
        ({"kind": "ground", "altitude_m": 4e5}, "in orbit"),
        ({"kind": "orbit", "flight": {}}, "in flight"),
        ({"kind": "orbit", "altitude_m": 4e5, "orbit": {"semi_major_axis_m": 7e6}}, "one of them"),
        ({"kind": "orbit", "orbit": {"position_m": [7e6, 0.0, 0.0]}}, "velocity_m_per_s"),
        ({"kind": "orbit", "orbit": {}}, "no orbit"),
        ({"kind": "ground", "atmosphere": {"turns": True}}, "in orbit"),
        ({"kind": "orbit", "atmosphere": {"wind_m_per_s": [1.0, 0.0, 0.0]}}, "ground"),
        ({"kind": "orbit", "sunlight": True, "from_sun": [0.0, 0.0, 0.0]}, "a direction"),
        ({"kind": "flight", "flight": {"pitch_times_s": [0.0, 1.0]}}, "a value for each time"),
        (
            {
                "kind": "flight",
                "flight": {
                    "pitch_file": "a.csv",
                    "pitch_times_s": [0.0],
                    "pitch_rates_deg_per_s": [1.0],
                },
            },
            "one of them",
        ),
        (
            {
                "kind": "flight",
                "pitch_rate_deg_per_s": 4.0,
                "flight": {"pitch_file": "a.csv"},
            },
            "one of them",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(environment, words):
    with pytest.raises(ValidationError, match=words):
        config_of(environment)


@pytest.mark.parametrize("part", ["chaser", "target"])
def test_nothing_stands_still_in_orbit(part):
    box = {"distance_m": 3.0, "boxes": [{"size_m": [0.5, 0.5, 0.5], "mass_kg": 83.0}]}
    held = {**(box if part == "target" else {}), "holds_place": True}
    with pytest.raises(ValidationError, match="nothing stands still"):
        config_of({"kind": "orbit"}, **{part: held})


def test_an_orbit_is_the_same_by_elements_and_by_vectors():
    elements = {
        "semi_major_axis_m": 7.2e6, "eccentricity": 0.02, "inclination_deg": 51.6,
        "node_deg": 30.0, "periapsis_deg": 40.0, "true_anomaly_deg": 50.0,
    }  # fmt: skip
    first = config_of({"kind": "orbit", "orbit": elements})
    place, velocity = state_from_elements(elements_of(first))
    vectors = {"position_m": place.tolist(), "velocity_m_per_s": velocity.tolist()}
    second = config_of({"kind": "orbit", "orbit": vectors})
    fields = [field_of(config) for config in (first, second)]
    for time in (0.0, 700.0):
        for field in fields:
            renew_field(field, time)
        assert_close(fields[1].origin[:3], fields[0].origin[:3], rtol=1e-12)
        assert_close(fields[1].origin[3:], fields[0].origin[3:], rtol=1e-12)


def test_n_axes_in_orbit_are_v_bar_h_bar_and_r_bar_and_j2_keeps_them():
    fields = [field_of(config_of({"kind": "orbit", "j2": flat})) for flat in (False, True)]
    for field in fields:
        renew_field(field, 0.0)
        assert field.kind == ORBIT
        assert_close(field.origin[:3], (0.0, 0.0, -(EARTH_RADIUS + 5e5)), rtol=1e-12)
        assert_close(
            field.origin[3:] / np.linalg.norm(field.origin[3:]), (1.0, 0.0, 0.0), rtol=1e-12
        )
    assert (fields[0].j2, fields[1].j2) == (0.0, EARTH_J2)
    assert len(fields[1].rows) > 1


@pytest.mark.parametrize(
    "orbit",
    [
        {"semi_major_axis_m": 7.0e6, "eccentricity": 0.2},
        {"position_m": [7e6, 0.0, 0.0], "velocity_m_per_s": [0.0, 20000.0, 0.0]},
    ],
)
def test_an_orbit_through_the_ground_or_away_is_refused(orbit):
    with pytest.raises(ConfigError, match="orbit"):
        check(config_of({"kind": "orbit", "orbit": orbit}))


def test_tables_of_a_flight_from_files_and_lists_are_the_same(tmp_path):
    pitch, shaken = tmp_path / "pitch.csv", tmp_path / "imu.csv"
    pitch.write_text("time_s,rate_deg_per_s\n0,4\n0.2,5\n1,3\n", encoding="utf-8")
    rows = "0,0.1,0,0\n0.5,0,0.2,0\n"
    shaken.write_text("time_s,x_m_per_s2,y_m_per_s2,z_m_per_s2\n" + rows, encoding="utf-8")
    files = {"pitch_file": str(pitch), "disturbance_file": str(shaken)}
    lists = {
        "pitch_times_s": [0.0, 0.2, 1.0], "pitch_rates_deg_per_s": [4.0, 5.0, 3.0],
        "disturbance_times_s": [0.0, 0.5], "disturbance_m_per_s2": [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0]],
    }  # fmt: skip
    found = []
    for tables in (files, lists):
        flight = {"place_m": [5.0, 2.0, 2.0], **tables}
        field = field_of(config_of({"kind": "flight", "flight": flight}))
        assert field.kind == FLIGHT
        renew_field(field, 0.1)
        assert_close(field.turning[1], 4.5 * DEGREE, rtol=1e-12)
        assert_close(field.turning[4], 5.0 * DEGREE, rtol=1e-12)
        assert_close(field.turning[6:], (0.08, 0.04, 0.0), rtol=1e-12)
        found.append(field_at(field, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("time_s,rate_deg_per_s\n0,4\n0.2,5\n", "whole run"),
        ("time_s,rate_deg_per_s\n0.1,4\n1,5\n", "whole run"),
        ("time_s,rate_deg_per_s\n0,4\n0,5\n1,3\n", "rise"),
        ("time_s,rate\n0,4\n1,5\n", "rate_deg_per_s"),
        ("time_s,rate_deg_per_s\n0,4\n1,fast\n", "no number"),
        ("time_s,rate_deg_per_s\n0,4\n1,\n", "empty cell"),
        ("", "readable"),
        (None, "no such file"),
    ],
)
def test_tables_that_do_not_serve_are_refused_before_work(tmp_path, text, words):
    path = tmp_path / "pitch.csv"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    config = config_of({"kind": "flight", "flight": {"pitch_file": str(path)}})
    with pytest.raises(ConfigError, match=words):
        check(config)


def test_air_is_the_librarys_in_orbit_where_it_is_installed_and_the_standard_elsewhere(monkeypatch):
    orbit, ground = (config_of({"kind": kind, **ALL_AIR}) for kind in ("orbit", "ground"))
    assert air_table(ground).source == standard_table().source
    with monkeypatch.context() as patch:
        patch.setattr(importlib.util, "find_spec", lambda name: None)
        assert air_table(orbit).source == standard_table().source
    pytest.importorskip("pymsis")
    table = air_table(orbit)
    assert "NRLMSIS" in table.source
    ratio = air_density(5e5, table.log_density, table.spacing) / 5.2e-13
    assert 0.2 < ratio < 5.0


def test_a_mesh_of_a_box_has_six_faces_and_keeps_its_areas_and_centres():
    normals, centres, areas = flat_faces(*box_solid((2.0, 1.0, 0.5)))
    assert len(areas) == 6
    assert_close(np.sort(areas), [0.5, 0.5, 1.0, 1.0, 2.0, 2.0], rtol=1e-12)
    assert_close(centres, 0.5 * normals * [2.0, 1.0, 0.5], rtol=1e-12)
    assert_close((normals * areas[:, None]).sum(axis=0), np.zeros(3), rtol=1e-12, scale=1.0)


def test_switches_reach_the_kernel_and_nothing_else_does():
    none = build(config_of({"kind": "orbit"})).system.air
    assert not (none.has_drag)
    assert not (none.has_light)
    air = build(config_of({"kind": "orbit", "sunlight": True})).system.air
    assert air.has_light
    assert not air.has_drag
    assert air.earth == 0.0 < air.sun
    air = build(config_of({"kind": "ground", "bullet_drag": True})).system.air
    assert len(air.bullets) == 4
    assert len(air.faces.area) == 0
    assert not air.threads[:, 0].any()
    air = build(
        config_of({"kind": "orbit", "body_drag": True, "atmosphere": {"turns": True}})
    ).system.air
    assert air.rate == EARTH_RATE
    assert list(air.faces.start[:3]) == [0, 6, 12]
    assert len(air.bullets) == 0
    air = build(
        config_of({"kind": "orbit", **ALL_AIR}, threads={"drag_coefficient": 1.5})
    ).system.air
    assert_close(air.threads[:, 0], np.full(len(air.threads), 1.5), rtol=1e-15)
    assert_close(air.bullets[0, 4], 1.221, rtol=1e-3)


@pytest.mark.parametrize(
    "environment",
    [
        {"kind": "ground", **ALL_AIR},
        {"kind": "orbit", **ALL_ORBIT},
        {"kind": "orbit", "altitude_m": 2e5, **ALL_AIR, **ALL_ORBIT},
        {"kind": "flight", "flight": {"place_m": [5.0, 2.0, 2.0]}, **ALL_AIR},
    ],
    ids=["ground", "space", "low orbit", "flight"],
)
def test_books_close_with_all_forces_on_and_their_sizes_are_told(environment):
    chaser = {"holds_place": environment["kind"] == "ground"}
    result = simulate(config_of(environment, chaser=chaser))
    assert result.trusted
    assert result.ledger.relative_remainder < 0.005
    reported = result.metrics
    if "thread_drag" in environment:
        assert 0.0 < reported["thread_drag_mean_N"] <= reported["thread_drag_peak_N"]
        assert reported["bullet_drag_peak_N"] > 0.0
        assert result.ledger.works["drag"][-1] != 0.0
        assert result.tables["air"].attrs["source"]
    if "sunlight" in environment:
        assert math.isfinite(reported["sunlight_mean_N"])
        assert reported["earthlight_peak_N"] > 0.0
        assert result.ledger.works["radiation"][-1] != 0.0
    forces = result.trajectory["force_by_kind_N"]
    assert list(forces["push"].values) == list(PUSHES)
    assert float(np.abs(forces.values).max()) > 0.0
    assert "Air and light" in figures(result)
    assert {"Salvi2014", "COESA1976"} & set(result.cites)


def test_air_on_the_ground_slows_the_bullets():
    speeds = []
    for switches in ({}, ALL_AIR):
        still = {"gravity_m_per_s2": [0.0, 0.0, 0.0], "kind": "ground"}
        result = simulate(config_of({**still, **switches}, chaser={"holds_place": True}))
        speeds.append(
            float(np.linalg.norm(result.trajectory["v_BN_N"].values[-1, 2:], axis=1).mean())
        )
        assert "force_by_kind_N" not in result.trajectory or switches
    assert speeds[1] < speeds[0]


def test_gravity_of_the_ground_is_uniform_and_air_counts_from_its_altitude():
    config = config_of({"kind": "ground", **ALL_AIR, "atmosphere": {"site_altitude_m": 1500.0}})
    net = build(config).system
    assert net.field.kind == UNIFORM
    assert net.air.altitude == 1500.0
    assert_close(net.air.up, (0.0, 0.0, 1.0), rtol=1e-15)


def test_elements_of_the_circle_are_those_asked_for():
    found = elements_of(config_of({"kind": "orbit", "altitude_m": 4e5, "inclination_deg": 30.0}))
    assert found == KeplerElements(EARTH_RADIUS + 4e5, inclination=30.0 * DEGREE)
