"""The polyhedral rocks of a whole mesh: which facets to ask near a point, and the nearest rock.

A grid of cells lists the facets whose rocks can come within `margin` of a cell. Of these the rocks
are made one by one; those whose bounding ball is too far are passed over before a corner is made.
The answer is min(margin, distance to the nearest rock): exact below the margin, and never more than
the true distance, so steps of that length miss nothing.
Frame: that of the mesh. Validity: where rocks overlap and x is in several, the deepest one answers.
Source: [VanWal2018] section 2.3.1.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.counter_random import random_key
from haptos.core.errors import GeometryError
from haptos.core.jit import device, entry, routine
from haptos.core.pointers import numbers_at
from haptos.core.vectors import dot, subtract
from haptos.geometry.terrain.rock_sizes import require_rocks_per_area, require_sizes
from haptos.geometry.terrain.rocks_kept import (
    BALL,
    FACET,
    HAS_CORNERS,
    MARK,
    NEAREST,
    ROCK,
    SIZE,
    add_kept,
    begin_list,
    end_list,
    is_too_far,
    kept_centre,
    kept_corners,
    kept_count,
    kept_row,
    list_for,
    list_reach,
    put_corners,
)
from haptos.geometry.terrain.rocks_polyhedral import (
    ANY_FACE,
    DEFORMATION,
    FACE_TABLE,
    bounding_ratio,
    facet_rock_count,
    foot_on_triangle,
    polyhedral_rock_field,
    rock_corners,
    rock_field,
    rock_mark,
    rock_of_facet,
)

CITES: tuple[str, ...] = ("VanWal2018",)
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SINK = (-0.4, 0.25)  # [-] least and most sink ratio of the nominal rocks
MOST_CELLS = 4_000_000  # 16 MB of starts
MOST_ON_FACET = 100_000
LARGEST_DEFORMATION = 0.1  # [-] beyond, some rocks cut themselves
LOOK_BEYOND = (
    1.0 + 1e-6
)  # [-] square of the distance up to which faces are looked at: so that of two equally near ones the right one answers
FAR = 1e30  # [m] gap where there are no rocks at all
FLAT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # [1/m]

# facets   (m, 13): corner, two sides from it [m], unit normal, K A [-]
# key      two integers;  alpha, smallest, largest: law of sizes [-, m, m]
# deformation sigma [-];  sink_least, sink_most [-];  reach  of a rock from its facet [m]
# margin   largest gap that is found [m];  origin [m], cell [m], cells (three integers) of the grid
# starts, members: facets of each cell;  kept: address of what a thread keeps (rocks_kept), 0 if nothing
PolyhedralRocks = namedtuple(
    "PolyhedralRocks",
    "facets key alpha smallest largest deformation sink_least sink_most reach margin "
    "origin cell cells starts members kept",
)


def polyhedral_rocks(
    seed: int,
    vertices: ArrayLike,
    faces: ArrayLike,
    per_area: float,
    alpha: float,
    s_min: float,
    s_max: float,
    *,
    sink: tuple[float, float] = SINK,
    deformation: float = DEFORMATION,
    margin_m: float | None = None,
) -> PolyhedralRocks:
    """Rocks of K = `per_area` [1/m^2] on a mesh: vertices [m], shape (n, 3), faces outward, (m, 3).

    margin_m  largest distance found [m], s_max if not given; more than the reach of a probe
    """
    margin = float(s_max if margin_m is None else margin_m)
    require_rocks_per_area("polyhedral rocks", per_area)
    require_sizes("polyhedral rocks", alpha, s_min, s_max)
    _require(sink, deformation, margin)
    facets = _facet_table(vertices, faces, per_area)
    largest = float(s_max)
    reach = largest * (max(abs(sink[0]), abs(sink[1])) + bounding_ratio(deformation))
    low, high = _bounds(facets, reach + margin)
    cell = max(reach + margin, 1.01 * float(np.cbrt(np.prod(high - low) / MOST_CELLS)))
    cells = np.maximum(np.ceil((high - low) / cell).astype(int), 1)
    starts, members = _cell_lists(facets, reach + margin, low, cell, cells)
    for array in (facets, starts, members):
        array.setflags(write=False)  # kernels are compiled for such arrays
    return PolyhedralRocks(
        facets, random_key(seed, "polyhedral rocks"), float(alpha), float(s_min), largest,
        float(deformation), float(sink[0]), float(sink[1]), reach, margin,
        (float(low[0]), float(low[1]), float(low[2])), cell,
        (int(cells[0]), int(cells[1]), int(cells[2])), starts, members, 0,
    )  # fmt: skip


def no_polyhedral_rocks() -> PolyhedralRocks:
    """No rocks, to fill their place in kernels that have none; the gap is FAR everywhere."""
    facet = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    empty = polyhedral_rocks(0, facet, [[0, 1, 2]], 0.0, 2.8, 1.0, 1.0)
    return empty._replace(margin=FAR)


def _require(sink: tuple[float, float], deformation: float, margin: float) -> None:
    where = "polyhedral rocks"
    if not -1.0 <= sink[0] <= sink[1] <= 1.0:
        raise GeometryError(where, f"sink ratios {sink}", "-1 <= least <= most <= 1", f"use {SINK}")
    if not 0.0 <= deformation <= LARGEST_DEFORMATION:
        raise GeometryError(
            where, f"deformation {deformation}", f"0 to {LARGEST_DEFORMATION}", f"use {DEFORMATION}"
        )
    if not 0.0 < margin < math.inf:
        raise GeometryError(where, f"a margin of {margin} m", "above 0 m", "use the probe's reach")


def _facet_table(vertices: ArrayLike, faces: ArrayLike, per_area: float) -> Floats:
    points = np.asarray(vertices, dtype=np.float64)
    corners = np.asarray(faces, dtype=np.int64)
    a, b, c = (points[corners[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    twice = np.linalg.norm(across, axis=1)
    if not np.all(twice > 0.0):
        row = int(np.flatnonzero(~(twice > 0.0))[0])
        raise GeometryError(
            "polyhedral rocks", f"facet {row} without area", "facets with area", "repair the mesh"
        )
    expected = 0.5 * per_area * twice
    if expected.max() > MOST_ON_FACET:
        raise GeometryError(
            "polyhedral rocks",
            f"{expected.max():.3g} rocks on one facet",
            f"{MOST_ON_FACET} at most",
            "split the facets, or take fewer rocks",
        )
    parts = [a, b - a, c - a, across / twice[:, None], expected[:, None]]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def _bounds(facets: Floats, pad: float) -> tuple[Floats, Floats]:
    a = facets[:, 0:3]
    corners = np.stack([a, a + facets[:, 3:6], a + facets[:, 6:9]])
    return corners.min(axis=(0, 1)) - pad, corners.max(axis=(0, 1)) + pad


def _cell_lists(
    facets: Floats, pad: float, low: Floats, cell: float, cells: Integers
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(starts, members) of the facets that may have something within `pad` of each cell."""
    starts = np.zeros(int(np.prod(cells)) + 1, dtype=np.int32)
    list_facets(facets, pad, low, cell, cells, starts, np.zeros(0, dtype=np.int32))
    np.cumsum(starts.copy(), out=starts)
    members = np.zeros(max(int(starts[-1]), 1), dtype=np.int32)
    list_facets(facets, pad, low, cell, cells, starts.copy(), members)
    return starts, members


@device
def facet_span(facets, row, axis, pad):
    """(least, most) coordinate [m] of a facet along an axis, widened by `pad`."""
    a = facets[row, axis]
    b, c = a + facets[row, axis + 3], a + facets[row, axis + 6]
    return min(a, min(b, c)) - pad, max(a, max(b, c)) + pad


@entry
def list_facets(facets, pad, low, cell, cells, starts, members):
    """Count the facets of cell q in starts[q + 1], or with members put them from starts[q] on."""
    first, last = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    for row in range(len(facets)):
        for axis in range(3):
            least, most = facet_span(facets, row, axis, pad)
            first[axis] = max(math.floor((least - low[axis]) / cell), 0)
            last[axis] = min(math.floor((most - low[axis]) / cell), cells[axis] - 1)
        nx, ny, nz = facets[row, 9], facets[row, 10], facets[row, 11]
        slab = pad + 0.5 * cell * (abs(nx) + abs(ny) + abs(nz)) * (1.0 + 1e-9)
        for i in range(first[0], last[0] + 1):
            rise_x = nx * (low[0] + (i + 0.5) * cell - facets[row, 0])
            for j in range(first[1], last[1] + 1):
                rise_y = ny * (low[1] + (j + 0.5) * cell - facets[row, 1])
                for k in range(first[2], last[2] + 1):
                    rise = rise_x + rise_y + nz * (low[2] + (k + 0.5) * cell - facets[row, 2])
                    if abs(rise) > slab:
                        continue
                    q = (i * cells[1] + j) * cells[2] + k
                    if len(members) == 0:
                        starts[q + 1] += 1
                    else:
                        members[starts[q]] = row
                        starts[q] += 1


@device
def cell_of(rocks, x):
    """Cell of the point x [m], or -1 outside the grid."""
    i = (x[0] - rocks.origin[0]) / rocks.cell
    j = (x[1] - rocks.origin[1]) / rocks.cell
    k = (x[2] - rocks.origin[2]) / rocks.cell
    n = rocks.cells
    if not (0.0 <= i < n[0] and 0.0 <= j < n[1] and 0.0 <= k < n[2]):
        return -1
    return (int(i) * n[1] + int(j)) * n[2] + int(k)


@device
def facet_is_near(rocks, facet, x, gap):
    """Whether a rock of the facet can be nearer to x [m] than `gap` [m]."""
    t = rocks.facets
    p = (x[0] - t[facet, 0], x[1] - t[facet, 1], x[2] - t[facet, 2])
    limit = rocks.reach + gap
    if abs(p[0] * t[facet, 9] + p[1] * t[facet, 10] + p[2] * t[facet, 11]) > limit:
        return False
    b = (t[facet, 3], t[facet, 4], t[facet, 5])
    c = (t[facet, 6], t[facet, 7], t[facet, 8])
    d = subtract(p, foot_on_triangle(p, (0.0, 0.0, 0.0), b, c))
    return dot(d, d) <= limit * limit


@routine
def polyhedral_rocks_field(rocks, x, share, most):
    """(gap [m], unit normal, Hessian [1/m], found) of the point x [m] from the nearest rock with mark < share.

    Only rocks nearer than `most` [m], at most the margin, are found; without one: (that, zeros, zeros, False).
    """
    start, cell = min(rocks.margin, most), cell_of(rocks, x)
    if cell < 0 or share <= 0.0:
        return start, (0.0, 0.0, 0.0), FLAT, False
    if rocks.kept != 0:
        kept = kept_list(rocks, cell, x, start)
        if kept >= 0:
            return kept_field(numbers_at(rocks.kept), kept, rocks, x, share, start)
    return made_field(rocks, cell, x, share, start)


@routine
def made_field(rocks, cell, x, share, gap):
    """`polyhedral_rocks_field` of the rocks of a cell nearer than `gap` [m], all made anew."""
    normal, hessian, found = (0.0, 0.0, 0.0), FLAT, False
    for member in range(rocks.starts[cell], rocks.starts[cell + 1]):
        facet = 0 + rocks.members[member]  # of 64 bits: one compiled rock for all callers
        if not facet_is_near(rocks, facet, x, gap):
            continue
        for rock in range(facet_rock_count(rocks, facet)):
            centre, _, ball = rock_of_facet(rocks, facet, rock)
            d = subtract(x, centre)
            square, limit = dot(d, d), gap + ball
            if limit <= 0.0 or square >= limit * limit:
                continue
            if share < 1.0 and rock_mark(rocks, facet, rock) >= share:
                continue
            this_gap, this_normal, this_hessian = polyhedral_rock_field(rocks, facet, rock, x)
            if this_gap < gap:
                gap, normal, hessian, found = this_gap, this_normal, this_hessian, True
    return gap, normal, hessian, found


@routine
def kept_list(rocks, cell, x, gap):
    """Which list a thread keeps for the point x [m] of a cell and rocks nearer than `gap` [m], made if none fits; -1: too many rocks."""
    numbers = numbers_at(rocks.kept)
    found = list_for(numbers, cell, x, gap)
    if found >= 0 or is_too_far(numbers, gap):
        return found
    at = begin_list(numbers, cell, x, gap, rocks.smallest)
    reach, has_room = list_reach(numbers, at), True
    for member in range(rocks.starts[cell], rocks.starts[cell + 1]):
        facet = 0 + rocks.members[member]
        if not has_room or not facet_is_near(rocks, facet, x, reach):
            continue
        for rock in range(facet_rock_count(rocks, facet)):
            centre, size, ball = rock_of_facet(rocks, facet, rock)
            d = subtract(x, centre)
            if dot(d, d) < (reach + ball) * (reach + ball):
                mark = rock_mark(rocks, facet, rock)
                has_room = has_room and add_kept(numbers, at, facet, rock, centre, size, ball, mark)
    return end_list(numbers, at, has_room, rocks.smallest)


@routine
def kept_field(numbers, at, rocks, x, share, gap):
    """As `made_field`, of the rocks of a list that is kept: of equally near ones the first, and the same bits.

    The one that was nearest is asked before the others. Of these only faces nearer than what is found so far are looked at, but where x may be inside.
    """
    normal, hessian, which = (0.0, 0.0, 0.0), FLAT, -1
    count, last = kept_count(numbers, at), int(numbers[at + NEAREST])
    for turn in range(count + 1):
        i = last if turn == 0 else turn - 1
        if i >= count or (turn > 0 and i == last):
            continue
        row = kept_row(at, i)
        d = subtract(x, kept_centre(numbers, row))
        square, limit = dot(d, d), gap + numbers[row + BALL]
        if limit <= 0.0 or square >= limit * limit or numbers[row + MARK] >= share:
            continue
        size = numbers[row + SIZE]
        if numbers[row + HAS_CORNERS] == 0.0:
            facet, rock = int(numbers[row + FACET]), int(numbers[row + ROCK])
            put_corners(numbers, row, rock_corners(rocks, facet, rock, size))
        is_outside = square > numbers[row + BALL] * numbers[row + BALL]
        most = LOOK_BEYOND * gap * gap if is_outside else ANY_FACE
        this_gap, this_normal, this_hessian = rock_field(d, kept_corners(numbers, row), size, most)
        if this_gap < gap or (this_gap == gap and i < which):
            gap, normal, hessian, which = this_gap, this_normal, this_hessian, i
    if which >= 0:
        numbers[at + NEAREST] = which
    return gap, normal, hessian, which >= 0


@device
def polyhedral_rocks_distance(rocks, x, share, most):
    """(gap [m], unit normal, found) of `polyhedral_rocks_field`."""
    gap, normal, _, found = polyhedral_rocks_field(rocks, x, share, most)
    return gap, normal, found


@entry
def fill_corners(rocks, facet, rock, corners):
    """Corners of one rock [m] into an array of shape (12, 3)."""
    centre, size, _ = rock_of_facet(rocks, facet, rock)
    found = rock_corners(rocks, facet, rock, size)
    for i in range(12):
        for axis in range(3):
            corners[i, axis] = centre[axis] + found[i][axis]


@entry
def facet_rocks(rocks, facet):
    """Number of rocks of a facet."""
    return facet_rock_count(rocks, facet)


def polyhedral_rock_meshes(
    rocks: PolyhedralRocks, facets: ArrayLike, share: float = 1.0
) -> tuple[Floats, Integers]:
    """(vertices [m], faces) of all rocks of the given facets with mark < share, one after the other."""
    vertices: list[Floats] = []
    for facet in np.asarray(facets, dtype=np.int64).ravel().tolist():
        for rock in range(facet_rocks(rocks, facet)):
            if rock_mark(rocks, facet, rock) < share:
                vertices.append(np.empty((12, 3)))
                fill_corners(rocks, facet, rock, vertices[-1])
    triangles = FACE_TABLE.astype(np.int64)
    faces = [triangles + 12 * number for number in range(len(vertices))]
    return np.reshape(vertices, (-1, 3)), np.reshape(faces, (-1, 3)).astype(np.int64)
