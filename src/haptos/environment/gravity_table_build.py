"""Filling a gravity table from a polyhedron, and telling what its spacing costs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.environment.gravity_multipole import multipole_table
from haptos.environment.gravity_polyhedron import FieldValues, PolyhedronField
from haptos.environment.gravity_table import FAR_DEGREE, GravityTable, fill_table_gravity, table_of
from haptos.geometry.distance_mesh import Mesh, mesh_distances, solid_mesh

Floats = NDArray[np.float64]

MARGIN = 0.5  # [radii] around the bounding box, assumed; degree 6 misses 0.4 % beyond it
CONTINUED = 2.0  # [spacings] below ground; corners of a cell lie at most 1.74 spacings apart
CORE_SHARE = 0.5  # [-] of the shortest vertex distance, assumed: well below the ground
LARGEST_TABLE = 100_000_000  # nodes, 6.4 GB
SLAB = 4096  # nodes computed at once, at most one slab of memory beside the table


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
    ground falls several times; true values remain deeper than CONTINUED spacings.
    The time is that of field.field at every node; 64 bytes are stored per node.
    """
    room = MARGIN * field.radius if margin is None else margin
    low, shape = _grid(field, spacing, room)
    core = CORE_SHARE * float(np.min(np.linalg.norm(field.vertices - field.centre, axis=1)))
    mesh = solid_mesh(field.vertices, field.faces) if continued else None
    values = np.zeros((*shape, 8))
    rows = values.reshape(-1, 8)
    for start in range(0, len(rows), SLAB):
        index = np.arange(start, min(start + SLAB, len(rows)))
        points = low + spacing * np.stack(np.unravel_index(index, shape), axis=1)
        found = _node_values(field.field(points, workers=workers))
        if mesh is not None:
            found += _carried_on(field, mesh, points, CONTINUED * spacing)
        rows[index, :7] = found - _central(points - field.centre, field.mu, core)
        if progress is not None:
            progress((int(index[-1]) + 1) / len(rows))
    values[..., 7] = np.gradient(values[..., 4], spacing, axis=2)
    return table_of(
        values, low, spacing, field.centre, field.mu, core, field.radius, _far_field(field)
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


def _node_values(found: FieldValues) -> Floats:
    """U, g, and the mixed derivatives xy, xz, yz, shape (n, 7)."""
    mixed = found.gradient[:, [0, 0, 1], [1, 2, 2]]
    return np.column_stack([found.potential, found.gravity, mixed])


def _central(d: Floats, mu: float, core: float) -> Floats:
    """The same seven of gravity_table.central_gravity at many places (n, 3) [m]."""
    r2 = np.einsum("ni,ni->n", d, d)
    outer = np.maximum(np.sqrt(r2), core)
    inside = r2 < core * core
    u = np.where(inside, mu * (3.0 * core**2 - r2) / (2.0 * core**3), mu / outer)
    mixed = 3.0 * mu * d[:, [0, 0, 1]] * d[:, [1, 2, 2]] / outer[:, None] ** 5
    mixed[inside] = 0.0
    return np.column_stack([u, -mu * d / outer[:, None] ** 3, mixed])


def _carried_on(field: PolyhedronField, mesh: Mesh, points: Floats, deepest: float) -> Floats:
    """What the field from above, carried on below ground, has more than the true one, (n, 7).

    The gradient jumps by 4 pi G rho N N^T, so at depth z below the nearest ground, with normal N:
    2 pi G rho z^2 in U, -4 pi G rho z N in g, 4 pi G rho N N^T in the gradient. Zero above ground
    and deeper than `deepest` [m].
    """
    gap, normal, _ = mesh_distances(mesh, points)
    below = (gap < 0.0) & (gap > -deepest)
    depth = np.where(below, -gap, 0.0)
    jump = 4.0 * math.pi * field.strength * below
    mixed = jump[:, None] * normal[:, [0, 0, 1]] * normal[:, [1, 2, 2]]
    return np.column_stack([0.5 * jump * depth**2, -(jump * depth)[:, None] * normal, mixed])


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
