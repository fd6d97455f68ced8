"""Payload per tether against tip speed, one line for each material."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from haptos.core.whole_files import write_whole


def plot_payloads(rows: Sequence[Mapping[str, float | str]], file: Path) -> None:
    """Draw the rows of `tether_sizes` to a picture file."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7.0, 4.5), layout="constrained")
    for name in dict.fromkeys(str(row["material"]) for row in rows):
        own = [row for row in rows if row["material"] == name]
        own.sort(key=lambda row: float(row["speed_m_per_s"]))
        x = [float(row["speed_m_per_s"]) for row in own]
        y = [1.0 / float(row["tapered_tether_per_payload"]) for row in own]
        axes.plot(x, y, marker="o", label=name)
    axes.set(xlabel="tip speed [m/s]", ylabel="payload per tapered tether [kg/kg]", yscale="log")
    axes.legend()
    axes.grid(alpha=0.3)
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=150, format=file.suffix.lstrip(".") or "png")
    pyplot.close(figure)
    write_whole(file, buffer.getvalue())
