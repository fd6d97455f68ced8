"""A ball on the two walls of a groove: closed forms of sliding and rolling along it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.compliant import TouchingBody
from haptos.contact.contact_motion import Sliding, contact_motion
from haptos.contact.crease_motion import WALL_ROWS, WALL_SIZE, crease_motion, put_wall
from tests.close import assert_close

MASS, RADIUS, PULL = 5.0, 0.125, 8e-5  # [kg], [m], [m/s^2]
INERTIA = 0.4 * MASS * RADIUS**2
UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
# Sweeps end when forces change by 1e-8 of themselves, passes by 1e-6; walls that are nearly one plane come some 100 times as near.
FLAT, NONE, CENTRE = (0.0,) * 6, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)


def ball(inertia: float = INERTIA) -> TouchingBody:
    diagonal = lambda x: (x, 0.0, 0.0, x, 0.0, x)  # noqa: E731
    return TouchingBody(
        MASS, diagonal(inertia), diagonal(1.0 / inertia), np.zeros((1, 7)), RADIUS, RADIUS,
        np.zeros(1, np.int32), np.zeros(1, np.uint8), np.zeros(4, np.int64),
    )  # fmt: skip


def law_of(friction: float, rolling: float = 0.0) -> Sliding:
    return Sliding(friction, (rolling,) * 3, 1e-5, 1e-4, 0.3)


def in_groove(tilt, down, law, v=NONE, w=NONE, normals=None, inertia=INERTIA):
    """Accelerations of a ball in a groove along x whose walls lean by `tilt`, falling by `down` [rad]; loads."""
    body, walls = ball(inertia), np.zeros((WALL_ROWS, WALL_SIZE))
    normals = normals or [(0.0, s * math.sin(tilt), math.cos(tilt)) for s in (-1.0, 1.0)]
    free = (PULL * math.sin(down), 0.0, -PULL * math.cos(down))
    for row, n in zip(walls, normals, strict=False):
        put_wall(row, law, body, CENTRE, UPRIGHT, (v, w), (RADIUS, n, FLAT), (free, NONE))
    force, torque, powers, load, _ = crease_motion(
        walls, len(normals), law, body, CENTRE, UPRIGHT, v, w
    )
    return np.add(free, np.divide(force, MASS)), np.divide(torque, INERTIA), powers, load


@pytest.mark.parametrize("tilt", [0.1, 0.5, math.pi / 4, 1.2])
@pytest.mark.parametrize("down", [0.05, 0.3])
def test_a_ball_rolls_along_a_groove_as_its_closed_form(tilt, down):
    # It turns about the line through both contact points, R cos(tilt) below the centre.
    a, alpha, _, _ = in_groove(tilt, down, law_of(10.0))
    expected = PULL * math.sin(down) / (1.0 + 0.4 / math.cos(tilt) ** 2)
    assert_close(a, np.array([expected, 0.0, 0.0]), rtol=2e-6, scale=expected)
    assert_close(alpha[1], expected / (RADIUS * math.cos(tilt)), rtol=2e-6)


def test_the_check_of_rolling_has_teeth():
    a, _, _, _ = in_groove(0.5, 0.3, law_of(10.0), inertia=1.01 * INERTIA)
    expected = PULL * math.sin(0.3) / (1.0 + 0.4 / math.cos(0.5) ** 2)
    assert abs(a[0] / expected - 1.0) > 3e-3


def test_without_friction_a_ball_slides_down_a_groove():
    a, alpha, powers, _ = in_groove(0.7, 0.3, law_of(0.0), v=(1e-3, 0.0, 0.0))
    assert_close(a, np.array([PULL * math.sin(0.3), 0.0, 0.0]), rtol=2e-6, scale=PULL)
    assert np.abs(alpha).max() < 1e-15
    assert powers[1] == 0.0


def test_slip_in_a_groove_is_braked_by_both_loads():
    a, alpha, powers, load = in_groove(0.7, 0.0, law_of(0.3), v=(1e-2, 0.0, 0.0))
    expected = -0.3 * PULL / math.cos(0.7)
    assert_close(a[0], expected, rtol=2e-6)
    assert_close(alpha[1], -MASS * expected * RADIUS * math.cos(0.7) / INERTIA, rtol=2e-6)
    assert_close(powers[1], -0.3 * load * 1e-2, rtol=2e-6)


def test_a_wall_that_would_pull_gives_nothing():
    # Held by the floor alone: the wall beside it is upright and nothing presses the ball against it.
    a, _, _, load = in_groove(0.0, 0.0, law_of(0.5), normals=[(0.0, 0.0, 1.0), (0.0, 1.0, 0.0)])
    assert_close(load, MASS * PULL, rtol=2e-6)
    assert np.abs(a).max() < 2e-6 * PULL


@pytest.mark.parametrize("v", [NONE, (1e-3, 2e-4, 0.0), (4e-6, 0.0, 0.0)])
def test_on_one_wall_it_is_contact_motion(v):
    law, n = law_of(0.4), (0.0, math.sin(0.3), math.cos(0.3))
    found = in_groove(0.0, 0.1, law, v=v, normals=[n])
    free = (PULL * math.sin(0.1), 0.0, -PULL * math.cos(0.1))
    force, torque, powers, load, _ = contact_motion(
        law, ball(), CENTRE, UPRIGHT, v, NONE, (RADIUS, n, FLAT), free, NONE
    )
    assert_close(found[0], np.add(free, np.divide(force, MASS)), rtol=2e-6, scale=PULL)
    assert_close(found[1], np.divide(torque, INERTIA), rtol=2e-6, scale=PULL / RADIUS)
    assert_close(found[3], load, rtol=2e-6)
    assert_close(found[2][1], powers[1], rtol=2e-6, scale=1e-9)


def test_rolling_resistance_brakes_by_the_loads_of_both_walls():
    tilt, rate = 0.5, 1e-2
    arm, length = RADIUS * math.cos(tilt), 0.03 * RADIUS
    v, w = (rate * arm, 0.0, 0.0), (0.0, rate, 0.0)
    a, _, powers, load = in_groove(tilt, 0.0, law_of(10.0, length), v=v, w=w)
    # About the line through the contact points: (I + m arm^2) alpha = -C load
    assert_close(a[0], -length * load * arm / (INERTIA + MASS * arm**2), rtol=2e-6)
    assert_close(powers[2], -length * load * rate, rtol=2e-6)


@pytest.mark.parametrize("tilt", [0.4, math.pi / 4, 1.1])
@pytest.mark.parametrize("closing", [1e-6, 4e-6])
def test_a_ball_that_sinks_into_a_groove_is_pressed_back_by_no_more_than_it_weighs(tilt, closing):
    # Both points stick and the ball comes to rest on its way down within 1/k: 2 k c as on one wall, and loads that do just that.
    a, _, _, load = in_groove(tilt, 0.0, law_of(1.0), v=(0.0, 0.0, -closing))
    assert_close(a, np.array([0.0, 0.0, 0.6 * closing]), rtol=2e-6, scale=0.6 * closing)
    assert_close(load, MASS * (PULL + 0.6 * closing) / math.cos(tilt), rtol=2e-6)
