"""Checks of a run of bodies and cables besides its ledger: surfaces, mass, momentum."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.contacts import ground_arrays
from haptos.dynamics.field import NO_FIELD
from haptos.dynamics.guard.ground_guard import BODY_DEPTH, ELEMENT_DEPTH
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
)
from haptos.dynamics.system import NODE
from haptos.dynamics.totals import Moving, simulated_mass
from haptos.results.balances import mass_check, momentum_check
from haptos.results.checks import Check

Floats = NDArray[np.float64]


def surface_checks(model: Moving) -> tuple[Check, ...]:
    """Whether nothing sank deep into a surface, and nothing got through one."""
    guard, memory = model.system.guard, model.motion.guard
    on_ground = ground_check(model)
    if len(guard.body) == 0:
        return on_ground
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
    surface = Check("surface", float(worst[WORST_SHARE]), 1.0, "", allowed, deepest)
    return (
        max((surface, *on_ground), key=lambda check: check.value),
        Check(
            "passed through", float(passed[PASSED_COUNT]), 0.0, "", "Places that went through a body", through
        ),
    )  # fmt: skip


def ground_check(model: Moving) -> tuple[Check, ...]:
    """Whether nothing sank deep into the ground; nothing without one."""
    if not model.system.ground.is_on:
        return ()
    worst, where = model.motion.contacts.ground.worst, ""
    if worst[ground_arrays.WORST_SHARE] > 0.0:
        at = ", ".join(f"{x:.4g}" for x in worst[ground_arrays.WORST_PLACE :])
        where = (
            f"{1e3 * worst[ground_arrays.WORST_DEPTH]:.3g} mm deep, "
            f"{_track(model, int(worst[ground_arrays.WORST_TRACK]))} at "
            f"{worst[ground_arrays.WORST_TIME]:.6g} s, at ({at}) m"
        )
    allowed = (
        f"The deepest place below ground, over a radius for nodes and balls, {ELEMENT_DEPTH:g} of their "
        f"length for threads, and {BODY_DEPTH:g} of half a side for bodies that do not touch it"
    )
    share = float(worst[ground_arrays.WORST_SHARE])
    return (Check("surface", share, 1.0, "", allowed, where),)


def _track(model: Moving, track: int) -> str:
    """What a track of the ground's guard is."""
    points, elements = len(model.system.points.owner), len(model.system.threads.stretching)
    if track < points:
        owner = int(model.system.points.owner[track])
        return f"node {track}" if owner == NODE else f"a ball of '{model.names[owner]}'"
    if track < points + elements:
        return f"the middle of element {track - points}"
    return f"the centre of '{model.names[track - points - elements]}'"


def _where(model: Moving, track: int, surface: int, time: float, place: Floats) -> str:
    """Which place, of what, in which body, where and when, in words."""
    guard, names = model.system.guard, model.names
    owner, first = int(guard.owner[track]), int(guard.first[track])
    body = names[int(guard.body[surface])]
    if owner >= 0:
        what = f"a corner of '{names[owner]}'"
    elif guard.element[track] >= 0:
        what = f"the middle of element {int(guard.element[track])}"
    elif model.system.points.owner[first] == NODE:
        what = f"node {first}"
    else:
        what = f"a ball of '{names[int(model.system.points.owner[first])]}'"
    at = ", ".join(f"{x:.4g}" for x in place)
    return f"{what} in '{body}' at {time:.6g} s, at ({at}) m in its axes"


def mass_of_run(model: Moving, built: float, first: float) -> Check:
    """Check of the masses at the start, `first` [kg], and now, at the end, against the built one [kg].

    Cable that a winch takes up on a body that is held has left what moves: then the start alone counts.
    """
    system, motion = model.system, model.motion
    takers = system.orders.winches["point"][system.orders.winches["density"] != 0.0]
    owners = system.points.owner[takers[takers >= 0]]
    is_taken = bool((motion.bodies.inverse_mass[owners[owners >= 0]] == 0.0).any())
    transfers = int(motion.step.count) * len(takers)
    return mass_check(built, [first] if is_taken else [first, simulated_mass(model)], transfers)


def momentum_of_run(model: Moving, totals: Floats, end: float, thrown: float = 0.0) -> Check | None:
    """Check of the momentum of all that moves; None where forces from outside are not known in advance.

    That is in gravity, air or light, with bodies that are held, and with burns in axes that turn.
    totals  (n, 6) of `momenta`      end  time of the last of them [s]
    thrown  momentum [N s] that passes between bodies of the system, of shots
    """
    system, motion = model.system, model.motion
    burns = [row for row in system.orders.loads if row["reaction"] < 0.0]
    is_open = system.field.kind != NO_FIELD or system.air.has_drag or system.air.has_light
    if (
        is_open
        or (motion.bodies.inverse_mass == 0.0).any()
        or any(row["axes"] >= 0.0 for row in burns)
    ):
        return None
    touched = float(motion.step.touched_at)
    impulses = [_impulse(row, touched, end) for row in burns]
    masses = 1.0 / motion.bodies.inverse_mass
    n = int((system.points.owner == NODE).sum())
    scale = float(masses @ np.linalg.norm(motion.bodies.speed, axis=1))
    scale += float(motion.points.mass[:n] @ np.linalg.norm(motion.points.v[:n], axis=1))
    scale += sum(float(np.linalg.norm(impulse)) for impulse in impulses)
    scale += float(np.linalg.norm(totals[0, :3]))
    scale += thrown
    given = np.sum(impulses, axis=0) if impulses else np.zeros(3)
    return momentum_check(totals[-1, :3] - totals[0, :3], given, scale)


def _impulse(row: Any, touched: float, end: float) -> Floats:
    """Impulse [N s], (3,), of a load in N axes until a time [s]."""
    late = touched if row["after_touch"] else 0.0
    if not math.isfinite(late):
        return np.zeros(3)
    start, stop = row["start"] + late, row["stop"] + late
    share = float(np.clip((end - start) / (stop - start), 0.0, 1.0))
    first = row["force"]
    last = row["force_end"]
    return np.asarray((stop - start) * (share * first + 0.5 * share**2 * (last - first)))
