"""The pass over which things leave a body with a primary: W where the surface of zero velocity opens.

    W = U + 1/2 |Omega x r|^2,    e = 1/2 |v|^2 - W                  constant (Jacobi)
    W_pass = the larger of min W along the line to the primary, on its near and on its far side

    U  potential of body and tide [m^2/s^2]       v  velocity over the ground [m/s]
What starts with e < -W_pass, outside of the body and within its lobe, never passes L1 or L2.
Frame: axes fixed to the body. Validity: the primary stays in its place in these axes, and the spin stands
across the line to it, as on a locked moon; the passes then lie on that line.
Source: [Scheeres2012].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.environment.gravity_points import World, field_at

CITES: tuple[str, ...] = ("Scheeres2012",)

Floats = NDArray[np.float64]

SAMPLES = 201  # along each side, between the ground and the farthest place looked at
ROUNDS = 4  # of narrowing to the two intervals next to the lowest sample: 100 times each
FARTHEST = 0.9  # [-] of the distance to the primary


def pass_geopotential(
    world: World,
    omega: ArrayLike,
    primary: tuple[float, tuple[float, float, float]],
    ground: Floats,
) -> float:
    """W_pass [m^2/s^2] of a body with these points of its ground [m], shape (n, 3)."""
    line = np.array(primary[1])
    distance = float(np.linalg.norm(line))
    spin = np.asarray(omega, dtype=float)

    def lowest(toward: Floats) -> float:
        low, high = float(np.max(ground @ toward)), FARTHEST * distance
        for _ in range(ROUNDS):
            along = np.linspace(low, high, SAMPLES)
            places = along[:, None] * toward
            swept = np.cross(spin, places)
            held = field_at(world, places, primary=primary)[0] + 0.5 * np.sum(swept**2, axis=1)
            k = int(np.argmin(held))
            low, high = along[max(k - 1, 0)], along[min(k + 1, SAMPLES - 1)]
        return float(held[k])

    return max(lowest(line / distance), lowest(-line / distance))
