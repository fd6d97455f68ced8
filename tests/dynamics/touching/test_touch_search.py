"""Which vertices touch: nearest free gap, the instant of touch, touch and release."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.dynamics.march.dormand_prince import STAGES, step
from haptos.dynamics.rigid.rigid_body import ATTITUDE, FULL_SIZE, RATE, UNIFORM_SIZE
from haptos.dynamics.touching.rates import motion_rate
from haptos.dynamics.touching.run_memory import MEMORY
from haptos.dynamics.touching.state import place_within
from haptos.dynamics.touching.stored_rows import (
    EVENT_CLOSING,
    EVENT_KIND,
    EVENT_NORMAL,
    EVENT_POINT,
    EVENT_SIZE,
    EVENT_SLIP,
    EVENT_TIME,
    EVENT_VERTEX,
    RELEASE,
    TOUCH,
    StoredRun,
)
from haptos.dynamics.touching.touch_search import acceleration_bound, touch_within_step
from haptos.dynamics.touching.touching_set import NOTHING_FREE, free_gap, update_touching
from haptos.dynamics.touching.vertex_clearance import LARGEST, WAY_SIZE
from haptos.dynamics.touching.working_arrays import WorkingArrays
from haptos.environment import gravity as gravities
from haptos.geometry.distance import surface as surfaces
from tests.close import assert_close
from tests.contact.bodies import touching_body
from tests.contact.test_compliant import LAW
from tests.touching_cases import touching_model

EDGE, MASS, G = 0.2, 5.0, 5.7e-3
CORNERS = [
    (EDGE / 2 * i, EDGE / 2 * j, EDGE / 2 * k)
    for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)
]  # fmt: skip
LEVEL = surfaces.plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
TOLERANCE = 1e-11  # [m]
SPARE = (
    np.zeros((STAGES, FULL_SIZE)),
    np.zeros(FULL_SIZE),
    np.zeros(3),
    np.zeros(7),
    np.zeros((1, 1)),
    np.zeros((1, 1)),
    np.zeros((1, 1)),
    np.zeros((1, 1)),
    np.zeros((1, 1)),
)  # not used here


def cube(touching=(), gravity=G):
    body = touching_body(MASS, MASS * EDGE**2 / 6.0 * np.eye(3), CORNERS, list(touching))
    return touching_model(body, LEVEL, gravities.uniform((0.0, 0.0, -gravity)), LAW)


def state(height, velocity=(0.0, 0.0, 0.0), rate=(0.0, 0.0, 0.0), quaternion=(1.0, 0.0, 0.0, 0.0)):
    """Cube whose centre is EDGE/2 + height above ground."""
    y = np.zeros(FULL_SIZE)
    y[2], y[3:6] = EDGE / 2 + height, velocity
    y[ATTITUDE : ATTITUDE + 4], y[RATE : RATE + 3] = quaternion, rate
    return y


def update(model, y, t=7.0):
    """(fresh touches, memory, events stored) of one look."""
    m = np.zeros(1, dtype=MEMORY).view(np.recarray)[0]
    m.contact.elastic = m.contact.free_gap = np.nan
    record = StoredRun(True, np.zeros((0, 0)), np.zeros((20, EVENT_SIZE)))
    fresh = update_touching(model, y, t, TOLERANCE, m, record)
    return fresh, m, record.events[: m.counts.events]


def in_contact(model):
    count = model.body.touching_count[0]
    listed = sorted(model.body.touching[:count].tolist())
    assert listed == np.flatnonzero(model.body.is_touching).tolist()
    return listed


# ---- the nearest free vertex --------------------------------------------------------------------


def test_gap_of_the_free_vertices_is_that_of_the_lowest():
    assert_close(free_gap(cube(), state(0.003)), 0.003, rtol=1e-12)
    assert_close(free_gap(cube([0, 1, 2]), state(0.003)), 0.003, rtol=1e-12)
    assert_close(free_gap(cube([0, 1, 2, 3]), state(-0.001)), EDGE - 0.001, rtol=1e-12)
    assert free_gap(cube(range(8)), state(0.0)) == NOTHING_FREE


def test_far_from_the_ground_a_lower_bound_is_enough():
    rng = np.random.default_rng(4)
    for _ in range(50):
        quaternion = random_quaternion(rng)
        y = state(rng.uniform(0.0, 2.0), quaternion=quaternion)
        lowest = y[2] + (np.array(CORNERS) @ rotation_matrices(quaternion).T)[:, 2].min()
        found = free_gap(cube(), y)
        assert found <= lowest + 1e-15
        if lowest < 0.01:
            assert_close(found, lowest, rtol=1e-14, scale=1.0)


def places_within(model, h, y, y1, k, thetas):
    """Places [m] of all corners along a step, shape (thetas, corners, 3)."""
    at, found = np.zeros(FULL_SIZE), []
    for theta in thetas:
        place_within(model, theta, h, y, y1, 13, k, at)
        found.append(at[0:3] + np.array(CORNERS) @ rotation_matrices(at[6:10]).T)
    return np.array(found)


@pytest.mark.parametrize("is_top", [False, True])
def test_no_vertex_accelerates_more_than_the_bound(is_top):
    rng = np.random.default_rng(5)
    model = cube()
    spin = model.spin._replace(rate=(0.0, 0.02, 0.01), is_on=is_top)
    model = model._replace(top=model.top._replace(is_on=is_top), spin=spin)
    thetas = np.linspace(0.0, 1.0, 201)
    tightest = 0.0
    for _ in range(20):
        h = rng.uniform(0.01, 0.3)  # turns by less than a radian, as steps under error control do
        y = state(5.0, rng.normal(size=3), rng.normal(size=3), random_quaternion(rng))
        k, y1 = np.zeros((STAGES, FULL_SIZE)), np.zeros(FULL_SIZE)
        step(motion_rate, model, 0.0, h, y, UNIFORM_SIZE, k, y1, 0)
        places = places_within(model, h, y, y1, k, thetas)
        bends = np.linalg.norm(np.diff(places, 2, axis=0), axis=2) / (h / 200.0) ** 2
        bound = acceleration_bound(model, h, y, y1, k)
        assert bends.max() <= bound * (1.0 + 1e-3)  # second differences of the places round off
        tightest = max(tightest, bends.max() / bound)
    assert tightest > 0.3  # the bound is of use


# ---- the instant of touch -----------------------------------------------------------------------


def touch_time(h, height, speed, gravity=G):
    """Fraction of the step at which the flat cube touches, by the scenario's search."""
    model, y = cube(gravity=gravity), state(height, (0.1, 0.0, -speed))
    k, y1 = np.zeros((STAGES, FULL_SIZE)), np.zeros(FULL_SIZE)
    step(motion_rate, model, 0.0, h, y, UNIFORM_SIZE, k, y1, 0)
    start = free_gap(model, y)
    scratch = WorkingArrays(
        k, y1, np.zeros(FULL_SIZE), np.zeros((1, 1)), np.zeros((8, WAY_SIZE)), *SPARE
    )
    return touch_within_step(model, start, h, y, y1, scratch, TOLERANCE, LARGEST, 1e-8 * EDGE)


@pytest.mark.parametrize("height", [1e-6, 0.001, 0.05, 1.0])
@pytest.mark.parametrize("speed", [0.0, 0.02])
def test_falling_cube_touches_when_free_fall_says(height, speed):
    """height = speed t + g t^2/2; the interpolant is exact for a parabola."""
    exact = 2.0 * height / (speed + np.sqrt(speed**2 + 2.0 * G * height))
    h = 1.7 * exact
    # a gap within 1e-11 m is a touch: in time 1e-11 over the closing speed
    late = TOLERANCE / np.sqrt(speed**2 + 2.0 * G * height) / h
    assert_close(touch_time(h, height, speed), exact / h, rtol=1e-9, scale=1.0 + 1e9 * late)


@pytest.mark.parametrize("tries", [3.0, 30.0, 1e3, 1e5])
def test_a_bounce_within_a_step_of_any_length_is_found(tries):
    """Up from the ground at 0.02 m/s: down again after 2 v/g, in a step many times as long."""
    back = 2.0 * 0.02 / G
    assert_close(tries * touch_time(tries * back, 0.0, -0.02), 1.0, rtol=1e-6)


def test_cube_that_does_not_arrive_within_the_step_does_not_touch():
    assert touch_time(1.0, 0.05, 0.02) > 1.0


def test_a_cube_that_does_not_move_touches_nothing():
    """Though it is pressed in: it waits on the ground."""
    model, y = cube()._replace(gravity=gravities.uniform((0.0, 0.0, 0.0))), state(-1e-6)
    k, y1 = np.zeros((STAGES, FULL_SIZE)), y.copy()
    scratch = WorkingArrays(
        k, y1, np.zeros(FULL_SIZE), np.zeros((1, 1)), np.zeros((8, WAY_SIZE)), *SPARE
    )
    found = touch_within_step(
        model, free_gap(model, y), 5.0, y, y1, scratch, TOLERANCE, LARGEST, 1e-8 * EDGE
    )
    assert found > 1.0


# ---- touch and release --------------------------------------------------------------------------


def test_vertices_below_ground_touch_and_are_booked():
    model, y = cube(), state(-0.002, (0.3, 0.0, -0.05))
    fresh, m, events = update(model, y)
    assert fresh == 4
    assert in_contact(model) == [0, 1, 2, 3]
    assert_close(m.contact.deepest, 0.002, rtol=1e-12)
    assert_close(m.contact.elastic, 4 * 0.5 * LAW.k * 0.002**2, rtol=1e-12)
    assert_close(m.contact.free_gap, EDGE - 0.002, rtol=1e-12)
    assert np.all(events[:, EVENT_KIND] == TOUCH)
    assert np.all(events[:, EVENT_TIME] == 7.0)
    assert events[:, EVENT_VERTEX].tolist() == [0, 1, 2, 3]
    assert_close(events[:, EVENT_CLOSING], np.full(4, 0.05), rtol=1e-12)
    assert_close(events[:, EVENT_SLIP], np.full(4, 0.3), rtol=1e-12)
    points = np.array(CORNERS[:4]) + np.array([0.0, 0.0, EDGE / 2 - 0.002])
    assert_close(events[:, EVENT_POINT : EVENT_POINT + 3], points, rtol=1e-14)
    assert_close(events[0, EVENT_NORMAL : EVENT_NORMAL + 3], (0.0, 0.0, 1.0), rtol=1e-15)


@pytest.mark.parametrize(("closing", "touches"), [(0.05, True), (0.0, False), (-0.05, False)])
def test_within_the_tolerance_only_an_approaching_vertex_touches(closing, touches):
    model = cube()
    fresh, _, _ = update(model, state(0.5 * TOLERANCE, (0.0, 0.0, -closing)))
    assert fresh == (4 if touches else 0)


@pytest.mark.parametrize(
    ("height", "closing", "stays"),
    [(-1e-6, -0.1, True), (1e-6, -0.1, False), (1e-6, 0.1, False), (0.5e-11, 0.1, True)],
)
def test_vertex_in_contact_goes_when_above_ground(height, closing, stays):
    model = cube([0, 1, 2, 3])
    fresh, _, events = update(model, state(height, (0.0, 0.0, -closing)))
    assert fresh == 0
    assert in_contact(model) == ([0, 1, 2, 3] if stays else [])
    assert events[:, EVENT_KIND].tolist() == ([] if stays else [RELEASE] * 4)


def test_a_cube_that_tips_keeps_two_vertices_and_lets_two_go():
    """Turning about y at 1 rad/s, the corners at +x go down and those at -x come up."""
    model = cube([0, 1, 2, 3])
    fresh, _, events = update(model, state(0.5 * TOLERANCE, rate=(0.0, 1.0, 0.0)))
    assert fresh == 0
    assert in_contact(model) == [1, 3]
    assert events[:, EVENT_VERTEX].tolist() == [0, 2]


def test_far_above_ground_nothing_is_looked_at():
    model = cube()
    fresh, m, events = update(model, state(10.0))
    assert (fresh, len(events), m.contact.elastic) == (0, 0, 0.0)
    assert_close(m.contact.free_gap, 10.0 + EDGE / 2 - model.body.radius, rtol=1e-14)


def test_check_has_teeth():
    """Gravity one per cent stronger brings the touch forward by half a per cent."""
    exact = np.sqrt(2.0 * 0.05 / G)
    found = touch_time(1.7 * exact, 0.05, 0.0, gravity=1.01 * G)
    with pytest.raises(AssertionError):
        assert_close(found, 1.0 / 1.7, rtol=1e-7)
