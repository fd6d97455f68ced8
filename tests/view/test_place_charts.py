"""Charts of places: where points stand, how the chart is turned, nothing without a body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.terrain.relief import relief
from haptos.results.places import GroundMaps, Places
from haptos.scenarios.lander.places import WORDS
from haptos.view.place_charts import (
    equal_area_chart,
    place_charts,
    plain_chart,
    turned_chart,
    turning,
)
from haptos.view.place_map import angles

VERTICES, FACES = procedural_body("bilobe", 2)
HEIGHT = np.linalg.norm(VERTICES[FACES].mean(axis=1), axis=1)
MAPS = {"slope_deg": HEIGHT, "geopotential_m2_per_s2": HEIGHT, "relief_m": relief(VERTICES, FACES)}
GROUND = GroundMaps(VERTICES, FACES, MAPS)
PLACES = np.array([[10.0, 20.0, 100.0], [-15.0, 5.0, 110.0], [30.0, -40.0, 90.0]])
RESTS = Places(PLACES, np.ones(3, dtype=bool), 3, {}, WORDS, GROUND)


def offsets(drawn):
    (cloud,) = [c for c in drawn.axes[0].collections if len(c.get_offsets()) == len(PLACES)]
    return np.asarray(cloud.get_offsets())


def test_charts_are_drawn_over_slope_geopotential_and_relief():
    titles = list(place_charts(RESTS))
    assert titles == [
        "Rests over slope, equal areas",
        "Rests over geopotential, equal areas",
        "Rests over relief, equal areas",
        "Rests over relief",
        "Rests over slope, turned to their middle",
        "Rests over relief, turned to their middle",
    ]


@pytest.mark.parametrize("chart", [plain_chart, equal_area_chart, turned_chart])
def test_every_chart_says_what_relief_is_and_its_unit(chart):
    drawn = chart(GROUND, "relief_m", PLACES)
    assert drawn.axes[1].get_ylabel() == "relief above the mean ellipsoid [m]"
    assert all("[deg]" in words for words in (drawn.axes[0].get_xlabel(), drawn.axes[0].get_ylabel()))  # fmt: skip


def test_points_over_longitude_and_latitude_stand_there():
    drawn = plain_chart(GROUND, "relief_m", PLACES)
    assert_allclose(offsets(drawn), np.stack(angles(PLACES), axis=1))
    assert "A axes" in drawn.axes[0].get_xlabel()


def test_points_of_the_equal_area_chart_stand_at_their_longitude_and_latitude():
    drawn = equal_area_chart(GROUND, "slope_deg", PLACES)
    assert_allclose(np.degrees(offsets(drawn)), np.stack(angles(PLACES), axis=1))
    assert "A axes" in drawn.axes[0].get_xlabel()


def test_the_turned_chart_keeps_the_arc_from_its_origin_and_north_up():
    dcm, (east, north) = turning(PLACES)
    assert_allclose(dcm @ dcm.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(dcm) == pytest.approx(1.0)
    mean = (PLACES / np.linalg.norm(PLACES, axis=1)[:, None]).mean(axis=0)
    assert_allclose(np.concatenate(angles(mean[None, :])), [east, north])
    turned = offsets(turned_chart(GROUND, "slope_deg", PLACES))
    assert_allclose(np.abs(turned.mean(axis=0)), [0.0, 0.0], atol=2.0)
    assert dcm[2, 2] > 0.0  # the chart's z axis leans to the north


def test_a_mean_direction_at_the_pole_is_turned_too():
    dcm, _ = turning(np.array([[0.0, 0.0, 50.0]]))
    assert_allclose(dcm @ [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], atol=1e-12)


def test_no_chart_without_maps_of_the_body():
    assert place_charts(replace(RESTS, ground=None)) == {}
