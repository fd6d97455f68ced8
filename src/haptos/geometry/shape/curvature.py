"""Curvature of a surface at points: largest and least normal curvature and their directions.

    K = k+ k-,   H = (k+ + k-) / 2,   k+- = H +- sqrt(H^2 - K)
    k(eta) = k+ cos^2 eta + k- sin^2 eta          eta from e+ in the tangent plane    Euler
    k(eta, delta) = k(eta) / cos delta            section tilted by delta             Meusnier

    k  normal curvature [1/m], > 0 where the ground falls away on both sides: a ball is convex
    e+ direction of the largest curvature, unit; e- = N x e+
Frame: the axes of the points. Validity: surfaces with a tangent plane and finite curvature there.
Source: [DoCarmo1976] ch. 3; [VanWal2018] eqs. (3.33)-(3.42), the signs of whose second form are made
one here: II = -r_ij . N with the outward normal N.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError

CITES: tuple[str, ...] = ("DoCarmo1976", "VanWal2018")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CONVEX, MIXED, CONCAVE = 0, 1, 2
LEVEL = 1e-9  # [rad] tilt from the pole below which ground is level under it
KINDS = ("convex", "mixed", "concave")  # in every direction, in some, in none


@dataclass(frozen=True, eq=False)
class CurvedGround:
    """Points of a surface with their normals and curvatures.

    points   [m], shape (n, 3)              normal     N, outward unit vectors, shape (n, 3)
    largest  k+ [1/m], shape (n,)           least      k- [1/m], shape (n,)
    direction  e+, unit, in the tangent plane, shape (n, 3)
    """

    points: Floats
    normal: Floats
    largest: Floats
    least: Floats
    direction: Floats

    def __post_init__(self) -> None:
        count = len(self.points)
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(
            ("points", "normal", "direction"), (count, 3)
        )
        shapes |= {"largest": (count,), "least": (count,)}
        for name, shape in shapes.items():
            values = np.ascontiguousarray(getattr(self, name), dtype=float)
            if values.shape != shape:
                found = f"{name} of shape {values.shape}"
                raise GeometryError("curved ground", found, f"shape {shape}", "one row per point")
            object.__setattr__(self, name, values)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def gaussian(self) -> Floats:
        """K [1/m^2], shape (n,)."""
        return self.largest * self.least

    @property
    def mean(self) -> Floats:
        """H [1/m], shape (n,)."""
        return 0.5 * (self.largest + self.least)

    @property
    def kind(self) -> Integers:
        """CONVEX (k- > 0), CONCAVE (k+ <= 0) or MIXED, shape (n,)."""
        return np.where(self.least > 0.0, CONVEX, np.where(self.largest > 0.0, MIXED, CONCAVE))

    def along(self, direction: ArrayLike) -> Floats:
        """k [1/m] of the normal section along tangent unit vectors, shape (n, 3) or (3,)."""
        toward = np.broadcast_to(np.asarray(direction, dtype=float), self.points.shape)
        cosine = np.einsum("ni,ni->n", toward, self.direction)
        sine = np.einsum("ni,ni->n", toward, np.cross(self.normal, self.direction))
        return np.asarray(self.largest * cosine**2 + self.least * sine**2)

    def chosen(self, which: ArrayLike) -> CurvedGround:
        """The same for some of the points: indices or flags."""
        rows = np.asarray(which)
        return CurvedGround(
            self.points[rows],
            self.normal[rows],
            self.largest[rows],
            self.least[rows],
            self.direction[rows],
        )


def from_shape_tensor(
    points: Floats, normal: Floats, first: Floats, second: Floats, tensor: Floats
) -> CurvedGround:
    """Curvatures from the second fundamental form in an orthonormal tangent basis.

    first, second  unit tangent vectors, shape (n, 3)       tensor  (xx, xy, yy) [1/m], shape (n, 3)
    """
    xx, xy, yy = np.moveaxis(tensor, -1, 0)
    mean, half = 0.5 * (xx + yy), 0.5 * (xx - yy)
    spread = np.hypot(half, xy)
    angle = 0.5 * np.arctan2(xy, half)
    toward = np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * second
    return CurvedGround(points, normal, mean + spread, mean - spread, toward)


def from_forms(
    points: Floats, normal: Floats, tangents: tuple[Floats, Floats], second_form: Floats
) -> CurvedGround:
    """Curvatures from two tangent vectors of any length and angle, and II in their basis.

    tangents     r_1, r_2 [m], each of shape (n, 3), not parallel
    second_form  (II_11, II_12, II_22) [m] with II_ij = -r_ij . N, shape (n, 3)
    """
    one, two = tangents
    length = np.linalg.norm(one, axis=1)
    first = one / length[:, None]
    second = np.cross(normal, first)
    slant, height = np.einsum("ni,ni->n", two, first), np.einsum("ni,ni->n", two, second)
    # d_1 = r_1 / length, d_2 = (r_2 - slant d_1) / height
    ii_11, ii_12, ii_22 = np.moveaxis(second_form, -1, 0)
    xx = ii_11 / length**2
    xy = (ii_12 / length - slant * xx) / height
    yy = (ii_22 - 2.0 * slant * ii_12 / length + slant**2 * xx) / height**2
    return from_shape_tensor(points, normal, first, second, np.stack([xx, xy, yy], axis=1))


def east_north(normal: Floats, pole: ArrayLike = (0.0, 0.0, 1.0)) -> tuple[Floats, Floats]:
    """(east, north) unit tangent vectors, shape (n, 3): east = pole x N, north = N x east.

    Azimuths run from east over north, about z for a pole of zero. Where the ground is level under the pole every direction is
    the same to the spin; there east is along y, as on the meridian of x (or along x for a pole near x).
    """
    axis = np.asarray(pole if np.any(pole) else (0.0, 0.0, 1.0), dtype=float)
    axis = axis / np.linalg.norm(axis)
    other = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    east = np.cross(axis, normal)
    length = np.linalg.norm(east, axis=1, keepdims=True)
    fallback = np.cross(normal, other - (normal @ other)[:, None] * normal)
    fallback *= np.sign(normal @ axis)[:, None]
    fallback /= np.maximum(np.linalg.norm(fallback, axis=1, keepdims=True), LEVEL)
    east = np.where(length > LEVEL, east / np.maximum(length, LEVEL), fallback)
    return east, np.cross(normal, east)


def azimuth_vectors(normal: Floats, pole: ArrayLike, azimuth: Floats) -> Floats:
    """Unit tangent vectors (n, 3) of azimuths [rad] (n,), at one place each or all at the same."""
    east, north = east_north(normal, pole)
    return np.asarray(np.cos(azimuth)[:, None] * east + np.sin(azimuth)[:, None] * north)
