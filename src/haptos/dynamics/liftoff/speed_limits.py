"""Speed limits for wheels, rolling things and hoppers, everywhere on a body, in every direction.

    T = |load across N|,   G' = G - T / friction               what is left to press after traction
    wheel  = margin V(G', Omega_t, max(k+, 1 / R))             keeps its grip over ridges sharper than R
    roll   = margin min over d of V(G, Omega_b(d), k(d))       stays on smooth ground
    hop    = margin (sqrt(2 U) - |Omega x P|)                  starts bound, whatever the direction
    hop   <= margin sqrt(2 (W - W_pass))                       with a primary: stays this side of L1, L2

    V        speed of lift-off [m/s]            G, T   load at rest along and across N [m/s^2]
    Omega_t  part of the spin across N [rad/s], the worst Omega_b of any direction
    R        radius of the wheel [m]            U      potential [m^2/s^2], the body's alone or with tides
    W        geopotential [m^2/s^2]             W_pass of `zero_velocity`
A place is open to wheels where G' > 0: its slope is below the angle of friction, tan = T / G.
At speed the ground presses less, so the grip that holds on the slope is gone before the wheel lifts off:
G' in the place of G is that speed. The worst direction and curvature are taken together, so these are
limits for planning, not predictions.
Frame: axes fixed to the body. Validity: uniform spin. A hop below its limit has less energy in inertial
space than escape takes; over many turns an uneven spinning body can still add to it, so the
limit is for hops that land within a turn or so.
Source: [VanWal2018] sections 3.2 and 3.6 for ridges and traction; the bound of hops is elementary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.errors import ConfigError
from haptos.dynamics.liftoff.liftoff import liftoff_speed
from haptos.dynamics.liftoff.liftoff_map import LiftoffMap

CITES: tuple[str, ...] = ("VanWal2018",)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SpeedLimits:
    """Limits [m/s] per point of a map, each of shape (n,); 0 where a wheel cannot hold.

    wheel, roll, hop  as above           is_open  where the friction holds a wheel at rest
    slope             [rad]
    """

    wheel: Floats
    roll: Floats
    hop: Floats
    is_open: Flags
    slope: Floats


def speed_limits(
    found: LiftoffMap,
    *,
    wheel_radius: float,
    friction: float,
    margin: float = 0.5,
    passes: float | None = None,
) -> SpeedLimits:
    """Limits on a lift-off map; wheel_radius [m], friction [-], margin: share of each limit to use.

    passes  W_pass [m^2/s^2] of a body with a primary
    """
    for name, value, top in (
        ("wheel radius", wheel_radius, math.inf),
        ("friction", friction, math.inf),
        ("margin", margin, 1.0),
    ):
        if not (math.isfinite(value) and 0.0 < value <= top):
            allowed = "above 0" if top == math.inf else "above 0, up to 1"
            raise ConfigError("speed limits", f"{name} {value}", allowed, "0.5")
    omega = np.array(found.omega)
    normal = found.ground.normal
    across = omega - (normal @ omega)[:, None] * normal
    turning = np.linalg.norm(across, axis=1)
    grip = found.pressing * (1.0 - np.tan(found.slope) / friction)
    grip = np.where(found.is_held, grip, 0.0)
    sharpest = np.maximum(found.ground.largest, 1.0 / wheel_radius)
    law = np.frompyfunc(liftoff_speed, 3, 1)
    wheel = np.asarray(law(grip, turning, sharpest), dtype=float)
    place = found.ground.points + found.object_radius * normal
    swept = np.linalg.norm(np.cross(omega, place), axis=1)
    hop = np.maximum(np.sqrt(2.0 * np.maximum(found.potential, 0.0)) - swept, 0.0)
    if passes is not None:
        hop = np.minimum(hop, np.sqrt(2.0 * np.maximum(found.geopotential - passes, 0.0)))
    return SpeedLimits(
        margin * wheel, margin * found.least, margin * hop, grip > 0.0, found.slope.copy()
    )
