"""Shape of a rock as a generalised distance function: a convex solid with rounded or sharp edges.

    F(y) = (sum_{i=a..b} |n_i . y|^p)^(1/p),   d_r = F(y) - R                       Eq. (2.37)
    dF/dy = sum (t_i/F)^(p-1) sign_i n_i,   t_i = |n_i . y|
    d2F/dy2 = (p - 1)/F (sum (t_i/F)^(p-2) n_i n_i^T - dF/dy dF/dy^T)

    y      position from the centre of the rock in its own axes [m]
    n_i    unit vectors of the table below [-]; faces of the solid point along +-n_i
    p      sharpness [-], >= 2; inf gives flat faces, F = max t_i
    R      distance of the faces from the centre [m], for large p; at small p the rock is smaller
Terms are scaled by the largest t_i, so no power overflows. At y = 0 F has a kink; zero derivatives
are returned there. F is a norm: convex, and |dF/dy| <= (b - a + 1)^(1/p).
Frame: that of the rock. Validity: solids that are their own mirror image through the centre.
Source: [VanWal2018] section 2.3.3; vectors: [Akleman1999]; mean width: [Santalo1976].
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import device, routine
from haptos.geometry.mesh.polyhedra import GOLDEN

CITES: tuple[str, ...] = ("VanWal2018", "Akleman1999", "Santalo1976")
Floats = NDArray[np.float64]

# Index range [a, b] of every solid, counted from 1 as in the source.
SHAPES = {
    "octahedron": (4, 7),
    "icosahedron": (4, 13),
    "truncated_icosahedron": (4, 19),
    "dodecahedron": (14, 19),
    "truncated_octahedron": (1, 7),
}
SMALLEST_TERM = 40.0  # terms below exp(-40) of the largest are less than its rounding
FLAT_SHARPNESS = 1e6  # [-] from here on edges are rounded by less than 1e-6 of R: taken as sharp


def _directions() -> Floats:
    g, up = GOLDEN, GOLDEN + 1.0
    rows = [
        (1, 0, 0), (0, 1, 0), (0, 0, 1),
        (1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1),
        (0, 1, up), (0, -1, up), (up, 0, 1), (-up, 0, 1), (1, up, 0), (-1, up, 0),
        (0, g, 1), (0, -g, 1), (1, 0, g), (-1, 0, g), (g, 1, 0), (-g, 1, 0),
    ]  # fmt: skip
    table = np.array(rows, dtype=np.float64)
    return table / np.linalg.norm(table, axis=1, keepdims=True)


def shape_directions(shape: str) -> Floats:
    """Unit vectors n_a..n_b of a solid of SHAPES, shape (b - a + 1, 3)."""
    if shape not in SHAPES:
        raise GeometryError("rock shape", f"'{shape}'", ", ".join(SHAPES), "use 'icosahedron'")
    first, last = SHAPES[shape]
    return np.ascontiguousarray(_directions()[first - 1 : last])


def shape_vertices(directions: Floats) -> Floats:
    """Corners of the sharp solid with R = 1, shape (v, 3): where three faces meet."""
    faces = np.concatenate([directions, -directions])
    corners = []
    for triple in combinations(range(len(faces)), 3):
        matrix = faces[list(triple)]
        if abs(np.linalg.det(matrix)) > 1e-9:
            corner = np.linalg.solve(matrix, np.ones(3))
            if np.max(faces @ corner) < 1.0 + 1e-9:
                corners.append(corner)
    return np.unique(np.round(np.array(corners), 12), axis=0)


def shape_reach(directions: Floats) -> float:
    """Distance [-] of the farthest corner of the sharp solid with R = 1; no rounding reaches on."""
    return float(np.linalg.norm(shape_vertices(directions), axis=1).max())


def shape_mean_width(directions: Floats) -> float:
    """Width [-] of the sharp solid with R = 1 between two parallel planes, mean over directions.

    b = 1/(4 pi) sum over edges of length * angle between the normals of the faces that meet there.
    """
    faces = np.concatenate([directions, -directions])
    corners = shape_vertices(directions)
    on_face = np.abs(corners @ faces.T - 1.0) < 1e-6
    total = 0.0
    for i, j in combinations(range(len(faces)), 2):
        edge = corners[on_face[:, i] & on_face[:, j]]
        if len(edge) == 2:
            angle = math.acos(float(np.clip(faces[i] @ faces[j], -1.0, 1.0)))
            total += float(np.linalg.norm(edge[1] - edge[0])) * angle
    return total / (4.0 * math.pi)


@device
def along_direction(directions, i, y):
    """n_i . y [m]."""
    return directions[i, 0] * y[0] + directions[i, 1] * y[1] + directions[i, 2] * y[2]


@device
def largest_term(directions, y):
    """(max |n_i . y| [m], its i): F of the sharp solid, and a lower bound of F for every p."""
    most, which = -1.0, 0
    for i in range(directions.shape[0]):
        t = abs(along_direction(directions, i, y))
        if t > most:
            most, which = t, i
    return most, which


@routine
def shape_value(directions, p, most, y):
    """F [m] at y, `most` being the largest term there."""
    if p >= FLAT_SHARPNESS or most <= 0.0:
        return max(most, 0.0)
    least, total = most * math.exp(-SMALLEST_TERM / p), 0.0
    for i in range(directions.shape[0]):
        t = abs(along_direction(directions, i, y))
        if t >= least:
            total += (t / most) ** p
    return most * total ** (1.0 / p)  # Eq. (2.37)


@routine
def shape_at(directions, p, y):
    """(F [m], gradient [-], Hessian [1/m] (xx, xy, xz, yy, yz, zz)) at y."""
    most, which = largest_term(directions, y)
    flat = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if most <= 0.0:
        return 0.0, (0.0, 0.0, 0.0), flat
    if p >= FLAT_SHARPNESS:
        s = math.copysign(1.0, along_direction(directions, which, y))
        n = (s * directions[which, 0], s * directions[which, 1], s * directions[which, 2])
        return most, n, flat
    value = shape_value(directions, p, most, y)
    least = most * math.exp(-SMALLEST_TERM / max(p - 2.0, 1e-3))
    gx, gy, gz = 0.0, 0.0, 0.0
    hxx, hxy, hxz, hyy, hyz, hzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(directions.shape[0]):
        along = along_direction(directions, i, y)
        if abs(along) < least:
            continue
        bend = (abs(along) / value) ** (p - 2.0)
        slope = bend * along / value
        nx, ny, nz = directions[i, 0], directions[i, 1], directions[i, 2]
        gx, gy, gz = gx + slope * nx, gy + slope * ny, gz + slope * nz
        hxx, hxy, hxz = hxx + bend * nx * nx, hxy + bend * nx * ny, hxz + bend * nx * nz
        hyy, hyz, hzz = hyy + bend * ny * ny, hyz + bend * ny * nz, hzz + bend * nz * nz
    c = (p - 1.0) / value
    hessian = (
        c * (hxx - gx * gx), c * (hxy - gx * gy), c * (hxz - gx * gz),
        c * (hyy - gy * gy), c * (hyz - gy * gz), c * (hzz - gz * gz),
    )  # fmt: skip
    return value, (gx, gy, gz), hessian
