"""What a lander shows besides the figures every run has: its contact with the ground over time."""

from __future__ import annotations

from matplotlib.figure import Figure

from haptos.results.result import Result

PANELS = (
    ("normal_force", "normal load [N]"),
    ("slip_speed", "slip speed [m/s]"),
    ("depth_max", "largest depth [m]"),
)


def figures(result: Result) -> dict[str, Figure]:
    """Title -> figure."""
    if not bool((result.trajectory["contact_count"] > 0).any()):
        return {}
    return {"Contact": contact_figure(result)}


def contact_figure(result: Result) -> Figure:
    """Load, slip and depth while in contact, on logarithmic axes: they span many decades."""
    figure = Figure(figsize=(7.0, 6.0), layout="constrained")
    panels = figure.subplots(len(PANELS), 1, sharex=True)
    time = result.trajectory["time"].values
    touching = result.trajectory["contact_count"].values > 0
    for axes, (name, label) in zip(panels, PANELS, strict=True):
        values = result.trajectory[name].where(touching & (result.trajectory[name] > 0.0)).values
        axes.plot(time, values, color="#0072B2", linewidth=1.0, marker=".", markersize=2.0)
        if bool((values > 0.0).any()):
            axes.set_yscale("log")
        axes.set_ylabel(label)
        axes.grid(True, alpha=0.4)
    panels[-1].set_xlabel("time [s]")
    return figure
