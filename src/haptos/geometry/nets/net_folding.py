"""Folding a net into its canister so that no element is longer than its natural length.

C axes: x out of the opening, which lies at x = 0; y and z across it. A folding is free of stress if

    |p_i - p_j| <= L_ij   for every element                                                      (1)

Each condition is convex, so every mixture (1 - q) p + q p' of two such foldings is one again.
regular   deployed coordinates shrunk to the footprint, and stacked in depth with the middle (or apex)
          deepest; the depth used is the largest that (1) and the canister allow
random    uniform points in the canister; elements that are too long pull their ends together until (1)
          holds, and what is left after MOST_ROUNDS is mixed with the regular folding until it does
blended   the mixture of both, q from 0 (regular) to 1 (random)
Held points (bullets, the tether's end) stay where they are; only nodes near them leave the canister.
Validity: threads without thickness that pass through each other; the volume of thread is compared with
that of the canister and nothing else. Friction and the way of packing are left out.
Source: patterns [Salvi2014] sections 5.4.1 and 6.3.2; the construction is ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from haptos.core.errors import GeometryError
from haptos.core.random_streams import stream
from haptos.geometry.nets.net_topology import Floats, Integers

CITES: tuple[str, ...] = ("Salvi2014",)

SHORTER = 1.0 - 1e-9  # [-] foldings stay below natural lengths by more than rounding
PULLED = 0.95  # [-] of natural length to which too long elements pull: an aim inside the set
MOST_ROUNDS = 2000  # [-] of pulling together


@dataclass(frozen=True, slots=True)
class Canister:
    """Box with its opening at x = 0: depth [m] along -x, width along y, height along z."""

    depth: float
    width: float
    height: float

    def __post_init__(self) -> None:
        for name in ("depth", "width", "height"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0.0):
                found, hint = f"{name} = {value}", f"give {name} in metres"
                raise GeometryError("canister", found, "a finite number above zero", hint)

    @property
    def volume(self) -> float:
        """[m^3]"""
        return self.depth * self.width * self.height


def stretch(positions: ArrayLike, elements: Integers, lengths: Floats) -> Floats:
    """Length over natural length of every element [-], (e,); above 1 it pulls."""
    ends = np.asarray(positions, dtype=float)[elements]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / lengths


def require_unstretched(
    where: str, positions: ArrayLike, elements: Integers, lengths: Floats
) -> None:
    """Refuse positions at which an element is longer than its natural length."""
    ratio = stretch(positions, elements, lengths)
    worst = int(np.argmax(ratio))
    if not ratio[worst] <= 1.0:
        first, second = elements[worst]
        found = f"element {worst} from node {first} to {second} at {ratio[worst]:.6g} of its length"
        allowed = "no element longer than its natural length at the start"
        raise GeometryError(where, found, allowed, "fold it smaller, or move what holds it")


def folded(
    positions: ArrayLike,
    elements: Integers,
    lengths: Floats,
    canister: Canister,
    *,
    random_share: float = 0.0,
    seed: int = 0,
    held: ArrayLike = (),
    held_points: ArrayLike = (),
    thread_volume: float = 0.0,
) -> Floats:
    """Folded positions [m] in C axes, of the shape of `positions`.

    positions      [m], (n, 3), deployed, in N axes (x: shooting direction)
    elements, lengths   (e, 2) and [m], (e,), natural
    random_share   q [-]: 0 regular, 1 random          seed  of the random points
    held           nodes that must lie at held_points [m], (h, 3), in C axes
    thread_volume  [m^3]; refused if it exceeds that of the canister
    """
    where = "folding of the net"
    if not 0.0 <= random_share <= 1.0:
        found = f"random_share = {random_share}"
        raise GeometryError(where, found, "0 (regular) to 1 (random)", "random_share = 0.5")
    if not thread_volume <= canister.volume:
        found = f"{thread_volume:.4g} m^3 of thread for {canister.volume:.4g} m^3 of canister"
        raise GeometryError(where, found, "less thread than room", "a larger canister")
    deployed = np.asarray(positions, dtype=float)
    pins = np.atleast_1d(np.asarray(held, dtype=np.int64))
    places = np.asarray(held_points, dtype=float).reshape(-1, 3)
    _require_pins(where, pins, places, len(deployed))
    regular = _regular(deployed, elements, lengths, canister)
    if len(pins):
        _require_reach(where, pins, places, elements, lengths, len(deployed))
        regular = _pulled_together(regular, elements, lengths, pins, places)
        if not (stretch(regular, elements, lengths) <= 1.0).all():
            found = "held points between which the net cannot hang loose"
            allowed = "no element longer than its natural length"
            raise GeometryError(where, found, allowed, "move bullets closer to the canister")
    if random_share == 0.0:
        return regular
    low = np.array([-canister.depth, -0.5 * canister.width, -0.5 * canister.height])
    high = np.array([0.0, 0.5 * canister.width, 0.5 * canister.height])
    scattered = stream(seed, 0, "net folding").uniform(low, high, deployed.shape)
    random = _pulled_together(scattered, elements, lengths, pins, places)
    random = _towards(regular, random, elements, lengths)
    mixed = regular + random_share * (random - regular)  # held points to the last bit
    require_unstretched(where, mixed, elements, lengths)
    return mixed


def _regular(deployed: Floats, elements: Integers, lengths: Floats, canister: Canister) -> Floats:
    """The regular folding [m], (n, 3), C axes, of deployed places [m], (n, 3)."""
    low, high = deployed.min(axis=0), deployed.max(axis=0)
    middle, extent = 0.5 * (low + high), high - low
    room = np.array([canister.width, canister.height])
    across = (deployed - middle)[:, 1:]
    scale = np.minimum(SHORTER, room / np.maximum(extent[1:], 1e-300))
    across = across * scale
    flat = np.linalg.norm(np.diff(across[elements], axis=1)[:, 0], axis=1)
    tightest = float(np.min(SHORTER * lengths / np.maximum(flat, 1e-300)))
    across *= min(1.0, tightest)
    flat *= min(1.0, tightest)
    if extent[0] > 1e-9 * max(extent.max(), 1e-300):
        height = (deployed[:, 0] - high[0]) / extent[0]  # -1 at the apex, 0 at the mouth
    else:
        half = np.maximum(np.abs(across).max(axis=0), 1e-300)
        height = (np.abs(across) / half).max(axis=1) - 1.0  # -1 in the middle, 0 at the rim
    rise = np.abs(np.diff(height[elements], axis=1)[:, 0])
    spare = np.sqrt(np.maximum((SHORTER * lengths) ** 2 - flat**2, 0.0))
    steps = rise > 0.0
    depth = float(np.min(spare[steps] / rise[steps])) if steps.any() else 0.0
    return np.column_stack([min(depth * SHORTER, canister.depth) * height, across])


def _pulled_together(
    start: Floats, elements: Integers, lengths: Floats, pins: Integers, places: Floats
) -> Floats:
    """Positions after each too long element drew its ends to PULLED of its length, over and over.

    A node moves by the mean of what its elements ask, so it never leaves the convex hull of all.
    """
    points = start.copy()
    points[pins] = places
    is_held = np.zeros(len(points), dtype=bool)
    is_held[pins] = True
    free = ~is_held[elements]
    shares = free / np.maximum(free.sum(axis=1, keepdims=True), 1)  # a held end moves nothing
    both = elements.T.reshape(-1)
    for _ in range(MOST_ROUNDS):
        apart = points[elements[:, 1]] - points[elements[:, 0]]
        long = np.linalg.norm(apart, axis=1)
        excess = np.where(long > SHORTER * lengths, long - PULLED * lengths, 0.0)
        if not excess.any():
            break
        pull = apart * (excess / np.maximum(long, 1e-300))[:, None]
        moves = np.concatenate([pull * shares[:, :1], -pull * shares[:, 1:]])
        asked = np.bincount(both, np.tile(excess > 0.0, 2), minlength=len(points))
        for axis in range(3):
            total = np.bincount(both, moves[:, axis], minlength=len(points))
            points[:, axis] += total / np.maximum(asked, 1.0)
        points[pins] = places
    return points


def _towards(safe: Floats, wanted: Floats, elements: Integers, lengths: Floats) -> Floats:
    """The farthest point on the way from a safe folding to a wanted one that satisfies (1)."""
    here = np.diff(safe[elements], axis=1)[:, 0]
    change = np.diff(wanted[elements], axis=1)[:, 0] - here
    a = np.einsum("ei,ei->e", change, change)
    b = np.einsum("ei,ei->e", here, change)
    c = np.einsum("ei,ei->e", here, here) - (SHORTER * lengths) ** 2
    over = (a + 2.0 * b + c > 0.0) & (a > 0.0)
    if not over.any():
        return wanted
    a, b, c = a[over], b[over], np.minimum(c[over], 0.0)
    root = np.sqrt(b * b - a * c)
    farthest = np.where(b > 0.0, -c / np.where(b > 0.0, b + root, 1.0), (root - b) / a)
    share = float(np.clip(farthest.min(), 0.0, 1.0)) * SHORTER
    return safe + share * (wanted - safe)


def _require_pins(where: str, pins: Integers, places: Floats, count: int) -> None:
    """Held nodes must exist, each once and with a point [m] of its own."""
    if len(pins) != len(places) or len(np.unique(pins)) != len(pins):
        found = f"{len(pins)} held nodes and {len(places)} held points"
        raise GeometryError(where, found, "one point per held node, each once", "check both lists")
    if len(pins) and not ((pins >= 0) & (pins < count)).all():
        found, allowed = f"held nodes {pins.min()} to {pins.max()}", f"nodes 0 to {count - 1}"
        raise GeometryError(where, found, allowed, "name existing nodes")
    if not np.isfinite(places).all():
        raise GeometryError(where, "held points that are no numbers", "metres", "fix them")


def _require_reach(
    where: str, pins: Integers, places: Floats, elements: Integers, lengths: Floats, count: int
) -> None:
    """Two held points must not lie farther apart than the shortest way along the threads."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import dijkstra

    graph = coo_array((lengths, (elements[:, 0], elements[:, 1])), (count, count))
    along = dijkstra(graph.tocsr(), directed=False, indices=pins)[:, pins]
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    over = apart - along
    if (over > 0.0).any():
        first, second = np.unravel_index(int(np.argmax(over)), over.shape)
        found = (
            f"nodes {pins[first]} and {pins[second]} held {apart[first, second]:.4g} m apart, "
            f"with {along[first, second]:.4g} m of thread between"
        )
        raise GeometryError(where, found, "held points within reach", "move bullets closer")
