"""How well a series of spherical harmonics fits a body, degree by degree."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from haptos.view.style import (
    BLUE,
    INK,
    MARKERS,
    ORANGE,
    WIDTH,
    axis_label,
    figure,
    house_style,
    legend_outside,
    literal,
)


@house_style()
def fit_error_figure(
    degrees: ArrayLike, held_out_rms: ArrayLike, fit_rms: ArrayLike, *, title: str = ""
) -> Figure:
    """Root mean square errors of the radius [m] at fitted and at held-out vertices, over the degree.

    The best degree, where the held-out error is least, is marked.
    """
    tried, held = np.asarray(degrees), np.asarray(held_out_rms, dtype=float)
    drawn = figure(WIDTH, 3.0)
    axes = drawn.add_subplot()
    lines = (("held-out vertices", held, BLUE, "-"), ("fitted vertices", fit_rms, ORANGE, "--"))
    for (label, errors, colour, dash), marker in zip(lines, MARKERS, strict=False):
        axes.plot(tried, errors, color=colour, ls=dash, marker=marker, ms=5, label=label)
    best = int(np.argmin(held))
    axes.axvline(tried[best], color=INK, ls=":", lw=1.0, label=f"least at {tried[best]}")
    axes.set_ylim(bottom=0.0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("degree [-]")
    axes.set_ylabel(axis_label("radius_error_m"))
    legend_outside(axes)
    if title:
        axes.set_title(literal(title))
    return drawn
