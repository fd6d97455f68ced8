"""Facets that cut or touch: pairs worked out by hand, brute force in rationals, whole bodies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from haptos.geometry.mesh import self_intersections as module
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.self_intersections import self_intersections
from haptos.geometry.mesh.tessellation import subdivided
from tests.geometry.closed_meshes import SHAPES, ball
from tests.validation.shape_models import shape_model

FLOOR = [(0, 0, 0), (4, 0, 0), (0, 4, 0)]


def meet(one, two):
    """Do two triangles, given by places, meet? Corners at equal places count as shared."""
    points = np.array([*one, *two], dtype=float)
    return len(self_intersections(points, np.array([[0, 1, 2], [3, 4, 5]]))) == 1


APART = {
    "through the middle": ([(1, 1, -1), (1, 1, 1), (2, 3, 1)], True),
    "tip on the facet": ([(1, 1, 0), (1, 1, 1), (2, 3, 1)], True),
    "tip on a side": ([(2, 0, 0), (2, -1, 1), (2, -2, -1)], True),
    "just above": ([(1, 1, 1e-300), (1, 1, 1), (2, 3, 1)], False),
    "sides cross": ([(2, -1, -1), (2, 1, 1), (2, -1, 1)], True),
    "beside": ([(5, 5, -1), (5, 5, 1), (6, 6, 1)], False),
    "in the plane, overlapping": ([(1, 1, 0), (5, 1, 0), (1, 5, 0)], True),
    "in the plane, inside": ([(0.5, 0.5, 0), (1, 0.5, 0), (0.5, 1, 0)], True),
    "in the plane, around": ([(-9, -9, 0), (30, -9, 0), (-9, 30, 0)], True),
    "in the plane, apart": ([(3, 3, 0), (5, 3, 0), (3, 5, 0)], False),
    "in the plane, touching side": ([(1, 0, 0), (2, -1, 0), (1, -1, 0)], True),
    "in the plane, star": ([(2.5, 2.5, 0), (-1, 2, 0), (2, -1, 0)], True),
    "in line with a side": ([(5, 0, 0), (7, 0, 0), (6, 0, 3)], False),
    "parallel": ([(0, 0, 1), (4, 0, 1), (0, 4, 1)], False),
}
SHARED = {
    "one corner, away": ([(0, 0, 0), (-1, 0, 1), (0, -1, 1)], False),
    "one corner, through": ([(0, 0, 0), (3, 3, -1), (3, 3, 1)], True),
    "one corner, into": ([(0, 0, 0), (1, 1, -1), (1, 1, 1)], True),
    "one corner, tip on it": ([(0, 0, 0), (1, 1, 0), (1, 1, 1)], True),
    "one corner, in line": ([(4, 0, 0), (8, 0, 0), (6, 0, 3)], False),
    "one corner, along a side": ([(0, 0, 0), (2, 0, 0), (0, 0, 3)], True),
    "one corner, flat fan": ([(0, 0, 0), (-4, 0, 0), (0, -4, 0)], False),
    "one corner, flat overlap": ([(0, 0, 0), (3, 1, 0), (1, 3, 0)], True),
    "one side, flat": ([(0, 0, 0), (4, 0, 0), (1, -3, 0)], False),
    "one side, folded": ([(0, 0, 0), (4, 0, 0), (1, 3, 0)], True),
    "one side, sharp": ([(0, 0, 0), (4, 0, 0), (1, 3, 1e-300)], False),
    "copy": ([(0, 4, 0), (0, 0, 0), (4, 0, 0)], False),
}


@pytest.mark.parametrize("name", [*APART, *SHARED])
@pytest.mark.parametrize("turn", range(3))
def test_pairs_worked_out_by_hand(name, turn):
    two, expected = (APART | SHARED)[name]
    one, two = FLOOR[turn:] + FLOOR[:turn], two[::-1] if turn == 1 else two
    for axes in ((0, 1, 2), (1, 2, 0), (2, 1, 0)):
        p, q = ([tuple(corner[k] for k in axes) for corner in t] for t in (one, two))
        assert meet(p, q) == meet(q, p) == expected


def rational_meet(one, two):
    """Closed triangles of integer places without common corners meet: a point of both, by edges."""

    def volume(a, b, c, d):
        u, v, w = (
            [Fraction(int(x) - int(y)) for x, y in zip(p, d, strict=True)] for p in (a, b, c)
        )
        return sum(u[k] * (v[k - 2] * w[k - 1] - v[k - 1] * w[k - 2]) for k in range(3))

    def pierces(p, q, t):
        above, below = volume(*t, p), volume(*t, q)
        if above * below > 0 or above == below == 0:
            return False
        around = [volume(p, q, t[k], t[(k + 1) % 3]) for k in range(3)]
        return min(around) >= 0 or max(around) <= 0

    return any(
        pierces(s[k], s[(k + 1) % 3], t) for s, t in ((one, two), (two, one)) for k in range(3)
    )


def test_random_small_integers_agree_with_rationals_out_of_plane():
    generator = np.random.default_rng(8)
    seen = []
    for _ in range(1500):
        corners = generator.integers(0, 4, (6, 3))
        one, two = corners[:3], corners[3:]
        normals = [np.cross(t[1] - t[0], t[2] - t[0]) for t in (one, two)]
        if len(np.unique(corners, axis=0)) < 6 or not np.cross(*normals).any():
            continue  # shared corners, no area or parallel planes: worked out by hand above
        expected = rational_meet(one.tolist(), two.tolist())
        assert meet(one, two) == expected
        seen.append(expected)
    assert 100 < sum(seen) < len(seen) - 100


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("levels", [0, 1])
def test_clean_surfaces_have_none_even_with_flat_neighbours(name, levels):
    vertices, faces = SHAPES[name]()
    for _ in range(levels):
        vertices, faces = subdivided(vertices, faces)
    turned = vertices @ np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    assert len(self_intersections(vertices, faces)) == 0
    assert len(self_intersections(turned, faces)) == 0


def test_two_boxes_that_overlap_meet_in_the_pairs_of_brute_force():
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    both = np.concatenate([vertices, vertices + np.array([0.31, 0.23, 0.47])])
    all_faces = np.concatenate([faces, faces + 8])
    whole = np.round(both * 1000).astype(int)
    expected = [
        [i, j] for i in range(12) for j in range(12, 24)
        if rational_meet(whole[all_faces[i]].tolist(), whole[all_faces[j]].tolist())
    ]  # fmt: skip
    assert self_intersections(whole, all_faces).tolist() == expected
    assert len(expected) > 6


def test_a_pushed_in_vertex_is_found_at_any_size_and_place():
    vertices, faces = ball(3)
    vertices = vertices.copy()
    vertices[0] *= -1.2  # out at the far side
    pairs = self_intersections(vertices, faces)
    assert len(pairs)
    assert np.all(np.any(faces[pairs] == 0, axis=2).any(axis=1))
    assert self_intersections(vertices * 2.0**40, faces).tolist() == pairs.tolist()
    assert self_intersections(vertices * 2.0**-60, faces).tolist() == pairs.tolist()


def test_a_heap_of_facets_ends_the_search(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 50)
    points = np.random.default_rng(0).normal(size=(300, 3))
    assert len(self_intersections(points, np.arange(300).reshape(-1, 3))) == 50


@pytest.mark.parametrize("name", ["itokawa", "eros", "bennu", "kw4-alpha"])
def test_real_bodies_do_not_cut_themselves(name):
    assert len(self_intersections(*shape_model(name))) == 0
