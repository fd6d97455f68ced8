"""How rough the surface of a mesh is, around each facet.

Over the facets whose centres lie within a radius of the facet's own centre and whose normals are
within 120 deg of its own (the far wall of a thin neck is another surface):

    angle   sqrt(sum A_j theta_j^2 / sum A_j), theta_j between n_j and the area-weighted mean normal
    height  sqrt(sum A_j h_j^2 / sum A_j), h_j of the centre above the area-weighted best plane

    A_j [m^2] area, n_j outward unit normal of facet j
Both vanish on a plane; on a sphere of radius R much larger than the neighbourhood's radius a they
are a/(R sqrt 2) and a^2/(R sqrt 48). They depend on the radius and on the resolution of the mesh:
compare only maps of the same radius.
Validity: facets smaller than the radius; below FEWEST facets the answer is NaN.
Source: elementary, defined here.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import entry
from haptos.geometry.mesh.facet_measures import facet_areas, facet_centres
from haptos.geometry.mesh.tessellation import face_normals

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SAME_SIDE = -0.5  # [-] cosine of normals, assumed: beyond 120 deg a facet is of the far wall
FEWEST = 4  # facets of a neighbourhood; three centres lie in a plane
MOST_CELLS = 4_000_000  # of the grid that finds neighbours
TASK = 2000  # facets
SUMS = 8  # mean squared angle, six of the scatter of centres, count


def roughness(vertices: ArrayLike, faces: ArrayLike, radius: float) -> tuple[Floats, Floats]:
    """(angle [rad], height [m]) of every facet's neighbourhood, each of shape (m,).

    vertices  [m], shape (n, 3)           faces  corner indices, shape (m, 3), outward
    radius    [m] of the neighbourhood, about three mean sides or more
    """
    if not (math.isfinite(radius) and radius > 0.0):
        found, hint = f"a radius of {radius} m", "three mean facet sides"
        raise GeometryError("roughness", found, "> 0, finite", hint)
    points, corners = np.asarray(vertices, dtype=float), np.asarray(faces)
    centres = facet_centres(points, corners)
    order, starts, counts, cell = _cells(centres, radius)
    # Facets of one cell lie side by side in memory.
    rows = np.column_stack([centres, face_normals(points, corners), facet_areas(points, corners)])[
        order
    ]
    low = centres.min(axis=0)
    found_sums = np.empty((len(rows), SUMS))

    def fill(begin: int) -> None:
        end = min(begin + TASK, len(rows))
        fill_neighbourhoods(rows, starts, counts, low, cell, radius, begin, end, found_sums)

    fill_neighbourhoods(rows, starts, counts, low, cell, radius, 0, 0, found_sums)  # compile
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(fill, range(0, len(rows), TASK)))
    sums = np.empty_like(found_sums)
    sums[order] = found_sums
    scatter = sums[:, [1, 2, 3, 2, 4, 5, 3, 5, 6]].reshape(-1, 3, 3)
    height = np.sqrt(np.maximum(np.linalg.eigvalsh(scatter)[:, 0], 0.0))
    few = sums[:, 7] < FEWEST
    return np.where(few, np.nan, np.sqrt(sums[:, 0])), np.where(few, np.nan, height)


def _cells(centres: Floats, radius: float) -> tuple[Integers, Integers, Integers, float]:
    """(order of the facets by cell, first of each cell, cells along x y z, side of a cell [m])."""
    low, span = centres.min(axis=0), np.ptp(centres, axis=0)
    cell = max(radius, float(np.cbrt(np.prod(span + radius) / MOST_CELLS)))
    counts = (span / cell).astype(np.int64) + 1
    place = np.minimum(((centres - low) / cell).astype(np.int64), counts - 1)
    number = (place[:, 0] * counts[1] + place[:, 1]) * counts[2] + place[:, 2]
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(np.prod(counts) + 1))
    return order, starts, counts, cell


@entry
def fill_neighbourhoods(rows, starts, counts, low, cell, radius, begin, end, out):
    """Sums over the neighbourhoods of the facets begin ... end - 1, in the order of their cells."""
    for f in range(begin, end):
        x, y, z = rows[f, 0], rows[f, 1], rows[f, 2]
        i = min(int((x - low[0]) / cell), counts[0] - 1)
        j = min(int((y - low[1]) / cell), counts[1] - 1)
        k = min(int((z - low[2]) / cell), counts[2] - 1)
        weight, nx, ny, nz, mx, my, mz, found = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        theta, xx, xy, xz, yy, yz, zz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for sweep in range(2):  # first the means, then the spread about them
            for a in range(max(i - 1, 0), min(i + 2, counts[0])):
                for b in range(max(j - 1, 0), min(j + 2, counts[1])):
                    column = (a * counts[1] + b) * counts[2]
                    first = starts[column + max(k - 1, 0)]
                    last = starts[column + min(k + 2, counts[2])]
                    for g in range(first, last):
                        dx, dy, dz = rows[g, 0] - x, rows[g, 1] - y, rows[g, 2] - z
                        if dx * dx + dy * dy + dz * dz > radius * radius:
                            continue
                        px, py, pz, area = rows[g, 3], rows[g, 4], rows[g, 5], rows[g, 6]
                        if rows[f, 3] * px + rows[f, 4] * py + rows[f, 5] * pz <= SAME_SIDE:
                            continue
                        if sweep == 0:
                            weight, found = weight + area, found + 1.0
                            nx, ny, nz = nx + area * px, ny + area * py, nz + area * pz
                            mx, my, mz = mx + area * dx, my + area * dy, mz + area * dz
                        else:
                            cx, cy, cz = py * nz - pz * ny, pz * nx - px * nz, px * ny - py * nx
                            sine = math.sqrt(cx * cx + cy * cy + cz * cz)
                            angle = math.atan2(sine, px * nx + py * ny + pz * nz)
                            theta += area * angle * angle
                            dx, dy, dz = dx - mx, dy - my, dz - mz
                            xx, xy, xz = (
                                xx + area * dx * dx,
                                xy + area * dx * dy,
                                xz + area * dx * dz,
                            )
                            yy, yz, zz = (
                                yy + area * dy * dy,
                                yz + area * dy * dz,
                                zz + area * dz * dz,
                            )
            if sweep == 0:
                mx, my, mz = mx / weight, my / weight, mz / weight
        spread = (theta, xx, xy, xz, yy, yz, zz)
        for column in range(SUMS - 1):
            out[f, column] = spread[column] / weight
        out[f, SUMS - 1] = found
