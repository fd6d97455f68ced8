"""Places of contact of a run, as its events tell them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.results.result import Result


def contact_points(result: Result) -> NDArray[np.float64]:
    """Places of contact [m], A axes, shape (n, 3); without those that tell the centre of mass."""
    events = result.events
    if "point_A" not in events.variables:
        return np.empty((0, 3))
    points = np.asarray(events["point_A"].values, dtype=float).reshape(-1, 3)
    is_contact = np.isfinite(points).all(axis=1)
    if "vertex" in events.variables:  # events of the whole probe have the vertex -1
        is_contact &= events["vertex"].values >= 0
    return np.asarray(points[is_contact])
