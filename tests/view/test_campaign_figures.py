"""Figures of a campaign show the table they are given."""

from __future__ import annotations

import functools
import io
import itertools
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from haptos.view.campaign_figures import campaign_figures, histogram_figure, main_metrics
from haptos.view.style import svg
from tests.view.table_of_runs import VARIED, table_of_runs


@functools.cache
def drawn() -> dict[str, Figure]:
    return campaign_figures(table_of_runs(), VARIED)


def test_there_is_a_figure_per_question() -> None:
    assert list(drawn()) == [
        "Outcomes",
        "Distributions",
        "Against contact.friction",
        "Against probe.shape",
        "Places of rest",
    ]


def test_metrics_are_what_came_out_and_not_what_went_in() -> None:
    assert main_metrics(table_of_runs(), VARIED) == [
        "settle_time_s",
        "travel_m",
        "bounce_count",
        "max_closing_speed_m_per_s",
    ]


def test_outcomes_are_counted_and_shared() -> None:
    runs = table_of_runs(120)
    axes = campaign_figures(runs, VARIED)["Outcomes"].axes[0]
    widths = {text.get_text(): bar.get_width() for text, bar in zip(
        axes.get_yticklabels(), axes.patches, strict=True)}  # fmt: skip
    assert widths == runs["outcome"].value_counts().to_dict()
    assert sum(float(text.get_text().split("(")[1][:-2]) for text in axes.texts) == pytest.approx(
        100.0, abs=0.2
    )


def test_histograms_hold_every_run_that_has_a_value() -> None:
    runs = table_of_runs()
    first = drawn()["Distributions"].axes[0]
    present = int(runs["settle_time_s"].notna().sum())
    assert sum(bar.get_height() for bar in first.patches) == present  # type: ignore[attr-defined]
    assert first.get_title(loc="left") == f"{present} runs, {len(runs) - present} without a value"
    assert first.get_xlabel() == "settle time [s]"


def test_numbers_below_a_histogram_do_not_run_into_each_other() -> None:
    spread = np.linspace(1600.0, 20900.0, 160)
    drawn = histogram_figure(pd.DataFrame({"a_s": spread, "b_s": spread}), ["a_s", "b_s"])
    reported = re.findall(r">([0-9]{4,5})<", svg(drawn, "histogram"))
    assert reported == 2 * ["5000", "10000", "15000", "20000"]  # eight to a panel would


def test_counts_get_one_bar_per_whole_number() -> None:
    runs = table_of_runs()
    bounces = drawn()["Distributions"].axes[2]
    heights = [bar.get_height() for bar in bounces.patches]  # type: ignore[attr-defined]
    expected = np.bincount(runs["bounce_count"] - runs["bounce_count"].min())
    assert heights == expected.tolist()


def test_boxes_stand_for_the_groups_of_the_swept_key() -> None:
    runs = table_of_runs()
    axes = drawn()["Against contact.friction"].axes[1]
    assert axes.get_ylabel() == "travel [m]"
    by_group = runs.groupby("contact.friction")["travel_m"].median()
    found = [float(line.get_ydata()[0]) for line in axes.lines]  # type: ignore[index]
    assert all(np.isclose(found, value, rtol=1e-12, atol=0.0).any() for value in by_group)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0.2", "0.4", "0.6", "0.8"]


def test_words_are_groups_too() -> None:
    axes = drawn()["Against probe.shape"].axes[-1]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["cube", "icosahedron"]


def test_many_values_of_a_number_are_points() -> None:
    varied = {"random": [], "swept": ["release.velocity_m_per_s"]}
    runs = table_of_runs()
    axes = campaign_figures(runs, varied)["Against release.velocity_m_per_s"].axes[1]
    assert len(axes.lines) == 1
    assert len(np.asarray(axes.lines[0].get_xdata())) == len(runs)


def test_places_of_rest_are_drawn_where_they_are() -> None:
    runs = table_of_runs()
    axes = drawn()["Places of rest"].axes[0]
    shown = np.concatenate([np.asarray(cloud.get_offsets()) for cloud in axes.collections])
    expected = runs[["rest_x_m", "rest_y_m"]].dropna().to_numpy()
    assert np.array_equal(np.sort(shown, axis=0), np.sort(expected, axis=0))
    assert axes.get_xlabel() == "rest x [m], A axes"


def test_a_large_cloud_becomes_pixels() -> None:
    figure = campaign_figures(table_of_runs(20_000), VARIED)["Places of rest"]
    text = svg(figure, "rest")
    assert "data:image/png;base64" in text
    assert len(text) < 400_000


@pytest.mark.parametrize(
    "runs",
    [
        table_of_runs(1),
        table_of_runs(2),
        pd.DataFrame({"outcome": ["settled"] * 3}),
        pd.DataFrame({"travel_m": [1.0, np.inf, np.nan], "outcome": ["a", "$b_{$", "<c>"]}),
        pd.DataFrame({"travel_m": [1.0, 2.0], "probe.shape": ["$\\x$", None]}),
        pd.DataFrame({"travel_m": [1.0, 2.0, 4.5], "probe.shape": [[1.0, 2.0], [0.0], [0.0]]}),
        pd.DataFrame({"travel_m": [1.0, 2.0], "probe.shape": [True, False]}),
        pd.DataFrame({"rest_x_m": [1.0, np.nan], "rest_y_m": [1.0, 1.0]}),
        pd.DataFrame({"rest_x_m": [1.0], "rest_y_m": [np.nan]}),
        table_of_runs().assign(settle_time_s=np.nan),
        table_of_runs().convert_dtypes(),
    ],
)
def test_odd_tables_can_be_drawn_without_warnings(runs: pd.DataFrame) -> None:
    for figure in campaign_figures(runs, VARIED).values():
        figure.savefig(io.BytesIO(), dpi=40)


def test_no_runs_give_no_figures() -> None:
    assert campaign_figures(pd.DataFrame(), VARIED) == {}
    assert campaign_figures(table_of_runs().iloc[:0], VARIED) == {}


def grid_of_runs() -> pd.DataFrame:
    """Three by two cells of four runs: all docked, but none at the wide offset and half at the middle one with tilt."""
    rows = []
    for tilt, offset, k in itertools.product((0.0, 2.0), (0.0, 0.03, 0.06), range(4)):
        fails = offset == 0.06 or (offset == 0.03 and tilt == 2.0 and k < 2)
        rows.append((tilt, offset, "missed" if fails else "docked"))
    return pd.DataFrame(rows, columns=["start.tilt_deg", "start.offset_m", "outcome"])


def test_outcomes_over_two_swept_keys_are_a_map() -> None:
    runs = grid_of_runs()
    swept = ["start.tilt_deg", "start.offset_m"]
    title = "Outcomes over start.offset_m and start.tilt_deg"
    axes = campaign_figures(runs, {"swept": swept})[title].axes[0]
    assert [text.get_text() for text in axes.texts] == ["4/4", "4/4", "4/4", "4/4", "2/4", "4/4"]
    cells = axes.collections[0].get_array()
    assert cells is not None
    assert cells.ravel().tolist() == [0, 0, 1, 0, 0, 1]  # 0 is docked, the more frequent
    assert axes.get_xlabel() == "offset [m]"
    lines = [path.vertices for c in axes.collections[1:] for path in c.get_paths()]
    line = np.concatenate(lines)  # 95 % of docked between the cells, whose middles are at 0, 1, 2
    assert line[:, 0].min() == pytest.approx(0.1)
    assert line[:, 0].max() == pytest.approx(1.05)


@pytest.mark.parametrize(
    "swept", [["start.tilt_deg"], ["start.tilt_deg", "outcome"], ["start.tilt_deg", "gone"]]
)
def test_what_is_no_grid_of_two_numbers_has_no_map(swept: list[str]) -> None:
    runs = grid_of_runs()
    assert not any("Outcomes over" in name for name in campaign_figures(runs, {"swept": swept}))
    holes = runs[(runs["start.tilt_deg"] > 0.0) | (runs["start.offset_m"] > 0.0)]
    swept = ["start.tilt_deg", "start.offset_m"]
    assert not any("Outcomes over" in name for name in campaign_figures(holes, {"swept": swept}))
