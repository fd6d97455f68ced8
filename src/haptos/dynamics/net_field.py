"""Accelerations of fields on all masses of a net: gravity of the ground, of the orbit, of a flight."""

from __future__ import annotations

from haptos.core.jit import device, routine

NO_FIELD, UNIFORM = 0, 1


@device
def field_at(field, x):
    """Acceleration [m/s^2] at a place [m]."""
    return (field.uniform[0], field.uniform[1], field.uniform[2])


@routine
def field_on_bodies(net, motion):
    """Power of the field [W] after adding its forces to the bodies that move."""
    power = 0.0
    for b in range(len(motion.inverse_mass)):
        if motion.inverse_mass[b] == 0.0:
            continue
        pull = field_at(net.field, (motion.place[b, 0], motion.place[b, 1], motion.place[b, 2]))
        for k in range(3):
            motion.force[b, k] += pull[k] / motion.inverse_mass[b]
            power += pull[k] / motion.inverse_mass[b] * motion.speed[b, k]
    return power
