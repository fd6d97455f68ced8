"""Sunlight on a body near a small body that turns: the Sun's direction in its axes, and its shadow.

    a = -share strength s_A,    s_A = R_AN s_N

    share      of the Sun's disc that is free [-], of `sunlit_share`       strength  acceleration in full light [m/s^2]
    s_N, s_A   unit direction to the Sun in inertial axes and in axes of the small body
Frame: axes A fixed to the small body. Validity: as gravity_terms.py; the shadow is that of a ball.
Source: as gravity_terms.py.
"""

from __future__ import annotations

from collections import namedtuple

from haptos.core.jit import device
from haptos.core.rotations import apply_transposed, rotation_matrix
from haptos.core.vectors import scale
from haptos.environment.gravity_terms import sunlit_share

CITES: tuple[str, ...] = ()

# direction to the Sun in inertial axes, acceleration in full light [m/s^2], distance [m],
# radius of the ball that casts shadow [m]
Sun = namedtuple("Sun", "is_on direction strength distance shadow")


@device
def sunlight_at(sun, quat_NA, x):
    """Acceleration by sunlight [m/s^2] at x [m], A axes; quat_NA attitude of these axes."""
    sun_A = apply_transposed(rotation_matrix(quat_NA), sun.direction)
    share = sunlit_share(x, sun_A, sun.distance, sun.shadow)
    return scale(-share * sun.strength, sun_A)


def no_sun() -> Sun:
    """Darkness, for kernels that ask."""
    return Sun(False, (1.0, 0.0, 0.0), 0.0, 1.0, 0.0)
