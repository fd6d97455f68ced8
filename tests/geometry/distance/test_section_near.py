"""A segment that is asked alone: the same distances as by searching, and the room it is trusted in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.geometry.distance.nozzle_section import nozzle_section, walled
from haptos.geometry.distance.revolution import capsule_pieces, torus_pieces
from haptos.geometry.distance.section import STACK, section_gap, segment_foot
from haptos.geometry.distance.section_build import section
from haptos.geometry.distance.section_near import KEPT, ROOM, SEGMENT, kept_gap, two_nearest

NOZZLE = (0.008, 0.022, math.radians(45.0), 0.003, math.radians(30.0), 0.12, math.radians(10.0), 0.3)  # fmt: skip
SHAPES = {
    "nozzle": section(walled(nozzle_section(*NOZZLE), 0.005)),
    "capsule": section(capsule_pieces(0.02, 0.05)),
    "torus": section(torus_pieces(0.04, 0.015)),
}


def searched(profile, x: float, r: float):
    return section_gap(profile, x, r, 0.0, 0, np.empty(STACK, dtype=np.int64))


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("stride", [1e-5, 1e-3])
def test_a_path_has_the_distances_of_a_search_at_every_point(name: str, stride: float):
    profile, rng = SHAPES[name], np.random.default_rng(3)
    stack, row, guess, alone = np.empty(STACK, dtype=np.int64), np.full(KEPT, -1.0), 0, 0
    x, r = 0.01, 0.012
    for _ in range(400):
        x, r = x + stride * rng.normal(), abs(r + stride * rng.normal())
        before = row.copy()
        gap, normal, _, guess = kept_gap(profile, x, r, 0.0, guess, stack, row)
        alone += int(np.array_equal(before, row))
        expected, wanted, _, _ = searched(profile, x, r)
        assert gap == pytest.approx(expected, rel=1e-12, abs=1e-16)
        assert normal == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    assert stride > 1e-4 or alone > 200  # a search now and then is enough


def test_the_second_distance_is_that_of_all_other_segments():
    profile, rng = SHAPES["nozzle"], np.random.default_rng(4)
    stack, cut = np.empty(STACK, dtype=np.int64), 0
    for _ in range(200):
        x, r = rng.uniform(-0.03, 0.3), rng.uniform(0.0, 0.13)
        square, k, _, second = two_nearest(profile, x, r, 0.0, 5, stack)

        squares = np.array([segment_foot(profile, j, x, r, 0.0)[0] for j in range(len(profile.segments))])  # fmt: skip
        assert square == squares.min()
        others = np.delete(squares, k).min()
        assert second <= others * (1.0 + 1e-12)
        cut += int(second < others * (1.0 - 1e-12))
    assert cut < 200


def test_a_row_says_nothing_of_a_section_that_moves_and_nothing_before_it_is_written():
    profile, row = SHAPES["torus"], np.full(KEPT, -1.0)
    stack = np.empty(STACK, dtype=np.int64)
    kept_gap(profile, 0.0, 0.06, 0.3, 0, stack, row)
    assert (row == -1.0).all()
    kept_gap(profile, 0.0, 0.06, 0.0, 0, stack, row)
    assert row[ROOM] > 0.0
    assert row[SEGMENT] == 0.0
