"""Normal of an impact by corner, edge and facet of the probe."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.impact_normal import impact_normal
from haptos.geometry.mesh.probe_shapes import box, tessellated
from haptos.geometry.mesh.tessellation import CORNER, EDGE, FACET
from tests.close import assert_close
from tests.contact.bodies import random_direction, random_rotation, rows, triple

seeds = st.integers(0, 2**32 - 1)


def setting(seed):
    rng = np.random.default_rng(seed)
    return random_rotation(rng), random_direction(rng), random_direction(rng)


@given(seeds)
def test_a_corner_takes_the_normal_of_the_ground(seed):
    dcm, ground, direction = setting(seed)
    assert impact_normal(CORNER, triple(direction), rows(dcm), triple(ground)) == triple(ground)


@given(seeds)
def test_an_edge_takes_no_push_along_itself(seed):
    dcm, ground, edge = setting(seed)
    found = np.array(impact_normal(EDGE, triple(edge), rows(dcm), triple(ground)))
    assert_close(np.linalg.norm(found), 1.0, rtol=1e-14)
    if np.linalg.norm(np.cross(dcm @ edge, ground)) > 2e-3:
        assert abs(found @ dcm @ edge) <= 1e-12
        assert abs(np.linalg.det([found, ground, dcm @ edge])) <= 1e-12
        assert found @ ground > 0.0


@given(seeds)
def test_a_facet_is_pushed_straight_inwards(seed):
    dcm, ground, outward = setting(seed)
    facing = dcm @ outward @ ground < -2e-3
    found = impact_normal(FACET, triple(outward), rows(dcm), triple(ground))
    assert_close(found, -dcm @ outward if facing else ground, rtol=1e-14)


def test_an_edge_along_the_normal_says_nothing():
    ground = (0.0, 0.0, 1.0)
    assert impact_normal(EDGE, ground, rows(np.eye(3)), ground) == ground


def test_vertices_of_a_tessellated_box_give_the_three_kinds():
    shape = tessellated(box([1.0, 1.0, 1.0]), 1)
    ground = np.array([0.1, 0.2, 1.0]) / np.linalg.norm([0.1, 0.2, 1.0])
    below = shape.vertices[:, 2] < -0.49
    for kind, point, direction in zip(
        shape.vertex_kind[below], shape.vertices[below], shape.vertex_direction[below], strict=True
    ):
        found = np.array(
            impact_normal(kind, triple(direction), rows(np.eye(3)), triple(ground))
        )  # fmt: skip
        middle = np.sum(np.abs(point) < 1e-9)
        assert kind == middle
        expected = {0: ground, 2: [0.0, 0.0, 1.0]}.get(kind)
        if expected is None:
            expected = ground - (ground @ direction) * direction
            expected /= np.linalg.norm(expected)
        assert_close(found, expected, rtol=1e-14)


def test_check_has_teeth():
    dcm, ground, edge = setting(3)
    found = np.array(impact_normal(EDGE, triple(edge), rows(dcm), triple(ground)))
    with pytest.raises(AssertionError):
        assert_close(found, found + 0.01 * dcm @ edge, rtol=1e-6)
