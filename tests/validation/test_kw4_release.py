"""First impacts of the nominal releases over 1999 KW4 Alpha, on its shape model."""

from __future__ import annotations

import pytest

from tests.close import assert_close
from tests.validation.kw4_release import KW4, MESH, RELEASES, nominal_impacts

pytestmark = [
    pytest.mark.slow,  # grid and gravity table take a minute the first time
    pytest.mark.skipif(
        not MESH.is_file(), reason="no kw4-alpha.obj in ../shared/bodies beside the project"
    ),
]


@pytest.mark.parametrize("name", list(RELEASES))
def test_a_nominal_release_has_the_recomputed_first_impact(name):
    time, speed, angles = nominal_impacts()[name]
    expected = KW4[name]
    assert_close(time, expected[0], rtol=0.02)
    assert_close(speed, expected[1], rtol=0.03)
    assert min(abs(angle - expected[2]) for angle in angles) < 2.0
    assert len(angles) <= 2
