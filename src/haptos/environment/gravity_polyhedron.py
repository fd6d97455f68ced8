"""Gravity of a homogeneous body bounded by triangles: exact inside and outside."""

from __future__ import annotations

import math
import os
from collections import namedtuple
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.units import GRAVITATIONAL_CONSTANT
from haptos.environment.gravity_multipole import FAR, multipole_table
from haptos.environment.gravity_polyhedron_sweep import (
    GROUP,
    VALUES,
    WIDTH,
    Polyhedron,
    fill_values,
    scratch,
)
from haptos.environment.gravity_polyhedron_terms import NEAR_FACE
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid

CITES: tuple[str, ...] = ("Werner1997", "VanWal2018")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CHUNK = 4 * WIDTH  # points per task

# potential [m^2/s^2] (n,), gravity [m/s^2] (n, 3), gradient [1/s^2] (n, 3, 3),
# solid_angle [sr] (n,): 4 pi inside, 0 outside
FieldValues = namedtuple("FieldValues", "potential gravity gradient solid_angle")


@dataclass(frozen=True, eq=False)
class PolyhedronField:
    """Gravity of a homogeneous polyhedron.

    U = 1/2 G rho (sum_e r_e.E.r_e L_e - sum_f r_f.F.r_f w_f)
    g = grad U = -G rho (sum E r_e L - sum F r_f w),   gradient = G rho (sum E L - sum F w)
    E = N_A M_A^T + N_B M_B^T, F = N N^T, L = ln((r_i + r_j + e) / (r_i + r_j - e)),
    w the solid angle of a face; N outward normals, M = t x N outward normals of the sides in the
    plane of their face, r from the point to the edge or face.

    vertices  [m], shape (n, 3)            faces  corner indices, shape (m, 3), outward
    density   rho [kg/m^3], > 0
    Frame: the axes and origin of the vertices. Sign: U > 0 attracts, g = +grad U.
    Validity: constant density. U and g are exact and continuous everywhere; the gradient jumps by
    4 pi G rho N N^T through a face, where the mean comes back, and is infinite on an edge, where
    the infinite term is left out. Beyond FAR radii the multipoles take over.
    Source: [Werner1997] eqs. (10), (15), (16); [VanWal2018] eqs. (2.40)-(2.42).
    """

    vertices: Floats
    faces: Integers
    density: float
    centre: Floats = field(init=False)  # [m], (3,), centre of mass
    radius: float = field(init=False)  # [m], largest distance of a vertex from the centre
    mu: float = field(init=False)  # G M [m^3/s^2]
    kernel: Polyhedron = field(init=False, repr=False)  # what kernels need

    def __post_init__(self) -> None:
        vertices = np.array(self.vertices, dtype=float)
        faces = np.array(self.faces, dtype=np.int64)
        require_solid("polyhedron", vertices, faces)
        if not (math.isfinite(self.density) and self.density > 0.0):
            raise GeometryError(
                "polyhedron",
                f"density {self.density} kg/m^3",
                "> 0, finite",
                "1000 to 4000 kg/m^3 for rock",
            )
        mass = mass_properties(vertices, faces)
        radius = float(np.max(np.linalg.norm(vertices - mass.centroid, axis=1)))
        vertices.flags.writeable = faces.flags.writeable = False
        derived = {
            "vertices": vertices,
            "faces": faces,
            "density": float(self.density),
            "centre": mass.centroid,
            "radius": radius,
            "mu": GRAVITATIONAL_CONSTANT * float(self.density) * mass.volume,
            "kernel": _kernel((vertices - mass.centroid) / radius, faces),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def strength(self) -> float:
        """G rho [1/s^2]."""
        return GRAVITATIONAL_CONSTANT * self.density

    def field(
        self,
        points: ArrayLike,
        *,
        workers: int | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> FieldValues:
        """Potential, gravity, gradient and solid angle at points [m], shape (n, 3).

        On `workers` threads (all cores if left out); the bits do not depend on their number.
        progress  gets the fraction done, 0 to 1
        """
        where = np.asarray(points, dtype=float)
        if where.ndim != 2 or where.shape[1] != 3:
            raise GeometryError(
                "polyhedron",
                f"points of shape {where.shape}",
                "shape (n, 3)",
                "put one point in a list: [[x, y, z]]",
            )
        values = self._values((where - self.centre) / self.radius, workers, progress)
        six = self.strength * values[:, 4:10]
        return FieldValues(
            self.strength * self.radius**2 * values[:, 0],
            self.strength * self.radius * values[:, 1:4],
            six[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(-1, 3, 3),
            values[:, 10].copy(),
        )

    def _values(
        self, scaled: Floats, workers: int | None, progress: Callable[[float], None] | None
    ) -> Floats:
        scaled = np.ascontiguousarray(scaled)
        count = len(scaled)
        out = np.empty((count, VALUES))
        fill_values(self.kernel, scratch(len(self.vertices), WIDTH), scaled, 0, 0, out)  # compile

        def fill(low: int) -> int:
            row = scratch(len(self.vertices), WIDTH)
            high = min(low + CHUNK, count)
            fill_values(self.kernel, row, scaled, low, high, out)
            return high

        with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
            for high in pool.map(fill, range(0, count, CHUNK)):
                if progress is not None:
                    progress(high / count)
        return out

    def potential(self, points: ArrayLike) -> Floats:
        """U [m^2/s^2] at points [m], shape (n, 3)."""
        return self.field(points).potential

    def gravity(self, points: ArrayLike) -> Floats:
        """g [m/s^2] at points [m], shape (n, 3)."""
        return self.field(points).gravity

    def gradient(self, points: ArrayLike) -> Floats:
        """Gradient of g [1/s^2], symmetric, shape (n, 3, 3), at points [m], shape (n, 3)."""
        return self.field(points).gradient

    def contains(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Whether points [m] lie inside: the faces fill more than half of the sky."""
        return np.asarray(self.field(points).solid_angle > 2.0 * math.pi)


def _kernel(vertices: Floats, faces: Integers) -> Polyhedron:
    """Dyads and sizes of all edges and faces; lengths in radii from the centre."""
    corners = vertices[faces]
    sides = np.roll(corners, -2, axis=1) - np.roll(corners, -1, axis=1)  # opposite the corners
    normal = np.cross(sides[:, 2], -sides[:, 1])
    twice_area = np.linalg.norm(normal, axis=1)
    normal /= twice_area[:, None]
    offset = np.einsum("fi,fi->f", normal, corners.mean(axis=1))
    squares = np.einsum("fki,fki->fk", sides, sides)
    reach = NEAR_FACE * np.sqrt(squares.max(axis=1))
    angle_terms = _terms(-np.einsum("fi,fj->fij", normal, normal), normal * offset[:, None])
    angle_terms = np.column_stack([angle_terms, np.ones(len(faces))])
    ends, dyads = _edges(vertices, faces, normal)
    length = np.linalg.norm(vertices[ends[:, 1]] - vertices[ends[:, 0]], axis=1)
    return Polyhedron(
        vertices,
        _grouped(ends, [0, 1]),
        _grouped(length, 0.0),
        _grouped(_terms(dyads, vertices[ends].mean(axis=1)), 0.0).transpose(0, 2, 1).copy(),
        _grouped(faces, [0, 1, 2]),
        _grouped(np.column_stack([normal, offset]), 0.0),
        _grouped(np.column_stack([twice_area, squares, reach]), 0.0),
        _grouped(angle_terms, 0.0).transpose(0, 2, 1).copy(),
        multipole_table(corners),
        FAR,
    )


def _edges(vertices: Floats, faces: Integers, normal: Floats) -> tuple[Integers, Floats]:
    """Ends (e, 2) and dyads (e, 3, 3) of all edges."""
    sides = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    outward = np.repeat(normal, 3, axis=0)
    along = vertices[sides[:, 1]] - vertices[sides[:, 0]]
    along /= np.linalg.norm(along, axis=1)[:, None]
    half = np.einsum("si,sj->sij", outward, np.cross(along, outward))  # Eq. (2.40)
    ascending = np.sort(sides, axis=1)
    order = np.lexsort((ascending[:, 1], ascending[:, 0])).reshape(-1, 2)
    dyads = half[order[:, 0]] + half[order[:, 1]]
    return ascending[order[:, 0]], 0.5 * (dyads + dyads.transpose(0, 2, 1))


def _terms(dyad: Floats, place: Floats) -> Floats:
    """xx, xy, xz, yy, yz of the dyads, their products with a place on edge or face, and k."""
    moment = np.einsum("nij,nj->ni", dyad, place)
    constant = np.einsum("ni,ni->n", moment, place)
    upper = dyad.reshape(-1, 9)[:, [0, 1, 2, 4, 5]]
    return np.column_stack([upper, moment, constant])


def _grouped(rows: NDArray, empty: float | list[int]) -> NDArray:
    """Rows in groups of four, the last group filled with rows that add nothing."""
    missing = -len(rows) % GROUP
    fill = np.broadcast_to(np.asarray(empty, dtype=rows.dtype), (missing, *rows.shape[1:]))
    return np.concatenate([rows, fill]).reshape(-1, GROUP, *rows.shape[1:])
