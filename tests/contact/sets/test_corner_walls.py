"""Walls of corners in creases: rows of corners, and the distance of each wall though another is nearer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets.corner_walls import (
    CORNER_WALLS_SIZE,
    MOST_CORNERS,
    add_corner,
    corner_gap,
    corner_row,
    put_offset,
    wall_count,
)
from haptos.contact.sets.crease_planes import (
    MOST_PLANES,
    PLANE_SIZE,
    SEEN_THERE,
    put_plane,
    wall_offset,
)
from haptos.scenarios.lander.model import build
from tests.close import assert_close
from tests.groove_cases import groove
from tests.hard_cases import hard

BESIDE = 0.06  # [m] a corner, where its walls are asked for: three spacings of the grid


@pytest.mark.parametrize("degrees", [10.0, 30.0, 60.0])
@pytest.mark.parametrize("aside", [0.0, 1e-3, -2e-3])
def test_a_corner_in_a_groove_feels_both_walls_at_their_own_distances(tmp_path, degrees, aside):
    wall = math.radians(degrees)
    file = groove(tmp_path / "groove.obj", degrees)
    surface = build(hard(surface=file, release={"position_m": [0, 0, 2]})).world.surface
    at, normals = (
        (aside, 0.013, -1e-3),
        [(s * math.sin(wall), 0.0, math.cos(wall)) for s in (-1, 1)],
    )
    planes, walls = np.empty((MOST_PLANES, PLANE_SIZE)), np.zeros(CORNER_WALLS_SIZE)
    row = add_corner(walls, 7, 2)
    for i in range(2):
        put_plane(planes, i, normals[i], 0.0, 0, (0.0, 0.0, 0.0))
    for i in range(2):
        put_offset(walls, row, i, wall_offset(surface, at, planes, 2, i, BESIDE, SEEN_THERE))
    assert wall_count(walls, corner_row(walls, 7)) == 2
    for i in range(2):
        gap, gradient = corner_gap(surface, at, walls, row, i)
        assert_close(gap, np.dot(normals[i], at), rtol=1e-9, scale=1.0)
        assert_close(gradient, normals[i], rtol=1e-9, scale=1.0)


def test_a_corner_in_no_crease_has_the_ground_as_its_one_wall():
    walls = np.zeros(CORNER_WALLS_SIZE)
    assert corner_row(walls, 0) == -1
    assert wall_count(walls, -1) == 1


def test_rows_that_do_not_fit_are_left_out():
    walls = np.zeros(CORNER_WALLS_SIZE)
    rows = [add_corner(walls, j, 2) for j in range(MOST_CORNERS + 1)]
    assert rows[-1] == -1
    assert [corner_row(walls, j) for j in range(MOST_CORNERS + 1)] == rows
