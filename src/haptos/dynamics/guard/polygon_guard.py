"""Was a contact by polygons one that its law describes? Asked of poses of a run, apart from the sets of the contact.

    depth     deepest node over the thickness of the reference there: in a thin wall normals turn to its far side at one half;
              infinite if the far side of the sampled body presses too, since it is sunk as a whole
    leaves    error of the elastic energy over the largest of the run, by its change with leaves twice as large: order 2
    hidden    depth of points of the reference in the sampled body, over that of nodes in the reference: a corner of the
              reference that is smaller than a leaf hides in it

Frame: axes of the reference A. Validity: poses close enough to each other to show the worst of a run. Source: ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from haptos.contact.sets.polygons_pair import PolygonPair, PressureMap
from haptos.contact.sets.polygons_sum import DEPTH, ELASTIC
from haptos.core.rotations import rotation_matrices
from haptos.geometry.distance.reference import Reference, gaps_of
from haptos.geometry.distance.thickness import thickness_below
from haptos.geometry.mesh.curved_faces import CurvedFaces

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]

# [-] error of a result of second order over its change when sizes are halved, or doubled
FINER_SHARE, COARSER_SHARE = 4.0 / 3.0, 1.0 / 3.0
FAR_SHARE = 0.01  # [-] of the pressure on the far side of B, at most
LOOKS_AWAY = 0.5  # [-] cosine between the normals of a polygon and of A: it is on the far side
FINER_ROOM = 4  # [-] leaves of half the size over those of the run
NODES_ASKED = 64  # deepest nodes of a pose whose thickness is asked
NEARLY = 0.5  # [-] of the deepest node: nodes that are asked; the thickest place of them counts
OFF_EDGES = (
    1e-3  # [-] of their way to the middle of all: nodes on edges have no thickness below them
)


@dataclass(frozen=True, eq=False)
class Poses:
    """Places (n, 3) [m] of B in A, quat_AB (n, 4) and spreads (n,) of B's shape."""

    place: Floats
    quaternion: Floats
    spread: Floats

    def at(self, row: int) -> Poses:
        """One of them."""
        one = slice(row, row + 1)
        return Poses(self.place[one], self.quaternion[one], self.spread[one])


def energies(pair: PolygonPair, poses: Poses) -> tuple[Floats, Floats]:
    """(elastic energy [J], deepest node [m]) of poses."""
    found = pair.new_set()
    rows = [
        pair.sums(
            poses.place[i], poses.quaternion[i], spreads=(0.0, float(poses.spread[i])), found=found
        )[0]
        for i in range(len(poses.place))
    ]
    return np.array([row[ELASTIC] for row in rows]), np.array([row[DEPTH] for row in rows])


def leaf_error(pair: PolygonPair, other: CurvedFaces, poses: Poses) -> float:
    """Error [-] of the elastic energy by the size of leaves, over the largest energy; other: leaves twice or half as large."""
    order = other.levels - pair.faces.levels
    own = energies(pair, poses)[0]
    changed = energies(replace(pair, faces=other, capacity=FINER_ROOM * pair.capacity), poses)[0]
    largest = max(float(own.max(initial=0.0)), float(changed.max(initial=0.0)))
    if largest == 0.0:
        return 0.0
    share = FINER_SHARE if order > 0 else COARSER_SHARE
    return share * float(np.abs(changed - own).max()) / largest


def depth_share(pair: PolygonPair, pose: Poses) -> float:
    """Deepest nodes of one pose over the thickness of the reference there; inf if the far side of B presses."""
    found = pair.pressure_map(
        pose.place[0], pose.quaternion[0], spreads=(0.0, float(pose.spread[0]))
    )
    deepest = float(found.depth.max(initial=0.0))
    if deepest <= 0.0:
        return 0.0
    if _far_share(pair.reference, found) > FAR_SHARE:
        return math.inf
    chosen = np.flatnonzero(found.depth >= NEARLY * deepest)
    points = found.nodes[chosen[np.argsort(-found.depth[chosen])[:NODES_ASKED]]]
    points = points + OFF_EDGES * (points.mean(axis=0) - points)
    gaps, n, _ = gaps_of(pair.reference, points)
    longest = 4.0 * max(pair.faces.size, deepest)
    below = thickness_below(pair.reference, points - gaps[:, None] * n, n, longest)
    return deepest / float(below.max())


def _far_share(reference: Reference, found: PressureMap) -> float:
    """Share of the pressure that acts on polygons that look away from the reference."""
    a, b, c = (found.nodes[found.corners[:, k]] for k in range(3))
    across = 0.5 * np.cross(b - a, c - a)
    _, n, _ = gaps_of(reference, (a + b + c) / 3.0)
    load = found.pressure[found.corners].mean(axis=1) * np.linalg.norm(across, axis=1)
    looks_away = np.einsum("ni,ni->n", across, n) > LOOKS_AWAY * np.linalg.norm(across, axis=1)
    return float(load[looks_away].sum() / load.sum()) if load.sum() > 0.0 else 0.0


def hidden_depth(sampled: Reference, points: Floats, poses: Poses) -> float:
    """Depth [m] of points (n, 3) [m] of the reference in the sampled body, the largest of all poses."""
    worst = -math.inf
    for place, dcm, spread in zip(
        poses.place, rotation_matrices(poses.quaternion), poses.spread, strict=True
    ):
        worst = max(worst, -float(gaps_of(sampled, (points - place) @ dcm, float(spread))[0].min()))
    return max(worst, 0.0)
