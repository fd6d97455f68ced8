"""A net as knots and links, and the checks every net passes, generated or read from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import GeometryError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NORMAL, REINFORCED, BULLET, CLOSING, TETHER = range(5)
THREAD_CLASSES = ("normal", "reinforced", "bullet", "closing", "tether")


@dataclass(frozen=True, eq=False)
class NetMesh:
    """A deployed net in N axes: x along the shooting direction, y and z across the mouth.

    knots         [m], (n, 3)          links  (m, 2), knots at both ends
    lengths       [m], (m,), natural lengths of the links
    link_class    (m,), NORMAL or REINFORCED
    tether_knot   the knot that the tether holds
    corner_knots  where the first bullets go, in order around the mouth
    side_knots    between them, for twice the bullets; none if the mesh has no such knots
    mouth_knots   the perimeter of the mouth in order, from the first corner
    Around the mouth means turning about +x. All arrays are read-only.
    """

    kind: str
    knots: Floats
    links: Integers
    lengths: Floats
    link_class: Integers
    tether_knot: int
    corner_knots: Integers
    side_knots: Integers
    mouth_knots: Integers

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def knot_count(self) -> int:
        """How many knots."""
        return len(self.knots)

    @property
    def link_count(self) -> int:
        """How many links between them."""
        return len(self.links)

    @property
    def extent(self) -> Floats:
        """Largest differences of coordinates [m], (3,)."""
        return np.ptp(self.knots, axis=0)


def checked_net(
    where: str,
    kind: str,
    knots: ArrayLike,
    links: ArrayLike,
    link_class: ArrayLike,
    tether_knot: int,
    corner_knots: ArrayLike,
    side_knots: ArrayLike = (),
    mouth_knots: ArrayLike = (),
    lengths: ArrayLike | None = None,
) -> NetMesh:
    """The net of these tables, or a refusal that names `where` and the row at fault.

    Arguments as the members of `NetMesh`. Without `lengths` [m] every link is as long as its knots
    lie apart. Rows are counted from 0.
    """
    points = np.ascontiguousarray(knots, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2:
        found = f"knots of shape {points.shape}"
        raise GeometryError(where, found, "two knots or more, three coordinates", "give (n, 3)")
    if not np.isfinite(points).all():
        row = int(np.argmin(np.isfinite(points).all(axis=1)))
        found = f"knot {row} at {points[row]}"
        raise GeometryError(where, found, "finite coordinates in metres", f"fix knot {row}")
    pairs = require_links(where, np.asarray(links), len(points))
    apart = np.linalg.norm(points[pairs[:, 1]] - points[pairs[:, 0]], axis=1)
    natural = apart if lengths is None else np.ascontiguousarray(lengths, dtype=np.float64)
    _require_lengths(where, pairs, natural)
    classes = np.ascontiguousarray(link_class, dtype=np.int64)
    if classes.shape != (len(pairs),) or not np.isin(classes, (NORMAL, REINFORCED)).all():
        allowed = "one class per link, normal or reinforced"
        raise GeometryError(where, "other thread classes", allowed, "0 is normal, 1 is reinforced")
    _require_connected(where, pairs, len(points))
    tether, corners, sides, mouth = (
        _require_knots(where, name, given, len(points))
        for name, given in (
            ("tether knot", (tether_knot,)),
            ("corner knots", corner_knots),
            ("side knots", side_knots),
            ("mouth knots", mouth_knots),
        )
    )
    return NetMesh(
        kind, points, pairs, natural, classes, int(tether[0]), corners, sides, mouth
    )  # fmt: skip


def require_links(where: str, links: NDArray, knot_count: int) -> Integers:
    """Links as (m, 2) integers between different, existing knots, no two between the same two."""
    if links.ndim != 2 or links.shape[1] != 2 or len(links) == 0:
        found = f"links of shape {links.shape}"
        raise GeometryError(where, found, "one link or more, two knots each", "give (m, 2)")
    if not np.issubdtype(links.dtype, np.integer):
        found = f"links of type {links.dtype}"
        raise GeometryError(where, found, "integer knot numbers", "count knots from 0")
    pairs = np.ascontiguousarray(links, dtype=np.int64)
    dangling = np.flatnonzero((pairs < 0).any(axis=1) | (pairs >= knot_count).any(axis=1))
    if len(dangling):
        row = int(dangling[0])
        found = f"link {row} from knot {pairs[row, 0]} to knot {pairs[row, 1]}"
        allowed = f"knots 0 to {knot_count - 1}"
        raise GeometryError(where, found, allowed, f"add the knot, or drop link {row}")
    loops = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(loops):
        row = int(loops[0])
        found = f"link {row} from knot {pairs[row, 0]} to itself"
        raise GeometryError(where, found, "two different knots", f"drop link {row}")
    _, first, inverse = np.unique(
        np.sort(pairs, axis=1), axis=0, return_index=True, return_inverse=True
    )
    twice = np.flatnonzero(first[inverse.reshape(-1)] != np.arange(len(pairs)))
    if len(twice):
        row = int(twice[0])
        found = f"link {row} joins knots {pairs[row, 0]} and {pairs[row, 1]} again"
        allowed = "one link between two knots"
        raise GeometryError(where, found, allowed, f"drop link {row}, or make it reinforced")
    return pairs


def _require_lengths(where: str, pairs: Integers, lengths: Floats) -> None:
    if lengths.shape != (len(pairs),):
        found = f"{lengths.shape} natural lengths for {len(pairs)} links"
        raise GeometryError(where, found, "one per link", "leave them out to take distances")
    wrong = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0.0)))
    if len(wrong):
        row = int(wrong[0])
        found = f"link {row} from knot {pairs[row, 0]} to {pairs[row, 1]} of {lengths[row]} m"
        raise GeometryError(where, found, "a length above zero", "move or join the two knots")


def _require_connected(where: str, pairs: Integers, knot_count: int) -> None:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (knot_count, knot_count))
    pieces, label = connected_components(graph, directed=False)
    if pieces > 1:
        alone = int(np.argmax(label != label[0]))
        found = f"{pieces} pieces; knot {alone} is not joined to knot 0"
        raise GeometryError(where, found, "one piece", "add the missing links, or split the file")


def _require_knots(where: str, name: str, given: ArrayLike, knot_count: int) -> Integers:
    chosen = np.atleast_1d(np.asarray(given))
    if chosen.size == 0:
        return np.zeros(0, dtype=np.int64)
    whole = np.issubdtype(chosen.dtype, np.integer)
    inside = whole and bool(((chosen >= 0) & (chosen < knot_count)).all())
    if not inside or len(np.unique(chosen)) != len(chosen):
        found, allowed = f"{name} {_shown(chosen)}", f"different knots, 0 to {knot_count - 1}"
        raise GeometryError(where, found, allowed, f"name existing knots as {name}")
    return np.ascontiguousarray(chosen, dtype=np.int64)


def _shown(values: Sequence | NDArray) -> str:
    words = [str(value) for value in values]
    return ", ".join(words[:8]) + (", ..." if len(words) > 8 else "")
