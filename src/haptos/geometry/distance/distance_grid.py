"""Distance to a surface tabulated on a grid: value, normal, derivatives and foot of a point.

Space is cut into cubic blocks of eight spacings. A block near the surface holds exact distances
at its 9 x 9 x 9 nodes; a block far from it holds as few nodes as its accuracy allows, down to its
eight corners. Between nodes the distance is interpolated in each axis (trilinear), so a look-up
costs the same at every resolution.
"""

from __future__ import annotations

import functools
import math
from collections import namedtuple

import numpy as np

from haptos.core.jit import device, routine
from haptos.core.vectors import add_scaled, norm, subtract

CITES: tuple[str, ...] = ("VanWal2018",)

BLOCK_CELLS = 8  # [-], spacings along an edge of a block
HALF_DIAGONAL = 0.5 * math.sqrt(3.0)  # [-], of a cube with edge 1
ON_NODES = 1e-10  # [cells] a point nearer to a plane of nodes than this lies on it; rolling balls see one side or the other
FOOT_STEPS = 32  # [-], bound of the projection on the surface; 3 to 5 where the field is smooth

# origin    low corner of the box [m], 3-tuple      counts   blocks along x, y, z, 3-tuple
# block     edge of a block [m]                     spacing  of the finest nodes [m]
# band      [m], wherever |gap| is below it the finest nodes are used
# lipschitz [-], bound of the slope of the interpolated gap inside every block, at most sqrt(3)
# table     (blocks, 2) int32: first of the block's values, cells along its edge (1, 2, 4 or 8)
# values    gaps at the nodes [m]; of one block (cells + 1)^3 values, z fastest
# Both arrays are read-only: kernels are compiled for such arrays.
Grid = namedtuple("Grid", "origin counts block spacing band lipschitz table values")


def grid_of(
    origin: tuple[float, float, float],
    counts: tuple[int, int, int],
    spacing: float,
    band: float,
    lipschitz: float,
    table: np.ndarray,
    values: np.ndarray,
) -> Grid:
    """Grid with its numbers and arrays in the types that kernels are compiled for."""
    x, y, z = (float(value) for value in origin)
    i, j, k = (int(count) for count in counts)
    cells = np.ascontiguousarray(table, dtype=np.int32)
    gaps = np.ascontiguousarray(values, dtype=np.float64)
    for array in (cells, gaps):
        array.setflags(write=False)
    block = BLOCK_CELLS * float(spacing)
    return Grid(
        (x, y, z), (i, j, k), block, float(spacing), float(band), float(lipschitz), cells, gaps
    )


@functools.cache
def no_grid() -> Grid:
    """A grid of one empty block: what a kernel gets when its surface is not a grid."""
    table = np.array([[0, 1]])
    return grid_of((0.0, 0.0, 0.0), (1, 1, 1), 1.0, 0.0, 1.0, table, np.ones(8))


@device
def _excess(x, low, high):
    """How far a coordinate is beyond a range, with sign; 0 inside, NaN for NaN."""
    if x < low:
        return x - low
    if x > high:
        return x - high
    return x - x


@device
def box_excess(grid, x):
    """Vector [m] from the closest point of the grid's box to x; zero inside."""
    o, n, b = grid.origin, grid.counts, grid.block
    return (
        _excess(x[0], o[0], o[0] + n[0] * b),
        _excess(x[1], o[1], o[1] + n[1] * b),
        _excess(x[2], o[2], o[2] + n[2] * b),
    )


@device
def is_in_box(grid, x):
    """Whether the point x [m] lies in the box of the grid."""
    b = box_excess(grid, x)
    return b[0] == 0.0 and b[1] == 0.0 and b[2] == 0.0


@device
def _part(t, count):
    """(index, fraction) of the interval that holds t, of `count` unit intervals from 0."""
    if not t > 0.0:  # also for NaN
        return 0, 0.0
    index = min(int(t), count - 1) if t < count else count - 1
    return index, min(t - index, 1.0)


@device
def cell_of(grid, x):
    """(first, cells, h, fraction) of the cell that holds a point of the box.

    first     index of the value at the low corner of the cell
    cells     cells along the edge of the block, so the strides are (cells + 1)^2, cells + 1, 1
    h         edge of the cell [m]         fraction  place of x in the cell, 3-tuple in [0, 1]
    """
    o, n, b = grid.origin, grid.counts, grid.block
    i, u = _part((x[0] - o[0]) / b, n[0])
    j, v = _part((x[1] - o[1]) / b, n[1])
    k, w = _part((x[2] - o[2]) / b, n[2])
    row = (i * n[1] + j) * n[2] + k
    start, cells = grid.table[row, 0], grid.table[row, 1]
    i, u = _part(u * cells, cells)
    j, v = _part(v * cells, cells)
    k, w = _part(w * cells, cells)
    side = cells + 1
    return start + (i * side + j) * side + k, cells, b / cells, (u, v, w)


@device
def coefficients(values, first, cells):
    """k0 ... k7 of d = k0 + k1 x + k2 y + k3 z + k4 xy + k5 yz + k6 xz + k7 xyz in a cell.

    Source: [VanWal2018] Eqs. (2.17), (2.18).
    """
    dy, dx = cells + 1, (cells + 1) * (cells + 1)
    d000, d001 = values[first], values[first + 1]
    d010, d011 = values[first + dy], values[first + dy + 1]
    d100, d101 = values[first + dx], values[first + dx + 1]
    d110, d111 = values[first + dx + dy], values[first + dx + dy + 1]
    k1, k2, k3 = d100 - d000, d010 - d000, d001 - d000  # Eq. (2.18)
    k4 = (d110 - d010) - k1
    k5 = (d011 - d001) - k2
    k6 = (d101 - d001) - k1
    k7 = (d111 - d011) - (d101 - d001) - k4
    return d000, k1, k2, k3, k4, k5, k6, k7


@device
def _value(k, u):
    """Eq. (2.17), with fewer products."""
    along_z = k[3] + k[5] * u[1] + (k[6] + k[7] * u[1]) * u[0]
    return k[0] + k[2] * u[1] + (k[1] + k[4] * u[1]) * u[0] + along_z * u[2]


@device
def _gradient(k, u, h):
    """Eq. (2.19)."""
    return (
        (k[1] + k[4] * u[1] + (k[6] + k[7] * u[1]) * u[2]) / h,
        (k[2] + k[4] * u[0] + (k[5] + k[7] * u[0]) * u[2]) / h,
        (k[3] + k[6] * u[0] + (k[5] + k[7] * u[0]) * u[1]) / h,
    )


@device
def is_on_nodes(u):
    """Whether a place in a cell lies on one of the planes of nodes that bound it."""
    low, high = min(u[0], u[1], u[2]), max(u[0], u[1], u[2])
    return low < ON_NODES or high > 1.0 - ON_NODES


@device
def _slope_beyond(grid, x, axis, u, h, slope):
    """Slope along an axis, and where x lies on a plane of nodes across that axis the mean of both sides."""
    if not (u < ON_NODES or u > 1.0 - ON_NODES):
        return slope
    way = -0.5 * h if u < ON_NODES else 0.5 * h
    beyond = (
        x[0] + (way if axis == 0 else 0.0),
        x[1] + (way if axis == 1 else 0.0),
        x[2] + (way if axis == 2 else 0.0),
    )
    if not is_in_box(grid, beyond):
        return slope
    first, cells, other_h, v = cell_of(grid, beyond)
    return 0.5 * (slope + _gradient(coefficients(grid.values, first, cells), v, other_h)[axis])


@routine
def central_gradient(grid, x, u, h, gradient):
    """The gradient of a cell [-], but for x on a plane of nodes: there the mean of both sides.

    The slope along an axis is the same all the way through a cell, and jumps at its ends. On a plane or axis of
    symmetry of the body that lies on nodes the slope of one side alone would point away from it.
    """
    return (
        _slope_beyond(grid, x, 0, u[0], h, gradient[0]),
        _slope_beyond(grid, x, 1, u[1], h, gradient[1]),
        _slope_beyond(grid, x, 2, u[2], h, gradient[2]),
    )


@device
def _unit(a):
    length = norm(a)
    if length == 0.0:
        return 0.0, 0.0, 1.0
    return a[0] / length, a[1] / length, a[2] / length


@device
def grid_distance(grid, x):
    """(gap [m], unit normal) of a point from the surface of a grid.

    gap = d(x) interpolated, normal = grad d / |grad d|, on planes of nodes of the mean of both sides. Beyond the box, with p its closest point
    and b = x - p: gap = sqrt(|b|^2 + d(p)^2), which is never above the true distance and at most
    sqrt(2) below it, and the normal points away from the foot of p.

    x     point [m], 3-tuple           grid  Grid
    Frame: that of the grid. Sign: gap > 0 outside.
    Validity: exact at nodes in the band; between nodes of a cell with edge h the error is below
    sqrt(3)/2 h everywhere and about h^2 / (4 r) where the surface has radius r. Continuous in the
    band; between blocks of different cells farther out it jumps by less than 1 % of the gap.
    Source: [VanWal2018] Eqs. (2.17) to (2.21); beyond the box, the projection on a convex set.
    """
    b = box_excess(grid, x)
    p = subtract(x, b)
    first, cells, h, u = cell_of(grid, p)
    k = coefficients(grid.values, first, cells)
    gap = _value(k, u)
    gradient = _gradient(k, u, h)
    if is_on_nodes(u):
        gradient = central_gradient(grid, p, u, h, gradient)
    normal = _unit(gradient)  # Eq. (2.21)
    if b[0] == 0.0 and b[1] == 0.0 and b[2] == 0.0:
        return gap, normal
    foot = add_scaled(p, -gap, normal)
    return norm((norm(b), gap, 0.0)), _unit(subtract(x, foot))


@device
def grid_gap(grid, x):
    """The gap [m] of `grid_distance` alone."""
    b = box_excess(grid, x)
    first, cells, _, u = cell_of(grid, subtract(x, b))
    gap = _value(coefficients(grid.values, first, cells), u)
    if b[0] == 0.0 and b[1] == 0.0 and b[2] == 0.0:
        return gap
    return norm((norm(b), gap, 0.0))


@device
def grid_field(grid, x):
    """(gap [m], gradient [-], Hessian [1/m]) of the interpolated gap at a point of the box.

    The Hessian is symmetric, as six numbers (xx, xy, xz, yy, yz, zz); its diagonal is zero.
    Validity: the exact derivatives of the interpolated gap inside a cell; the gradient is not
    quite a unit vector, and jumps between cells; on the planes between them it is the mean of both sides.
    Beyond the box: of its closest point.
    Source: [VanWal2018] Eqs. (2.17) to (2.20).
    """
    p = subtract(x, box_excess(grid, x))
    first, cells, h, u = cell_of(grid, p)
    k = coefficients(grid.values, first, cells)
    gradient, s = _gradient(k, u, h), h * h
    if is_on_nodes(u):
        gradient = central_gradient(grid, p, u, h, gradient)
    hessian = (
        0.0, (k[4] + k[7] * u[2]) / s, (k[6] + k[7] * u[1]) / s,
        0.0, (k[5] + k[7] * u[0]) / s, 0.0,
    )  # Eq. (2.20)  # fmt: skip
    return _value(k, u), gradient, hessian


@device
def grid_gap_bound(grid, x):
    """Radius [m] of a ball about x without a zero of the interpolated gap, nor of the true one.

    In a cell with edge h: d(x) - sqrt(3)/2 (h + spacing); beyond the box sqrt(|b|^2 + bound(p)^2).
    Negative numbers promise nothing. A search that steps by it never passes the surface.
    Validity: strict, from |d(x) - d(y)| <= |x - y| of true distances; in blocks of fewer cells the
    gap has one sign. Symbols and frame as in `grid_distance`.
    """
    b = box_excess(grid, x)
    first, cells, h, u = cell_of(grid, subtract(x, b))
    gap = _value(coefficients(grid.values, first, cells), u)
    bound = gap - HALF_DIAGONAL * (h + grid.spacing)
    if b[0] == 0.0 and b[1] == 0.0 and b[2] == 0.0:
        return bound
    return norm((norm(b), max(bound, 0.0), 0.0))


@device
def grid_foot(grid, x, tolerance):
    """(foot [m], gap there [m], unit normal there): x moved to the surface along the normals.

    c <- c - d(c) N(c) until |d(c)| <= tolerance [m], at most 32 times: one step does not arrive,
    since interpolation bends the field. Frame as in `grid_distance`.
    Validity: near the surface. At a kink that the grid does not resolve the steps may not arrive;
    the gap tells. Source: [VanWal2018] Eq. (2.13).
    """
    foot = x
    gap, normal = grid_distance(grid, foot)
    for _ in range(FOOT_STEPS):
        if not abs(gap) > tolerance:
            break
        foot = add_scaled(foot, -gap, normal)  # Eq. (2.13)
        gap, normal = grid_distance(grid, foot)
    return foot, gap, normal
