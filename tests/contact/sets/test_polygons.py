"""Polygonal contact of two bodies: nothing missed, the refinement table, forces in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets.polygons_pair import PolygonPair, adaptive, foundation_law, two_pass
from haptos.contact.sets.polygons_sum import AREA, DEPTH, ELASTIC, FORCE, POLYGONS, QUERIED, TORQUE
from haptos.core.errors import ConfigError
from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.geometry.distance.reference import box, gaps_of, half_space, meshed, revolved
from haptos.geometry.distance.revolution import ball_pieces, funnel_pieces, torus_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.curved_faces_build import (
    leaf_corners,
    mesh_faces,
    octahedron_faces,
    revolution_faces,
)
from haptos.geometry.mesh.icosphere import icosphere
from tests.close import assert_close

R, K = 0.05, 3e9
PLANE = half_space()


def quaternions(count, seed=0):
    rng = np.random.default_rng(seed)
    return np.array([random_quaternion(rng) for _ in range(count)])


def ball_errors(splits, levels, depth, integral="clipped"):
    """Relative errors of the force of a ball at a depth/R, over 60 orientations."""
    pair = PolygonPair(
        PLANE, octahedron_faces(splits, R, levels), foundation_law(K, integral=integral)
    )
    rows = pair.sums(np.tile([0.0, 0.0, R * (1 - depth)], (60, 1)), quaternions(60))
    return rows[:, FORCE + 2] / (math.pi * K * R * (R * depth) ** 2) - 1.0


@pytest.mark.parametrize(
    ("splits", "levels", "depth", "mean", "worst", "integral"),
    [
        (3, 0, 0.025, -0.52, -0.69, "clipped"),
        (3, 0, 0.025, -0.65, -1.00, "centres"),
        (3, 2, 0.025, -0.039, -0.055, "clipped"),
        (3, 3, 0.025, -0.0099, -0.014, "clipped"),
        (3, 4, 0.025, -0.0025, -0.0034, "clipped"),
        (4, 0, 0.025, -0.15, -0.21, "clipped"),
        (5, 0, 0.025, -0.039, -0.055, "clipped"),
        (3, 0, 0.1, -0.15, -0.19, "clipped"),
        (3, 0, 0.1, -0.20, -0.24, "centres"),
        (3, 2, 0.1, -0.010, -0.013, "clipped"),
        (3, 4, 0.1, -0.0006, -0.0008, "clipped"),
        (4, 0, 0.1, -0.040, -0.048, "clipped"),
        (5, 0, 0.1, -0.010, -0.012, "clipped"),
    ],
)
def test_refinement_table_of_a_ball(splits, levels, depth, mean, worst, integral):
    errors = ball_errors(splits, levels, depth, integral)
    assert_close(errors.mean(), mean, rtol=0.06)
    assert errors.min() > 1.12 * worst
    assert errors.max() < 0.0  # from below


def test_halving_the_leaves_quarters_the_error():
    errors = [ball_errors(3, levels, 0.1).mean() for levels in (1, 2, 3, 4)]
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert np.all((ratios > 3.7) & (ratios < 4.3))


def test_a_ball_feels_no_torque_about_its_centre():
    pair = PolygonPair(PLANE, octahedron_faces(3, R, 4), foundation_law(K))
    centre = np.array([0.01, 0.02, R - 1e-3])
    row = pair.sums(centre, quaternions(1))[0]
    torque = row[TORQUE : TORQUE + 3] - np.cross(centre, row[FORCE : FORCE + 3])
    assert np.abs(torque).max() < 1e-4 * R * row[FORCE + 2]


def everything(pair, position, quaternion):
    """Largest depth of all nodes of the finest level, each asked by itself."""
    corners = leaf_corners(pair.faces).reshape(-1, 3)
    dcm = rotation_matrices(np.asarray(quaternion)[None])[0]
    return max(0.0, -gaps_of(pair.reference, corners @ dcm.T + position)[0].min())


@pytest.mark.parametrize("name", ["box", "torus", "mesh", "funnel"])
def test_culling_drops_no_node_that_touches(name):
    points, faces = icosphere(2)
    bodies = {
        "box": box([0.1, 0.06, 0.02]),
        "torus": revolved(section(torus_pieces(0.06, 0.01))),
        "mesh": meshed(0.05 * points, faces),
        "funnel": revolved(section(funnel_pieces(0.4, 0.2), "outside")),
    }
    pair = PolygonPair(bodies[name], octahedron_faces(1, 0.03, 3), foundation_law(K))
    rng = np.random.default_rng(4)
    turns = quaternions(150, 5)
    places = 0.09 * rng.uniform(-1.0, 1.0, (150, 3))
    rows = pair.sums(places, turns)
    deepest = np.array([everything(pair, p, q) for p, q in zip(places, turns, strict=True)])
    np.testing.assert_allclose(rows[:, DEPTH] > 0, deepest > 0)
    np.testing.assert_allclose(rows[:, DEPTH], deepest, rtol=1e-9)
    assert (deepest > 0).sum() > 20


def missed(count, seed):
    """Random poses at which a ball enters a body by more than the leaves resolve, unseen; and all that enter.

    Smooth bodies: the sagitta of a leaf over both curvatures. The box: its corners hide in a leaf.
    """
    rng = np.random.default_rng(seed)
    turns = quaternions(count, seed)
    places = 0.12 * rng.uniform(-1.0, 1.0, (count, 3))
    radius, levels = 0.03, 6
    edge = 0.75 * radius / 2**levels  # longest edge of a leaf of a ball of 128 faces
    unseen = touched = 0
    for body, bend in (
        (revolved(section(torus_pieces(0.06, 0.01))), 1 / 0.01),
        (revolved(section(ball_pieces(0.05))), 1 / 0.05),
        (revolved(section(funnel_pieces(0.4, 0.2), "outside")), 0.0),
        (box([0.1, 0.06, 0.02]), 1 / edge),
    ):
        pair = PolygonPair(body, octahedron_faces(2, radius, levels), foundation_law(K), adaptive())
        enters = gaps_of(body, places)[0] - radius < -(edge**2) * (1 / radius + bend) / 6
        touched += int(enters.sum())
        unseen += int(np.sum(enters & (pair.sums(places, turns)[:, POLYGONS] == 0)))
    return unseen, touched


def test_no_contact_of_random_poses_is_missed():
    unseen, touched = missed(250, 8)
    assert unseen == 0
    assert touched > 300


@pytest.mark.slow
def test_no_contact_of_100000_random_poses_is_missed():
    unseen, touched = missed(25_000, 9)
    assert unseen == 0
    assert touched > 10_000


def test_forces_derive_from_the_energy():
    """Force and torque are minus the slope of the energy, on any reference."""
    points, faces = icosphere(1)
    pair = PolygonPair(
        meshed(0.06 * points, faces), octahedron_faces(2, 0.03, 2), foundation_law(K)
    )
    q = quaternions(1, 3)
    x = np.array([0.05, 0.03, 0.055])
    step = 1e-7
    row = pair.sums(x, q)[0]
    assert row[ELASTIC] > 0.0
    for axis in range(3):
        move = step * np.eye(3)[axis]
        up, down = pair.sums([x + move, x - move], np.tile(q, (2, 1)))[:, ELASTIC]
        assert abs(-(up - down) / (2 * step) - row[FORCE + axis]) < 1e-5 * np.abs(row[:3]).max()


def test_a_finer_mesh_of_the_reference_comes_closer_to_its_formula():
    ball = octahedron_faces(3, 0.02, 3)
    law = foundation_law(K)
    x = np.array([[0.0, 0.0, 0.0685]])
    exact = PolygonPair(revolved(section(ball_pieces(0.05))), ball, law).sums(x)[0, FORCE + 2]
    errors = []
    for level in (3, 4, 5):
        points, faces = icosphere(level)
        errors.append(
            PolygonPair(meshed(0.05 * points, faces), ball, law).sums(x)[0, FORCE + 2] / exact - 1
        )
    assert abs(errors[2]) < 0.02
    assert 3.0 < errors[0] / errors[1] < 5.0
    assert 3.0 < errors[1] / errors[2] < 5.0


def test_adaptive_leaves_are_fewer_and_give_the_same_force():
    faces = octahedron_faces(3, R, 4)
    x = np.array([[0.0, 0.0, R * 0.9]])
    fixed = PolygonPair(PLANE, faces, foundation_law(K)).sums(x, quaternions(1))[0]
    loose = adaptive(linearity=1e-2, border=0.003)
    found = PolygonPair(PLANE, faces, foundation_law(K), loose).sums(x, quaternions(1))[0]
    assert_close(found[FORCE + 2], fixed[FORCE + 2], rtol=1e-2)
    assert found[POLYGONS] < 0.3 * fixed[POLYGONS]


def test_two_passes_take_the_mean_of_both_assignments():
    small = revolution_faces(section(ball_pieces(0.03)), 2, chord_error=1e-4)
    large = revolution_faces(section(ball_pieces(0.05)), 2, chord_error=1e-4)
    law = foundation_law(K)
    first = PolygonPair(revolved(section(ball_pieces(0.05))), small, law)
    second = PolygonPair(revolved(section(ball_pieces(0.03))), large, law)
    x, q = np.array([[0.03, 0.04, 0.06]]), quaternions(1, 2)
    mean = two_pass(first, second, x, q)[0]
    one, other = (
        first.sums(x, q)[0],
        second.sums(-x @ rotation_matrices(q)[0], q * [1, -1, -1, -1])[0],
    )
    size = np.linalg.norm(mean[:3])
    assert_close(size, 0.5 * (np.linalg.norm(one[:3]) + np.linalg.norm(other[:3])), rtol=1e-3)
    np.testing.assert_allclose(np.cross(mean[:3], x[0]), 0.0, atol=1e-3 * size * 0.08)


def test_pressure_map_adds_up_to_the_force_and_counts_patches():
    pair = PolygonPair(PLANE, octahedron_faces(3, R, 2), foundation_law(K))
    shown = pair.pressure_map([0.0, 0.0, R * 0.9])
    assert shown.patches == 1
    assert shown.pressure.max() == pytest.approx(K * 0.1 * R, rel=0.05)
    points, faces = icosphere(2)
    two = mesh_faces(
        np.concatenate([points, points + np.array([3.0, 0.0, 0.0])]),
        np.concatenate([faces, faces + len(points)]),
        2,
    )
    assert PolygonPair(PLANE, two, foundation_law(K)).pressure_map([0.0, 0.0, 0.95]).patches == 2


def test_sums_have_the_same_bits_for_any_batch():
    pair = PolygonPair(box([0.1, 0.1, 0.1]), octahedron_faces(2, R, 2), foundation_law(K))
    turns = quaternions(20, 6)
    places = np.random.default_rng(6).uniform(-0.1, 0.1, (20, 3))
    whole = pair.sums(places, turns)
    single = np.concatenate([pair.sums(p, q) for p, q in zip(places, turns, strict=True)])
    assert (
        np.delete(whole, QUERIED, axis=1).tobytes() == np.delete(single, QUERIED, axis=1).tobytes()
    )


def test_too_many_leaves_are_refused():
    pair = PolygonPair(PLANE, octahedron_faces(3, R, 3), foundation_law(K), capacity=100)
    with pytest.raises(ConfigError, match="more than 100 leaves"):
        pair.sums([0.0, 0.0, 0.5 * R])


def test_a_flat_patch_has_its_area():
    plate = mesh_faces(*icosphere(1), 0)
    assert len(plate.segment) == 80
    row = PolygonPair(PLANE, plate, foundation_law(K)).sums([0.0, 0.0, -5.0])[0]
    assert_close(row[AREA], np.sum(0.5 * np.linalg.norm(np.cross(
        plate.corners[:, 1] - plate.corners[:, 0], plate.corners[:, 2] - plate.corners[:, 0]), axis=1)), rtol=1e-9)  # fmt: skip
