"""Steps of a net: second order on smooth motion, times that are reached, steps that are counted."""

from __future__ import annotations

import math

import numpy as np

from haptos.dynamics.net_layout import LARGEST, STEPS, TIME, scratch_of
from haptos.dynamics.net_step import march
from tests.close import assert_close
from tests.net_cases import LONGEST, MOST, small_net

MASS, STIFFNESS, REST, STRETCH = 2.0, 50.0, 1.0, 0.2
RATE = math.sqrt(2.0 * STIFFNESS / MASS)  # [rad/s] of two equal masses on a spring


def pair():
    """Two masses drawn apart; their thread stays taut for a quarter of a period."""
    places = [[0.0, 0.0, 0.0], [REST + STRETCH, 0.0, 0.0]]
    return small_net(
        places, [MASS, MASS], elements=[[0, 1]], lengths=[REST], stretching=STIFFNESS * REST
    )


def distance(longest: float, until: float) -> tuple[float, float]:
    """(distance of the masses [m], largest remainder of the books [J])."""
    net, motion = pair()
    assert march(net, motion, scratch_of(motion), until, 0.4, longest, MOST)
    assert motion.clock[TIME] == until
    return float(np.linalg.norm(motion.x[1] - motion.x[0])), float(motion.clock[LARGEST])


def test_a_smooth_swing_is_of_second_order():
    until = 0.2
    exact = REST + STRETCH * math.cos(RATE * until)
    errors = [abs(distance(step, until)[0] - exact) for step in (4e-4, 2e-4, 1e-4)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert_close(orders, [2.0, 2.0], rtol=0.1)


def test_books_close_with_the_square_of_the_step():
    remainders = [distance(step, 0.2)[1] for step in (4e-4, 2e-4)]
    assert_close(remainders[0] / remainders[1], 4.0, rtol=0.15)


def test_the_march_stops_when_its_steps_are_done():
    net, motion = pair()
    assert not march(net, motion, scratch_of(motion), 1.0, 0.1, LONGEST, 10.0)
    assert motion.clock[STEPS] == 10.0
    assert 0.0 < motion.clock[TIME] < 1.0
