"""Numbers of an active tether's file that must belong together: line, spacecraft, end effector, speeds."""

from __future__ import annotations

import math

from haptos.scenarios.active_tether.config import ActiveTetherPress, Config, MetalBoom, PolymerLine
from haptos.scenarios.contact_speed import FASTEST
from haptos.scenarios.proportions import UNEXPLAINED, Proportion, bulk, size, speed


def proportions(config: Config) -> list[Proportion]:
    """Ratios of an active tether's file."""
    line, effector, craft = config.line, config.effector, config.spacecraft
    volume = 4.0 / 3.0 * math.pi * effector.radius_m**3
    found = [bulk("[effector]", "an end effector", effector.mass_kg, volume)]
    if isinstance(line, PolymerLine):
        mass = line.density_kg_per_m3 * line.section_m2 * line.length_m
        found.append(
            size("[line] and [spacecraft]", "a line", mass, "the spacecraft", craft.mass_kg, UNEXPLAINED, "kg")
        )  # fmt: skip
    if isinstance(line, MetalBoom):
        found.append(
            size("[line] radius_m", "a radius", line.radius_m, "its length", line.length_m)
        )
    if isinstance(config.touch, ActiveTetherPress):
        fastest = max(config.touch.approach_m_per_s, abs(config.touch.drift_m_per_s))
        found.append(speed("[touch]", "an approach", fastest))
        found.append(
            size("[touch]", "an approach", fastest, "what a law of contact describes", FASTEST, unit="m/s")
        )  # fmt: skip
    return found
