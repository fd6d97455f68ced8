"""Accelerations of a field on all masses of a net: ground, orbit or parabolic flight.

Validity: forces act on centres of mass; the torque of a field on a body is left out.
Source: the laws are in `orbital_origin` and `parabolic_flight`.
"""

from __future__ import annotations

from haptos.core.jit import device, routine
from haptos.dynamics.net_bodies import three
from haptos.environment.orbital_origin import differential_gravity, origin_state
from haptos.environment.parabolic_flight import apparent_acceleration

CITES: tuple[str, ...] = ()

NO_FIELD, UNIFORM, ORBIT, FLIGHT = 0, 1, 2, 3


@device
def renew_field(field, time):
    """Bring the field to a time [s]."""
    if field.kind == ORBIT:
        place, speed = origin_state(field.path, time)
        for k in range(3):
            field.origin[k], field.origin[k + 3] = place[k], speed[k]


@device
def field_at(field, x, v):
    """Acceleration [m/s^2] at a place [m] with a velocity [m/s]."""
    if field.kind == ORBIT:
        origin = (field.origin[0], field.origin[1], field.origin[2])
        return differential_gravity(x, origin, field.mu)[1]
    if field.kind == FLIGHT:
        t = field.turning
        return apparent_acceleration(
            x, v, (t[0], t[1], t[2]), (t[3], t[4], t[5]), (t[6], t[7], t[8])
        )
    return (field.uniform[0], field.uniform[1], field.uniform[2])


@routine
def field_on_bodies(net, motion):
    """Power of the field [W] after adding its forces to the bodies that move."""
    power = 0.0
    for b in range(len(motion.inverse_mass)):
        if motion.inverse_mass[b] == 0.0:
            continue
        pull = field_at(net.field, three(motion.place, b), three(motion.speed, b))
        for k in range(3):
            motion.force[b, k] += pull[k] / motion.inverse_mass[b]
            power += pull[k] / motion.inverse_mass[b] * motion.speed[b, k]
    return power
