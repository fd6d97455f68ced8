"""What is wrong with a triangle mesh: every kind of defect, how many, and the first of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import signed_volume
from haptos.geometry.mesh.mesh_checks import EXPORT_AGAIN, SMALLEST_VOLUME, without_area
from haptos.geometry.mesh.mesh_topology import (
    Edges,
    edges_of,
    facet_pieces,
    joined_vertices,
    pinched_vertices,
    reversed_facets,
)

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Defect:
    """One kind of defect: `count` of them, `first` the lowest number concerned, -1 if none.

    what    words for the kind            number_of  "vertex" or "facet": what `first` numbers
    """

    what: str
    number_of: str
    count: int
    first: int

    def sentence(self) -> str:
        return f"{self.count} {self.what}, the first at {self.number_of} {self.first}"


@dataclass(frozen=True, slots=True)
class MeshDefects:
    """Counts of a mesh and its defects, in the order in which to repair them.

    vertices, edges, facets  numbers; unused vertices are counted
    pieces                   separate surfaces
    closed                   has every edge exactly two facets?
    defects                  kind -> Defect; "self_intersections" is missing if not looked for
    """

    vertices: int
    edges: int
    facets: int
    pieces: int
    closed: bool
    defects: dict[str, Defect]

    @property
    def euler_number(self) -> int:
        """nV - nE + nF over the vertices in use: 2 for a closed surface without handles."""
        return self.vertices - self.defects["unused_vertices"].count - self.edges + self.facets

    @property
    def genus(self) -> int | None:
        """Handles of the surface, (2 - Euler number) / 2; None unless one closed clean surface."""
        spoilers = ("duplicate_vertices", "pinched_vertices", "reversed_facets", "one_sided_facets")
        if not self.closed or self.pieces != 1 or any(self.defects[k].count for k in spoilers):
            return None
        return (2 - self.euler_number) // 2

    @property
    def is_clean(self) -> bool:
        """Is there no defect of any kind that was looked for?"""
        return not any(defect.count for defect in self.defects.values())

    def sentences(self) -> tuple[str, ...]:
        """The report in words: counts, the Euler criterion, then a sentence per kind of defect."""
        kind = "closed" if self.closed else "open"
        head = f"{self.vertices} vertices, {self.edges} edges, {self.facets} facets, {kind}"
        found = [defect.sentence() for defect in self.defects.values() if defect.count]
        return (head, self.euler_sentence(), *(found or ["no defects"]))

    def euler_sentence(self) -> str:
        """Whether nF = 2 nV - 4 holds, Eq. (2.11) of [VanWal2018], or how many handles there are."""
        if self.genus == 0:
            return f"nF = 2 nV - 4 holds: a sphere-like surface (Euler number {self.euler_number})"
        if self.genus is not None:
            handles = "1 handle" if self.genus == 1 else f"{self.genus} handles"
            return (
                f"genus {self.genus}: a surface with {handles} (Euler number {self.euler_number})"
            )
        return f"Euler number {self.euler_number}, {self.pieces} pieces: no single clean surface"


def mesh_defects(
    vertices: ArrayLike, faces: ArrayLike, *, self_intersections: bool = True
) -> MeshDefects:
    """Every defect of a mesh, in one report; nothing is changed.

    nV - nE + nF = 2, with nE = 3/2 nF: nF = 2 nV - 4 for a closed surface without handles.

    vertices            any length unit, shape (n, 3), finite
    faces               corner indices, shape (m, 3), in range
    self_intersections  look for facets that cut or touch others: a second or two per 100 000 facets,
                        and some seconds of compiling on first use; all else is far cheaper
    Validity: exact, but that a facet or a solid below rounding has no area or volume.
    Source: [VanWal2018] Eqs. (2.10), (2.11).
    """
    points, corners = checked_mesh(vertices, faces)
    edges = edges_of(corners)
    piece_count, piece = facet_pieces(len(points), corners)
    turned, one_sided = reversed_facets(corners, edges)
    closed = bool(np.all(edges.facets == 2))
    defects = {
        "duplicate_vertices": _listed("vertices at the place of another", _twins(points), "vertex"),
        "unused_vertices": _listed("vertices in no facet", _unused(points, corners), "vertex"),
        "degenerate_facets": _listed("facets without area", without_area(points, corners)),
        "duplicate_facets": _listed("facets with the corners of another", repeated_facets(corners)),
        "open_edges": _at_edges("edges with a facet on one side only", edges, edges.facets == 1),
        "crowded_edges": _at_edges("edges with more than two facets", edges, edges.facets > 2),
        "pinched_vertices": _listed(
            "vertices where separate fans of facets meet",
            pinched_vertices(len(points), corners, edges),
            "vertex",
        ),
        "one_sided_facets": _listed("facets of a one-sided surface", np.flatnonzero(one_sided)),
        "reversed_facets": _listed("facets wound against their neighbours", np.flatnonzero(turned)),
        "inside_out": _listed(
            "surfaces turned inside out", inside_out(points, corners, piece, edges, turned)
        ),
        "separate_pieces": Defect(
            "pieces more than one",
            "facet",
            piece_count - 1,
            int(np.argmax(piece > 0)) if piece_count > 1 else -1,
        ),
    }
    if self_intersections:
        defects["self_intersections"] = _crossings(points, corners)
    return MeshDefects(len(points), len(edges.vertices), len(corners), piece_count, closed, defects)


def inside_out(
    points: Floats, corners: Integers, piece: Integers, edges: Edges, turned: NDArray[np.bool_]
) -> Integers:
    """First facets of the closed pieces, wound alike, whose volume is negative."""
    spoiled = (edges.facets != 2)[edges.edge_of_side].reshape(-1, 3).any(axis=1) | turned
    size = float(np.max(np.ptp(points, axis=0)))
    found = []
    order = np.argsort(piece, kind="stable")
    for facets in np.split(order, np.cumsum(np.bincount(piece))[:-1]):
        least = -SMALLEST_VOLUME * size**3
        if not spoiled[facets].any() and signed_volume(points, corners[facets]) < least:
            found.append(facets[0])
    return np.array(sorted(found), dtype=np.int64)


def checked_mesh(vertices: ArrayLike, faces: ArrayLike) -> tuple[Floats, Integers]:
    """Vertices and faces as arrays; a mesh without faces, out of range or not finite is refused."""
    points = np.ascontiguousarray(vertices, dtype=np.float64).reshape(-1, 3)
    corners = np.ascontiguousarray(faces, dtype=np.int64).reshape(-1, 3)
    if len(corners) == 0 or len(points) == 0:
        raise GeometryError("mesh", "no triangles", "a mesh with faces", EXPORT_AGAIN)
    if corners.min() < 0 or corners.max() >= len(points):
        found = "a face that names a vertex the mesh does not have"
        raise GeometryError("mesh", found, f"0 to {len(points) - 1}", EXPORT_AGAIN)
    if not np.all(np.isfinite(points)):
        found = "a vertex that is not finite"
        raise GeometryError("mesh", found, "finite coordinates", EXPORT_AGAIN)
    return points, corners


def _listed(what: str, numbers: Integers, number_of: str = "facet") -> Defect:
    return Defect(what, number_of, len(numbers), int(numbers.min()) if len(numbers) else -1)


def _at_edges(what: str, edges: Edges, chosen: NDArray[np.bool_]) -> Defect:
    sides = np.flatnonzero(chosen[edges.edge_of_side])
    return Defect(what, "facet", int(chosen.sum()), int(sides[0] // 3) if len(sides) else -1)


def _twins(points: Floats) -> Integers:
    """Vertices that repeat the place of an earlier one."""
    _, number = joined_vertices(points)
    _, first = np.unique(number, return_index=True)
    return np.setdiff1d(np.arange(len(points)), first, assume_unique=True)


def _unused(points: Floats, corners: Integers) -> Integers:
    return np.flatnonzero(np.bincount(corners.ravel(), minlength=len(points)) == 0)


def repeated_facets(corners: Integers) -> Integers:
    """Facets that have the same corners as an earlier one, in any order."""
    ranked = np.sort(corners, axis=1)
    order = np.lexsort(ranked.T[::-1])
    same = np.all(ranked[order][1:] == ranked[order][:-1], axis=1)
    return np.sort(order[1:][same])


def _crossings(points: Floats, corners: Integers) -> Defect:
    from haptos.geometry.mesh.self_intersections import MOST_PAIRS, self_intersections

    pairs = self_intersections(points, corners)
    more = " or more" if len(pairs) == MOST_PAIRS else ""
    what = f"pairs{more} of facets that cut or touch each other"
    return Defect(what, "facet", len(pairs), int(pairs[0, 0]) if len(pairs) else -1)
