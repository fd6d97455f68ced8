"""Volume, centroid and inertia of the solid inside a closed triangle mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

CITES: tuple[str, ...] = ("Mirtich1996",)

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MassProperties:
    """Moments of a homogeneous solid, per unit density.

    volume               [m^3], > 0 for faces that are counter-clockwise seen from outside
    centroid             [m], shape (3,), in the axes and from the origin of the mesh
    inertia_per_density  [m^5], shape (3, 3), about the centroid, in the axes of the mesh
    """

    volume: float
    centroid: Floats
    inertia_per_density: Floats

    @property
    def inertia_per_mass(self) -> Floats:
        """Inertia about the centroid for unit mass [m^2], shape (3, 3)."""
        return self.inertia_per_density / self.volume


def mass_properties(vertices: ArrayLike, faces: ArrayLike) -> MassProperties:
    """Moments of the solid bounded by a closed mesh.

    Signed tetrahedra from an inner point to every face (corners p, q, r; d = p . q x r):
    V = sum d / 6, first moment sum d (p + q + r) / 24, second moment
    int x x^T dV = sum d (p p^T + q q^T + r r^T + s s^T) / 120, s = p + q + r.

    vertices  [m], shape (n, 3)           faces  corner indices, shape (m, 3), outward
    Validity: exact for the polyhedron. The sums are taken about its middle and in units of its
    size, so neither a far origin nor a tiny or huge mesh costs digits. Closure is not checked;
    a mesh without volume has no centroid.
    Source: [Mirtich1996], in the form of signed tetrahedra.
    """
    corners, middle, size = _unit_corners(vertices, faces)
    volume, first, second = _moments(corners)
    centroid = first / volume
    second = second - volume * np.outer(centroid, centroid)
    inertia = np.trace(second) * np.eye(3) - second
    return MassProperties(volume * size**3, middle + size * centroid, inertia * size**5)


def signed_volume(vertices: ArrayLike, faces: ArrayLike) -> float:
    """Volume inside a closed mesh [m^3]: negative if its faces point inward, zero if it is flat."""
    corners, _, size = _unit_corners(vertices, faces)
    return _moments(corners)[0] * size**3


def sphericity(vertices: ArrayLike, faces: ArrayLike) -> float:
    """Surface of the ball of the same volume over the surface of the mesh [-]; 1 for a ball.

    psi = pi^(1/3) (6 V)^(2/3) / A

    vertices  [m], shape (n, 3)           faces  corner indices, shape (m, 3), outward
    Relief counts: a finer mesh of the same body is less spherical, so compare at equal resolution.
    Source: [Wadell1935]; [VanWal2018] eq. (2.45).
    """
    corners, _, _ = _unit_corners(vertices, faces)
    p, q, r = corners[:, 0], corners[:, 1], corners[:, 2]
    area = 0.5 * float(np.linalg.norm(np.cross(q - p, r - p), axis=1).sum())
    return float(np.cbrt(np.pi) * np.cbrt(6.0 * _moments(corners)[0]) ** 2) / area


def _unit_corners(vertices: ArrayLike, faces: ArrayLike) -> tuple[Floats, Floats, float]:
    """Face corners (m, 3, 3) from the middle of the bounding box, in units of its longest side."""
    points = np.asarray(vertices, dtype=float)
    low, high = points.min(axis=0), points.max(axis=0)
    middle, size = 0.5 * (low + high), float(np.max(high - low))
    return ((points - middle) / size)[np.asarray(faces)], middle, size


def _moments(corners: Floats) -> tuple[float, Floats, Floats]:
    """Zeroth, first and second moments of the solid about the origin, from (m, 3, 3) corners."""
    p, q, r = corners[:, 0], corners[:, 1], corners[:, 2]
    weight = np.einsum("fi,fi->f", p, np.cross(q, r))
    s = p + q + r
    four = np.stack([p, q, r, s])
    second = np.einsum("f,kfi,kfj->ij", weight, four, four) / 120.0
    return float(weight.sum()) / 6.0, weight @ s / 24.0, 0.5 * (second + second.T)


def principal_axes(inertia: ArrayLike) -> tuple[Floats, Floats]:
    """(moments, dcm_PB): principal moments in rising order and the axes as rows.

    dcm_PB @ inertia_B @ dcm_PB.T = diag(moments). Right-handed; the largest component of the
    first two axes is positive, so the answer does not depend on the eigenvalue library.

    inertia  any symmetric tensor in B axes, shape (3, 3); moments have its unit
    """
    tensor = np.asarray(inertia, dtype=float)
    moments, columns = np.linalg.eigh(tensor)
    axes = columns.T.copy()
    for axis in axes[:2]:
        axis *= np.sign(axis[np.argmax(np.abs(axis))])
    axes[2] = np.cross(axes[0], axes[1])
    return moments, axes
