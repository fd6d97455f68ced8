"""Densities that hold one, cumulative shares that end at one, clouds of the strongest keys, fitted curves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from haptos.results.campaign_summary import Curve, Finding
from haptos.view.spread_figures import (
    curve_figure,
    density_figure,
    kernel_density,
    key_label,
    spread_figures,
    spread_metrics,
    strongest,
)
from tests.close import assert_close

GENERATOR = np.random.default_rng(1)
COUNT = 300
SPEED, PLACE = GENERATOR.normal(0.05, 0.01, COUNT), GENERATOR.normal(0.0, 5.0, COUNT)
RUNS = pd.DataFrame(
    {
        "outcome": "settled",
        "settle_time_s": 5000.0 + 4e4 * SPEED + GENERATOR.normal(0.0, 100.0, COUNT),
        "release.velocity_m_per_s[2]": SPEED,
        "release.position_m[0]": PLACE,
        "release.attitude_quaternion[0]": PLACE,
        "contact.friction": np.repeat([0.2, 0.5, 0.8], COUNT // 3),
    }
)
VARIED = {
    "random": ["release.position_m[0]", "release.velocity_m_per_s[2]", "release.attitude_quaternion[0]"],
    "swept": ["contact.friction"],
}  # fmt: skip


def test_a_density_holds_one():
    x, density = kernel_density(np.sort(GENERATOR.normal(100.0, 10.0, 4000)))
    assert_close(np.trapezoid(density, x), 1.0, rtol=0.01)


def test_cumulative_shares_end_at_one_with_a_line_per_swept_value():
    drawn = density_figure(RUNS, ["settle_time_s"], "contact.friction")
    lines = drawn.axes[1].get_lines()
    assert len(lines) == 3
    for line in lines:
        assert line.get_ydata()[-1] == pytest.approx(1.0)
        assert np.all(np.diff(line.get_xdata()) >= 0.0)
    assert len({line.get_linestyle() for line in lines}) == 3  # distinguished without colour


def test_the_strongest_key_comes_first_and_attitudes_are_left_out():
    found = strongest(RUNS, VARIED["random"], "settle_time_s")
    assert [key for key, _ in found] == ["release.velocity_m_per_s[2]", "release.position_m[0]"]
    assert found[0][1] > 0.9


def test_labels_of_vector_elements_have_axis_unit_and_frame():
    assert key_label("release.position_m[2]") == "release position z [m], A axes"
    assert key_label("release.rate_rad_per_s[0]") == "release rate x [rad/s], B axes"
    assert key_label("contact.friction") == "friction [-]"


def test_groups_of_few_runs_are_drawn_together_and_what_has_no_spread_is_left_out():
    few = RUNS[::8].assign(first_touch_time_s=4.0)  # 13 or fewer of each friction
    metrics, key = spread_metrics(few, VARIED["swept"])
    assert (metrics, key) == (["settle_time_s"], "")
    assert spread_metrics(RUNS, VARIED["swept"]) == (["settle_time_s"], "contact.friction")
    assert spread_metrics(RUNS[:19], VARIED["swept"]) == ([], "")
    for drawn in (density_figure(few, metrics, key), *spread_figures(few, VARIED).values()):
        assert all(axes.lines for axes in drawn.axes), "an empty panel"


def test_figures_of_a_table_and_none_of_a_bare_one():
    titles = list(spread_figures(RUNS, VARIED))
    assert titles == ["Densities and cumulative shares", "Settle time against what was drawn"]
    assert spread_figures(RUNS[["outcome"]], {"random": [], "swept": []}) == {}


def test_fitted_curves_run_through_their_means():
    x = np.array([0.2, 0.5, 0.8])
    y = 100.0 / (1.0 - x)
    curve = Curve("cube", x, y, y - 5.0, y + 5.0, x, y)
    finding = Finding("t", pd.DataFrame(), "", "contact.restitution", "settle_time_s", (curve,))
    axes = curve_figure(finding).axes[0]
    assert axes.get_xlabel() == "restitution [-]"
    assert axes.get_ylabel() == "mean settle time [s]"
    assert "Fitted: t" in spread_figures(RUNS, VARIED, [finding])
