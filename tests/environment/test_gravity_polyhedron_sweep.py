"""The sweep over edges and faces: same bits for any row, thread count or caller; the terms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.jit import entry
from haptos.environment import gravity_polyhedron_terms as terms
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_polyhedron_sweep import (
    VALUES,
    fill_values,
    polyhedron_values,
    scratch,
)
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close
from tests.environment.polyhedron_sums import rough_body

BODY = PolyhedronField(*rough_body(level=2), 1900.0)
POINTS = np.concatenate(
    [BODY.vertices[:40] * 1.001, np.random.default_rng(4).normal(size=(400, 3)) * 2e3]
)
SCALED = (POINTS - BODY.centre) / BODY.radius


def values(order: np.ndarray, width: int) -> np.ndarray:
    out = np.empty((len(order), VALUES))
    row = scratch(len(BODY.vertices), width)
    fill_values(BODY.kernel, row, np.ascontiguousarray(SCALED[order]), 0, len(order), out)
    return out


@entry
def one_by_one(body, row, points, out):
    for i in range(len(points)):
        polyhedron_values(body, row, (points[i, 0], points[i, 1], points[i, 2]), out[i])


def test_threads_do_not_change_a_bit():
    first, *rest = (BODY.field(POINTS, workers=workers) for workers in (1, 2, 5))
    for other in rest:
        assert all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize("width", [1, 3, 64])
def test_neighbours_in_a_row_do_not_change_a_bit(width):
    order = np.random.default_rng(6).permutation(len(POINTS))
    expected = values(np.arange(len(POINTS)), 64)
    assert np.array_equal(values(order, width), expected[order])


def test_one_point_in_a_kernel_gives_the_bits_of_a_row():
    out = np.empty((len(SCALED), VALUES))
    one_by_one(BODY.kernel, scratch(len(BODY.vertices), 1), SCALED, out)
    assert np.array_equal(out, values(np.arange(len(POINTS)), 64))


def test_plain_python_gives_the_bits_of_the_compiled_sweep():
    cube = PolyhedronField(*box_solid((1.0, 2.0, 3.0)), 1e3)
    points = np.array([[0.1, 0.2, 0.3], [1.5, 0.0, 0.0], [40.0, 3.0, -7.0]])
    compiled, plain = np.empty((3, VALUES)), np.empty((3, VALUES))
    fill_values(cube.kernel, scratch(8, 64), points, 0, 3, compiled)
    for x, out in zip(points.tolist(), plain, strict=True):
        polyhedron_values(cube.kernel, scratch(8, 1), tuple(x), out)
    assert np.array_equal(compiled, plain)


def test_progress_ends_at_one():
    reported: list[float] = []
    BODY.field(POINTS, workers=2, progress=reported.append)
    assert reported == sorted(reported)
    assert reported[-1] == 1.0


def test_series_meet_the_closed_forms_where_they_end():
    for s in (1e-9, 0.01, terms.NEAR_EDGE):
        assert_close(terms.far_logarithm(s), 2.0 * math.atanh(s), rtol=4e-16)
    for t in (-0.02, 1e-9, 0.013):
        assert_close(terms.far_angle(t), 2.0 * math.atan(t), rtol=4e-16)


def test_apparent_size_of_a_far_face_stays_within_its_series():
    generator = np.random.default_rng(8)
    corners = generator.normal(size=(3000, 3, 3))
    a, b, c = (corners[:, k] for k in range(3))
    longest = np.max([np.linalg.norm(p - q, axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    away = generator.normal(size=(3000, 3))
    away *= (terms.NEAR_FACE / 3.0 * longest / np.linalg.norm(away, axis=1))[:, None]
    a, b, c = (p - corners.mean(axis=1) - away for p in (a, b, c))
    i, j, k = (np.linalg.norm(p, axis=1) for p in (a, b, c))
    far = i + j + k >= terms.NEAR_FACE * longest
    triple = np.abs(np.einsum("ni,ni->n", a, np.cross(b, c)))
    dots = [np.einsum("ni,ni->n", p, q) for p, q in ((b, c), (c, a), (a, b))]
    tangent = triple / (i * j * k + i * dots[0] + j * dots[1] + k * dots[2])
    assert far.sum() > 500
    assert 0.01 < np.max(tangent[far]) < 0.02


@pytest.mark.parametrize("distance", [1e-3, 1e-8, 1e-12])
def test_logarithm_keeps_its_digits_next_to_the_edge(distance):
    a, b = (-0.3, distance, 0.0), (0.7, distance, 0.0)
    exact = math.asinh(0.3 / distance) + math.asinh(0.7 / distance)
    assert_close(terms.near_logarithm(a, b), exact, rtol=1e-15)


def test_terms_on_an_edge_a_corner_or_a_face_are_zero():
    assert terms.near_logarithm((-0.3, 0.0, 0.0), (0.7, 0.0, 0.0)) == 0.0
    assert terms.near_logarithm((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)) == 0.0
    on_face = ((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 2.0, 0.0))
    assert terms.near_angle(*on_face, (0.0, 0.0, 1.0), 6.0) == 0.0
