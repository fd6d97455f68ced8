"""Which outcome where: a map of outcomes over two swept keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from haptos.view.style import COLOURS, INK, WIDTH, axis_label, figure, house_style, literal

Floats = NDArray[np.float64]
CONTOUR = 0.95  # [-] share of the most frequent outcome that a line is drawn at
MOST_NUMBERS = 150  # cells with numbers in them; of more they would run into each other
MOST_COLOURS = len(COLOURS)


def mapped_keys(runs: pd.DataFrame, swept: Sequence[str]) -> tuple[str, str] | None:
    """The two swept keys of a grid, the one with more values first; None if there are not two of numbers."""
    known = [key for key in swept if key in runs and pd.api.types.is_numeric_dtype(runs[key])]
    if len(known) != 2 or len(known) != len(swept) or "outcome" not in runs:
        return None
    sizes = [runs[key].nunique() for key in known]
    cells = len(runs[known].drop_duplicates())
    if min(sizes) < 2 or cells != sizes[0] * sizes[1]:
        return None
    return (known[0], known[1]) if sizes[0] >= sizes[1] else (known[1], known[0])


@house_style()
def outcome_map(runs: pd.DataFrame, across: str, up: str) -> Figure:
    """Each cell in the colour of its most frequent outcome, with how many of its runs ended so.

    A line goes where 95 % of the runs have the outcome that is most frequent of all, straight between the middles
    of cells: a guide, as a cell of few runs knows its share poorly.
    """
    labels = runs["outcome"].astype(str)
    names = [str(name) for name in labels.value_counts().index[:MOST_COLOURS]]
    counts = {name: _counts(runs, labels == name, across, up) for name in names}
    total = _counts(runs, labels.notna(), across, up)
    x, y = total.columns.to_numpy(dtype=float), total.index.to_numpy(dtype=float)
    stack = np.stack([table.to_numpy() for table in counts.values()])
    colours = ListedColormap(COLOURS[: len(names)])
    drawn = figure(WIDTH, 4.2)
    axes = drawn.subplots()
    axes.grid(visible=False)
    axes.pcolormesh(
        _edges(len(x)), _edges(len(y)), stack.argmax(axis=0), cmap=colours,
        norm=BoundaryNorm(np.arange(len(names) + 1) - 0.5, len(names)), alpha=0.75, edgecolors=INK, linewidth=0.3,
    )  # fmt: skip
    runs_in = total.to_numpy()
    share = stack[0] / runs_in
    if share.min() < CONTOUR < share.max():
        axes.contour(np.arange(len(x)), np.arange(len(y)), share, [CONTOUR], colors="black")
    if total.size <= MOST_NUMBERS:
        for j, i in np.ndindex(runs_in.shape):
            said = f"{int(stack[:, j, i].max())}/{int(runs_in[j, i])}"
            axes.annotate(said, (i, j), ha="center", va="center", fontsize=7.0, color="black")
    _name_axes(axes, x, y, across, up)
    patches = [
        Patch(color=COLOURS[k], alpha=0.75, label=literal(name)) for k, name in enumerate(names)
    ]
    axes.legend(handles=patches, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return drawn


def _counts(runs: pd.DataFrame, chosen: pd.Series, across: str, up: str) -> pd.DataFrame:
    """Runs that are chosen, by values of `up` (rows) and `across` (columns)."""
    found = chosen.groupby([runs[up], runs[across]]).sum().unstack()
    return found.fillna(0).astype(int)


def _edges(count: int) -> Floats:
    """Edges of cells whose middles are at 0, 1, 2 ..."""
    return np.arange(count + 1, dtype=np.float64) - 0.5


def _name_axes(axes: Any, x: Floats, y: Floats, across: str, up: str) -> None:
    """Values at the middles of cells, at most about ten on each axis."""
    for values, put, name, key in (
        (x, axes.set_xticks, axes.set_xlabel, across), (y, axes.set_yticks, axes.set_ylabel, up),
    ):  # fmt: skip
        places = np.arange(0, len(values), max(1, -(-len(values) // 10)))
        put(places, [f"{values[k]:.3g}" for k in places])
        name(axis_label(key))
