"""Maps of dispersion areas: drawn where one body holds enough places, with areas in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.shape.dispersion_area import dispersion_areas
from haptos.scenarios.lander.places import places
from haptos.view import dispersion_map
from haptos.view.dispersion_map import area_words

BODY = {"surface": {"shape": "body", "body": "bilobe", "level": 3}}


def runs(count: int) -> pd.DataFrame:
    places = np.random.default_rng(1).normal([0.0, 0.0, 100.0], 20.0, (count, 3))
    return pd.DataFrame(places, columns=["rest_x_m", "rest_y_m", "rest_z_m"])


def dispersion_figures(runs, config):
    found = places(config, runs)
    return {} if found is None else dispersion_map.dispersion_figures(found)


def test_enough_places_on_one_body_have_a_map():
    drawn = dispersion_figures(runs(700), BODY)["Dispersion areas"]
    words = [text.get_text() for text in drawn.axes[0].get_legend().get_texts()]
    assert [text.split(" %")[0] for text in words] == ["68.27", "95.45", "99.73"]
    assert "[" in words[1]
    assert "[" not in words[2]  # two places beyond three sigma say nothing


def test_no_map_of_few_places_a_plane_or_many_bodies():
    assert dispersion_figures(runs(9), BODY) == {}
    assert dispersion_figures(runs(50), {"surface": {"shape": "plane"}}) == {}
    varied = {"surface": {**BODY["surface"], "level": {"sweep": "grid", "values": [3, 4]}}}
    assert dispersion_figures(runs(50), varied) == {}


def test_words_name_share_places_area_and_interval():
    places = icosphere(4)[0][:2000]
    found = dispersion_areas(places, *icosphere(3), shares=[0.5])
    assert area_words(found, 0).startswith("50 % of 2000 places on ")
