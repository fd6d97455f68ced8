"""Numbers of a net's file that must belong together: bodies, speeds, threads, distance, orbit."""

from __future__ import annotations

import math

from haptos.core.units import DEGREE
from haptos.environment.orbit_frames import EARTH_RADIUS
from haptos.scenarios.net.config import Config
from haptos.scenarios.proportions import (
    UNEXPLAINED,
    Proportion,
    box_volume,
    bulk,
    length,
    orbit,
    rim,
    size,
    speed,
)


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a net's file."""
    chaser, bullets, net = config.chaser, config.bullets, config.net
    shot = {"the speed of the shot": config.shot.speed_m_per_s}
    found = [
        bulk("[chaser]", "a chaser", chaser.mass_kg, box_volume(chaser.size_m)),
        rim("[chaser] rate_deg_per_s", "a corner of the chaser", length(chaser.rate_deg_per_s) * DEGREE,
            0.5 * length(chaser.size_m)),
    ]  # fmt: skip
    if net.kind != "file":
        least = min(net.width_m, net.height_m)
        for key in ("diameter_m", "reinforced_diameter_m"):
            thick = getattr(config.threads, key) or 0.0
            found.append(size(f"[threads] {key}", "a thread", thick, "the net", least))
    volume = math.pi * bullets.radius_m**2 * bullets.length_m
    for mass in (bullets.mass_kg, *(bullets.masses_kg or ())):
        if mass is not None:
            found.append(bulk("[bullets]", "a bullet", mass, volume))
    for own in config.bodies:
        found.append(bulk("[[bodies]]", f"'{own.name}'", own.mass_kg, box_volume(own.size_m)))
    if config.environment.orbit is not None and config.environment.orbit.semi_major_axis_m:
        far = config.environment.orbit.semi_major_axis_m
        found += orbit("[environment.orbit] semi_major_axis_m", far, EARTH_RADIUS)
    return found + _target(config, shot)


def _target(config: Config, shot: dict[str, float]) -> list[Proportion]:
    """Ratios of a target against what is shot at it."""
    target, chaser = config.target, config.chaser
    if target is None:
        return []
    closing = math.dist(target.velocity_m_per_s, chaser.velocity_m_per_s)
    rate, found = length(target.rate_deg_per_s) * DEGREE, []
    for box in target.boxes:
        reach = length(box.position_m) + 0.5 * length(box.size_m)
        found += [
            bulk("[[target.boxes]]", "a box", box.mass_kg, box_volume(box.size_m)),
            rim("[target] rate_deg_per_s", "a corner of the target", rate, reach),
        ]
    if config.net.states_file is None:
        way = max(closing, config.shot.speed_m_per_s) * config.run.duration_s
        found.append(
            size("[target] distance_m", "a distance", target.distance_m, "the way in this run", way, UNEXPLAINED)
        )  # fmt: skip
    found.append(speed("[target] and [shot]", "a target that comes", closing, shot))
    return found
