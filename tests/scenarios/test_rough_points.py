"""Points on rough ground: they lie on it, by the same steps as plain Python takes."""

from __future__ import annotations

import numpy as np

import haptos as hp
from haptos.geometry.distance import surface as surfaces
from haptos.scenarios.worlds.rough_points import move_to_ground, rough_points
from haptos.scenarios.worlds.world import world_of
from tests.close import assert_close

UP = np.array([0.0, 0.0, 1.0])
NOISE = {"seed": 3, "noise": {"relief_m": 0.3, "longest_m": 4.0}}


def rough_plane() -> surfaces.Surface:
    return world_of(hp.default("lander", {"terrain": NOISE})).surface


def test_points_come_to_lie_on_the_ground_along_the_normal():
    start = np.random.default_rng(1).uniform(-20.0, 20.0, (40, 3)) * [1.0, 1.0, 0.0]
    surface = rough_plane()
    found = rough_points(surface, UP, start)
    assert np.array_equal(found[:, :2], start[:, :2])
    assert np.ptp(found[:, 2]) > 0.05, "the ground is flat: nothing was tried"
    gaps = [surfaces.gap_and_gradient(surface, tuple(x))[0] for x in found.tolist()]
    assert np.abs(gaps).max() < 1e-6


def test_compiled_and_plain_python_agree_and_what_is_given_stays():
    start = np.random.default_rng(2).uniform(-9.0, 9.0, (6, 3)) * [1.0, 1.0, 0.0]
    kept, plain = start.copy(), start.copy()
    surface = rough_plane()
    getattr(move_to_ground, "py_func", move_to_ground)(surface, UP, plain)
    assert_close(rough_points(surface, UP, start), plain, rtol=1e-12)
    assert np.array_equal(start, kept)
