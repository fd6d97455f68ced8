"""A hull with a reel: velocities from momenta, turning under a pull, energy."""

from __future__ import annotations

import numpy as np

from haptos.core.rotations import rotation_matrix
from haptos.dynamics.rigid.end_body import (
    hull_energy,
    hull_velocity,
    response_to_pull,
    turning_rate,
)
from tests.close import assert_close

INERTIA = (50.0, 2.0, -1.0, 60.0, 3.0, 70.0)
MATRIX = np.array([[50.0, 2.0, -1.0], [2.0, 60.0, 3.0], [-1.0, 3.0, 70.0]])
D = (1.0, 0.4, -0.2)
HULL, REEL = 100.0, 7.0
Q = tuple(np.array([0.9, 0.1, -0.3, 0.2]) / np.linalg.norm([0.9, 0.1, -0.3, 0.2]))


def skew(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def blocks(d=D, reel=REEL):
    """(13) and (14) as one 6 x 6 system in B axes."""
    s = skew(d)
    return np.block([[(HULL + reel) * np.eye(3), -reel * s], [reel * s, MATRIX - reel * s @ s]])


def test_turning_rate_solves_both_equations_together():
    w, h = np.array([0.1, -0.2, 0.3]), np.array([0.5, 0.2, -0.1])
    force, moment = np.array([3.0, -1.0, 2.0]), np.array([0.4, 0.7, -0.6])
    swing = np.cross(w, np.cross(w, D))
    right = np.concatenate([
        force - REEL * swing, moment - np.cross(w, MATRIX @ w + h) - REEL * np.cross(D, swing)
    ])  # fmt: skip
    expected = np.linalg.solve(blocks(), right)[3:]
    found = turning_rate(INERTIA, D, HULL, REEL, tuple(w), tuple(h), tuple(force), tuple(moment))
    assert_close(found, expected, rtol=1e-13)


def test_response_to_a_pull_is_that_of_the_whole_system():
    dcm = rotation_matrix(Q)
    pull = np.array([0.6, 0.0, 0.8])
    pull_B = np.array(dcm).T @ pull
    moved = np.linalg.solve(blocks(), np.concatenate([pull_B, np.cross(D, pull_B)]))
    turn, gain = response_to_pull(INERTIA, D, True, HULL, REEL, dcm, tuple(pull))
    assert_close(turn, moved[3:], rtol=1e-13)
    assert_close(gain, np.array(dcm) @ (moved[:3] + np.cross(moved[3:], D)), rtol=1e-13)


def test_velocity_and_energy_come_from_momentum():
    dcm = rotation_matrix(Q)
    v, w = np.array([1.0, -2.0, 0.5]), np.array([0.1, -0.2, 0.3])
    swing = np.array(dcm) @ np.cross(w, D)
    momentum = HULL * v + REEL * (v + swing)
    found, feed = hull_velocity(tuple(momentum), tuple(w), dcm, D, HULL, REEL)
    assert_close(found, v, rtol=1e-14)
    assert_close(feed, v + swing, rtol=1e-14)
    energy = 0.5 * HULL * v @ v + 0.5 * REEL * (v + swing) @ (v + swing) + 0.5 * w @ MATRIX @ w
    assert_close(
        hull_energy(tuple(v), tuple(w), dcm, INERTIA, D, HULL, REEL, True), energy, rtol=1e-14
    )


def test_a_reel_one_percent_heavier_is_seen():
    w, zero = (0.1, -0.2, 0.3), (0.0, 0.0, 0.0)
    a = turning_rate(INERTIA, D, HULL, REEL, w, zero, (3.0, 0.0, 0.0), zero)
    b = turning_rate(INERTIA, D, HULL, 1.01 * REEL, w, zero, (3.0, 0.0, 0.0), zero)
    assert max(abs(x - y) for x, y in zip(a, b, strict=True)) > 1e-5
