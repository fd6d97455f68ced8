"""Small bodies made by code: shapes like those of visited bodies, for users without a shape file.

A body is the smooth union of a few convex lobes that share an inner point, seen from that point:

    r(u) = r_0(u) (1 + relief(u)) - craters(u) + ridge(u)

    r_0(u)     [m] distance along the direction u to the surface of the union
    relief(u)  [-] sum of random cosines over the sphere of directions, fixed by the seed
    craters(u) [m] parabolic bowls         ridge(u)  [m] a swell about the equator
Convex sets with a common point are star-shaped about it, so every ray meets the surface once and
the mesh closes. The mesh is then moved to its centre of mass and turned to its principal axes, the
largest moment along z.
Validity: likenesses in size and kind of shape, not shape models; homogeneous mass.
Source: sizes from [VanWal2018] chapters 3 and 4 (Itokawa, Bennu, 1999 KW4 Alpha) and rounded general knowledge (the comet
67P, Phobos); everything else is assumed.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.random_streams import stream
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.mass_properties import mass_properties, principal_axes

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEVELS = range(2, 9)  # 162 to 655,362 vertices
HALVINGS = 60  # of the bracket along a ray: to the last digit
WAVES = 40  # cosines of the relief; their number of waves around the body is 2 to 10


@dataclass(frozen=True)
class Lobe:
    """Superellipsoid |x/a|^n + |y/b|^n + |z/c|^n <= 1 about a centre; n = 2 is an ellipsoid."""

    center: tuple[float, float, float]  # [m]
    semi_axes: tuple[float, float, float]  # [m]
    exponent: float = 2.0  # [-] between 1 (double cone, for equal a and b) and 2


@dataclass(frozen=True)
class Crater:
    """Bowl about a direction: depth [m] in the middle, nothing beyond the angle [rad]."""

    direction: tuple[float, float, float]
    angle: float
    depth: float


@dataclass(frozen=True)
class BodyRecipe:
    """Recipe of a body; `inner` [m] lies in every lobe, `blend` [m] rounds the necks between."""

    lobes: tuple[Lobe, ...]
    inner: tuple[float, float, float]
    blend: float
    relief: float  # [-] of the radius, root mean square
    craters: tuple[Crater, ...] = ()
    ridge: tuple[float, float] = (0.0, 1.0)  # height [m] and half width [rad] about the equator


BODIES = {
    "bilobe": BodyRecipe(  # Itokawa-like: 536 x 294 x 210 m
        (
            Lobe((-88.0, 0.0, 0.0), (177.0, 147.0, 105.0)),
            Lobe((150.0, -14.0, 6.0), (117.0, 114.0, 94.0)),
        ),
        (63.0, -4.0, 2.0), 12.0, 0.02,
    ),
    "top": BodyRecipe(  # Bennu-like, with an equatorial ridge: 517 x 500 x 460 m
        (Lobe((0.0, 0.0, 0.0), (246.0, 238.0, 230.0), 1.7),), (0.0, 0.0, 0.0), 1.0, 0.008,
        ridge=(12.0, 0.14),
    ),
    "spinner": BodyRecipe(  # like 1999 KW4 Alpha: a ridge that almost lifts off, 1460 x 1420 x 1310 m
        (Lobe((0.0, 0.0, 0.0), (693.0, 676.0, 655.0), 1.75),), (0.0, 0.0, 0.0), 1.0, 0.006,
        ridge=(38.0, 0.12),
    ),
    "comet": BodyRecipe(  # 67P-like: a large and a small lobe with a neck, 19 km^3, 5.6 km long
        (
            Lobe((-850.0, 0.0, -150.0), (2050.0, 1650.0, 900.0)),
            Lobe((1400.0, 100.0, 600.0), (1300.0, 1150.0, 900.0)),
        ),
        (650.0, 50.0, 200.0), 150.0, 0.02,
    ),
    "potato": BodyRecipe(  # Phobos-like: 26 x 22.8 x 18.2 km with one great crater
        (Lobe((0.0, 0.0, 0.0), (13000.0, 11400.0, 9100.0)),), (0.0, 0.0, 0.0), 1.0, 0.02,
        (
            Crater((0.7, 0.7, 0.1), 0.40, 1300.0),
            Crater((-0.6, 0.2, 0.7), 0.22, 500.0),
            Crater((0.1, -0.9, -0.4), 0.25, 600.0),
        ),
    ),
}  # fmt: skip


@functools.lru_cache(maxsize=8)
def procedural_body(name: str, level: int = 5, seed: int = 0) -> tuple[Floats, Integers]:
    """(vertices [m], faces): closed, outward, about its centre of mass, principal axes along x y z.

    level  times an icosahedron is split: 10 4^level + 2 vertices, 20 4^level facets
    seed   of the relief; the same bits for the same seed
    """
    if name not in BODIES:
        allowed = ", ".join(BODIES)
        raise GeometryError(f"body '{name}'", "no built-in body of that name", allowed, "bilobe")
    if level not in LEVELS:
        allowed = f"{LEVELS[0]} to {LEVELS[-1]}"
        raise GeometryError(f"body '{name}'", f"level {level}", allowed, "level 5")
    recipe = BODIES[name]
    directions, faces = icosphere(level)
    radii = _ray_lengths(recipe, directions) * (
        1.0 + _relief(recipe.relief, directions, seed, name)
    )
    for crater in recipe.craters:
        radii -= _bowl(crater, directions)
    height, width = recipe.ridge
    radii += height * np.exp(-((np.arcsin(directions[:, 2]) / width) ** 2))
    vertices = np.array(recipe.inner) + radii[:, None] * directions
    centred = _settled(vertices, faces)
    centred.setflags(write=False)
    faces.setflags(write=False)
    return centred, faces


def _ray_lengths(recipe: BodyRecipe, directions: Floats) -> Floats:
    """Distance [m] from the inner point to the surface of the union, by halving a bracket."""
    inner = np.array(recipe.inner)
    low = np.zeros(len(directions))
    high = np.full(
        len(directions),
        2.0 * max(np.linalg.norm(lobe.center) + max(lobe.semi_axes) for lobe in recipe.lobes),
    )
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        inside = _level_of(recipe, inner + middle[:, None] * directions) < 0.0
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return 0.5 * (low + high)


def _level_of(recipe: BodyRecipe, points: Floats) -> Floats:
    """Negative inside the union; a smooth minimum over the lobes rounds the necks [m]."""
    levels = np.array([_lobe_level(lobe, points) for lobe in recipe.lobes])
    least = levels.min(axis=0)
    total = np.sum(np.exp((least - levels) / recipe.blend), axis=0)
    return np.asarray(least - recipe.blend * np.log(total))


def _lobe_level(lobe: Lobe, points: Floats) -> Floats:
    """About the distance [m] to one lobe: exact in sign, and in size for a sphere."""
    scaled = np.abs((points - np.array(lobe.center)) / np.array(lobe.semi_axes))
    across = np.hypot(scaled[:, 0], scaled[:, 1])  # round about z, so that n shapes the latitudes
    size = (across**lobe.exponent + scaled[:, 2] ** lobe.exponent) ** (1.0 / lobe.exponent)
    return np.asarray((size - 1.0) * min(lobe.semi_axes))


def _relief(amount: float, directions: Floats, seed: int, name: str) -> Floats:
    """Relief [-] of root mean square `amount`; longer waves are higher."""
    generator = stream(seed, 0, f"relief of {name}")
    waves = generator.normal(size=(WAVES, 3))
    count = generator.uniform(2.0, 10.0, WAVES)
    waves *= (count / np.linalg.norm(waves, axis=1))[:, None]
    phases = generator.uniform(0.0, 2.0 * np.pi, WAVES)
    heights = np.cos(directions @ waves.T + phases) / count
    return np.asarray(amount * np.sqrt(2.0) * heights.sum(axis=1) / np.sqrt(np.sum(count**-2.0)))


def _bowl(crater: Crater, directions: Floats) -> Floats:
    axis = np.array(crater.direction) / np.linalg.norm(crater.direction)
    angle = np.arccos(np.clip(directions @ axis, -1.0, 1.0))
    return np.asarray(crater.depth * np.maximum(1.0 - (angle / crater.angle) ** 2, 0.0))


def _settled(vertices: Floats, faces: Integers) -> Floats:
    """The mesh about its centre of mass, along its principal axes, largest moment along z."""
    mass = mass_properties(vertices, faces)
    _, dcm_PB = principal_axes(mass.inertia_per_mass)
    return np.ascontiguousarray((vertices - mass.centroid) @ dcm_PB.T)
