"""What a person asked of a sling-shot: did it stop, leave or turn, with what line, tension, speed."""

from __future__ import annotations

import math
from typing import Any

from haptos.core.number_text import short_number as number
from haptos.results.result import Result


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    found, kind = result.metrics, result.config["manoeuvre"]["kind"]
    is_felt = result.config.get("contact") is not None
    parts = (_first(result), _line(found, result.config["reel"]), _target(found, is_felt=is_felt))
    return f"{parts[0]} {parts[1]} {parts[2]}{_beside(found, kind)}".strip()


def _target(found: dict[str, float], *, is_felt: bool) -> str:
    """A line that runs into the body, which affects the motion only with a contact table."""
    when = found["target_time_s"]
    if when != when:
        return ""
    if is_felt:
        return f"From {number(when)} s on the line lies on the target. "
    return (
        f"From {number(when)} s on the line would lie on the target, which it does not feel here. "
    )


def _first(result: Result) -> str:
    found, ended = result.metrics, result.ended.label
    time = number(found["end_time_s"])
    out, left = number(found["deployed_m"] / 1e3), number(found["left_m"] / 1e3)
    if ended == "captured":
        return (
            f"The spacecraft is captured: it no longer moves away after {time} s, with {out} km of line out and {left} km "
            f"left, and still has {number(found['end_speed_across_m_per_s'])} m/s across the line."
        )
    if ended == "departed":
        return f"The spacecraft reels itself in and leaves with {number(found['end_speed_m_per_s'])} m/s after {time} s."
    if ended == "turned":
        return f"The velocity turns by {number(found['turned_deg'])} degrees in {time} s."
    if ended == "tether end reached":
        return (
            f"The line ends after {time} s: all {out} km are out while the spacecraft still moves away at "
            f"{number(found['end_range_rate_m_per_s'])} m/s. A stop there sends a wave of "
            f"{number(found['end_snatch_N'] / 1e3)} kN along it."
        )
    words = {
        "tether broke": f"The line breaks after {time} s",
        "supercritical pay-out": f"After {time} s the line runs out faster than its waves, and nothing can brake it",
        "reel jammed": f"The reel jams; the run ends after {time} s",
        "slack tangle": f"The slack line tangles after {time} s",
    }
    speed = number(found["end_range_rate_m_per_s"])
    return f"{words.get(ended, f'The run ends after {time} s ({ended})')}, {out} km out, range rate {speed} m/s."


def _line(found: dict[str, float], reel: dict[str, Any]) -> str:
    """What the line bore, and where the energy went."""
    text = (
        f"The line bears up to {number(found['peak_tension_N'] / 1e3)} kN ({number(100.0 * found['peak_tension_share'])} % of its "
        f"strength) and the spacecraft {number(found['peak_acceleration_m_per_s2'])} m/s^2"
    )
    broken = found["would_break_time_s"]
    text += f", more than its strength from {number(broken)} s on" if broken == broken else ""
    if found["brake_energy_J"] > 0.0:
        text += (
            f"; the brake takes {number(found['brake_energy_J'] / 1e9)} GJ, of which {number(found['recovered_J'] / 1e9)} GJ are "
            "recovered"
        )
    if not math.isnan(found["brake_fade_time_s"]):
        text += (
            f". From {number(found['brake_fade_time_s'])} s on the brake is too hot to work, and would end at "
            f"{number(found['brake_end_K'])} K, uncooled; "
        )
        share = float(reel.get("brake_fade_share", 1.0))
        text += (
            "its force does not fade here"
            if share == 1.0
            else f"{number(100.0 * share)} % of its force are left"
        )
    return f"{text}."


def _beside(found: dict[str, float], kind: str) -> str:
    """The closed form of a straight line beside it."""
    length, time = found["closed_length_m"], found["closed_time_s"]
    if math.isnan(length):
        return ""
    if kind == "hitchhike":
        return f"The hitchhike equation says {number(length / 1e3)} km and {number(time)} s."
    if kind == "leave":
        return f"The closed form says {number(found['closed_speed_m_per_s'])} m/s after {number(time)} s."
    return f"The closed form says {number(time)} s."
