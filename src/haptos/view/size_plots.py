"""Sizes of tethers as curves over speed: payload, ejection, stop and turn, one line for each material."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from haptos.core.errors import StorageError
from haptos.core.whole_files import write_whole

KINDS = ("png", "svg", "pdf", "jpg")
PANELS = (
    ("payload_per_tether", "payload per tether [kg/kg]", "constant section", "log"),
    ("tapered_tether_per_payload", "tapered tether per payload [kg/kg]", "constant stress", "log"),
    ("stop_start_mass_kg", "mass before a stop [kg]", "hitchhike equation", "log"),
    ("turn_force_N", "tip force of a turn [N]", "fixed length, where the line carries it", "log"),
)  # fmt: skip


def plot_sizes(rows: Sequence[Mapping[str, float | str]], file: Path) -> None:
    """Draw the rows of `tether_sizes`, best at many speeds, to a picture file."""
    kind = file.suffix.lstrip(".").lower() or "png"
    if kind not in KINDS:
        raise StorageError(
            str(file), f"a name that ends in '{file.suffix}'", f"one of {', '.join(KINDS)}",
            f"{file.stem}.png",
        )  # fmt: skip
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, all_axes = pyplot.subplots(2, 2, figsize=(11.0, 8.0), layout="constrained")
    for axes, (column, label, title, scale) in zip(all_axes.ravel(), PANELS, strict=True):
        for name in dict.fromkeys(str(row["material"]) for row in rows):
            own = [row for row in rows if row["material"] == name]
            own.sort(key=lambda row: float(row["speed_m_per_s"]))
            x = [float(row["speed_m_per_s"]) for row in own]
            y = [_shown(row, column) for row in own]
            axes.plot(x, y, label=name)
        axes.set(xlabel="speed [m/s]", ylabel=label, yscale=scale, title=title)
        axes.grid(alpha=0.3)
    all_axes[0, 0].legend(fontsize=7)
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=150, format=kind)
    pyplot.close(figure)
    write_whole(file, buffer.getvalue())


def _shown(row: Mapping[str, float | str], column: str) -> float:
    """Value of a row; none where a logarithm or the line cannot show it."""
    value = float(row[column])
    is_held = column != "turn_force_N" or float(row["turn_carries_line"]) == 1.0
    return value if value > 0.0 and is_held else float("nan")
