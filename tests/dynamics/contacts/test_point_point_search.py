"""The list of near pairs is that of trying all, and the work for it grows with the points."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.contact_flow import OPEN
from haptos.dynamics.contacts.memories import (
    PAIR_COUNT,
    PAIR_LEFT_OUT,
    PAIR_LOOKED,
    PAIR_MARGIN,
    PAIR_SINCE,
)
from haptos.dynamics.contacts.point_point_search import (
    first_point,
    may_touch,
    relative_way,
    renew_pairs,
)
from tests.close import assert_close
from tests.net_cases import small_net

BULLETS = [(body, (0.0, 0.0, z)) for body in (0, 1) for z in (-0.03, 0.03)]


def cloud(count, spread, radius, touching=(True, True, True), seed=1):
    """Nodes in a cube, each tied to the next, and two bullets of two balls among them."""
    generator = np.random.default_rng(seed)
    x = generator.uniform(-spread, spread, (count, 3))
    links = np.stack([np.arange(count - 1), np.arange(1, count)], axis=1)
    links = np.concatenate([links, [[0, count]]])
    radii = np.concatenate([generator.uniform(0.5, 1.0, count) * radius, np.full(4, radius)])
    net, motion = small_net(
        x, np.ones(count), elements=links, lengths=np.full(count, 9.0), bodies=2, fixed=BULLETS,
        pair_radius=radii, touching=touching,
    )  # fmt: skip
    motion.points.x[count:] = generator.uniform(-spread, spread, (4, 3))
    return net, motion


def listed(motion):
    count = int(motion.contacts.pairs.tally[PAIR_COUNT])
    return {
        (int(motion.contacts.pairs.first[k]), int(motion.contacts.pairs.second[k]))
        for k in range(count)
    }


def tried(net, motion, margin):
    """All pairs apart by less than a margin, by trying."""
    x, radius, found = motion.points.x, net.spheres.radius, set()
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            gap = np.linalg.norm(x[i] - x[j]) - radius[i] - radius[j]
            if 0.0 < gap < margin and may_touch(net, i, j):
                found.add((i, j))
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    "touching",
    [(True, True, True), (True, False, False), (False, True, False), (False, False, True)],
)
def test_the_list_is_that_of_trying_all_pairs(touching, seed):
    net, motion = cloud(120, 0.25, 0.02, touching, seed)
    renew_pairs(net, motion, first_point(net), 0.004)
    margin = float(motion.contacts.pairs.tally[PAIR_MARGIN])
    assert margin >= 0.005
    found = listed(motion)
    assert found == tried(net, motion, margin)
    assert len(found) == motion.contacts.pairs.tally[PAIR_COUNT]
    if touching[0]:
        assert len(found) > 50


def test_what_is_tied_together_or_of_one_body_never_touches():
    net, _ = cloud(10, 0.2, 0.02)
    assert not may_touch(net, 3, 4)
    assert may_touch(net, 3, 5)
    assert not may_touch(net, 0, 10)  # tied to a ball of body 0
    assert not may_touch(net, 0, 11)  # and so to all of it
    assert may_touch(net, 0, 12)
    assert not may_touch(net, 10, 11)
    assert may_touch(net, 10, 12)


def test_pairs_that_touch_stay_listed_with_their_state():
    net, motion = cloud(60, 0.1, 0.02)
    renew_pairs(net, motion, 0, 1e-4)
    before, pairs = listed(motion), motion.contacts.pairs
    touching = (int(pairs.first[7]), int(pairs.second[7]))
    pairs.factor[7], pairs.reach[7] = 0.3, 0.021
    middle = 0.5 * (motion.points.x[touching[0]] + motion.points.x[touching[1]])
    motion.points.x[touching[0]] = middle + 0.001
    motion.points.x[touching[1]] = (
        middle - 0.001
    )  # deep in each other: a search would leave them out
    renew_pairs(net, motion, 0, 1e-4)
    assert touching in before
    assert listed(motion) == tried(net, motion, float(pairs.tally[PAIR_MARGIN])) | {touching}
    assert (pairs.first[0], pairs.second[0], pairs.factor[0], pairs.reach[0]) == (
        *touching, 0.3, 0.021,
    )  # fmt: skip
    assert (pairs.factor[1 : int(pairs.tally[PAIR_COUNT])] == OPEN).all()


def test_a_list_that_would_not_fit_takes_a_shorter_margin():
    net, motion = cloud(120, 0.15, 0.02)
    short = motion.contacts.pairs._replace(
        first=motion.contacts.pairs.first[:8], second=motion.contacts.pairs.second[:8]
    )
    motion = motion._replace(contacts=motion.contacts._replace(pairs=short))
    renew_pairs(net, motion, 0, 1e-6)
    margin = float(motion.contacts.pairs.tally[PAIR_MARGIN])
    assert margin < 0.005
    assert motion.contacts.pairs.tally[PAIR_LEFT_OUT] == 0.0
    assert listed(motion) == tried(net, motion, margin)


def test_what_finds_no_room_is_told():
    net, motion = cloud(120, 0.25, 0.02)
    none = motion.contacts.pairs._replace(
        first=motion.contacts.pairs.first[:0], second=motion.contacts.pairs.second[:0]
    )
    motion = motion._replace(contacts=motion.contacts._replace(pairs=none))
    renew_pairs(net, motion, 0, 0.01)
    wanted = tried(net, motion, float(motion.contacts.pairs.tally[PAIR_MARGIN]))
    assert motion.contacts.pairs.tally[PAIR_LEFT_OUT] == len(wanted) > 0


def test_work_of_a_search_grows_with_the_points_not_with_their_square():
    looked = []
    for count in (125, 1000):
        net, motion = cloud(count, 0.25 * (count / 125) ** (1.0 / 3.0), 0.02)
        renew_pairs(net, motion, 0, 1e-4)
        looked.append(float(motion.contacts.pairs.tally[PAIR_LOOKED]))
    assert 4.0 < looked[1] / looked[0] < 16.0  # 8 for the same density; 64 if all were tried


def test_the_way_of_any_two_points_is_within_its_bound():
    net, motion = cloud(40, 0.2, 0.02)
    motion.points.v[:] = np.random.default_rng(9).normal(size=motion.points.v.shape)
    motion.points.v[:, 0] += 100.0
    bound = relative_way(net, motion, 0, 0.1)
    between = np.linalg.norm(motion.points.v[:, None] - motion.points.v[None], axis=2)
    assert 0.1 * between.max() <= bound < 0.2 * between.max()
    motion.points.v[:] = (3.0, -20.0, 5.0)
    assert relative_way(net, motion, 0, 0.1) == 0.0


def test_bullets_alone_do_not_look_at_nodes():
    net, motion = cloud(50, 0.01, 0.02, (False, False, True))
    assert first_point(net) == 50
    renew_pairs(net, motion, 50, 1e-4)
    assert motion.contacts.pairs.tally[PAIR_LOOKED] <= 6.0
    assert_close(motion.contacts.pairs.tally[PAIR_SINCE], 1e-4, rtol=1e-14)
