"""Distance to an ellipsoid against brute force, 60-digit arithmetic and closed forms."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from haptos.geometry.distance.distance_ellipsoid import ellipsoid_distance, ellipsoid_distance_bound
from haptos.geometry.distance.distance_sphere import sphere_distance
from tests.close import assert_close

ITOKAWA = (268.0, 147.0, 105.0)
FLAT = (1.0, 100.0, 60.0)
SHAPES = [
    ITOKAWA,
    (105.0, 268.0, 147.0),
    FLAT,
    (100.0, 60.0, 1.0),
    (2.0, 2.0, 1.0),
    (1.0, 3.0, 1.0),
]

axis = st.floats(0.01, 1.0)
coordinate = st.floats(-3.0, 3.0)


def nearest_by_search(x, semi_axes):
    """Distance to the closest of ever finer grids of surface points; knows no derivative."""
    y, e = np.abs(x), np.asarray(semi_axes)
    angle = np.linspace(0.0, 0.5 * np.pi, 181)
    centre, width = np.zeros(2), 0.0
    for level in range(34):
        if level:
            angle = np.linspace(-width, width, 13)
        theta, phi = np.meshgrid(angle + centre[0], angle + centre[1], indexing="ij")
        unit = [np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)]
        square = sum((y[k] - e[k] * unit[k]) ** 2 for k in range(3))
        best = np.unravel_index(np.argmin(square), square.shape)
        centre, width = np.array([theta[best], phi[best]]), 3.0 * (angle[1] - angle[0])
    return math.sqrt(square[best])


def exact_gap(x, semi_axes):
    """Gap by bisection with 60 digits; off the plane of the two long axes."""
    with localcontext() as context:
        context.prec = 60
        y, e = [abs(Decimal(v)) for v in x], [Decimal(v) for v in semi_axes]
        low, high = -(min(e) ** 2), 2 * sum(a * b for a, b in zip(e, y, strict=True))
        for _ in range(220):
            t = (low + high) / 2
            inside = sum((a * b / (t + a * a)) ** 2 for a, b in zip(e, y, strict=True)) < 1
            low, high = (low, t) if inside else (t, high)
        return float(t * sum((b / (t + a * a)) ** 2 for a, b in zip(e, y, strict=True)).sqrt())


def size_of(x, semi_axes):
    return max(max(semi_axes), float(np.linalg.norm(x)))


@settings(max_examples=60, deadline=None)
@given(st.tuples(coordinate, coordinate, coordinate), st.tuples(axis, axis, axis))
@example((0.0, 0.0, 0.0), (1.0, 0.5, 0.25))
@example((0.3, 0.0, 0.0), (1.0, 0.5, 0.25))
@example((0.9, 0.2, 0.0), (1.0, 0.5, 0.01))
def test_gap_is_the_distance_to_the_closest_point_found_by_search(x, semi_axes):
    gap, _ = ellipsoid_distance(x, semi_axes)
    outside = sum((a / b) ** 2 for a, b in zip(x, semi_axes, strict=True)) > 1.0
    expected = nearest_by_search(x, semi_axes) * (1.0 if outside else -1.0)
    assert_close(gap, expected, rtol=1e-10, scale=size_of(x, semi_axes))


@pytest.mark.parametrize("semi_axes", SHAPES)
@pytest.mark.parametrize("factor", [0.1, 0.5, 0.99, 1.0 - 1e-9, 1.0 + 1e-12, 1.001, 2.0, 1e3, 1e6])
def test_gap_agrees_with_sixty_digit_arithmetic(semi_axes, factor):
    rng = np.random.default_rng(7)
    for direction in rng.normal(size=(6, 3)):
        x = tuple(
            float(v) for v in factor * np.array(semi_axes) * direction / np.linalg.norm(direction)
        )
        gap, _ = ellipsoid_distance(x, semi_axes)
        assert_close(gap, exact_gap(x, semi_axes), rtol=2e-15, scale=size_of(x, semi_axes))


@pytest.mark.parametrize("semi_axes", SHAPES)
def test_point_moved_off_the_surface_along_its_normal_comes_back(semi_axes):
    """Outside, and inside as deep as the smallest radius of curvature, the foot is known."""
    e = np.array(semi_axes)
    deepest = min(e) ** 2 / max(e)
    for direction in np.random.default_rng(3).normal(size=(20, 3)):
        foot = e * direction / np.linalg.norm(direction)
        normal = foot / e**2 / np.linalg.norm(foot / e**2)
        for gap in (-0.9 * deepest, -1e-3 * deepest, 0.0, 1e-6 * deepest, max(e), 1e6 * max(e)):
            found, found_normal = ellipsoid_distance(tuple(foot + gap * normal), semi_axes)
            scale = max(max(e), abs(gap))
            assert_close(found, gap, rtol=1e-13, scale=scale)
            assert_close(np.array(found_normal), normal, rtol=1e-10)


@pytest.mark.parametrize("x", [(150.0, 90.0, 80.0), (60.0, 30.0, -20.0), (-300.0, 0.0, 10.0)])
def test_normal_is_the_gradient_of_the_gap(x):
    step = 1e-3
    slope = np.empty(3)
    for k in range(3):
        ends = [np.array(x) + sign * step * np.eye(3)[k] for sign in (1.0, -1.0)]
        slope[k] = np.subtract(*(ellipsoid_distance(tuple(p), ITOKAWA)[0] for p in ends)) / (
            2 * step
        )
    assert_close(slope, np.array(ellipsoid_distance(x, ITOKAWA)[1]), rtol=1e-9)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_order_of_the_axes_does_not_matter(order):
    x, e = (150.0, -90.0, 80.0), ITOKAWA
    gap, normal = ellipsoid_distance(x, e)
    turned_gap, turned = ellipsoid_distance(tuple(x[k] for k in order), tuple(e[k] for k in order))
    assert_close(turned_gap, gap, rtol=1e-14)
    assert_close(turned, [normal[k] for k in order], rtol=1e-14)


def test_sphere_is_the_limit_of_equal_axes():
    for x in np.random.default_rng(5).normal(size=(50, 3)):
        for e in ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0 + 1e-15)):
            gap, normal = ellipsoid_distance(tuple(x), e)
            expected_gap, expected = sphere_distance(tuple(x), 1.0)
            assert_close(gap, expected_gap, rtol=4e-15, scale=1.0 + abs(expected_gap))
            assert_close(normal, expected, rtol=4e-15)


@pytest.mark.parametrize(
    "semi_axes", [(3.0, 2.0, 1.0), (1.0, 3.0, 2.0), (2.0, 1.0, 1.0), (1.0, 1.0, 1.0)]
)
def test_centre_is_as_deep_as_the_shortest_axis_and_points_along_it(semi_axes):
    gap, normal = ellipsoid_distance((0.0, 0.0, 0.0), semi_axes)
    expected = [0.0, 0.0, 0.0]
    expected[semi_axes.index(min(semi_axes))] = 1.0
    assert gap == -min(semi_axes)
    assert list(normal) == expected


def test_medial_disc_matches_the_closed_form():
    """In the mid plane of e = (a, b, c) closest points lie at x a^2 / (a^2 - c^2)."""
    (a, b, c), (x, y) = (3.0, 2.0, 1.0), (1.1, -0.4)
    p = np.array([x * a**2 / (a**2 - c**2), y * b**2 / (b**2 - c**2), 0.0])
    p[2] = c * math.sqrt(1.0 - (p[0] / a) ** 2 - (p[1] / b) ** 2)
    for height in (0.0, 1e-300, 1e-18, 1e-16):
        gap, normal = ellipsoid_distance((x, y, height), (a, b, c))
        assert_close(gap, -np.linalg.norm(p - [x, y, 0.0]), rtol=1e-15)
        assert_close(normal, (p - [x, y, 0.0]) / np.linalg.norm(p - [x, y, 0.0]), rtol=1e-14)
    below = ellipsoid_distance((x, y, -1e-16), (a, b, c))[1]
    assert_close(below[2], -normal[2], rtol=1e-14)


def test_long_axis_inside_the_focal_length_and_beyond_it():
    (a, b, c), edge = (3.0, 2.0, 1.0), (9.0 - 1.0) / 3.0
    assert_close(ellipsoid_distance((2.9, 0.0, 0.0), (a, b, c))[0], -0.1, rtol=1e-14)
    assert ellipsoid_distance((2.9, 0.0, 0.0), (a, b, c))[1] == (1.0, 0.0, 0.0)
    for x in (edge * (1.0 - 1e-16), edge * (1.0 - 1e-9), edge, edge * (1.0 + 1e-9)):
        for height in (0.0, 1e-16, 1e-12):
            gap, normal = ellipsoid_distance((x, 0.0, height), (a, b, c))
            assert_close(gap, -nearest_by_search((x, 0.0, height), (a, b, c)), rtol=1e-10)
            assert_close(np.linalg.norm(normal), 1.0, rtol=1e-15)


@settings(max_examples=200, deadline=None)
@given(st.tuples(coordinate, coordinate, coordinate), st.tuples(axis, axis, axis))
def test_bound_is_never_above_the_gap(x, semi_axes):
    gap, _ = ellipsoid_distance(x, semi_axes)
    assert ellipsoid_distance_bound(x, semi_axes) <= gap + 1e-14 * size_of(x, semi_axes)


def test_bound_is_the_gap_to_first_order_near_the_surface():
    e = np.array(ITOKAWA)
    foot = e * np.array([0.6, 0.48, 0.64])
    ratios = []
    for gap in (1.0, 0.1, 0.01):
        x = tuple(foot + gap * foot / e**2 / np.linalg.norm(foot / e**2))
        ratios.append((gap - ellipsoid_distance_bound(x, ITOKAWA)) / gap)
    assert 0.0 < ratios[2] < ratios[1] < ratios[0] < 0.02
    assert_close(ratios[0] / ratios[1], 10.0, rtol=0.05)


def test_nan_comes_back_as_nan():
    assert math.isnan(ellipsoid_distance((math.nan, 1.0, 1.0), ITOKAWA)[0])


def test_check_has_teeth():
    x = (150.0, -90.0, 80.0)
    gap, _ = ellipsoid_distance(x, (268.0 * 1.01, 147.0, 105.0))
    with pytest.raises(AssertionError):
        assert_close(gap, exact_gap(x, ITOKAWA), rtol=2e-15, scale=size_of(x, ITOKAWA))
    with pytest.raises(AssertionError):
        assert_close(gap, nearest_by_search(x, ITOKAWA), rtol=1e-10, scale=size_of(x, ITOKAWA))
