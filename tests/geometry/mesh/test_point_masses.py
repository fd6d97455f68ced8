"""A rigid body with point masses on an axis: the same as summing all parts about the new centre."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haptos.geometry.mesh.point_masses import with_point_masses
from tests.close import assert_close

MASS = st.floats(1e-4, 10.0)
PLACE = st.floats(-2.0, 2.0)


@given(MASS, st.lists(st.tuples(MASS, PLACE), min_size=1, max_size=4), st.integers(0, 2))
def test_centre_and_moments_are_those_of_all_parts(
    mass: float, loads: list[tuple[float, float]], axis: int
) -> None:
    moments = np.array([0.3, 0.5, 0.7]) * mass
    added, places = (np.array(values) for values in zip(*loads, strict=True))
    total, shift, found = with_point_masses(mass, moments, added, places, axis)
    assert_close(total, mass + added.sum(), rtol=1e-14)
    moment = mass * (0.0 - shift) + added @ (places - shift)
    assert abs(moment) <= 1e-13 * total * 2.0
    expected = moments + mass * shift**2 + added @ (places - shift) ** 2
    expected[axis] = moments[axis]
    assert_close(found, expected, rtol=1e-12)


def test_a_mass_in_the_centre_changes_the_mass_alone() -> None:
    total, shift, moments = with_point_masses(1.0, [1.0, 2.0, 3.0], [0.5], [0.0], 2)
    assert (total, shift) == (1.5, 0.0)
    assert_close(moments, [1.0, 2.0, 3.0], rtol=1e-15)
