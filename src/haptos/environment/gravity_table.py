"""Gravity read from a regular grid: what kernels use in place of the sum over all faces."""

from __future__ import annotations

import functools
import math
from collections import namedtuple
from collections.abc import Iterable

import numpy as np

from haptos.core.arena import fields_start, numbers_3, view
from haptos.core.arena_slots import GRAVITY
from haptos.core.jit import device, entry, routine
from haptos.core.vectors import add, add_scaled, dot, scale, subtract
from haptos.environment.gravity_multipole import multipole_gravity

CITES: tuple[str, ...] = ("VanWal2018", "DeBoor1978")

# coefficients  (nx + 2, ny + 2, nz + 2) of the cubic B-splines about the nodes and one node beyond
#               them on each side, of U less its central term [m^2/s^2]
# first    place of node 0, 0, 0 [m], 3-tuple          spacing  between nodes [m]
# centre   centre of mass [m], 3-tuple                 mu       G M [m^3/s^2]
# core     length that softens the central term [m]
# radius   of the body [m], largest distance of a vertex from the centre
# far      (t, 2, 4) multipoles to degree FAR_DEGREE, in SI, for places in radii
GravityTable = namedtuple("GravityTable", "coefficients first spacing centre mu core radius far")

FAR_DEGREE = 6  # [-], of the field outside the box
# [spacings] a step ends this far beyond a face, assumed: one that falls short costs a short step more.
BEYOND_FACE = 3e-4


def table_of(
    coefficients: np.ndarray,
    first: Iterable[float],
    spacing: float,
    centre: Iterable[float],
    mu: float,
    core: float,
    radius: float,
    far: np.ndarray,
) -> GravityTable:
    """Table with its numbers and arrays in the types that kernels are compiled for."""
    held = [np.ascontiguousarray(array, dtype=np.float64) for array in (coefficients, far)]
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
    return table_of(np.zeros((4, 4, 4)), first, 1.0, centre, 0.0, 1.0, 1.0, np.zeros((1, 2, 4)))


def packed_table(table: GravityTable) -> tuple[list[float], list[np.ndarray]]:
    """Fields and arrays of a table, for the arena of a world."""
    fields = [*table.first, table.spacing, *table.centre, table.mu, table.core, table.radius]
    return fields, [table.coefficients, table.far]


@device
def table_in(arena):
    """Gravity table of an arena."""
    n, at = arena.numbers, fields_start(arena, GRAVITY)
    return GravityTable(
        numbers_3(arena, GRAVITY, 0),
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
    """(U, g) of the central term at d [m] from the centre: a point mass softened by `core` [m].

    U = mu / s, g = -mu d / s^3, s^2 = |d|^2 + core^2: finite and smooth at the centre.
    """
    s2 = dot(d, d) + core * core
    u = mu / math.sqrt(s2)
    return u, scale(-u / s2, d)


@device
def _axis_cell(u, count):
    """Cell index along one axis and the place within it, 0 to 1, for a place in spacings."""
    index = min(max(int(u), 0), count - 4)
    return index, min(max(u - index, 0.0), 1.0)


@device
def _weights(s):
    """Weights of the four cubic B-splines that reach into a cell."""
    r, sixth = 1.0 - s, 1.0 / 6.0
    return (
        sixth * (r * r * r),
        sixth * (4.0 + s * s * (3.0 * s - 6.0)),
        sixth * (4.0 + r * r * (3.0 * r - 6.0)),
        sixth * (s * s * s),
    )


@device
def _weight_slopes(s):
    """Derivatives of the weights along the axis, per spacing."""
    r = 1.0 - s
    return (-0.5 * r * r, s * (1.5 * s - 2.0), r * (2.0 - 1.5 * r), 0.5 * s * s)


@device
def _four(w, a):
    """Weighted sum of four."""
    return w[0] * a[0] + w[1] * a[1] + w[2] * a[2] + w[3] * a[3]


@device
def _along_z(c, at, wz, sz):
    """(value, slope along z) of the four coefficients from place `at` on."""
    four = view(c, at, (4,))  # known to lie beside each other, so that they are read at once
    row = (four[0], four[1], four[2], four[3])
    return _four(wz, row), _four(sz, row)


@device
def _in_plane(c, at, wy, sy, wz, sz):
    """(value, slopes along y and z) of a plane of coefficients from place `at` on."""
    step = c.shape[2]
    a, az = _along_z(c, at, wz, sz)
    b, bz = _along_z(c, at + step, wz, sz)
    d, dz = _along_z(c, at + 2 * step, wz, sz)
    e, ez = _along_z(c, at + 3 * step, wz, sz)
    return _four(wy, (a, b, d, e)), _four(sy, (a, b, d, e)), _four(wy, (az, bz, dz, ez))


@routine
def _interpolated(table, x):
    """(U, grad U) less the central term, of the spline; x outside the box is moved to its surface."""
    c, first, share = table.coefficients, table.first, 1.0 / table.spacing
    i, s = _axis_cell((x[0] - first[0]) * share, c.shape[0])
    j, t = _axis_cell((x[1] - first[1]) * share, c.shape[1])
    k, r = _axis_cell((x[2] - first[2]) * share, c.shape[2])
    wx, wy, wz = _weights(s), _weights(t), _weights(r)
    sx, sy, sz = _weight_slopes(s), _weight_slopes(t), _weight_slopes(r)
    step = c.shape[1] * c.shape[2]
    at = i * step + j * c.shape[2] + k
    u0, y0, z0 = _in_plane(c, at, wy, sy, wz, sz)
    u1, y1, z1 = _in_plane(c, at + step, wy, sy, wz, sz)
    u2, y2, z2 = _in_plane(c, at + 2 * step, wy, sy, wz, sz)
    u3, y3, z3 = _in_plane(c, at + 3 * step, wy, sy, wz, sz)
    u = (u0, u1, u2, u3)
    slope = (_four(sx, u), _four(wx, (y0, y1, y2, y3)), _four(wx, (z0, z1, z2, z3)))
    return _four(wx, u), scale(share, slope)


@device
def _is_in_box(table, x):
    """Whether the point x [m] lies in the box of the nodes."""
    is_in = True
    for axis in range(3):
        place = x[axis] - table.first[axis]
        is_in = is_in and 0.0 <= place <= table.spacing * (table.coefficients.shape[axis] - 3)
    return is_in


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
        high = low + table.spacing * (table.coefficients.shape[axis] - 3)
        bound = high if d[axis] > 0.0 else low
        if d[axis] != 0.0 and bound / d[axis] < share:
            share, way = bound / d[axis], axis
    return share, way


@routine
def table_gravity(table, x):
    """(U [m^2/s^2], g [m/s^2]) at x [m] from a table; g is the gradient of U, to rounding.

    In the box: the central term plus the tricubic spline through the rest of U at all nodes; U, g
    and the gradient of g are continuous, the third derivatives of U jump at faces: see `time_in_cell`.
    Outside: multipoles to degree 6, plus what they miss of U where the ray from the centre
    leaves the box, fading as its leading, seventh degree does, with s^8, s = distance of that
    place / distance of x. U is continuous at the box; g steps by what is not of that degree.

    table  GravityTable                    x  point [m], 3-tuple, in the axes of the table
    Sign: U > 0 attracts, g = +grad U.
    Validity: above ground, see table_error; below ground see gravity_table.
    Source: [VanWal2018] sec. 2.4.4 for the central term; [DeBoor1978] for the spline.
    """
    d = subtract(x, table.centre)
    if _is_in_box(table, x):
        return _inside(table, x, d)
    s, axis = _way_out(table, d)
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


@device
def _time_to(way, speed, acceleration):
    """First time [s] > 0 at which a coordinate has gone the way [m]; math.inf if it never has."""
    square = speed * speed + 2.0 * acceleration * way
    if square < 0.0:
        return math.inf
    root = math.sqrt(square)
    total = speed + root if speed >= 0.0 else speed - root
    first, second = math.inf, math.inf
    if total != 0.0 and way / total > 0.0:
        first = 2.0 * way / total
    if acceleration != 0.0 and -total / acceleration > 0.0:
        second = -total / acceleration
    return min(first, second)


@device
def time_in_cell(table, x, v, a):
    """Time [s] after which a motion from x [m] with v [m/s], a [m/s^2] has just left its cell.

    x + v t + 1/2 a t^2 is then BEYOND_FACE spacings beyond a face. Between two faces the spline is a
    polynomial; at a face its third derivatives jump, so that a step of high order across it errs far
    more than its own estimate tells. A step that ends here meets the jump in its last moment only.
    math.inf beyond the box, where there are no cells, and for a motion that does not leave.
    Frame: axes of the table, a as seen in them. Validity: a nearly even over the step. Source: ours.
    """
    if not _is_in_box(table, x):
        return math.inf
    least, spacing = math.inf, table.spacing
    for axis in range(3):
        place = (x[axis] - table.first[axis]) / spacing
        index = math.floor(place)
        low, high = index - BEYOND_FACE - place, index + 1.0 + BEYOND_FACE - place
        least = min(
            least, _time_to(low * spacing, v[axis], a[axis]), _time_to(high * spacing, v[axis], a[axis])
        )  # fmt: skip
    return least


@entry
def fill_table_gravity(table, points, out):
    """U and g into out (n, 4) at points (n, 3)."""
    for n in range(len(points)):
        u, g = table_gravity(table, (points[n, 0], points[n, 1], points[n, 2]))
        out[n, 0], out[n, 1], out[n, 2], out[n, 3] = u, g[0], g[1], g[2]
