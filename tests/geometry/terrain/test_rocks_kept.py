"""Rocks that a thread keeps answer with the same bits as rocks made anew, wherever they are asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.arena_slots import KEPT_ROCKS
from haptos.core.jit import IS_PLAIN_PYTHON, entry
from haptos.geometry.terrain import rocks_kept
from haptos.geometry.terrain.land import land_of
from haptos.geometry.terrain.rocks_kept import with_kept_rocks
from haptos.geometry.terrain.rocks_polyhedral_field import (
    polyhedral_rocks,
    polyhedral_rocks_field,
)
from haptos.geometry.terrain.terrain import terrain

pytestmark = pytest.mark.skipif(IS_PLAIN_PYTHON, reason="plain Python keeps nothing")


def plain(per_area: float):
    """Rocks on a square of 6 m, of two facets."""
    corners = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [3.0, 3.0, 0.0], [-3.0, 3.0, 0.0]]
    return polyhedral_rocks(3, corners, [[0, 1, 2], [0, 2, 3]], per_area, 2.8, 0.05, 0.5)


@entry
def ask(rocks, points, shares, most, out):
    for i in range(len(points)):
        x = (points[i, 0], points[i, 1], points[i, 2])
        gap, n, h, found = polyhedral_rocks_field(rocks, x, shares[i], most[i])
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4] = gap, n[0], n[1], n[2], found
        for k in range(6):
            out[i, 5 + k] = h[k]


def walk(rng, count):
    """Steps of a millimetre to 3 cm, with a jump now and then."""
    steps = rng.normal(size=(count, 3)) * 10 ** rng.uniform(-3.0, -1.5, (count, 1))
    places = np.cumsum(steps, axis=0) * [1.0, 1.0, 0.1] + [0.0, 0.0, 0.15]
    places[:, :2] = (places[:, :2] + 3.0) % 6.0 - 3.0
    return places


@pytest.mark.parametrize("per_area", [4.0, 57.0, 300.0])
def test_kept_rocks_give_the_same_bits(per_area):
    rng = np.random.default_rng(1)
    rocks, points = plain(per_area), walk(rng, 4000)
    shares = rng.choice([0.3, 1.0], 4000)
    most = rng.choice([0.1, 0.2, 0.4, math.inf], 4000)
    _, kept = with_kept_rocks(land_of(land=terrain(polyhedral=rocks)))
    made, answered = np.empty((2, 4000, 11))
    ask(rocks, points, shares, most, made)
    ask(rocks._replace(kept=kept.ctypes.data), points, shares, most, answered)
    assert np.array_equal(made, answered)
    assert made[:, 4].any()


def test_lists_are_used():
    """Spoil the rocks of a list: the answer is another, and right again far from there."""
    rocks = plain(20.0)
    points = np.array([[0.1, 0.2, 0.1], [0.1001, 0.2, 0.1]])
    _, kept = with_kept_rocks(land_of(land=terrain(polyhedral=rocks)))
    made, answered = np.empty((2, 2, 11))
    ones, far = np.ones(2), np.full(2, 0.3)
    ask(rocks, points, ones, far, made)
    given = rocks._replace(kept=kept.ctypes.data)
    ask(given, points[:1], ones, far, answered)
    first = rocks_kept.FIRST_LIST + rocks_kept.LIST_SIZE
    assert kept[first + rocks_kept.COUNT] > 0.0
    kept[first + rocks_kept.COUNT] = 0.0
    ask(given, points[1:], ones, far, answered)
    assert made[1, 4] == 1.0
    assert answered[0, 4] == 0.0


def test_ground_without_rocks_keeps_nothing():
    land, kept = with_kept_rocks(land_of())
    assert len(kept) == 0
    assert land.layout[KEPT_ROCKS] == 0
