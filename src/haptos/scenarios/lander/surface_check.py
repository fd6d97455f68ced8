"""What the surface guard found in a lander run, as a condition for trusting it."""

from __future__ import annotations

import numpy as np

from haptos.results.checks import Check
from haptos.scenarios.lander.batch_layout import COMPLIANT


def surface_check(memory: np.void, parameters: np.ndarray) -> Check:
    """Deepest vertex, or centre of mass, that the guard found below ground against its limit."""
    depth, limit = float(memory["guard_depth"]), float(memory["guard_limit"])
    if not memory["guard_share"] > 0.0:  # never below ground
        is_compliant = parameters["law_kind"] == COMPLIANT
        limit = float(parameters["depth_limit" if is_compliant else "flight_limit"])
    x, y, z = memory["guard_place"].tolist()
    place = f"at ({x:.6g}, {y:.6g}, {z:.6g}) m, {float(memory['guard_time']):.6g} s after release"
    what = "centre of mass" if limit == 0.0 else "deepest vertex"
    return Check(
        "surface", depth, limit, "m", f"The {what} below ground", place if depth > 0.0 else ""
    )
