"""Wall of a nozzle from its radii and angles: the known one, its smoothness, and walls that are refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.nozzle_section import nozzle_section, walled
from haptos.geometry.distance.reference import gaps_of, revolved
from haptos.geometry.distance.revolution import nozzle_pieces
from haptos.geometry.distance.section_build import polyline, section
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


def test_a_wall_ends_at_its_exit_with_a_rim_and_an_outside():
    """Before the exit plane only the rim is near; the cone of the bell does not go on."""
    body = revolved(section(walled(nozzle_section(*USUAL), 0.005)))
    inner = revolved(section(nozzle_section(*USUAL), "outside"))
    points = np.array([
        [0.35, 0.1225, 0.0], [0.3005, 0.1222, 0.0], [1.0, 0.3, 0.0], [0.2, 0.0, 0.14], [0.2, 0.1, 0.0], [-0.02, 0.0, 0.0],
        [0.2999, 0.1235, 0.0],
    ])  # fmt: skip
    gaps, normals, _ = gaps_of(body, points)
    assert_close(gaps[:4], [0.05, 5e-4, math.hypot(0.7, 0.175), 0.015], rtol=1e-12)
    assert_close(gaps[4:6], gaps_of(inner, points)[0][4:6], rtol=1e-12)
    assert_close(gaps[6], -1e-4, rtol=1e-9)
    assert_close(normals[[1, 6], 0], [1.0, 1.0], rtol=1e-12)
    reverse = [piece.reversed() for piece in reversed(nozzle_section(*USUAL))]
    np.testing.assert_allclose(
        gaps_of(revolved(section(walled(reverse, 0.005))), points)[0], gaps, rtol=1e-12
    )


@pytest.mark.parametrize("wall", [0.0, -1.0, math.nan])
def test_walls_without_thickness_are_refused(wall: float):
    with pytest.raises(GeometryError, match="wall"):
        walled(nozzle_section(*USUAL), wall)


def test_a_line_that_ends_where_it_begins_is_refused():
    loop = polyline([[0.0, 0.1], [0.3, 0.1], [0.3, 0.2], [0.0, 0.2], [0.0, 0.1]])
    with pytest.raises(GeometryError, match="where it begins"):
        walled(loop, 0.005)
