"""Procedurally seeded rocks: a cube of rocks that fills all space, added to the distance of a ground.

    d(x) = d_ground(x) + d_PSR(x),   d_PSR = smin(0, smin over rocks of d_r(x)) <= 0
    smin(a, b) = min(a, b) - max(eps - |a - b|, 0)^2/(4 eps)          the minimum with a fillet
    K3 = K L/dbar                          rocks in the cube, for K rocks on its side L^2

    d_r   generalised distance of one rock [m], Eq. (2.37): geometry/terrain/rock_shape.py
    L     side of the periodic cube [m]     dbar  mean diameter of the rocks [m]
    eps   fillet [m] of the creases where a rock meets the ground or another rock; 0 is the plain minimum
Rocks have random places, attitudes and diameters 2 R of the law of Eq. (2.23). The cube is laid without
visible repetition by the eight blended tilings of geometry/terrain/aperiodic_tiling.py. Only rocks that
hold x, or nearly so, count: no field is sampled, a grid of buckets lists the rocks near x and the few
are evaluated exactly. Rocks are joined in the order of their rows. In a crease without fillet the
normal jumps, and a vertex that lies in it is thrown between the two for ever. A rock exists where its mark, uniform in [0, 1), is below the `share` asked for.

What the count gives: a plane cuts K b/dbar rocks per area, b the mean over the rocks of their mean
width, 1.15 times the diameter for icosahedra; and it cuts large rocks more often than small ones, so
those that show follow the index alpha - 1. With `exposed_law` the number in the cube and the radii
are such that the rocks cut by a plane are K per area and follow the law itself.
Frame: that of x. Validity: the sum keeps no distance, its gradient is at most 1 + `steepest`; clipped
rocks are lower than they are wide (a sphere centred in the ground stands R/2 high); where tilings
blend, two fields of lower rocks show.
Source: [VanWal2018] section 2.3.3; cuts of a plane: [Santalo1976].
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import device, entry, routine
from haptos.core.random_streams import stream
from haptos.core.rotations import apply, apply_transposed, rotation_matrices
from haptos.core.symmetric import turned_back
from haptos.core.vectors import add_scaled, subtract
from haptos.geometry.terrain.aperiodic_tiling import (
    TILINGS,
    steepest_blend,
    tiling_blend,
    tiling_place,
    tiling_table,
    tiling_turn,
)
from haptos.geometry.terrain.noise import noise_lattice
from haptos.geometry.terrain.rock_shape import (
    largest_term,
    shape_at,
    shape_directions,
    shape_mean_width,
    shape_reach,
    shape_value,
)
from haptos.geometry.terrain.rock_sizes import (
    mean_power,
    mean_size,
    require_rocks_per_area,
    require_sizes,
    rock_size,
)

CITES: tuple[str, ...] = ("VanWal2018", "Santalo1976")
Floats = NDArray[np.float64]

CUBE = 8.0  # [-] default side of the cube in largest diameters: room for many rocks, still in cache
INDEX_CELL = 4.0  # [-] default cell of the tiling index in cube sides: keeps the blend gentle
BUCKET = (
    1.6  # [-] side of a bucket in smallest diameters: 1 to 2 cost the same, larger take less memory
)
MOST_BUCKETS = 96  # along one side
MOST_ROCKS = 2_000_000
SHARPNESS = 100.0  # [-] p of the published pictures
FILLET = 0.02  # [-] eps in smallest diameters: as fine as the edges at that sharpness; assumed

# rocks       (n, 16): centre [m], R [m], square of the reach [m^2], mark [-], attitude by rows, 0
# starts      (buckets^3 + 1,) and members (m,): the rocks that reach into each bucket
# directions  (k, 3) unit vectors of the shape;  sharpness p [-];  side L [m]
# buckets     number along a side;  tilings (8, 12);  lattice and frequency [1/m] of the tiling index
# deepest     largest |d_PSR| [m];  steepest  bound on the length of its gradient [-]
# fillet      eps [m]
SeededRocks = namedtuple(
    "SeededRocks",
    "rocks starts members directions sharpness side buckets tilings lattice frequency "
    "deepest steepest fillet",
)


def seeded_rocks(
    seed: int,
    per_area: float,
    alpha: float,
    s_min: float,
    s_max: float,
    *,
    cube_m: float | None = None,
    index_m: float | None = None,
    shape: str = "icosahedron",
    sharpness: float = SHARPNESS,
    fillet: float = FILLET,
    exposed_law: bool = False,
) -> SeededRocks:
    """Rocks of K = `per_area` [1/m^2] above s_min [m] with index alpha, fixed by the seed.

    fillet  eps in s_min [-], 0 to 0.1
    """
    directions = shape_directions(shape)
    reach = shape_reach(directions)
    side = CUBE * s_max if cube_m is None else float(cube_m)
    cell = INDEX_CELL * side if index_m is None else float(index_m)
    _require(per_area, alpha, s_min, s_max, sharpness, side, cell, reach)
    if not 0.0 <= fillet <= 0.1:
        raise GeometryError("seeded rocks", f"fillet {fillet}", "0 to 0.1", f"use {FILLET}")
    eps = float(fillet * s_min)
    to_radius = 1.0 / shape_mean_width(directions) if exposed_law else 0.5
    per_volume = per_area / mean_size(alpha, s_min, s_max)
    if exposed_law:  # a plane cuts n_v b rocks of width b per area: n_v(s) = K f(s)/s
        per_volume = per_area * mean_power(-1.0, alpha, s_min, s_max)
    draw = stream(seed, 0, "seeded rocks")
    count = math.floor(per_volume * side**3 + draw.random())
    if count > MOST_ROCKS:
        raise GeometryError(
            "seeded rocks",
            f"{count} rocks in a cube of {side} m",
            f"{MOST_ROCKS} at most",
            "take a smaller cube, a larger smallest size or fewer rocks per area",
        )
    index = alpha + 1.0 if exposed_law else alpha
    radii = to_radius * rock_size(draw.random(count), index, s_min, s_max)
    rocks = _rows(draw, radii, side, reach, eps)
    buckets = min(max(int(side / (BUCKET * s_min)), 1), MOST_BUCKETS)
    starts, members = _bucket_lists(rocks, side, buckets)
    deepest = float(radii.max()) + eps if count else 0.0
    lattice = noise_lattice(seed)
    slope = len(directions) ** (1.0 / sharpness) + steepest_blend(1.0 / cell) * deepest
    arrays = (rocks, starts, members, directions, tiling_table(side), lattice)
    for array in arrays:
        array.setflags(write=False)  # kernels are compiled for such arrays
    return SeededRocks(
        rocks, starts, members, directions, float(sharpness), side, buckets, arrays[4], lattice,
        1.0 / cell, deepest, slope if count else 0.0, eps,
    )  # fmt: skip


def no_rocks() -> SeededRocks:
    """No rocks, to fill their place in kernels that have none."""
    return seeded_rocks(0, 0.0, 2.8, 1.0, 1.0)


def _require(
    per_area: float,
    alpha: float,
    s_min: float,
    s_max: float,
    sharpness: float,
    side: float,
    cell: float,
    reach: float,
) -> None:
    where = "seeded rocks"
    require_rocks_per_area(where, per_area)
    require_sizes(where, alpha, s_min, s_max)
    if not sharpness >= 2.0:
        raise GeometryError(where, f"sharpness {sharpness}", "2 to inf", "use 100")
    if not 2.0 * reach * s_max <= side < math.inf:
        least = 2.0 * reach * s_max
        raise GeometryError(
            where, f"a cube of {side} m", f"{least:.3g} m or more", f"use {CUBE * s_max:.3g} m"
        )
    if not 0.0 < cell < math.inf:
        raise GeometryError(
            where, f"an index cell of {cell} m", "above 0 m", f"use {INDEX_CELL * side:.3g} m"
        )


def _rows(
    draw: np.random.Generator, radii: Floats, side: float, reach: float, eps: float
) -> Floats:
    """Table of rocks with random places, attitudes and marks, shape (n, 16)."""
    count = len(radii)
    quaternions = draw.normal(size=(count, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    rows = np.zeros((count, 16))
    rows[:, 0:3] = draw.uniform(0.0, side, (count, 3))
    rows[:, 3] = radii
    rows[:, 4] = (reach * (radii + eps)) ** 2
    rows[:, 5] = draw.random(count)
    rows[:, 6:15] = rotation_matrices(quaternions).reshape(count, 9)
    return rows


def _bucket_lists(
    rocks: Floats, side: float, buckets: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(starts, members) of the rocks whose bounding balls reach into each bucket, periodic."""
    starts = np.zeros(buckets**3 + 1, dtype=np.int32)
    list_buckets(rocks, side, buckets, starts, np.zeros(0, dtype=np.int32))
    counts = starts.copy()
    np.cumsum(counts, out=starts)
    members = np.zeros(max(int(starts[-1]), 1), dtype=np.int32)
    list_buckets(rocks, side, buckets, starts.copy(), members)
    return starts, members


@entry
def list_buckets(rocks, side, buckets, starts, members):
    """Count the rocks of bucket b in starts[b + 1], or with members put them from starts[b] on."""
    width = side / buckets
    for row in range(len(rocks)):
        reach = math.sqrt(rocks[row, 4])
        low = [math.floor((rocks[row, a] - reach) / width) for a in range(3)]
        high = [math.floor((rocks[row, a] + reach) / width) for a in range(3)]
        for i in range(low[0], high[0] + 1):
            dx = outside(rocks[row, 0], i * width, width)
            for j in range(low[1], high[1] + 1):
                dy = outside(rocks[row, 1], j * width, width)
                for k in range(low[2], high[2] + 1):
                    dz = outside(rocks[row, 2], k * width, width)
                    if dx * dx + dy * dy + dz * dz > rocks[row, 4] * (1.0 + 1e-9):
                        continue
                    b = ((i % buckets) * buckets + j % buckets) * buckets + k % buckets
                    if len(members) == 0:
                        starts[b + 1] += 1
                    else:
                        members[starts[b]] = row
                        starts[b] += 1


@device
def outside(x, low, width):
    """How far x lies outside [low, low + width]."""
    return max(max(low - x, x - low - width), 0.0)


@device
def in_cube(x, side):
    """Coordinate x [m] moved by whole cubes into [0, side)."""
    moved = x - side * math.floor(x / side)
    return moved if moved < side else 0.0


@device
def bucket_of(rocks, x):
    """Bucket of the point x [m] in [0, side)^3."""
    n = rocks.buckets
    scale = n / rocks.side
    i = min(int(x[0] * scale), n - 1)
    j = min(int(x[1] * scale), n - 1)
    k = min(int(x[2] * scale), n - 1)
    return (i * n + j) * n + k


@device
def nearest_image(d, side):
    """Difference d [m] of two coordinates in [0, side), to the nearest periodic image."""
    if d > 0.5 * side:
        return d - side
    return d + side if d < -0.5 * side else d


@device
def from_centre(rocks, row, x):
    """Position [m] of x in [0, side)^3 from the centre of a rock, of its nearest image."""
    side, table = rocks.side, rocks.rocks
    return (
        nearest_image(x[0] - table[row, 0], side),
        nearest_image(x[1] - table[row, 1], side),
        nearest_image(x[2] - table[row, 2], side),
    )


@device
def attitude(rocks, row):
    """dcm of a rock: its own axes from those of the cube, as three row tuples."""
    t = rocks.rocks
    return (
        (t[row, 6], t[row, 7], t[row, 8]),
        (t[row, 9], t[row, 10], t[row, 11]),
        (t[row, 12], t[row, 13], t[row, 14]),
    )


@device
def place_in_cube(rocks, k, x):
    """Point of the cube, in [0, side)^3 [m], that tiling k shows at x [m]."""
    place = tiling_place(rocks.tilings, k, x)
    side = rocks.side
    return (in_cube(place[0], side), in_cube(place[1], side), in_cube(place[2], side))


@device
def rock_value(rocks, row, x, share, most):
    """d_r [m] at x in [0, side)^3 of the rock of a row; `most` [m] if it is not below, or does not exist."""
    table = rocks.rocks
    d = from_centre(rocks, row, x)
    if d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= table[row, 4] or table[row, 5] >= share:
        return most
    y = apply(attitude(rocks, row), d)
    radius = table[row, 3]
    term, _ = largest_term(rocks.directions, y)
    if term - radius >= most:
        return most
    return min(shape_value(rocks.directions, rocks.sharpness, term, y) - radius, most)


@device
def smooth_minimum(a, b, fillet):
    """smin(a, b) [m] for b < a + fillet."""
    left = fillet - abs(a - b)
    if left <= 0.0:
        return min(a, b)
    return min(a, b) - left * left / (4.0 * fillet)


@device
def joined_rocks(rocks, x, share):
    """(d_PSR [m] <= 0 at the point x [m] in [0, side)^3, least of its parts [m], that rock or -1).

    Where the two numbers are the same no fillet is at work, and that rock alone is the field.
    """
    total, best, winner = 0.0, 0.0, -1
    bucket = bucket_of(rocks, x)
    for member in range(rocks.starts[bucket], rocks.starts[bucket + 1]):
        row = rocks.members[member]
        most = total + rocks.fillet
        value = rock_value(rocks, row, x, share, most)
        if value < most:
            total = smooth_minimum(total, value, rocks.fillet)
            if value < best:
                best, winner = value, row
    return total, best, winner


@routine
def joined_derivatives(rocks, k, x, share):
    """(gradient [-], Hessian [1/m]) of the joined rocks of tiling k, in the axes around the tiling."""
    total, g, h = 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    bucket, eps = bucket_of(rocks, x), rocks.fillet
    for member in range(rocks.starts[bucket], rocks.starts[bucket + 1]):
        row = rocks.members[member]
        value = rock_value(rocks, row, x, share, total + eps)
        if value >= total + eps:
            continue
        g_r, h_r = rock_derivatives(rocks, k, row, x)
        if eps <= 0.0 or value <= total - eps:
            g, h = g_r, h_r
        else:
            w = 0.5 * (1.0 - (value - total) / eps)
            c = subtract(g_r, g)
            bend = -0.5 / eps
            g = add_scaled(g, w, c)
            h = (
                h[0] + w * (h_r[0] - h[0]) + bend * c[0] * c[0],
                h[1] + w * (h_r[1] - h[1]) + bend * c[0] * c[1],
                h[2] + w * (h_r[2] - h[2]) + bend * c[0] * c[2],
                h[3] + w * (h_r[3] - h[3]) + bend * c[1] * c[1],
                h[4] + w * (h_r[4] - h[4]) + bend * c[1] * c[2],
                h[5] + w * (h_r[5] - h[5]) + bend * c[2] * c[2],
            )
        total = smooth_minimum(total, value, eps)
    return g, h


@device
def rock_derivatives(rocks, k, row, x):
    """(gradient [-], Hessian [1/m]) of d_r of one rock of tiling k, in the axes around the tiling."""
    turn, tiling = attitude(rocks, row), tiling_turn(rocks.tilings, k)
    y = apply(turn, from_centre(rocks, row, x))
    _, g, h = shape_at(rocks.directions, rocks.sharpness, y)
    gradient = apply_transposed(tiling, apply_transposed(turn, g))
    return gradient, turned_back(tiling, turned_back(turn, h))


@routine
def rocks_value(rocks, x, share):
    """d_PSR [m] <= 0 at the point x [m]; rocks with a mark of `share` or more do not exist."""
    if rocks.deepest <= 0.0 or share <= 0.0:
        return 0.0
    k, w, _, _ = tiling_blend(rocks.lattice, rocks.frequency, x)
    total = 0.0
    for following in range(2):
        weight = w if following == 1 else 1.0 - w
        if weight > 0.0:
            place = place_in_cube(rocks, (k + following) % TILINGS, x)
            total += weight * joined_rocks(rocks, place, share)[0]
    return total


@routine
def rocks_at(rocks, x, share):
    """(d_PSR [m] <= 0, gradient [-], Hessian [1/m] (xx, xy, xz, yy, yz, zz)) at the point x [m].

    Each of the two tilings adds weight d, with gradient and Hessian by the product rule. Where a face
    turns sharply, or without fillet two rocks meet, one side's derivatives.
    """
    total, gx, gy, gz = 0.0, 0.0, 0.0, 0.0
    hxx, hxy, hxz, hyy, hyz, hzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if rocks.deepest <= 0.0 or share <= 0.0:
        return total, (gx, gy, gz), (hxx, hxy, hxz, hyy, hyz, hzz)
    k, w, gw, hw = tiling_blend(rocks.lattice, rocks.frequency, x)
    for following in range(2):
        weight, sign = (w, 1.0) if following == 1 else (1.0 - w, -1.0)
        if weight <= 0.0:
            continue
        number = (k + following) % TILINGS
        place = place_in_cube(rocks, number, x)
        d, least, row = joined_rocks(rocks, place, share)
        if d >= 0.0:
            continue
        if d == least:
            g, h = rock_derivatives(rocks, number, row, place)
        else:
            g, h = joined_derivatives(rocks, number, place, share)
        sx, sy, sz, sd = sign * gw[0], sign * gw[1], sign * gw[2], sign * d
        total += weight * d
        gx, gy, gz = (
            gx + weight * g[0] + d * sx,
            gy + weight * g[1] + d * sy,
            gz + weight * g[2] + d * sz,
        )
        hxx += weight * h[0] + sd * hw[0] + 2.0 * sx * g[0]
        hxy += weight * h[1] + sd * hw[1] + sx * g[1] + sy * g[0]
        hxz += weight * h[2] + sd * hw[2] + sx * g[2] + sz * g[0]
        hyy += weight * h[3] + sd * hw[3] + 2.0 * sy * g[1]
        hyz += weight * h[4] + sd * hw[4] + sy * g[2] + sz * g[1]
        hzz += weight * h[5] + sd * hw[5] + 2.0 * sz * g[2]
    return total, (gx, gy, gz), (hxx, hxy, hxz, hyy, hyz, hzz)
