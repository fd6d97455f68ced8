"""What a thing seems to feel in axes that turn: the frame of a small body, or of an aircraft.

    a = a_free - 2 w x v - w x (w x r) - w' x r
    T = I (u x w) - w x (I u) - w x (I w) - u x (I w) - I w'

    a_free  acceleration by all forces of its own, gravity for one [m/s^2]
    r, v   place [m] and velocity [m/s] seen in the axes, r from a point on the axis of turning
    w, w'  rate of the axes [rad/s] and its derivative [rad/s^2]
    u, I   rate of a rigid body relative to the axes [rad/s] and its inertia [kg m^2]
    T      torque [N m] the body seems to feel: in space it keeps its angular momentum I (u + w)

Frames that motions are computed in, each chosen by one number, the kind of `dynamics/field.py`:
    inertial            no forces of the frame
    on the ground       gravity the same everywhere; the turning of the planet is left out
    along an orbit      the origin falls freely, the axes do not turn: differences of gravity, `orbital_origin`
    parabolic flight    axes of the aircraft, a_free is what its flight misses, `parabolic_flight`
    with a small body   axes fixed to the body, a_free its gravity, w its spin, `gravity` and `spin`
Landers always move with the small body; without spin its frame is inertial, on a plane with uniform
gravity it is the ground.
Frame: the axes that turn. Validity: classical mechanics; the torque in principal axes of the body.
Source: [Salvi2014] App. A, Eq. (A.3); T from elementary mechanics.
"""

from __future__ import annotations

from haptos.core.jit import device
from haptos.core.vectors import add, add_scaled, cross, subtract

CITES: tuple[str, ...] = ("Salvi2014",)


@device
def apparent_acceleration(r, v, omega, omega_rate, free):
    """a [m/s^2] of a thing at r [m] with v [m/s] in turning axes; `free` a_free."""
    coriolis = add_scaled(free, -2.0, cross(omega, v))
    centrifugal = subtract(coriolis, cross(omega, cross(omega, r)))
    return subtract(centrifugal, cross(omega_rate, r))  # Eq. (A.3), solved for the relative part


@device
def apparent_torque(moments, rate_B, omega_B, omega_rate_B):
    """T [N m] in principal axes B of a free body that turns with rate_B u [rad/s] in turning axes.

    moments  principal [kg m^2], 3-tuple        omega_B, omega_rate_B  w and w' in B axes
    """
    own, carried = _times(moments, rate_B), _times(moments, omega_B)
    torque = _times(moments, subtract(cross(rate_B, omega_B), omega_rate_B))
    torque = subtract(torque, cross(omega_B, add(own, carried)))
    return subtract(torque, cross(rate_B, carried))


@device
def _times(a, b):
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])
