"""Numbers of a bench's file that must belong together: speeds and density of a body that is dropped."""

from __future__ import annotations

import math

from haptos.scenarios.foundation.config import Ball, Box, Config, Cylinder, Drop
from haptos.scenarios.proportions import Proportion, box_volume, bulk, length, rim, speed


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a bench's file."""
    motion, shape = config.motion, config.sampled
    if not isinstance(motion, Drop):
        return []  # depths of pressed bodies are asked when the model is built
    volume, reach = 0.0, 0.0
    if isinstance(shape, Ball):
        volume, reach = 4.0 / 3.0 * math.pi * shape.radius_m**3, shape.radius_m
    elif isinstance(shape, Box):
        volume, reach = box_volume(shape.edges_m), 0.5 * length(shape.edges_m)
    elif isinstance(shape, Cylinder):
        volume = math.pi * shape.radius_m**2 * shape.length_m
        reach = math.hypot(shape.radius_m, 0.5 * shape.length_m)
    height, strength = length(config.placement.position_m), length(motion.gravity_m_per_s2)
    falls = {"a fall from there": math.sqrt(2.0 * strength * height)}
    found = [speed("[motion] velocity_m_per_s", "a start", length(motion.velocity_m_per_s), falls)]
    if volume > 0.0:
        found.append(bulk("[motion] and [sampled]", "a body", motion.mass_kg, volume))
        rate = length(motion.rate_rad_per_s)
        found.append(rim("[motion] rate_rad_per_s", "the body's farthest point", rate, reach))
    return found
