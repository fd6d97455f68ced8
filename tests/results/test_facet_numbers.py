"""Numbers of vertices as numbers of facets: what counts where a corner has none."""

from __future__ import annotations

import numpy as np

from haptos.results.facet_numbers import of_all_corners, of_first_known_corner, of_known_corners

FACES = np.array([[0, 1, 2], [1, 2, 3], [3, 3, 3]])
VALUES = np.array([1.0, 2.0, 6.0, np.nan])


def test_a_facet_has_the_mean_of_its_corners():
    assert of_all_corners(VALUES, FACES)[0] == 3.0
    assert np.isnan(of_all_corners(VALUES, FACES)[1:]).all()


def test_known_corners_count_alone():
    found = of_known_corners(np.where(np.isnan(VALUES), np.inf, VALUES), FACES)
    assert found[:2].tolist() == [3.0, 4.0]
    assert np.isnan(found[2])


def test_a_direction_is_that_of_the_first_known_corner():
    turned = FACES[:, ::-1]
    assert of_first_known_corner(VALUES, turned)[:2].tolist() == [6.0, 6.0]
    assert of_first_known_corner(VALUES, FACES)[:2].tolist() == [1.0, 2.0]
