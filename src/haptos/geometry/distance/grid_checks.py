"""Does a distance grid show its body? Points inside thin parts, and in thin gaps, by the grid and by the mesh."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import entry
from haptos.geometry.distance.distance_grid import Grid, grid_gap
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distances
from haptos.geometry.distance.thin_parts import (
    CELLS,
    INWARDS,
    OUTWARDS,
    Samples,
    crowded,
    surface_samples,
    thicknesses,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LONGEST = 4.0  # [spacings] thicker parts are resolved by any grid
LEAST_CELLS = 2.0  # spacings along the shortest side of a body
LEAST_SHARE = 0.25  # [-] of the true depth, or gap, that the grid has to show halfway, assumed
CENTRED = 0.25  # [thicknesses] least true distance halfway: others lie beside an edge


@entry
def fill_grid_gaps(grid, points, gaps):
    """Gaps [m] of points (n, 3) by the grid."""
    for i in range(len(points)):
        gaps[i] = grid_gap(grid, (points[i, 0], points[i, 1], points[i, 2]))


def unresolved(mesh: Mesh, grid: Grid, samples: Samples, side: float) -> tuple[Integers, Floats]:
    """(samples in parts that the grid misses, thickness [m] of all) inwards, or of gaps outwards.

    Halfway along each ray through a thin part the grid must have the sign of the true distance and a
    quarter of its size.
    """
    thick = thicknesses(mesh.tree, samples, side, LONGEST * grid.spacing)
    thin = np.flatnonzero(np.isfinite(thick))
    middles = samples.points[thin] + (0.5 * side * thick[thin])[:, None] * samples.normals[thin]
    shown = np.empty(len(thin))
    fill_grid_gaps(grid, np.ascontiguousarray(middles), shown)
    true = side * mesh_distances(mesh, middles)[0]
    is_missed = (true >= CENTRED * thick[thin]) & (side * shown < LEAST_SHARE * true)
    missed = np.zeros(len(thick), dtype=bool)
    missed[thin[is_missed]] = True
    return crowded(samples, missed, grid.spacing), thick


def require_resolved(
    vertices: Floats, faces: Integers, mesh: Mesh, grid: Grid, where: str, key: str
) -> None:
    """Refuse a grid that misses parts of its body or fills gaps in it: probes fall through such ground.

    key  of the spacing, for the advice
    """
    extent = float(np.ptp(vertices, axis=0).min())
    if extent < LEAST_CELLS * grid.spacing:
        raise GeometryError(
            where,
            f"a spacing of {grid.spacing:.4g} m for a body {extent:.4g} m thin",
            f"up to {extent / LEAST_CELLS:.4g} m",
            f"{key} = {_rounded_down(extent / 8.0):g}",
        )
    samples = surface_samples(vertices, faces, grid.spacing)
    for side, what in ((INWARDS, "misses parts of the body"), (OUTWARDS, "fills gaps in the body")):
        own, thick = unresolved(mesh, grid, samples, side)
        if len(own) == 0:
            continue
        x, y, z = samples.points[own[len(own) // 2]].tolist()
        middle = float(np.median(thick[own]))
        raise GeometryError(
            where,
            f"a spacing of {grid.spacing:.4g} m that {what} {middle:.3g} m thin, as at ({x:.4g}, {y:.4g}, {z:.4g}) m",
            "a grid that shows the body: a spacing of half of its thinnest part or less",
            f"{key} = {_rounded_down(middle / CELLS):g}",
        )


def _rounded_down(length: float) -> float:
    """A length with two digits, not longer."""
    unit = 10.0 ** (math.floor(math.log10(length)) - 1)
    return float(f"{math.floor(length / unit) * unit:.2g}")
