"""Impacts for tests: random bodies, full matrices, and a slow reference that shares no code."""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

from haptos.core.symmetric import six_of
from tests.contact.bodies import random_direction, random_inertia, random_rotation, tilde

UP = (0.0, 0.0, 1.0)


def matrix_of(six):
    a, b, c, d, e, f = six
    return np.array([[a, b, c], [b, d, e], [c, e, f]])


def collision_six(mass, inertia, r):
    """M in axes where the inertia and the arm are given, as six numbers."""
    return six_of(np.eye(3) / mass - tilde(r) @ np.linalg.inv(inertia) @ tilde(r))


def random_six(rng, spread=1.0):
    """M of a random body hit at a random point."""
    mass = 10.0 ** rng.uniform(-1.0, 2.0)
    arm = spread * rng.normal(size=3)
    return collision_six(mass, random_inertia(rng, mass, 1.0), arm)


class Impacts:
    """Random impacts, one row each: bodies, arms, motions, normals, coefficients."""

    def __init__(self, seed, count):
        rng = np.random.default_rng(seed)
        size = 10.0 ** rng.uniform(-2.0, 1.0, count)
        self.mass = 10.0 ** rng.uniform(-2.0, 4.0, count)
        self.inertia = np.array(
            [random_inertia(rng, m, s) for m, s in zip(self.mass, size, strict=True)]
        )
        self.dcm_AB = np.array([random_rotation(rng) for _ in range(count)])
        self.r = 1.5 * size[:, None] * rng.normal(size=(count, 3))
        self.normal = np.array([random_direction(rng) for _ in range(count)])
        speed = 10.0 ** rng.uniform(-6.0, 1.0, count)
        self.v = speed[:, None] * rng.normal(size=(count, 3))
        self.w_B = (speed / size)[:, None] * rng.normal(size=(count, 3))
        apart = np.einsum("ni,ni->n", self.point_velocity(), self.normal) > 0.0
        self.v[apart] *= -1.0
        self.w_B[apart] *= -1.0
        self.restitution = rng.uniform(0.0, 1.0, count)
        self.friction = 10.0 ** rng.uniform(-2.0, 1.0, count)

    def point_velocity(self, v=None, w_B=None):
        v, w_B = self.v if v is None else v, self.w_B if w_B is None else w_B
        return v + np.cross(np.einsum("nij,nj->ni", self.dcm_AB, w_B), self.r)

    def energy(self, v, w_B):
        turning = np.einsum("ni,nij,nj->n", w_B, self.inertia, w_B)
        return 0.5 * (self.mass * np.einsum("ni,ni->n", v, v) + turning)

    def arguments(self):
        return (self.mass, self.inertia, self.dcm_AB, self.r, self.v, self.w_B, self.normal)

    def turned(self, turn):
        """The same impacts in a world turned by the matrix `turn`."""
        other = Impacts.__new__(Impacts)
        other.__dict__.update(self.__dict__)
        other.dcm_AB = turn @ self.dcm_AB
        other.r, other.v, other.normal = self.r @ turn.T, self.v @ turn.T, self.normal @ turn.T
        return other


def reference_impulse(six, nu, f, e):
    """P [N s] of the energetic law by solve_ivp in p, with events; slip, then stick if it holds.

    Slip is integrated in (nu1, nu2); sticking or reversal start where it is below 1e-9 of |nu|, so
    the answer is good to about 1e-9. Reversal follows the root of h with g > 0 found on a fine grid.
    """
    m = matrix_of(six)
    star = np.linalg.solve(m[:2, :2], m[:2, 2])
    small = 1e-10 * np.linalg.norm(nu)
    impulse, p, work, goal = np.zeros(3), 0.0, 0.0, None
    rate = None if math.hypot(nu[0], nu[1]) > small else rate_at_rest(m, f, star)

    def slope(_, y):
        d = rate
        if d is None:
            slip = nu[:2] + m[:2] @ y[:3]
            d = np.append(-f * slip / np.linalg.norm(slip), 1.0)
        return np.append(d, nu[2] + m[2] @ y[:3])

    for _ in range(6):
        events = [lambda _, y, goal=goal: nu[2] + m[2] @ y[:3] if goal is None else y[3] - goal]
        events[0].direction = 1.0
        if rate is None:
            events.append(lambda _, y: np.linalg.norm(nu[:2] + m[:2] @ y[:3]) - small)
        for event in events:
            event.terminal = True
        start = np.append(impulse, work)
        span = (p, p + 1e4 * np.linalg.norm(nu) / m[2, 2])
        found = solve_ivp(slope, span, start, "DOP853", events=events, rtol=1e-12, atol=1e-14)
        assert found.status == 1
        p, impulse, work = found.t[-1], found.y[:3, -1], found.y[3, -1]
        if len(found.t_events[0]) == 0:
            rate = rate_at_rest(m, f, star)
        elif goal is None:
            goal = (1.0 - e * e) * work
            if e == 0.0:
                break
        else:
            break
    return impulse


def rate_at_rest(m, f, star):
    """dP/dp of a point without slip."""
    if f >= np.linalg.norm(star):
        return np.array([-star[0], -star[1], 1.0])
    phi = reversal_angles(m, f)
    assert len(phi) == 1
    return np.array([-f * math.cos(phi[0]), -f * math.sin(phi[0]), 1.0])


def reversal_angles(m, f, count=20001):
    """All roots of h with g > 0, by sign changes on a grid and bisection."""

    def g_and_h(phi):
        c, s = np.cos(phi), np.sin(phi)
        a1 = m[0, 2] - f * (m[0, 0] * c + m[0, 1] * s)
        a2 = m[1, 2] - f * (m[0, 1] * c + m[1, 1] * s)
        return c * a1 + s * a2, c * a2 - s * a1

    grid = np.linspace(-math.pi, math.pi, count) + 1e-7
    h = g_and_h(grid)[1]
    low, high = (grid[k] for k in (np.flatnonzero(h[:-1] * h[1:] < 0.0) + i for i in (0, 1)))
    for _ in range(60):
        middle = 0.5 * (low + high)
        same = g_and_h(middle)[1] * g_and_h(low)[1] > 0.0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return low[g_and_h(low)[0] > 0.0]
