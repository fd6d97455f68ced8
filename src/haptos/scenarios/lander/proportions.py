"""Numbers of a lander's file that must belong together: release and gravity, mass and size of the probe."""

from __future__ import annotations

import math

from haptos.geometry.mesh.polyhedra import PLATONIC_VOLUME
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.config_probe import BoxProbe, PlatonicProbe, PrismProbe, SphereProbe
from haptos.scenarios.proportions import (
    Proportion,
    box_volume,
    bulk,
    ground,
    length,
    reach,
    rim,
    speed,
)
from haptos.scenarios.worlds.config import fall_speeds


def proportions(config: Config) -> list[Proportion]:
    """Ratios of a lander's file."""
    release, gravity = config.release, config.gravity
    found = [
        speed(
            "[release] and [gravity]",
            "a release",
            length(release.velocity_m_per_s),
            fall_speeds(config.gravity, config.surface, release.position_m),
        )
    ]
    volume, radius = _probe(config)
    if volume > 0.0:
        found.append(bulk("[probe]", "a probe", config.probe.mass_kg, volume))
        rate = length(release.rate_rad_per_s)
        found.append(
            rim("[release] rate_rad_per_s", "the farthest point of the probe", rate, radius)
        )
        found += [
            reach(f"[contact] feet.{i} position_m", "a foot", length(foot.position_m), radius)
            for i, foot in enumerate(getattr(config.contact, "feet", ()))
        ]
    density = getattr(gravity, "density_kg_per_m3", None)
    if density is not None:
        found.append(ground("[gravity] density_kg_per_m3", density))
    return found


def _probe(config: Config) -> tuple[float, float]:
    """(volume [m^3], largest radius [m]) of a probe whose shape has numbers; zeros of others."""
    probe = config.probe
    if isinstance(probe, BoxProbe):
        return box_volume(probe.size_m), 0.5 * length(probe.size_m)
    if isinstance(probe, SphereProbe):
        return 4.0 / 3.0 * math.pi * probe.radius_m**3, probe.radius_m
    if isinstance(probe, PrismProbe):
        base = 0.5 * probe.sides * math.sin(2.0 * math.pi / probe.sides) * probe.radius_m**2
        return base * probe.height_m, math.hypot(probe.radius_m, 0.5 * probe.height_m)
    if isinstance(probe, PlatonicProbe):
        volume = probe.mass_kg / probe.density_kg_per_m3 if probe.density_kg_per_m3 else 0.0
        edge = probe.edge_m or (volume / PLATONIC_VOLUME[probe.shape]) ** (1.0 / 3.0)
        return PLATONIC_VOLUME[probe.shape] * edge**3, edge
    return 0.0, 0.0
