"""A small body from a shape file: in metres, closed, about its centre of mass, and what was done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.core.units import LENGTH_UNITS, LengthUnit
from haptos.geometry.mesh.mass_properties import mass_properties, principal_axes
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.mesh_defects import mesh_defects
from haptos.geometry.mesh.mesh_files import stored_mesh
from haptos.geometry.mesh.mesh_repair import repaired
from haptos.geometry.mesh.mesh_topology import joined_vertices

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CENTRED = 1e-9  # [-] of the radius; an offset below this is rounding
SMALLEST_BODY, LARGEST_BODY = 1.0, 1e6  # [m], assumed; outside these the unit is likely wrong
WHAT_REPAIR_MENDS = (
    "repair = true (in files; --repair) removes doubled vertices and facets, corrects the winding"
)


@dataclass(frozen=True, eq=False)
class BodyMesh:
    """The surface of a homogeneous small body, in body axes A, and its way back to the file.

    vertices   [m], shape (n, 3), in A axes from the origin of A
    faces      corner indices, shape (m, 3), outward
    offset_m   [m], shape (3,): from the file's origin to the centre of mass, in file axes F
    origin_m   [m], shape (3,): from the file's origin to that of A, in F: offset_m, or zero
    dcm_AF     x_A = dcm_AF @ x_F, shape (3, 3): identity, or principal axes in the order of rising moments
    volume_m3  [m^3]                       genus  handles of the surface, 0 for a ball-like one
    messages   what was found and done on loading, in sentences
    """

    vertices: Floats
    faces: Integers
    offset_m: Floats
    origin_m: Floats
    dcm_AF: Floats
    volume_m3: float
    genus: int | None
    messages: tuple[str, ...]

    def in_file_axes(self, positions: ArrayLike) -> Floats:
        """Positions [m] from the file's origin in its axes, of positions in A, shape (..., 3)."""
        return np.asarray(positions, dtype=float) @ self.dcm_AF + self.origin_m

    def in_body_axes(self, positions: ArrayLike) -> Floats:
        """Positions [m] in A, of positions from the file's origin in its axes, shape (..., 3)."""
        return (np.asarray(positions, dtype=float) - self.origin_m) @ self.dcm_AF.T


def load_body_mesh(
    path: str | Path,
    unit: LengthUnit | None = None,
    *,
    repair: bool = False,
    recentre: bool = True,
    align: bool = False,
    self_intersections: bool = False,
) -> BodyMesh:
    """The body in a shape file (OBJ, STL, PLY, plate table, ICQ), refused unless it is a solid.

    unit                length unit of the file; there is no default, since few formats carry it
    repair              fix what has one obvious cure (`repaired`) before the checks
    recentre            move the origin to the centre of mass of the homogeneous body
    align               turn to principal axes, x along the least moment, z along the largest
    self_intersections  refuse a surface that cuts itself; a second or two per 100 000 facets
    Validity: constant density; surfaces with handles (genus > 0) are allowed and reported.
    """
    if unit not in LENGTH_UNITS:
        found = "no length unit" if unit is None else f"length unit '{unit}'"
        hint = "look it up where the file comes from; shape models are mostly in km"
        raise GeometryError(str(path), found, ", ".join(LENGTH_UNITS), hint)
    vertices, faces, messages = _solid(path, repair, self_intersections)
    vertices = vertices * LENGTH_UNITS[unit]
    report = mesh_defects(vertices, faces, self_intersections=False)
    moments = mass_properties(vertices, faces)
    radius = float(np.cbrt(3.0 * moments.volume / (4.0 * np.pi)))
    messages += [*report.sentences()[:2], _size(vertices, radius)]
    if report.defects["pinched_vertices"].count:
        messages.append(report.defects["pinched_vertices"].sentence())
    messages.append(_offset(moments.centroid, radius, recentre))
    origin = moments.centroid if recentre else np.zeros(3)
    dcm = np.eye(3)
    if align:
        _, dcm = principal_axes(moments.inertia_per_mass)
        turn = np.degrees(np.arccos(np.clip(0.5 * (np.trace(dcm) - 1.0), -1.0, 1.0)))
        messages.append(f"axes turned by {turn:.3g} deg to the principal axes")
    body = BodyMesh(
        vertices,
        faces,
        moments.centroid,
        origin,
        dcm,
        moments.volume,
        report.genus,
        tuple(messages),
    )
    return replace(body, vertices=body.in_body_axes(vertices))


def _solid(
    path: str | Path, repair: bool, self_intersections: bool
) -> tuple[Floats, Integers, list[str]]:
    """(vertices, faces, messages) of a file, in its unit, that passed the checks."""
    vertices, faces = stored_mesh(path)
    messages: list[str] = []
    points, number = joined_vertices(vertices)
    if len(points) < len(vertices):
        messages.append(f"joined {len(vertices) - len(points)} vertices at the place of another")
        vertices, faces = points, number[faces]
    if repair:
        vertices, faces, done = repaired(vertices, faces)
        messages += [f"repair: {step}" for step in done] or ["repair: nothing to do"]
    try:
        require_solid(str(path), vertices, faces, self_intersections=self_intersections)
    except GeometryError as error:
        cure = "repair cannot do that" if repair else WHAT_REPAIR_MENDS
        raise GeometryError(
            error.where, error.found, error.allowed, f"{error.hint}; {cure}"
        ) from error
    return vertices, faces, messages


def _size(vertices: Floats, radius: float) -> str:
    longest = float(np.max(np.ptp(vertices, axis=0)))
    doubt = "" if SMALLEST_BODY <= longest <= LARGEST_BODY else ": is the unit right?"
    return f"longest side {longest:.6g} m, radius of the same volume {radius:.6g} m{doubt}"


def _offset(centroid: Floats, radius: float, recentre: bool) -> str:
    length = float(np.linalg.norm(centroid))
    if length <= CENTRED * radius:
        return "the file is centred on the centre of mass"
    where = ", ".join(f"{x:.6g}" for x in centroid)
    done = "the origin was moved there" if recentre else "the origin was left in its place"
    return (
        f"centre of mass at ({where}) m in the file, {length:.4g} m or {100.0 * length / radius:.3g} % "
        f"of the radius from its origin; {done}"
    )
