"""Figures of one run: its energy, and the panels that its scenario asks for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from haptos.results.panels import Panel
from haptos.results.result import Result
from haptos.view.style import (
    BLUE,
    COLOURS,
    DASHES,
    GREEN,
    INK,
    ORANGE,
    RED,
    WIDTH,
    axis_label,
    figure,
    house_style,
    is_many,
    legend_outside,
    literal,
)

CONTACTS = "contact_count"  # of the trajectory: how many contacts there are at a time


def run_figures(result: Result) -> dict[str, Figure]:
    """Title -> figure: what every run has, whatever its scenario."""
    return {"Energy": energy_figure(result)}


@house_style()
def panels_figure(result: Result, panels: Sequence[Panel]) -> Figure:
    """Quantities a scenario asks for, one under the other on log axes, phases in contact shaded."""
    motion = result.trajectory
    drawn = figure(WIDTH, 1.9 * len(panels) + 0.5)
    rows = np.atleast_1d(drawn.subplots(len(panels), 1, sharex=True))
    time = motion["time"].values
    for axes, panel in zip(rows, panels, strict=True):
        shown = motion[panel.variable].values
        is_vector = shown.ndim > 1
        size = np.linalg.norm(shown, axis=1) if is_vector else shown
        _log_line(axes, time, size, color=BLUE, linestyle="-")
        axes.set_ylabel(axis_label(panel.key))
        said = literal(str(motion[panel.variable].attrs["description"]))
        axes.set_title(f"{panel.variable}: {said}" if is_vector else said)
        if CONTACTS in motion.variables:
            shade_contact(axes, time, motion[CONTACTS].values)
    rows[-1].set_xlabel(axis_label("time_s"))
    if CONTACTS in motion.variables:
        place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.2}
        rows[0].legend(handles=rows[0].collections[:1], **place)
    drawn.align_ylabels()
    return drawn


def contact_phases(time: np.ndarray, count: np.ndarray) -> list[tuple[float, float]]:
    """Intervals [s] in which count > 0; a sample stands for the time nearest to it."""
    time = np.asarray(time, dtype=float)
    middles = 0.5 * (time[1:] + time[:-1])
    borders = np.concatenate([time[:1], middles, time[-1:]])
    touching = np.concatenate([[False], np.asarray(count) > 0, [False]])
    changes = np.flatnonzero(touching[1:] != touching[:-1])
    return [(float(borders[a]), float(borders[b])) for a, b in changes.reshape(-1, 2)]


def shade_contact(axes: Axes, time: np.ndarray, count: np.ndarray) -> None:
    """Grey bands over the phases in contact."""
    spans = [(start, end - start) for start, end in contact_phases(time, count)]
    axes.broken_barh(
        spans,
        (0.0, 1.0),
        transform=axes.get_xaxis_transform(),
        facecolor=INK,
        alpha=0.22,
        linewidth=0.0,
        zorder=0.5,
        label="in contact",
        rasterized=is_many(20 * len(spans)),
    )


@house_style()
def energy_figure(result: Result) -> Figure:
    """Energy held, work done by each actor, and the remainder against its bound."""
    ledger = result.ledger
    drawn = figure(WIDTH, 6.6)
    held, done, rest = drawn.subplots(3, 1, sharex=True)
    dense = is_many(ledger.time.size)
    for name, series in ledger.stores.items():
        held.plot(ledger.time, series, label=literal(name), rasterized=dense)
    held.plot(ledger.time, ledger.total, color=INK, ls="-", lw=0.9, label="total", rasterized=dense)
    held.set_title("Energy held")
    works = ledger.works
    if len(works) > len(DASHES):  # looks would repeat: leave out what did nothing
        works = {name: series for name, series in works.items() if series.any()} or works
    for index, (name, series) in enumerate(works.items()):
        look = {"color": COLOURS[index % 6], "linestyle": DASHES[index % 6]}
        done.plot(ledger.time, series, label=literal(name), rasterized=dense, **look)
    done.set_title("Work done on the system (losses are negative)")
    for axes in (held, done):
        axes.set_ylabel(axis_label("energy_J"))
        if axes.lines:
            legend_outside(axes)
    _remainder(rest, result)
    rest.set_xlabel(axis_label("time_s"))
    drawn.align_ylabels()
    return drawn


def _remainder(axes: Axes, result: Result) -> None:
    ledger = result.ledger
    size = np.abs(ledger.remainder)
    _log_line(axes, ledger.time, size, color=BLUE, linestyle="-", label="remainder")
    largest = ledger.max_remainder
    if np.isfinite(largest) and largest > 0.0:
        axes.axhline(largest, color=ORANGE, linestyle=":", label="largest of steps and outputs")
    allowed = [ledger.bound * one.scale for one in ledger.judged]
    levels = np.array([(level, level, np.nan) for level in allowed]).ravel()
    times = np.array([(one.phase.start, one.phase.end, np.nan) for one in ledger.judged]).ravel()
    if np.any(levels > 0.0):
        colour = GREEN if ledger.closes else RED
        axes.plot(times, levels, color=colour, linestyle="--", label="bound of its phase")
    axes.set_yscale("log")
    axes.set_ylabel(axis_label("remainder_J"))
    axes.set_title("What does not add up: numerical error")
    legend_outside(axes)


def _log_line(axes: Axes, time: np.ndarray, size: np.ndarray, **look: object) -> None:
    """A line on a log axis; zeros and what is no number leave gaps."""
    shown = np.where(np.isfinite(size) & (size > 0.0), size, np.nan)
    axes.set_yscale("log")
    axes.plot(time, shown, rasterized=is_many(time.size), **look)  # type: ignore[arg-type]
    if np.isnan(shown).all():
        axes.set_ylim(1e-12, 1.0)
