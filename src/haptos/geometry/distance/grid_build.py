"""Filling a distance grid from a closed mesh: fine where the surface is, coarse elsewhere."""

from __future__ import annotations

import math
import os
from collections import namedtuple
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import device, entry
from haptos.geometry.distance.distance_grid import BLOCK_CELLS, HALF_DIAGONAL, Grid, grid_of
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distance, solid_mesh
from haptos.geometry.mesh.facet_measures import facet_areas
from haptos.geometry.mesh.triangle_tree import STACK

Floats = NDArray[np.float64]
Progress = Callable[[float], None]

BAND = 2.0  # [spacings], finest nodes wherever the surface is nearer; assumed, deeper than contact
ERROR = 0.005  # [-], of the distance, at finest nodes that are interpolated from farther ones
CHECKED_SHARE = (
    1.0 / 3.0
)  # [-], of ERROR where only nodes halfway are looked at; 1/2 lets 0.52 % pass
CHUNK = 64  # [blocks] per task; searches start anew in each, so bits do not depend on threads
NODES = BLOCK_CELLS + 1
MOST_VALUES = 2**30  # [-], 8 GB
MOST_BLOCKS = 2**27  # [-], 1 GB of table
FINE_BLOCKS = 2.2  # [-], fine blocks per face of a block that the surface covers; found on bodies

# origin, counts, block as in Grid; reach [m]: a block whose centre is nearer is a fine one
GridLayout = namedtuple("GridLayout", "origin counts block reach")


def build_grid(
    vertices: ArrayLike,
    faces: ArrayLike,
    spacing: float,
    margin: float | None = None,
    *,
    where: str = "distance grid",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Grid:
    """Distance grid of the solid inside a closed mesh.

    vertices  [m], shape (n, 3)           faces   corner indices, shape (m, 3), outward
    spacing   [m], of the finest nodes    margin  [m], between mesh and box; 8 spacings if not given
    workers   threads, all cores if not given; the bits of the grid do not depend on it
    progress  called with the fraction done
    Refused with GeometryError: meshes that are not one closed surface, grids above 8 GB.
    """
    mesh = solid_mesh(vertices, faces, where)
    points = np.asarray(vertices, dtype=float)
    layout = _layout(where, points, spacing, BLOCK_CELLS * spacing if margin is None else margin)
    _require_size(where, points, np.asarray(faces), spacing, layout)
    cells, values, steepest = _filled(mesh, layout, workers or os.cpu_count() or 1, progress)
    ends = np.cumsum((cells.astype(np.int64) + 1) ** 3)
    if ends[-1] > MOST_VALUES:
        raise _too_large(where, spacing, int(ends[-1]))
    table = np.stack([np.concatenate([[0], ends[:-1]]), cells], axis=1)
    return grid_of(layout.origin, layout.counts, spacing, BAND * spacing, steepest, table, values)


def _filled(
    mesh: Mesh, layout: GridLayout, workers: int, progress: Progress | None
) -> tuple[NDArray[np.int32], Floats, float]:
    """(cells of every block, values, steepest slope); threads take chunks, order is kept."""
    total = math.prod(layout.counts)
    starts = range(0, total, CHUNK)
    fill_blocks(mesh, layout, 0, 0)  # compiled before threads exist
    parts = []
    with ThreadPoolExecutor(workers) as pool:
        tasks = [
            pool.submit(fill_blocks, mesh, layout, start, min(start + CHUNK, total))
            for start in starts
        ]
        try:
            for task in tasks:
                parts.append(task.result())
                if progress is not None:
                    progress(len(parts) / len(tasks))
        except BaseException:  # an interrupt, or a progress display that fails
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    cells = np.concatenate([part[0] for part in parts])
    values = np.concatenate([part[1] for part in parts])
    return cells, values, max(part[2] for part in parts)


def _layout(where: str, points: Floats, spacing: float, margin: float) -> GridLayout:
    for name, value, least in (("spacing", spacing, 0.0), ("margin", margin, -1e-300)):
        if not (math.isfinite(value) and value > least):
            raise GeometryError(
                where, f"{name} = {value}", "a finite length above zero", "give it in metres"
            )
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    block = BLOCK_CELLS * float(spacing)
    wanted = np.maximum(np.ceil((high - low) / block), 1.0)
    if float(np.prod(wanted)) > MOST_BLOCKS:
        raise _too_large(where, spacing, int(8 * np.prod(wanted)))
    origin = 0.5 * (low + high) - 0.5 * block * wanted
    reach = HALF_DIAGONAL * block + BAND * float(spacing)
    return GridLayout(tuple(origin.tolist()), tuple(int(n) for n in wanted), block, reach)


def _require_size(
    where: str, points: Floats, faces: NDArray[np.int64], spacing: float, layout: GridLayout
) -> None:
    """Refuse before hours of work what will not fit; from the area of the surface."""
    expected = FINE_BLOCKS * float(facet_areas(points, faces).sum()) / layout.block**2 * NODES**3
    if expected > MOST_VALUES:
        raise _too_large(where, spacing, int(expected))


def spacing_of_size(vertices: ArrayLike, faces: ArrayLike, values: float) -> float:
    """Spacing [m] of a grid that has about that many values, most of them at the surface."""
    area = float(facet_areas(vertices, faces).sum())
    return math.sqrt(FINE_BLOCKS * area * NODES**3 / values) / BLOCK_CELLS


def _too_large(where: str, spacing: float, values: int) -> GeometryError:
    factor = math.ceil(10.0 * math.sqrt(values / MOST_VALUES)) / 10.0
    return GeometryError(
        where,
        f"a grid of about {8e-9 * values:.0f} GB",
        f"up to {8e-9 * MOST_VALUES:.0f} GB",
        f"a spacing of {spacing * factor:.3g} m or more",
    )


@entry
def fill_blocks(mesh, layout, begin, end):
    """(cells, values, steepest slope) of the blocks begin ... end - 1, in the order of the table."""
    stack = np.empty((STACK, 2))
    nodes = np.empty((NODES, NODES, NODES))
    cells = np.empty(end - begin, dtype=np.int32)
    values = np.empty((end - begin) * NODES**3)
    used, row, steepest = 0, 0, 0.0
    for index in range(begin, end):
        k = index % layout.counts[2]
        j = index // layout.counts[2] % layout.counts[1]
        i = index // (layout.counts[2] * layout.counts[1])
        o, b = layout.origin, layout.block
        corner = (o[0] + i * b, o[1] + j * b, o[2] + k * b)
        step, row = sample_block(mesh, layout, corner, row, stack, nodes)
        cells[index - begin] = BLOCK_CELLS // step
        steepest = max(steepest, steepest_slope(nodes, step, b / BLOCK_CELLS))
        for p in range(0, NODES, step):
            for q in range(0, NODES, step):
                for r in range(0, NODES, step):
                    values[used] = nodes[p, q, r]
                    used += 1
    return cells, values[:used].copy(), steepest


@device
def sample_block(mesh, layout, corner, row, stack, nodes):
    """(step, row): fill `nodes` at every step-th node of a block, step as large as allowed.

    Near the surface step is 1. Elsewhere it is the largest of 8, 4, 2 whose interpolation meets
    the nodes of half the step. row is the triangle the next search starts from.
    """
    nodes[:] = np.nan
    half = BLOCK_CELLS // 2
    row = sample(mesh, layout, corner, half, half, half, row, stack, nodes)
    step = 1 if abs(nodes[half, half, half]) <= layout.reach else half
    for _ in range(3):
        for p in range(0, NODES, step):
            for q in range(0, NODES, step):
                for r in range(0, NODES, step):
                    row = sample(mesh, layout, corner, p, q, r, row, stack, nodes)
        if abs(nodes[half, half, half]) > layout.reach and finer_nodes_agree(2 * step, nodes):
            return 2 * step, row
        if step == 1:
            break
        step //= 2
    return step, row


@device
def finer_nodes_agree(step, nodes):
    """Whether nodes halfway between those of a step are met by interpolation, well enough.

    One kink between nodes is seen halfway with at least half of its largest error, several with
    a little less. Nodes one spacing apart are all there are: they are held to the promise itself.
    """
    half = step // 2
    allowed = ERROR if half == 1 else CHECKED_SHARE * ERROR
    for p in range(0, NODES, half):
        p0, p1 = p - p % step, p + p % step
        for q in range(0, NODES, half):
            q0, q1 = q - q % step, q + q % step
            for r in range(0, NODES, half):
                r0, r1 = r - r % step, r + r % step
                mean = 0.125 * (
                    (nodes[p0, q0, r0] + nodes[p0, q0, r1])
                    + (nodes[p0, q1, r0] + nodes[p0, q1, r1])
                    + (nodes[p1, q0, r0] + nodes[p1, q0, r1])
                    + (nodes[p1, q1, r0] + nodes[p1, q1, r1])
                )
                exact = nodes[p, q, r]
                if not abs(mean - exact) <= allowed * abs(exact):
                    return False
    return True


@device
def sample(mesh, layout, corner, p, q, r, row, stack, nodes):
    """Exact distance at one node of a block, unless it is known; the row of its triangle."""
    if not math.isnan(nodes[p, q, r]):
        return row
    h = layout.block / BLOCK_CELLS
    x = (corner[0] + p * h, corner[1] + q * h, corner[2] + r * h)
    gap, _, row = mesh_distance(mesh, x, row, stack)
    nodes[p, q, r] = gap
    return row


@device
def steepest_slope(nodes, step, spacing):
    """Bound of |grad d| of the interpolated gap in a block: over cells, the largest norm of the
    largest slopes along x, y and z on the edges of the cell."""
    worst = 0.0
    for p in range(0, BLOCK_CELLS, step):
        for q in range(0, BLOCK_CELLS, step):
            for r in range(0, BLOCK_CELLS, step):
                x = y = z = 0.0
                for s in range(0, step + 1, step):
                    for t in range(0, step + 1, step):
                        x = max(x, abs(nodes[p + step, q + s, r + t] - nodes[p, q + s, r + t]))
                        y = max(y, abs(nodes[p + s, q + step, r + t] - nodes[p + s, q, r + t]))
                        z = max(z, abs(nodes[p + s, q + t, r + step] - nodes[p + s, q + t, r]))
                worst = max(worst, x * x + y * y + z * z)
    return math.sqrt(worst) / (step * spacing)
