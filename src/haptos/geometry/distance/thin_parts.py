"""Parts of a body, and gaps in it, that are thin against a length: what a grid of that spacing could miss.

From points spread evenly over the surface a ray goes inwards (through the body) or outwards (through a gap), along
the normal of the facet, to the surface on the other side. Its length is the thickness there. Beside every sharp edge
rays are short; a part is thin only where short rays are many, or stand alone:

    A(r) >= 0.4 of a plate's two sides within r = 3 spacings,      or no long ray starts within r

so edges with angles above some 30 degrees, and bumps of a spacing or two, do not count, and plates, shells, blades and needles do.
Source: ours.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from haptos.geometry.distance.distance_mesh import Mesh, mesh_distances
from haptos.geometry.mesh.facet_measures import facet_areas
from haptos.geometry.mesh.ray_cast import segments_met
from haptos.geometry.mesh.tessellation import face_normals
from haptos.geometry.mesh.triangle_tree import Tree

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]

PER_SQUARE = 2.0  # points per square of the spacing
FEWEST, MOST = 2_000, 200_000  # points
NEAR = 3.0  # [spacings] radius of what counts as one place
COVERED = 0.4  # [-] of a plate's two sides there; a wedge of 30 degrees that is missed has 0.37, a plate as thin as the spacing 0.44
HALVINGS = 14  # of a ray: its length to 1e-4 of the longest
LIFTED = 1e-6  # [longest rays] start of a ray off its facet
LOOKED_AT = 4_000  # short rays whose surroundings are looked at
ROUNDS = 4  # of refinement
CELLS = 3.0  # spacings in the thickness of a part, chosen if nothing is said
OPPOSED = -0.9  # [-] product of the normals of a plate's two sides, at most; assumed
THIN = 1.5  # [spacings] thickness of parts that a grid may miss
INWARDS, OUTWARDS = -1.0, 1.0
# Fractions of the plane's most even sequence of points (additive recurrence with the plastic number).
PLASTIC = (0.7548776662466927, 0.5698402909980532)

# points, normals (n, 3)   area [m^2] of the surface per point
Samples = namedtuple("Samples", "points normals area")


def surface_samples(vertices: Floats, faces: Integers, spacing: float) -> Samples:
    """Points [m] spread evenly over a mesh, some per square of the spacing [m]; always the same."""
    areas = facet_areas(vertices, faces)
    ends = np.cumsum(areas)
    count = int(np.clip(math.ceil(PER_SQUARE * ends[-1] / spacing**2), FEWEST, MOST))
    number = np.arange(count)
    chosen = np.searchsorted(ends, (number + 0.5) / count * ends[-1]).clip(0, len(areas) - 1)
    u, v = (np.mod(0.5 + fraction * number, 1.0) for fraction in PLASTIC)
    folded = u + v > 1.0
    u, v = np.where(folded, 1.0 - u, u)[:, None], np.where(folded, 1.0 - v, v)[:, None]
    a, b, c = (vertices[faces[chosen, k]] for k in range(3))
    points = a + u * (b - a) + v * (c - a)
    return Samples(points, face_normals(vertices, faces)[chosen], float(ends[-1]) / count)


def thicknesses(tree: Tree, samples: Samples, side: float, longest: float) -> Floats:
    """Length [m] of the ray from each point to the surface opposite; infinite beyond `longest` [m].

    side  INWARDS through the body, OUTWARDS through what lies beside it
    """
    along = side * samples.normals
    starts = samples.points + LIFTED * longest * along
    found = np.full(len(starts), math.inf)
    met = np.flatnonzero(segments_met(tree, starts, samples.points + longest * along))
    low, high = np.zeros(len(met)), np.full(len(met), longest)
    for _ in range(HALVINGS if len(met) else 0):
        middle = 0.5 * (low + high)
        ends = (
            samples.points[met] + np.maximum(middle, 2.0 * LIFTED * longest)[:, None] * along[met]
        )
        is_met = segments_met(tree, starts[met], ends)
        low, high = np.where(is_met, low, middle), np.where(is_met, middle, high)
    found[met] = high
    return found


def crowded(samples: Samples, chosen: Booleans, spacing: float) -> Integers:
    """Those of the chosen points that cover much of a plate around them, or have no other point near."""
    own = np.flatnonzero(chosen)
    own = own[:: max(1, len(own) // LOOKED_AT)]
    if len(own) == 0:
        return own
    radius = NEAR * max(math.sqrt(PER_SQUARE * samples.area), spacing)
    points, others = samples.points[own], samples.points[~chosen]
    count = cKDTree(samples.points[chosen]).query_ball_point(points, radius, return_length=True)
    is_plate = count * samples.area >= COVERED * 2.0 * math.pi * radius**2
    is_alone = np.ones(len(own), dtype=bool)
    if len(others):
        is_alone = cKDTree(others).query(points)[0] > radius
    return np.asarray(own[is_plate | is_alone])


def thin_part(vertices: Floats, faces: Integers, mesh: Mesh, spacing: float) -> float:
    """Middle thickness [m] of the plates, shells, rods and gaps that a grid of that spacing [m] may miss; infinite if
    there are none. Sides that lean by more than some 26 degrees make an edge, not a plate."""
    samples = surface_samples(vertices, faces, spacing)
    normals, thinnest = face_normals(vertices, faces), math.inf
    for side in (INWARDS, OUTWARDS):
        thick = thicknesses(mesh.tree, samples, side, THIN * spacing)
        is_thin = np.isfinite(thick)
        along = (side * thick[is_thin])[:, None] * samples.normals[is_thin]
        opposite = normals[mesh_distances(mesh, samples.points[is_thin] + along)[2]]
        is_thin[is_thin] = np.sum(opposite * samples.normals[is_thin], axis=1) < OPPOSED
        own = crowded(samples, is_thin, spacing)
        if len(own):
            thinnest = min(thinnest, float(np.median(thick[own])))
    return thinnest


def resolving_spacing(
    vertices: Floats, faces: Integers, mesh: Mesh, spacing: float, least: float
) -> float:
    """The spacing [m], or less where parts of the body or gaps in it are thin: a third of their thickness.

    least  [m] below which it does not go
    """
    for _ in range(ROUNDS):
        thinnest = thin_part(vertices, faces, mesh, spacing)
        if math.isinf(thinnest) or thinnest / CELLS < least:
            break
        spacing = thinnest / CELLS
    return spacing
