"""Accelerations and torques of a field on all masses: ground, orbit, parabolic flight or small body.

In orbit the N origin falls freely; with J2 it falls along an orbit that J2 bends (`origin_table`),
and all else feels what J2 does to it beyond what it does to the origin.
With a small body N axes turn with it: x_A = dcm_NA^T (x + arm), arm from the body's centre to the origin,
gravity by the dispatch of `gravity`, and the forces of turning axes.
Frame: N axes. Validity: forces act on centres of mass. On the ground and in free space a field has
no torque; about a small body it has that of turning axes, and no gradient of gravity.
Source: the laws are in `turning_frame`, `orbital_origin`, `origin_table`, `gravity_j2`,
`gravity_gradient`, `parabolic_flight` and `gravity`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, rotation_matrix
from haptos.core.vectors import add, dot
from haptos.dynamics.rigid.bodies import attitude_of, rates_of, three
from haptos.dynamics.system import Field
from haptos.environment.gravity import Gravity, potential_and_gravity
from haptos.environment.gravity_gradient import gravity_gradient_torque
from haptos.environment.gravity_j2 import j2_difference
from haptos.environment.gravity_uniform import uniform_gravity
from haptos.environment.orbital_origin import differential_gravity, origin_state
from haptos.environment.origin_table import tabled_state
from haptos.environment.parabolic_flight import (
    BEND,
    disturbance_from_imu,
    interpolated,
    mean_pitch,
    time_to_bend,
)
from haptos.environment.turning_frame import apparent_acceleration, apparent_torque

CITES: tuple[str, ...] = ()

Floats = NDArray[np.float64]

NO_FIELD, UNIFORM, ORBIT, FLIGHT, SMALL_BODY = 0, 1, 2, 3, 4


@device
def renew_field(field, time):
    """Bring the field to a time [s]."""
    if field.kind == ORBIT:
        if len(field.rows) > 0:
            place, speed = tabled_state(field.spacing, field.rows, time)
        else:
            place, speed = origin_state(field.path, time)
        for k in range(3):
            field.origin[k], field.origin[k + 3] = place[k], speed[k]
    if field.kind == FLIGHT:
        _renew_flight(field, time)
    if field.kind == SMALL_BODY and len(field.rows) > 0:
        rate, change = tabled_state(field.spacing, field.rows, time)
        for k in range(3):
            field.turning[k], field.turning[k + 3] = rate[k], change[k]


@device
def renew_within(field, time, middle):
    """Bring the field to a time [s] of a step with a middle [s], as on that side of a bend."""
    if field.kind == FLIGHT and len(field.pitch_times) > 0:
        renew_field(field, time + math.copysign(2.0 * BEND, middle - time))
    else:
        renew_field(field, time)


@routine
def _renew_flight(field, time):
    """Bring the turning and the disturbance of a flight to a time [s]."""
    t = field.turning
    if len(field.pitch_times) > 0:
        t[1], t[4] = mean_pitch(field.pitch_times, field.pitch_pieces, time)
    if len(field.reading_times) > 0:
        reading = interpolated(field.reading_times, field.readings, time)
        sensor = (field.sensor[0], field.sensor[1], field.sensor[2])
        t[6], t[7], t[8] = disturbance_from_imu(
            reading, (t[0], t[1], t[2]), (t[3], t[4], t[5]), sensor
        )


@device
def field_limit(field, time):
    """Longest step [s] from a time [s]: it ends where the pitch rate of a flight bends."""
    if field.kind == FLIGHT and len(field.pitch_times) > 0:
        return time_to_bend(field.pitch_times, time)
    return math.inf


@device
def earth_axes(field):
    """dcm_NE as rows; E has its z axis along the Earth's spin, or is fixed to a small body."""
    return (three(field.axes, 0), three(field.axes, 1), three(field.axes, 2))


@device
def pull_of(field):
    """What `pull_at` needs, as numbers: records cost time in loops."""
    o, t = field.origin, field.turning
    return (
        field.kind, (field.uniform[0], field.uniform[1], field.uniform[2]), field.mu,
        (o[0], o[1], o[2]), field.j2, field.radius, earth_axes(field),
        ((t[0], t[1], t[2]), (t[3], t[4], t[5]), (t[6], t[7], t[8])),
        (field.arm[0], field.arm[1], field.arm[2]),
    )  # fmt: skip


@device
def pull_at(pull, x, v):
    """Acceleration [m/s^2] at a place [m] with a velocity [m/s]."""
    kind, uniform, mu, origin, j2, radius, dcm, turning, arm = pull
    if kind == ORBIT:
        tide = differential_gravity(x, origin, mu)[1]
        if j2 != 0.0:
            here, there = apply_transposed(dcm, x), apply_transposed(dcm, origin)
            tide = add(tide, apply(dcm, j2_difference(here, there, mu, radius, j2)))
        return tide
    if kind == FLIGHT:
        return apparent_acceleration(add(x, arm), v, turning[0], turning[1], turning[2])
    return uniform_gravity(x, uniform)[1]


@device
def field_at(field, x, v):
    """Acceleration [m/s^2] at one place [m] with a velocity [m/s]."""
    if field.kind == SMALL_BODY:
        return body_pull(field, x, v)
    return pull_at(pull_of(field), x, v)


@device
def body_pull(field, x, v):
    """Acceleration [m/s^2] at a place [m] with a velocity [m/s], in axes that turn with a small body."""
    t, r, dcm = field.turning, add(x, (field.arm[0], field.arm[1], field.arm[2])), earth_axes(field)
    _, g = potential_and_gravity(field.gravity, apply_transposed(dcm, r))
    return apparent_acceleration(r, v, (t[0], t[1], t[2]), (t[3], t[4], t[5]), apply(dcm, g))


@device
def moments_of(system, b):
    """Principal moments of a body [kg m^2]; 0 for those that do not turn."""
    i = three(system.inverse_inertia, b)
    return (
        1.0 / i[0] if i[0] > 0.0 else 0.0,
        1.0 / i[1] if i[1] > 0.0 else 0.0,
        1.0 / i[2] if i[2] > 0.0 else 0.0,
    )


@device
def field_torque(system, motion, b):
    """Torque [N m], N axes, of the field on a body: gradient of gravity, or turn of the cabin."""
    field, moments = system.field, moments_of(system, b)
    if field.kind == ORBIT and field.has_gradient:
        dcm = rotation_matrix(attitude_of(motion, b))
        origin = (field.origin[0], field.origin[1], field.origin[2])
        place = apply_transposed(dcm, add(origin, three(motion.bodies.place, b)))
        six = (moments[0], 0.0, 0.0, moments[1], 0.0, moments[2])
        return apply(dcm, gravity_gradient_torque(place, six, field.mu))
    if field.kind in (FLIGHT, SMALL_BODY):
        dcm, t = rotation_matrix(attitude_of(motion, b)), field.turning
        omega = apply_transposed(dcm, (t[0], t[1], t[2]))
        change = apply_transposed(dcm, (t[3], t[4], t[5]))
        rate = apply_transposed(dcm, rates_of(system, motion, b))
        return apply(dcm, apparent_torque(moments, rate, omega, change))
    return (0.0, 0.0, 0.0)


@routine
def field_on_bodies(system, motion):
    """Power of the field [W] after adding its forces and torques to the bodies that move."""
    power = 0.0
    turns = system.field.kind in (FLIGHT, SMALL_BODY) or system.field.has_gradient
    if system.field.kind == NO_FIELD and not turns:
        return power
    pull = pull_of(system.field)
    for b in range(len(motion.bodies.inverse_mass)):
        if turns:
            torque = field_torque(system, motion, b)
            power += dot(torque, rates_of(system, motion, b))
            for k in range(3):
                motion.bodies.torque[b, k] += torque[k]
        if motion.bodies.inverse_mass[b] == 0.0:
            continue
        if system.field.kind == SMALL_BODY:
            a = body_pull(
                system.field, three(motion.bodies.place, b), three(motion.bodies.speed, b)
            )
        else:
            a = pull_at(pull, three(motion.bodies.place, b), three(motion.bodies.speed, b))
        for k in range(3):
            motion.bodies.force[b, k] += a[k] / motion.bodies.inverse_mass[b]
            power += a[k] / motion.bodies.inverse_mass[b] * motion.bodies.speed[b, k]
    return power


def no_field() -> Field:
    """No gravity, in axes that do not turn."""
    still = (1.0, 0.0, 1.0, 0.0, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))  # an orbit that nothing follows
    return Field(NO_FIELD, np.zeros(3), 1.0, still, np.zeros(6), np.zeros(9))


def uniform_field(acceleration: tuple[float, float, float]) -> Field:
    """The same acceleration [m/s^2] everywhere."""
    return no_field()._replace(kind=UNIFORM, uniform=np.array(acceleration, dtype=float))


def body_field(
    gravity: Gravity, spin: Floats, *, arm: Floats, axes: Floats, table: tuple[float, Floats] | None = None
) -> Field:  # fmt: skip
    """Gravity of a small body in axes N that turn with it.

    spin  of the body [rad/s], N axes, (3,)       arm   of the N origin from its centre [m], N axes, (3,)
    axes  dcm_NA, of the axes `gravity` is in     table  (spacing [s], rows (n, 6) of the spin [rad/s] and its
          rate, N axes) of a body that tumbles
    """
    spacing, rows = (1.0, np.zeros((0, 6))) if table is None else table
    return no_field()._replace(
        kind=SMALL_BODY, turning=np.concatenate([spin, np.zeros(6)]), gravity=gravity,
        arm=np.array(arm, dtype=float), axes=np.ascontiguousarray(axes), spacing=spacing,
        rows=np.ascontiguousarray(rows),
    )  # fmt: skip
