"""Lying on several vertices: what the springs hold and the powers book is the work of the forces."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.compliant import CompliantLaw, elastic_energy
from haptos.contact.lying_motion import lying_motion
from haptos.contact.sets.corner_walls import CORNER_WALLS_SIZE
from haptos.core.rotations import quaternion_rate, random_quaternion, rotation_matrices
from haptos.geometry.distance import surface as surfaces
from tests.close import assert_close
from tests.contact.bodies import random_touching_body, rows, touching_body, triple

LAW = CompliantLaw(500.0, 30.0, 0.4, 0.4, 0.0, 1e-3, 1e-3)
NO_WALLS = np.zeros(CORNER_WALLS_SIZE)
NO_ROLLING, ROLLING = (0.0, 0.0, 0.0), (2e-3, 1e-3, 3e-3)


def motion(law, rolling, kind, seed, count):
    """(body, surface, x, q, v, w) of a body with `count` vertices in the ground."""
    rng = np.random.default_rng(seed)
    q = np.array(random_quaternion(rng))
    body, surface, _, x = random_touching_body(rng, kind, count, dcm_AB=rotation_matrices(q))
    return body, surface, x, q, 0.01 * rng.normal(size=3), 0.1 * rng.normal(size=3)


def forces(law, rolling, body, surface, x, q, v, w):
    dcm = rotation_matrices(q)
    return lying_motion(
        law, rolling, surface, body, NO_WALLS, rows(dcm), triple(x), triple(v), triple(w)
    )


@pytest.mark.parametrize("rolling", [NO_ROLLING, ROLLING], ids=["", "rolling"])
@pytest.mark.parametrize("kind", ["plane", "sphere"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_springs_and_powers_account_for_the_work_of_the_forces(kind, count, rolling):
    for seed in range(4):
        body, surface, x, q, v, w = motion(LAW, rolling, kind, seed, count)
        force, torque, powers, _ = forces(LAW, rolling, body, surface, x, q, v, w)
        work = np.dot(force, v) + np.dot(torque, w)
        stiffer = LAW._replace(k=1.01 * LAW.k)
        spoiled, turning, lost, _ = forces(stiffer, rolling, body, surface, x, q, v, w)

        def elastic(t, body=body, surface=surface, x=x, q=q, v=v, w=w):
            turned = q + t * np.array(quaternion_rate(triple(q), triple(w)))
            turned /= np.linalg.norm(turned)
            dcm = rows(rotation_matrices(turned))
            return elastic_energy(LAW, surface, body, dcm, triple(x + t * v))

        h = 1e-5
        stored = (elastic(h) - elastic(-h)) / (2.0 * h)
        scale = abs(work) + abs(stored) + abs(sum(powers))
        assert_close(work + stored, sum(powers), rtol=1e-6, scale=scale)
        own = np.dot(spoiled, v) + np.dot(turning, w)
        with pytest.raises(AssertionError):
            assert_close(own + stored, sum(lost), rtol=1e-6, scale=scale)


@pytest.mark.parametrize("seed", range(6))
def test_damping_friction_and_rolling_only_take(seed):
    case = motion(LAW, ROLLING, "sphere", seed, 3)
    powers = forces(LAW, ROLLING, *case)[2]
    assert max(powers) <= 0.0
    assert powers[1] < 0.0
    assert powers[2] < 0.0


def test_a_body_at_rest_feels_its_springs_only():
    body, surface, x, q, _, _ = motion(LAW, ROLLING, "plane", 1, 3)
    none = np.zeros(3)
    force, _, powers, (load, slip, deepest) = forces(LAW, ROLLING, body, surface, x, q, none, none)
    assert powers == (0.0, 0.0, 0.0)
    assert slip == 0.0
    assert_close(np.linalg.norm(force), load, rtol=1e-12)
    at = x + body.vertices @ rotation_matrices(q).T
    gaps = [surfaces.gap_and_normal(surface, triple(p))[0] for p in at]
    depths = np.maximum(-np.array(gaps), 0.0)
    assert_close(load, LAW.k * depths.sum(), rtol=1e-12)
    assert_close(deepest, depths.max(), rtol=1e-12)


def flat(rate, slip, law=LAW, rolling=NO_ROLLING):
    """A square plate lying 1 mm deep, turning about the normal or sliding."""
    corners = [(0.1 * i, 0.1 * j, 0.0) for i in (-1, 1) for j in (-1, 1)]
    body = touching_body(2.0, 0.02 * np.eye(3), corners, [0, 1, 2, 3])
    level = surfaces.plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    return lying_motion(
        law, rolling, level, body, NO_WALLS, rows(np.eye(3)), (0.0, 0.0, -1e-3), (slip, 0.0, 0.0),
        (0.0, 0.0, rate),
    )  # fmt: skip


def test_a_plate_that_turns_about_the_normal_is_stopped_by_its_corners():
    force, torque, powers, (load, slip, _) = flat(0.2, 0.0)
    lever = 0.1 * np.sqrt(2.0)
    assert_close(torque[2], -LAW.mu * load * lever, rtol=1e-12)
    assert_close(slip, 0.2 * lever, rtol=1e-12)
    assert_close(powers[1], torque[2] * 0.2, rtol=1e-12)
    assert abs(force[0]) + abs(force[1]) < 1e-12 * load


@pytest.mark.parametrize("share", [0.25, 1.0, 4.0])
def test_friction_falls_in_proportion_below_the_stick_speed(share):
    force, _, _, (load, _, _) = flat(0.0, share * LAW.v_s)
    assert_close(force[0], -LAW.mu * load * min(share, 1.0), rtol=1e-12)


@pytest.mark.parametrize("share", [0.25, 1.0, 4.0])
def test_rolling_resistance_is_its_length_times_the_load(share):
    bare, with_rolling = flat(share * LAW.w_s, 0.0), flat(share * LAW.w_s, 0.0, rolling=ROLLING)
    load = bare[3][0]
    assert_close(with_rolling[1][2] - bare[1][2], -ROLLING[2] * load * min(share, 1.0), rtol=1e-10)


def test_nothing_touches_nothing_pushes():
    body, surface, x, q, v, w = motion(LAW, ROLLING, "plane", 2, 2)
    body.touching_count[0] = 0
    force, torque, powers, seen = forces(LAW, ROLLING, body, surface, x, q, v, w)
    assert np.all(np.array([*force, *torque, *powers, *seen]) == 0.0)
