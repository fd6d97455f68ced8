"""One look for all figures: safe for colour-blind eyes, readable in grey, neutral on any page.

Backgrounds are transparent and text is a middle grey that reads on white and on black; a report
turns that grey into the colour of its own text. Lines differ in dash as well as in colour.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from typing import Any

import matplotlib
from cmcrameri import cm
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from haptos.core.frames import NO_FRAME
from haptos.core.units import label

INK = "#76797d"  # contrast 4.4 on white, 4.0 on #1a1a1c
# Okabe and Ito's palette, without black and yellow, which vanish on dark and on light pages.
BLUE, ORANGE, GREEN, PINK, SKY, RED = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
)
COLOURS = (BLUE, ORANGE, GREEN, PINK, SKY, RED)
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P")
RIM = (
    withStroke(linewidth=2.8, foreground="black"),
)  # round lines that cross colours: seen in grey too
SEQUENCE = cm.batlow  # perceptually even, ordered in grey as well
WIDTH = 7.2  # [inch] of a full-width figure
MOST_POINTS = 20_000  # of a cloud; a million take a minute and hide each other
MANY_POINTS = 4000  # beyond this a line or cloud is drawn as pixels, or the page grows by megabytes

STYLE: dict[str, Any] = {
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.xmargin": 0.01,
    "axes.titlesize": 10.0,
    "axes.titlelocation": "left",
    "axes.labelsize": 9.0,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "lines.linewidth": 1.5,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "axes.prop_cycle": cycler(color=COLOURS, linestyle=DASHES),
    "svg.fonttype": "none",
    "svg.hashsalt": "haptos",
    "savefig.dpi": 160,
}


@contextlib.contextmanager
def house_style() -> Iterator[None]:
    """Figures drawn inside look like ours; also works as a decorator."""
    with matplotlib.rc_context(STYLE):  # type: ignore[arg-type]
        yield


def figure(width: float = WIDTH, height: float = 3.2) -> Figure:
    """An empty figure [inch] that belongs to no window system."""
    return Figure(figsize=(width, height), layout="constrained")


def axis_label(key: str, frame: str = NO_FRAME) -> str:
    """Words, unit and axes: 'rest x [m], A axes'."""
    return literal(label(key) if frame == NO_FRAME else f"{label(key)}, {frame} axes")


def literal(text: str) -> str:
    """Text shown as it is; a dollar sign would start a formula."""
    return text.replace("$", r"\$")


def is_many(count: int) -> bool:
    return count > MANY_POINTS


def thinning(count: int) -> int:
    """Every how many-th point of a cloud is drawn: all up to MOST_POINTS, then evenly fewer."""
    return max(1, -(-count // MOST_POINTS))


def legend_outside(axes: Axes) -> None:
    """Legend at the right edge, where it covers no data."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def png(drawn: Figure) -> bytes:
    """The figure as a PNG file."""
    buffer = io.BytesIO()
    with house_style():
        drawn.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def svg(drawn: Figure, name: str) -> str:
    """SVG element for a page: ids unique by `name`, text in the page's colour, no links out."""
    buffer = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with house_style():
        drawn.savefig(buffer, format="svg", metadata=nothing)
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text)
    text = re.sub(r'(<image\b[^>]*?)\sid="[^"]*"', r"\1", text)  # not unique, and not used
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = re.sub(r'(url\(#|xlink:href="#)', rf"\g<1>{name}-", text)
    text = re.sub(r'(<svg[^>]*?)\s(width|height)="[^"]*"', r"\1", text)
    text = re.sub(r'(<svg[^>]*?)\s(width|height)="[^"]*"', r"\1", text)
    return text.replace(INK, "currentColor")
