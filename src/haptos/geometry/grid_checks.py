"""Does a distance grid resolve its body? Volume inside by its nodes, beside that of the mesh."""

from __future__ import annotations

import numpy as np

from haptos.core.errors import GeometryError
from haptos.geometry.distance_grid import Grid

LEAST_SHARE, MOST_SHARE = (
    0.5,
    2.0,
)  # [-] of the mesh's volume that nodes may show as inside, assumed
ROWS_AT_ONCE = 4096  # blocks counted together, 24 MB


def grid_volume(grid: Grid) -> float:
    """Volume [m^3] of the cells whose low corner is inside; right to a few per cent for bodies of some cells."""
    cells, starts = grid.table[:, 1], grid.table[:, 0]
    total = 0.0
    for count in np.unique(cells).tolist():
        side, first = count + 1, starts[cells == count].astype(np.int64)
        for low in range(0, len(first), ROWS_AT_ONCE):
            rows = first[low : low + ROWS_AT_ONCE, None] + np.arange(side**3)
            inside = grid.values[rows].reshape(-1, side, side, side)[:, :-1, :-1, :-1] < 0.0
            total += float(inside.sum()) * (grid.block / count) ** 3
    return total


def require_resolved(grid: Grid, volume: float, extent: float, where: str) -> None:
    """Refuse a grid that shows less than half of a body, or more than twice of it: probes fall through such ground.

    volume  [m^3] of the mesh      extent  [m] shortest side of the box around it
    """
    share = grid_volume(grid) / volume
    if LEAST_SHARE <= share <= MOST_SHARE:
        return
    raise GeometryError(
        where,
        f"a grid spacing of {grid.spacing:.4g} m that shows {share:.0%} of the body's volume",
        f"a spacing that resolves it: half of its thinnest part or less; its box is {extent:.4g} m thin",
        f"grid_spacing_m = {0.25 * min(extent, 2.0 * grid.spacing):.3g}",
    )
