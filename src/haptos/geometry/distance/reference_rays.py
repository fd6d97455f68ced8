"""First hit of rays with any body that is asked for distances: each ray goes on by the distance, which nothing is nearer than.

    s_0 = 0,   s_k+1 = s_k + gap(p + s_k d)        until gap <= NEAR, or s is beyond the reach

|gap(x) - gap(y)| <= |x - y|, so no wall is passed. A ray that meets a wall at the angle a takes log(reach/NEAR)/a steps; one that
has not come to an end after MOST steps grazes, and is taken to hit where it is if that is within GRAZES of the wall.
Frame: that of the body.
Validity: rays that start outside of the body; one that starts inside has a way of 0. Source: sphere tracing [Hart1996].
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.geometry.distance.reference import Reference, gaps_of

CITES: tuple[str, ...] = ("Hart1996",)

Floats = NDArray[np.float64]
NEAR = 1e-9  # [m] of a wall is at it
MOST = 400  # steps of a ray
GRAZES = 1e-6  # [m]


def ray_ways(body: Reference, starts: ArrayLike, directions: ArrayLike, reach: float) -> Floats:
    """Way [m] of each ray to the body; infinite if there is no wall within the reach [m].

    starts (n, 3) [m]     directions (n, 3) unit
    """
    p, d = np.atleast_2d(np.asarray(starts, float)), np.atleast_2d(np.asarray(directions, float))
    ways, gaps = np.zeros(len(p)), np.full(len(p), math.inf)
    going = np.ones(len(p), dtype=bool)
    for _ in range(MOST):
        gaps[going] = gaps_of(body, p[going] + ways[going, None] * d[going])[0]
        going &= (gaps > NEAR) & (ways <= reach)
        if not going.any():
            break
        ways[going] += gaps[going]
    return np.where((gaps <= GRAZES) & (ways <= reach), ways, math.inf)
