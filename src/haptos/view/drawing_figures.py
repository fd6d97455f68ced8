"""Drawings of scenarios (results/drawings.py) as figures."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from haptos.results.drawings import BodyMap, Drawing, LinePlot
from haptos.view.map_figures import body_figure, facets_seen, map_figure
from haptos.view.style import (
    COLOURS,
    DASHES,
    WIDTH,
    axis_label,
    figure,
    house_style,
    legend_outside,
    literal,
)

Integers = NDArray[np.int64]

BLACK = "black"  # of places without a number
LEGEND_LINE = 0.2  # [in] height of a line of a legend
ARROWS = (18, 36)  # rows and columns of arrows over a map


class Drawer:
    """Draws the drawings of one result; maps of one mesh share the search for facets in sight."""

    def __init__(self) -> None:
        self._mesh: tuple[object, object] | None = None
        self._seen: Integers | None = None

    def figures(self, title: str, drawing: Drawing) -> dict[str, Figure]:
        """Title -> figure: one of a plot, two of a map of a body."""
        if isinstance(drawing, LinePlot):
            return {title: line_figure(drawing)}
        seen = self._facets_seen(drawing)
        drawn = {title: grid_figure(drawing, seen)}
        if drawing.shows_body:
            drawn[f"{title}, on the body"] = solid_figure(drawing)
        return drawn

    def _facets_seen(self, drawing: BodyMap) -> Integers:
        if self._mesh is None or self._mesh[0] is not drawing.vertices or self._seen is None:
            self._mesh = (drawing.vertices, drawing.faces)
            self._seen = facets_seen(drawing.vertices, drawing.faces)
        return self._seen


@house_style()
def line_figure(drawing: LinePlot) -> Figure:
    """Curves with a legend beside them; of many curves those that are zero all the way are left out."""
    lines = drawing.lines
    if len(lines) > len(DASHES):  # looks would repeat
        lines = tuple(line for line in lines if np.any(line.y)) or lines
    height = 5.0 if drawing.is_true_to_scale else 3.2
    drawn = figure(WIDTH, max(height, LEGEND_LINE * (len(lines) + 2)))
    axes = drawn.add_subplot()
    for index, line in enumerate(lines):
        shown = np.where(np.isfinite(line.y), line.y, np.nan)
        dashes = DASHES[(index // len(COLOURS) + index) % len(DASHES)]
        axes.plot(line.x, shown, label=literal(line.label), linestyle=dashes)
    if drawing.is_logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
    if drawing.is_true_to_scale:
        axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(axis_label(drawing.x_key))
    axes.set_ylabel(axis_label(drawing.y_key))
    if len(lines) > 1:
        legend_outside(axes)
    return drawn


@house_style()
def grid_figure(drawing: BodyMap, seen: Integers) -> Figure:
    """Latitude-longitude map, with arrows where the drawing has directions."""
    values = _finite(drawing.values)
    drawn = map_figure(
        drawing.vertices, drawing.faces, values, drawing.key, title=_note(drawing, values),
        seen=seen, missing=BLACK,
    )  # fmt: skip
    if drawing.azimuth is None:
        return drawn
    rows, columns = seen.shape
    down = np.linspace(0, rows - 1, ARROWS[0] + 2).round().astype(int)[1:-1]
    across = (np.arange(ARROWS[1]) + 0.5) / ARROWS[1] * columns
    facets = seen[np.ix_(down, across.astype(int))]
    angle = drawing.azimuth[facets]
    latitude = (down + 0.5) / rows * 180.0 - 90.0
    longitude = across / columns * 360.0 - 180.0
    x, y = np.meshgrid(longitude, latitude)
    shown = np.isfinite(angle)
    drawn.axes[0].quiver(
        x[shown], y[shown], np.cos(angle[shown]), np.sin(angle[shown]),
        color="white", alpha=0.9, pivot="middle", scale=45.0, width=0.0018,
    )  # fmt: skip
    return drawn


def solid_figure(drawing: BodyMap) -> Figure:
    """The body itself, coloured."""
    values = _finite(drawing.values)
    return body_figure(
        drawing.vertices, drawing.faces, values, drawing.key, title=_note(drawing, values),
        missing=BLACK,
    )  # fmt: skip


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isfinite(values), values, math.nan)


def _note(drawing: BodyMap, values: NDArray[np.float64]) -> str:
    """What black means, if anything is black."""
    return f"black: {drawing.missing}" if drawing.missing and np.isnan(values).any() else ""
