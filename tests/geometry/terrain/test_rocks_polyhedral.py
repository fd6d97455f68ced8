"""Polyhedral rocks: counts, places, exact distances, the nearest of all, the same everywhere."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy import stats
from trimesh.triangles import closest_point

from haptos.core.errors import GeometryError
from haptos.core.jit import entry
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.terrain.rock_sizes import mean_size, rock_size
from haptos.geometry.terrain.rocks_polyhedral import (
    FACE_TABLE,
    facet_rock_count,
    polyhedral_rock_field,
    polyhedral_rock_gap,
    rock_corners,
    rock_mark,
    rock_of_facet,
)
from haptos.geometry.terrain.rocks_polyhedral_field import (
    FAR,
    PolyhedralRocks,
    no_polyhedral_rocks,
    polyhedral_rock_meshes,
    polyhedral_rocks,
    polyhedral_rocks_distance,
)
from tests.close import assert_close

K, LAW = 14.3, (2.8, 0.05, 0.50)
CORNERS, FACES = platonic_solid("icosahedron")


@functools.cache
def field(**settings) -> PolyhedralRocks:
    """Nominal rocks on a ball-like mesh of edge 3 m: 20 facets of 3.9 m^2."""
    return polyhedral_rocks(5, 3.0 * CORNERS, FACES, K, *LAW, **settings)


@entry
def fill(rocks, points, share, gaps, normals, found):
    for i in range(len(points)):
        x = (points[i, 0], points[i, 1], points[i, 2])
        gaps[i], normals[i], found[i] = polyhedral_rocks_distance(rocks, x, share, math.inf)


@entry
def fill_gaps(rocks, facet, rock, points, gaps, normals):
    for i in range(len(points)):
        x = (points[i, 0], points[i, 1], points[i, 2])
        gaps[i], normals[i] = polyhedral_rock_gap(rocks, facet, rock, x)


def distances(rocks, points, share=1.0):
    n = len(points)
    out = np.zeros(n), np.zeros((n, 3)), np.zeros(n, dtype=bool)
    fill(rocks, np.ascontiguousarray(points), share, *out)
    return out


def one_gap(rocks, facet, rock, points):
    out = np.zeros(len(points)), np.zeros((len(points), 3))
    fill_gaps(rocks, facet, rock, np.ascontiguousarray(points), *out)
    return out


def points_near(rocks: PolyhedralRocks, count: int, seed: int = 2) -> np.ndarray:
    """Random points within 0.2 m of the facets."""
    draw = np.random.default_rng(seed)
    rows = rocks.facets[draw.integers(0, len(rocks.facets), count)]
    u, v = np.sort(draw.random((2, count)), axis=0)
    rise = draw.uniform(-0.1, 0.2, count)
    along = u[:, None] * rows[:, 3:6] + (v - u)[:, None] * rows[:, 6:9]
    return rows[:, 0:3] + along + rise[:, None] * rows[:, 9:12]


def all_rocks(rocks: PolyhedralRocks) -> list[tuple[int, int]]:
    facets = range(len(rocks.facets))
    return [(f, r) for f in facets for r in range(facet_rock_count(rocks, f))]


def many() -> PolyhedralRocks:
    """One triangle with 4000.6 rocks expected."""
    corners = [[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 10.0, 0.0]]
    return polyhedral_rocks(1, corners, [[0, 1, 2]], 80.012, *LAW)


def test_number_of_rocks_is_right_on_average():
    # facets of 0.3 rocks each: none or one
    side = math.sqrt(2.0 * 0.3 / K)
    corners = [[0.0, 0.0, 0.0], [side, 0.0, 0.0], [0.0, side, 0.0]]
    rocks = polyhedral_rocks(1, corners, [[0, 1, 2]] * 2000, K, *LAW)
    counts = np.array([facet_rock_count(rocks, facet) for facet in range(2000)])
    assert set(counts) == {0, 1}
    assert abs(counts.mean() - 0.3) < 4.0 * math.sqrt(0.3 * 0.7 / 2000)
    assert facet_rock_count(many(), 0) in (4000, 4001)


def test_sizes_places_and_depths_follow_their_laws():
    rocks = many()
    drawn = [rock_of_facet(rocks, 0, rock) for rock in range(4000)]
    centres, sizes = np.array([d[0] for d in drawn]), np.array([d[1] for d in drawn])
    quantiles = rock_size((np.arange(4000) + 0.5) / 4000, *LAW)
    assert stats.ks_2samp(sizes, quantiles).pvalue > 1e-3
    assert_close(sizes.mean(), mean_size(*LAW), rtol=0.05)
    sink = -centres[:, 2] / sizes  # the normal is +z: a positive ratio is deeper
    assert stats.kstest((sink + 0.4) / 0.65, "uniform").pvalue > 1e-3
    assert np.all(centres[:, :2] >= 0.0)
    assert np.all(centres[:, :2].sum(axis=1) <= 10.0)
    # uniform over the triangle: the share below the line x = t is 1 - (1 - t/10)^2
    assert stats.kstest(1.0 - (1.0 - centres[:, 0] / 10.0) ** 2, "uniform").pvalue > 1e-3
    assert stats.kstest([rock_mark(rocks, 0, r) for r in range(4000)], "uniform").pvalue > 1e-3


def test_corners_are_those_of_a_deformed_turned_icosahedron():
    rocks = many()
    lengths, first = [], []
    for rock in range(400):
        corners = np.array(rock_corners(rocks, 0, rock, 1.0))
        _, _, ball = rock_of_facet(rocks, 0, rock)
        assert np.linalg.norm(corners, axis=1).max() <= ball / rock_of_facet(rocks, 0, rock)[1]
        lengths.append(np.linalg.norm(corners, axis=1))
        first.append(corners[0] / np.linalg.norm(corners[0]))
    # radial part of the deformation: mean 1/2 and a little, spread sigma
    assert_close(np.mean(lengths), 0.5 + 0.05**2 / 0.5, rtol=5e-3)
    assert_close(np.std(lengths), 0.05, rtol=0.05)
    assert np.linalg.norm(np.mean(first, axis=0)) < 4.0 / math.sqrt(3 * 400)


def test_rock_without_deformation_is_regular():
    rocks = field(deformation=0.0)
    corners = np.array(rock_corners(rocks, 3, 1, 2.0))
    assert_close(np.linalg.norm(corners, axis=1), np.ones(12), rtol=1e-14)
    assert_close(corners @ corners.T, CORNERS @ CORNERS.T / (CORNERS[0] @ CORNERS[0]), rtol=1e-13)


def reference_gap(triangles: np.ndarray, x: np.ndarray) -> tuple[float, np.ndarray]:
    """(gap, normal) by the distance to every triangle and the solid angle they take up."""
    feet = closest_point(triangles, np.tile(x, (len(triangles), 1)))
    away = x - feet[np.argmin(np.linalg.norm(x - feet, axis=1))]
    a, b, c = np.moveaxis(triangles - x, 1, 0)
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    above = np.einsum("fi,fi->f", a, np.cross(b, c))
    products = [np.einsum("fi,fi->f", u, v) for u, v in ((a, b), (b, c), (c, a))]
    below = la * lb * lc + products[0] * lc + products[1] * la + products[2] * lb
    is_inside = np.arctan2(above, below).sum() > math.pi  # half of 4 pi, or of nothing
    gap = float(np.linalg.norm(away)) * (-1.0 if is_inside else 1.0)
    return gap, away / gap


@pytest.mark.parametrize(("facet", "rock"), [(0, 0), (3, 7), (11, 2), (19, 30)])
def test_gap_is_the_exact_distance_to_the_mesh_of_the_rock(facet, rock):
    rocks = field(deformation=0.08)
    centre, size, ball = rock_of_facet(rocks, facet, rock)
    corners = np.array(rock_corners(rocks, facet, rock, size)) + np.array(centre)
    points = np.array(centre) + np.random.default_rng(1).normal(0.0, 0.5 * ball, (300, 3))
    wanted = [reference_gap(corners[FACE_TABLE], x) for x in points]
    found, found_normals = one_gap(rocks, facet, rock, points)
    assert_close(found, [gap for gap, _ in wanted], rtol=1e-9, scale=size)
    assert np.count_nonzero(found < 0.0) > 10
    off = np.linalg.norm(found_normals - np.array([n for _, n in wanted]), axis=1)
    assert np.count_nonzero(off > 1e-5) <= 1  # two feet at one distance


def test_nearest_rock_is_the_nearest_of_all():
    rocks = field(margin_m=0.3)
    points = points_near(rocks, 160)
    best = np.full(160, 0.3)
    for facet, rock in all_rocks(rocks):
        best = np.minimum(best, one_gap(rocks, facet, rock, points)[0])
    gaps, normals, found = distances(rocks, points)
    assert np.array_equal(gaps, best)
    assert np.array_equal(found, best < 0.3)
    assert np.count_nonzero(gaps < 0.0) > 0
    assert_close(np.linalg.norm(normals[found], axis=1), np.ones(found.sum()), rtol=1e-12)
    assert not normals[~found].any()


def test_gap_is_continuous_and_never_steeper_than_a_distance():
    rocks = field(margin_m=0.3)
    ends = points_near(rocks, 2, seed=9)
    line = ends[0] + np.linspace(0.0, 1.0, 2001)[:, None] * (ends[1] - ends[0])
    gaps = distances(rocks, line)[0]
    step = np.linalg.norm(line[1] - line[0])
    assert np.abs(np.diff(gaps)).max() <= step * (1.0 + 1e-9)


def test_share_thins_the_rocks_by_their_marks():
    rocks, points = field(margin_m=0.3), points_near(field(), 400)
    none, few, all_of_them = (distances(rocks, points, share) for share in (0.0, 0.3, 1.0))
    assert not none[2].any()
    assert np.all(few[0] >= all_of_them[0])
    assert 0 < np.count_nonzero(few[0] > all_of_them[0])
    facets = np.arange(20)
    kept = len(polyhedral_rock_meshes(rocks, facets, 0.3)[0]) / 12
    total = len(polyhedral_rock_meshes(rocks, facets)[0]) / 12
    assert total == len(all_rocks(rocks))
    assert abs(kept / total - 0.3) < 4.0 * math.sqrt(0.21 / total)


def test_meshes_are_the_rocks_that_the_gap_sees():
    rocks = field(margin_m=0.3)
    vertices, faces = polyhedral_rock_meshes(rocks, np.arange(20))
    assert faces.max() == len(vertices) - 1
    corner = vertices[faces[::37]].mean(axis=1)  # middles of triangles lie on or inside rocks
    gaps = distances(rocks, corner)[0]
    assert gaps.max() < 1e-12


def test_far_from_rocks_the_margin_is_told():
    rocks = field(margin_m=0.3)
    gaps, normals, found = distances(rocks, np.array([[50.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    assert gaps.tolist() == [0.3, 0.3]
    assert not found.any()
    assert not normals.any()


def test_no_rocks_are_far_away_and_of_the_same_types():
    distances(field(), points_near(field(), 2))
    none = no_polyhedral_rocks()
    gaps, _, found = distances(none, np.array([[0.1, 0.1, 0.0], [9.0, 0.0, 0.0]]))
    assert gaps.tolist() == [FAR, FAR]
    assert not found.any()
    assert len(fill.signatures) == 1  # one compiled kernel serves both


def test_compiled_rocks_equal_plain_python():
    rocks = field(margin_m=0.3)
    points = points_near(rocks, 25, seed=4)
    gaps, normals, _ = distances(rocks, points)
    for i, x in enumerate(points.tolist()):
        gap, normal, _ = polyhedral_rocks_distance(rocks, tuple(x), 1.0, math.inf)
        assert_close(gap, gaps[i], rtol=1e-12, scale=0.3)
        assert_close(normal, normals[i], rtol=1e-9, scale=1.0)


def bends(rocks, facet, rock, points):
    """Hessians (n, 3, 3) [1/m] of one rock at points (n, 3), and by central differences of its normals."""
    found, wanted, small = [], [], 1e-6
    for x in points:
        h = polyhedral_rock_field(rocks, facet, rock, tuple(x))[2]
        found.append([[h[0], h[1], h[2]], [h[1], h[3], h[4]], [h[2], h[4], h[5]]])
        ends = [
            [polyhedral_rock_gap(rocks, facet, rock, tuple(x + s * small * axis))[1] for s in (-1, 1)]
            for axis in np.eye(3)
        ]  # fmt: skip
        wanted.append([np.subtract(high, low) / (2.0 * small) for low, high in ends])
    return np.array(found), np.array(wanted)


@pytest.mark.parametrize("factor", [1.0, 1.01])
def test_a_rock_bends_as_its_faces_edges_and_corners_do(factor):
    rocks, generator = field(), np.random.default_rng(3)
    centre, size, ball = rock_of_facet(rocks, 2, 1)
    away = generator.normal(size=(60, 3))
    away /= np.linalg.norm(away, axis=1)[:, None]
    points = np.array(centre) + (ball + generator.uniform(0.1, 1.0, (60, 1)) * size) * away
    found, wanted = bends(rocks, 2, 1, points)
    rank = np.linalg.matrix_rank(found, tol=1e-3)
    assert {0, 1, 2} == set(rank.tolist())  # faces, edges and corners
    # Near the border of two of them the difference of normals straddles it.
    inside = np.abs(found - wanted).max(axis=(1, 2)) < 1e-3 / size
    assert inside.mean() > 0.9
    error = np.abs(factor * found - wanted)[inside].max() * size
    assert (error < 1e-3) == (factor == 1.0)


def test_close_to_an_edge_it_is_sharp():
    rocks = field()
    centre, size, _ = rock_of_facet(rocks, 2, 1)
    corner = np.array(centre) + np.array(rock_corners(rocks, 2, 1, size)[0])
    out = (corner - centre) / np.linalg.norm(corner - centre)
    near, far = (polyhedral_rock_field(rocks, 2, 1, tuple(corner + s * size * out))[2] for s in (0.005, 0.02))  # fmt: skip
    assert near == (0.0,) * 6
    assert_close(far[0] + far[3] + far[5], 2.0 / (0.02 * size), rtol=1e-6)


def test_rocks_of_a_facet_do_not_depend_on_the_other_facets():
    rocks = field()
    alone = polyhedral_rocks(5, 3.0 * CORNERS, FACES[:4], K, *LAW)
    assert rock_of_facet(rocks, 3, 5) == rock_of_facet(alone, 3, 5)
    other = polyhedral_rocks(6, 3.0 * CORNERS, FACES[:4], K, *LAW)
    assert rock_of_facet(rocks, 3, 5) != rock_of_facet(other, 3, 5)


@pytest.mark.parametrize(
    "bad", [{"sink": (0.3, -0.3)}, {"deformation": 0.5}, {"margin_m": 0.0}, {"sink": (-3.0, 0.0)}]
)
def test_impossible_rocks_are_refused(bad):
    with pytest.raises(GeometryError):
        polyhedral_rocks(5, CORNERS, FACES, K, *LAW, **bad)


def test_facets_without_area_or_with_endless_rocks_are_refused():
    with pytest.raises(GeometryError, match="without area"):
        polyhedral_rocks(5, CORNERS, [[0, 1, 1]], K, *LAW)
    with pytest.raises(GeometryError, match="one facet"):
        polyhedral_rocks(5, 1e4 * CORNERS, FACES, K, *LAW)


def test_distance_check_has_teeth():
    rocks = field()
    spoiled = rocks._replace(deformation=1.01 * rocks.deformation)
    points = points_near(rocks, 200)
    wanted = one_gap(rocks, 0, 0, points)[0]
    with pytest.raises(AssertionError):
        assert_close(one_gap(spoiled, 0, 0, points)[0], wanted, rtol=1e-9, scale=0.1)
