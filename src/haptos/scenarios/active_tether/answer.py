"""What a person asked of an active tether: is the force held, does the boom stay straight, does the spacecraft stay calm."""

from __future__ import annotations

from haptos.core.number_text import short_number as number
from haptos.results.result import Result


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    found, ended, touch = result.metrics, result.ended.label, result.config["touch"]
    if ended == "missed":
        return "The end effector did not reach the ground."
    if touch["kind"] == "pull":
        said = (
            f"The tether pulls with {number(touch['force_N'])} N, within its band for {number(100.0 * found['held_share'])} % of "
            f"{number(touch['dwell_s'])} s, for {number(found['active_work_J'])} J of active work."
        )
        if found["hottest_K"] == found["hottest_K"]:
            said += f" The wire takes {number(found['joule_heat_J'])} J of heat and reaches {number(found['hottest_K'])} K."
    else:
        force = (
            "as hard as it comes"
            if not touch["has_stage"]
            else f"with {number(touch['force_N'])} N"
        )
        said = (
            f"The boom presses {force}: {number(found['peak_force_N'])} N at touch-down, then within its band for "
            f"{number(100.0 * found['held_share'])} % of {number(touch['dwell_s'])} s; it bows by {number(found['largest_bow_m'])} m "
            f"at most (Euler load {number(found['buckling_load_N'])} N)."
        )
    calm = f"The spacecraft turns with {number(found['largest_rate_deg_per_s'])} deg/s at most."
    how = {
        "buckled": "The boom buckles.",
        "stage bottomed": "The force stage reaches the end of its stroke.",
        "rates exceeded": "That is faster than allowed.",
        "overheated": "That is hotter than it can stand.",
        "pulled out": "The gripper loses its hold.",
        "no sample": "The force is not held long enough for a sample.",
    }.get(ended, "")
    return f"{said} {calm} {how}".strip()
