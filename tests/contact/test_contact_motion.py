"""A body in contact motion stays on its ground, sticks and slips by Coulomb, and loses what is recorded."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.contact_motion import EASY, Sliding, contact_motion, response, row_of, solve3
from haptos.core.rotations import quaternion_rate, random_quaternion, rotation_matrices
from haptos.core.symmetric import apply_symmetric
from haptos.dynamics.rigid.rigid_body import free_angular_acceleration
from haptos.geometry.distance import surface as surfaces
from tests.close import assert_close
from tests.contact.bodies import (
    random_direction,
    random_inertia,
    random_rotation,
    rows,
    tilde,
    touching_body,
    triple,
)

GRAVITY = np.array([0.0, 0.0, -1e-2])
STILL = (0.0, 0.0, 0.0)
MASS, RADIUS = 2.0, 0.1
KINDS = ("plane", "sphere", "ellipsoid")


def ground(kind: str):
    if kind == "plane":
        return surfaces.plane((0.0, 0.0, -3.0), (0.1, -0.2, 1.0))
    return surfaces.sphere(5.0) if kind == "sphere" else surfaces.ellipsoid((7.0, 5.0, 4.0))


class Touching:
    """A body with one vertex on the ground (or a ball), moving along it; nothing left of c, c'."""

    def __init__(self, kind, seed, corner_radius=0.0, friction=0.4, rolling=STILL, v_s=1e-6):
        rng = np.random.default_rng(seed)
        self.surface, self.k = ground(kind), 0.0
        self.q = np.array(random_quaternion(rng))
        arm_B = 0.1 * rng.normal(size=3)
        inertia = random_inertia(rng, MASS, 0.1)
        self.inertia = inertia
        self.body = touching_body(MASS, inertia, [arm_B], [], corner_radius)
        self.arm_B = arm_B
        self.law = Sliding(friction, rolling, v_s, 1e-6, 0.0)
        above = random_direction(rng)
        above[2] = abs(above[2]) + 0.5
        feet, _ = surfaces.ground_feet(self.surface, np.array([6.0 * above]))
        gap, n = surfaces.gap_and_normal(self.surface, triple(feet[0]))
        vertex = feet[0] + (corner_radius - gap) * np.array(n)
        self.x = vertex - rotation_matrices(self.q) @ arm_B
        self.w = 0.1 * rng.normal(size=3)
        self.v = 0.02 * rng.normal(size=3)
        for _ in range(2):
            u = self.v + np.cross(rotation_matrices(self.q) @ self.w, vertex - self.x)
            n = np.array(self.field(vertex)[1])
            self.v = self.v - (u @ n) / (n @ n) * n

    def field(self, at):
        return surfaces.ground_field(self.surface, triple(at))[:3]

    def accelerations(self, x, v, q, w):
        """(a_A, alpha_B, powers, load, slip, force) with contact."""
        dcm = rotation_matrices(q / np.linalg.norm(q))
        arm = dcm @ self.arm_B
        alpha = free_angular_acceleration(
            self.body.inertia, self.body.inverse_inertia, triple(w), STILL, STILL
        )
        force, torque, powers, load, slip = contact_motion(
            self.law, self.body, triple(arm), rows(dcm), triple(v), triple(w),
            self.field(x + arm), triple(GRAVITY), alpha,
        )  # fmt: skip
        a = GRAVITY + np.array(force) / MASS
        alpha = np.array(alpha) + np.linalg.solve(self.inertia, torque)
        return a, alpha, powers, load, slip, np.array(force)

    def now(self):
        return self.accelerations(self.x, self.v, self.q, self.w)

    def taylor(self, h):
        """(x, v, q, w) a time h later, to second order in position and first in rates."""
        a, alpha, *_ = self.now()
        mid = triple(self.w + 0.5 * h * alpha)
        q = self.q
        for _ in range(3):  # the midpoint of the quaternion, to third order
            q = self.q + h * np.array(quaternion_rate(triple(0.5 * (self.q + q)), mid))
        q = q / np.linalg.norm(q)
        return self.x + h * self.v + 0.5 * h * h * a, self.v + h * a, q, self.w + h * alpha

    def slip_and_normal(self, h):
        """(slip [m/s], normal) a time h later."""
        x, v, q, w = self.taylor(h)
        dcm = rotation_matrices(q)
        at = x + dcm @ self.arm_B
        n = np.array(surfaces.gap_and_normal(self.surface, triple(at))[1])
        nu = v + np.cross(dcm @ w, at - self.body.corner_radius * n - x)
        return nu - (nu @ n) * n, n

    def leaving(self):
        """c'' [m/s^2] by differences of the field along the motion, extrapolated to no step."""

        def gap(h):
            x, _, q, _ = self.taylor(h)
            return self.field(x + rotation_matrices(q) @ self.arm_B)[0]

        coarse, fine = ((gap(h) - 2.0 * gap(0.0) + gap(-h)) / h**2 for h in (2e-2, 1e-2))
        return (4.0 * fine - coarse) / 3.0


def allowed(kind, corner_radius):
    """Rounding of differences; the ellipsoid's Hessian is that of the foot below a ball's centre."""
    curved = corner_radius if kind == "ellipsoid" else 0.0  # curvatures here are below 1 / (2 m)
    return (2e-7 + 0.05 * curved) * np.linalg.norm(GRAVITY)


@pytest.mark.parametrize("corner_radius", [0.0, 0.1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_the_ground_is_not_left_while_there_is_load(kind, seed, corner_radius):
    case = Touching(kind, seed, corner_radius)
    *_, load, _, _ = case.now()
    assert load > 0.0
    assert abs(case.leaving()) < allowed(kind, corner_radius)


def test_the_check_of_the_constraint_has_teeth():
    case = Touching("sphere", 0)
    _, _, _, load, _, _ = case.now()
    assert load > 0.0
    honest = case.accelerations

    def spoiled(*state):
        a, alpha, powers, load, slip, force = honest(*state)
        return a + 0.01 * force / MASS, alpha, powers, load, slip, force

    case.accelerations = spoiled
    assert abs(case.leaving()) > allowed("sphere", 0.0)


@pytest.mark.parametrize("kind", ["sphere", "ellipsoid"])
def test_the_normal_turns_as_the_hessian_says(kind):
    case = Touching(kind, 3)
    at = case.x + rotation_matrices(case.q) @ case.arm_B
    u = np.array([0.03, -0.02, 0.01])
    _, gradient, six = case.field(at)
    hessian = np.array([apply_symmetric(six, axis) for axis in rows(np.eye(3))])
    n = np.array(gradient) / np.linalg.norm(gradient)
    rate = (np.eye(3) - np.outer(n, n)) @ hessian @ u / np.linalg.norm(gradient)  # Eq. (2.104)
    h = 1e-3

    def normal(t):
        g = np.array(case.field(at + t * u)[1])
        return g / np.linalg.norm(g)

    assert_close((normal(h) - normal(-h)) / (2.0 * h), rate, rtol=1e-8)


@pytest.mark.parametrize("corner_radius", [0.0, 0.1])
@pytest.mark.parametrize("kind", KINDS)
def test_slip_is_opposed_by_coulomb_friction(kind, corner_radius):
    for seed in range(6):
        case = Touching(kind, seed, corner_radius, friction=0.4)
        _, _, powers, load, slip, force = case.now()
        if load == 0.0:
            continue
        at = case.x + rotation_matrices(case.q) @ case.arm_B
        n = np.array(surfaces.gap_and_normal(case.surface, triple(at))[1])
        r = at - corner_radius * n - case.x
        nu = case.v + np.cross(rotation_matrices(case.q) @ case.w, r)
        s = nu - (nu @ n) * n
        assert_close(slip, np.linalg.norm(s), rtol=1e-12)
        assert_close(force - (force @ n) * n, -0.4 * load * s / slip, rtol=1e-12)  # Eq. (2.97)
        assert_close(powers[1], -0.4 * load * slip, rtol=1e-12)
        assert abs(powers[0]) < 1e-12 * load * slip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("corner_radius", [0.0, 0.1])
def test_a_point_that_sticks_keeps_its_slip(kind, corner_radius):
    """With v_s large the blend is nearly all stick, and the slip changes by nearly nothing."""
    held = 0
    for seed in range(12):
        case = Touching(kind, seed, corner_radius, friction=3.0, v_s=1e9)
        *_, load, _, force = case.now()
        sideways = math.sqrt(max(force @ force - load * load, 0.0))
        if load == 0.0 or sideways > 2.9 * load:
            continue  # leaves the ground, or even this friction does not hold it
        held += 1
        h = 1e-3
        n = case.slip_and_normal(0.0)[1]
        change = (case.slip_and_normal(h)[0] - case.slip_and_normal(-h)[0]) / (2.0 * h)
        change -= (change @ n) * n
        curved = corner_radius if kind == "ellipsoid" else 0.0
        assert np.linalg.norm(change) < (1e-5 + 0.05 * curved) * np.linalg.norm(GRAVITY)
    assert held >= 3


def block(slope, friction, speed=0.0, v_s=1e-6, k=0.0):
    """(acceleration along the slope, load) of a point mass like body straight over its vertex."""
    body = touching_body(MASS, 1e6 * np.eye(3), [(0.0, 0.0, -0.1)], [])
    a = 1e-2 * np.array([math.sin(slope), 0.0, -math.cos(slope)])
    field = (0.0, (0.0, 0.0, 1.0), (0.0,) * 6)
    law = Sliding(friction, STILL, v_s, 1e-6, k)
    force, _, _, load, _ = contact_motion(
        law, body, (0.0, 0.0, -0.1), rows(np.eye(3)), (speed, 0.0, 0.0), STILL, field, triple(a),
        STILL,
    )  # fmt: skip
    return a[0] + force[0] / MASS, load


@pytest.mark.parametrize("slope", [0.1, 0.3, 0.45])
def test_a_heavy_block_at_rest_sticks_below_the_friction_angle(slope):
    acceleration, load = block(slope, 0.5)
    assert abs(acceleration) < 1e-8 * 1e-2
    assert_close(load, MASS * 1e-2 * math.cos(slope), rtol=1e-7)


@pytest.mark.parametrize("speed", [0.0, 0.01])
def test_above_the_friction_angle_it_slides_with_g_sin_less_f_cos(speed):
    acceleration, load = block(0.6, 0.5, speed)
    assert_close(acceleration, 1e-2 * (math.sin(0.6) - 0.5 * math.cos(0.6)), rtol=1e-6)
    assert_close(load, MASS * 1e-2 * math.cos(0.6), rtol=1e-6)


def test_slip_below_the_stick_speed_dies_out_at_the_rate_of_the_correction():
    full, _ = block(0.0, 0.5, 1e-3, v_s=1e-3)
    assert_close(full, -0.5 * 1e-2, rtol=1e-6)
    half, _ = block(0.0, 0.5, 0.5e-3, v_s=1e-3, k=2.0)
    assert_close(half, -2.0 * 0.5e-3, rtol=1e-6)


def test_what_is_left_of_the_gap_dies_out_critically_damped():
    k, body = 3.0, touching_body(MASS, 1e-2 * np.eye(3), [(0.0, 0.0, 0.0)], [], RADIUS)
    law = Sliding(0.0, STILL, 1e-6, 1e-6, k)
    c, closing = 1e-4, -2e-4
    field = (RADIUS + c, (0.0, 0.0, 1.0), (0.0,) * 6)
    force, *_ = contact_motion(
        law, body, STILL, rows(np.eye(3)), (0.0, 0.0, closing), STILL, field, (0.0, 0.0, -1e-2),
        STILL,
    )  # fmt: skip
    assert_close(force[2] / MASS - 1e-2, -2.0 * k * closing - k * k * c, rtol=1e-12)


def test_a_force_that_would_pull_is_none():
    body = touching_body(MASS, 1e-2 * np.eye(3), [(0.0, 0.0, 0.0)], [], RADIUS)
    law = Sliding(0.5, (1e-3,) * 3, 1e-6, 1e-6, 0.0)
    field = (RADIUS, (0.0, 0.0, 1.0), (0.1, 0.1, 0.0, 0.0, 0.0, 0.0))
    found = contact_motion(
        law, body, STILL, rows(np.eye(3)), (0.5, 0.0, 0.0), STILL, field, (0.0, 0.0, -1e-2), STILL
    )
    assert found[0] == STILL
    assert found[1] == STILL
    assert found[2] == STILL
    assert found[3] == 0.0


def ball(v, w, rolling, friction=0.5, slope=0.0, j=0.4):
    """(force, torque, powers, load) of a ball on a plane."""
    body = touching_body(MASS, j * MASS * RADIUS**2 * np.eye(3), [(0.0, 0.0, 0.0)], [], RADIUS)
    law = Sliding(friction, (rolling,) * 3, 1e-6, 1e-6, 0.0)
    a = 1e-2 * np.array([math.sin(slope), 0.0, -math.cos(slope)])
    return contact_motion(
        law, body, STILL, rows(np.eye(3)), v, w, (RADIUS, (0.0, 0.0, 1.0), (0.0,) * 6), triple(a),
        STILL,
    )  # fmt: skip


@pytest.mark.parametrize("j", [0.4, 2.0 / 3.0])
def test_a_ball_that_rolls_is_slowed_by_c_g_over_j_and_does_not_slip(j):
    length, v = 2e-3, 0.05
    force, torque, powers, load = ball((v, 0.0, 0.0), (0.0, v / RADIUS, 0.0), length, j=j)[:4]
    slowing = -length / RADIUS * 1e-2 / j
    assert_close(load, MASS * 1e-2, rtol=1e-12)
    assert_close(force[0] / MASS, slowing, rtol=1e-9)
    assert_close(torque[1] / (j * MASS * RADIUS**2), slowing / RADIUS, rtol=1e-9)
    kinetic_rate = force[0] * v + torque[1] * v / RADIUS
    assert_close(sum(powers), kinetic_rate, rtol=1e-9)


def test_rolling_resistance_locks_a_ball_on_a_gentle_slope():
    # Rolling down, j m R g sin/(1 + j) is the torque left to lock, and C N the most there is: with
    # Eq. (2.110) beside it a ball holds up to tan = (1 + j)/j C/R, where rolling would not speed up.
    angle = math.atan(1.4 / 0.4 * 2e-3 / RADIUS)
    for slope, is_held in ((0.97 * angle, True), (1.03 * angle, False)):
        force, torque, *_ = ball(STILL, STILL, 2e-3, slope=slope)
        left = 1e-2 * math.sin(slope) + force[0] / MASS
        assert (abs(left) < 1e-15) is is_held
        assert (abs(torque[1]) < 1e-15) is is_held


def test_response_and_its_rows_are_the_collision_matrix():
    rng = np.random.default_rng(8)
    inertia = random_inertia(rng, MASS, 0.1)
    body = touching_body(MASS, inertia, [(0.1, 0.0, 0.0)], [])
    dcm = random_rotation(rng)
    at, point, f, along = rng.normal(size=(4, 3))
    turned = dcm @ np.linalg.inv(inertia) @ dcm.T
    m = np.eye(3) / MASS - tilde(point) @ turned @ tilde(at)
    found = response(body, rows(dcm), triple(at), triple(point), triple(f))
    assert_close(found, m @ f, rtol=1e-13)
    row = row_of(body, rows(dcm), triple(at), triple(point), triple(along))
    assert_close(row, along @ m, rtol=1e-13)
    a, rhs = rng.normal(size=(3, 3)), rng.normal(size=3)
    found = solve3(*rows(a), triple(rhs))
    assert_close(found, np.linalg.solve(a, rhs), rtol=1e-12)
    assert solve3((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 1.0)) == STILL


@pytest.mark.parametrize("friction", [0.5, 1.2, 1.4, 1.8, 4.0])
def test_friction_that_jams_stays_bounded_and_the_point_on_the_ground(friction):
    """A slender rod dragged on its lower end: at large f friction turns it into the ground."""
    lean = math.radians(60.0)
    arm = triple(0.5 * np.array([math.cos(lean), 0.0, -math.sin(lean)]))
    body = touching_body(MASS, MASS / 12.0 * np.diag([1.0, 1.0, 1e-3]), [arm], [])
    law = Sliding(friction, STILL, 1e-6, 1e-6, 0.0)
    field, a = (0.0, (0.0, 0.0, 1.0), (0.0,) * 6), (0.0, 0.0, -1e-2)
    force, torque_B, powers, load, slip = contact_motion(
        law, body, arm, rows(np.eye(3)), (0.1, 0.0, 0.0), STILL, field, a, STILL
    )
    alpha = np.array(torque_B) / (MASS / 12.0 * np.array([1.0, 1.0, 1e-3]))
    lift = a[2] + force[2] / MASS + np.cross(alpha, arm)[2]
    bare = MASS * 1e-2 / (1.0 + 12.0 * arm[0] ** 2)
    assert abs(lift) < 1e-14  # the point stays, whatever the friction
    assert force[0] < 0.0
    assert powers[1] < 0.0
    assert abs(force[0]) <= friction * load * (1.0 + 1e-12)
    assert abs(force[0]) <= friction * bare / EASY * (1.0 + 1e-12)
    assert slip == 0.1
    grip = 1.0 + 12.0 * arm[0] * (arm[0] + friction * arm[2])  # times 1/m, of N - f s
    if grip > 2.0 * EASY * (1.0 + 12.0 * arm[0] ** 2):
        assert_close(load, MASS * 1e-2 / grip, rtol=1e-12)  # Eq. (2.99)


@pytest.mark.parametrize("friction", [0.0, 0.01, 0.5])
def test_the_force_beside_rolling_resistance_is_no_more_than_friction(friction):
    force, torque, powers, load = ball(STILL, (0.0, 0.5, 0.0), 2e-3, friction=friction)[:4]
    bare, free, *_ = ball(STILL, (0.0, 0.5, 0.0), 0.0, friction=friction)[:4]
    push = np.array(force) - np.array(bare)
    full = MASS * RADIUS * 2e-3 * load / (0.4 * MASS * RADIUS**2)
    assert_close(np.linalg.norm(push[:2]), min(full, friction * load), rtol=1e-9, scale=full)
    assert_close(torque[1] - free[1], -2e-3 * load, rtol=1e-9)
    assert sum(powers) < 0.0


@pytest.mark.parametrize("friction", [0.0, 0.05, 0.5])
@pytest.mark.parametrize("seed", range(6))
def test_rolling_resistance_does_not_press_a_corner_into_the_ground(seed, friction):
    case = Touching("sphere", seed, friction=friction, rolling=(0.02, 0.02, 0.02))
    assert case.now()[3] > 0.0
    assert abs(case.leaving()) < 1e-5 * np.linalg.norm(GRAVITY)
