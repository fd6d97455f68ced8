"""Thread drag: across the flow in full, along it none, against the flow always."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.environment.thread_drag import thread_drag
from tests.close import assert_close

RHO, C, D = 1.225, 1.2, 1e-3
parts = st.floats(-5.0, 5.0)
vectors = st.tuples(parts, parts, parts)


def test_a_thread_across_the_flow_is_a_cylinder():
    force = thread_drag(RHO, C, D, (0.0, 2.0, 0.0), (3.0, 0.0, 0.0))
    assert_close(force, (-0.5 * RHO * C * D * 2.0 * 9.0, 0.0, 0.0), rtol=1e-14)


def test_a_thread_of_a_net_on_the_ground_feels_a_millinewton_and_the_net_about_one_newton():
    """Links of 0.2 m and 1 mm at 3 m/s; a net of 3 x 3 m with that mesh has 480 of them."""
    link = -thread_drag(RHO, C, D, (0.0, 0.2, 0.0), (3.0, 0.0, 0.0))[0]
    assert 0.5e-3 < link < 5e-3
    assert 0.3 < 480 * link < 3.0


@given(vectors, vectors)
def test_it_brakes_and_falls_with_the_sine_of_the_angle(along, velocity):
    force = np.array(thread_drag(RHO, C, D, along, velocity))
    length, speed = math.hypot(*along), math.hypot(*velocity)
    assert force @ np.array(velocity) <= 0.0
    if length > 1e-3 and speed > 1e-3:
        cosine = min(abs(np.dot(along, velocity)) / (length * speed), 1.0)
        size = 0.5 * RHO * C * D * length * speed**2
        sine = math.sqrt(1.0 - cosine * cosine)
        assert_close(np.linalg.norm(force), size * sine, rtol=1e-7, scale=size)


def test_a_thread_along_the_flow_feels_none():
    assert thread_drag(RHO, C, D, (2.0, 0.0, 0.0), (3.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)


def test_check_has_teeth():
    force = thread_drag(1.01 * RHO, C, D, (0.0, 2.0, 0.0), (3.0, 0.0, 0.0))
    with pytest.raises(AssertionError):
        assert_close(force[0], -0.5 * RHO * C * D * 18.0, rtol=1e-14)
