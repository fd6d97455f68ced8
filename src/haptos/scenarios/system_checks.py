"""Checks of a run of bodies and cables besides its ledger: surfaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.guard.system_guard_arrays import (
    ELEMENT_SHARE,
    PASSED_COUNT,
    PASSED_PLACE,
    PASSED_SURFACE,
    PASSED_TIME,
    PASSED_TRACK,
    POINT_SHARE,
    WORST_DEPTH,
    WORST_PLACE,
    WORST_SHARE,
    WORST_SURFACE,
    WORST_TIME,
    WORST_TRACK,
    guard_memory,
    guard_of,
)
from haptos.dynamics.system import NODE, Motion, Net
from haptos.dynamics.totals import Moving
from haptos.geometry.distance.distance_mesh import Mesh
from haptos.results.checks import Check

Floats = NDArray[np.float64]


def guarded(net: Net, motion: Motion, mesh: Mesh | None) -> tuple[Net, Motion]:
    """The net with a guard over all that it touches; mesh: of the target, made for the guard."""
    guard = guard_of(net, mesh)
    return net._replace(guard=guard), motion._replace(guard=guard_memory(guard))


def surface_checks(model: Moving) -> tuple[Check, ...]:
    """Whether nothing sank deep into a surface, and nothing got through one."""
    guard, memory = model.net.guard, model.motion.guard
    if len(guard.body) == 0:
        return ()
    worst, passed = memory.worst, memory.passed
    deepest = ""
    if worst[WORST_SHARE] > 0.0:
        deepest = f"{1e3 * worst[WORST_DEPTH]:.3g} mm deep, " + _where(
            model, int(worst[WORST_TRACK]), int(worst[WORST_SURFACE]),
            float(worst[WORST_TIME]), worst[WORST_PLACE : WORST_PLACE + 3],
        )  # fmt: skip
    through = ""
    if passed[PASSED_COUNT] > 0.0:
        through = "first " + _where(
            model, int(passed[PASSED_TRACK]), int(passed[PASSED_SURFACE]),
            float(passed[PASSED_TIME]), passed[PASSED_PLACE : PASSED_PLACE + 3],
        )  # fmt: skip
    allowed = (
        f"The deepest place below a surface, over {POINT_SHARE:g} of the thickness there for "
        f"points and corners and {ELEMENT_SHARE:g} for threads"
    )
    return (
        Check("surface", float(worst[WORST_SHARE]), 1.0, "", allowed, deepest),
        Check(
            "passed through", float(passed[PASSED_COUNT]), 0.0, "", "Places that went through a body", through
        ),
    )  # fmt: skip


def _where(model: Moving, track: int, surface: int, time: float, place: Floats) -> str:
    """Which place, of what, in which body, where and when, in words."""
    guard, names = model.net.guard, model.names
    owner, first = int(guard.owner[track]), int(guard.first[track])
    body = names[int(guard.body[surface])]
    if owner >= 0:
        what = f"a corner of '{names[owner]}'"
    elif guard.element[track] >= 0:
        what = f"the middle of element {int(guard.element[track])}"
    elif model.net.points.owner[first] == NODE:
        what = f"node {first}"
    else:
        what = f"a ball of '{names[int(model.net.points.owner[first])]}'"
    at = ", ".join(f"{x:.4g}" for x in place)
    return f"{what} in '{body}' at {time:.6g} s, at ({at}) m in its axes"
