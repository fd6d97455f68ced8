"""Loads on bodies as the rows that kernels read."""

from __future__ import annotations

from typing import Any

from haptos.dynamics.system import no_loads

NOBODY = -1  # reaction of a load without one, and axes of one in N axes


def load_row(body: int, start: float, stop: float, work: int) -> Any:
    """A load of nothing on a body from start to stop [s], in N axes."""
    row = no_loads(1)[0]
    row["body"], row["reaction"], row["axes"] = body, NOBODY, NOBODY
    row["start"], row["stop"], row["work"] = start, stop, work
    return row
