"""Figures as files for papers: SVG and PDF, with black letters on no ground."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

from matplotlib.figure import Figure

from haptos.core.slugs import slug
from haptos.core.whole_files import write_whole
from haptos.view.style import INK, house_style

DARK = "#222222"  # of text and axes on paper
NOTHING = {"svg": ("Date", "Creator"), "pdf": ("CreationDate", "Creator", "Producer")}


def write_vectors(drawn: Mapping[str, Figure], directory: Path) -> list[Path]:
    """Write each figure as NAME.svg and NAME.pdf; the files, in order."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for title, figure in drawn.items():
        name = slug(title, "figure")
        _darken(figure)
        for kind, left_out in NOTHING.items():
            buffer = io.BytesIO()
            with house_style():
                figure.savefig(buffer, format=kind, metadata=dict.fromkeys(left_out))
            content = buffer.getvalue()
            if kind == "svg":
                content = content.replace(INK.encode(), DARK.encode())
            written.append(write_whole(directory / f"{name}.{kind}", content))
    return written


def _darken(figure: Figure) -> None:
    """Turn the grey of text, ticks and axes, made for pages of any colour, into that of paper."""
    for artist in figure.findobj():
        for part in ("color", "edgecolor"):
            get, put = getattr(artist, f"get_{part}", None), getattr(artist, f"set_{part}", None)
            if get is not None and put is not None and isinstance(get(), str) and get() == INK:
                put(DARK)
