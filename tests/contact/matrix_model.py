"""Compliant contact written a second time: with matrices, in A axes, straight from its equations."""

from __future__ import annotations

import numpy as np

from haptos.contact.compliant import compliant_contact, elastic_energy
from haptos.dynamics.rigid.rigid_body import free_acceleration, free_angular_acceleration
from haptos.geometry.distance import surface as surfaces
from tests.contact.bodies import random_touching_body, rows, tilde, triple


class State:
    """A random body in contact on a spinning small body, with everything the law is given."""

    def __init__(self, seed, kind, count):
        rng = np.random.default_rng([seed, count, len(kind)])
        self.body, self.surface, self.dcm_AB, self.x = random_touching_body(rng, kind, count)
        self.v, self.w_B = 0.05 * rng.normal(size=3), 0.5 * rng.normal(size=3)
        self.g, self.spin = 0.01 * rng.normal(size=3), 0.1 * rng.normal(size=3)
        inertia = self.body.inertia
        spin_B = triple(self.dcm_AB.T @ self.spin)
        none = (0.0, 0.0, 0.0)
        self.a_free = free_acceleration(
            triple(self.g), triple(self.spin), none, triple(self.x), triple(self.v)
        )
        self.alpha_free_B = free_angular_acceleration(
            inertia, self.body.inverse_inertia, triple(self.w_B), spin_B, none
        )

    def contact(self, law):
        return compliant_contact(
            law, self.surface, self.body, rows(self.dcm_AB), triple(self.x), triple(self.v),
            triple(self.w_B), self.a_free, self.alpha_free_B,
        )  # fmt: skip

    def elastic(self, law, time):
        """Spring energy after moving on for a while with constant v and w."""
        turned = self.dcm_AB @ turn_of(self.w_B * time)
        x = self.x + self.v * time
        return elastic_energy(law, self.surface, self.body, rows(turned), triple(x))


def turn_of(angle):
    """Rotation matrix of a turn by the vector `angle` [rad], by Rodrigues' formula."""
    size = np.linalg.norm(angle)
    if size == 0.0:
        return np.eye(3)
    n = tilde(angle / size)
    return np.eye(3) + np.sin(size) * n + (1.0 - np.cos(size)) * n @ n


def ground_of(surface, p):
    """(depth, normal) straight from the definition of the two grounds."""
    if surface.kind == surfaces.PLANE:
        n = np.array([surface.a, surface.b, surface.c])
        return surface.d - n @ p, n
    return surface.a - np.linalg.norm(p), p / np.linalg.norm(p)


def limited(f, most):
    size = np.linalg.norm(f)
    return f if size <= most else f * (most / size)


def mixed(motion, threshold, slipping, sticking):
    """eta slip + (1 - eta) stick, eta = min(u, u_s)/u_s."""
    speed = np.linalg.norm(motion)
    eta = min(speed, threshold) / threshold
    return -eta * slipping * motion / speed + (1.0 - eta) * sticking


def expected_contact(state, law):
    """Force, torque in B axes, powers and what is seen; every line in A axes, with matrices."""
    body, dcm_AB, x, v = state.body, state.dcm_AB, state.x, state.v
    xx, xy, xz, yy, yz, zz = body.inertia
    I_A = dcm_AB @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ dcm_AB.T
    inverse_A = np.linalg.inv(I_A)
    w, spin = dcm_AB @ state.w_B, state.spin
    total = w + spin
    arms = [dcm_AB @ vertex for j, vertex in enumerate(body.vertices) if body.is_touching[j]]

    F_N, L_N, load, damping = np.zeros(3), np.zeros(3), 0.0, 0.0
    for r in arms:
        depth, n = ground_of(state.surface, x + r)
        speed = (v + np.cross(w, r)) @ n
        push = law.k * depth + law.c * max(0.0, -speed)
        F_N, L_N, load = F_N + push * n, L_N + np.cross(r, push * n), load + push
        damping -= law.c * max(0.0, -speed) ** 2
    depths = np.array([ground_of(state.surface, x + r)[0] for r in arms])
    r_p = depths @ np.array(arms) / depths.sum()
    _, n = ground_of(state.surface, x + r_p)
    across = np.eye(3) - np.outer(n, n)
    slip = across @ (v + np.cross(w, r_p))

    centrifugal_coriolis = -tilde(spin) @ tilde(spin) @ x - 2.0 * tilde(spin) @ v
    gyroscopic = tilde(total) @ I_A @ total
    alpha = inverse_A @ (L_N - gyroscopic) - tilde(total) @ w
    b = state.g + centrifugal_coriolis + F_N / body.mass
    b = b + np.cross(alpha, r_p) + tilde(w) @ tilde(w) @ r_p
    mobility = np.eye(3) / body.mass - tilde(r_p) @ inverse_A @ tilde(r_p)
    basis = np.linalg.svd(across)[0][:, :2]
    stick = -basis @ np.linalg.solve(basis.T @ mobility @ basis, basis.T @ b)
    mu = np.interp(np.linalg.norm(slip), [law.v_s, 2.0 * law.v_s], [law.mu_s, law.mu])
    F_F = mixed(slip, law.v_s, mu * load, limited(stick, law.mu_s * load))

    F_RR, L_RR = np.zeros(3), np.zeros(3)
    if law.c_rr > 0.0:
        uncut = mixed(slip, law.v_s, mu * load, stick)
        still = gyroscopic + I_A @ tilde(total) @ w - L_N - np.cross(r_p, uncut)
        most = law.c_rr * load
        rolling = mixed(w, law.w_s, most, np.zeros(3))
        L_RR = mixed(w, law.w_s, most, limited(still, most))
        companion = body.mass * across @ tilde(r_p) @ inverse_A
        hold = companion @ (L_RR - rolling)
        wanted = max(float(np.linalg.norm(stick + hold)), 1e-300)
        share = min(1.0, law.mu_s * load / wanted)
        F_F = mixed(slip, law.v_s, mu * load, share * stick)
        sticks = 1.0 - min(np.linalg.norm(slip) / law.v_s, 1.0)
        F_RR = limited(companion @ rolling, law.mu_s * load) + sticks * share * hold
    v_p = v + np.cross(w, r_p)
    powers = damping, F_F @ v_p, F_RR @ v + L_RR @ w
    torque_A = L_N + np.cross(r_p, F_F) + L_RR
    return F_N + F_F + F_RR, dcm_AB.T @ torque_A, powers, (load, slip, depths)
