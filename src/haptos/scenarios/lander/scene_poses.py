"""Where a lander was over time, as it is drawn: stored rows, thinned, and the instants of impacts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.core.rotations import turned
from haptos.results.result import Result
from haptos.results.scene_parts import drawn_rows

Floats = NDArray[np.float64]

MOST_FRAMES = 1000  # stored times of one run


def poses(result: Result) -> dict[str, Floats]:
    """Times [s] and poses to draw: stored rows, thinned, and the instants of impacts between them."""
    stored = result.trajectory
    names = {"t": "time", "r": "r_BA_A", "v": "v_BA_A", "quat_AB": "quat_AB", "w": "omega_BA_B"}
    rows = {key: np.asarray(stored[name].values, dtype=float) for key, name in names.items()}
    rows["quat_NA"] = np.asarray(stored["quat_NA"].values, dtype=float)
    good = np.isfinite(rows["r"]).all(axis=1)
    rows = {key: part[good] for key, part in rows.items()}
    kept = drawn_rows(len(rows["t"]), MOST_FRAMES)
    thin = {key: part[kept] for key, part in rows.items()}
    added = _at_impacts(result, rows)
    joined = {key: np.concatenate([thin[key], added[key]]) for key in thin}
    order = np.argsort(joined["t"], kind="stable")
    return {key: part[order] for key, part in joined.items()}


def _at_impacts(result: Result, rows: dict[str, Floats]) -> dict[str, Floats]:
    """Poses at impacts, from the row before: the mean of two velocities, the rate kept."""
    none = {key: part[:0] for key, part in rows.items()}
    events = result.events
    if "v_before_A" not in events.variables or not events.sizes.get("event"):
        return none
    time, before = events["time"].values, events["v_before_A"].values
    chosen = np.flatnonzero(np.isfinite(before).all(axis=1) & (time > rows["t"][0]))
    chosen = chosen[:: max(1, len(chosen) // MOST_FRAMES)]
    if not len(chosen):
        return none
    time, before = time[chosen], before[chosen]
    row = np.clip(np.searchsorted(rows["t"], time, side="right") - 1, 0, None)
    step = (time - rows["t"][row])[:, None]
    return {
        "t": time,
        "r": rows["r"][row] + 0.5 * step * (rows["v"][row] + before),
        "v": before,
        "quat_AB": turned(rows["quat_AB"][row], rows["w"][row] * step),
        "w": rows["w"][row],
        "quat_NA": rows["quat_NA"][row],
    }
