"""Motion and events of a run that is put together phase after phase, as described tables."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import xarray

from haptos.core.frames import NO_FRAME
from haptos.results.result import described
from haptos.scenarios.phase_history import History

Meaning = tuple[str, tuple[str, ...], str, str, str]  # name, dimensions, unit, frame, description


def motion_table(history: History, columns: Mapping[str, Meaning], since: str) -> xarray.Dataset:
    """Columns of motion that any phase has, over the time since something."""
    known = {name for part in history.parts for name in part.motion}
    variables = {
        name: described(dimensions, history.column(key), unit, frame, text)
        for key, (name, dimensions, unit, frame, text) in columns.items()
        if key in known
    }
    when = described(("time",), history.times(), "s", NO_FRAME, f"time since {since}")
    return xarray.Dataset(variables, coords={"time": when})


def event_table(history: History, since: str) -> xarray.Dataset:
    """What happened, in order of time."""
    ordered = sorted(history.events, key=lambda event: event[0])
    times = np.array([when for when, _ in ordered])
    names = np.array([what for _, what in ordered], dtype=np.str_)
    return xarray.Dataset({
        "event_time": described(("event",), times, "s", NO_FRAME, f"time since {since}"),
        "event_name": described(("event",), names, "-", NO_FRAME, "what happened"),
    })  # fmt: skip
