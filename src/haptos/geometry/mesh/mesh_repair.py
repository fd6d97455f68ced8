"""Mending of triangle meshes, only when asked and never without saying what was done."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.geometry.mesh.mesh_checks import without_area
from haptos.geometry.mesh.mesh_defects import checked_mesh, inside_out, repeated_facets
from haptos.geometry.mesh.mesh_topology import (
    edges_of,
    facet_pieces,
    joined_parts,
    joined_vertices,
    reversed_facets,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

JOIN_SHARE = 1e-5  # [-] of the longest side; text files of shape models keep five to seven digits
JOIN_EDGE = 0.05  # [-] of the median edge, so that joining never eats the detail of a fine mesh
MOST_NEIGHBOURS = 50  # [-] per vertex, assumed; more within the distance is a heap, not copies


def repaired(
    vertices: ArrayLike, faces: ArrayLike, *, join_share: float = JOIN_SHARE
) -> tuple[Floats, Integers, tuple[str, ...]]:
    """(vertices, faces, what was done): a mesh freed of the defects that have one obvious cure.

    In this order: vertices at the same place become one, and so do vertices of open edges nearer than
    join_share of the longest side of the mesh (at most JOIN_EDGE of its median edge), the lowest
    number standing; facets without area and copies of facets go; unused vertices go; the fewest facets of each piece are reversed
    so that neighbours agree; closed pieces with negative volume are turned.

    vertices    any length unit, shape (n, 3), finite
    faces       corner indices, shape (m, 3), in range
    Validity: holes are not filled, crossings and one-sided surfaces not undone, pieces not joined or
    dropped; `require_solid` refuses what is left. Nothing done gives an empty tuple.
    """
    points, corners = checked_mesh(vertices, faces)
    done: list[str] = []
    corners = _join(points, corners, join_share, done)
    corners = _drop(corners, without_area(points, corners), "facets without area", done)
    corners = _drop(corners, repeated_facets(corners), "copies of facets", done)
    if len(corners):
        used = np.bincount(corners.ravel(), minlength=len(points)) > 0
        if not used.all():
            done.append(f"dropped {np.sum(~used)} vertices in no facet")
        points, corners = points[used], (np.cumsum(used) - 1)[corners]
        corners = _unify(points, corners, done)
    return points, corners, tuple(done)


def _join(points: Floats, corners: Integers, share: float, done: list[str]) -> Integers:
    """Corners renumbered so that vertices at one place are one; the others go unused.

    Copies of a vertex leave open edges, so only there may places differ: the two sides of a thin
    body are never joined.
    """
    _, place = joined_vertices(points)
    _, first = np.unique(place, return_index=True)
    if len(first) < len(points):
        done.append(f"joined {len(points) - len(first)} vertices at the place of another")
    stands = first[place]
    corners = stands[corners]
    edges = edges_of(corners)
    a, b = points[edges.vertices].transpose(1, 0, 2)
    middle = float(np.median(np.linalg.norm(a - b, axis=1)))
    reach = min(share * float(np.max(np.ptp(points, axis=0))), JOIN_EDGE * middle)
    border = np.unique(edges.vertices[edges.facets == 1])
    near = border[_neighbours(points[border], reach)]
    if len(near) == 0:
        return corners
    _, label = joined_parts(len(points), near[:, 0], near[:, 1])
    _, lowest = np.unique(label, return_index=True)
    count = len(points) - len(lowest)
    done.append(f"joined {count} vertices of open edges nearer than {reach:.3g} to another")
    return lowest[label][corners]


def _neighbours(places: Floats, reach: float) -> Integers:
    """Pairs of places nearer than `reach`; none if they crowd, for then they are no copies."""
    from scipy.spatial import cKDTree

    if not reach > 0.0 or len(places) == 0:
        return np.empty((0, 2), dtype=np.int64)
    tree = cKDTree(places)
    if tree.count_neighbors(tree, reach) > MOST_NEIGHBOURS * len(places):
        return np.empty((0, 2), dtype=np.int64)
    return tree.query_pairs(reach, output_type="ndarray")


def _drop(corners: Integers, numbers: Integers, what: str, done: list[str]) -> Integers:
    if len(numbers) == 0:
        return corners
    done.append(f"dropped {len(numbers)} {what}")
    return np.delete(corners, numbers, axis=0)


def _unify(points: Floats, corners: Integers, done: list[str]) -> Integers:
    """Corners with the winding of neighbours made to agree and outward."""
    edges = edges_of(corners)
    turned, _ = reversed_facets(corners, edges)
    if turned.any():
        done.append(f"reversed {turned.sum()} facets wound against their neighbours")
        corners = np.where(turned[:, None], corners[:, ::-1], corners)
        edges = edges_of(corners)
    _, piece = facet_pieces(len(points), corners)
    inverted = inside_out(points, corners, piece, edges, np.zeros(len(corners), dtype=bool))
    if len(inverted):
        done.append(f"turned {len(inverted)} surfaces that were inside out")
        corners = np.where(np.isin(piece, piece[inverted])[:, None], corners[:, ::-1], corners)
    return np.ascontiguousarray(corners)
