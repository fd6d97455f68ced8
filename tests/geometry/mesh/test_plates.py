"""Open plates made solid."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.reference import gaps_of, meshed
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.mass_properties import signed_volume
from haptos.geometry.mesh.plates import thickened
from tests.close import assert_close

SQUARE = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
FACES = np.array([[0, 1, 2], [0, 2, 3]])


def test_a_square_becomes_a_box_below_it():
    vertices, faces = thickened(SQUARE, FACES, 0.1)
    assert_close(signed_volume(vertices, faces), 0.1, rtol=1e-12)
    gaps = gaps_of(meshed(vertices, faces), [[0.5, 0.5, 0.2], [0.5, 0.5, -0.02], [0.5, 0.5, -0.3]])[
        0
    ]
    np.testing.assert_allclose(gaps, [0.2, -0.02, 0.2], atol=1e-12)


def test_what_is_no_plate_is_refused():
    with pytest.raises(GeometryError, match="closed mesh"):
        thickened(*icosphere(1), 0.1)
    with pytest.raises(GeometryError, match="above 0"):
        thickened(SQUARE, FACES, 0.0)
