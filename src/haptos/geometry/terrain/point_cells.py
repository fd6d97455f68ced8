"""Points sorted into cubes of equal size, so that what is near one of them is found in 27 cubes.

Cubes are many and mostly empty: a hash puts each into one of as many buckets as there are points,
and points are kept with the numbers of their cubes, so that two cubes in one bucket stay apart.
Sorting is by counting; time and memory are proportional to the points.
Source: [Ericson2005] 7.1.
"""

from __future__ import annotations

import math

from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("Ericson2005",)


@device
def bucket_of(a, b, c, buckets):
    """Bucket of the cube with whole numbers a, b, c; buckets are a power of two."""
    return (a * 73856093 ^ b * 19349663 ^ c * 83492791) & (buckets - 1)


@routine
def sort_cells(x, radius, begin, size, cell, order, start):
    """Sort the points from `begin` on whose radius is above 0 into cubes of a size [m].

    cell (p, 3)  cube of each point        order (p,)  points, bucket by bucket
    start (buckets + 1,)  where each bucket begins in the order
    """
    buckets = len(start) - 1
    start[:] = 0
    for i in range(begin, len(x)):
        if radius[i] > 0.0:
            for k in range(3):
                cell[i, k] = math.floor(x[i, k] / size)
            start[bucket_of(cell[i, 0], cell[i, 1], cell[i, 2], buckets)] += 1
    for b in range(buckets):
        start[b + 1] += start[b]
    for i in range(begin, len(x)):
        if radius[i] > 0.0:
            b = bucket_of(cell[i, 0], cell[i, 1], cell[i, 2], buckets)
            start[b] -= 1
            order[start[b]] = i
