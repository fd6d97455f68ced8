"""How metrics spread and what they depend on: densities, cumulative shares, clouds against any key, fitted curves."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from haptos.core.units import split_unit
from haptos.results.campaign_summary import Finding
from haptos.view.key_frames import framed
from haptos.view.style import (
    BLUE,
    COLOURS,
    DASHES,
    MARKERS,
    ORANGE,
    RIM,
    WIDTH,
    axis_label,
    figure,
    house_style,
    is_many,
    literal,
    thinning,
)

Floats = NDArray[np.float64]

SPREAD = ("settle_time_s", "first_touch_time_s", "path_length_m", "slope_at_rest_deg")
METRIC = "settle_time_s"
FEWEST, MOST_DENSITY = 20, 20_000  # values for a density; beyond the latter evenly fewer are used
MOST_GROUPS, MOST_CLOUDS = 6, 4


def spread_figures(
    runs: pd.DataFrame, varied: dict[str, list[str]], findings: Sequence[Finding] = ()
) -> dict[str, Figure]:
    """Title -> figure: densities and cumulative shares by swept key, clouds, fitted curves."""
    drawn: dict[str, Figure] = {}
    metrics, key = spread_metrics(runs, varied.get("swept", []))
    if metrics:
        drawn["Densities and cumulative shares"] = density_figure(runs, metrics, key)
    clouds = strongest(runs, varied.get("random", []), METRIC)
    if clouds:
        drawn[f"{axis_label(METRIC).partition(' [')[0].capitalize()} against what was drawn"] = (
            cloud_figure(runs, clouds, METRIC)
        )
    for finding in findings:
        if finding.curves:
            drawn[f"Fitted: {finding.title}"] = curve_figure(finding)
    return drawn


def spread_metrics(runs: pd.DataFrame, swept: Sequence[str]) -> tuple[list[str], str]:
    """(metrics that a density can be drawn of, the swept key whose values get lines of their own).

    No key where its values have too few runs each, but all runs together have enough.
    """
    known = [k for k in swept if k in runs]
    key = next((k for k in known if 1 < runs[k].nunique() <= MOST_GROUPS), "")
    for group in (key, "") if key else ("",):
        parts = [part for _, part in runs.groupby(group)] if group else [runs]
        metrics = [n for n in SPREAD if n in runs and any(has_spread(_finite(p[n])) for p in parts)]
        if metrics:
            return metrics, group
    return [], ""


def has_spread(values: Floats) -> bool:
    """Whether there are enough values, and not all the same, for a density."""
    return len(values) >= FEWEST and bool(values.min() < values.max())


@house_style()
def density_figure(runs: pd.DataFrame, metrics: Sequence[str], key: str = "") -> Figure:
    """Probability density and cumulative share of each metric, a line per value of a swept key."""
    drawn = figure(WIDTH, 2.3 * len(metrics))
    panels = drawn.subplots(len(metrics), 2, squeeze=False)
    groups = [("all runs", runs)] if not key else [(f"{v}", g) for v, g in runs.groupby(key)]
    for (left, right), name in zip(panels, metrics, strict=True):
        for place, (label, part) in enumerate(groups):
            look = {"color": COLOURS[place % 6], "linestyle": DASHES[place % 6]}
            values = np.sort(_finite(part[name]))
            if not has_spread(values):
                continue
            x, density = kernel_density(values)
            left.plot(x, density, label=literal(label), **look)
            step = thinning(len(values))
            shown = values[::step]
            right.plot(shown, np.arange(1, len(values) + 1, step) / len(values), **look)
        for axes in (left, right):
            axes.set_xlabel(axis_label(name))
            axes.set_ylim(bottom=0.0)
        unit = axis_label(name).rpartition("[")[2].rstrip("]")
        left.set_ylabel(f"density [1/{unit}]")
        right.set_ylabel("share of runs at or below [-]")
    if key:
        title = axis_label(key)
        panels[0, 0].legend(title=title, title_fontsize=8.5, fontsize=8.0)
    return drawn


def kernel_density(values: Floats) -> tuple[Floats, Floats]:
    """(places, density) of a Gaussian kernel with Silverman's width, over the range of the values."""
    from scipy.stats import gaussian_kde

    used = values[:: max(1, -(-len(values) // MOST_DENSITY))]
    width = float(used.std())
    low, high = float(values[0]) - 0.3 * width, float(values[-1]) + 0.3 * width
    x = np.linspace(max(low, 0.0) if values[0] >= 0.0 else low, high, 200)
    return x, np.asarray(gaussian_kde(used, bw_method="silverman")(x))


def strongest(runs: pd.DataFrame, keys: Sequence[str], metric: str) -> list[tuple[str, float]]:
    """(key, rank correlation with the metric) of numbers drawn at random, the strongest first."""
    from scipy.stats import spearmanr

    if metric not in runs:
        return []
    usable = runs[np.isfinite(runs[metric].to_numpy(dtype=float, na_value=np.nan))]
    if len(usable) < FEWEST:
        return []
    usable = usable[:: thinning(len(usable))]
    found = []
    for key in keys:
        if "quaternion" in key or key not in usable:
            continue
        if not pd.api.types.is_numeric_dtype(usable[key]):
            continue
        if usable[key].nunique() > MOST_GROUPS and usable[metric].nunique() > 1:
            found.append((key, float(spearmanr(usable[key], usable[metric]).statistic)))
    return sorted(found, key=lambda pair: -abs(pair[1]))[:MOST_CLOUDS]


@house_style()
def cloud_figure(runs: pd.DataFrame, keys: Sequence[tuple[str, float]], metric: str) -> Figure:
    """Metric of every run against keys drawn at random, with the median in eight equal groups."""
    columns = min(2, len(keys))
    rows = math.ceil(len(keys) / columns)
    drawn = figure(WIDTH, 2.5 * rows)
    panels = drawn.subplots(rows, columns, squeeze=False).ravel()
    usable = runs[np.isfinite(runs[metric].to_numpy(dtype=float, na_value=np.nan))]
    step = thinning(len(usable))
    for axes, (key, rank) in zip(panels, keys, strict=False):
        shown = usable[::step]
        axes.plot(
            shown[key], shown[metric], ".", ms=3, color=BLUE, alpha=0.5, rasterized=is_many(len(shown))
        )  # fmt: skip
        _medians(axes, usable[key].to_numpy(dtype=float), usable[metric].to_numpy(dtype=float))
        axes.locator_params(axis="x", nbins=5)  # more would run into each other
        axes.set_xlabel(key_label(key))
        axes.set_ylabel(axis_label(metric))
        axes.set_title(f"rank correlation {rank:+.2f}", fontsize=8.5)
    for spare in panels[len(keys) :]:
        spare.set_axis_off()
    return drawn


def _medians(axes: Axes, x: Floats, y: Floats, count: int = 8) -> None:
    order = np.array_split(np.argsort(x, kind="stable"), count)
    parts = [part for part in order if len(part)]
    middle = [float(np.median(x[part])) for part in parts]
    axes.plot(
        middle, [float(np.median(y[part])) for part in parts], "-", color=ORANGE, marker="s", ms=4,
        markeredgecolor="black", label="median", path_effects=RIM,
    )  # fmt: skip
    axes.legend(loc="upper right", fontsize=8.0)


@house_style()
def curve_figure(finding: Finding) -> Figure:
    """Means with 95 % intervals against a key, and the curves fitted through them."""
    drawn = figure(WIDTH, 3.6)
    axes = drawn.subplots()
    for place, curve in enumerate(finding.curves):
        colour = COLOURS[place % 6]
        spread = np.array([curve.mean - curve.low, curve.high - curve.mean])
        axes.errorbar(
            curve.x, curve.mean, yerr=np.maximum(spread, 0.0), fmt=MARKERS[place % 6], color=colour,
            capsize=3, ms=5, linestyle="none", label=literal(curve.label),
        )  # fmt: skip
        axes.plot(curve.fit_x, curve.fit_y, color=colour, linestyle=DASHES[place % 6])
    axes.set_xlabel(axis_label(finding.key))
    axes.set_ylabel(f"mean {axis_label(finding.metric)}")
    axes.set_title("bars: 95 % intervals of the mean; lines: fitted", fontsize=8.5)
    axes.legend()
    return drawn


def key_label(key: str) -> str:
    """Axis label of a key, also of one element of a vector: 'release position z [m], A axes'."""
    found = re.fullmatch(r"(?:.*\.)?(\w+)\[([0-3])\]", key)
    if found is None or "quaternion" in key:
        return axis_label(key)
    name, unit = split_unit(found[1])
    words = f"{name.replace('_', ' ')} {'xyz'[int(found[2])]} [{unit}]"
    return literal(framed(f"release {words}" if key.startswith("release.") else words, key))


def _finite(column: pd.Series) -> Floats:
    values = column.to_numpy(dtype=float, na_value=np.nan)
    return np.asarray(values[np.isfinite(values)])
