"""Shapes of probes: contact points, mass moments for unit mass, and what to draw."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.units import LENGTH_UNITS, LengthUnit
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.mesh_files import read_mesh
from haptos.geometry.mesh.polyhedra import (
    PLATONIC_INERTIA,
    PLATONIC_VOLUME,
    box_solid,
    platonic_solid,
    prism_solid,
)
from haptos.geometry.mesh.tessellation import CORNER, FLAT_ANGLE, subdivided, vertex_kinds

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DRAWN_SPHERE_LEVELS = 3  # [-], splits of the drawn icosahedron: 642 vertices
MOST_FACES = 5_000_000  # [-], assumed; a tessellation above this is a mistake


@dataclass(frozen=True, eq=False)
class ProbeShape:
    """A homogeneous solid as contact and motion see it, in B axes from its centroid.

    vertices          [m], (n, 3), the points that can touch
    faces             (m, 3), outward counter-clockwise triangles; none for a sphere
    volume            [m^3]
    inertia_per_mass  [m^2], (3, 3), about the centroid
    corner_radius     [m], radius of the ball around every vertex that touches; 0 for polyhedra
    vertex_kind       (n,), 0 corner, 1 edge, 2 facet
    vertex_direction  (n, 3), zero, unit vector along the edge, or outward facet normal
    drawn_vertices, drawn_faces   the surface for pictures; vertices and faces if not a sphere
    All arrays are read-only.
    """

    vertices: Floats
    faces: Integers
    volume: float
    inertia_per_mass: Floats
    corner_radius: float
    vertex_kind: Integers
    vertex_direction: Floats
    drawn_vertices: Floats
    drawn_faces: Integers

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def bounding_radius(self) -> float:
        """Distance from the centroid to the farthest point that can touch [m]."""
        return float(np.max(np.linalg.norm(self.vertices, axis=1))) + self.corner_radius


def box(size: ArrayLike) -> ProbeShape:
    """Box with full edge lengths `size` [m], shape (3,), along B x, y, z."""
    lengths = np.asarray(size, dtype=float)
    _require_positive("box", size_x=lengths[0], size_y=lengths[1], size_z=lengths[2])
    squares = lengths**2
    inertia = np.diag(squares.sum() - squares) / 12.0
    return _polyhedron(*box_solid(lengths), float(np.prod(lengths)), inertia)


def platonic(name: str, edge: float) -> ProbeShape:
    """Platonic solid by name (tetrahedron, cube, ...) with the given edge length [m]."""
    _require_known(name)
    _require_positive(name, edge=edge)
    vertices, faces = platonic_solid(name)
    inertia = PLATONIC_INERTIA[name] * edge**2 * np.eye(3)
    return _polyhedron(vertices * edge, faces, PLATONIC_VOLUME[name] * edge**3, inertia)


def platonic_edge(name: str, volume: float) -> float:
    """Edge length [m] of the Platonic solid of that name with the given volume [m^3]."""
    _require_known(name)
    _require_positive(name, volume=volume)
    return math.cbrt(volume / PLATONIC_VOLUME[name])


def prism(sides: int, radius: float, height: float) -> ProbeShape:
    """Regular prism along B z: base of `sides` corners at `radius` [m], first at +x; `height` [m].

    Per mass: I_zz = R^2 (2 + cos(2 pi / n)) / 6, I_xx = I_yy = I_zz / 2 + h^2 / 12.
    """
    if sides < 3:
        raise GeometryError("prism", f"{sides} sides", "3 or more", "give sides = 3 for a wedge")
    _require_positive("prism", radius=radius, height=height)
    turn = 2.0 * math.pi / sides
    volume = 0.5 * sides * radius**2 * math.sin(turn) * height
    along = radius**2 * (2.0 + math.cos(turn)) / 6.0
    across = 0.5 * along + height**2 / 12.0
    return _polyhedron(
        *prism_solid(sides, radius, height), volume, np.diag([across, across, along])
    )


def sphere(radius: float) -> ProbeShape:
    """True sphere of the given radius [m]: one contact point at the centre, with a ball around."""
    _require_positive("sphere", radius=radius)
    drawn, faces = platonic_solid("icosahedron")
    for _ in range(DRAWN_SPHERE_LEVELS):
        drawn, faces = subdivided(drawn, faces)
    drawn = drawn * (radius / np.linalg.norm(drawn, axis=1, keepdims=True))
    return ProbeShape(
        vertices=np.zeros((1, 3)),
        faces=np.zeros((0, 3), dtype=np.int64),
        volume=4.0 / 3.0 * math.pi * radius**3,
        inertia_per_mass=0.4 * radius**2 * np.eye(3),
        corner_radius=float(radius),
        vertex_kind=np.array([CORNER]),
        vertex_direction=np.zeros((1, 3)),
        drawn_vertices=drawn,
        drawn_faces=faces,
    )


def from_mesh(path: str | Path, unit: LengthUnit) -> ProbeShape:
    """Homogeneous solid from a closed mesh file (OBJ, STL, PLY) in the given length unit.

    Vertices with identical coordinates are joined (STL needs it) and the origin is moved to the
    centroid; the axes stay those of the file. Anything that is not one closed surface facing
    outward is refused with GeometryError and never repaired.
    """
    if unit not in LENGTH_UNITS:
        hint = 'unit = "m" if the file is in metres'
        raise GeometryError(str(path), f"unit '{unit}'", ", ".join(LENGTH_UNITS), hint)
    vertices, faces = read_mesh(path)
    require_solid(str(path), vertices, faces)
    vertices = vertices * LENGTH_UNITS[unit]
    moments = mass_properties(vertices, faces)
    return _polyhedron(vertices - moments.centroid, faces, moments.volume, moments.inertia_per_mass)


def tessellated(shape: ProbeShape, levels: int) -> ProbeShape:
    """The same solid with every facet split at its edge midpoints, `levels` times.

    The spacing of contact points halves per level, so that the probe feels terrain finer than
    itself; volume, inertia and outline do not change. A sphere has no facets and stays as it is.
    Source: [VanWal2018] ch. 2.
    """
    if levels < 0 or len(shape.faces) * 4**levels > MOST_FACES:
        raise GeometryError(
            "tessellation",
            f"{levels} levels of {len(shape.faces)} faces",
            f"0 or more levels that give at most {MOST_FACES} faces",
            "fewer levels; each makes four times as many faces",
        )
    if levels == 0 or len(shape.faces) == 0:
        return shape
    vertices, faces = shape.vertices, shape.faces
    for _ in range(levels):
        vertices, faces = subdivided(vertices, faces)
    kind, direction = vertex_kinds(vertices, faces, FLAT_ANGLE)
    return replace(
        shape,
        vertices=vertices,
        faces=faces,
        vertex_kind=kind,
        vertex_direction=direction,
    )


def _polyhedron(vertices: Floats, faces: Integers, volume: float, inertia: Floats) -> ProbeShape:
    kind, direction = vertex_kinds(vertices, faces, FLAT_ANGLE)
    return ProbeShape(vertices, faces, volume, inertia, 0.0, kind, direction, vertices, faces)


def _require_known(name: str) -> None:
    if name not in PLATONIC_VOLUME:
        known = ", ".join(PLATONIC_VOLUME)
        raise GeometryError("probe shape", f"'{name}'", known, "choose one of these")


def _require_positive(where: str, **lengths: float) -> None:
    for name, value in lengths.items():
        if not (math.isfinite(value) and value > 0.0):
            found, hint = f"{name} = {value}", f"give {name} in SI units"
            raise GeometryError(where, found, "a finite number above zero", hint)
