"""What a run of bodies and cables stores, as described tables: motion, events, elements."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.frames import NO_FRAME
from haptos.dynamics.march.snapshots import Stored
from haptos.dynamics.totals import Moving, body_rates
from haptos.results.result import described

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Cabled(Moving, Protocol):
    """A model whose elements have sections [m^2]."""

    @property
    def sections(self) -> Floats: ...


def body_motion(model: Moving, stored: Stored) -> dict[str, xarray.Variable]:
    """Bodies, points, tensions and momenta over time."""
    body, vector, row = ("time", "body"), ("time", "body", "axis"), ("time", "axis")
    return {
        "r_BN_N": described(vector, stored.place, "m", "N", "centres of mass of the bodies"),
        "v_BN_N": described(vector, stored.speed, "m/s", "N", "their velocities"),
        "quat_NB": described(
            (*body, "quaternion"), stored.attitude, "-", "NB",
            "attitude, scalar first: turns components of a body into inertial ones",
        ),
        "omega_BN_B": described(
            vector, body_rates(model, stored), "rad/s", "B", "rates, own axes"
        ),
        "h_B_N": described(
            vector, stored.momentum, "N m s", "N", "angular momentum of each body about its centre"
        ),
        "r_point_N": described(
            ("time", "point", "axis"), stored.x, "m", "N",
            "nodes of cables, then points fixed to bodies",
        ),
        "tension": described(
            ("time", "element"), stored.tension, "N", NO_FRAME, "of every element"
        ),
        "momentum_N": described(row, stored.totals[:, :3], "N s", "N", "of all that moves"),
        "angular_momentum_N": described(
            row, stored.totals[:, 3:], "N m s", "N", "of all that moves, about the origin"
        ),
    }  # fmt: skip


def motion_table(
    model: Moving, stored: Stored, further: dict[str, xarray.Variable] | None = None
) -> xarray.Dataset:
    """The trajectory of a run, with further variables of a scenario."""
    time = described(("time",), stored.time, "s", NO_FRAME, "time since the start")
    variables = {**body_motion(model, stored), **(further or {})}
    return xarray.Dataset(variables, coords={"time": time, "body": list(model.names)})


def event_table(rows: Iterable[tuple[float, str]], kinds: str) -> xarray.Dataset:
    """Events by their times [s] and kinds, in the order of time; `kinds` says which there are."""
    kept = sorted({(float(time), kind) for time, kind in rows if math.isfinite(time)})
    times = np.array([time for time, _ in kept])
    names = np.array([kind for _, kind in kept], dtype=object)
    return xarray.Dataset(
        {
            "time": described(("event",), times, "s", NO_FRAME, "of the event"),
            "kind": described(("event",), names, "-", NO_FRAME, kinds),
        }
    )


def touched_at(model: Moving) -> float:
    """Time of the first touch of the surface [s]; inf for none."""
    return float(model.motion.step.touched_at)


def breaking_times(model: Moving) -> tuple[Integers, Floats]:
    """(elements that broke, time [s] of the step in which each did), in the order they broke."""
    times = model.motion.ledger.extremes.broke_at
    elements = np.flatnonzero(np.isfinite(times))
    order = np.argsort(times[elements], kind="stable")
    return elements[order].astype(np.int64), np.asarray(times[elements[order]], dtype=float)


def element_table(model: Cabled, kinds: NDArray[np.object_], classes: str) -> xarray.Dataset:
    """Which points each element joins, and what it is; `classes` says which kinds there are."""
    row = ("element",)
    whole = model.motion.elements.whole.astype(np.int64)
    return xarray.Dataset(
        {
            "ends": described(
                ("element", "end"), model.system.threads.ends, "-", NO_FRAME, "points it joins"
            ),
            "kind": described(row, kinds, "-", NO_FRAME, classes),
            "is_whole": described(row, whole, "-", NO_FRAME, "0 if it broke"),
            "section": described(row, model.sections, "m^2", NO_FRAME, "of its fibre"),
            "largest_tension": described(
                row, model.motion.ledger.extremes.tension, "N", NO_FRAME, "of all steps of the run"
            ),
            "largest_tension_time": described(
                row, model.motion.ledger.extremes.tension_at, "s", NO_FRAME, "when it was so large"
            ),
        }
    )


def broken_table(model: Moving, kinds: NDArray[np.object_]) -> xarray.Dataset:
    """Which elements broke, and when."""
    elements, times = breaking_times(model)
    row = ("break",)
    by = "end of the step in which it broke"
    return xarray.Dataset(
        {
            "element": described(row, elements, "-", NO_FRAME, "number of the element"),
            "time": described(row, times, "s", NO_FRAME, by),
            "kind": described(row, kinds[elements], "-", NO_FRAME, "class of its thread"),
        }
    )


def surface_table(vertices: Floats, faces: Integers, of: str) -> xarray.Dataset:
    """The surface of a body in its principal axes."""
    row = ("vertex", "axis")
    return xarray.Dataset(
        {
            "r_B": described(row, vertices, "m", "B", f"of the {of}, principal axes"),
            "corners": described(
                ("facet", "corner"), faces, "-", NO_FRAME, "of each facet, outward"
            ),
        }
    )
