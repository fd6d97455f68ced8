"""Numbers of a tether's file that must belong together: orbit, line, and how the bodies start."""

from __future__ import annotations

import math

from haptos.core.units import DEGREE
from haptos.scenarios.proportions import Proportion, length, orbit, rim, size, speed
from haptos.scenarios.tether.config import Config
from haptos.scenarios.tether.config_place import TetherOrbit


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a tether's file."""
    place, start, line = config.place, config.start, config.line
    known, found = {"the reels": config.run.max_speed_m_per_s}, []
    if isinstance(place, TetherOrbit):
        far, mu = 1e3 * place.semi_major_axis_km, place.mu_m3_per_s2
        found += orbit("[place] semi_major_axis_km", far, 1e3 * place.primary_radius_km, mu)
        found.append(size("[line] and [place]", "a line", line.length_m, "the orbit", far))
        known["the orbit over the line"] = math.sqrt(mu / far) * start.distance_m / far
    spin = length(start.spin_deg_per_s) * DEGREE
    return [
        *found,
        size("[line] diameter_m", "a line's width", line.diameter_m, "its length", line.length_m),
        speed("[start] relative_velocity_m_per_s", "a second body that leaves",
              length(start.relative_velocity_m_per_s), known),
        rim("[start] spin_deg_per_s", "an end of the line", spin, start.distance_m),
    ]  # fmt: skip
