"""The hitchhike map: how stops end over speed, tension, ramp and offset, beside the hitchhike equation.

python -m tests.validation.hitchhike_map        prints one table for each ramp and offset (a minute)

C captured, E end of the line reached, B broke, S supercritical pay-out; small letters are what the equation of a straight line
says: c stopped within the line, e not.
"""

from __future__ import annotations

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.scenarios.files import parse_checked, parse_toml, preset_text

SPEEDS = (800.0, 1000.0, 1200.0, 1300.0, 1400.0, 1500.0, 1600.0)
TENSIONS = (22e3, 24e3, 26e3, 28e3, 30e3)
RAMPS = (2.0, 4.0, 8.0, 16.0)
OFFSETS = (5.0e3, 9.9e3, 20.0e3)
LETTERS = {
    Outcome.CAPTURED: "C",
    Outcome.TETHER_END: "E",
    Outcome.TETHER_BROKE: "B",
    Outcome.SUPERCRITICAL: "S",
}


def end_of(speed: float, tension: float, ramp: float, offset: float) -> str:
    """Two letters: what happens, and what the equation says."""
    table = parse_toml(preset_text("slingshot"), "slingshot")
    table["spacecraft"] |= {"speed_m_per_s": speed, "offset_m": offset}
    table["reel"] |= {"tension_N": tension, "ramp_s": ramp}
    table["run"] |= {"cells": 30, "tolerance": 1e-6, "output_interval_s": 50.0}
    try:
        result = hp.simulate(parse_checked(table, "map"))
    except ConfigError:
        return "- "
    said = "c" if result.metrics["closed_length_m"] < table["tether"]["length_m"] else "e"
    return f"{LETTERS.get(result.ended, '?')}{said}"


def main() -> None:
    for offset in OFFSETS:
        for ramp in RAMPS:
            print(
                f"\noffset {offset / 1e3:g} km, ramp {ramp:g} s; speed [m/s] across, tension [kN] down\n"
            )
            print("| | " + " | ".join(f"{speed:g}" for speed in SPEEDS) + " |")
            print("|---" * (len(SPEEDS) + 1) + "|")
            for tension in TENSIONS:
                cells = [end_of(speed, tension, ramp, offset) for speed in SPEEDS]
                print(f"| {tension / 1e3:g} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
