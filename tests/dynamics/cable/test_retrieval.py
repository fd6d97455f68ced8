"""Retrieval of a load: the printed table, the grid of 81 cases, the rigid reel, swing damping, energy, closed forms."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from haptos.dynamics.cable.retrieval import HULL, HULL_V, LENGTH, LOAD, LOAD_V, WORKS, energy
from haptos.dynamics.cable.retrieval_run import RetrievalCase, Retrieved, retrieve
from tests.close import assert_close

NOMINAL = RetrievalCase()


def with_(**changed: float) -> Retrieved:
    return retrieve(dataclasses.replace(NOMINAL, **changed))


def degrees(found: Retrieved) -> tuple[float, float]:
    return math.degrees(found.angle_far), math.degrees(found.angle_middle)


@pytest.mark.parametrize(
    ("changed", "time", "far", "middle", "peak"),
    [
        ({}, 499.9, 4.262, 10.39, 5.28),
        ({"thrust": 10.0}, 499.8, 7.224, 23.7, 5.28), ({"thrust": 30.0}, 499.9, 3.251, 14.0, 5.28),
        ({"drift": 0.01}, 499.8, 0.852, 2.07, 5.28), ({"drift": 0.1}, 499.9, 8.532, 20.9, 5.28),
        ({"rise": 1.0}, 496.9, 4.305, 10.6, 3.49), ({"rise": 3.0}, 503.5, 4.212, 10.2, 7.07),
        ({"reel": 0.1}, 994.2, 4.989, 13.4, 5.28), ({"reel": 0.3}, 335.1, 5.230, 14.5, 5.28),
    ],
)  # fmt: skip
def test_retrievals_match_the_table_of_the_page(changed, time, far, middle, peak):
    found = with_(**changed)
    assert found.ended == "captured"
    assert_close(found.time, time, rtol=1e-3)
    assert_close(degrees(found)[0], far, rtol=2e-3)
    assert_close(degrees(found)[1], middle, rtol=1e-2)
    assert_close(found.peak, peak, rtol=2e-3)


def test_the_table_notices_a_percent():
    with pytest.raises(AssertionError):
        assert_close(degrees(with_(thrust=20.2))[0], 4.262, rtol=2e-3)


@pytest.fixture(scope="module")
def grid() -> dict[tuple[float, ...], Retrieved]:
    values = ((10.0, 20.0, 30.0), (0.01, 0.05, 0.1), (1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
    return {
        case: with_(thrust=case[0], drift=case[1], rise=case[2], reel=case[3])
        for case in itertools.product(*values)
    }


def trend(grid, measure: str, axis: int, sign: float) -> int:
    """In how many of 27 rows a measure rises (falls) along one axis of the grid."""
    rows: dict[tuple[float, ...], list[float]] = {}
    for case, found in sorted(grid.items()):
        rows.setdefault(case[:axis] + case[axis + 1 :], []).append(sign * getattr(found, measure))
    return sum(a < b < c for a, b, c in rows.values())


def test_all_81_cases_are_captured(grid):
    assert {found.ended for found in grid.values()} == {"captured"}
    times = [found.time for found in grid.values()]
    assert_close((min(times), max(times)), (333.0, 1001.0), rtol=1e-3)
    slack = [found.slack for found in grid.values()]
    assert_close((min(slack), max(slack)), (48.0, 153.0), rtol=5e-3)


@pytest.mark.parametrize("measure", ["angle_far", "angle_middle", "angle_all"])
def test_swing_rises_with_drift_in_every_case(grid, measure):
    assert trend(grid, measure, 1, 1.0) == 27


def test_thrust_lowers_the_swing_beyond_50_metres_only(grid):
    assert trend(grid, "angle_far", 0, -1.0) == 27
    assert trend(grid, "angle_middle", 0, -1.0) == 9
    assert trend(grid, "angle_all", 0, -1.0) == 18


def test_a_faster_reel_raises_the_largest_angle_in_9_of_27_cases(grid):
    assert trend(grid, "angle_far", 3, 1.0) == 9


def test_rise_hardly_matters(grid):
    for (thrust, drift, _rise, reel), found in grid.items():
        middle = grid[thrust, drift, 2.0, reel].angle_far
        assert abs(found.angle_far / middle - 1.0) < 0.025


def test_mean_swing_falls_with_thrust_and_rises_with_drift(grid):
    def mean(axis, value):
        return math.degrees(
            np.mean([f.angle_far for case, f in grid.items() if case[axis] == value])
        )

    assert_close([mean(0, f) for f in (10.0, 20.0, 30.0)], (7.13, 5.15, 3.81), rtol=3e-3)
    assert_close([mean(1, v) for v in (0.01, 0.05, 0.1)], (1.01, 5.03, 10.06), rtol=3e-3)


def test_at_a_fixed_time_a_faster_reel_swings_more():
    angles = []
    for reel in (0.1, 0.2, 0.3):
        found = retrieve(dataclasses.replace(NOMINAL, reel=reel, longest=150.0))
        angles.append(math.degrees(found.angle_all))
    assert_close(angles, (3.48, 4.03, 4.82), rtol=1e-2)


@pytest.mark.parametrize(("rise", "ended", "peak"), [(1.0, "overran", 16.2), (2.0, "overran", 28.6), (3.0, "collided", 43.3)])  # fmt: skip
def test_a_reel_that_holds_its_length_flings_the_load(rise, ended, peak):
    found = with_(slip=math.inf, damper=0.0, rise=rise)
    assert found.ended == ended
    assert_close(found.peak, peak, rtol=5e-3)
    if ended == "collided":
        assert_close(found.time, 37.8, rtol=2e-3)


def test_lateral_thrust_takes_the_swing_out():
    found = with_(swing_largest=2e-3)
    assert_close(math.degrees(found.angle_all), 1.48, rtol=5e-3)
    assert_close(found.lateral_dv, 0.0715, rtol=5e-3)
    assert math.degrees(found.angle) < 0.1


def test_propellant_and_speed_change():
    found = with_()
    assert_close(found.propellant, 4.635, rtol=2e-3)


@pytest.mark.parametrize("changed", [{}, {"slip": math.inf, "damper": 0.0}, {"damper": 0.0}, {"swing_largest": 2e-3}, {"gravity": 2e-4}])  # fmt: skip
def test_energy_changes_by_the_works_alone(changed):
    found = with_(**changed)
    held = found.orders.copy()
    held[6] = 1.0 if found.ended == "captured" else 0.0
    first = sum(energy(found.line, found.orders, found.marks[0][2]))
    last = sum(energy(found.line, held, found.state)) + found.captured_loss
    works = sum(found.state[i] for i in WORKS.values())
    assert abs(last - first - works) < 1e-9 * first


def test_angular_momentum_of_free_reeling_is_kept():
    """No thrust, no gravity: two bodies reel towards each other, m l^2 th' is constant."""
    case = RetrievalCase(thrust=0.0, drift=0.5, rise=0.0, impulse=0.0, reel=0.2, slip=math.inf, damper=0.0,
                         damping=500.0, reach=5.0, longest=2000.0, capture_speed=1e3)  # fmt: skip
    found = retrieve(case)
    y0, y1 = found.marks[0][2], found.state

    def momentum(y):
        reduced = case.hull * case.load / (case.hull + case.load)
        apart = y[HULL : HULL + 3] - y[LOAD : LOAD + 3]
        return reduced * np.cross(apart, y[HULL_V : HULL_V + 3] - y[LOAD_V : LOAD_V + 3])[1]

    before = momentum(y0)
    marked = found.marks[-1][2] if found.ended == "captured" else y1
    assert marked[LENGTH] < 95.0
    assert_close(momentum(found.marks[2][2]), before, rtol=1e-7)


def test_output_does_not_change_the_motion():
    plain, stored = retrieve(NOMINAL), retrieve(NOMINAL, interval=0.37)
    assert np.array_equal(plain.state, stored.state)
    assert len(stored.rows) > 1000


def test_other_ends_are_named():
    assert with_(propellant=1.0).ended == "propellant out"
    assert with_(breaking=4.0).ended == "broke"
    assert with_(longest=100.0).ended == "time over"
