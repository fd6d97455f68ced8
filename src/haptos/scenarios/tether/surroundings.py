"""What is around a tether, made from its file: axes, field, air, light, heat, third body, ground."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.cable.tether_system import no_air, no_ground
from haptos.dynamics.field import ORBIT, body_field, no_field
from haptos.dynamics.system import Field
from haptos.environment.orbit_frames import KeplerElements, state_from_elements
from haptos.environment.orbital_origin import origin_path
from haptos.geometry.distance.surface import smooth_gap_and_gradient, sphere
from haptos.scenarios.line_surroundings import (
    LineSun,
    air_of,
    ground_of,
    heat_of,
    light_of,
    third_of,
)
from haptos.scenarios.plausibility import check_release
from haptos.scenarios.tether.config import Config
from haptos.scenarios.tether.config_place import TetherOrbit, TetherSite
from haptos.scenarios.worlds.config import UniformGravity
from haptos.scenarios.worlds.gravity import spin_of, spin_table
from haptos.scenarios.worlds.terrain import check_ball
from haptos.scenarios.worlds.world import World, checked_radius, world_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes of the file at the start: rows are its x, y, z in N axes, and their rate [rad/s] in N axes."""

    rows: Floats
    rate: Floats


def elements_of(place: TetherOrbit) -> KeplerElements:
    """Six elements in SI units."""
    angles = (place.inclination_deg, place.node_deg, place.periapsis_deg, place.true_anomaly_deg)
    i, node, periapsis, anomaly = (math.radians(a) for a in angles)
    return KeplerElements(
        1e3 * place.semi_major_axis_km, place.eccentricity, i, node, periapsis, anomaly
    )


def axes_of(config: Config) -> Axes:
    """ORF at the start in orbit (x along flight, y normal, z up); else the axes themselves."""
    if not isinstance(config.place, TetherOrbit):
        return Axes(np.eye(3), np.zeros(3))
    r, v = state_from_elements(elements_of(config.place), config.place.mu_m3_per_s2)
    h = np.cross(r, v)
    up, normal = r / np.linalg.norm(r), h / np.linalg.norm(h)
    return Axes(np.stack([np.cross(normal, up), normal, up]), h / float(r @ r))


def field_of(config: Config) -> Field:
    """Field of `dynamics/field.py`."""
    place = config.place
    if isinstance(place, TetherOrbit):
        if place.semi_major_axis_km * (1.0 - place.eccentricity) <= place.primary_radius_km:
            found = f"periapsis at {place.semi_major_axis_km * (1.0 - place.eccentricity):g} km"
            raise ConfigError(
                "place",
                found,
                f"above {place.primary_radius_km:g} km",
                "semi_major_axis_km = 7000.0",
            )
        return no_field()._replace(
            kind=ORBIT, mu=place.mu_m3_per_s2, path=origin_path(elements_of(place), place.mu_m3_per_s2),
            has_gradient=place.has_gradient_torque, radius=1e3 * place.primary_radius_km,
        )  # fmt: skip
    if isinstance(place, TetherSite):
        spin, moments = spin_of(config.spin)
        table = None if moments is None else spin_table(spin, moments, config.duration)
        return body_field(
            site_world(config).gravity, spin, arm=np.array(place.position_m), axes=np.eye(3), table=table
        )  # fmt: skip
    return no_field()


def site_world(config: Config) -> World:
    """The world of a site; refuses a start below its ground or far from it."""
    tables, place = config.world, config.place
    assert tables is not None
    assert isinstance(place, TetherSite)
    radius = checked_radius(tables)
    if radius > 0.0 and not isinstance(tables.gravity, UniformGravity):
        check_release(place.position_m, radius)
    if config.contact is not None:
        check_ball(tables.terrain, max(config.first.radius_m, config.second.radius_m))
    return world_of(tables)


def surroundings(config: Config) -> dict[str, Any]:
    """Keys of `TetherSystem`: field, air, light, heat, ground, third."""
    place, sun = config.place, config.sun or LineSun()
    is_orbit = isinstance(place, TetherOrbit)
    spin, radius, up, ground = np.zeros(3), 0.0, np.zeros(3), no_ground()
    if isinstance(place, TetherOrbit):
        radius = 1e3 * place.primary_radius_km
        ground = ground_of(None, sphere(radius), np.zeros(3))
    elif isinstance(place, TetherSite):
        world = site_world(config)
        spin, radius = spin_of(config.spin)[0], world.radius
        arm = np.array(place.position_m)
        up = np.array(smooth_gap_and_gradient(world.surface, place.position_m)[1])
        ground = ground_of(config.contact, world.surface, arm)
    return {
        "field": field_of(config),
        "air": air_of(config.air, up, is_orbit=is_orbit) or no_air(),
        "light": light_of(sun, radius, spin),
        "heat": heat_of(config.heat, sun, config.line.material, radius, is_orbit=is_orbit),
        "ground": ground,
        "third": third_of(config.third_body, spin),
    }
