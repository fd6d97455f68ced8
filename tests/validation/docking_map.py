"""Success map of docs/validation/docking.md from the runs of a campaign: shares with Wilson's intervals, hard bounds, figure.

haptos campaign docking-map-small --out MAP && python -m tests.validation.docking_map MAP [FIGURE.png]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from haptos.campaign.intervals import share_interval

SUCCESS = ("docked", "captured")
TILT, OFFSET = "start.tilt_deg", "start.offset_m"
ROOM, LENGTH = 0.085, 0.300  # [m] r_e - r_tool at the exit plane, length of the nozzle


def cells(runs: pd.DataFrame) -> pd.DataFrame:
    """One row for each tilt and offset: runs, successes, share with its 95 % interval, trusted runs, the other outcomes."""
    found = []
    for (tilt, offset), part in runs.groupby([TILT, OFFSET], sort=True):
        labels = part["outcome"].astype(str)
        count = int(labels.isin(SUCCESS).sum())
        low, high = share_interval(count, len(part))
        others = labels[~labels.isin(SUCCESS)].value_counts()
        said = ", ".join(f"{label} {number}" for label, number in others.items())
        found.append(
            (tilt, offset, len(part), count, count / len(part), low, high, int(part["trusted"].sum()), said)
        )  # fmt: skip
    names = (
        "tilt_deg",
        "offset_m",
        "runs",
        "successes",
        "share",
        "low",
        "high",
        "trusted",
        "others",
    )
    return pd.DataFrame(found, columns=list(names))


def beyond_the_exit(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs whose tool starts outside of the exit: offset and 0.3 m tan(tilt), added as vectors, beyond 85 mm. None may succeed."""
    lean = LENGTH * np.tan(np.radians(runs[TILT].astype(float)))
    first = np.radians(runs["start.offset_azimuth_deg"].astype(float))
    second = np.radians(runs["start.tilt_azimuth_deg"].astype(float))
    offset = runs[OFFSET].astype(float)
    y = offset * np.cos(first) + lean * np.cos(second)
    z = offset * np.sin(first) + lean * np.sin(second)
    return runs[np.hypot(y, z) > ROOM]


def table(found: pd.DataFrame) -> str:
    """Rows of tilts, columns of offsets: successes of runs, with the interval of the share."""
    offsets = sorted(found["offset_m"].unique())
    lines = ["| tilt [deg] | " + " | ".join(f"{1e3 * float(x):.0f} mm" for x in offsets) + " |"]
    lines.append("|---" * (len(offsets) + 1) + "|")
    for tilt, part in found.groupby("tilt_deg", sort=True):
        by = part.set_index("offset_m")
        said = [
            f"{by.successes[x]} of {by.runs[x]} ({by.low[x]:.2f} to {by.high[x]:.2f})"
            for x in offsets
        ]
        lines.append(f"| {float(tilt):.2f} | " + " | ".join(said) + " |")
    return "\n".join(lines)


def draw(found: pd.DataFrame, path: Path) -> None:
    """Share of success over tilt and offset, with the bound of the exit plane for aligned azimuths."""
    from matplotlib import pyplot

    shares = found.pivot(index="offset_m", columns="tilt_deg", values="share")
    figure, axes = pyplot.subplots(figsize=(6.0, 4.5))
    drawn = axes.pcolormesh(
        shares.columns.astype(float), 1e3 * shares.index.astype(float), shares.values, cmap="viridis", vmin=0, vmax=1
    )  # fmt: skip
    tilts = np.linspace(0.0, float(shares.columns.max()), 50)
    axes.plot(tilts, 1e3 * (ROOM - LENGTH * np.tan(np.radians(tilts))), "r--")
    axes.set(xlabel="tilt [deg]", ylabel="offset [mm]", ylim=(0, 1e3 * float(shares.index.max())))
    figure.colorbar(drawn, label="share docked or captured")
    figure.savefig(path, dpi=120)


def main(directory: str, picture: str = "") -> int:
    runs = pd.read_parquet(Path(directory) / "runs.parquet")
    found = cells(runs)
    print(table(found))
    total = int(found["successes"].sum())
    low, high = share_interval(total, len(runs))
    print(
        f"\n{total} of {len(runs)} runs succeed ({low:.3f} to {high:.3f}); {int(runs['trusted'].sum())} trusted."
    )
    print(runs["outcome"].astype(str).value_counts().to_string())
    outside = beyond_the_exit(runs)
    wrong = int(outside["outcome"].astype(str).isin(SUCCESS).sum())
    print(f"runs that start outside of the exit: {len(outside)}, of them successes: {wrong}")
    if picture:
        draw(found, Path(picture))
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
