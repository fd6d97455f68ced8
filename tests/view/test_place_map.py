"""Maps of places: only where there is a body and rest, points at their longitude and latitude."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from haptos.scenarios.lander.places import places
from haptos.view.place_map import angles, place_figures

BODY = {"surface": {"shape": "body", "body": "bilobe", "level": 3}}
PLACES = np.array([[0.0, 100.0, 0.0], [-70.0, 0.0, 70.0], [np.nan] * 3, [50.0, -50.0, 0.0]])
RUNS = pd.DataFrame(PLACES, columns=["rest_x_m", "rest_y_m", "rest_z_m"])


def settling_figures(runs, config):
    found = places(config, runs)
    return {} if found is None else place_figures(found)


def test_angles_of_places_on_the_axes():
    longitude, latitude = angles(PLACES[[0, 1, 3]])
    assert_allclose(longitude, [90.0, 180.0, -45.0])
    assert_allclose(latitude, [0.0, 45.0, 0.0])


def test_points_stand_where_runs_rest():
    drawn = settling_figures(RUNS, BODY)["Settling map"]
    (cloud,) = [item for item in drawn.axes[0].collections if len(item.get_offsets())]
    assert_allclose(cloud.get_offsets(), [[90.0, 0.0], [180.0, 45.0], [-45.0, 0.0]])
    assert "3 of 4 runs" in drawn.axes[0].get_title("left")


def test_no_map_without_a_mesh_rest_or_one_body_for_all():
    assert settling_figures(RUNS, {"surface": {"shape": "plane"}}) == {}
    assert settling_figures(RUNS[2:3], BODY) == {}
    varied = {"surface": {**BODY["surface"], "level": {"sweep": "grid", "values": [3, 4]}}}
    assert settling_figures(RUNS, varied) == {}
    assert settling_figures(pd.DataFrame({"outcome": ["settled"]}), BODY) == {}


def test_a_million_places_are_thinned_evenly_and_the_title_says_so():
    many = pd.concat([RUNS[:1]] * 50_000, ignore_index=True)
    drawn = settling_figures(many, BODY)["Settling map"]
    (cloud,) = [item for item in drawn.axes[0].collections if len(item.get_offsets())]
    assert len(cloud.get_offsets()) == 16_667
    assert "one in 3 drawn" in drawn.axes[0].get_title("left")
