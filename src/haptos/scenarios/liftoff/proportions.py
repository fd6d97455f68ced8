"""Numbers of a lift-off file that must belong together: density, tide, and what moves on the body."""

from __future__ import annotations

import math

from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.scenarios.liftoff.config import Config, LiftoffEllipsoid, LiftoffSphere
from haptos.scenarios.proportions import Proportion, ground, length, size

MOST_TIDE = 1000.0  # [-] of the body's own pull; it falls apart at about 1


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a lift-off file."""
    found, density, surface = [], config.gravity.density_kg_per_m3, config.surface
    if density is not None:
        found.append(ground("[gravity] density_kg_per_m3", density))
    if not isinstance(surface, LiftoffSphere | LiftoffEllipsoid):
        return found
    axes = surface.semi_axes_m if isinstance(surface, LiftoffEllipsoid) else (surface.radius_m,) * 3
    radius = math.prod(axes) ** (1.0 / 3.0)
    found += [
        size("[map] object_radius_m", "a ball", config.map.object_radius_m, "the body", radius),
        size(
            "[vehicle] wheel_radius_m", "a wheel", config.vehicle.wheel_radius_m, "the body", radius
        ),
    ]
    if config.primary is not None:
        mu = config.gravity.mu_m3_per_s2 or 0.0
        if density is not None:
            mu = GRAVITATIONAL_CONSTANT * density * 4.0 / 3.0 * math.pi * radius**3
        far = length(config.primary.position_m)
        tide, own = config.primary.mu_m3_per_s2 / far**3, mu / radius**3
        found.append(
            size(
                "[primary] and [gravity]",
                "a tide",
                tide,
                "the body's own pull",
                own,
                MOST_TIDE,
                "1/s^2",
            )
        )
    return found
