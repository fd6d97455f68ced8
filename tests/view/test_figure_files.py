"""Figures for papers are vectors, dark on no ground."""

from __future__ import annotations

from pathlib import Path

from haptos.view.figure_files import DARK, write_vectors
from haptos.view.run_figures import energy_figure
from haptos.view.style import INK
from tests.results.hop import hop


def test_each_figure_becomes_an_svg_and_a_pdf(tmp_path: Path) -> None:
    drawn = {"Energy, held & done": energy_figure(hop(count=50))}
    written = write_vectors(drawn, tmp_path / "new")
    assert [path.name for path in written] == ["energy-held-done.svg", "energy-held-done.pdf"]
    text = written[0].read_text(encoding="utf-8")
    assert "<text" in text  # letters stay letters
    assert INK not in text
    assert DARK in text
    assert written[1].read_bytes().startswith(b"%PDF")
