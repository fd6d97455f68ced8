"""Drag on faces: only the windward ones, against the flow, with the torque they make."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.environment.face_drag import drag_on_face, face_drag
from tests.close import assert_close
from tests.environment.face_bodies import box_faces

RHO = 5e-13
STILL = (0.0, 0.0, 0.0)
parts = st.floats(-8e3, 8e3)
velocities = st.tuples(parts, parts, parts)


@given(velocities)
def test_drag_of_a_box_is_that_of_its_shadow(v):
    """sum A (n . v)+ is the area seen along v, times |v|."""
    normals, centres, areas, c = box_faces(10.0, 6.0, 5.0, 2.2)
    force, torque = face_drag(RHO, v, STILL, normals, centres, areas, c)
    seen = abs(v[0]) * 30.0 + abs(v[1]) * 50.0 + abs(v[2]) * 60.0
    assert_close(force, -0.5 * RHO * 2.2 * seen * np.array(v), rtol=1e-12, scale=RHO * 1e10)
    # force and centre of a box's windward faces: the moment of its faces sums to r x F, along v only
    arm = sum(
        a * max(n @ np.array(v), 0.0) * r for n, r, a in zip(normals, centres, areas, strict=True)
    )
    wanted = np.cross(arm, -0.5 * RHO * 2.2 * np.array(v))
    assert_close(torque, wanted, rtol=1e-12, scale=RHO * 1e11)


def test_drag_is_along_the_way_flown_and_lee_faces_feel_none():
    assert drag_on_face(1.0, 2.0, 1.0, (1.0, 0.0, 0.0), (-3.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert drag_on_face(1.0, 2.0, 1.0, (1.0, 0.0, 0.0), (3.0, 1.0, 0.0)) == (-9.0, -3.0, 0.0)


def test_a_spinning_box_is_braked():
    normals, centres, areas, c = box_faces(1.0, 1.0, 1.0)
    _, torque = face_drag(1.2, STILL, (0.0, 0.0, 5.0), normals, centres, areas, c)
    # centres of faces move along their faces, n . v = 0: nothing. One face split in two feels it.
    assert_close(torque, STILL, rtol=1e-15, scale=1.0)
    halves = (
        np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]),
        np.array([[0.5, 0.25, 0.0], [0.5, -0.25, 0.0]]),
    )
    _, torque = face_drag(1.2, STILL, (0.0, 0.0, 5.0), *halves, np.full(2, 0.5), np.ones(2))
    assert torque[2] < 0.0


def test_power_is_never_positive():
    normals, centres, areas, c = box_faces(2.0, 3.0, 1.0)
    rng = np.random.default_rng(3)
    for _ in range(50):
        v, w = rng.normal(size=3), rng.normal(size=3)
        force, torque = face_drag(1.2, tuple(v), tuple(w), normals, centres, areas, c)
        assert np.dot(force, v) + np.dot(torque, w) <= 0.0


def test_check_has_teeth():
    force, _ = face_drag(1.01 * RHO, (7.6e3, 0.0, 0.0), STILL, *box_faces(10.0, 6.0, 5.0))
    with pytest.raises(AssertionError):
        assert_close(force[0], -0.5 * RHO * 30.0 * 7.6e3**2, rtol=1e-6)
