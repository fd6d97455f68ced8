"""A place on the ground of a world and axes there: what is shot at or touched there looks from it.

    origin  the ground (with its terrain) over the foot of `target` on the smooth ground
    z       normal of the smooth ground there, x  level at `heading` from east towards north, y = z x x
Axes turn with the body: places, velocities and forces in them are those of turning axes, gravity with its part of the spin.
Frame: S axes of the site; A axes of the body. Validity: uniform spin. Source: geometry; gravity by `environment/gravity.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field
from scipy.spatial.transform import Rotation

from haptos.core.errors import ConfigError
from haptos.core.jit import entry
from haptos.dynamics.cable.tether_loads import TetherGround
from haptos.dynamics.cable.tether_system import ground_under
from haptos.dynamics.field import body_field
from haptos.dynamics.system import Field as ForceField
from haptos.environment.effective_gravity import effective_gravity
from haptos.environment.gravity import potential_and_gravity
from haptos.geometry.distance.surface import clear_way, gap_and_gradient, ground_feet
from haptos.scenarios.plausibility import check_release
from haptos.scenarios.schema import Number, Table, Vector3, refused
from haptos.scenarios.worlds.config import (
    NoSpin,
    OpenTables,
    SiteWorld,
    TerrainTable,
    TumblingSpin,
    UniformGravity,
    check_world,
)
from haptos.scenarios.worlds.gravity import spin_of
from haptos.scenarios.worlds.rough_points import rough_points
from haptos.scenarios.worlds.scene_ground import ground_normal
from haptos.scenarios.worlds.world import World, checked_radius, world_of

Floats = NDArray[np.float64]
Heading = Annotated[Number, Field(ge=-360.0, le=360.0)]
LEAST_OUT = 0.01  # [radii] of a target from the middle of its body
ON_GROUND = 1e-6  # [m], and of the body's radius: what is farther off has no foot


class GroundSite(Table):
    """A place on the ground of [surface]: axes with their origin there, z out of the smooth ground, that turn with it."""

    target_m: Vector3 = Field(
        description="a point near the ground, from the origin of A, A axes: its foot is meant"
    )
    heading_deg: Heading = Field(
        default=0.0, description="of x, from east towards north; of A x at a pole"
    )


class SiteTables(OpenTables, Protocol):
    """The tables of a scenario file that may name a place on a ground."""

    @property
    def site(self) -> GroundSite | None: ...


def check_site_tables(config: SiteTables) -> None:
    """Refuse a site without its ground, a ground without its site."""
    if config.site is None:
        given = {
            "[surface]": config.surface is not None, "[gravity]": config.gravity is not None,
            "[spin]": config.spin != NoSpin(), "[terrain]": config.terrain != TerrainTable(),
        }  # fmt: skip
        for name, is_there in given.items():
            if is_there:
                hint = "site = { target_m = [0.0, 0.0, 100.0] }"
                raise refused(
                    f"{name} without [site]", f"{name} of a site, or [ground] alone", hint
                )
        return
    for name in ("surface", "gravity"):
        if getattr(config, name) is None:
            hint = 'surface = { shape = "plane" }'
            if name == "gravity":
                hint = 'gravity = { model = "uniform", acceleration_m_per_s2 = [0.0, 0.0, -1e-4] }'
            raise refused(f"[site] without [{name}]", "[surface] and [gravity] of a site", hint)
    if isinstance(config.spin, TumblingSpin):
        hint = 'spin = { kind = "uniform", period_h = 12.0 }'
        raise refused("[site] on a body that tumbles", "a uniform spin, or none", hint)
    tables = site_tables(config)
    assert tables is not None
    check_world(tables)


def site_tables(config: SiteTables) -> SiteWorld | None:
    """Tables of the world under a site; None without one."""
    return None if config.site is None else SiteWorld.of(config)


@entry
def _fill_site(surface, gravity, places, gaps, normals, pulls):
    """Gap of the ground with its terrain [m], its unit normal, gravity [m/s^2] at places (n, 3) [m], A axes."""
    for i in range(len(places)):
        x = (places[i, 0], places[i, 1], places[i, 2])
        gap, gradient = gap_and_gradient(surface, x)
        length = math.sqrt(gradient[0] ** 2 + gradient[1] ** 2 + gradient[2] ** 2)
        gaps[i] = gap / length if length > 0.0 else gap
        _, g = potential_and_gravity(gravity, x)
        for k in range(3):
            normals[i, k] = gradient[k] / length if length > 0.0 else 0.0
            pulls[i, k] = g[k]


@entry
def _clear_at(surface, place):
    """Way [m] from a place (3,) [m], A axes, on which no ground is met."""
    return clear_way(surface, (place[0], place[1], place[2]), 0.0)


@dataclass(frozen=True, eq=False)
class Site:
    """A place on a ground, and axes there.

    origin  of S from that of A [m], A axes (3,)     axes  dcm_SA (3, 3)     spin  of the body [rad/s], A axes (3,)
    """

    world: World
    origin: Floats
    axes: Floats
    spin: Floats

    @property
    def quaternion(self) -> Floats:
        """quat_SA (4,), scalar first."""
        return np.asarray(Rotation.from_matrix(self.axes).as_quat(scalar_first=True))

    def at(self, places: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """(gaps (n,) [m], unit normals (n, 3), gravity on what rests there (n, 3) [m/s^2]) at places (n, 3) [m], all in S axes."""
        where = np.atleast_2d(np.asarray(places, dtype=float)) @ self.axes + self.origin
        gaps, normals, pulls = np.empty(len(where)), np.empty_like(where), np.empty_like(where)
        made = np.ascontiguousarray(where)
        _fill_site(self.world.surface, self.world.gravity, made, gaps, normals, pulls)
        pulls = effective_gravity(pulls, self.spin, where)
        return gaps, normals @ self.axes.T, pulls @ self.axes.T

    def pull(self, place: ArrayLike, velocity: ArrayLike) -> Floats:
        """Acceleration (3,) [m/s^2] of what moves freely at a place [m] with a velocity [m/s], S axes."""
        turning = self.axes @ self.spin
        return np.asarray(self.at(place)[2][0] - 2.0 * np.cross(turning, np.asarray(velocity)))

    def clear(self, place: ArrayLike) -> float:
        """A way [m] that a point can go from a place [m] without touching the ground, S axes."""
        where = np.asarray(place, dtype=float) @ self.axes + self.origin
        return float(_clear_at(self.world.surface, np.ascontiguousarray(where)))

    def field(self, start: ArrayLike = (0.0, 0.0, 0.0)) -> ForceField:
        """The field in S axes from a start [m], S axes."""
        arm = self.axes @ self.origin + np.asarray(start, dtype=float)
        return body_field(self.world.gravity, self.axes @ self.spin, arm=arm, axes=self.axes)

    def ground(self, start: ArrayLike = (0.0, 0.0, 0.0), **laws: float | bool) -> TetherGround:
        """The ground in S axes from a start [m]; laws as those of `ground_under`."""
        arm = self.axes @ self.origin + np.asarray(start, dtype=float)
        return ground_under(self.world.surface, arm=arm, axes=self.axes, **laws)  # type: ignore[arg-type]

    def dropped(self, places: ArrayLike) -> Floats:
        """Places (n, 3) [m] moved along z onto the ground near them, S axes."""
        where = np.atleast_2d(np.asarray(places, dtype=float)) @ self.axes + self.origin
        moved = rough_points(self.world.surface, self.axes[2], where)
        return np.asarray((moved - self.origin) @ self.axes.T)

    def roughness(self, place: ArrayLike, normal: ArrayLike, radius: float) -> float:
        """How far the ground leaves the plane through a place on it, within a circle, over the radius [m] of that [-]."""
        out = np.asarray(normal, dtype=float)
        first = np.cross(out, np.eye(3)[int(np.argmin(np.abs(out)))])
        first /= np.linalg.norm(first)
        second = np.cross(out, first)
        angles = 0.25 * math.pi * np.arange(8)
        ring = np.cos(angles)[:, None] * first + np.sin(angles)[:, None] * second
        points = np.concatenate([radius * ring, 0.5 * radius * ring]) + np.asarray(
            place, dtype=float
        )
        return float(np.abs(self.at(points)[0]).max()) / radius


def site_of(config: SiteTables) -> Site | None:
    """The site of a file, None without one; refuses a target without a foot, or far from its body."""
    tables, place = site_tables(config), config.site
    if tables is None or place is None:
        return None
    radius = checked_radius(tables)
    if radius > 0.0 and not isinstance(tables.gravity, UniformGravity):
        check_release(place.target_m, radius)
    target = np.array(place.target_m, dtype=float)
    if radius > 0.0 and not np.linalg.norm(target) > LEAST_OUT * radius:
        found = f"target_m = {list(place.target_m)}, the middle of the body, which is below no one place of its ground"
        raise ConfigError(
            "[site]", found, "a point near the ground", f"target_m = [0.0, 0.0, {radius:.3g}]"
        )
    world = world_of(tables)
    foot = ground_feet(world.surface, target[None])[0]
    left = abs(float(ground_feet(world.surface, foot)[1][0]))
    if not left <= ON_GROUND * max(radius, 1.0):
        found = f"target_m = {list(place.target_m)}, which has no nearest point of the ground"
        raise ConfigError("[site]", found, "a point near the ground", "a point on it")
    up = ground_normal(world, foot[0])
    spin = spin_of(tables.spin)[0]
    pole = spin / np.linalg.norm(spin) if spin.any() else np.array([0.0, 0.0, 1.0])
    east = np.cross(pole, up)
    if np.linalg.norm(east) < 1e-6:
        east = np.eye(3)[0] - up[0] * up
        if np.linalg.norm(east) < 1e-6:
            east = np.eye(3)[1] - up[1] * up
    east /= np.linalg.norm(east)
    north = np.cross(up, east)
    heading = math.radians(place.heading_deg)
    x = math.cos(heading) * east + math.sin(heading) * north
    axes = np.stack([x, np.cross(up, x), up])
    origin = rough_points(world.surface, up, foot)[0]
    return Site(world, origin, axes, spin)
