"""Lists of elements that may be taut: none is missed while a list holds, and lists hold for a while."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.cable.candidates import (
    WATCH,
    WIDER,
    find_taut,
    is_list_valid,
    list_candidates,
    sort_threads,
)
from haptos.dynamics.march.splitting import pass_time
from tests.close import assert_close
from tests.net_cases import small_net

STEP, SLACK = 1e-4, 5e-3  # [s], [m]


def loose_net(seed=3, slack=1e-3):
    """Forty points at random with elements up to `slack` shorter or longer than their length."""
    draw = np.random.default_rng(seed)
    places = draw.uniform(-1.0, 1.0, (40, 3))
    elements = np.array([draw.choice(40, 2, replace=False) for _ in range(120)])
    apart = np.linalg.norm(places[elements[:, 0]] - places[elements[:, 1]], axis=1)
    lengths = apart + draw.uniform(-0.1, 1.0, len(elements)) * slack
    net, motion = small_net(
        places, np.full(40, 1e-3), elements=elements, lengths=lengths, stretching=1e3
    )
    motion.points.v[:] = draw.normal(scale=0.5, size=motion.points.v.shape)
    return net, motion


def is_longer(net, motion):
    first, second = motion.points.x[net.threads.ends[:, 0]], motion.points.x[net.threads.ends[:, 1]]
    return np.linalg.norm(second - first, axis=1) > motion.elements.length


def watched(motion):
    return set(motion.lists.candidates[: int(motion.lists.state.candidate_count)].tolist())


def listed(net, motion, step=STEP):
    room = np.zeros_like(motion.points.x)
    sort_threads(net.threads, net.points, net.inverse_inertia, motion, SLACK, room)
    list_candidates(net.threads, motion, step)


def shaken(shaking, steps, most_lists):
    """(lists made, taut elements not on them) of a net pushed at random [m/s^2]."""
    net, motion = loose_net()
    draw = np.random.default_rng(9)
    listed(net, motion)
    made, unseen = 0, 0
    for _ in range(steps):
        motion.points.v[:] += draw.normal(scale=shaking * STEP, size=motion.points.v.shape)
        motion.points.x[:] += STEP * motion.points.v
        pass_time(motion, STEP)
        if made < most_lists:
            if motion.lists.state.stretched > SLACK:
                listed(net, motion)
            if not is_list_valid(motion, STEP):
                list_candidates(net.threads, motion, STEP)
                made += 1
        taut = set(np.flatnonzero(is_longer(net, motion)).tolist())
        unseen += len(taut - watched(motion))
    return made, unseen


@pytest.mark.parametrize("shaking", [0.0, 30.0, 3000.0])
def test_no_element_becomes_taut_unseen(shaking):
    made, unseen = shaken(shaking, steps=300, most_lists=300)
    assert unseen == 0
    assert 10 < made < (60 if shaking < 100.0 else 200)  # lists are worth making


def test_a_list_that_is_not_made_anew_misses_some():
    assert shaken(30.0, steps=300, most_lists=3)[1] > 0


def test_straight_paths_need_no_new_list_until_the_time_is_over():
    net, motion = loose_net()
    listed(net, motion)
    for n in range(int(WATCH) - 2):
        motion.points.x[:] += STEP * motion.points.v
        motion.step.time += STEP
        assert is_list_valid(motion, STEP), n
    motion.points.x[:] += STEP * motion.points.v
    motion.step.time += STEP
    assert not is_list_valid(motion, 1.001 * STEP)


def test_one_point_off_its_path_ends_the_list_and_the_next_allows_more():
    net, motion = loose_net()
    listed(net, motion)
    assert is_list_valid(motion, STEP)
    spare = motion.lists.state.spare_way
    most = spare / (2.0 * math.sqrt(3.0))
    motion.points.x[7, 1] += 0.99 * most
    assert is_list_valid(motion, STEP)
    motion.points.x[7, 1] += 0.02 * most
    assert not is_list_valid(motion, STEP)
    list_candidates(net.threads, motion, STEP)
    assert_close(motion.lists.state.spare_way, WIDER * spare, rtol=1e-12)


def test_winding_takes_its_part_of_what_is_to_spare():
    net, motion = loose_net()
    listed(net, motion)
    motion.lists.state.wound = 1.01 * motion.lists.state.spare_way
    assert not is_list_valid(motion, STEP)
    list_candidates(net.threads, motion, STEP)
    assert motion.lists.state.wound == 0.0


def test_a_step_without_end_watches_all_that_is_near_and_once_only():
    net, motion = loose_net()
    listed(net, motion, step=math.inf)
    assert len(watched(motion)) == 120
    assert motion.lists.state.valid_until == -math.inf
    assert not is_list_valid(motion, 0.0)


def test_a_broken_element_is_not_listed():
    net, motion = loose_net()
    motion.elements.whole[5] = 0
    listed(net, motion, step=math.inf)
    assert watched(motion) == set(range(120)) - {5}


def test_the_taut_are_those_longer_than_their_length():
    net, motion = loose_net()
    listed(net, motion)
    find_taut(net.threads, motion)
    taut = motion.lists.taut[: int(motion.lists.state.taut_count)]
    assert 0 < len(taut) < len(watched(motion))
    np.testing.assert_array_equal(np.flatnonzero(is_longer(net, motion)), taut)
    assert motion.lists.state.made_at == motion.step.time
