"""The figure of a scan over degrees shows both errors and the best degree."""

from __future__ import annotations

import io

from haptos.view.harmonic_figures import fit_error_figure


def test_both_errors_and_the_best_degree_are_shown():
    drawn = fit_error_figure([4, 8, 12], [3.0, 2.0, 2.5], [2.9, 1.8, 1.0], title="body")
    (axes,) = drawn.axes
    held, fitted, best = axes.lines
    assert list(held.get_ydata()) == [3.0, 2.0, 2.5]
    assert list(fitted.get_ydata()) == [2.9, 1.8, 1.0]
    assert best.get_xdata()[0] == 8
    assert axes.get_ylabel() == "radius error [m]"
    drawn.savefig(io.BytesIO(), format="png", dpi=30)
