"""What a person asked of a docking: docked or what failed first, margins, largest loads."""

from __future__ import annotations

import math

from haptos.core.number_text import short_number as number
from haptos.results.result import Result
from haptos.scenarios.docking.states import STATES

PARTS = {
    "margin_nozzle_lateral": "lateral force on the nozzle", "margin_nozzle_axial": "axial force on the nozzle",
    "margin_nozzle_moment": "moment on the nozzle", "margin_pressure": "pressure in the nozzle",
    "margin_boom_moment": "moment of the boom", "margin_boom_force": "force of the boom",
}  # fmt: skip


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    found = result.metrics
    part = min(PARTS, key=lambda name: found[name])
    loads = (
        f"Contacts are at most {number(1e3 * found['largest_depth_m'])} mm deep, the boom bends with up to "
        f"{number(found['largest_boom_moment_N_m'])} N m; {_margin(found[part], PARTS[part])}."
    )
    if result.ended.label == "docked":
        locked = found["lock_s"]
        held = "held from the start" if math.isnan(locked) else f"locked at {number(locked)} s"
        first = (
            f"Docked after {number(found['docked_s'])} s: {held}, on the brackets from "
            f"{number(found['touchdown_s'])} s, {number(found['final_tension_N'])} N in the boom at the end."
        )
    elif result.ended.label == "captured":
        first = (
            f"Captured: locking begins at {number(found['lock_s'])} s, the crown holds at "
            f"{number(found['retract_s'])} s, and the run ends there, as was asked."
        )
    elif result.ended.label == "struck":
        kind = next(
            str(kind) for kind in result.events["kind"].values if str(kind).endswith(" meet")
        )
        first = f"Not docked: {kind} at {number(found['ended_s'])} s{_first_failure(result)}."
    else:
        first = f"Not docked: {result.ended.label}{_first_failure(result)}."
    return f"{first} {loads}"


def _margin(margin: float, part: str) -> str:
    """The least margin, or by how much its limit was passed."""
    if margin < 0.0:
        return f"the {part} went {number(-100.0 * margin)} % beyond its limit"
    return f"the least margin is {number(100.0 * margin)} %, of the {part}"


def _first_failure(result: Result) -> str:
    """What failed first, when and in which state."""
    good = (
        "aligned",
        "crown near the throat",
        "bolt past the throat",
        "locked",
        "ring near the brackets",
        "on all brackets",
    )
    events = result.events
    for time, kind, cause in zip(
        events["event_time"].values, events["kind"].values, events["cause"].values, strict=True
    ):
        if cause and cause not in good:
            return f"; first at {number(float(time))} s in {str(kind).split(' ')[0]} ({cause})"
    if result.ended.label == "struck":
        return ", before anything else had failed"
    if result.ended.label == "timed out":
        state = STATES[int(result.tables["measured"]["state"].values[-1])]
        return f": the run ends after {number(result.metrics['ended_s'])} s in {state}, before anything has failed"
    return f" after {number(result.metrics['ended_s'])} s"
