"""What a person asked of a harpoon: how deep, does it hold, does the sample come back."""

from __future__ import annotations

import math

from haptos.core.number_text import short_number as number
from haptos.results.result import Result


def answer(result: Result) -> str:
    """Two or three sentences with numbers and units."""
    found, ended = result.metrics, result.ended.label
    if ended == "collided" and math.isnan(found["impact_speed_m_per_s"]):
        return "The spacecraft came down on the ground before its harpoon was shot."
    if ended == "propellant out" and math.isnan(found["impact_speed_m_per_s"]):
        there = number(result.config["spacecraft"]["propellant_kg"])
        return (
            f"The propellant is used up before the harpoon reaches the ground: holding the spacecraft in its place until then "
            f"takes {number(found['hover_propellant_kg'])} kg, and there are {there} kg."
        )
    if ended == "missed":
        return "The harpoon missed its target."
    if ended == "tether end reached" and math.isnan(found["depth_m"]):
        return "The line was all out before the harpoon reached the ground."
    if ended == "tether broke" and math.isnan(found["depth_m"]):
        return "The line broke before the harpoon reached the ground."
    said = [_entry(found, ended)]
    if found["least_capacity_N"] == found["least_capacity_N"]:
        said.append(_hold(result, ended))
    if found["angle_beyond_50_m_deg"] == found["angle_beyond_50_m_deg"]:
        said.append(_return(found, ended))
    elif ended == "sampled":
        said.append(f"It takes a sample of {number(1e3 * found['sample_kg'])} g.")
    elif ended == "no sample":
        said.append("That is not deep enough for a sample.")
    elif ended == "collided":
        said.append("The spacecraft comes down on the ground while the canister closes.")
    elif ended == "propellant out":
        said.append(
            f"The propellant is used up before the canister leaves: holding the spacecraft in its place takes "
            f"{number(found['hover_propellant_kg'])} kg."
        )
    elif ended == "tether end reached":
        said.append("The line is all out before the canister leaves.")
    elif ended == "wedged":
        said.append("The canister does not leave the shell.")
    return " ".join(said)


def _entry(found: dict[str, float], ended: str) -> str:
    at = (
        f"The harpoon hits with {number(found['impact_speed_m_per_s'])} m/s, "
        f"{number(found['incidence_deg'])} deg from the normal"
    )
    if ended == "ricochet":
        return f"{at}, and leaves the ground again with {number(found['speed_left_m_per_s'])} m/s."
    if ended == "broadside":
        return f"{at}, and turns sideways at a depth of {number(found['depth_m'])} m."
    if ended == "sunk":
        return f"{at}, and nothing stops it."
    braked = f"{number(1e3 * found['entry_time_s'])} ms, braked by at most {number(found['peak_deceleration_m_per_s2'])} m/s^2"
    if not math.isnan(found["pushed_in_m"]):
        way = number(found["pushed_in_m"])
        return f"{at}, comes to rest after {braked}, and is {number(found['depth_m'])} m deep once pushed on by {way} m."
    return f"{at}, and comes to rest {number(found['depth_m'])} m deep after {braked}."


def _hold(result: Result, ended: str) -> str:
    found, required = result.metrics, result.config["hold"]["required_N"]
    said = f"It holds {number(found['least_capacity_N'])} N in any direction, {number(required)} N are required"
    rod = result.config["harpoon"]
    cone = (rod["radius_m"] - rod["tip_radius_m"]) / math.tan(math.radians(rod["half_angle_deg"]))
    if found["depth_m"] > rod["shaft_length_m"] + cone:
        said += " (it lies whole below the surface; sideways it holds as if its head were there)"
    if ended in ("slipped", "pulled out", "tether broke") and found["pull_peak_N"] > 0.0:
        what = {"slipped": f"it slips by {number(found['slip_m'])} m", "pulled out": "it is pulled out",
                "tether broke": "the line breaks"}[ended]  # fmt: skip
        said += f"; pulled with {number(found['pull_peak_N'])} N {what}"
    if found["stance_load_N"] == found["stance_load_N"]:
        said += f"; the lander withstands a load of {number(found['stance_load_N'])} N from the worst side"
    return said + "."


def _return(found: dict[str, float], ended: str) -> str:
    swing = (
        f"swings by {number(found['angle_beyond_50_m_deg'])} deg at most beyond 50 m and "
        f"{number(found['angle_beyond_10_m_deg'])} deg beyond 10 m, at up to {number(found['peak_tension_N'])} N"
    )
    if ended == "captured":
        return (
            f"The canister with {number(1e3 * found['sample_kg'])} g of sample {swing}, and is taken in "
            f"{number(found['capture_time_s'])} s after ejection at {number(found['capture_speed_m_per_s'])} m/s and "
            f"{number(found['capture_angle_deg'])} deg, for {number(found['propellant_kg'])} kg of propellant."
        )
    how = {
        "overran": "flies past the spacecraft on a slack line",
        "collided": f"meets the spacecraft at {number(found['capture_speed_m_per_s'])} m/s",
        "tether broke": "is lost when the line breaks",
        "propellant out": "is not back when the propellant is used up",
        "time over": "is not back when the time is over",
        "tether end reached": "is not held: the clutch has let out all of the line",
        "reel jammed": "is not back: the reel has jammed",
    }.get(ended, "was not followed to its end")
    return f"The canister {swing}, and {how}."
