"""Equations of a lander: which gravity, spin and contact act on the rigid body, and its energies."""

from __future__ import annotations

from collections import namedtuple

from haptos.contact.compliant import CompliantLaw, compliant_contact, elastic_energy
from haptos.contact.contact_motion import Sliding, contact_motion
from haptos.contact.lying_motion import lying_motion
from haptos.core.jit import device, routine
from haptos.core.rotations import apply, apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.symmetric import apply_symmetric
from haptos.core.vectors import add, add_scaled, cross, dot, scale
from haptos.dynamics.march.dormand_prince import interpolate
from haptos.dynamics.rigid.free_rotation import free_rotation
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
    kinetic_energy,
    potential_energy,
    spin_power,
)
from haptos.environment.ball_drag import air_acceleration
from haptos.environment.gravity_terms import sunlit_share
from haptos.environment.spin import tumbling_acceleration, uniform_attitude
from haptos.geometry.distance.surface import direction, ground_field
from haptos.geometry.terrain.land import regions_in
from haptos.geometry.terrain.regions import region_at
from haptos.geometry.terrain.terrain import ROCK
from haptos.scenarios.lander.kept_gravity import gravity_here, gravity_of_stage

# Contact memory of a run: touching_count (3,) holds the vertices that touch springs, the phase, and
# the vertex in contact.
COUNT, PHASE, VERTEX = 0, 1, 2
FLYING, SLIDING, SPRINGY = 0, 1, 2  # phases of a run with impulsive contact
RESTING = 3  # phase of any run that waits on the ground for its next hop
PUSHED = 4  # as SPRINGY, on springs stiff enough for a momentum device, until it leaves the ground

# body: TouchingBody; surface, gravity: tagged tuples; law: CompliantLaw; spin: omega_AN_A at the
# start [rad/s]; is_spinning, is_tumbling; moments: principal moments of the small body, any unit;
# sun: Sun; laws (n, 7): law of each region, where has_regions; grounds (n, 3): restitution, friction,
# rolling length of each region, then of rocks; is_top, top_axis, top_ratio: of free_rotation;
# sliding: Sliding with shares of rolling by axis; is_hopping: it carries a momentum device;
# push: k, c of the springs under a PUSHED body; air: GroundAir; last_gravity (7,): place, potential and
# acceleration where the rates asked for gravity last
Lander = namedtuple(
    "Lander",
    "body surface gravity law spin is_spinning is_tumbling moments sun laws has_regions "
    "grounds is_top top_axis top_ratio sliding is_hopping push air last_gravity",
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
def law_of(row):
    """Compliant law from its row of numbers."""
    return CompliantLaw(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])


@device
def law_here(lander, x):
    """Contact law of the ground under the point x [m]."""
    if lander.has_regions:
        return stiffened(lander, law_of(lander.laws[region_at(regions_in(lander.surface.land), x)]))
    return stiffened(lander, lander.law)


@device
def stiffened(lander, law):
    """The law as it is, or on the springs of a PUSHED body."""
    if lander.body.touching_count[PHASE] != PUSHED:
        return law
    k, c = lander.push
    return CompliantLaw(k, c, law.mu, law.mu_s, law.c_rr, law.v_s, law.w_s, law.normal)


@device
def is_lying(lander):
    """Whether the body is on springs between impacts and rest."""
    phase = lander.body.touching_count[PHASE]
    return phase in (SPRINGY, PUSHED)


@device
def ground_row(lander, x, kind):
    """Row of the coefficients of the ground at the point x [m]; kind: GROUND or ROCK."""
    if kind == ROCK:
        return len(lander.grounds) - 1
    if lander.has_regions:
        return region_at(regions_in(lander.surface.land), x)
    return 0


@device
def vertex_arm(lander, dcm_AB, j):
    """Vertex j from the centre of mass [m], A axes."""
    vertices = lander.body.vertices
    return apply(dcm_AB, (vertices[j, 0], vertices[j, 1], vertices[j, 2]))


@routine
def sliding_contact(lander, dcm_AB, x, v, w, a, alpha):
    """Result of contact_motion at the vertex in contact, the gap there [m], its closing speed [m/s]."""
    arm = vertex_arm(lander, dcm_AB, lander.body.touching_count[VERTEX])
    at = add(x, arm)
    d, gradient, hessian, kind = ground_field(lander.surface, at)
    row = lander.grounds[ground_row(lander, at, kind)]
    s = lander.sliding
    rolling = (s.rolling[0] * row[2], s.rolling[1] * row[2], s.rolling[2] * row[2])
    law = Sliding(row[1], rolling, s.v_s, s.w_s, s.correction)
    force, torque_B, powers, load, slip = contact_motion(
        law, lander.body, arm, dcm_AB, v, w, (d, gradient, hessian), a, alpha
    )
    closing = -dot(direction(gradient), add(v, cross(apply(dcm_AB, w), arm)))
    return force, torque_B, powers, load, slip, d - lander.body.corner_radius, closing


@device
def lying_now(lander, dcm_AB, x, v, w):
    """Result of lying_motion for the vertices that touch."""
    law, axes = law_here(lander, x), lander.sliding.rolling
    rolling = (law.c_rr * axes[0], law.c_rr * axes[1], law.c_rr * axes[2])
    return lying_motion(law, rolling, lander.surface, lander.body, dcm_AB, x, v, w)


@device
def turns_freely(lander):
    """Whether the rotation is known in closed form now: a top in flight."""
    count = lander.body.touching_count
    return lander.is_top and count[COUNT] == 0 and count[PHASE] == FLYING


@device
def turn_freely(lander, y, time, out):
    """Attitude and rate after a time [s] of flight from the state y, into `out`."""
    q, w = free_rotation(
        attitude(y), body_rate(y), lander.spin, lander.top_axis, lander.top_ratio, time
    )
    out[6], out[7], out[8], out[9] = q
    out[10], out[11], out[12] = w


@device
def place_within(lander, theta, h, y, y1, size, k, out):
    """State at the fraction theta of a step, into `out`."""
    is_free = turns_freely(lander)
    rows = ATTITUDE if is_free and size <= WORK_DAMPING else size
    interpolate(theta, h, y, y1, rows, k, out)
    if is_free:
        turn_freely(lander, y, theta * h, out)


@device
def device_now(lander, y, w_total):
    """Torque [N m] of the momentum device on the hull, B axes."""
    axis = (y[WHEEL_AXIS], y[WHEEL_AXIS + 1], y[WHEEL_AXIS + 2])
    return device_torque(y[WHEEL_TORQUE], axis, y[WHEEL_MOMENTUM], w_total)


@routine
def resting_rate(lander, y, dy):
    """Time derivative of the state of a probe held by the ground: only a tumbling body moves on."""
    for i in range(FULL_SIZE):
        dy[i] = 0.0
    if lander.is_tumbling:
        tumble(lander, y, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), dy)


@device
def tumble(lander, y, v, w, dy):
    """Rates of the frame of a tumbling body, and the power it feeds into a motion v, w."""
    spin, spin_rate = spin_now(lander, y)
    dcm_AB = rotation_matrix(attitude(y))
    spin_B, spin_rate_B = apply_transposed(dcm_AB, spin), apply_transposed(dcm_AB, spin_rate)
    body = lander.body
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
def flight_rate(lander, t, y, dy):
    """Time derivative of the state of a top in flight; its rotation is not integrated."""
    x, v = position(y), velocity(y)
    a = gravity_of_stage(lander, x)
    if lander.is_spinning:
        a = free_acceleration(a, lander.spin, (0.0, 0.0, 0.0), x, v)
    for i in range(ATTITUDE, WORK_SUNLIGHT):
        dy[i] = 0.0
    if lander.air.is_on:
        for i in range(WORK_SUNLIGHT, FULL_SIZE):
            dy[i] = 0.0
    if lander.sun.is_on:
        light = sunlight_now(lander, t, x, y)
        a = add(a, light)
        dy[WORK_SUNLIGHT] = lander.body.mass * dot(light, v)
    if lander.air.is_on:
        a = add_drag(lander, x, v, a, dy)
    for i in range(3):
        dy[i], dy[3 + i] = y[3 + i], a[i]


@device
def add_drag(lander, x, v, a, dy):
    """The acceleration a [m/s^2] with drag, whose power goes to the rates."""
    drag = air_acceleration(lander.air, x, v)
    dy[WORK_DRAG] = lander.body.mass * dot(drag, v)
    return add(a, drag)


@device
def motion_rate(lander, t, y, dy):
    """Time derivative of the state, contact included, for the vertices touching now."""
    if turns_freely(lander):
        flight_rate(lander, t, y, dy)
    else:
        contact_rate(lander, t, y, dy)


@routine
def contact_rate(lander, t, y, dy):
    """Time derivative of the state with its rotation, and contact if there is any."""
    x, v, q, w = position(y), velocity(y), attitude(y), body_rate(y)
    body = lander.body
    if body.touching_count[PHASE] == RESTING:
        resting_rate(lander, y, dy)
        return
    if lander.is_hopping or lander.air.is_on:
        for i in range(WORK_SUNLIGHT, FULL_SIZE):
            dy[i] = 0.0
    dcm_AB = rotation_matrix(q)
    a = gravity_of_stage(lander, x)
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
    if lander.air.is_on:
        a = add_drag(lander, x, v, a, dy)
    alpha = free_angular_acceleration(body.inertia, body.inverse_inertia, w, spin_B, spin_rate_B)
    if lander.is_hopping:
        push_B = device_now(lander, y, add(w, spin_B))
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, push_B))
        dy[WORK_ACTUATOR], dy[WHEEL_MOMENTUM] = dot(push_B, w), -y[WHEEL_TORQUE]
    powers = (0.0, 0.0, 0.0)
    if body.touching_count[COUNT] > 0:
        if is_lying(lander):
            force, torque_B, powers, _ = lying_now(lander, dcm_AB, x, v, w)
        else:
            force, torque_B, powers, _ = compliant_contact(
                law_here(lander, x), lander.surface, body, dcm_AB, x, v, w, a, alpha
            )
        a = add_scaled(a, 1.0 / body.mass, force)
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, torque_B))
    elif body.touching_count[PHASE] == SLIDING:
        force, torque_B, powers, _, _, _, _ = sliding_contact(lander, dcm_AB, x, v, w, a, alpha)
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
        tumble(lander, y, v, w, dy)


@device
def motion_energies(lander, y):
    """(kinetic, potential) [J] relative to the ground."""
    x, v, w = position(y), velocity(y), body_rate(y)
    body = lander.body
    spin, _ = spin_now(lander, y)
    spin_B = apply_transposed(rotation_matrix(attitude(y)), spin)
    potential, _ = gravity_here(lander, x)
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
        elastic_energy(
            stiffened(lander, lander.law), lander.surface, lander.body, dcm_AB, position(y)
        ),
    )


@device
def free_motion(lander, t, y, v, w):
    """(acceleration [m/s^2] in A axes, angular acceleration [rad/s^2] in B axes) without contact.

    v, w: velocity [m/s] and rate [rad/s] to take; those of y, or none for a body at rest.
    """
    x = position(y)
    dcm_AB = rotation_matrix(attitude(y))
    _, a = gravity_here(lander, x)
    spin, spin_rate = spin_now(lander, y)
    spin_B, spin_rate_B = apply_transposed(dcm_AB, spin), apply_transposed(dcm_AB, spin_rate)
    a = free_acceleration(a, spin, spin_rate, x, v)
    if lander.sun.is_on:
        a = add(a, sunlight_now(lander, t, x, y))
    if lander.air.is_on:
        a = add(a, air_acceleration(lander.air, x, v))
    body = lander.body
    alpha = free_angular_acceleration(body.inertia, body.inverse_inertia, w, spin_B, spin_rate_B)
    if lander.is_hopping:
        push_B = device_now(lander, y, add(w, spin_B))
        alpha = add(alpha, apply_symmetric(body.inverse_inertia, push_B))
    return a, alpha


@routine
def sliding_now(lander, t, y):
    """(load [N], slip [m/s], gap [m], closing speed [m/s]) of the vertex in contact."""
    x, v, w = position(y), velocity(y), body_rate(y)
    a, alpha = free_motion(lander, t, y, v, w)
    dcm_AB = rotation_matrix(attitude(y))
    _, _, _, load, slip, gap, closing = sliding_contact(lander, dcm_AB, x, v, w, a, alpha)
    return load, slip, gap, closing


@routine
def contact_now(lander, t, y):
    """(load [N], slip speed [m/s], deepest [m]) of the touching vertices; zeros in flight."""
    body = lander.body
    if body.touching_count[PHASE] == SLIDING:
        load, slip, gap, _ = sliding_now(lander, t, y)
        return load, slip, max(-gap, 0.0)
    if body.touching_count[0] == 0:
        return 0.0, 0.0, 0.0
    x, v, q, w = position(y), velocity(y), attitude(y), body_rate(y)
    none = (0.0, 0.0, 0.0)
    if is_lying(lander):
        _, _, _, seen = lying_now(lander, rotation_matrix(q), x, v, w)
        return seen
    _, _, _, seen = compliant_contact(
        law_here(lander, x), lander.surface, body, rotation_matrix(q), x, v, w, none, none
    )
    return seen
