"""Numbers of a harpoon's file that must belong together: mass and size, harpoon and spacecraft, speeds, heights."""

from __future__ import annotations

import math

from haptos.scenarios.harpoon.config import Config
from haptos.scenarios.proportions import UNEXPLAINED, Proportion, bulk, size, speed


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a harpoon's file."""
    craft, harpoon = config.spacecraft, config.harpoon
    mass = harpoon.shell_mass_kg + harpoon.canister_mass_kg
    height, line = craft.height_m, config.line.length_m
    found = [
        bulk("[harpoon]", "a harpoon", mass, math.pi * harpoon.radius_m**2 * harpoon.shaft_length_m),
        size("[harpoon] and [spacecraft]", "a harpoon", mass, "the spacecraft", craft.mass_kg, unit="kg"),
        size("[spacecraft] height_m", "a height", height, "the line", line, UNEXPLAINED),
    ]  # fmt: skip
    back = config.retrieval
    if back is not None:
        fastest = max(abs(back.rise_m_per_s), abs(back.drift_m_per_s), back.reel_m_per_s)
        known = {"the shot": config.muzzle[0]}
        found.append(speed("[retrieval]", "a spacecraft or a reel", fastest, known))
    return found
