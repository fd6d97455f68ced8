"""Whether a body can lie still is what the friction angle, the support and levers say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.static_rest import (
    ARM,
    FORCE,
    FRICTION,
    MOST_POINTS,
    NORMAL,
    POINT_SIZE,
    ROLLING,
    is_balanced,
)
from tests.contact.bodies import random_rotation, rows, touching_body, triple

EDGE, MASS, G = 0.2, 5.0, 1e-4
STILL = (0.0, 0.0, 0.0)
FACE = [(EDGE / 2 * i, EDGE / 2 * j, -EDGE / 2) for j in (-1, 1) for i in (-1, 1)]
CUBE = touching_body(MASS, MASS * EDGE**2 / 6.0 * np.eye(3), FACE, [])
BALL_RADIUS = 0.1
BALL = touching_body(
    MASS, 0.4 * MASS * BALL_RADIUS**2 * np.eye(3), [(0.0, 0.0, 0.0)], [], BALL_RADIUS
)


def balance(body, arms, slope_deg, friction, rolling=0.0, along=(1.0, 0.0), turn=None, load=None):
    """Whether points at `arms` of a plane with normal z, tilted downhill to `along`, hold the body."""
    slope = math.radians(slope_deg)
    down = np.array([*(math.sin(slope) * np.array(along)), -math.cos(slope)])
    turn = np.eye(3) if turn is None else turn
    points = np.zeros((MOST_POINTS, POINT_SIZE))
    for row, arm in zip(points, arms, strict=False):
        row[ARM : ARM + 3], row[NORMAL : NORMAL + 3] = turn @ arm, turn @ (0.0, 0.0, 1.0)
        row[FRICTION], row[ROLLING] = friction, rolling
    found = is_balanced(body, rows(turn), triple(turn @ (G * down)), STILL, points, len(arms))
    if load is not None:
        load.extend(points[: len(arms), FORCE : FORCE + 3].tolist())
    return found


@pytest.mark.parametrize("along", [(1.0, 0.0), (0.6, 0.8), (-0.8, 0.6)])
@pytest.mark.parametrize("friction", [0.2, 0.5, 0.9])
def test_a_cube_on_its_face_holds_up_to_the_friction_angle(friction, along):
    angle = math.degrees(math.atan(friction))
    assert balance(CUBE, FACE, 0.97 * angle, friction, along=along)
    assert not balance(CUBE, FACE, 1.03 * angle, friction, along=along)


def test_the_forces_found_carry_the_weight_within_their_cones():
    forces: list[list[float]] = []
    assert balance(CUBE, FACE, 20.0, 0.5, load=forces)
    f = np.array(forces)
    weight = MASS * G * np.array([math.sin(math.radians(20.0)), 0.0, -math.cos(math.radians(20.0))])
    assert np.linalg.norm(f.sum(axis=0) + weight) < 2e-4 * MASS * G
    assert np.linalg.norm(np.cross(FACE, f).sum(axis=0)) < 2e-4 * MASS * G * EDGE
    assert (f[:, 2] >= 0.0).all()
    assert (np.hypot(f[:, 0], f[:, 1]) <= 0.5 * f[:, 2] * (1.0 + 1e-12)).all()


def test_a_cube_topples_where_its_weight_leaves_the_face():
    # Beyond 45 degrees the weight passes outside the lower edge, whatever the friction.
    assert balance(CUBE, FACE, 42.0, 3.0)
    assert not balance(CUBE, FACE, 48.0, 3.0)


@pytest.mark.parametrize(
    ("corners", "holds"),
    [([0], False), ([0, 1], False), ([0, 3], True), ([0, 1, 2], True), ([0, 1, 2, 3], True)],
    ids=["one", "edge", "diagonal", "three", "four"],
)
def test_level_ground_holds_a_cube_only_over_its_support(corners, holds):
    # A diagonal and three corners have the centre on the rim of their support: just so.
    assert balance(CUBE, [FACE[j] for j in corners], 0.0, 0.5) is holds


def test_a_point_straight_below_holds_and_one_beside_does_not():
    corner = math.sqrt(0.75) * EDGE
    assert balance(CUBE, [(0.0, 0.0, -corner)], 0.0, 0.5)
    assert not balance(CUBE, [(0.02 * EDGE, 0.0, -corner)], 0.0, 0.5)


@pytest.mark.parametrize("shift", [0.4, 0.6])
def test_a_shifted_centre_of_mass_may_leave_the_support(shift):
    arms = [(x - shift * EDGE, y, z) for x, y, z in FACE]
    assert balance(CUBE, arms, 0.0, 0.5) is (shift < 0.5)


def test_three_points_that_leave_the_centre_outside_do_not_hold():
    assert not balance(CUBE, [FACE[0], FACE[1], (0.0, -0.02, -EDGE / 2)], 0.0, 0.5)
    assert balance(CUBE, [FACE[0], FACE[1], (0.0, 0.05, -EDGE / 2)], 0.0, 0.5)


def test_a_ball_without_rolling_resistance_rolls_off_any_slope():
    foot = [(0.0, 0.0, -BALL_RADIUS)]
    assert balance(BALL, foot, 0.0, 0.5)
    assert not balance(BALL, foot, 1.0, 0.5)


def test_a_ball_with_rolling_resistance_holds_up_to_its_angle():
    # L = m g sin R <= C m g cos: tan of the slope at most C/R.
    foot, length = [(0.0, 0.0, -BALL_RADIUS)], 0.02
    angle = math.degrees(math.atan(length / BALL_RADIUS))
    assert balance(BALL, foot, 0.97 * angle, 0.5, rolling=length)
    assert not balance(BALL, foot, 1.03 * angle, 0.5, rolling=length)
    assert not balance(BALL, foot, 0.97 * angle, 0.1, rolling=length)  # it slides instead


def test_the_answer_turns_with_the_world():
    rng = np.random.default_rng(2)
    for slope in (20.0, 24.0, 29.0, 33.0):
        turn = random_rotation(rng)
        assert balance(CUBE, FACE, slope, 0.5, turn=turn) is balance(CUBE, FACE, slope, 0.5)


def test_no_points_hold_nothing_and_no_pull_needs_none():
    points = np.zeros((MOST_POINTS, POINT_SIZE))
    assert not is_balanced(CUBE, rows(np.eye(3)), (0.0, 0.0, -G), STILL, points, 0)
    assert is_balanced(CUBE, rows(np.eye(3)), STILL, STILL, points, 0)


def test_a_long_thin_body_on_many_points_is_held():
    inertia = MASS / 12.0 * np.diag([0.02, 4.01, 4.01])
    arms = [(x, y, -0.05) for x in np.linspace(-1.0, 1.0, 8) for y in (-0.05, 0.05)]
    body = touching_body(MASS, inertia, arms, [])
    assert balance(body, arms, 15.0, 0.5)
    assert not balance(body, arms, 30.0, 0.5)


def test_a_body_in_a_groove_holds_without_friction():
    slopes = math.sqrt(0.5)
    points = np.zeros((MOST_POINTS, POINT_SIZE))
    for row, side in zip(points, (-1.0, -1.0, 1.0, 1.0), strict=False):
        row[NORMAL : NORMAL + 3] = (-side * slopes, 0.0, slopes)
    for row, (x, y) in zip(points, [(-1, -1), (-1, 1), (1, -1), (1, 1)], strict=False):
        row[ARM : ARM + 3] = (x * EDGE / 2, y * EDGE / 2, -EDGE / 2)
    assert is_balanced(CUBE, rows(np.eye(3)), (0.0, 0.0, -G), STILL, points, 4)
    assert not is_balanced(CUBE, rows(np.eye(3)), (0.0, -0.05 * G, -G), STILL, points, 4)
