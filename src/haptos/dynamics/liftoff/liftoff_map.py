"""Maps of lift-off: least and greatest speed over all directions, at every point of a body.

Validity: that of the law, liftoff.py. Source: [VanWal2018] chapter 3.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError, GeometryError
from haptos.core.jit import device, entry, routine
from haptos.core.vectors import add_scaled, cross, dot, scale
from haptos.dynamics.liftoff.liftoff import (
    MODES,
    NEVER,
    NORMAL,
    liftoff_speed,
    pressed_again_speed,
    raised_curvature,
    resting_load,
    section_terms,
)
from haptos.environment.effective_gravity import (
    effective_gravity,
    pressing_gravity,
    slope_angles,
)
from haptos.environment.gravity_points import World, field_at
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.geometry.shape.curvature import CurvedGround, east_north

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

STEP = math.radians(2.0)  # [rad] of azimuth
ROUNDING = 1e-12  # [-] of mirrored directions the first counts, whatever the rounding
RIVAL = 0.05  # [-] how much worse than the best sample another may be before it is refined
CHUNK = 2048  # points per task
REFINEMENTS = 6  # parabolas through three azimuths, each set 0.4 times as wide as the last
COLUMNS = 5  # least, its azimuth, greatest, its azimuth, share of directions that lift off
CENTRED = 0.01  # [radii] of the centre of mass from the origin; coarser meshes move it a little
GRAVITY_SHARE = 0.9  # [-] of the time, for the progress


@dataclass(frozen=True, eq=False)
class LiftoffMap:
    """Lift-off at every point; azimuths [rad] from east over north, 0 to 2 pi.

    ground             points, normals, curvatures
    potential          U [m^2/s^2] with tides                 geopotential  W = U + |Omega x P|^2 / 2
    pressing           G [m/s^2]; where it is not above 0 nothing stays at rest, and all speeds are 0
    slope              angle between the load at rest and the normal [rad]
    least, greatest    V [m/s] over all directions; `least` is infinite where no direction lifts off,
                       `greatest` where some does not
    least_azimuth, greatest_azimuth   of those [rad]; NaN where there is none
    possible           share of the directions that lift off at some speed, 0 to 1
    ridge              sqrt(G 1 m) [m/s]: V_R of a ball of 1 m; times sqrt(R / 1 m) for others
    ridge_published    the same without the spin's part, sqrt(-N . a_E 1 m)
    """

    ground: CurvedGround
    omega: tuple[float, float, float]
    mode: str
    object_radius: float
    gravity: Floats
    potential: Floats
    geopotential: Floats
    pressing: Floats
    slope: Floats
    least: Floats
    least_azimuth: Floats
    greatest: Floats
    greatest_azimuth: Floats
    possible: Floats
    ridge: Floats
    ridge_published: Floats

    @property
    def is_held(self) -> Flags:
        """Where a thing at rest stays: G > 0."""
        return self.pressing > 0.0

    def shares(self) -> tuple[float, float, float]:
        """Shares of the points that are convex, mixed and concave."""
        counts = np.bincount(self.ground.kind, minlength=3) / len(self.ground)
        return float(counts[0]), float(counts[1]), float(counts[2])

    def along(self, azimuth: ArrayLike, point: int | None = None) -> tuple[Floats, Floats]:
        """`liftoff_along` azimuths [rad] at one point, (1, a), or at all, (n, a), of what the map is for."""
        chosen = slice(None) if point is None else slice(point, point + 1)
        ground = self.ground if point is None else self.ground.chosen([point])
        return liftoff_along(
            ground, self.gravity[chosen], self.omega, azimuth,
            mode=self.mode, object_radius=self.object_radius,
        )  # fmt: skip


def liftoff_map(
    ground: CurvedGround,
    world: World,
    omega: ArrayLike,
    *,
    mode: str = MODES[NORMAL],
    object_radius: float = 0.0,
    step: float = STEP,
    primary: tuple[float, tuple[float, float, float]] | None = None,
    locked_rate: float = 0.0,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> LiftoffMap:
    """Lift-off at all points of a ground, in all directions.

    ground         points [m] from the centre of mass with normals and curvatures: of an ellipsoid,
                   spherical harmonics, a mesh, or one's own
    world          gravity, as for `field_at`, which also explains primary and locked_rate
    omega          spin [rad/s], shape (3,)
    mode           'normal' (exact), or 'plane_gravity', 'plane_net' of the published maps
    object_radius  [m] of a ball; P and speeds are then those of its centre
    step           of azimuth [rad]; extremes are refined between steps
    progress       gets the share done, 0 to 1
    """
    spin, kind = _checked(omega, mode, object_radius, step)
    _require_centred(world)
    points = ground.points + object_radius * ground.normal
    tell = progress or (lambda share: None)
    potential, gravity = field_at(
        world,
        points,
        primary=primary,
        locked_rate=locked_rate,
        workers=workers,
        progress=lambda share: tell(GRAVITY_SHARE * share),
    )
    rows = _rows(ground, points, gravity, spin, kind, object_radius, step, workers)
    tell(1.0)
    swept = np.cross(spin, points)
    effective = effective_gravity(gravity, spin, points)
    pressing = pressing_gravity(effective, ground.normal)
    own_weight = pressing_gravity(gravity, ground.normal)
    least, least_azimuth, greatest, greatest_azimuth, possible = rows.T
    return LiftoffMap(
        ground=ground,
        omega=spin,
        mode=mode,
        object_radius=float(object_radius),
        gravity=gravity,
        potential=potential,
        geopotential=potential + 0.5 * np.einsum("ni,ni->n", swept, swept),
        pressing=pressing,
        slope=slope_angles(effective, ground.normal),
        least=least.copy(),
        least_azimuth=least_azimuth.copy(),
        greatest=greatest.copy(),
        greatest_azimuth=greatest_azimuth.copy(),
        possible=possible.copy(),
        ridge=np.sqrt(np.maximum(pressing, 0.0)),
        ridge_published=np.sqrt(np.maximum(own_weight, 0.0)),
    )


def liftoff_along(
    ground: CurvedGround,
    gravity: ArrayLike,
    omega: ArrayLike,
    azimuth: ArrayLike,
    *,
    mode: str = MODES[NORMAL],
    object_radius: float = 0.0,
) -> tuple[Floats, Floats]:
    """(speed at which a thing leaves, speed above which it is pressed again) [m/s], shape (n, a).

    azimuth  [rad] from east over north, shape (a,); gravity [m/s^2] at the (raised) points, (n, 3)
    The second is infinite except on concave ground along the spin. The root against a direction is
    that of the opposite azimuth.
    """
    spin, kind = _checked(omega, mode, object_radius, STEP)
    angles = np.atleast_1d(np.asarray(azimuth, dtype=float))
    speeds = np.empty((2, len(ground), len(angles)))
    points = ground.points + object_radius * ground.normal
    fill_rays(
        _arrays(ground, points, np.ascontiguousarray(gravity, dtype=float), spin),
        spin,
        kind,
        float(object_radius),
        np.cos(angles),
        np.sin(angles),
        speeds,
    )
    return speeds[0], speeds[1]


def _checked(
    omega: ArrayLike, mode: str, radius: float, step: float
) -> tuple[tuple[float, float, float], int]:
    spin = np.asarray(omega, dtype=float)
    where = "lift-off"
    if spin.shape != (3,) or not np.all(np.isfinite(spin)):
        found = f"a spin {spin.tolist()}"
        raise GeometryError(where, found, "three finite numbers [rad/s]", "(0.0, 0.0, 1e-4)")
    if mode not in MODES:
        raise ConfigError(where, f"mode '{mode}'", ", ".join(MODES), MODES[NORMAL])
    if not (math.isfinite(radius) and radius >= 0.0):
        raise ConfigError(where, f"an object of radius {radius} m", ">= 0, finite", "0.0")
    if not 0.0 < step <= math.radians(30.0):
        found = f"azimuths {math.degrees(step):g} deg apart"
        raise ConfigError(where, found, "above 0, up to 30 deg", "2 deg")
    return (float(spin[0]), float(spin[1]), float(spin[2])), MODES.index(mode)


def _require_centred(world: World) -> None:
    """Refuse a polyhedron whose centre of mass, which the spin goes through, is not the origin."""
    if isinstance(world, PolyhedronField):
        off = float(np.linalg.norm(world.centre)) / world.radius
        if off > CENTRED:
            found = f"a body whose centre of mass is {off:.2g} radii from the origin"
            hint = "load_body_mesh, which moves the origin there"
            raise GeometryError("lift-off", found, f"at most {CENTRED:g} radii", hint)


def _arrays(
    ground: CurvedGround, points: Floats, gravity: Floats, spin: tuple[float, float, float]
) -> tuple[Floats, ...]:
    east, north = east_north(ground.normal, spin)
    return (
        points, ground.normal, np.ascontiguousarray(east), np.ascontiguousarray(north),
        ground.direction, ground.largest, ground.least, gravity,
    )  # fmt: skip


def _rows(
    ground: CurvedGround,
    points: Floats,
    gravity: Floats,
    spin: tuple[float, float, float],
    mode: int,
    radius: float,
    step: float,
    workers: int | None,
) -> Floats:
    """Five columns per point, filled by threads; the bits do not depend on their number."""
    azimuth = np.linspace(0.0, 2.0 * np.pi, math.ceil(2.0 * math.pi / step - 1e-9), endpoint=False)
    out = np.empty((len(ground), COLUMNS))
    given = _arrays(ground, points, gravity, spin)

    def fill(low: int, high: int) -> None:
        fill_extremes(given, spin, mode, float(radius), np.cos(azimuth), np.sin(azimuth), out,
                      low, high)  # fmt: skip

    fill(0, 0)  # compile before threads exist
    lows = range(0, len(ground), CHUNK)
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        list(pool.map(lambda low: fill(low, min(low + CHUNK, len(ground))), lows))
    return out


@device
def _point(given, spin, i):
    """Normal, east, north, load and external acceleration of one point, and its six products.

    Along an azimuth the components of d on e+ and e- and Omega_b are linear in its cosine and sine;
    the products are those of east and north with e+, e- and Omega x N.
    """
    points, normal, east, north, direction, _, _, gravity = given
    place = (points[i, 0], points[i, 1], points[i, 2])
    up = (normal[i, 0], normal[i, 1], normal[i, 2])
    x = (east[i, 0], east[i, 1], east[i, 2])
    y = (north[i, 0], north[i, 1], north[i, 2])
    along = (direction[i, 0], direction[i, 1], direction[i, 2])
    external = (gravity[i, 0], gravity[i, 1], gravity[i, 2])
    across, swept = cross(up, along), cross(spin, up)
    products = (
        dot(x, along), dot(y, along), dot(x, across), dot(y, across), dot(x, swept), dot(y, swept),
    )  # fmt: skip
    return up, x, y, resting_load(spin, place, external), external, products


@device
def _terms(mode, spin, radius, largest, least, at, cosine, sine):
    """(G, Omega_b, k) at a point along the azimuth of this cosine and sine."""
    up, x, y, load, external, products = at
    c = cosine * products[0] + sine * products[1]
    s = cosine * products[2] + sine * products[3]
    curvature = raised_curvature(largest, radius) * c * c + raised_curvature(least, radius) * s * s
    if mode == NORMAL:  # Omega . (N x d) = d . (Omega x N)
        return dot(up, load), cosine * products[4] + sine * products[5], curvature
    toward = add_scaled(scale(cosine, x), sine, y)
    return section_terms(mode, up, toward, spin, load, external, curvature)


@device
def _speed(mode, spin, radius, largest, least, at, cosine, sine):
    pressing, turning, curvature = _terms(mode, spin, radius, largest, least, at, cosine, sine)
    return liftoff_speed(pressing, turning, curvature)


@routine
def _sampled(mode, spin, radius, largest, least, at, cosines, sines, speeds):
    """Fill `speeds` over the azimuths; (slowest, fastest, how many lift off)."""
    slowest, fastest, found = NEVER, 0.0, 0
    for a in range(len(cosines)):
        v = _speed(mode, spin, radius, largest, least, at, cosines[a], sines[a])
        speeds[a] = v
        found += v < NEVER
        slowest, fastest = min(v, slowest), max(v, fastest)
    return slowest, fastest, found


@routine
def _at(mode, spin, radius, largest, least, at, azimuth):
    """Speed at an azimuth [rad]."""
    cosine, sine = math.cos(azimuth), math.sin(azimuth)
    return _speed(mode, spin, radius, largest, least, at, cosine, sine)


@routine
def _refined(mode, spin, radius, largest, least, at, best, angle, step, sign):
    """(speed, azimuth) of the extreme within a step of `angle`, by parabolas; sign -1 for maxima."""
    width = step
    for _ in range(REFINEMENTS):
        below = _at(mode, spin, radius, largest, least, at, angle - width)
        above = _at(mode, spin, radius, largest, least, at, angle + width)
        bend = below - 2.0 * best + above
        if not (sign * bend > 0.0 and abs(bend) < NEVER):
            break
        there = angle + 0.5 * width * (below - above) / bend
        found = _at(mode, spin, radius, largest, least, at, there)
        if sign * found < sign * best:
            best, angle = found, there
        width *= 0.4
    return best, angle


@routine
def _extreme(mode, spin, radius, largest, least, at, speeds, best, sign):
    """(speed, azimuth) of the least (sign 1) or greatest (-1) of sampled speeds, refined.

    Every sample that is an extreme among its neighbours and may win is refined, since two valleys can
    be nearly as deep as each other; of equal ones the first counts.
    """
    count = len(speeds)
    step = 2.0 * math.pi / count
    winner, place = best, math.nan
    for a in range(count):
        v = speeds[a]
        lowest = sign * v <= sign * speeds[a - 1] and sign * v <= sign * speeds[(a + 1) % count]
        if not (lowest and abs(v - best) <= RIVAL * best):
            continue
        v, angle = _refined(mode, spin, radius, largest, least, at, v, a * step, step, sign)
        if math.isnan(place) or sign * v < sign * winner - ROUNDING * winner:
            winner, place = v, angle
    return winner, place % (2.0 * math.pi)


@entry
def fill_extremes(given, spin, mode, radius, cosines, sines, out, low, high):
    count = len(cosines)
    speeds = np.empty(count)
    for i in range(low, high):
        at = _point(given, spin, i)
        largest, least = given[5][i], given[6][i]
        slowest, fastest, found = _sampled(
            mode, spin, radius, largest, least, at, cosines, sines, speeds
        )
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = slowest, math.nan, fastest, math.nan
        out[i, 4] = found / count
        if 0.0 < slowest < NEVER:
            out[i, 0], out[i, 1] = _extreme(
                mode, spin, radius, largest, least, at, speeds, slowest, 1.0
            )
        if 0.0 < fastest < NEVER:
            out[i, 2], out[i, 3] = _extreme(
                mode, spin, radius, largest, least, at, speeds, fastest, -1.0
            )


@entry
def fill_rays(given, spin, mode, radius, cosines, sines, speeds):
    for i in range(speeds.shape[1]):
        at = _point(given, spin, i)
        largest, least = given[5][i], given[6][i]
        for a in range(len(cosines)):
            g, turning, k = _terms(mode, spin, radius, largest, least, at, cosines[a], sines[a])
            speeds[0, i, a] = liftoff_speed(g, turning, k)
            speeds[1, i, a] = pressed_again_speed(g, turning, k)
