"""Drawings as figures: gaps, black places, arrows, and one search per mesh."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.results.drawings import BodyMap, Line, LinePlot
from haptos.view import drawing_figures
from haptos.view.drawing_figures import Drawer, line_figure, solid_figure
from haptos.view.style import png
from tests.geometry.closed_meshes import ball

VERTICES, FACES = ball(2, 10.0)
VALUES = np.linspace(1.0, 2.0, len(FACES))


def texts(figure) -> list[str]:
    return [item.get_text() for item in figure.findobj(lambda part: hasattr(part, "get_text"))]


def test_curves_leave_gaps_where_there_is_no_number():
    x = np.arange(4.0)
    plot = LinePlot(
        "azimuth_deg", "speed_m_per_s",
        (Line("one", x, np.array([1.0, np.inf, 3.0, np.nan])), Line("two", x, x)),
    )  # fmt: skip
    drawn = line_figure(plot)
    shown = drawn.axes[0].lines[0].get_ydata()
    assert np.isnan(shown[[1, 3]]).all()
    assert {"one", "two", "azimuth [deg]", "speed [m/s]"} <= set(texts(drawn))


@pytest.mark.parametrize("is_logarithmic", [True, False])
def test_axes_may_be_logarithmic_or_true_to_scale(is_logarithmic: bool):
    x = np.array([1.0, 10.0])
    plot = LinePlot("x_m", "y_m", (Line("a", x, x),), is_logarithmic, not is_logarithmic)
    axes = line_figure(plot).axes[0]
    assert (axes.get_xscale() == "log") is is_logarithmic
    assert (axes.get_aspect() == 1.0) is not is_logarithmic


def test_black_places_are_told_and_drawn_black():
    values = VALUES.copy()
    values[:40] = np.inf
    drawing = BodyMap(VERTICES, FACES, values, "speed_m_per_s", missing="no speed lifts off")
    drawn = solid_figure(drawing)
    assert "black: no speed lifts off" in texts(drawn)
    colours = drawn.axes[0].collections[0].get_facecolor()
    assert np.any(np.all(colours[:, :3] == 0.0, axis=1))
    whole = solid_figure(BodyMap(VERTICES, FACES, VALUES, "speed_m_per_s", missing="nothing"))
    assert "black: nothing" not in texts(whole)


def test_maps_of_one_mesh_share_their_search_and_may_have_arrows(monkeypatch):
    calls = []
    search = drawing_figures.facets_seen
    monkeypatch.setattr(
        drawing_figures, "facets_seen", lambda *given: calls.append(1) or search(*given)
    )
    drawer = Drawer()
    azimuth = np.full(len(FACES), 0.3)
    azimuth[::2] = np.nan
    first = drawer.figures("a", BodyMap(VERTICES, FACES, VALUES, "speed_m_per_s", azimuth))
    second = drawer.figures("b", BodyMap(VERTICES, FACES, VALUES, "slope_deg", shows_body=False))
    assert list(first) == ["a", "a, on the body"]
    assert list(second) == ["b"]
    assert len(calls) == 1
    assert len(first["a"].axes[0].collections) == 1  # the arrows


def test_many_curves_have_room_for_their_legend_and_looks_of_their_own():
    x = np.linspace(0.0, 1.0, 5)
    lines = tuple(Line(f"work of part {n}", x, n * x) for n in range(25))
    drawn = line_figure(LinePlot("time_s", "energy_J", lines))
    png(drawn)  # warnings are errors: axes that collapse are one
    shown = drawn.axes[0].lines
    assert len(shown) == 24  # the one that is zero all the way is left out
    looks = {(line.get_color(), str(line.get_linestyle())) for line in shown[:10]}
    assert len(looks) == 10
