"""The walk of the surface guard: along the interpolated path, never farther than the way that is left."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haptos.dynamics.guard.surface_guard import (
    CERTAIN,
    note_depth,
    path_length,
    step_path,
    walk_path,
)
from haptos.dynamics.march.dormand_prince import STAGES, interpolate, interpolated_bounds, step
from tests.close import assert_close

seeds = st.integers(0, 2**32 - 1)
THETAS = np.linspace(0.0, 1.0, 401)


def swing(model, t, y, dy):
    """A point on springs of different stiffness: a path that bends."""
    for i in range(3):
        dy[i], dy[3 + i] = y[3 + i], -model[i] * y[i]


def taken(seed):
    """(h, y, y1, k) of a random step, some of them far longer than error control would allow."""
    rng = np.random.default_rng(seed)
    y, y1, k = rng.normal(size=6), np.zeros(6), np.zeros((STAGES, 6))
    h = 10.0 ** rng.uniform(-3.0, 0.5)
    step(swing, rng.uniform(0.1, 9.0, 3), 0.0, h, y, 6, k, y1, 0)
    return h, y, y1, k


def path_of(h, y, y1, k):
    """Places along the interpolant, shape (401, 3)."""
    out, found = np.zeros(6), []
    for theta in THETAS:
        interpolate(theta, h, y, y1, 6, k, out)
        found.append(out.copy())
    return np.array(found)


@given(seeds)
def test_the_path_is_no_longer_than_its_polygon(seed):
    h, y, y1, k = taken(seed)
    places = path_of(h, y, y1, k)[:, :3]
    length = np.linalg.norm(np.diff(places, axis=0), axis=1).sum()
    polygon = path_length(step_path(h, y, y1, k))
    assert length <= polygon * (1.0 + 1e-12)
    assert polygon >= np.linalg.norm(places[-1] - places[0])


@given(seeds)
def test_interpolated_vectors_stay_within_their_bounds(seed):
    h, y, y1, k = taken(seed)
    values = path_of(h, y, y1, k)[:, 3:]
    size, rate = interpolated_bounds(3, h, y, y1, k)
    assert np.linalg.norm(values, axis=1).max() <= size * (1.0 + 1e-12)
    rates = np.linalg.norm(np.diff(values, axis=0), axis=1) * 400.0 / h
    assert rates.max() <= rate * (1.0 + 1e-9)


@given(seeds, st.floats(0.01, 3.0))
def test_the_walk_never_goes_farther_than_its_way(seed, way):
    """Stops cut the path into pieces no longer than what each look allowed, and end at its end."""
    h, y, y1, k = taken(seed)
    places = path_of(h, y, y1, k)[:, :3]
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    stops = [0.0]

    def look(model, theta, gone):
        stops.append(theta)
        return way, 0.0

    assert walk_path(look, None, step_path(h, y, y1, k), 0.0, way, way) == (way, 0.0)
    assert stops[-1] == 1.0
    pieces = np.diff(np.interp(stops, THETAS, gone))
    assert pieces.max() <= way * (1.0 + 1e-3) + 1e-3 * gone[-1]  # lengths between 401 places


@given(seeds, st.floats(0.01, 3.0))
def test_what_is_left_and_what_is_gone_at_the_end_are_the_last_way(seed, way):
    """Where the way is surely clear, the end is no stop; what was gone since the last stop is never less than the path."""
    h, y, y1, k = taken(seed)
    places = path_of(h, y, y1, k)[:, :3]
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    stops, spent = [0.0], []

    def look(model, theta, since):
        stops.append(theta)
        spent.append(since)
        return way, 0.0

    left, rest = walk_path(look, None, step_path(h, y, y1, k), 0.0, way, 0.0)
    assert_close(left + rest, way, rtol=1e-12)
    assert 0.0 <= left < way
    assert spent == [way] * len(spent)
    assert stops[-1] < 1.0
    assert rest >= (gone[-1] - np.interp(stops[-1], THETAS, gone)) * (1.0 - 1e-3) - 1e-3 * gone[-1]


def test_turning_shortens_the_strides_until_a_look_says_that_it_does_not():
    h, y, y1, k = taken(3)
    counts = []
    for turn, then in ((0.0, 0.0), (50.0, 50.0), (50.0, 0.0)):
        stops = []
        walk_path(
            lambda model, theta, gone, kept=stops, then=then: kept.append(theta) or (1.0, then), None,
            step_path(h, y, y1, k), turn, 1.0, 1.0,
        )  # fmt: skip
        counts.append(len(stops))
    assert counts[1] > 45 > counts[0]
    assert counts[0] <= counts[2] <= counts[0] + 1


def test_the_worst_share_is_kept_with_its_place_and_time():
    guard = SimpleNamespace(share=0.0, depth=0.0, limit=0.0, time=0.0, place=[0.0] * 3)
    note_depth(guard, 0.2, 1.0, 5.0, (1.0, 2.0, 3.0))
    note_depth(guard, 0.5, 10.0, 6.0, (4.0, 5.0, 6.0))
    assert (guard.depth, guard.limit, guard.time) == (0.2, 1.0, 5.0)
    note_depth(guard, 1e-9, 0.0, 7.0, (7.0, 8.0, 9.0))
    assert guard.share == CERTAIN
    assert guard.place == [7.0, 8.0, 9.0]
    assert_close(guard.time, 7.0, rtol=1e-15)
