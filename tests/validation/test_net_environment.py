"""Orbit, momentum, energy, perturbations and libration of a satellite, as a net simulator needs them.

The satellite of [Salvi2014] ch. 6: a box of 10 x 6 x 5 m and 2500 kg at 500 km. It is integrated as
seen from an origin that flies beside it on another orbit. Where the thesis reports figures that
do not follow from its equations, the ones that do are expected.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from haptos.core.rotations import apply, apply_transposed, quaternion_rate, rotation_matrix
from haptos.core.vectors import add, cross, norm, scale
from haptos.environment.atmosphere import air_density, standard_table
from haptos.environment.eclipse import is_lit
from haptos.environment.face_drag import face_drag
from haptos.environment.gravity_gradient import gravity_gradient_energy, gravity_gradient_torque
from haptos.environment.gravity_j2 import j2_gravity
from haptos.environment.orbit_frames import (
    KeplerElements,
    elements_from_state,
    lvlh_axes,
    orbit_period,
    state_from_elements,
)
from haptos.environment.orbital_origin import (
    absolute_state,
    differential_gravity,
    origin_path,
    origin_state,
)
from haptos.environment.radiation_pressure import SOLAR_PRESSURE, earth_pressure, face_pressure
from tests.close import assert_close
from tests.environment.face_bodies import box_faces

MU, RADIUS, J2 = 3.986e14, 6378e3, 1.08271e-3  # numbers of the thesis
ORBIT, MASS, SIDES = RADIUS + 500e3, 2500.0, np.array([10.0, 6.0, 5.0])
INERTIA = MASS * (SIDES @ SIDES - SIDES**2) / 12.0  # [kg m^2], principal
PERIOD = orbit_period(ORBIT, MU)
INCLINED = KeplerElements(ORBIT, 0.0, math.radians(50.0), 0.3)


def euler(w, inertia, torque):
    """Angular acceleration [rad/s^2] in principal axes."""
    iw = inertia * np.array(w)
    return (np.array(torque) - np.cross(w, iw)) / inertia


def propagate(orbit, start, w0, q0, inertia, turns, with_gradient, points=241):
    """Times and states (r_N, v_N, q, w) of a rigid body, integrated about a flying origin."""
    path = origin_path(orbit, MU)
    six = (inertia[0], 0.0, 0.0, inertia[1], 0.0, inertia[2])
    origin_place, origin_velocity = origin_state(path, 0.0)
    r0, v0 = np.subtract(start[0], origin_place), np.subtract(start[1], origin_velocity)

    def rate(t, y):
        origin, _ = origin_state(path, t)
        r, q, w = tuple(y[:3]), tuple(y[6:10]), tuple(y[10:])
        torque = (0.0, 0.0, 0.0)
        if with_gradient:
            place_B = apply_transposed(rotation_matrix(q), add(origin, r))
            torque = gravity_gradient_torque(place_B, six, MU)
        pull = differential_gravity(r, origin, MU)[1]
        return [*y[3:6], *pull, *quaternion_rate(q, w), *euler(w, inertia, torque)]

    times = np.linspace(0.0, turns * PERIOD, points)
    y0 = np.array([*r0, *v0, *q0, *w0])
    atol = np.array([1e-6] * 3 + [1e-9] * 3 + [1e-11] * 4 + [1e-13] * 3)
    found = solve_ivp(rate, (0.0, times[-1]), y0, "DOP853", t_eval=times, rtol=1e-11, atol=atol)
    states = []
    for t, y in zip(times, found.y.T, strict=True):
        r_N, v_N = absolute_state(tuple(y[:3]), tuple(y[3:6]), *origin_state(path, t))
        q = y[6:10] / np.linalg.norm(y[6:10])
        states.append((r_N, v_N, tuple(q), tuple(y[10:])))
    return times, states


@functools.cache
def tumbling():
    """One turn of the box, tumbling freely, beside an origin about a kilometre away."""
    start = state_from_elements(INCLINED, MU)
    beside = elements_from_state(start[0] + [400.0, -900.0, 300.0], start[1] + [0.2, 0.1, -0.3], MU)
    w0, q0 = np.radians([1.0, -2.0, 0.5]), (1.0, 0.0, 0.0, 0.0)
    return propagate(beside, start, w0, q0, INERTIA, 1.0, with_gradient=False)


def test_v1_the_orbit_closes_after_the_period_of_kepler_at_one_altitude():
    assert_close(PERIOD, 5677.0, rtol=1e-4)
    _, states = tumbling()
    place, velocity = state_from_elements(INCLINED, MU)
    assert_close(states[-1][0], place, rtol=1e-9)  # millimetres after a turn of 43,000 km
    assert_close([norm(r_N) for r_N, *_ in states], np.full(len(states), ORBIT), rtol=1e-9)
    for r_N, v_N, *_ in states[::40]:
        along = apply(lvlh_axes(r_N, v_N), v_N)
        assert_close(along, (7612.7, 0.0, 0.0), rtol=1e-5)
    assert_close(norm(tuple(velocity)), 7612.7, rtol=1e-5)


def test_v2_momenta_are_constant():
    _, states = tumbling()
    orbital = np.array([cross(r_N, v_N) for r_N, v_N, *_ in states])
    assert_close(orbital, np.broadcast_to(orbital[0], orbital.shape), rtol=1e-9)
    spin = np.array([apply(rotation_matrix(q), tuple(INERTIA * w)) for *_, q, w in states])
    assert_close(spin, np.broadcast_to(spin[0], spin.shape), rtol=1e-8)


def test_v3_energies_are_constant():
    _, states = tumbling()
    assert_close(INERTIA, [12708.0, 26042.0, 28333.0], rtol=1e-4)
    orbital = [MASS * (0.5 * np.dot(v_N, v_N) - MU / norm(r_N)) for r_N, v_N, *_ in states]
    assert_close(orbital, np.full(len(states), -7.244e10), rtol=1e-4)
    assert_close(orbital, np.full(len(states), orbital[0]), rtol=1e-9)
    spin = [0.5 * np.dot(w, INERTIA * w) for *_, w in states]
    assert_close(spin, np.full(len(states), spin[0]), rtol=1e-8)


def along_orbit(elements, law, points=256):
    """LVLH components of a law(r_N, v_N) at even steps of one turn, shape (points, 3)."""
    path = origin_path(elements, MU)
    found = []
    for k in range(points):
        r_N, v_N = origin_state(path, k * PERIOD / points)
        found.append(apply(lvlh_axes(r_N, v_N), law(r_N, v_N)))
    return np.array(found)


def strongest(series):
    """Harmonic of the orbit's frequency with most power, the mean left out."""
    power = np.abs(np.fft.rfft(series - series.mean()))
    return int(power.argmax())


def test_v4_j2_acts_at_twice_the_orbits_frequency_and_across_at_once():
    assert_close(3.0 * J2 * MU * RADIUS**2 / ORBIT**4, 0.02353, rtol=2e-4)
    found = along_orbit(INCLINED, lambda r_N, _: j2_gravity(r_N, MU, RADIUS, J2)[1])
    assert [strongest(found[:, k]) for k in range(3)] == [2, 1, 2]  # V-bar, H-bar, R-bar
    i = INCLINED.inclination
    assert_close(np.abs(found[:, 0]).max(), 0.02353 * math.sin(i) ** 2 / 2.0, rtol=1e-3)
    assert_close(np.abs(found[:, 1]).max(), 0.02353 * math.sin(i) * math.cos(i), rtol=1e-3)
    equator = along_orbit(KeplerElements(ORBIT), lambda r_N, _: j2_gravity(r_N, MU, RADIUS, J2)[1])
    assert_close(equator, np.tile([0.0, 0.0, 0.5 * 0.02353], (256, 1)), rtol=2e-4)


FACES = box_faces(*SIDES, 2.2)
AIR = standard_table()


def drag_on_box(r_N, v_N):
    """Drag [N] on a box that keeps its attitude in space."""
    density = air_density(norm(r_N) - RADIUS, AIR.log_density, AIR.spacing)
    return face_drag(density, v_N, (0.0, 0.0, 0.0), *FACES)[0]


def test_v5_drag_is_along_v_bar_alone_and_backwards():
    found = along_orbit(INCLINED, drag_on_box)
    assert (found[:, 0] < 0.0).all()
    assert_close(found[:, 1:], np.zeros((256, 2)), rtol=1e-12, scale=np.abs(found).max())


def light_on_box(r_N, from_sun):
    """(is lit, force of the Sun, force of the Earth) [N] on the box."""
    faces = box_faces(*SIDES, 1.3)
    pressure = earth_pressure(norm(r_N) - RADIUS, RADIUS)
    earth = face_pressure(pressure, scale(1.0 / norm(r_N), r_N), *faces)[0]
    lit = is_lit(r_N, from_sun, RADIUS)
    sun = face_pressure(SOLAR_PRESSURE, from_sun, *faces)[0] if lit else (0.0, 0.0, 0.0)
    return lit, sun, earth


@pytest.mark.parametrize(("declination", "share"), [(0.0, 0.378), (23.4, 0.366)])
def test_v6_eclipse_lasts_its_share_and_leaves_the_earths_light(declination, share):
    """An equatorial orbit, the Sun at a declination; the printed 30 % does not follow."""
    d = math.radians(declination)
    from_sun = (-math.cos(d), 0.0, -math.sin(d))
    path, points, dark = origin_path(KeplerElements(ORBIT), MU), 4000, 0
    for k in range(points):
        r_N, v_N = origin_state(path, k * PERIOD / points)
        lit, sun, earth = light_on_box(r_N, from_sun)
        dark += not lit
        if not lit and k % 100 == 0:
            total = apply(lvlh_axes(r_N, v_N), add(sun, earth))
            assert total[2] < 0.0  # opposite to R-bar
            assert_close(total[:2], (0.0, 0.0), rtol=1e-12, scale=-total[2])
    assert_close(dark / points, share, rtol=0.002)


def test_v7_j2_is_four_to_five_orders_above_drag_and_light():
    r_N, v_N = origin_state(origin_path(KeplerElements(ORBIT), MU), 0.0)
    flattening = MASS * norm(j2_gravity(r_N, MU, RADIUS, J2)[1])
    drag = norm(drag_on_box(r_N, v_N))
    _, sun, _ = light_on_box((-ORBIT, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert_close(flattening, 29.4, rtol=0.002)
    assert_close(drag, 2e-3, rtol=0.2)
    assert_close(norm(sun), 3.5e-4, rtol=0.05)
    assert 4.0 < math.log10(flattening / drag) < 5.0
    assert 4.0 < math.log10(flattening / norm(sun)) < 5.1


def pointing(axis_to_earth, axis_to_pole):
    """dcm_NB of a body at the start of the orbit, two of its axes along -r_N and the momentum."""
    r_N, v_N = origin_state(origin_path(KeplerElements(ORBIT), MU), 0.0)
    dcm_NB = np.zeros((3, 3))
    dcm_NB[:, axis_to_earth] = -np.array(r_N) / norm(r_N)
    dcm_NB[:, axis_to_pole] = np.cross(r_N, v_N) / norm(cross(r_N, v_N))
    third = 3 - axis_to_earth - axis_to_pole
    sign = 1.0 if (axis_to_earth, axis_to_pole) in ((0, 1), (1, 2), (2, 0)) else -1.0
    dcm_NB[:, third] = sign * np.cross(dcm_NB[:, axis_to_earth], dcm_NB[:, axis_to_pole])
    return dcm_NB


def quaternion_of(dcm):
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(dcm).as_quat()
    return (w, x, y, z)


def turned(dcm, axis, angle):
    from scipy.spatial.transform import Rotation

    return dcm @ Rotation.from_rotvec(angle * np.eye(3)[axis]).as_matrix()


def swing(axis_to_earth, axis_to_pole, inertia, turn_axis, angle, turns, points=721):
    """Times and components of R-bar in body axes; the body turns with the orbit at first."""
    dcm_NB = turned(pointing(axis_to_earth, axis_to_pole), turn_axis, angle)
    spin = dcm_NB.T @ np.array([0.0, 0.0, 2.0 * math.pi / PERIOD])
    start = state_from_elements(KeplerElements(ORBIT), MU)
    times, states = propagate(
        KeplerElements(ORBIT, 1e-5),
        start,
        spin,
        quaternion_of(dcm_NB),
        inertia,
        turns,
        True,
        points,
    )
    rows = [
        apply_transposed(rotation_matrix(q), scale(-1.0 / norm(r_N), r_N))
        for r_N, _, q, _ in states
    ]
    return times, np.array(rows), states


def test_v8_the_axis_of_least_inertia_points_to_the_earth():
    """Least inertia down and most along the pole: bounded. Most inertia down: it turns over."""
    tilt = math.radians(5.0)
    _, held, states = swing(0, 2, INERTIA, 1, tilt, 3.0, 361)
    assert math.degrees(math.acos(held[:, 0].min())) < 8.0
    six = (INERTIA[0], 0.0, 0.0, INERTIA[1], 0.0, INERTIA[2])
    total = []
    rate = 2.0 * math.pi / PERIOD
    for r_N, _, q, w in states:  # Jacobi integral of the attitude on a circle
        place = apply_transposed(rotation_matrix(q), r_N)
        pole = np.array(rotation_matrix(q))[2]
        total.append(
            0.5 * np.dot(w, INERTIA * w)
            - rate * pole @ (INERTIA * w)
            + gravity_gradient_energy(place, six, MU)
        )
    assert_close(total, np.full(len(total), total[0]), rtol=1e-7)
    _, lost, _ = swing(2, 0, INERTIA, 1, tilt, 3.0, 361)
    assert math.degrees(math.acos(np.clip(lost[:, 2].min(), -1.0, 1.0))) > 60.0


DUMBBELL = np.array([1e-6, 1000.0, 1000.0])  # [kg m^2]; not zero, so that Euler's equation holds


def period_of(times, series):
    """Mean time of a full swing, from the places where the series rises through zero."""
    up = np.flatnonzero((series[:-1] < 0.0) & (series[1:] >= 0.0))
    at = times[up] - series[up] * (times[up + 1] - times[up]) / (series[up + 1] - series[up])
    return float(np.diff(at).mean())


@pytest.mark.parametrize(
    ("turn_axis", "seen", "wanted"), [(2, 1, PERIOD / math.sqrt(3.0)), (1, 2, PERIOD / 2.0)]
)
def test_v9_a_dumbbell_swings_in_plane_and_across(turn_axis, seen, wanted):
    """Periods T/sqrt(3) and T/2; the printed frequency 1/(2 T) does not follow. z is the pole."""
    angle = 1e-3
    times, rows, _ = swing(0, 2, DUMBBELL, turn_axis, angle, 4.0, 1601)
    series = rows[:, seen]
    assert_close(period_of(times, series), wanted, rtol=1e-3)
    # a sinusoid: started at rest in the turning frame, so a cosine of the angle given
    start = series[0]
    assert_close(abs(start), angle, rtol=0.01)
    model = start * np.cos(2.0 * math.pi * times / wanted)
    assert_close(series, model, rtol=0.05, scale=angle)


def test_check_has_teeth():
    _, states = tumbling()
    spoiled = [MASS * (0.5 * np.dot(v_N, v_N) - 1.01 * MU / norm(r_N)) for r_N, v_N, *_ in states]
    with pytest.raises(AssertionError):
        assert_close(spoiled, np.full(len(states), -7.244e10), rtol=1e-4)
