"""Bullets as spheres: how many stand for a cylinder, where, and how large.

    k spheres along a cylinder of width a and length b = al a, each around one k-th of it:
    R = sqrt(a^2/4 + b^2/(4 k^2)),   eps(k) = R - min(a/2, b/(2 k))             Eqs. (3.3)-(3.11)

    eps  largest distance by which a sphere leaves the cylinder [m]
For al between f and f + 1 the better of k = f and k = f + 1 is taken; they change at the critical ratio
sqrt(1/4 + (al/2f)^2) - 1/2 = sqrt(1/4 + (al/(2f+2))^2) - al/(2f+2), at f + 0.204, 0.240, 0.255...
A flat bullet (wider than long) is cut across instead, in square cells about as wide as it is thick, each cell
clipped to the disc.
Frame: bullet axes from its centre, z along the cylinder.
Validity: outer: the spheres enclose the cylinder, so contact comes early by up to eps.
Source: [Salvi2014] section 3.4.4; the layout of flat bullets is ours.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]
MOST_SPHERES = 10_000  # [-], assumed; a bullet longer than this many widths is a thread


def sphere_excess(aspect: float, count: int) -> float:
    """eps / a [-] of `count` spheres along a cylinder of aspect al = b/a >= 1."""
    half = 0.5 * aspect / count
    return math.sqrt(0.25 + half * half) - min(0.5, half)


def sphere_count(aspect: float) -> int:
    """Number of spheres with the least excess for aspect al >= 1: floor(al) or one more."""
    fewer = max(1, math.floor(aspect))
    return fewer if sphere_excess(aspect, fewer) <= sphere_excess(aspect, fewer + 1) else fewer + 1


def critical_aspect(count: int) -> float:
    """Aspect [-] at which `count` spheres and one more are equally good, by bisection."""
    low, high = float(count), float(count + 1)
    for _ in range(60):
        middle = 0.5 * (low + high)
        if sphere_excess(middle, count) <= sphere_excess(middle, count + 1):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def bullet_spheres(radius: float, height: float) -> tuple[Floats, Floats]:
    """(centres [m], (k, 3), radii [m], (k,)) of the spheres that stand for a cylinder."""
    for name, value in (("radius", radius), ("height", height)):
        if not (math.isfinite(value) and value > 0.0):
            found, hint = f"{name} = {value}", f"give {name} in metres"
            raise GeometryError("bullet", found, "a finite number above zero", hint)
    width = 2.0 * radius
    aspect = max(height / width, width / height)
    count = sphere_count(aspect) if aspect < MOST_SPHERES else MOST_SPHERES
    if (count if height >= width else count * count) >= MOST_SPHERES:
        found = f"radius {radius:g} m and height {height:g} m"
        raise GeometryError(
            "bullet", found, f"fewer than {MOST_SPHERES} spheres", "stouter bullets"
        )
    if height >= width:
        share = (np.arange(count) + 0.5) / count - 0.5
        centres = np.column_stack([np.zeros((count, 2)), height * share])
        return centres, np.full(count, math.hypot(radius, 0.5 * height / count))
    return _disc(radius, height, count)


def _disc(radius: float, height: float, cells: int) -> tuple[Floats, Floats]:
    """Spheres around the square cells of a disc, each clipped to the disc."""
    edge = np.linspace(-radius, radius, cells + 1)
    x0, y0 = (grid.reshape(-1) for grid in np.meshgrid(edge[:-1], edge[:-1], indexing="ij"))
    x1, y1 = (grid.reshape(-1) for grid in np.meshgrid(edge[1:], edge[1:], indexing="ij"))
    near_x = np.where(x0 * x1 < 0.0, 0.0, np.minimum(np.abs(x0), np.abs(x1)))
    near_y = np.where(y0 * y1 < 0.0, 0.0, np.minimum(np.abs(y0), np.abs(y1)))
    kept = np.hypot(near_x, near_y) < radius * (1.0 - 1e-12)
    x0, x1, y0, y1 = x0[kept], x1[kept], y0[kept], y1[kept]
    reach_x = np.sqrt(radius**2 - near_y[kept] ** 2)
    reach_y = np.sqrt(radius**2 - near_x[kept] ** 2)
    x0, x1 = np.maximum(x0, -reach_x), np.minimum(x1, reach_x)
    y0, y1 = np.maximum(y0, -reach_y), np.minimum(y1, reach_y)
    centres = np.column_stack([0.5 * (x0 + x1), 0.5 * (y0 + y1), np.zeros(len(x0))])
    radii = np.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2 + height**2) / 2.0
    return centres, radii


def bullet_moments(mass: float, radius: float, height: float) -> Floats:
    """Moments of a cylinder [kg m^2], (3,): across, across, along its axis.  Eqs. (2.36), (2.37)."""
    across = mass * (3.0 * radius**2 + height**2) / 12.0
    return np.array([across, across, 0.5 * mass * radius**2])
