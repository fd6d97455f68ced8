"""Maps show the facet that a ray meets, with its unit, for every body and in little time."""

from __future__ import annotations

import io

import numpy as np
import pytest

from haptos.view.map_figures import body_figure, facets_seen, histogram_figure, map_figure
from tests.geometry.closed_meshes import ball, torus

VERTICES, FACES = ball(3, 10.0)
CENTRES = VERTICES[FACES].mean(axis=1)
SEEN = facets_seen(VERTICES, FACES, (36, 72))


def texts(figure) -> list[str]:
    return [item.get_text() for item in figure.findobj(lambda part: hasattr(part, "get_text"))]


def test_each_pixel_shows_the_facet_its_ray_meets():
    rows, columns = 40, 80
    seen = facets_seen(VERTICES, FACES, (rows, columns))
    phi = np.pi * ((np.arange(rows) + 0.5) / rows - 0.5)[:, None]
    lam = 2.0 * np.pi * ((np.arange(columns) + 0.5) / columns - 0.5)[None, :]
    rays = np.stack(
        np.broadcast_arrays(np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)), -1
    )
    a, b, c = (VERTICES[FACES[seen, k]] for k in range(3))
    for p, q in ((a, b), (b, c), (c, a)):
        assert np.min(np.einsum("xyi,xyi->xy", np.cross(p, q), rays)) > -1e-9


def test_the_outermost_facet_is_shown_where_a_ray_meets_several():
    vertices, faces = torus(48, 24)
    seen = facets_seen(vertices, faces, (41, 80))
    radius = np.linalg.norm(vertices[faces].mean(axis=1), axis=1)
    assert np.all(radius[seen[20]] > 1.25)  # the outer equator of the ring, not its inner wall


@pytest.mark.parametrize("projection", ["equirectangular", "mollweide"])
def test_maps_carry_name_and_unit(projection: str):
    look = {"projection": projection, "title": "x", "seen": SEEN}
    drawn = map_figure(VERTICES, FACES, CENTRES[:, 2], "slope_deg", **look)
    assert "slope [deg]" in texts(drawn)
    assert "x" in texts(drawn)
    drawn.savefig(io.BytesIO(), format="png", dpi=30)


def picture(values: np.ndarray) -> np.ndarray:
    (image,) = map_figure(VERTICES, FACES, values, "radius_m", seen=SEEN).axes[0].images
    assert image.origin == "lower"
    return np.asarray(image.get_array())


def test_north_is_up_and_east_is_right():
    assert picture(CENTRES[:, 2])[-1].mean() > 9.0  # last row is the north pole
    assert picture(CENTRES[:, 1])[18, 54] > 9.0  # longitude 90 deg lies right of the middle


def test_bodies_are_drawn_shaded_from_each_side_and_values_that_are_none_stay_grey():
    values = CENTRES[:, 0].copy()
    values[::7] = np.nan
    drawn = body_figure(VERTICES, FACES, values, "radius_m", title="ball")
    assert len(drawn.axes) == 3  # two views and the colours
    colours = drawn.axes[0].collections[0].get_facecolor()
    assert 0.4 * len(FACES) < len(colours) < 0.6 * len(FACES)
    assert np.all(np.isfinite(colours))
    assert "radius [m]" in texts(drawn)
    assert "10 m" in texts(drawn)
    drawn.savefig(io.BytesIO(), format="png", dpi=40)


def test_constant_and_missing_values_are_drawn_too():
    for values in (np.full(len(FACES), 3.0), np.full(len(FACES), np.nan)):
        body_figure(VERTICES, FACES, values, "slope_deg").savefig(io.BytesIO(), dpi=30)
        histogram_figure(values, np.ones(len(FACES)), "slope_deg").savefig(io.BytesIO(), dpi=30)


def test_shares_of_the_area_add_up():
    drawn = histogram_figure(CENTRES[:, 2], np.arange(1.0, len(FACES) + 1), "radius_m")
    assert sum(bar.get_height() for bar in drawn.axes[0].patches) == pytest.approx(100.0)
    assert "share of the area [%]" in texts(drawn)
    drawn = histogram_figure(CENTRES[:, 2], None, "radius_m")
    assert sum(bar.get_height() for bar in drawn.axes[0].patches) == pytest.approx(100.0)
    assert "share of the facets [%]" in texts(drawn)


def test_an_unknown_projection_is_refused():
    with pytest.raises(ValueError, match="mollweide"):
        map_figure(VERTICES, FACES, CENTRES[:, 0], "radius_m", projection="mercator")
