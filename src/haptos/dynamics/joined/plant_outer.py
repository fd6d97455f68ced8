"""Loads on joined bodies from outside and from wheels: gravity about a Kepler origin, light, thrusters.

Validity: as the laws. Source: as the laws: orbital_origin.py, gravity_gradient.py, thrusters.py.
"""

from __future__ import annotations

from haptos.core.inlining import routine
from haptos.core.jit import device
from haptos.core.rotations import apply, apply_transposed
from haptos.core.vectors import add, add_scaled, cross, dot, scale
from haptos.dynamics.joined.plant_model import (
    BODY,
    W_GRAVITY,
    W_LIGHT,
    W_THRUST,
)
from haptos.dynamics.rigid.plume import plume_force
from haptos.environment.gravity_gradient import gravity_gradient_torque
from haptos.environment.gravity_terms import ASTRONOMICAL_UNIT, sunlit_share
from haptos.environment.orbit_frames import EARTH_RADIUS
from haptos.environment.orbital_origin import differential_gravity, origin_state
from haptos.environment.radiation_pressure import SOLAR_PRESSURE, light_on_face

CITES: tuple[str, ...] = ()


@device
def three(y, first):
    return (y[first], y[first + 1], y[first + 2])


@device
def row_of(rows, k):
    return (rows[k, 0], rows[k, 1], rows[k, 2])


@device
def matrix_of(rows, k, first):
    """Three row tuples of the nine numbers of rows[k] from `first`."""
    r = rows[k]
    return (
        (r[first], r[first + 1], r[first + 2]),
        (r[first + 3], r[first + 4], r[first + 5]),
        (r[first + 6], r[first + 7], r[first + 8]),
    )


@device
def add_load(plant, b, force, torque):
    """Add a force [N] and a torque about N's origin [N m] to body b, N axes."""
    load = plant.bodies.load
    for i in range(3):
        load[b, i] += force[i]
        load[b, 3 + i] += torque[i]


@device
def add_outer(plant, b, y, force, place, couple, work, dy):
    """A load from outside at a place [m] from the body's origin, N axes: load, work and impulse."""
    at = plant.layout
    r = add(three(y, b * BODY), place)
    torque = add(cross(r, force), couple)
    add_load(plant, b, force, torque)
    v, w = row_of(plant.bodies.velocity, b), three(plant.bodies.velocity[b], 3)
    dy[at.works + work] += dot(force, add(v, cross(w, place))) + dot(couple, w)
    for i in range(3):
        dy[at.impulse + i] += force[i]
        dy[at.impulse + 3 + i] += torque[i]


@device
def _inertia(plant, b):
    """Inertia about the centre of mass, six numbers in body axes."""
    m, c, mass = plant.appendages.rigid[b], row_of(plant.bodies.centre, b), plant.bodies.mass[b]
    square = dot(c, c)
    return (
        m[3, 3] - mass * (square - c[0] * c[0]),
        m[3, 4] + mass * c[0] * c[1],
        m[3, 5] + mass * c[0] * c[2],
        m[4, 4] - mass * (square - c[1] * c[1]),
        m[4, 5] + mass * c[1] * c[2],
        m[5, 5] - mass * (square - c[2] * c[2]),
    )


@routine
def add_gravity(plant, t, y, dy):
    """Difference of gravity and its torque on every body; light of the Sun where it shines."""
    world = plant.surroundings
    if world.kind == 0:
        return
    origin, _ = origin_state(world.path, t)
    for b in range(plant.layout.bodies):
        dcm = matrix_of(plant.bodies.dcm, b, 0)
        arm = apply(dcm, row_of(plant.bodies.centre, b))
        r = add(three(y, b * BODY), arm)
        _, a = differential_gravity(r, origin, world.mu)
        couple = (0.0, 0.0, 0.0)
        if world.gradient == 1:
            place = apply_transposed(dcm, add(origin, r))
            couple = apply(dcm, gravity_gradient_torque(place, _inertia(plant, b), world.mu))
        add_outer(plant, b, y, scale(plant.bodies.mass[b], a), arm, couple, W_GRAVITY, dy)
        if world.shines == 1:
            _add_light(plant, b, y, add(origin, r), dcm, dy)


@device
def _add_light(plant, b, y, place, dcm, dy):
    world = plant.surroundings
    sun = three(world.sun, 0)
    pressure = SOLAR_PRESSURE * sunlit_share(place, sun, ASTRONOMICAL_UNIT, EARTH_RADIUS)
    along = scale(-1.0, apply_transposed(dcm, sun))
    for k in range(world.first[b], world.first[b + 1]):
        push = light_on_face(
            pressure, world.areas[k], world.reflections[k], row_of(world.normals, k), along
        )
        centre = apply(dcm, row_of(world.centres, k))
        add_outer(plant, b, y, apply(dcm, push), centre, (0.0, 0.0, 0.0), W_LIGHT, dy)


@routine
def add_thrusters(plant, t, y, dy):
    """Thrust of all that fire, their propellant, and their plumes on other bodies."""
    jets = plant.thrusters
    for b in range(plant.layout.bodies):
        dcm = matrix_of(plant.bodies.dcm, b, 0)
        for k in range(jets.body_first[b], jets.body_first[b + 1]):
            thrust = jets.level[k] + jets.slope[k] * (t - jets.since[0])
            if thrust <= 0.0:
                continue
            way, arm = apply(dcm, row_of(jets.direction, k)), apply(dcm, row_of(jets.position, k))
            none = (0.0, 0.0, 0.0)
            add_outer(plant, b, y, scale(thrust, way), arm, none, W_THRUST, dy)
            _burn(plant, b, y, dcm, thrust * jets.flow[k], dy)
            _add_plumes(plant, b, thrust, add(three(y, b * BODY), arm), way, y, dy)


@device
def _burn(plant, b, y, dcm, flow, dy):
    """Propellant [kg/s] leaves its tank with the momentum and the energy it had there; thrust is what it gives beyond."""
    tank = apply(dcm, row_of(plant.appendages.tank, b))
    v, _ = velocity_at(plant, b, tank)
    dy[plant.layout.propellant + b] += flow
    add_outer(plant, b, y, scale(-flow, v), tank, (0.0, 0.0, 0.0), W_THRUST, dy)
    dy[plant.layout.works + W_THRUST] += 0.5 * flow * dot(v, v)  # the mass matrix that falls


@device
def _add_plumes(plant, b, thrust, nozzle, way, y, dy):
    plumes = plant.surroundings.plumes
    for n in range(len(plumes)):
        if int(plumes[n, 0]) == b:
            on = int(plumes[n, 1])
            arm = apply(matrix_of(plant.bodies.dcm, on, 0), three(plumes[n], 2))
            ball = add(three(y, on * BODY), arm)
            force = plume_force(thrust, nozzle, way, ball, plumes[n, 5], plumes[n, 6])
            add_outer(plant, on, y, force, arm, (0.0, 0.0, 0.0), W_THRUST, dy)


@device
def frame_of(plant, y, b, rows, k):
    """(place from N's origin, place from the body's, dcm_NF) of a frame fixed to body b, row k of places."""
    dcm = matrix_of(plant.bodies.dcm, b, 0)
    arm = apply(dcm, row_of(rows, k))
    return add(three(y, b * BODY), arm), arm, product(dcm, matrix_of(rows, k, 3))


@device
def product(a, b):
    """a @ b of two matrices as row tuples."""
    return (
        _row_times(a[0], b),
        _row_times(a[1], b),
        _row_times(a[2], b),
    )


@device
def _row_times(r, b):
    return add_scaled(add_scaled(scale(r[0], b[0]), r[1], b[1]), r[2], b[2])


@device
def product_transposed(a, b):
    """a.T @ b of two matrices as row tuples."""
    return (
        _row_times((a[0][0], a[1][0], a[2][0]), b),
        _row_times((a[0][1], a[1][1], a[2][1]), b),
        _row_times((a[0][2], a[1][2], a[2][2]), b),
    )


@device
def velocity_at(plant, b, arm):
    """(velocity [m/s] of the point at `arm` from the body's origin, rate [rad/s]), N axes."""
    v, w = row_of(plant.bodies.velocity, b), three(plant.bodies.velocity[b], 3)
    return add(v, cross(w, arm)), w
