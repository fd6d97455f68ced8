"""Distance to a mesh with curved faces: nearer to the true body, sharp edges kept, slopes of unit length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets.polygons_pair import PolygonPair, foundation_law
from haptos.contact.sets.polygons_sum import ELASTIC, FORCE
from haptos.geometry.distance import curved_mesh
from haptos.geometry.distance.reference import box, gaps_of, meshed
from haptos.geometry.mesh.curved_faces_build import octahedron_faces
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import platonic_solid

CUBE = platonic_solid("cube")


def around(count, low, high, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(count, 3))
    return x * (rng.uniform(low, high, count) / np.linalg.norm(x, axis=1))[:, None]


def ball_error(splits, curved):
    x = around(2000, 0.6, 1.5)
    gaps = gaps_of(meshed(*icosphere(splits), curved=curved), x)[0]
    return float(np.abs(gaps - np.linalg.norm(x, axis=1) + 1.0).max())


def test_patches_are_twenty_times_nearer_to_a_ball_than_flat_faces():
    for splits in (2, 3, 4):
        assert ball_error(splits, True) < ball_error(splits, False) / 18.0


def test_error_of_patches_falls_with_order_two():
    errors = [ball_error(splits, True) for splits in (2, 3, 4)]
    assert min(errors[0] / errors[1], errors[1] / errors[2]) > 3.5


def test_a_body_of_sharp_edges_is_that_of_flat_faces():
    points, faces = CUBE
    x = around(500, 0.2, 2.0)
    flat, curved = gaps_of(meshed(points, faces), x), gaps_of(meshed(points, faces, curved=True), x)
    assert np.array_equal(flat[0], curved[0])
    side = float(np.ptp(points[:, 0]))
    np.testing.assert_allclose(curved[0], gaps_of(box([side] * 3), x)[0], atol=1e-12)


def test_rims_of_a_cylinder_stay_sharp():
    """Rims turn by 90 degrees: caps stay flat, and nothing is farther off than the chords of the rims."""
    count = 64
    angles = 2.0 * math.pi * np.arange(count) / count
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.vstack([np.column_stack([ring, np.full(count, z)]) for z in (-0.5, 0.5)])
    points = np.vstack([points, [[0, 0, -0.5], [0, 0, 0.5]]])
    a, b = np.arange(count), (np.arange(count) + 1) % count
    low, high = np.full(count, 2 * count), np.full(count, 2 * count + 1)
    faces = np.vstack([np.column_stack(t) for t in (
        (a, b, b + count), (a, b + count, a + count), (b, a, low), (a + count, b + count, high))])  # fmt: skip
    cylinder = meshed(points, faces, curved=True)
    x = around(1000, 0.3, 1.6, 3)
    rho = np.hypot(x[:, 0], x[:, 1])
    over, up = rho - 1.0, np.abs(x[:, 2]) - 0.5
    outside = np.hypot(np.maximum(over, 0), np.maximum(up, 0))
    exact = np.where(np.maximum(over, up) > 0, outside, np.maximum(over, up))
    error = np.abs(gaps_of(cylinder, x)[0] - exact)
    assert error.max() < 1.001 * (1.0 - math.cos(math.pi / count))
    assert error[(up > 0) & (rho < 0.99)].max() < 1e-12


def test_gaps_change_no_faster_than_points_within_the_slack():
    body = meshed(*icosphere(1), curved=True)
    x = around(3000, 0.05, 2.0, 5)
    y = x + 0.2 * np.random.default_rng(6).normal(size=x.shape)
    change = np.abs(gaps_of(body, x)[0] - gaps_of(body, y)[0])
    assert np.all(change <= np.linalg.norm(x - y, axis=1) + body.slack)


def test_normals_are_the_slope_of_the_gap():
    body = meshed(*icosphere(2), curved=True)
    x = around(400, 0.8, 1.3, 7)
    _, normals, _ = gaps_of(body, x)
    h = 1e-6
    slopes = np.stack(
        [(gaps_of(body, x + h * e)[0] - gaps_of(body, x - h * e)[0]) / (2 * h) for e in np.eye(3)],
        axis=1,
    )
    wrong = np.linalg.norm(slopes - normals, axis=1)
    assert np.quantile(wrong, 0.99) < 1e-6  # the rest lies on lines between patches


def test_forces_on_patches_derive_from_the_energy():
    body = meshed(0.06 * icosphere(1)[0], icosphere(1)[1], curved=True)
    pair = PolygonPair(body, octahedron_faces(2, 0.03, 2), foundation_law(3e9))
    place, h = np.array([0.02, 0.03, 0.0805]), 1e-7
    row = pair.sums(place)[0]
    for c in range(3):
        shift = h * np.eye(3)[c]
        ends = pair.sums(np.array([place - shift, place + shift]))[:, ELASTIC]
        slope = -(ends[1] - ends[0]) / (2 * h)
        assert abs(slope - row[FORCE + c]) < 1e-4 * np.linalg.norm(row[FORCE : FORCE + 3])


@pytest.mark.parametrize("point", [(0.0, 0.0, 1.2), (0.0, 0.0, 0.9)])
def test_plain_python_gives_the_compiled_answer(point):
    from haptos.geometry.distance.reference import search_scratch

    body = meshed(*icosphere(1), curved=True)
    compiled = gaps_of(body, [point])
    gap, normal, _ = curved_mesh.curved_distance(
        body.mesh, body.patches, point, 0, search_scratch()[0]
    )
    assert abs(gap - compiled[0][0]) < 1e-14
    np.testing.assert_allclose(normal, compiled[1][0], atol=1e-12)


def test_bends_that_are_too_small_are_seen():
    """Spoiled patches: bends 10 % too small leave a tenth of the flat error, twice what patches have."""
    points, faces = icosphere(3)
    body = meshed(points, faces, curved=True)
    x = around(1000, 0.9, 1.1, 9)
    exact = np.linalg.norm(x, axis=1) - 1.0
    spoiled = body._replace(patches=body.patches._replace(bends=0.9 * body.patches.bends))
    good, bad = (np.abs(gaps_of(b, x)[0] - exact).max() for b in (body, spoiled))
    assert bad > 2.0 * good
