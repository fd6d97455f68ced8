"""Wall of a nozzle from its radii and angles: the known one, its smoothness, and walls that are refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.nozzle_section import nozzle_section
from haptos.geometry.distance.revolution import nozzle_pieces
from tests.close import assert_close

USUAL = (0.008, 0.022, math.radians(45.0), 0.003, math.radians(30.0), 0.12, math.radians(10.0), 0.3)


def test_the_apogee_engine_is_one_of_them():
    mine, known = nozzle_section(*USUAL), nozzle_pieces()
    assert len(mine) == len(known)
    for a, b in zip(mine, known, strict=True):
        assert_close([*a.start, *a.end], [*b.start, *b.end], rtol=1e-12)


def test_the_bell_begins_and_ends_with_the_angles_asked_for():
    wall = nozzle_section(*USUAL)[4:]
    slopes = [
        math.atan2(piece.end[1] - piece.start[1], piece.end[0] - piece.start[0]) for piece in wall
    ]
    assert (np.diff(slopes) < 0.0).all()
    assert_close([slopes[0], slopes[-1]], np.radians([30.0, 10.0]), rtol=0.02)


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (0, -0.008),
        (0, 0.03),
        (1, 0.0085),
        (5, 0.008),
        (3, -0.001),
        (6, math.radians(31.0)),
        (7, 0.05),
    ],
)
def test_walls_that_cannot_be_are_refused(index: int, value: float):
    numbers = list(USUAL)
    numbers[index] = value
    with pytest.raises(GeometryError, match="nozzle"):
        nozzle_section(*numbers)
