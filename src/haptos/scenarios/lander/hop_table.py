"""The hops of a run as a small table, read from its events."""

from __future__ import annotations

import math

import numpy as np
import xarray

NOTHING = math.nan


def hop_table(events: xarray.Dataset) -> list[dict[str, float]]:
    """One row per hop begun: pulse, take-off, rest; NaN for what did not happen.

    pulse_time_s, take_off_time_s, rest_time_s    take_off_speed_m_per_s    take_off_energy_J
    distance_m    from the place of rest before to the one after       rest_x_m, rest_y_m, rest_z_m
    A probe leaves the ground at its take-off for the last time before the pulse is over, or the first after.
    """
    kinds = [str(kind) for kind in events["kind"].values]
    times, places = events["time"].values, events["point_A"].values
    speeds = np.linalg.norm(events["v_after_A"].values, axis=1)
    energies = events["kinetic_energy"].values
    rows: list[dict[str, float]] = []
    last_rest = None
    for i, kind in enumerate(kinds):
        if kind == "pulse":
            rows.append(_row(len(rows) + 1, float(times[i])))
        elif kind == "take-off" and rows:
            rows[-1]["take_off_time_s"] = float(times[i])
            rows[-1]["take_off_speed_m_per_s"] = float(speeds[i])
            rows[-1]["take_off_energy_J"] = float(energies[i])
        elif kind == "rest":
            if rows and last_rest is not None:
                rows[-1]["rest_time_s"] = float(times[i])
                rows[-1]["distance_m"] = math.dist(places[i], last_rest)
                for axis, value in zip("xyz", places[i], strict=True):
                    rows[-1][f"rest_{axis}_m"] = float(value)
            last_rest = places[i]
    return rows


def _row(hop: int, pulse_time: float) -> dict[str, float]:
    missing = (
        "take_off_time_s", "take_off_speed_m_per_s", "take_off_energy_J", "rest_time_s", "distance_m",
        "rest_x_m", "rest_y_m", "rest_z_m",
    )  # fmt: skip
    return {"hop": hop, "pulse_time_s": pulse_time, **dict.fromkeys(missing, NOTHING)}
