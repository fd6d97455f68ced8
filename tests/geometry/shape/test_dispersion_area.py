"""Dispersion areas: von Mises-Fisher places on a sphere, coverage of intervals, published form."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.facet_measures import facet_areas
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.shape import dispersion_area
from haptos.geometry.shape.dispersion_area import SIGMA_SHARES, dispersion_areas
from tests.close import assert_close

SHARES = np.array(SIGMA_SHARES)


def von_mises_fisher(count: int, kappa: float, generator: np.random.Generator) -> np.ndarray:
    """Unit vectors about +z with density proportional to exp(kappa z)."""
    u, turn = generator.random(count), generator.uniform(0.0, 2.0 * np.pi, count)
    z = 1.0 + np.log(u + (1.0 - u) * np.exp(-2.0 * kappa)) / kappa
    across = np.sqrt(1.0 - z**2)
    return np.column_stack([across * np.cos(turn), across * np.sin(turn), z])


def exact_areas(kappa: float) -> np.ndarray:
    """Caps of the unit sphere that hold the shares: 2 pi (1 - z)."""
    return -2.0 * np.pi * np.log(1.0 - SHARES + SHARES * np.exp(-2.0 * kappa)) / kappa


@pytest.mark.parametrize("kappa", [20.0, 100.0])
def test_areas_of_a_known_density_are_within_three_percent(kappa):
    places = von_mises_fisher(100_000, kappa, np.random.default_rng(1))
    found = dispersion_areas(places, *icosphere(6 if kappa > 50 else 5), resamples=0)
    for area, expected in zip(found.areas, exact_areas(kappa), strict=True):
        assert_close(area, expected, rtol=0.03)


def test_areas_scale_with_the_body_and_do_not_depend_on_where_it_looks():
    places = von_mises_fisher(5_000, 20.0, np.random.default_rng(2))
    vertices, faces = icosphere(4)
    first = dispersion_areas(places, vertices, faces, resamples=20)
    turned = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    second = dispersion_areas(
        300 * places @ turned.T, 300 * vertices @ turned.T, faces, resamples=20
    )
    assert_close(second.areas, 9e4 * first.areas, rtol=1e-9)
    assert_close(second.high[:2], 9e4 * first.high[:2], rtol=1e-9)


def test_density_is_normalised_and_zones_have_the_areas():
    vertices, faces = icosphere(4)
    found = dispersion_areas(
        von_mises_fisher(5_000, 20.0, np.random.default_rng(3)), vertices, faces
    )
    areas = facet_areas(vertices, faces)
    assert_close(found.density @ areas, 1.0, rtol=1e-12)
    for k in range(3):
        within = (found.zones > 0) & (found.zones <= k + 1)
        assert_close(areas[within].sum(), found.areas[k], rtol=1e-12)


def test_a_place_counts_its_own_kernel_as_one():
    """The level leaves each place out of its own density, which needs the kernel at zero distance."""
    from scipy.spatial import cKDTree

    points = icosphere(2)[0]
    kernel = dispersion_area._kernel(cKDTree(points), points[:50], 0.2)
    assert_close(kernel.toarray()[np.arange(50), np.arange(50)], np.ones(50), rtol=1e-15)


def hits(campaigns: int, count: int, level: int, resamples: int) -> np.ndarray:
    """Share of campaigns whose intervals hold the true areas."""
    mesh, generator, truth = icosphere(level), np.random.default_rng(4), exact_areas(20.0)
    held = np.zeros(3)
    for seed in range(campaigns):
        places = von_mises_fisher(count, 20.0, generator)
        found = dispersion_areas(places, *mesh, resamples=resamples, seed=seed)
        held += (found.low <= truth) & (truth <= found.high)
    return held / campaigns


def test_intervals_hold_the_true_areas_as_often_as_they_say():
    # Three standard deviations of 200 throws at 0.95 are 0.046.
    assert np.all(hits(200, 1_000, 4, 25)[:2] >= 0.904)


@pytest.mark.slow
def test_intervals_of_three_sigma_hold_with_many_places():
    assert np.all(hits(200, 20_000, 5, 40) >= 0.904)


def test_too_few_places_beyond_an_edge_give_no_interval():
    found = dispersion_areas(von_mises_fisher(1_000, 20.0, np.random.default_rng(5)), *icosphere(4))
    assert np.isfinite(found.high[:2]).all()
    assert np.isnan(found.high[2])


def test_the_published_form_is_wider_by_its_kernel():
    places = von_mises_fisher(1_000, 20.0, np.random.default_rng(6))
    mesh = icosphere(5)
    ours, published = (
        dispersion_areas(places, *mesh, published=p, resamples=0) for p in (False, True)
    )
    assert 1.05 < published.areas[0] / ours.areas[0] < 1.3
    assert published.bandwidth > ours.bandwidth


def test_odd_places_are_refused(monkeypatch):
    mesh = icosphere(2)
    places = von_mises_fisher(100, 20.0, np.random.default_rng(7))
    for bad, word in (
        (places[:5], "5 places"),
        (places[:, :2], "shape"),
        (places * np.nan, "finite"),
    ):
        with pytest.raises(GeometryError, match=word):
            dispersion_areas(bad, *mesh)
    with pytest.raises(GeometryError, match="shares"):
        dispersion_areas(places, *mesh, shares=[1.0])
    for width in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(GeometryError, match="bandwidth"):
            dispersion_areas(places, *mesh, bandwidth=width)
    monkeypatch.setattr(dispersion_area, "MOST_PAIRS", 10)
    with pytest.raises(GeometryError, match="pairs"):
        dispersion_areas(places, *mesh)
