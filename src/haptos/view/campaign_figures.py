"""Figures of many runs, from one table with a row per run."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure

from haptos.core.number_text import short_number
from haptos.view.outcome_map import mapped_keys, outcome_map
from haptos.view.style import (
    BLUE,
    COLOURS,
    INK,
    MARKERS,
    ORANGE,
    RIM,
    SEQUENCE,
    WIDTH,
    axis_label,
    figure,
    house_style,
    is_many,
    literal,
    thinning,
)

MOST_PANELS = 6
MOST_BOXES = 16  # more values than this are drawn as points
# Columns that say how a run was made, and places of rest, which have their own figure.
_NO_PANEL = re.compile(r"ledger_.*|run|index|.*_index|seed|batch|.*steps|wall_time_s|rest_.*")


def campaign_figures(runs: pd.DataFrame, varied: dict[str, list[str]]) -> dict[str, Figure]:
    """Title -> figure: outcomes and where they are met, distributions, metrics against swept keys, places of rest."""
    drawn: dict[str, Figure] = {}
    if runs.empty:
        return drawn
    if "outcome" in runs:
        drawn["Outcomes"] = outcome_figure(runs)
    keys = mapped_keys(runs, varied.get("swept", []))
    if keys is not None:
        drawn[f"Outcomes over {keys[0]} and {keys[1]}"] = outcome_map(runs, *keys)
    metrics = main_metrics(runs, varied)
    if metrics:
        drawn["Distributions"] = histogram_figure(runs, metrics)
    for key in varied.get("swept", []):
        if key in runs and metrics:
            drawn[f"Against {key}"] = swept_figure(runs, key, metrics[:4])
    if {"rest_x_m", "rest_y_m"} <= set(runs.columns):
        resting = runs[_is_finite(runs["rest_x_m"]) & _is_finite(runs["rest_y_m"])]
        if not resting.empty:
            drawn["Places of rest"] = rest_figure(resting)
    return drawn


def main_metrics(runs: pd.DataFrame, varied: dict[str, list[str]]) -> list[str]:
    """Numeric columns worth a panel: not varied, not bookkeeping, not the same for every run."""
    given = {key for keys in varied.values() for key in keys}
    found = []
    for name in map(str, runs.columns):
        numeric = pd.api.types.is_numeric_dtype(runs[name])
        if not numeric or pd.api.types.is_bool_dtype(runs[name]):
            continue
        if name in given or "." in name or _NO_PANEL.fullmatch(name):
            continue
        if len(np.unique(_finite(runs[name]))) > 1:
            found.append(name)
    return found[:MOST_PANELS]


@house_style()
def outcome_figure(runs: pd.DataFrame) -> Figure:
    """Number and share of runs for each outcome."""
    counts = runs["outcome"].astype(str).value_counts()
    drawn = figure(WIDTH, 0.8 + 0.36 * len(counts))
    axes = drawn.subplots()
    names = [literal(str(name)) for name in counts.index]
    hatches = ["", "//", "..", "\\\\", "xx", "oo", "--"]
    for row, (name, count) in enumerate(zip(names, counts, strict=True)):
        look: dict[str, Any] = {"hatch": hatches[row % 7], "edgecolor": INK, "linewidth": 0.6}
        axes.barh(name, count, color=COLOURS[row % 6], height=0.62, **look)
        axes.annotate(
            f"{count} ({count / len(runs):.1%})",
            (count, row),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
        )
    axes.invert_yaxis()
    axes.set_xlim(0.0, 1.22 * counts.max())
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("runs [-]")
    return drawn


def impact_figures(impacts: pd.DataFrame) -> dict[str, Figure]:
    """Title -> figure: distributions over all impacts of all runs."""
    shown = [str(name) for name in impacts.columns if _is_finite(impacts[name]).any()]
    return {"Impacts": histogram_figure(impacts, shown, "impacts")} if shown else {}


@house_style()
def histogram_figure(runs: pd.DataFrame, metrics: list[str], word: str = "runs") -> Figure:
    """Distribution of each metric over all runs (or impacts) that have it, with the median."""
    columns = min(2, len(metrics))
    rows = math.ceil(len(metrics) / columns)
    drawn = figure(WIDTH, 2.25 * rows)
    panels = drawn.subplots(rows, columns, squeeze=False).ravel()
    for axes, name in zip(panels, metrics, strict=False):
        values = _finite(runs[name])
        axes.hist(values, bins=_bins(values), color=BLUE, alpha=0.85, edgecolor=INK, linewidth=0.4)
        median = float(np.median(values))
        words = f"median {short_number(median, 4)}"
        axes.axvline(median, color=ORANGE, ls="--", label=words, path_effects=RIM)
        axes.locator_params(axis="x", nbins=6)  # more would run into each other
        axes.set_xlabel(axis_label(name))
        axes.set_ylabel(f"{word} [-]")
        missing = len(runs) - len(values)
        title = f"{len(values)} {word}" + (f", {missing} without a value" if missing else "")
        axes.set_title(title, fontsize=8.5)
        axes.margins(y=0.25)
        axes.legend(loc="upper right")
    for spare in panels[len(metrics) :]:
        spare.set_axis_off()
    return drawn


def _bins(values: np.ndarray) -> np.ndarray:
    """Edges of the bars: one per whole number for counts, else as many as Rice's rule gives."""
    low, high = float(values.min()), float(values.max())
    if np.all(values == np.round(values)) and high - low <= 60.0:
        return np.arange(low - 0.5, high + 1.0)
    count = int(np.clip(2.0 * len(values) ** (1.0 / 3.0), 5, 60))
    return np.linspace(low, high, count + 1)


@house_style()
def swept_figure(runs: pd.DataFrame, key: str, metrics: list[str]) -> Figure:
    """Each metric against one swept key: boxes per value, or points if there are many values."""
    columns = min(2, len(metrics))
    rows = math.ceil(len(metrics) / columns)
    drawn = figure(WIDTH, 2.6 * rows)
    panels = drawn.subplots(rows, columns, squeeze=False).ravel()
    for axes, name in zip(panels, metrics, strict=False):
        _against(axes, runs, key, name)
        axes.set_xlabel(axis_label(key))
        axes.set_ylabel(axis_label(name))
    for spare in panels[len(metrics) :]:
        spare.set_axis_off()
    return drawn


def _against(axes: Axes, runs: pd.DataFrame, key: str, metric: str) -> None:
    numeric = pd.api.types.is_numeric_dtype(runs[key])
    is_number = numeric and not pd.api.types.is_bool_dtype(runs[key])
    if is_number and runs[key].nunique() > MOST_BOXES:
        usable = runs[_is_finite(runs[metric])]
        usable = usable[:: thinning(len(usable))]
        look: dict[str, Any] = {"color": BLUE, "alpha": 0.6, "rasterized": is_many(len(usable))}
        axes.plot(usable[key], usable[metric], ".", ms=3, **look)
        return
    values = runs[key] if is_number else runs[key].astype(str)
    levels = sorted(values.dropna().unique())
    names = [f"{level:g}" if is_number else shortened(level) for level in levels]
    _boxes(axes, [_finite(runs[metric][values == level]) for level in levels], names)


def _boxes(axes: Axes, groups: list[np.ndarray], names: list[str]) -> None:
    """A box per group: quartiles, median, whiskers to 1.5 box lengths, points beyond."""
    line = {"color": BLUE, "linestyle": "-"}
    many = is_many(sum(map(len, groups)))
    drawn = axes.boxplot(
        groups,
        tick_labels=[literal(name) for name in names],
        widths=0.6,
        patch_artist=True,
        flierprops={"marker": ".", "markersize": 3, "markeredgecolor": INK, "rasterized": many},
        medianprops={"color": ORANGE, "linewidth": 1.8, "linestyle": "-", "path_effects": RIM},
        boxprops={"edgecolor": BLUE, "linestyle": "-"},
        whiskerprops=line,
        capprops=line,
    )
    for place, box in enumerate(drawn["boxes"]):
        shade = SEQUENCE(0.15 + 0.7 * place / max(len(groups) - 1, 1))
        box.set_facecolor((*shade[:3], 0.55))
    axes.grid(axis="x", visible=False)
    if len(names) > 8 or max(map(len, names), default=0) > 12:
        axes.tick_params(axis="x", rotation=35)


@house_style()
def rest_figure(runs: pd.DataFrame) -> Figure:
    """Places of runs that came to rest, in A axes: marker by outcome, colour by time taken."""
    step = thinning(len(runs))
    runs = runs[::step]
    drawn = figure(WIDTH, 4.6)
    axes = drawn.subplots()
    outcomes = runs["outcome"].astype(str) if "outcome" in runs else pd.Series("run", runs.index)
    seconds = _finite(runs["settle_time_s"]) if "settle_time_s" in runs else np.empty(0)
    cloud: PathCollection | None = None
    for place, name in enumerate(outcomes.value_counts().index):
        chosen = runs[outcomes == name]
        look: dict[str, Any] = {"color": COLOURS[place % 6]}
        if seconds.size:
            span = {"vmin": seconds.min(), "vmax": seconds.max(), "cmap": SEQUENCE}
            look = {"c": chosen["settle_time_s"], "plotnonfinite": True, **span}
        look |= {"marker": MARKERS[place % 6], "s": 16, "linewidth": 0.3, "edgecolor": INK}
        look |= {"label": literal(name), "rasterized": is_many(len(runs))}
        cloud = axes.scatter(chosen["rest_x_m"], chosen["rest_y_m"], **look)
    if seconds.size and cloud is not None:
        drawn.colorbar(cloud, ax=axes, label=axis_label("settle_time_s"), shrink=0.85)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(axis_label("rest_x_m", "A"))
    axes.set_ylabel(axis_label("rest_y_m", "A"))
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4)
    if step > 1:
        axes.set_title(f"one run in {step} drawn", loc="right", fontsize=8.5)
    return drawn


def shortened(text: object, longest: int = 24) -> str:
    """Text that fits below a box."""
    whole = str(text)
    return whole if len(whole) <= longest else whole[: longest - 1] + "…"


def _is_finite(column: pd.Series) -> pd.Series:
    return pd.Series(np.isfinite(column.to_numpy(dtype=float, na_value=np.nan)), column.index)


def _finite(column: pd.Series) -> np.ndarray:
    values = column.to_numpy(dtype=float, na_value=np.nan)
    return np.asarray(values[np.isfinite(values)])
