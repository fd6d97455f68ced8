"""Rates of the state: gravity, spin, sunlight, drag, momentum device and contact act on the rigid body."""

from __future__ import annotations

from haptos.contact.compliant import compliant_contact
from haptos.core.jit import device, routine
from haptos.core.rotations import apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, dot, scale
from haptos.dynamics.rigid.momentum_device import device_torque
from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FRAME_RATE,
    FULL_SIZE,
    WHEEL_AXIS,
    WHEEL_MOMENTUM,
    WHEEL_TORQUE,
    WORK_ACTUATOR,
    WORK_DAMPING,
    WORK_DRAG,
    WORK_FRICTION,
    WORK_ROLLING,
    WORK_SPIN,
    WORK_SUNLIGHT,
    free_acceleration,
    free_angular_acceleration,
    spin_power,
)
from haptos.dynamics.touching.ground_contact import is_lying, law_here, lying_now, sliding_contact
from haptos.dynamics.touching.kept_gravity import gravity_here, gravity_of_stage
from haptos.dynamics.touching.model import COUNT, PHASE, RESTING, SLIDING
from haptos.dynamics.touching.state import (
    attitude,
    body_rate,
    position,
    spin_now,
    turns_freely,
    velocity,
)
from haptos.environment.ball_drag import air_acceleration
from haptos.environment.gravity_terms import sunlit_share
from haptos.environment.spin import uniform_attitude


@device
def sunlight_now(model, t, x, y):
    """Acceleration by sunlight [m/s^2], A axes."""
    quat_NA = uniform_attitude(model.spin.rate, t)
    if model.spin.is_tumbling:
        quat_NA = (
            y[FRAME_ATTITUDE],
            y[FRAME_ATTITUDE + 1],
            y[FRAME_ATTITUDE + 2],
            y[FRAME_ATTITUDE + 3],
        )
    sun_A = apply_transposed(rotation_matrix(quat_NA), model.sun.direction)
    share = sunlit_share(x, sun_A, model.sun.distance, model.sun.shadow)
    return scale(-share * model.sun.strength, sun_A)


@device
def device_now(model, y, w_total):
    """Torque [N m] of the momentum device on the hull, B axes."""
    axis = (y[WHEEL_AXIS], y[WHEEL_AXIS + 1], y[WHEEL_AXIS + 2])
    return device_torque(y[WHEEL_TORQUE], axis, y[WHEEL_MOMENTUM], w_total)


@routine
def resting_rate(model, y, dy):
    """Time derivative of the state of a body held by the ground: only ground that tumbles moves on."""
    for i in range(FULL_SIZE):
        dy[i] = 0.0
    if model.spin.is_tumbling:
        tumble(model, y, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), dy)


@device
def tumble(model, y, v, w, dy):
    """Rates of the frame of tumbling ground, and the power it feeds into a motion v, w."""
    spin, spin_rate = spin_now(model, y)
    dcm_AB = rotation_matrix(attitude(y))
    spin_B, spin_rate_B = apply_transposed(dcm_AB, spin), apply_transposed(dcm_AB, spin_rate)
    body = model.body
    dy[WORK_SPIN] = spin_power(
        body.mass, body.inertia, spin, spin_rate, spin_B, spin_rate_B, position(y), v, w
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


@routine
def flight_rate(model, t, y, dy):
    """Time derivative of the state of a top in flight; its rotation is not integrated."""
    x, v = position(y), velocity(y)
    a = gravity_of_stage(model, x)
    if model.spin.is_on:
        a = free_acceleration(a, model.spin.rate, (0.0, 0.0, 0.0), x, v)
    for i in range(ATTITUDE, WORK_SUNLIGHT):
        dy[i] = 0.0
    if model.air.is_on:
        for i in range(WORK_SUNLIGHT, FULL_SIZE):
            dy[i] = 0.0
    if model.sun.is_on:
        light = sunlight_now(model, t, x, y)
        a = add(a, light)
        dy[WORK_SUNLIGHT] = model.body.mass * dot(light, v)
    if model.air.is_on:
        a = add_drag(model, x, v, a, dy)
    for i in range(3):
        dy[i], dy[3 + i] = y[3 + i], a[i]


@device
def add_drag(model, x, v, a, dy):
    """The acceleration a [m/s^2] with drag, whose power goes to the rates."""
    drag = air_acceleration(model.air, x, v)
    dy[WORK_DRAG] = model.body.mass * dot(drag, v)
    return add(a, drag)


@device
def motion_rate(model, t, y, dy):
    """Time derivative of the state, contact included, for the vertices touching now."""
    if turns_freely(model):
        flight_rate(model, t, y, dy)
    else:
        contact_rate(model, t, y, dy)


@routine
def contact_rate(model, t, y, dy):
    """Time derivative of the state with its rotation, and contact if there is any."""
    x, v, q, w = position(y), velocity(y), attitude(y), body_rate(y)
    body = model.body
    if body.touching_count[PHASE] == RESTING:
        resting_rate(model, y, dy)
        return
    if model.device.is_on or model.air.is_on:
        for i in range(WORK_SUNLIGHT, FULL_SIZE):
            dy[i] = 0.0
    dcm_AB = rotation_matrix(q)
    a = gravity_of_stage(model, x)
    spin, spin_rate = spin_now(model, y)
    spin_B, spin_rate_B = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if model.spin.is_on:
        spin_B, spin_rate_B = apply_transposed(dcm_AB, spin), apply_transposed(dcm_AB, spin_rate)
        a = free_acceleration(a, spin, spin_rate, x, v)
    if model.sun.is_on:
        light = sunlight_now(model, t, x, y)
        a = add(a, light)
        dy[WORK_SUNLIGHT] = body.mass * dot(light, v)
    elif model.spin.is_tumbling:
        dy[WORK_SUNLIGHT] = 0.0
    if model.air.is_on:
        a = add_drag(model, x, v, a, dy)
    alpha = free_angular_acceleration(body.inertia, body.inverse_inertia, w, spin_B, spin_rate_B)
    if model.device.is_on:
        push_B = device_now(model, y, add(w, spin_B))
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, push_B))
        dy[WORK_ACTUATOR], dy[WHEEL_MOMENTUM] = dot(push_B, w), -y[WHEEL_TORQUE]
    powers = (0.0, 0.0, 0.0)
    if body.touching_count[COUNT] > 0:
        if is_lying(model):
            force, torque_B, powers, _ = lying_now(model, dcm_AB, x, v, w)
        else:
            force, torque_B, powers, _ = compliant_contact(
                law_here(model, x), model.surface, body, dcm_AB, x, v, w, a, alpha
            )
        a = add_scaled(a, 1.0 / body.mass, force)
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, torque_B))
    elif body.touching_count[PHASE] == SLIDING:
        force, torque_B, powers, _, _, _, _ = sliding_contact(model, dcm_AB, x, v, w, a, alpha)
        a = add_scaled(a, 1.0 / body.mass, force)
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, torque_B))
    turn = quaternion_rate(q, w)
    for i in range(3):
        dy[i] = y[3 + i]
    dy[3], dy[4], dy[5] = a
    dy[6], dy[7], dy[8], dy[9] = turn
    dy[10], dy[11], dy[12] = alpha
    dy[WORK_DAMPING], dy[WORK_FRICTION], dy[WORK_ROLLING] = powers
    if model.spin.is_tumbling:
        tumble(model, y, v, w, dy)


@device
def free_motion(model, t, y, v, w):
    """(acceleration [m/s^2] in A axes, angular acceleration [rad/s^2] in B axes) without contact.

    v, w: velocity [m/s] and rate [rad/s] to take; those of y, or none for a body at rest.
    """
    x = position(y)
    dcm_AB = rotation_matrix(attitude(y))
    _, a = gravity_here(model, x)
    spin, spin_rate = spin_now(model, y)
    spin_B, spin_rate_B = apply_transposed(dcm_AB, spin), apply_transposed(dcm_AB, spin_rate)
    a = free_acceleration(a, spin, spin_rate, x, v)
    if model.sun.is_on:
        a = add(a, sunlight_now(model, t, x, y))
    if model.air.is_on:
        a = add(a, air_acceleration(model.air, x, v))
    body = model.body
    alpha = free_angular_acceleration(body.inertia, body.inverse_inertia, w, spin_B, spin_rate_B)
    if model.device.is_on:
        push_B = device_now(model, y, add(w, spin_B))
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, push_B))
    return a, alpha
