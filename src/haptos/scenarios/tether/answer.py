"""What a person asked of a tether: what it bears, how it swings, how it ended."""

from __future__ import annotations

from haptos.core.number_text import short_number as number
from haptos.core.outcome import Outcome
from haptos.results.result import Result

SLACK_SHARE = 0.05  # [-] of a run, from which a line that is slack is worth a word
ROUNDING_DEG = 1e-9  # of angles between bodies kilometres apart


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    found = result.metrics
    breaking = result.config["line"].get("breaking_tension_N")
    share = (
        f", {number(100.0 * found['peak_tension_N'] / breaking)} % of what it can bear"
        if breaking
        else ""
    )
    first = (
        f"The line carries up to {number(found['peak_tension_N'])} N, {number(found['peak_tension_at_s'])} s after the "
        f"start{share}, and is slack for {number(found['slack_time_s'])} s."
    )
    outside = found["largest_out_of_plane_deg"]
    swing = "swings up to" if found["largest_in_plane_deg"] <= 180.0 else "turns through"
    second = (
        f"It {swing} {number(found['largest_in_plane_deg'])} deg in the plane and "
        f"{number(0.0 if outside < ROUNDING_DEG else outside)} deg out of it, and ends with {number(found['deployed_m'])} m deployed, "
        f"the bodies {number(found['distance_m'])} m apart."
    )
    work = found["winch_work_J"]
    third = (
        f"The reels {'take out' if work < 0.0 else 'put in'} {number(abs(work))} J; "
        f"the run ended: {result.ended.label}."
    )
    return f"{first} {second} {third}{_advice(result)}"


def _advice(result: Result) -> str:
    """What to change where the steps ran out on a slack line."""
    if result.ended is not Outcome.STEPS_OVER:
        return ""
    if not result.metrics["slack_time_s"] > SLACK_SHARE * float(result.trajectory["time"][-1]):
        return ""
    return " A slack line takes most of its steps: pay out slower than the lower body falls, or push it away."
