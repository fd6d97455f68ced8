"""Force and torque that lead a body along a commanded path: proportional, rate and feed-forward parts.

    f = Kp (s_cmd - s) + Kv (s'_cmd - s') + M s''_cmd,    Kp = M w^2,   Kv = 2 z M w
    g = Gp e + Gv (w_cmd - w_B) + J a_cmd,                Gp = J w^2,   Gv = 2 z J w

    s, s'   place [m] and velocity [m/s], estimated        w, z   bandwidth [rad/s], damping ratio [-]
    e       rotation vector [rad] from the estimated to the commanded attitude, the shortest way, body axes
    M, J    mass [kg], principal moments of inertia [kg m^2]      w_B, a_cmd  rate, commanded acceleration
Gains follow from two numbers: the error of a free body then obeys x'' + 2 z w x' + w^2 x = 0.
Frame: force in the axes of s; torque in body axes. Validity: w a factor 3 away from the slowest flexible mode
(`clear_of_mode`), small attitude errors between samples. Source: elementary linear control.
"""

from __future__ import annotations

import math

from haptos.core.errors import require_positive
from haptos.core.jit import device
from haptos.core.rotations import quaternion_product

CITES: tuple[str, ...] = ()

BANDWIDTH, DAMPING = 0.02, 0.7  # [rad/s], [-] of a path, assumed
TURN_BANDWIDTH, TURN_DAMPING = 0.1, 0.9  # [rad/s], [-] of an attitude, assumed
CLEARANCE = 3.0  # [-] between a bandwidth and a flexible mode, assumed


@device
def tracking_force(mass, bandwidth, damping, place, velocity, path):
    """f [N] of a body [kg] at a place [m] and velocity [m/s]; path = (place, velocity, acceleration) commanded."""
    stiff, rate = mass * bandwidth * bandwidth, 2.0 * damping * mass * bandwidth
    wanted, speed, acceleration = path
    x = stiff * (wanted[0] - place[0]) + rate * (speed[0] - velocity[0]) + mass * acceleration[0]
    y = stiff * (wanted[1] - place[1]) + rate * (speed[1] - velocity[1]) + mass * acceleration[1]
    z = stiff * (wanted[2] - place[2]) + rate * (speed[2] - velocity[2]) + mass * acceleration[2]
    return x, y, z


@device
def rotation_between(attitude, wanted):
    """Rotation vector [rad], body axes, that turns attitude into wanted the shortest way; unit quat_NB, scalar first."""
    back = (attitude[0], -attitude[1], -attitude[2], -attitude[3])
    w, x, y, z = quaternion_product(back, wanted)
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = math.sqrt(x * x + y * y + z * z)
    factor = 2.0 if size < 1e-12 else 2.0 * math.atan2(size, w) / size
    return factor * x, factor * y, factor * z


@device
def tracking_torque(moments, bandwidth, damping, attitude, rate, path):
    """g [N m], body axes; path = (attitude, rate, angular acceleration) commanded, in body axes but the attitude."""
    wanted, turning, acceleration = path
    error = rotation_between(attitude, wanted)
    stiff, slow = bandwidth * bandwidth, 2.0 * damping * bandwidth
    x = moments[0] * (stiff * error[0] + slow * (turning[0] - rate[0]) + acceleration[0])
    y = moments[1] * (stiff * error[1] + slow * (turning[1] - rate[1]) + acceleration[1])
    z = moments[2] * (stiff * error[2] + slow * (turning[2] - rate[2]) + acceleration[2])
    return x, y, z


def tracking_gains(inertia: float, bandwidth: float, damping: float) -> tuple[float, float]:
    """(Kp, Kv) of a mass [kg], in N/m and N s/m, or of a moment of inertia [kg m^2], in N m and N m s."""
    require_positive(inertia=inertia, bandwidth=bandwidth, damping=damping)
    return inertia * bandwidth**2, 2.0 * damping * inertia * bandwidth


def clear_of_mode(bandwidth: float, mode: float) -> str:
    """Warning if a bandwidth is within the clearance of a flexible mode [rad/s]; nothing otherwise."""
    require_positive(bandwidth=bandwidth, mode=mode)
    apart = max(bandwidth / mode, mode / bandwidth)
    if apart >= CLEARANCE:
        return ""
    return (
        f"bandwidth {bandwidth:.3g} rad/s is a factor {apart:.2g} off a flexible mode at {mode:.3g} rad/s: "
        f"keep {CLEARANCE:g}"
    )
