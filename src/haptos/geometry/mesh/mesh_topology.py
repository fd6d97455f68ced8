"""How the facets of a triangle mesh are connected: edges, pieces, winding, pinched vertices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges of a mesh and the sides of facets that run along them.

    vertices  (e, 2), lower number first        edge_of_side  (3 m,), side 3 f + k from corner k
    facets    (e,) facets at each edge          forward       (3 m,) does the side run lower to higher?
    """

    vertices: Integers
    edge_of_side: Integers
    facets: Integers
    forward: Flags

    def paired_sides(self) -> tuple[Integers, Integers]:
        """The two sides of every edge with exactly two facets."""
        sides = np.flatnonzero(self.facets[self.edge_of_side] == 2)
        ranked = sides[np.argsort(self.edge_of_side[sides], kind="stable")]
        return ranked[0::2], ranked[1::2]


def edges_of(faces: Integers) -> Edges:
    """Edges of a mesh; a facet with a repeated corner has a side from a vertex to itself."""
    start, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    low, high = np.minimum(start, end), np.maximum(start, end)
    span = int(faces.max()) + 1
    keys, edge_of_side, facets = np.unique(
        low * span + high, return_inverse=True, return_counts=True
    )
    vertices = np.stack([keys // span, keys % span], axis=1)
    return Edges(vertices, edge_of_side.reshape(-1), facets, start < end)


def joined_vertices(vertices: Floats) -> tuple[Floats, Integers]:
    """(points, number): each place once, sorted, and the point of every vertex."""
    places = vertices + 0.0  # minus zero is zero
    order = np.lexsort(places.T[::-1])
    ranked = places[order]
    new = np.concatenate([[True], np.any(ranked[1:] != ranked[:-1], axis=1)])
    number = np.empty(len(vertices), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return ranked[new], number


def joined_parts(count: int, first: Integers, second: Integers) -> tuple[int, Integers]:
    """(number of parts, part of each of `count` things) when first[k] and second[k] hang together."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    links = coo_array((np.ones(len(first), dtype=np.int8), (first, second)), shape=(count, count))
    parts, label = connected_components(links.tocsr(), directed=False)
    return int(parts), label.astype(np.int64)


def facet_pieces(vertex_count: int, faces: Integers) -> tuple[int, Integers]:
    """(number of pieces, piece of each facet), numbered in the order of their first facets."""
    a, b, c = faces.T
    ends = np.concatenate([a, b]), np.concatenate([b, c])
    _, label = joined_parts(vertex_count, *ends)
    of_facet = label[faces[:, 0]]
    _, first, number = np.unique(of_facet, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return len(first), rank[number.reshape(-1)]


def reversed_facets(faces: Integers, edges: Edges) -> tuple[Flags, Flags]:
    """(facets to reverse so that neighbours agree, facets of one-sided surfaces, which cannot).

    Neighbours across an edge of two facets agree if they run along it in opposite directions.
    Every facet stands twice, as it is and reversed; those that must go together hang together. Of
    the two choices in a piece the one with fewer reversals is taken, of equal ones the first facet's.
    """
    count = len(faces)
    one, two = edges.paired_sides()
    against = (edges.forward[one] == edges.forward[two]) * count
    f, g = one // 3, two // 3
    first = np.concatenate([f, f + count])
    second = np.concatenate([g + against, (g + count + against) % (2 * count)])
    _, label = joined_parts(2 * count, first, second)
    one_sided = label[:count] == label[count:]
    piece = np.minimum(label[:count], label[count:])
    _, start, number = np.unique(piece, return_index=True, return_inverse=True)
    number = number.reshape(-1)
    turned = (label[:count] != label[start][number]) & ~one_sided
    many = 2 * np.bincount(number, weights=turned) > np.bincount(number)
    return (turned ^ many[number]) & ~one_sided, one_sided


def pinched_vertices(vertex_count: int, faces: Integers, edges: Edges) -> Integers:
    """Vertices where the facets form more than one fan, as where two cones meet tip to tip."""
    one, two = edges.paired_sides()
    one_end, two_end = (side - side % 3 + (side + 1) % 3 for side in (one, two))
    same = edges.forward[one] == edges.forward[two]
    first = np.concatenate([one, one_end])
    second = np.concatenate([np.where(same, two, two_end), np.where(same, two_end, two)])
    _, label = joined_parts(faces.size, first, second)
    _, start = np.unique(label, return_index=True)
    held = np.bincount(faces.ravel()[start], minlength=vertex_count)
    return np.flatnonzero(held > 1)
