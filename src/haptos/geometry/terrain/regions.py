"""Regions of a body: where the ground has its own coefficients, relief and rocks.

A raster of cubic cells holds the label of the region on the ground nearest to each cell (0: no
region), and at its nodes the relief factor, the mean over the eight cells about the node, between
which it is interpolated (trilinear). So a kernel needs one look-up whatever drew the region.

Masks, each a function of points (n, 3) [m] on the ground that returns n truth values:
    in_box      latitudes and longitudes between two limits each; longitudes go east from the first
                to the second, so (170, -170) deg crosses the date line
    in_polygon  corners (longitude, latitude) joined by great circles; less than a hemisphere
    a threshold of the geopotential is drawn by whoever knows gravity
Where masks overlap the later one wins.
Frame: A axes; latitude and longitude of the point seen from the origin.
Validity: edges are known to half a cell. A body that hides one part behind another along a ray has
both in the same latitude and longitude.
Source: heterogeneous ground of [VanWal2018] section 4.1.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import GeometryError
from haptos.core.jit import device

CITES = ("VanWal2018",)

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Mask = Callable[[Floats], Booleans]

MOST_REGIONS = 7  # besides the rest of the ground
WHOLE_TURN = 1e-9  # [rad] a box that lacks no more than this of a turn, a micrometre on a small body, goes round
LARGEST_RASTER = 200_000_000  # cells, 0.2 GB of labels and 1.6 GB of relief factors

# origin   low corner of the raster [m], 3-tuple       spacing  edge of a cell [m]
# labels   (nx, ny, nz) uint8                          relief   (nx + 1, ny + 1, nz + 1) factor [-]
Regions = namedtuple("Regions", "origin spacing labels relief")


def regions_of(
    origin: Sequence[float], spacing: float, labels: np.ndarray, relief: np.ndarray
) -> Regions:
    """Regions with numbers and arrays in the types that kernels are compiled for."""
    x, y, z = (float(value) for value in origin)
    cells = np.ascontiguousarray(labels, dtype=np.uint8)
    factor = np.ascontiguousarray(relief, dtype=np.float64)
    for array in (cells, factor):
        array.setflags(write=False)
    return Regions((x, y, z), float(spacing), cells, factor)


def no_regions() -> Regions:
    """The same ground everywhere."""
    return regions_of((0.0, 0.0, 0.0), 1.0, np.zeros((1, 1, 1)), np.ones((2, 2, 2)))


def regions_on(
    low: Floats,
    high: Floats,
    spacing: float,
    masks: Sequence[Mask],
    reliefs: Sequence[float],
    feet: Callable[[Floats], tuple[Floats, Floats]],
    band: float,
) -> Regions:
    """Raster over the box low..high [m] of the regions that `masks` draw; label i + 1 for mask i.

    reliefs  relief factor of the rest of the ground, then of each region
    feet     gives (nearest ground points [m] (n, 3), gaps [m] (n,)) of points (n, 3)
    band     cells within this gap [m] of the ground are labelled; beyond it nothing touches
    """
    counts = np.maximum(np.ceil((high - low) / spacing), 1.0)
    if len(masks) > MOST_REGIONS:
        found, hint = f"{len(masks)} regions", "join regions that share their coefficients"
        raise GeometryError("regions", found, f"up to {MOST_REGIONS}", hint)
    if np.prod(counts) > LARGEST_RASTER:
        found = f"{np.prod(counts):.2g} cells of {spacing:g} m"
        raise GeometryError("regions", found, f"up to {LARGEST_RASTER:.0e}", "use larger cells")
    nx, ny, nz = (int(count) for count in counts)
    labels = np.zeros((nx, ny, nz), dtype=np.uint8)
    y, z = (low[k] + spacing * (np.arange(n) + 0.5) for k, n in ((1, ny), (2, nz)))
    plane = np.stack(np.meshgrid([0.0], y, z, indexing="ij"), axis=-1).reshape(-1, 3)
    for i in range(nx):
        plane[:, 0] = low[0] + spacing * (i + 0.5)
        ground, gap = feet(plane)
        near = np.flatnonzero(np.abs(gap) <= band + spacing)
        for label, mask in enumerate(masks, start=1):
            labels[i].reshape(-1)[near[mask(ground[near])]] = label
    return regions_of(tuple(low), spacing, labels, _relief(labels, np.asarray(reliefs, float)))


def _relief(labels: np.ndarray, reliefs: Floats) -> Floats:
    """Mean factor of the cells about each node; cells beyond the raster are like those at its edge."""
    factor = np.pad(reliefs[labels], 1, mode="edge")
    for axis in range(3):
        low = [slice(None)] * 3
        high = [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        factor = 0.5 * (factor[tuple(low)] + factor[tuple(high)])
    return factor


def directions_of(longitude_latitude: Floats) -> Floats:
    """Unit vectors (n, 3) of (longitude, latitude) pairs [rad], shape (n, 2)."""
    lon, lat = longitude_latitude[:, 0], longitude_latitude[:, 1]
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)


def in_box(latitudes: tuple[float, float], longitudes: tuple[float, float]) -> Mask:
    """Mask of the points between two latitudes and, going east, two longitudes [rad].

    Longitudes a whole turn apart, as sums in floating point can tell, hold every point.
    """
    span = longitudes[1] - longitudes[0]
    width = span % (2.0 * math.pi)
    if abs(span) > math.pi and min(width, 2.0 * math.pi - width) < WHOLE_TURN:
        width = 2.0 * math.pi

    def mask(points: Floats) -> Booleans:
        latitude = np.arcsin(points[:, 2] / np.linalg.norm(points, axis=1))
        east = (np.arctan2(points[:, 1], points[:, 0]) - longitudes[0]) % (2.0 * math.pi)
        inside = (latitude >= latitudes[0]) & (latitude <= latitudes[1]) & (east <= width)
        return np.asarray(inside)

    return mask


def in_polygon(corners: Floats) -> Mask:
    """Mask of the points inside a polygon of (longitude, latitude) corners [rad], shape (n, 2).

    A point is inside if the corners go round it once: the angles under which it sees the sides
    add up to a full turn.
    """
    ring = directions_of(np.asarray(corners, dtype=float))
    middle = ring.mean(axis=0)

    def mask(points: Floats) -> Booleans:
        up = points / np.linalg.norm(points, axis=1, keepdims=True)
        total = np.zeros(len(up))
        for a, b in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            p, q = a - (up @ a)[:, None] * up, b - (up @ b)[:, None] * up
            turn = np.einsum("ni,ni->n", np.cross(p, q), up)
            total += np.arctan2(turn, np.einsum("ni,ni->n", p, q))
        return np.asarray((np.abs(total) > math.pi) & (up @ middle > 0.0))

    return mask


@device
def _cell(t, count):
    """Index of the unit interval that holds t; the nearest one if none does."""
    if not t > 0.0:  # also for NaN
        return 0
    return int(t) if t < count else count - 1


@device
def region_at(regions, x):
    """Label of the region at the point x [m]; 0 for ground in no region."""
    o, h, labels = regions.origin, regions.spacing, regions.labels
    i = _cell((x[0] - o[0]) / h, labels.shape[0])
    j = _cell((x[1] - o[1]) / h, labels.shape[1])
    k = _cell((x[2] - o[2]) / h, labels.shape[2])
    return int(labels[i, j, k])


@device
def relief_at(regions, x):
    """(factor [-], gradient [1/m], Hessian [1/m^2] (xx, xy, xz, yy, yz, zz)) at the point x [m]."""
    o, h, f = regions.origin, regions.spacing, regions.relief
    s, t, w = (x[0] - o[0]) / h, (x[1] - o[1]) / h, (x[2] - o[2]) / h
    i, j, k = _cell(s, f.shape[0] - 1), _cell(t, f.shape[1] - 1), _cell(w, f.shape[2] - 1)
    u, v, w = min(max(s - i, 0.0), 1.0), min(max(t - j, 0.0), 1.0), min(max(w - k, 0.0), 1.0)
    f000, f001, f010, f011 = f[i, j, k], f[i, j, k + 1], f[i, j + 1, k], f[i, j + 1, k + 1]
    f100, f101 = f[i + 1, j, k], f[i + 1, j, k + 1]
    f110, f111 = f[i + 1, j + 1, k], f[i + 1, j + 1, k + 1]
    a, b, c = f100 - f000, f010 - f000, f001 - f000
    ab, bc, ac = f110 - f010 - a, f011 - f001 - b, f101 - f001 - a
    abc = (f111 - f011) - (f101 - f001) - ab
    value = f000 + a * u + b * v + c * w + ab * u * v + bc * v * w + ac * u * w + abc * u * v * w
    gradient = (
        (a + ab * v + ac * w + abc * v * w) / h,
        (b + ab * u + bc * w + abc * u * w) / h,
        (c + ac * u + bc * v + abc * u * v) / h,
    )
    square = h * h
    mixed = ((ab + abc * w) / square, (ac + abc * v) / square, (bc + abc * u) / square)
    return value, gradient, (0.0, mixed[0], mixed[1], 0.0, mixed[2], 0.0)
