"""Numbers of a sling-shot's file that must belong together: line, spacecraft and body."""

from __future__ import annotations

import math

from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.scenarios.proportions import UNEXPLAINED, Proportion, box_volume, bulk, size
from haptos.scenarios.slingshot.config import Config
from haptos.scenarios.slingshot.line import fibre_of


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a sling-shot's file."""
    tether, mass = config.tether, config.spacecraft.mass_kg
    _, density, stress = fibre_of(tether)
    line = density * tether.section_m2 * tether.length_m
    strength = stress * tether.section_m2
    found = [
        size("[tether] and [spacecraft]", "a line", line, "the spacecraft", mass, UNEXPLAINED, "kg"),
        size("[reel] tension_N", "a tension", config.reel.tension_N, "the line's strength", strength,
             UNEXPLAINED, "N"),
    ]  # fmt: skip
    if config.target is not None and config.target.mu_m3_per_s2 is not None:
        volume = 4.0 / 3.0 * math.pi * box_volume(config.target.semi_axes_m)
        weight = config.target.mu_m3_per_s2 / GRAVITATIONAL_CONSTANT
        found.append(bulk("[target]", "a body", weight, volume))
    return found
