"""A wheel inside a rigid body that trades angular momentum with it: how hoppers leave the ground.

    hull:   I w*' + w* x (I w* + h a) = L + tau a
    wheel:  h' = -tau

    w* = w + O  rate of the hull in inertial space [rad/s]      L    torque from outside [N m]
    I    inertia of the hull [kg m^2], without the wheel's own moment J about its axis
    a    axis of the wheel, unit, fixed to the hull             tau  torque of the wheel on the hull [N m]
    h    angular momentum of the wheel about a [N m s], J times its rate about a in inertial space
so the total I w* + h a turns with the hull and changes by L alone. Two devices use it:

    torque pulse     a motor speeds up a wheel at rest: tau for a time T, h from 0 to -tau T
    flywheel brake   a wheel at the rate W is braked within T: h from J W to 0, tau = J W / T

A wheel without torque runs free: its bearing has no friction. Seen from ground that turns, the
device works on the hull at the rate P = (tau a - w* x h a) . w.
Frame: B axes. Torque and power act on the hull.
Validity: a rigid, balanced wheel on its axis; constant torque. Spinning the wheel up before a brake,
and down after a motor's pulse, is slow and happens while the probe stands: its torque is neglected.
Source: a gyrostat, textbook material [Hughes1986]; hoppers with a motor's torque [Yoshimitsu2003], with
braked wheels [Hockman2017].
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add_scaled, cross, norm, scale, tangents

CITES: tuple[str, ...] = ("Hughes1986", "Yoshimitsu2003", "Hockman2017")


@device
def device_torque(torque, axis, momentum, w_total):
    """Torque [N m] of the wheel on the hull: tau a - w* x h a."""
    return add_scaled(scale(torque, axis), -momentum, cross(w_total, axis))


@device
def total_momentum(inertia, w_total, axis, momentum):
    """Angular momentum [N m s] of hull and wheel about the centre of mass: I w* + h a."""
    return add_scaled(apply_symmetric(inertia, w_total), momentum, axis)


@device
def axis_toward(up, way):
    """Unit axis about which a body rolls along `way` over ground with the normal `up`.

    A way straight up or down has no such axis; any level one is given.
    """
    level = cross(up, way)
    size = norm(level)
    if not size > 0.0:
        return tangents(up)[0]
    return scale(1.0 / size, level)
