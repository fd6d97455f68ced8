"""A lander on feet and anchors: limits with closed forms."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from haptos.dynamics.rigid.stance import AnchorLine, load_limit, weakest_load
from tests.close import assert_close

FEET = [(1.2 * math.cos(a), 1.2 * math.sin(a), 0.0) for a in (0.0, 2.0 * math.pi / 3.0, 4.0 * math.pi / 3.0)]  # fmt: skip
CENTRE = (0.0, 0.0, 0.5)


def test_lifting_takes_the_weight_and_all_lines():
    lines = [AnchorLine((x, 0.0, 0.2), (0.0, 0.0, -1.0), 100.0) for x in (-0.3, 0.3)]
    assert_close(load_limit(FEET, 0.5, [], 7.0, CENTRE, (0, 0, 1), CENTRE), 7.0, rtol=1e-9)
    assert_close(load_limit(FEET, 0.5, lines, 7.0, CENTRE, (0, 0, 1), CENTRE), 207.0, rtol=1e-9)


def test_a_level_push_slides_or_tips_it():
    """Low, friction limits: mu W; high, the weight's moment about the edge of two feet: W 0.6 / h."""
    low, high = (0.0, 0.0, 0.1), (0.0, 0.0, 3.0)
    assert_close(load_limit(FEET, 0.5, [], 10.0, CENTRE, (1, 0, 0), low), 5.0, rtol=2e-2)
    assert_close(
        load_limit(FEET, 0.9, [], 10.0, CENTRE, (-1, 0, 0), high), 10.0 * 0.6 / 3.0, rtol=1e-9
    )


def test_one_harpoon_off_the_middle_is_weaker_than_three_around():
    one = [AnchorLine((0.8, 0.0, 0.0), (0.0, 0.0, -1.0), 300.0)]
    three = [AnchorLine((x, y, 0.0), (0.0, 0.0, -1.0), 100.0) for x, y, _ in FEET]
    single = weakest_load(FEET, 0.5, one, 1.0, CENTRE, CENTRE)[0]
    spread = weakest_load(FEET, 0.5, three, 1.0, CENTRE, CENTRE)[0]
    assert spread > 2.5 * single


def test_nothing_limits_a_push_down_and_nothing_holds_a_lander_without_feet_under_it():
    assert load_limit(FEET, 0.5, [], 1.0, CENTRE, (0, 0, -1), CENTRE) == math.inf
    assert load_limit(FEET, 0.5, [], 1.0, (5.0, 0.0, 0.5), (0, 0, 1), CENTRE) == -1.0


def test_a_stance_turned_with_its_ground_holds_the_same():
    """Feet, normals, weight and load turned by one rotation: the same limit, within the pyramid of the friction cone."""
    turn = Rotation.from_euler("xyz", [0.3, -0.2, 0.5])
    feet = np.array([[1.0, 0.0, 0.0], [-0.5, 0.8, 0.0], [-0.5, -0.8, 0.0]])
    normals, load, place = (
        np.tile([0.0, 0.0, 1.0], (3, 1)),
        np.array([1.0, 0.2, 0.3]),
        np.array([0.0, 0.0, 0.5]),
    )
    line = AnchorLine((0.1, 0.2, 0.0), (0.0, 0.0, -1.0), 30.0)
    flat = load_limit(feet, 0.5, [line], 10.0, place, load, place)
    turned = AnchorLine(
        *(tuple(turn.apply(one).tolist()) for one in (line.point, line.direction)), 30.0
    )
    found = load_limit(
        turn.apply(feet), 0.5, [turned], turn.apply([0.0, 0.0, -10.0]), turn.apply(place), turn.apply(load),
        turn.apply(place), normals=turn.apply(normals),
    )  # fmt: skip
    assert_close(found, flat, rtol=0.02)
    level = load_limit(
        turn.apply(feet), 0.5, [turned], turn.apply([0.0, 0.0, -10.0]), turn.apply(place), turn.apply(load), turn.apply(place)
    )  # fmt: skip
    assert abs(level - flat) > 0.05 * flat
