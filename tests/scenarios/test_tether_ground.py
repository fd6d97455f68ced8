"""End bodies and line of tethers on uneven ground: noise, rocks, bodies made of triangles, by the laws of all scenarios."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.geometry.distance.surface import gap_and_gradient
from haptos.results.result import Result
from haptos.scenarios.files import parse
from haptos.scenarios.tether.surroundings import site_world
from tests.scenarios.test_tether import changed
from tests.scenarios.test_tether_surroundings import dropped, hold
from tests.validation.shape_models import FOLDER

RADIUS = 0.25
NOISE = {"noise": {"relief_m": 0.5, "longest_m": 8.0, "octaves": 3}, "seed": 3}
DOWN = [{"kind": "deploy", "duration_s": 40.0, "length_m": 3.0, "shape": "linear"}]
ROCKS = {
    "rocks": {"model": "seeded", "rocks_per_m2": 0.3, "smallest_m": 0.6, "largest_m": 1.5},
    "seed": 3,
}


@numba.njit
def field_of(surface, x):
    return gap_and_gradient(surface, x)


def gaps_at_the_end(result: Result) -> list[float]:
    """Distance [m] of both bodies' centres from the ground, by the field of the surface itself."""
    config = parse(result.config, "again")
    places = np.asarray(result.trajectory["r_BN_N"].values[-1]) + config.place.position_m
    found = [field_of(site_world(config).surface, tuple(place)) for place in places]
    return [gap / float(np.linalg.norm(gradient)) for gap, gradient in found]


@pytest.mark.parametrize(("terrain", "aside"), [(NOISE, 0.3), (ROCKS, 0.0)], ids=["noise", "rocks"])
def test_end_bodies_come_to_rest_on_terrain(terrain, aside):
    """Weight over stiffness is 20 um: both lie on the ground, not on the plane below it."""
    result = dropped(
        {"shape": "plane"}, [-5.0, aside, 2.0], [1.0, 0.0, 0.0], terrain=terrain, steps=hold(200.0)
    )
    assert result.trusted, [(c.name, c.value, c.bound) for c in result.checks]
    speeds = np.linalg.norm(result.trajectory["v_BN_N"].values[-1], axis=1)
    assert speeds.max() < 2e-3
    assert np.abs(np.array(gaps_at_the_end(result)) - RADIUS).max() < 1e-3
    heights = result.trajectory["r_BN_N"].values[-1, :, 2] + 2.0
    assert np.abs(heights - RADIUS).max() > 0.02


def table_over(surface: dict[str, Any], gravity: dict[str, Any], height: float) -> dict[str, Any]:
    """An instrument 20 m below its spacecraft let down at 5 cm/s from 0.5 m over a height [m] of the z axis."""
    table = changed(
        "tether-touch", place={"position_m": [0.0, 0.0, height + 20.5 + RADIUS]}, steps=DOWN,
        start={"distance_m": 20.0, "relative_velocity_m_per_s": [0.0, 0.0, -0.05]}, line={"length_m": 25.0},
        run={"cells": 4, "output_interval_s": 1.0},
    )  # fmt: skip
    return {**table, "surface": surface, "gravity": gravity}


def touches(surface: dict[str, Any], gravity: dict[str, Any]) -> None:
    """Let it come down on the ground where the field of the surface has its zero, by bisection."""
    ground = site_world(parse(table_over(surface, gravity, 1e4), "x")).surface
    inside, outside = 0.0, 1e5
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        inside, outside = (
            (inside, middle) if field_of(ground, (0.0, 0.0, middle))[0] > 0.0 else (middle, outside)
        )
    result = hp.simulate(parse(table_over(surface, gravity, outside), "tether.toml"))
    kinds = [str(kind) for kind in result.events["kind"].values]
    assert "touches ground" in kinds
    assert result.trusted, [(c.name, c.value, c.bound) for c in result.checks]
    assert float(result.trajectory["time"].values[-1]) == 40.0
    assert min(gaps_at_the_end(result)) > 0.9 * RADIUS


def test_an_instrument_touches_a_body_made_of_triangles():
    pull = {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -2e-3]}
    touches({"shape": "body", "body": "potato", "level": 3}, pull)


def test_an_instrument_touches_itokawa():
    file = FOLDER / "itokawa.obj"
    if not file.is_file():
        pytest.skip("no shape model itokawa.obj in ../shared/bodies beside the project")
    pull = {"model": "polyhedron", "mu_m3_per_s2": 2.36, "facets": 1000}
    touches({"shape": "mesh", "file": str(file), "unit": "km"}, pull)


@pytest.mark.parametrize(
    ("terrain", "word"),
    [
        ({"rocks": {"model": "polyhedral", "rocks_per_m2": 0.3}}, "polyhedral"),
        ({"noise": {"relief_m": 0.01, "longest_m": 0.4, "octaves": 1}}, "features at least"),
        ({"rocks": {"model": "seeded", "rocks_per_m2": 1.0}}, "features at least"),
    ],
    ids=["facets of a plane", "fine noise", "small rocks"],
)
def test_terrain_that_balls_cannot_feel_is_refused(terrain, word):
    with pytest.raises(ConfigError, match=word):
        dropped({"shape": "plane"}, [-5.0, 0.0, 2.0], [1.0, 0.0, 0.0], terrain=terrain)
