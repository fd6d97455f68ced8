"""Filling a gravity table from a polyhedron, and telling what its spacing costs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.environment.gravity_multipole import multipole_table
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_table import FAR_DEGREE, GravityTable, fill_table_gravity, table_of
from haptos.geometry.distance.distance_mesh import Mesh, mesh_distances, solid_mesh

Floats = NDArray[np.float64]

MARGIN = 0.5  # [radii] around the bounding box, assumed; degree 6 misses 0.4 % beyond it
CONTINUED, FADED = (
    2.0,
    6.0,
)  # [spacings] depths to which the field from above is carried on, and fades
CORE_SHARE = (
    1.0  # [-] of the shortest vertex distance, assumed: wide enough for the nodes to see it
)
LARGEST_TABLE = 100_000_000  # nodes, 0.8 GB
SLAB = 4096  # nodes computed at once, at most one slab of memory beside the table
BEYOND = 2  # nodes beyond the box that the spline goes through, so that its ends lie outside
END_NODES = 5  # the slope at the ends of a row comes from the polynomial through so many nodes


def gravity_table(
    field: PolyhedronField,
    spacing: float,
    *,
    margin: float | None = None,
    continued: bool = True,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> GravityTable:
    """Table of U and g of a polyhedron on a regular grid around it.

    spacing   of the nodes [m]             margin  of the box around the body [m], MARGIN radii
    continued  whether nodes just below the ground hold the field from above, carried on downwards
    workers   threads; bits do not depend on it    progress  gets the fraction done, 0 to 1

    The gradient of g jumps at the ground, so that a cell it cuts would interpolate with an error of
    first order in the spacing. Carried on downwards the field is smooth there and the error at the
    ground falls several times; it fades into the true field between CONTINUED and FADED spacings.
    The time is that of field.field at every node; 8 bytes are stored per node.
    """
    room = MARGIN * field.radius if margin is None else margin
    low, shape = _grid(field, spacing, room)
    core = CORE_SHARE * float(np.min(np.linalg.norm(field.vertices - field.centre, axis=1)))
    mesh = solid_mesh(field.vertices, field.faces) if continued else None
    values = np.zeros([count + 2 * BEYOND for count in shape])
    rows = values.reshape(-1)
    for start in range(0, len(rows), SLAB):
        index = np.arange(start, min(start + SLAB, len(rows)))
        points = low + spacing * (np.stack(np.unravel_index(index, values.shape), axis=1) - BEYOND)
        found = field.field(points, workers=workers).potential
        if mesh is not None:
            found = found + _carried_on(field, mesh, points, spacing)
        rows[index] = found - _central(points - field.centre, field.mu, core)
        if progress is not None:
            progress((int(index[-1]) + 1) / len(rows))
    return table_of(
        spline_coefficients(values)[(slice(BEYOND, -BEYOND),) * 3],
        low,
        spacing,
        field.centre,
        field.mu,
        core,
        field.radius,
        _far_field(field),
    )


def _grid(field: PolyhedronField, spacing: float, margin: float) -> tuple[Floats, tuple[int, ...]]:
    """First node [m] and number of nodes along each axis; the box is centred on the body."""
    if not (math.isfinite(spacing) and spacing > 0.0):
        hint = f"a thirtieth of the radius, {field.radius / 30.0:.2g} m"
        raise GeometryError("gravity table", f"spacing {spacing} m", "> 0, finite", hint)
    if not (math.isfinite(margin) and margin >= 0.0):
        hint = f"half the radius, {0.5 * field.radius:.2g} m"
        raise GeometryError("gravity table", f"margin {margin} m", ">= 0, finite", hint)
    low, high = field.vertices.min(axis=0) - margin, field.vertices.max(axis=0) + margin
    if np.any(field.centre <= low) or np.any(field.centre >= high):
        hint = "a larger margin"
        found = "a box without the centre of mass"
        raise GeometryError("gravity table", found, "a box around it", hint)
    cells = np.maximum(np.ceil((high - low) / spacing), 1.0)
    if np.prod(cells + 1.0) > LARGEST_TABLE:
        raise GeometryError(
            "gravity table",
            f"{np.prod(cells + 1.0):.2g} nodes at a spacing of {spacing:g} m",
            f"up to {LARGEST_TABLE:.0e} nodes",
            "choose a larger spacing or a smaller margin",
        )
    low = 0.5 * (low + high) - 0.5 * spacing * cells
    return low, tuple(int(count) + 1 for count in cells)


def spline_coefficients(values: Floats) -> Floats:
    """Coefficients of the tricubic B-spline through values at nodes, two more along each axis.

    Along an axis (c[i - 1] + 4 c[i] + c[i + 1])/6 = value[i], and at both ends the slope of the
    polynomial through END_NODES nodes, so that the spline is of fourth order up to its ends.
    Source: [DeBoor1978] chapter IV, the complete spline.
    """
    for axis in range(3):
        values = np.moveaxis(_along_first(np.moveaxis(values, axis, 0)), 0, axis)
    return np.ascontiguousarray(values)


def _along_first(values: Floats) -> Floats:
    from scipy.linalg import solve_banded

    count = len(values)
    used = min(count, END_NODES)
    powers = np.vander(np.arange(float(used)), used, increasing=True)
    weights = np.linalg.solve(powers.T, np.eye(used)[1] if used > 1 else np.zeros(used))
    low = np.tensordot(weights, values[:used], axes=1)  # slopes, per spacing
    high = -np.tensordot(weights, values[::-1][:used], axes=1)
    bands = np.ones((3, count))
    bands[1] = 4.0
    bands[0, 1], bands[2, -2] = 2.0, 2.0
    right = 6.0 * values
    right[0] += 2.0 * low
    right[-1] -= 2.0 * high
    inner = solve_banded((1, 1), bands, right.reshape(count, -1)).reshape(values.shape)
    return np.concatenate([[inner[1] - 2.0 * low], inner, [inner[-2] + 2.0 * high]])


def _central(d: Floats, mu: float, core: float) -> Floats:
    """U of gravity_table.central_gravity at many places (n, 3) [m]."""
    return np.asarray(mu / np.sqrt(np.einsum("ni,ni->n", d, d) + core * core))


def _carried_on(field: PolyhedronField, mesh: Mesh, points: Floats, spacing: float) -> Floats:
    """What U from above, carried on below ground, has more than the true one [m^2/s^2], (n,).

    The gradient of g jumps by 4 pi G rho N N^T, so at depth z below the nearest ground it is
    2 pi G rho z^2, fading smoothly between CONTINUED and FADED spacings. Zero above ground.
    """
    gap, _, _ = mesh_distances(mesh, points)
    depth = np.maximum(-gap, 0.0)
    s = np.clip((depth / spacing - CONTINUED) / (FADED - CONTINUED), 0.0, 1.0)
    share = 1.0 - s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
    return np.asarray(2.0 * math.pi * field.strength * depth**2 * share)


def _far_field(field: PolyhedronField) -> Floats:
    """Weights of the multipoles in U and g, in SI, shape (terms, 2, 4)."""
    corners = (field.vertices[field.faces] - field.centre) / field.radius
    weights = multipole_table(corners, FAR_DEGREE)[:, :, :4]
    return np.ascontiguousarray(weights * field.strength * field.radius * [field.radius, 1, 1, 1])


def table_values(table: GravityTable, points: ArrayLike) -> tuple[Floats, Floats]:
    """(U [m^2/s^2] (n,), g [m/s^2] (n, 3)) of a table at points [m], shape (n, 3)."""
    where = np.ascontiguousarray(points, dtype=float)
    out = np.empty((len(where), 4))
    fill_table_gravity(table, where, out)
    return out[:, 0], out[:, 1:]


def table_error(table: GravityTable, field: PolyhedronField, points: ArrayLike) -> Floats:
    """|g_table - g| / |g| [-] at points [m], shape (n, 3), against the polyhedron.

    At face centres it is the error map of a table; np.quantile tells what a spacing costs.
    Source: [VanWal2018] eq. (2.44).
    """
    exact = field.gravity(points)
    _, found = table_values(table, points)
    error = np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1)
    return np.asarray(error)
