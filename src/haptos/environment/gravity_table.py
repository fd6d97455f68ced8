"""Gravity read from a regular grid: what kernels use in place of the sum over all faces."""

from __future__ import annotations

import functools
import math
from collections import namedtuple
from collections.abc import Iterable

import numpy as np

from haptos.core.arena import fields_start, numbers_3, numbers_4
from haptos.core.jit import device, entry, routine
from haptos.core.vectors import add, add_scaled, dot, scale, subtract
from haptos.environment.gravity_multipole import multipole_gravity
from haptos.geometry.land import GRAVITY

CITES: tuple[str, ...] = ("VanWal2018", "Lekien2005")

# values   (nx, ny, nz, 8) at the nodes, each less its central term: U [m^2/s^2], g [m/s^2] (3),
#          the mixed derivatives xy, xz, yz [1/s^2] and xyz [1/(m s^2)] of U
# first    place of node 0, 0, 0 [m], 3-tuple          spacing  between nodes [m]
# centre   centre of mass [m], 3-tuple                 mu       G M [m^3/s^2]
# core     radius within which the central field is that of a ball [m]
# radius   of the body [m], largest distance of a vertex from the centre
# far      (t, 2, 4) multipoles to degree FAR_DEGREE, in SI, for places in radii
GravityTable = namedtuple("GravityTable", "values first spacing centre mu core radius far")

FAR_DEGREE = 6  # [-], of the field outside the box


def table_of(
    values: np.ndarray,
    first: Iterable[float],
    spacing: float,
    centre: Iterable[float],
    mu: float,
    core: float,
    radius: float,
    far: np.ndarray,
) -> GravityTable:
    """Table with its numbers and arrays in the types that kernels are compiled for."""
    held = [np.ascontiguousarray(array, dtype=np.float64) for array in (values, far)]
    for array in held:
        array.setflags(write=False)
    x, y, z = (float(value) for value in first)
    u, v, w = (float(value) for value in centre)
    return GravityTable(
        held[0],
        (x, y, z),
        float(spacing),
        (u, v, w),
        float(mu),
        float(core),
        float(radius),
        held[1],
    )


@functools.cache
def no_table() -> GravityTable:
    """A table without mass, to fill the place of one in kernels that do not read it."""
    first, centre = (-0.5, -0.5, -0.5), (0.0, 0.0, 0.0)
    return table_of(np.zeros((2, 2, 2, 8)), first, 1.0, centre, 0.0, 1.0, 1.0, np.zeros((1, 2, 4)))


def packed_table(table: GravityTable) -> tuple[list[float], list[np.ndarray]]:
    """Fields and arrays of a table, for the arena of a world."""
    fields = [*table.first, table.spacing, *table.centre, table.mu, table.core, table.radius]
    return fields, [table.values, table.far]


@device
def table_in(arena):
    """Gravity table of an arena."""
    n, at = arena.numbers, fields_start(arena, GRAVITY)
    return GravityTable(
        numbers_4(arena, GRAVITY, 0),
        (n[at], n[at + 1], n[at + 2]),
        n[at + 3],
        (n[at + 4], n[at + 5], n[at + 6]),
        n[at + 7],
        n[at + 8],
        n[at + 9],
        numbers_3(arena, GRAVITY, 1),
    )


@device
def central_gravity(d, mu, core):
    """(U, g) of the central term at d [m] from the centre: a point mass, a ball within `core` [m].

    U = mu / |d|, g = -mu d / |d|^3;  within the core U = mu (3 core^2 - d^2) / (2 core^3),
    g = -mu d / core^3, which is finite and meets the point mass at the core's surface.
    """
    r2 = dot(d, d)
    if r2 < core * core:
        k = mu / (core * core * core)
        return 0.5 * k * (3.0 * core * core - r2), scale(-k, d)
    u = mu / math.sqrt(r2)
    return u, scale(-u / r2, d)


@device
def _axis_cell(u, count):
    """Cell index along one axis and the place within it, 0 to 1, for a place in spacings."""
    index = min(max(int(u), 0), count - 2)
    return index, min(max(u - index, 0.0), 1.0)


@device
def _weights(s, h):
    """Cubic weights of value and slope at the low end of a cell, then at its high end."""
    r = 1.0 - s
    return ((1.0 + 2.0 * s) * r * r, h * s * r * r, s * s * (3.0 - 2.0 * s), -h * s * s * r)


@device
def _weight_slopes(s, h):
    """Derivatives of the weights along the axis."""
    r = 1.0 - s
    return (-6.0 * s * r / h, r * (1.0 - 3.0 * s), 6.0 * s * r / h, s * (3.0 * s - 2.0))


@routine
def _interpolated(table, x):
    """(U, grad U) less the central term, tricubic; x outside the box is moved to its surface."""
    values, first, h = table.values, table.first, table.spacing
    i, a = _axis_cell((x[0] - first[0]) / h, values.shape[0])
    j, b = _axis_cell((x[1] - first[1]) / h, values.shape[1])
    k, c = _axis_cell((x[2] - first[2]) / h, values.shape[2])
    wx, wy, wz = _weights(a, h), _weights(b, h), _weights(c, h)
    sx, sy, sz = _weight_slopes(a, h), _weight_slopes(b, h), _weight_slopes(c, h)
    u, gx, gy, gz = 0.0, 0.0, 0.0, 0.0
    for corner in range(8):
        p, q, r = corner >> 2, (corner >> 1) & 1, corner & 1
        n = values[i + p, j + q, k + r]
        x0, x1, y0, y1, z0, z1 = wx[2 * p], wx[2 * p + 1], wy[2 * q], wy[2 * q + 1], wz[2 * r], wz[2 * r + 1]  # fmt: skip
        t0, t1, v0, v1 = sy[2 * q], sy[2 * q + 1], sz[2 * r], sz[2 * r + 1]
        # U, its slopes along y and z, and its yz derivative, all brought to the place along x.
        f, fy, fz, fyz = x0 * n[0] + x1 * n[1], x0 * n[2] + x1 * n[4], x0 * n[3] + x1 * n[5], x0 * n[6] + x1 * n[7]  # fmt: skip
        x0, x1 = sx[2 * p], sx[2 * p + 1]
        d, dy, dz, dyz = x0 * n[0] + x1 * n[1], x0 * n[2] + x1 * n[4], x0 * n[3] + x1 * n[5], x0 * n[6] + x1 * n[7]  # fmt: skip
        along, across = y0 * f + y1 * fy, y0 * fz + y1 * fyz
        u += z0 * along + z1 * across
        gx += z0 * (y0 * d + y1 * dy) + z1 * (y0 * dz + y1 * dyz)
        gy += z0 * (t0 * f + t1 * fy) + z1 * (t0 * fz + t1 * fyz)
        gz += v0 * along + v1 * across
    return u, (gx, gy, gz)


@device
def _inside(table, x, d):
    """(U, g) of a table at x in the box, d from the centre."""
    u, g = _interpolated(table, x)
    central_u, central_g = central_gravity(d, table.mu, table.core)
    return u + central_u, add(g, central_g)


@device
def _way_out(table, d):
    """(share, axis): where the ray from the centre along d leaves the box, as a share of d."""
    share, way = math.inf, 0
    for axis in range(3):
        low = table.first[axis] - table.centre[axis]
        high = low + table.spacing * (table.values.shape[axis] - 1)
        bound = high if d[axis] > 0.0 else low
        if d[axis] != 0.0 and bound / d[axis] < share:
            share, way = bound / d[axis], axis
    return share, way


@routine
def table_gravity(table, x):
    """(U [m^2/s^2], g [m/s^2]) at x [m] from a table; g is the gradient of U, to rounding.

    In the box: the central term plus the tricubic interpolant of the rest, which meets U, g and
    the mixed derivatives of all nodes; U and g are continuous.
    Outside: multipoles to degree 6, plus what they miss of U where the ray from the centre
    leaves the box, fading as its leading, seventh degree does, with s^8, s = distance of that
    place / distance of x. U is continuous at the box; g steps by what is not of that degree.

    table  GravityTable                    x  point [m], 3-tuple, in the axes of the table
    Sign: U > 0 attracts, g = +grad U.
    Validity: above ground, see table_error; below ground see gravity_table.
    Source: [VanWal2018] sec. 2.4.4 for the central term; [Lekien2005] for the interpolant.
    """
    d = subtract(x, table.centre)
    s, axis = _way_out(table, d)
    if s >= 1.0:
        return _inside(table, x, d)
    edge, share = scale(s, d), 1.0 / table.radius
    edge_u, edge_g = _inside(table, add(table.centre, edge), edge)
    near_u, near_g = multipole_gravity(table.far, scale(share, edge))
    far_u, far_g = multipole_gravity(table.far, scale(share, d))
    missing_u, missing_g = edge_u - near_u, subtract(edge_g, near_g)
    s8 = s * s * s * s * s * s * s * s
    g = add_scaled(far_g, s8 * s, missing_g)
    # The share s depends on x along the axis of the wall the ray goes through only.
    turn = -s8 / d[axis] * (8.0 * missing_u + s * dot(missing_g, d))
    wall = (turn * (axis == 0), turn * (axis == 1), turn * (axis == 2))
    return far_u + s8 * missing_u, add(g, wall)


@entry
def fill_table_gravity(table, points, out):
    """U and g into out (n, 4) at points (n, 3)."""
    for n in range(len(points)):
        u, g = table_gravity(table, (points[n, 0], points[n, 1], points[n, 2]))
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = u, g[0], g[1], g[2]
