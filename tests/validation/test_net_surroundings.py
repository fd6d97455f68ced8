"""A net's kernel in orbit, on the ground and in an aircraft: marched, against closed forms and peers.

The satellite of [Salvi2014] ch. 6 is a box of 10 x 6 x 5 m and 2500 kg at 500 km.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.rotations import rotation_matrices
from haptos.core.units import DEGREE
from haptos.dynamics.cable.thread_link import link_damping
from haptos.dynamics.field import FLIGHT, ORBIT, UNIFORM
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.nets.parabolic_shot import parabolic_path, parabolic_shot
from haptos.dynamics.system import (
    DRAG,
    GRAVITY,
    PUSH_IMPULSE,
    PUSH_PEAK,
    RADIATION,
    THREAD_DRAG,
    FaceArrays,
    Field,
    no_air,
)
from haptos.environment.atmosphere import air_density, standard_table
from haptos.environment.gravity_j2 import EARTH_J2, j2_gravity
from haptos.environment.gravity_point import point_gravity
from haptos.environment.orbit_frames import (
    EARTH_MU,
    EARTH_RADIUS,
    KeplerElements,
    elements_from_state,
    orbit_period,
    state_from_elements,
)
from haptos.environment.orbital_origin import origin_path, origin_state
from haptos.environment.origin_table import origin_table, tabled_state
from haptos.environment.parabolic_flight import rate_profile
from tests.close import assert_close
from tests.environment.face_bodies import box_faces
from tests.net_cases import MOST, small_net

MASS, SIDES = 2500.0, np.array([10.0, 6.0, 5.0])
INERTIA = MASS * (SIDES @ SIDES - SIDES**2) / 12.0  # [kg m^2], principal
HIGH = EARTH_RADIUS + 5e5
PERIOD = orbit_period(HIGH)
INCLINED = KeplerElements(HIGH, 0.0, math.radians(50.0), 0.3)
TABLE = standard_table()
PITCH = 4.0 * DEGREE  # [rad/s]


def field_of(elements, **more):
    return Field(
        ORBIT, np.zeros(3), EARTH_MU, origin_path(elements), np.zeros(6), np.zeros(9),
        radius=EARTH_RADIUS, **more,
    )  # fmt: skip


def flight(**more):
    turning = np.zeros(9)
    turning[1] = PITCH
    path = origin_path(INCLINED)
    return Field(FLIGHT, np.zeros(3), 1.0, path, np.zeros(6), turning, **more)


def a_box(field, **air):
    """The satellite, tumbling, alone."""
    net, motion = small_net([], [])
    normals, centres, areas, drag = box_faces(*SIDES, 2.2)
    faces = FaceArrays(np.array([0, 6]), normals, centres, areas, drag, np.full(6, 1.3))
    air = no_air()._replace(
        log_density=TABLE.log_density, spacing=TABLE.spacing, faces=faces, **air
    )
    net = net._replace(field=field, air=air)
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = 1.0 / INERTIA, 1.0 / MASS
    motion.bodies.momentum[0] = INERTIA * np.radians([1.0, -2.0, 0.5])
    return net, motion


def go(net, motion, until, longest):
    assert march(net, motion, scratch_of(motion), until, 0.4, longest, MOST)


@functools.cache
def turn_of_the_box():
    """States (R, V, spin momentum, spin energy) through one turn beside an origin a kilometre away."""
    place, velocity = state_from_elements(INCLINED)
    beside = elements_from_state(
        np.add(place, (400.0, -900.0, 300.0)), np.add(velocity, (0.2, 0.1, -0.3))
    )
    net, motion = a_box(field_of(beside))
    origin, speed = origin_state(net.field.path, 0.0)
    motion.bodies.place[0], motion.bodies.speed[0] = place - origin, velocity - speed
    rows, room = [], scratch_of(motion)
    for t in np.linspace(0.0, PERIOD, 25):
        assert march(net, motion, room, float(t), 0.4, 0.2, MOST)
        origin, speed = origin_state(net.field.path, float(t))
        own = rotation_matrices(motion.bodies.attitude[0]).T @ motion.bodies.momentum[0]
        spin = 0.5 * float(own @ (own / INERTIA))
        rows.append(
            (
                origin + motion.bodies.place[0],
                speed + motion.bodies.speed[0],
                motion.bodies.momentum[0].copy(),
                spin,
            )
        )
    remainder = motion.ledger.energy.largest / abs(motion.ledger.work[GRAVITY])
    return rows, float(remainder)


def test_v1_the_box_closes_its_orbit_after_the_period():
    rows, _ = turn_of_the_box()
    assert_close(PERIOD, 5677.0, rtol=1e-4)
    assert_close(rows[-1][0], rows[0][0], rtol=1e-10)
    assert_close([np.linalg.norm(row[0]) for row in rows], np.full(25, HIGH), rtol=1e-10)


def test_v2_momenta_of_the_box_are_constant():
    rows, _ = turn_of_the_box()
    orbital = np.array([np.cross(row[0], row[1]) for row in rows])
    assert_close(orbital, np.broadcast_to(orbital[0], orbital.shape), rtol=1e-10)
    spin = np.array([row[2] for row in rows])
    assert_close(spin, np.broadcast_to(spin[0], spin.shape), rtol=1e-12)


def test_v3_energies_of_the_box_are_constant_and_the_ledger_closes():
    rows, remainder = turn_of_the_box()
    orbital = [MASS * (0.5 * row[1] @ row[1] - EARTH_MU / np.linalg.norm(row[0])) for row in rows]
    assert_close(orbital, np.full(25, -7.244e10), rtol=1e-4)
    assert_close(orbital, np.full(25, orbital[0]), rtol=1e-10)
    assert_close([row[3] for row in rows], np.full(25, rows[0][3]), rtol=1e-4)
    assert remainder < 1e-6


def test_j2_moves_a_box_beside_the_origin_as_the_whole_equations_do():
    """A peer in absolute places with its rounding of 1e-8 m; 0.1 s steps err by 1e-6 m."""
    duration = 1500.0
    place, velocity = state_from_elements(INCLINED)
    spacing, table = origin_table(place, velocity, duration)
    net, motion = a_box(field_of(INCLINED, j2=EARTH_J2, spacing=spacing, rows=table))
    r, v = np.array([600.0, -300.0, 700.0]), np.array([0.2, 0.1, -0.3])
    motion.bodies.place[0], motion.bodies.speed[0] = r, v
    go(net, motion, duration, 0.1)

    def rate(t, y):
        here = tuple(map(float, y[:3]))
        flat = j2_gravity(here, EARTH_MU, EARTH_RADIUS, EARTH_J2)[1]
        return [*y[3:], *np.add(point_gravity(here, EARTH_MU)[1], flat)]

    start = np.concatenate([place + r, velocity + v])
    peer = solve_ivp(rate, (0.0, duration), start, "DOP853", rtol=1e-13, atol=1e-9).y[:3, -1]
    expected = peer - tabled_state(spacing, table, duration)[0]
    assert_close(motion.bodies.place[0], expected, rtol=1e-7)
    net, motion = a_box(field_of(INCLINED))  # without J2 it is metres elsewhere
    motion.bodies.place[0], motion.bodies.speed[0] = r, v
    go(net, motion, duration, 0.1)
    with pytest.raises(AssertionError):
        assert_close(motion.bodies.place[0], expected, rtol=1e-3)


def test_v8_the_gradient_swings_a_box_and_its_work_is_booked():
    """Its energy seen in a frame that turns with the orbit is kept; its long axis starts near the vertical."""
    net, motion = a_box(field_of(KeplerElements(HIGH), has_gradient=True))
    mean = 2.0 * math.pi / PERIOD
    angle = 0.1  # x to the Earth, z to the pole, at time zero along x of N
    motion.bodies.attitude[0] = (math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle))
    motion.bodies.momentum[0] = INERTIA * (0.0, 0.0, mean)
    room, swings = scratch_of(motion), []
    # libration of a body on a circle: n sqrt(3 (Iy - Ix)/Iz)
    rate = mean * math.sqrt(3.0 * (INERTIA[1] - INERTIA[0]) / INERTIA[2])
    times = np.linspace(0.0, 2.0 * math.pi / rate, 17)
    for t in times:
        assert march(net, motion, room, float(t), 0.4, 1.0, MOST)
        axis = rotation_matrices(motion.bodies.attitude[0])[:, 0]
        swings.append(math.remainder(math.atan2(axis[1], axis[0]) - mean * t, 2.0 * math.pi))
    assert_close(swings, angle * np.cos(rate * times), rtol=0.02)  # sin 2a is not quite 2a
    assert motion.ledger.energy.largest < 1e-5 * motion.ledger.energy.kinetic


@pytest.mark.parametrize(
    ("across", "wanted"), [(1, PERIOD / math.sqrt(3.0)), (2, PERIOD / 2.0)], ids=["in plane", "across"]
)  # fmt: skip
def test_v9_a_dumbbell_of_two_nodes_and_a_thread_swings(across, wanted):
    """T/sqrt(3) in the plane of the orbit, T/2 across; the tide alone keeps the thread taut."""
    mean, half, mass, stretching, angle = 2.0 * math.pi / PERIOD, 50.0, 1.0, 1.0, 0.01
    stiffness = stretching / (2.0 * half)
    long = half / (1.0 - 1.5 * mass * mean**2 / stiffness)  # stretched by 3 n^2 m long
    up = np.array([math.cos(angle), 0.0, 0.0])
    up[across] = math.sin(angle)
    net, motion = small_net(
        [long * up, -long * up], [mass, mass], elements=[(0, 1)], lengths=[2.0 * half],
        stretching=stretching,
    )  # fmt: skip
    net = net._replace(
        field=field_of(KeplerElements(HIGH)), options=net.options._replace(slack=5.0)
    )
    motion.points.v[:] = np.cross([0.0, 0.0, mean], motion.points.x)
    motion.bodies.inverse_mass[:] = 0.0
    room, seen = scratch_of(motion), []
    times = np.linspace(0.0, wanted, 25)
    for t in times:
        assert march(net, motion, room, float(t), 0.1, 1.0, MOST)
        line = motion.points.x[0] - motion.points.x[1]
        c, s = math.cos(mean * t), math.sin(mean * t)
        turned = np.array([c * line[0] + s * line[1], c * line[1] - s * line[0], line[2]])
        seen.append(turned[across] / np.linalg.norm(line))
    assert motion.elements.tension[0] > 0.0
    assert_close(seen, angle * np.cos(2.0 * math.pi * times / wanted), rtol=0.02)


def flat_net(mesh=0.2, count=16):
    """A planar net of 3 x 3 m across x at 3 m/s, threads of 1 mm and 1 g/m."""
    index = np.arange(count * count).reshape(count, count)
    x = np.stack(
        [np.zeros(index.size), mesh * (index.ravel() % count), mesh * (index.ravel() // count)],
        axis=1,
    )
    along = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
    over = np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1)
    elements = np.concatenate([along, over])
    masses = np.zeros(len(x))
    np.add.at(masses, elements.ravel(), 0.5 * 1e-3 * mesh)
    net, motion = small_net(
        x, masses, elements=elements, lengths=np.full(len(elements), mesh), stretching=200.0,
        damping=link_damping(200.0, 1e-3, 0.1),
    )  # fmt: skip
    air = no_air()._replace(
        has_drag=True, log_density=TABLE.log_density, spacing=TABLE.spacing,
        threads=np.tile([1.2, 1e-3], (len(elements), 1)),
    )  # fmt: skip
    motion.points.v[:, 0] = 3.0
    return net._replace(field=net.field._replace(kind=UNIFORM), air=air), motion


def test_v10_a_flat_net_slows_down_in_air_as_the_closed_form_says():
    """Every node has the same drag over mass: v = v0/(1 + k v0 t), k = rho c d/(2 rho_l)."""
    net, motion = flat_net()
    go(net, motion, 0.5, 1e-3)
    density = air_density(0.0, TABLE.log_density, TABLE.spacing)
    k = 0.5 * density * 1.2 * 1e-3 / 1e-3
    assert_close(
        motion.points.v[:, 0], np.full(len(motion.points.v), 3.0 / (1.0 + 3.0 * k * 0.5)), rtol=1e-6
    )
    lost = 0.5 * motion.points.mass.sum() * (9.0 - motion.points.v[0, 0] ** 2)
    assert_close(motion.ledger.work[DRAG], -lost, rtol=1e-6)
    assert motion.ledger.energy.largest < 1e-6 * lost


def test_v10_a_millinewton_per_thread_and_a_newton_in_all_and_orders_less_in_orbit():
    """The thesis has eight orders, with an air hundreds of times thinner than the standard one."""
    net, motion = flat_net()
    go(net, motion, 1e-3, 1e-3)
    ground = motion.ledger.pushes[THREAD_DRAG, PUSH_PEAK]
    assert 0.3 < ground < 3.0
    assert 5e-4 < ground / len(motion.elements.length) < 5e-3
    net, motion = flat_net()
    net = net._replace(field=field_of(KeplerElements(HIGH)))
    go(net, motion, 1e-3, 1e-3)
    assert 5.0 < math.log10(ground / motion.ledger.pushes[THREAD_DRAG, PUSH_PEAK]) < 7.0


def test_drag_slows_a_box_in_orbit_and_light_pushes_it_with_a_closed_ledger():
    """Pressure of light a million times the Sun's, so that its work is seen."""
    low = KeplerElements(EARTH_RADIUS + 2e5)
    dark = np.array([0.0, 0.0, 1.0])
    for switches, book in (
        ({"has_drag": True}, DRAG),
        ({"has_light": True, "sun": 4.5, "from_sun": dark}, RADIATION),
        ({"has_light": True, "earth": 1e6}, RADIATION),
    ):
        net, motion = a_box(field_of(low), **switches)
        go(net, motion, 100.0, 0.05)
        others = [k for k in (DRAG, RADIATION) if k != book]
        assert motion.ledger.work[book] != 0.0
        assert not motion.ledger.work[others].any()
        assert np.linalg.norm(motion.bodies.place[0]) > 1e-3
        scale = abs(motion.ledger.work[book]) + abs(motion.ledger.work[GRAVITY])
        assert motion.ledger.energy.largest < max(1e-4 * scale, 1e-5 * motion.ledger.energy.kinetic)


def net_in_flight(field):
    """A loose patch of net with a bullet tied to it, thrown fore at 0.4 m/s."""
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.1, 0.1), (0.0, 0.0, 0.1)], [0.01] * 4,
        elements=[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4)], lengths=[0.1, 0.1, 0.1, 0.1, 0.05],
        damping=0.01, fixed=[(0, (0.0, 0.0, 0.02))],
    )  # fmt: skip
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = (
        1.0 / np.array([1e-5, 1e-5, 4e-6]),
        1.0 / 0.04,
    )
    motion.bodies.place[0] = (0.0, -0.04, 0.0)
    motion.points.v[:], motion.bodies.speed[0] = (0.4, 0.0, 0.0), (0.4, 0.0, 0.0)
    return net._replace(field=field), motion


def centre(motion):
    """(place [m], velocity [m/s]) of the centre of mass."""
    masses = np.append(motion.points.mass[:4], 1.0 / motion.bodies.inverse_mass[0])
    x, v = (
        np.vstack([motion.points.x[:4], motion.bodies.place]),
        np.vstack([motion.points.v[:4], motion.bodies.speed]),
    )
    return masses @ x / masses.sum(), masses @ v / masses.sum()


def test_v23_the_centre_of_a_net_in_flight_is_the_reduced_model():
    """Offset (5, 2, 2) m, 0.4 m/s: 2 m after 4.66 s, 0.755 m high, at 0.54 m/s."""
    arm = np.array([5.0, 2.0, 2.0])
    net, motion = net_in_flight(flight())
    first, speed = centre(motion)
    net = net._replace(field=net.field._replace(arm=arm - first))
    shot = parabolic_shot(arm, speed)
    go(net, motion, shot.time, 1e-3)
    place, velocity = centre(motion)
    assert_close(motion.step.time, 4.66, rtol=2e-3)
    assert_close(place - first, shot.place - arm, rtol=1e-6)
    assert_close(velocity, shot.velocity, rtol=1e-6)
    assert_close(place[2] - first[2], 0.755, rtol=2e-3)
    assert_close(np.linalg.norm(velocity), 0.54, rtol=0.01)
    assert motion.ledger.energy.largest < 1e-3 * motion.ledger.energy.kinetic


def test_an_uneven_pitch_and_a_measured_disturbance_are_followed():
    """Rates by a table with the same even rate, readings of an accelerometer off the centre."""
    arm, sensor = np.array([1.0, 0.0, -0.5]), np.array([2.0, 0.0, 1.0])
    wanted = np.array([0.02, -0.01, 0.03])  # [m/s^2], at the centre of turning
    omega = np.array([0.0, PITCH, 0.0])
    reading = wanted - np.cross(omega, np.cross(omega, sensor))
    even = rate_profile([-1.0, 1.0, 5.0], [PITCH] * 3)
    field = flight(
        pitch_times=even.times, pitch_pieces=even.pieces, reading_times=np.array([0.0, 9.0]),
        readings=np.array([reading, reading]), sensor=sensor,
    )  # fmt: skip
    net, motion = net_in_flight(field)
    first, speed = centre(motion)
    net = net._replace(field=field._replace(arm=arm - first))
    go(net, motion, 2.0, 1e-3)
    path, _ = parabolic_path([0.0, 2.0], arm, speed, disturbance=lambda t: wanted)
    assert_close(centre(motion)[0] - first, path[-1] - arm, rtol=1e-6)


def by_verlet(net, motion, until):
    go(net, motion, until, 1e-3)


def by_dormand(net, motion, until):
    """Few steps, so that plain Python is enough."""
    plain = getattr(march_dormand, "py_func", march_dormand)
    room = room_of(net, motion, position=1e-9, velocity=1e-9, attitude=1e-9, rate=1e-10)
    assert plain(net, motion, scratch_of(motion), room, until, 1e-9, 0.5, MOST)


@pytest.mark.parametrize("scheme", [by_verlet, by_dormand])
def test_what_floats_goes_straight_in_space_while_the_rate_changes(scheme):
    profile = rate_profile([0.0, 1.0, 2.0], [0.02, 0.12, 0.05])
    field = flight(pitch_times=profile.times, pitch_pieces=profile.pieces)
    net, motion = a_box(field)
    motion.bodies.place[0], motion.bodies.speed[0] = (5.0, 2.0, 2.0), (0.4, 0.05, -0.1)
    start = motion.bodies.place[0].copy()
    straight = motion.bodies.speed[0] + np.cross([0.0, 0.02, 0.0], start)
    own = rotation_matrices(motion.bodies.attitude[0])
    spin = motion.bodies.momentum[0] + own @ (INERTIA * (own.T @ [0.0, 0.02, 0.0]))
    scheme(net, motion, 2.0)
    angle = 0.07 + 0.085
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    assert_close(turn @ motion.bodies.place[0], start + 2.0 * straight, rtol=1e-7)
    own = rotation_matrices(motion.bodies.attitude[0])
    seen = motion.bodies.momentum[0] + own @ (INERTIA * (own.T @ [0.0, 0.05, 0.0]))
    assert_close(turn @ seen, spin, rtol=1e-6)
    assert motion.ledger.energy.largest < 1e-5 * motion.ledger.energy.kinetic
    assert motion.ledger.energy.elastic == 0.0


def test_the_other_scheme_feels_the_same_air():
    """A flat net slows down by the closed form; ledger and tally are kept."""
    net, motion = flat_net(count=4)
    by_dormand(net, motion, 0.5)
    density = air_density(0.0, TABLE.log_density, TABLE.spacing)
    speed = 3.0 / (1.0 + 3.0 * 0.5 * density * 1.2 * 0.5)
    assert_close(motion.points.v[:, 0], np.full(len(motion.points.v), speed), rtol=1e-7)
    lost = 0.5 * motion.points.mass.sum() * (9.0 - speed**2)
    assert_close(motion.ledger.work[DRAG], -lost, rtol=1e-6)
    assert_close(
        motion.ledger.pushes[THREAD_DRAG, PUSH_IMPULSE],
        motion.points.mass.sum() * (3.0 - speed),
        rtol=1e-2,
    )
