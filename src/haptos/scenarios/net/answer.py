"""What a person asked of a net run: does it catch and hold, how well did it open, what loads came."""

from __future__ import annotations

from haptos.core.number_text import short_number as number
from haptos.core.outcome import Outcome
from haptos.results.result import Result

ENDS = {
    Outcome.CAPTURED: "The net holds the target at the end, {end} s after the shot",
    Outcome.SLIPPED: "The net touched the target but does not hold it at the end, {end} s after the shot",
    Outcome.MISSED: "The net misses the target within {end} s",
    Outcome.DEPLOYED: "The net flies for {end} s; there is no target",
    Outcome.CONTROLLER_FAILED: "The run ends after {end} s by an error in the controller",
}


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    return " ".join(filter(None, (_end(result), _opening(result), _loads(result))))


GROUND_ENDS = {
    Outcome.SETTLED: "The net lies still on the ground at the end, {end} s after the shot",
    Outcome.TIME_OVER: "The net has touched the ground and still moves at {speed} m/s after {end} s",
    Outcome.MISSED: "The net does not reach the ground within {end} s",
}


def _end(result: Result) -> str:
    end = number(float(result.trajectory["time"].values[-1]), 4)
    words = ENDS.get(result.ended, "The motion could not be followed beyond {end} s")
    if "ground_contacts" in result.metrics and "target" not in result.config:
        words = GROUND_ENDS.get(result.ended, words)
        words = words.replace("{speed}", number(result.metrics["end_speed_m_per_s"]))
    first = result.metrics["first_touch_s"]
    touch = "" if first != first else f"; it first touches after {number(first)} s"
    return words.format(end=end) + touch + "."


def _opening(result: Result) -> str:
    metrics = result.metrics
    best, away = metrics["best_quality_percent"], metrics["capture_distance_m"]
    if best != best:
        return ""
    return f"It opens to {number(best)} % of its area, {number(away)} m from the chaser."


def _loads(result: Result) -> str:
    metrics = result.metrics
    broken = int(metrics["broken_elements"])
    threads = f"The largest tension in a thread is {number(metrics['largest_tension_N'])} N"
    pressed = max(metrics["peak_contact_force_N"], metrics.get("ground_peak_force_N", 0.0))
    contact = f"the largest contact force {number(pressed)} N"
    tow = metrics.get("tether_tension_N")
    tether = "" if tow is None else f", the largest pull of the tether {number(tow)} N"
    end = f"; {broken} elements break." if broken else "; nothing breaks."
    return f"{threads}, {contact}{tether}{end}"
