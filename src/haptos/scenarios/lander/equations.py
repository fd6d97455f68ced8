"""Equations of a lander: which gravity, spin and contact act on the rigid body, and its energies."""

from __future__ import annotations

from collections import namedtuple

from haptos.contact.compliant import CompliantLaw, compliant_contact, elastic_energy
from haptos.core.jit import device, routine
from haptos.core.rotations import apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, dot, scale
from haptos.dynamics.rigid_body import (
    FRAME_ATTITUDE,
    FRAME_RATE,
    WORK_DAMPING,
    WORK_FRICTION,
    WORK_ROLLING,
    WORK_SPIN,
    WORK_SUNLIGHT,
    free_acceleration,
    free_angular_acceleration,
    kinetic_energy,
    potential_energy,
    spin_power,
)
from haptos.environment.gravity import potential_and_gravity
from haptos.environment.gravity_terms import sunlit_share
from haptos.environment.spin import tumbling_acceleration, uniform_attitude
from haptos.geometry.land import regions_in
from haptos.geometry.regions import region_at

# body: TouchingBody; surface, gravity: tagged tuples; law: CompliantLaw; spin: omega_AN_A at the
# start [rad/s]; is_spinning, is_tumbling; moments: principal moments of the small body, any unit;
# sun: Sun; laws (n, 7): law of each region, where has_regions
Lander = namedtuple(
    "Lander",
    "body surface gravity law spin is_spinning is_tumbling moments sun laws has_regions",
)
# direction to the Sun in inertial axes, acceleration in full light [m/s^2], distance [m],
# radius of the ball that casts shadow [m]
Sun = namedtuple("Sun", "is_on direction strength distance shadow")


@device
def position(y):
    return (y[0], y[1], y[2])


@device
def velocity(y):
    return (y[3], y[4], y[5])


@device
def attitude(y):
    return (y[6], y[7], y[8], y[9])


@device
def body_rate(y):
    return (y[10], y[11], y[12])


@device
def spin_now(lander, y):
    """(omega_AN_A, its rate) [rad/s], [rad/s^2]."""
    if lander.is_tumbling:
        spin = (y[FRAME_RATE], y[FRAME_RATE + 1], y[FRAME_RATE + 2])
        return spin, tumbling_acceleration(spin, lander.moments)
    return lander.spin, (0.0, 0.0, 0.0)


@device
def sunlight_now(lander, t, x, y):
    """Acceleration by sunlight [m/s^2], A axes."""
    quat_NA = uniform_attitude(lander.spin, t)
    if lander.is_tumbling:
        quat_NA = (
            y[FRAME_ATTITUDE],
            y[FRAME_ATTITUDE + 1],
            y[FRAME_ATTITUDE + 2],
            y[FRAME_ATTITUDE + 3],
        )
    sun_A = apply_transposed(rotation_matrix(quat_NA), lander.sun.direction)
    share = sunlit_share(x, sun_A, lander.sun.distance, lander.sun.shadow)
    return scale(-share * lander.sun.strength, sun_A)


@device
def law_here(lander, x):
    """Contact law of the ground under the point x [m]."""
    if lander.has_regions:
        row = lander.laws[region_at(regions_in(lander.surface.land), x)]
        return CompliantLaw(row[0], row[1], row[2], row[3], row[4], row[5], row[6])
    return lander.law


@device
def motion_rate(lander, t, y, dy):
    """Time derivative of the state, contact included, for the vertices touching now."""
    x, v, q, w = position(y), velocity(y), attitude(y), body_rate(y)
    body = lander.body
    dcm_AB = rotation_matrix(q)
    _, a = potential_and_gravity(lander.gravity, x)
    spin, spin_rate = spin_now(lander, y)
    spin_B, spin_rate_B = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if lander.is_spinning:
        spin_B, spin_rate_B = apply_transposed(dcm_AB, spin), apply_transposed(dcm_AB, spin_rate)
        a = free_acceleration(a, spin, spin_rate, x, v)
    if lander.sun.is_on:
        light = sunlight_now(lander, t, x, y)
        a = add(a, light)
        dy[WORK_SUNLIGHT] = body.mass * dot(light, v)
    elif lander.is_tumbling:
        dy[WORK_SUNLIGHT] = 0.0
    alpha = free_angular_acceleration(body.inertia, body.inverse_inertia, w, spin_B, spin_rate_B)
    powers = (0.0, 0.0, 0.0)
    if body.touching_count[0] > 0:
        force, torque_B, powers, _ = compliant_contact(
            law_here(lander, x), lander.surface, body, dcm_AB, x, v, w, a, alpha
        )
        a = add_scaled(a, 1.0 / body.mass, force)
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, torque_B))
    turn = quaternion_rate(q, w)
    for i in range(3):
        dy[i] = y[3 + i]
    dy[3], dy[4], dy[5] = a
    dy[6], dy[7], dy[8], dy[9] = turn
    dy[10], dy[11], dy[12] = alpha
    dy[WORK_DAMPING], dy[WORK_FRICTION], dy[WORK_ROLLING] = powers
    if lander.is_tumbling:
        dy[WORK_SPIN] = spin_power(
            body.mass, body.inertia, spin, spin_rate, spin_B, spin_rate_B, x, v, w
        )
        frame = (
            y[FRAME_ATTITUDE],
            y[FRAME_ATTITUDE + 1],
            y[FRAME_ATTITUDE + 2],
            y[FRAME_ATTITUDE + 3],
        )
        frame_turn = quaternion_rate(frame, spin)
        for i in range(4):
            dy[FRAME_ATTITUDE + i] = frame_turn[i]
        for i in range(3):
            dy[FRAME_RATE + i] = spin_rate[i]


@device
def motion_energies(lander, y):
    """(kinetic, potential) [J] relative to the ground."""
    x, v, w = position(y), velocity(y), body_rate(y)
    body = lander.body
    spin, _ = spin_now(lander, y)
    spin_B = apply_transposed(rotation_matrix(attitude(y)), spin)
    potential, _ = potential_and_gravity(lander.gravity, x)
    return (
        kinetic_energy(body.mass, body.inertia, v, w),
        potential_energy(body.mass, body.inertia, potential, spin, spin_B, x),
    )


@device
def motion_energy(lander, y):
    """Kinetic and potential energy together [J]."""
    kinetic, potential = motion_energies(lander, y)
    return kinetic + potential


@routine
def energies(lander, y):
    """(kinetic, potential, elastic) [J] relative to the ground."""
    kinetic, potential = motion_energies(lander, y)
    dcm_AB = rotation_matrix(attitude(y))
    return (
        kinetic,
        potential,
        elastic_energy(lander.law, lander.surface, lander.body, dcm_AB, position(y)),
    )


@device
def works(lander, y):
    """Work [J] done on the motion so far by all actors the ledger books."""
    total = y[WORK_DAMPING] + y[WORK_FRICTION] + y[WORK_ROLLING]
    if lander.sun.is_on:
        total += y[WORK_SUNLIGHT]
    if lander.is_tumbling:
        total += y[WORK_SPIN]
    return total


@routine
def contact_now(lander, y):
    """(load [N], slip speed [m/s], deepest [m]) of the touching vertices; zeros in flight."""
    body = lander.body
    if body.touching_count[0] == 0:
        return 0.0, 0.0, 0.0
    x, v, q, w = position(y), velocity(y), attitude(y), body_rate(y)
    none = (0.0, 0.0, 0.0)
    _, _, _, seen = compliant_contact(
        law_here(lander, x), lander.surface, body, rotation_matrix(q), x, v, w, none, none
    )
    return seen
