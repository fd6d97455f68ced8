"""Contact frame and collision matrix, against full matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.collision_geometry import (
    collision_matrix,
    contact_frame,
    from_contact,
    to_contact,
    velocity_change,
)
from haptos.core.symmetric import six_of
from tests.close import assert_close
from tests.contact.bodies import (
    random_direction,
    random_inertia,
    random_rotation,
    rows,
    tilde,
    triple,
)
from tests.contact.impact_cases import matrix_of

seeds = st.integers(0, 2**32 - 1)


@given(seeds)
def test_frame_is_right_handed_and_ends_with_the_normal(seed):
    normal = random_direction(np.random.default_rng(seed))
    frame = np.array(contact_frame(triple(normal)))
    assert_close(frame @ frame.T, np.eye(3), rtol=1e-14)
    assert_close(np.linalg.det(frame), 1.0, rtol=1e-14)
    assert tuple(frame[2]) == triple(normal)


@pytest.mark.parametrize("z", [1.0, -1.0])
@pytest.mark.parametrize("tilt", [0.0, 1e-300, 1e-12, 5e-3, 9e-3, 1.1e-2])
def test_frame_is_sound_where_the_normal_is_along_the_third_axis(z, tilt):
    normal = np.array([tilt, -tilt, z])
    normal /= np.linalg.norm(normal)
    frame = np.array(contact_frame(triple(normal)))
    assert_close(frame @ frame.T, np.eye(3), rtol=1e-13)


def test_first_axis_is_level_as_published():
    normal = np.array([0.6, 0.0, 0.8])
    u1 = np.cross(normal, [0.0, 0.0, 1.0])
    assert_close(contact_frame(triple(normal))[0], u1 / np.linalg.norm(u1), rtol=1e-15)


class Hit:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.mass = 10.0 ** rng.uniform(-2.0, 3.0)
        self.inertia = random_inertia(rng, self.mass, 0.3)
        self.dcm_AB = random_rotation(rng)
        self.r, self.other = 0.5 * rng.normal(size=(2, 3))
        self.normal, self.impulse = random_direction(rng), rng.normal(size=3)

    def inverse_A(self):
        return self.dcm_AB @ np.linalg.inv(self.inertia) @ self.dcm_AB.T

    def matrix(self, mass_error=1.0):
        frame = contact_frame(triple(self.normal))
        inverse = six_of(np.linalg.inv(self.inertia))
        mass = mass_error * self.mass
        m = collision_matrix(mass, inverse, rows(self.dcm_AB), triple(self.r), frame)
        return matrix_of(m), np.array(frame)

    def expected(self):
        tilded = tilde(self.r)
        return np.eye(3) / self.mass - tilded @ self.inverse_A() @ tilded


@given(seeds)
def test_matrix_is_that_of_the_definition_and_positive_definite(seed):
    hit = Hit(seed)
    m, frame = hit.matrix()
    assert_close(m, frame @ hit.expected() @ frame.T, rtol=1e-12)
    assert np.linalg.eigvalsh(m)[0] > 0.0


@given(seeds)
def test_velocity_change_elsewhere_is_that_of_the_definition(seed):
    hit = Hit(seed)
    between = np.eye(3) / hit.mass - tilde(hit.other) @ hit.inverse_A() @ tilde(hit.r)
    found = velocity_change(
        hit.mass, six_of(np.linalg.inv(hit.inertia)), rows(hit.dcm_AB), triple(hit.r),
        triple(hit.other), triple(hit.impulse),
    )  # fmt: skip
    size = float(np.abs(between).max()) * float(np.linalg.norm(hit.impulse))
    assert_close(found, between @ hit.impulse, rtol=1e-12, scale=size)


@given(seeds)
def test_components_go_there_and_back(seed):
    hit = Hit(seed)
    frame = contact_frame(triple(hit.normal))
    there = to_contact(frame, triple(hit.r))
    assert_close(from_contact(frame, there), hit.r, rtol=1e-14)


def test_check_has_teeth():
    hit = Hit(1)
    m, frame = hit.matrix(mass_error=1.01)
    with pytest.raises(AssertionError):
        assert_close(m, frame @ hit.expected() @ frame.T, rtol=1e-12)
