"""Potential and gravity of any world at many points: closed forms, tables, polyhedra, tides."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import entry
from haptos.environment.gravity import Gravity, potential_and_gravity
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_terms import locked_tide, primary_tide

Floats = NDArray[np.float64]
Field = tuple[Floats, Floats]  # U [m^2/s^2], shape (n,), and g [m/s^2], shape (n, 3)
World = Gravity | PolyhedronField | Callable[[Floats], Field]

CHUNK = 4096  # points per task


def field_at(
    world: World,
    points: ArrayLike,
    *,
    primary: tuple[float, tuple[float, float, float]] | None = None,
    locked_rate: float = 0.0,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Field:
    """(U [m^2/s^2], (n,), g [m/s^2], (n, 3)) at points [m], (n, 3), from the body's centre of mass.

    world        `Gravity` of environment/gravity.py (closed forms and tables, with its own primary),
                 a `PolyhedronField`, or any function of points that gives (U, g)
    primary      (G M [m^3/s^2], place [m]) of a body at rest in these axes whose tide is added
    locked_rate  [rad/s] of the orbit of a moon that shows its primary one side, +-x: Hill's tide
    progress     gets the share done, 0 to 1
    """
    where = np.ascontiguousarray(points, dtype=float)
    if where.ndim != 2 or where.shape[1] != 3:
        found = f"points of shape {where.shape}"
        raise GeometryError("gravity", found, "shape (n, 3)", "[[x, y, z]] for one point")
    if isinstance(world, PolyhedronField):
        values = world.field(where, workers=workers, progress=progress)
        potential, gravity = values.potential.copy(), values.gravity.copy()
    elif isinstance(world, Gravity):
        potential, gravity = _closed(world, where, workers, progress)
    else:
        given = world(where)
        potential, gravity = (np.array(part, dtype=float) for part in given)
    if primary is not None:
        mu, (x, y, z) = primary
        add_primary(where, (float(x), float(y), float(z)), float(mu), potential, gravity)
    if locked_rate != 0.0:
        add_locked(where, float(locked_rate), potential, gravity)
    if potential.shape != (len(where),) or gravity.shape != where.shape:
        found = f"U of shape {potential.shape} and g of shape {gravity.shape}"
        raise GeometryError("gravity", found, "shapes (n,) and (n, 3)", "one row per point")
    return potential, gravity


def _closed(
    world: Gravity,
    points: Floats,
    workers: int | None,
    progress: Callable[[float], None] | None,
) -> Field:
    count = len(points)
    potential, gravity = np.empty(count), np.empty((count, 3))
    fill_field(world, points, potential, gravity, 0, 0)  # compile before threads exist

    def fill(low: int) -> int:
        high = min(low + CHUNK, count)
        fill_field(world, points, potential, gravity, low, high)
        return high

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        for high in pool.map(fill, range(0, count, CHUNK)):
            if progress is not None:
                progress(high / count)
    return potential, gravity


def hill_rate(mu: float, distance: float) -> float:
    """Rate [rad/s] of a circular orbit: sqrt(mu / distance^3)."""
    return math.sqrt(mu / distance**3)


@entry
def fill_field(world, points, potential, gravity, low, high):
    for i in range(low, high):
        u, g = potential_and_gravity(world, (points[i, 0], points[i, 1], points[i, 2]))
        potential[i] = u
        gravity[i, 0], gravity[i, 1], gravity[i, 2] = g


@entry
def add_primary(points, place, mu, potential, gravity):
    for i in range(len(points)):
        u, g = primary_tide((points[i, 0], points[i, 1], points[i, 2]), place, mu)
        potential[i] += u
        for k in range(3):
            gravity[i, k] += g[k]


@entry
def add_locked(points, rate, potential, gravity):
    for i in range(len(points)):
        u, g = locked_tide((points[i, 0], points[i, 1], points[i, 2]), rate)
        potential[i] += u
        for k in range(3):
            gravity[i, k] += g[k]
