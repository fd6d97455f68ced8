"""A body made of cuboids: its mass, centre, principal axes, and the closed surface of each cuboid.

    r_c = sum m_k r_k / M,   I = sum [ R_k diag(i_k) R_k^T + m_k (|d|^2 1 - d d^T) ],   d = r_k - r_c
    i_k = m_k (|s|^2 - s_j^2) / 12

    m_k, s   mass [kg] and full edge lengths [m]       r_k, R_k   place and attitude in G axes
G are the axes in which the cuboids are given, P the principal axes at the centre of mass: moments in
rising order, x along the least. Surfaces come in P axes.
Validity: homogeneous cuboids. Where they overlap, mass counts twice and inner faces stay; a point
inside any of them is inside the body.
Source: [Salvi2014] section 5.4.1, target as a union of cuboids; parallel axes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.rotations import rotation_matrices
from haptos.geometry.mesh.mass_properties import principal_axes
from haptos.geometry.mesh.polyhedra import box_solid

CITES: tuple[str, ...] = ("Salvi2014",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FACES = ("+x", "+y", "+z", "-x", "-y", "-z")  # of a cuboid, in its own axes
UNIT_ERROR = 1e-6  # [-] by which a quaternion may miss length 1: rounding of what people type


@dataclass(frozen=True, slots=True)
class Cuboid:
    """size [m], full edges; mass [kg], >= 0; position [m] of its centre and quat_GK, in G axes."""

    size: tuple[float, float, float]
    mass: float
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    attitude: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class CuboidBody:
    """A union of cuboids in P axes from its centre of mass.

    mass      [kg]                                moments   [kg m^2], (3,), rising
    centre_G  [m], (3,), centre of mass in G      dcm_PG    (3, 3), x_P = dcm_PG @ (x_G - centre_G)
    vertices  [m], (8 k, 3)                       faces     (12 k, 3), outward triangles
    face_id   (12 k,), 6 cuboid + side as in FACES    cuboid_id (12 k,)
    sizes     [m], (k, 3)       centres  [m], (k, 3)       dcm_PK  (k, 3, 3), cuboid axes as columns
    """

    mass: float
    moments: Floats
    centre_G: Floats
    dcm_PG: Floats
    vertices: Floats
    faces: Integers
    face_id: Integers
    cuboid_id: Integers
    sizes: Floats
    centres: Floats
    dcm_PK: Floats

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def holds(self, points: Floats) -> NDArray[np.bool_]:
        """Whether points [m], (n, 3), in P axes lie inside some cuboid, (n,)."""
        away = np.asarray(points, dtype=float)[:, None] - self.centres
        own = np.einsum("nki,kij->nkj", away, self.dcm_PK)
        return (np.abs(own) <= 0.5 * self.sizes).all(axis=2).any(axis=1)


def cuboid_body(cuboids: Sequence[Cuboid], *, where: str = "cuboids") -> CuboidBody:
    """The body of these cuboids; refuses sizes, masses and attitudes that are none."""
    if len(cuboids) == 0:
        raise GeometryError(where, "no cuboid", "one or more", "add one with size and mass")
    for number, cuboid in enumerate(cuboids):
        _require(f"{where} [{number}]", cuboid)
    masses = np.array([cuboid.mass for cuboid in cuboids], dtype=float)
    total = math.fsum(masses)
    if not total > 0.0:
        raise GeometryError(where, "no mass at all", "a mass above zero", "give a cuboid its mass")
    sizes = np.array([cuboid.size for cuboid in cuboids], dtype=float)
    places = np.array([cuboid.position for cuboid in cuboids], dtype=float)
    quaternions = np.array([cuboid.attitude for cuboid in cuboids], dtype=float)
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    dcm_GK = rotation_matrices(quaternions)
    centre = masses @ places / total
    moments, dcm_PG = principal_axes(_inertia(masses, sizes, places - centre, dcm_GK))
    dcm_PK = dcm_PG @ dcm_GK
    centres = (places - centre) @ dcm_PG.T
    box, sides = box_solid((1.0, 1.0, 1.0))
    own = box[None] * sizes[:, None]
    vertices = (own @ np.swapaxes(dcm_PK, 1, 2) + centres[:, None]).reshape(-1, 3)
    count = len(cuboids)
    faces = (sides[None] + len(box) * np.arange(count)[:, None, None]).reshape(-1, 3)
    cuboid_id = np.repeat(np.arange(count, dtype=np.int64), len(sides))
    face_id = 6 * cuboid_id + np.tile(np.repeat(np.arange(6), 2), count)
    return CuboidBody(
        total, moments, centre, dcm_PG, vertices, faces.astype(np.int64), face_id, cuboid_id,
        sizes, centres, dcm_PK,
    )  # fmt: skip


def cuboid_moments(mass: float, size: tuple[float, float, float]) -> Floats:
    """Moments of one cuboid about its centre [kg m^2], (3,), along its own axes."""
    squares = np.asarray(size, dtype=float) ** 2
    return mass * (squares.sum() - squares) / 12.0


def _inertia(masses: Floats, sizes: Floats, away: Floats, dcm_GK: Floats) -> Floats:
    """About the centre of mass in G axes [kg m^2], (3, 3); away: centres from it [m]."""
    squares = sizes**2
    own = masses[:, None] * (squares.sum(axis=1, keepdims=True) - squares) / 12.0
    turned = np.einsum("kij,kj,klj->il", dcm_GK, own, dcm_GK)
    shift = np.einsum("k,ki,kj->ij", masses, away, away)
    inertia = turned + np.trace(shift) * np.eye(3) - shift
    return 0.5 * (inertia + inertia.T)


def _require(where: str, cuboid: Cuboid) -> None:
    """Refuse a size, mass, place or attitude that is none."""
    size, place, turn = (
        np.asarray(a, float) for a in (cuboid.size, cuboid.position, cuboid.attitude)
    )
    if size.shape != (3,) or not (np.isfinite(size) & (size > 0.0)).all():
        found = f"size {cuboid.size}"
        raise GeometryError(where, found, "three edges above zero", "edges in metres")
    if not (math.isfinite(cuboid.mass) and cuboid.mass >= 0.0):
        raise GeometryError(where, f"mass {cuboid.mass}", "0 or more", "mass in kilograms")
    if place.shape != (3,) or not np.isfinite(place).all():
        found = f"position {cuboid.position}"
        raise GeometryError(where, found, "three finite numbers", "position in metres")
    if turn.shape != (4,) or not abs(float(np.linalg.norm(turn)) - 1.0) <= UNIT_ERROR:
        found = f"attitude {cuboid.attitude}"
        allowed = "a unit quaternion, scalar first"
        raise GeometryError(where, found, allowed, "(1, 0, 0, 0) for no turn")
