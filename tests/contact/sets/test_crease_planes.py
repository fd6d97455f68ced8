"""Walls of a crease that a ball touches: all of them in a groove, none but the ground elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.sets.crease_planes import GAP, MOST_PLANES, PLANE_SIZE, crease_planes
from haptos.geometry.distance import surface as surfaces
from haptos.scenarios.lander.model import build
from tests.close import assert_close
from tests.groove_cases import groove
from tests.hard_cases import hard

RADIUS = 0.1  # [m]


def planes_at(surface, x, reach=2e-3 * RADIUS):
    rows = np.empty((MOST_PLANES, PLANE_SIZE))
    count = crease_planes(surface, tuple(float(a) for a in x), RADIUS, reach, rows)
    return rows[:count]


@pytest.mark.parametrize("degrees", [5.0, 30.0, 60.0])
def test_a_ball_at_the_bottom_of_a_groove_touches_both_walls(tmp_path, degrees):
    wall = math.radians(degrees)
    config = hard(
        surface=groove(tmp_path / "groove.obj", degrees), release={"position_m": [0, 0, 2]}
    )
    surface = build(config).world.surface
    found = planes_at(surface, (0.0, 0.013, RADIUS / math.cos(wall)))
    assert len(found) == 2
    order = np.argsort(found[:, 0])
    expected = [(side * math.sin(wall), 0.0, math.cos(wall)) for side in (-1.0, 1.0)]
    assert_close(found[order, :3], expected, rtol=1e-9)
    assert np.abs(found[:, GAP]).max() < 1e-9
    aside = planes_at(surface, (0.2, 0.013, RADIUS / math.cos(wall) + 0.2 * math.tan(wall)))
    assert len(aside) == 1


def test_smooth_ground_has_one_plane_at_most():
    flat = surfaces.plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert len(planes_at(flat, (0.3, 0.2, RADIUS))) == 1
    hill = surfaces.sphere(1.0)
    assert len(planes_at(hill, (0.0, 0.0, 1.0 + RADIUS))) <= 1
