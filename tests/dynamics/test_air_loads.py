"""Air and light push a net as their laws say, in any axes, and only what they reach."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.rotations import rotation_matrices
from haptos.dynamics.air_loads import (
    air_at,
    blow_threads,
    book_pushes,
    drag_bodies,
    light_bodies,
    push_bodies,
    sky_of,
)
from haptos.dynamics.field import ORBIT, field_at, field_torque, renew_field
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import (
    BULLET_DRAG,
    DRAG,
    FACE_DRAG,
    PUSH_IMPULSE,
    PUSH_PEAK,
    RADIATION,
    SUNLIGHT,
    THREAD_DRAG,
    FaceArrays,
    Field,
    no_air,
)
from haptos.environment.atmosphere import EARTH_RATE, air_density, standard_table, turning_air
from haptos.environment.bullet_drag import bullet_drag
from haptos.environment.face_drag import face_drag
from haptos.environment.gravity_gradient import gravity_gradient_torque
from haptos.environment.gravity_j2 import EARTH_J2, j2_difference
from haptos.environment.orbit_frames import EARTH_MU, EARTH_RADIUS, KeplerElements, lvlh_axes
from haptos.environment.orbital_origin import differential_gravity, origin_path
from haptos.environment.radiation_pressure import SOLAR_PRESSURE, earth_pressure, face_pressure
from haptos.environment.thread_drag import thread_drag
from tests.close import assert_close
from tests.environment.face_bodies import box_faces
from tests.net_cases import small_net

TABLE = standard_table()
LOW = KeplerElements(EARTH_RADIUS + 3e5, 0.001, math.radians(50.0), 0.3)
TURNED = rotation_matrices(np.array([0.5, -0.5, 0.1, 0.7]) / 1.0)
QUATERNION = np.array([0.9, 0.1, -0.3, 0.2]) / np.linalg.norm([0.9, 0.1, -0.3, 0.2])
MOMENTS = np.array([12.0, 26.0, 28.0])


def in_orbit(dcm_NE=None, **more):
    """Field of an orbit, N axes turned by dcm_NE against the Earth's."""
    dcm = np.eye(3) if dcm_NE is None else dcm_NE
    a, e, n, m0, p, q = origin_path(LOW)
    path = (a, e, n, m0, tuple(map(float, dcm @ p)), tuple(map(float, dcm @ q)))
    field = Field(
        ORBIT, np.zeros(3), EARTH_MU, path, np.zeros(6), np.zeros(9), radius=EARTH_RADIUS,
        axes=np.ascontiguousarray(dcm), **more,
    )  # fmt: skip
    renew_field(field, 321.0)
    return field


def box_air(bodies=1, **more):
    """Standard air about one box of faces, body 0."""
    normals, centres, areas, drag = box_faces(2.0, 1.0, 0.5, 2.2)
    start = np.array([0] + [6] * bodies, dtype=np.int64)
    faces = FaceArrays(start, normals, centres, areas, drag, np.full(6, 1.3))
    air = no_air()._replace(
        has_drag=True, log_density=TABLE.log_density, spacing=TABLE.spacing, faces=faces
    )
    return air._replace(**more)


def a_box(**air):
    """A tumbling box that moves in orbit, away from the origin."""
    net, motion = small_net([], [])
    net = net._replace(field=in_orbit(), air=box_air(**air))
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = 1.0 / MOMENTS, 0.01
    motion.bodies.place[0], motion.bodies.speed[0] = (30.0, -20.0, 10.0), (0.1, 0.2, -0.3)
    motion.bodies.attitude[0] = QUATERNION
    motion.bodies.momentum[0] = (1.0, -2.0, 0.5)
    return net, motion


def at(net, x, v):
    """Air at a place, as the kernel meets it."""
    return air_at(sky_of(net.field, net.air), net.air.log_density, x, v)


def own_axes(vector):
    return tuple(map(float, rotation_matrices(QUATERNION).T @ np.asarray(vector)))


def rate_of(motion):
    return tuple(map(float, own_axes(motion.bodies.momentum[0]) / MOMENTS))


def test_in_orbit_air_is_met_with_the_orbits_velocity():
    net, _ = a_box()
    o = net.field.origin
    x, v = (30.0, -20.0, 10.0), (0.1, 0.2, -0.3)
    density, through = at(net, x, v)
    high = float(np.linalg.norm(o[:3] + x)) - EARTH_RADIUS
    assert density == air_density(high, TABLE.log_density, TABLE.spacing)
    assert_close(through, o[3:] + v, rtol=1e-15)


@pytest.mark.parametrize("dcm", [None, TURNED])
def test_air_that_turns_is_met_more_slowly_whatever_the_axes(dcm):
    net, _ = a_box(rate=EARTH_RATE)
    net = net._replace(field=in_orbit(dcm))
    turn = np.eye(3) if dcm is None else dcm
    place = tuple(map(float, turn.T @ net.field.origin[:3]))
    _, through = at(net, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    expected = net.field.origin[3:] - turn @ turning_air(place, EARTH_RATE)
    assert_close(through, expected, rtol=1e-13)
    assert 300.0 < np.linalg.norm(through - net.field.origin[3:]) < 500.0


def test_on_the_ground_air_thins_upwards_and_wind_is_taken_off():
    net, _ = small_net([], [])
    air = box_air(altitude=500.0, up=np.array([0.0, 0.0, 1.0]), wind=np.array([2.0, 0.0, 0.0]))
    density, through = at(net._replace(air=air), (9.0, 9.0, 70.0), (3.0, 1.0, 0.0))
    assert density == air_density(570.0, TABLE.log_density, TABLE.spacing)
    assert through == (1.0, 1.0, 0.0)


def test_v4_j2_is_felt_as_the_difference_to_the_origin_whatever_the_axes():
    x = np.array([120.0, -40.0, 75.0])
    expected = []
    for dcm in (np.eye(3), TURNED):
        field = in_orbit(dcm, j2=EARTH_J2)
        origin = tuple(map(float, field.origin[:3]))
        here, low = tuple(map(float, dcm.T @ x)), tuple(map(float, dcm.T @ field.origin[:3]))
        round_part = differential_gravity(tuple(x), origin, EARTH_MU)[1]
        law = dcm @ j2_difference(here, low, EARTH_MU, EARTH_RADIUS, EARTH_J2)
        found = np.subtract(field_at(field, tuple(x), (0.0, 0.0, 0.0)), round_part)
        assert_close(found, law, rtol=1e-9)  # of a difference, itself 1e-3 of the whole
        whole = field_at(field, tuple(x), (0.0, 0.0, 0.0))
        assert_close(whole, np.add(round_part, law), rtol=1e-12)
        expected.append(float(np.linalg.norm(law)))
        assert field_at(field, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert min(expected) > 1e-8


def test_v5_drag_on_faces_is_the_law_and_points_backwards():
    net, motion = a_box()
    pushed = scratch_of(motion).pushed
    drag_bodies(net, motion, pushed)
    density, through = at(net, (30.0, -20.0, 10.0), (0.1, 0.2, -0.3))
    faces = box_faces(2.0, 1.0, 0.5, 2.2)
    force, torque = face_drag(density, own_axes(through), rate_of(motion), *faces)
    dcm = rotation_matrices(QUATERNION)
    assert_close(pushed[0, :3], dcm @ force, rtol=1e-12)
    assert_close(pushed[0, 3:6], dcm @ torque, rtol=1e-12)
    along = np.array(lvlh_axes(tuple(net.field.origin[:3]), through)) @ pushed[0, :3]
    assert along[0] < 0.0
    assert_close(along[1:], (0.0, 0.0), rtol=1e-3, scale=-along[0])  # it turns, a little
    assert_close(motion.ledger.pushes[FACE_DRAG, :3], pushed[0, :3], rtol=1e-15)
    assert not pushed[0, 6:].any()


def sunny(**more):
    given = {"has_light": True, "has_drag": False, "from_sun": np.array([0.0, 0.6, -0.8])}
    return a_box(**{**given, **more})


def test_v6_light_of_sun_and_earth_is_the_law():
    net, motion = sunny(sun=SOLAR_PRESSURE, earth=1.0)
    pushed = scratch_of(motion).pushed
    light_bodies(net, motion, pushed)
    place = net.field.origin[:3] + motion.bodies.place[0]
    away = float(np.linalg.norm(place))
    faces = box_faces(2.0, 1.0, 0.5, 1.3)
    expected = np.zeros(6)
    parts = (
        (SOLAR_PRESSURE, net.air.from_sun),
        (earth_pressure(away - EARTH_RADIUS, EARTH_RADIUS), place / away),
    )
    for pressure, along in parts:
        force, torque = face_pressure(pressure, own_axes(along), *faces)
        dcm = rotation_matrices(QUATERNION)
        expected += np.concatenate([dcm @ force, dcm @ torque])
    assert_close(pushed[0, 6:9], expected[:3], rtol=1e-12)
    assert_close(pushed[0, 9:], expected[3:], rtol=1e-12, scale=np.abs(expected[:3]).max())
    assert not pushed[0, :6].any()


def test_v6_in_the_shadow_only_the_earths_light_is_left():
    net, motion = sunny(sun=SOLAR_PRESSURE, earth=1.0)
    behind = net.field.origin[:3] / np.linalg.norm(net.field.origin[:3])
    net = net._replace(air=net.air._replace(from_sun=behind))
    pushed = scratch_of(motion).pushed
    light_bodies(net, motion, pushed)
    assert not motion.ledger.pushes[SUNLIGHT, :3].any()
    place = net.field.origin[:3] + motion.bodies.place[0]
    up = place / np.linalg.norm(place)
    size = np.linalg.norm(pushed[0, 6:9])
    assert_close(pushed[0, 6:9], size * up, rtol=1e-12)


def test_v8_the_gradient_of_gravity_turns_bodies_as_the_law_says():
    net, motion = a_box()
    net = net._replace(field=net.field._replace(has_gradient=True))
    place = own_axes(net.field.origin[:3] + motion.bodies.place[0])
    six = (MOMENTS[0], 0.0, 0.0, MOMENTS[1], 0.0, MOMENTS[2])
    law = gravity_gradient_torque(place, six, EARTH_MU)
    assert_close(field_torque(net, motion, 0), rotation_matrices(QUATERNION) @ law, rtol=1e-12)


def test_threads_are_blown_by_the_law_half_at_each_end():
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.2, 0.3)], [1.0] * 3,
        elements=[(0, 1), (1, 2)], lengths=[0.2, 0.3],
    )  # fmt: skip
    air = box_air(threads=np.array([[1.2, 1e-3], [1.1, 2e-3]]))
    motion.points.v[:] = [[3.0, 0.0, 0.0], [3.0, 0.5, 0.0], [2.0, 0.0, 1.0]]
    force, blown = np.zeros((3, 3)), np.zeros((3, 3))
    blow_threads(net._replace(air=air), motion, blown, force)
    density = air_density(0.0, TABLE.log_density, TABLE.spacing)
    first = np.array(thread_drag(density, 1.2, 1e-3, (0.0, 0.2, 0.0), (3.0, 0.25, 0.0)))
    second = np.array(thread_drag(density, 1.1, 2e-3, (0.0, 0.0, 0.3), (2.5, 0.25, 0.5)))
    assert_close(blown, 0.5 * np.array([first, first + second, second]), rtol=1e-12)
    assert_close(force, blown, rtol=1e-15)
    assert_close(motion.ledger.pushes[THREAD_DRAG, :3], first + second, rtol=1e-12)
    motion.elements.whole[1] = 0
    blow_threads(net._replace(air=air), motion, blown, force)
    assert not blown[2].any()
    waiting = net._replace(air=air, orders=net.orders._replace(nodes_held=1.0))
    blow_threads(waiting, motion, blown, force)
    assert not blown.any()


def test_v11_bullets_are_blown_by_the_law_and_turn_unless_they_are_held():
    row = np.array([[0.0, 0.015, 0.06, 0.85, 1.2, 0.0]])
    net, motion = a_box(bullets=row, faces=no_air().faces)
    pushed = scratch_of(motion).pushed
    drag_bodies(net, motion, pushed)
    density, through = at(net, (30.0, -20.0, 10.0), (0.1, 0.2, -0.3))
    force, torque = bullet_drag(
        density, own_axes(through), rate_of(motion), *map(float, row[0, 1:5]), False
    )
    dcm = rotation_matrices(QUATERNION)
    assert_close(pushed[0, :3], dcm @ force, rtol=1e-12)
    assert_close(pushed[0, 3:6], dcm @ torque, rtol=1e-12)
    assert np.linalg.norm(torque) > 0.0
    assert_close(motion.ledger.pushes[BULLET_DRAG, :3], dcm @ force, rtol=1e-12)
    net.orders.held[0] = 1.0
    pushed[:] = 0.0
    drag_bodies(net, motion, pushed)
    assert not pushed.any()


def test_work_is_booked_from_velocities_seen_by_the_origin_and_tallied():
    net, motion = a_box(has_light=True, sun=SOLAR_PRESSURE, from_sun=np.array([0.0, 0.6, -0.8]))
    scratch = scratch_of(motion)
    push_bodies(net, motion, scratch.pushed)
    assert_close(motion.bodies.force[0], scratch.pushed[0, :3] + scratch.pushed[0, 6:9], rtol=1e-15)
    book_pushes(net, motion, scratch, 0.0)
    assert not motion.ledger.work.any()
    book_pushes(net, motion, scratch, 0.5)
    rate = rotation_matrices(QUATERNION) @ rate_of(motion)
    p = scratch.pushed[0]
    assert_close(
        motion.ledger.work[DRAG], p[:3] @ motion.bodies.speed[0] + p[3:6] @ rate, rtol=1e-12
    )
    assert_close(
        motion.ledger.work[RADIATION], p[6:9] @ motion.bodies.speed[0] + p[9:] @ rate, rtol=1e-12
    )
    size = np.linalg.norm(p[:3])
    found = motion.ledger.pushes[FACE_DRAG, [PUSH_IMPULSE, PUSH_PEAK]]
    assert_close(found, (size, size), rtol=1e-14)


def test_check_has_teeth():
    net, motion = a_box()
    pushed = scratch_of(motion).pushed
    drag_bodies(net, motion, pushed)
    right = pushed.copy()
    pushed[:] = 0.0
    net.air.faces.drag[:] *= 1.01
    drag_bodies(net, motion, pushed)
    with pytest.raises(AssertionError):
        assert_close(pushed, right, rtol=1e-12)
