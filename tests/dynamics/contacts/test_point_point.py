"""Points of a net and bullets touch each other: momenta, energy, bounce, nothing passes through."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.impact_damping import effective_restitution
from haptos.dynamics.contacts.memories import (
    PAIR_LOOKED,
    PAIR_MET,
    PAIR_PEAK,
)
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING
from tests.close import assert_close
from tests.net_cases import contact_numbers, marched, momenta, small_net

SELF, BULLETS_NET, BULLETS = (True, False, False), (False, True, False), (False, False, True)
NONE = (False, False, False)


def kept(net, motion, until, share=0.4):
    """Largest share of the energy the ledger misses; momenta must be kept to rounding."""
    before = momenta(net, motion)
    marched(net, motion, until, share)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
    return motion.ledger.energy.largest / motion.ledger.energy.start


def two_nodes(speed, radius, aside=0.0, alpha=0.0, touching=SELF, elements=()):
    numbers = contact_numbers(1e6, alpha, 0.0)
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.1, aside, 0.3 * aside)], [1e-3, 2e-3], pair_radius=radius,
        touching=touching, pairs=numbers, elements=elements, lengths=[1.0] * len(elements),
    )  # fmt: skip
    motion.points.v[:] = [(speed, 0.02 * speed, 0.0), (-speed, 0.0, 0.0)]
    return net, motion


def bullets(offset, balls=1, alpha=0.0, friction=0.0, touching=BULLETS, speed=5.0):
    """Two bullets that fly at each other, side by side by an offset."""
    z = np.linspace(-0.03, 0.03, balls) if balls > 1 else [0.0]
    fixed = [(body, (0.0, 0.0, float(at))) for body in (0, 1) for at in z]
    net, motion = small_net(
        np.zeros((0, 3)), [], bodies=2, fixed=fixed, pair_radius=0.02, touching=touching,
        pairs=contact_numbers(1e8, alpha, friction),
    )  # fmt: skip
    motion.bodies.inverse_mass[:] = 1.0 / 0.3
    net.inverse_inertia[:] = 1.0 / np.array([3e-4, 3e-4, 5e-5])
    motion.bodies.place[:] = [(0.0, 0.0, 0.0), (0.2, *offset)]
    motion.bodies.speed[:] = [(speed, 0.0, 0.0), (-speed, 0.0, 0.0)]
    return net, motion


@pytest.mark.parametrize("aside", [0.0, 0.5, 1.3])
@pytest.mark.parametrize(("speed", "radius"), [(1.0, 0.02), (20.0, 0.02), (20.0, 5e-4)])
def test_two_nodes_bounce_with_energy_and_momenta_kept(speed, radius, aside):
    """At 20 m/s a step of 1 ms goes 40 mm, forty times the reach of two threads of 1 mm."""
    net, motion = two_nodes(speed, radius, aside * radius)
    motion.points.v[0, 1] = 0.0
    assert kept(net, motion, 0.2 / speed) < 1e-9
    assert motion.contacts.pairs.tally[PAIR_MET] == 1.0
    assert motion.contacts.pairs.tally[PAIR_PEAK] > 0.0
    apart = motion.points.x[1] - motion.points.x[0]
    assert apart @ (motion.points.v[1] - motion.points.v[0]) > 0.0
    assert np.linalg.norm(apart) > 2.0 * radius


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_nodes_bounce_with_the_restitution_of_the_law(alpha):
    net, motion = two_nodes(1.0, 0.02, alpha=alpha)
    motion.points.v[0, 1] = 0.0
    kept(net, motion, 0.2)
    after = motion.points.v[1, 0] - motion.points.v[0, 0]
    assert_close(after / 2.0, effective_restitution(1.5 * alpha * 2.0), rtol=2e-3)
    assert motion.ledger.work[CONTACT_DAMPING] < 0.0


@pytest.mark.parametrize(("touching", "elements"), [(NONE, ()), (BULLETS, ()), (SELF, [(0, 1)])])
def test_nodes_pass_if_switched_off_or_tied_together(touching, elements):
    net, motion = two_nodes(20.0, 0.02, touching=touching, elements=elements)
    marched(net, motion, 0.01)
    assert motion.points.x[0, 0] > motion.points.x[1, 0] + 0.2
    assert_close(motion.points.v[0, 0], 20.0, rtol=1e-14)


def test_nodes_that_overlap_at_first_part_in_peace_and_touch_from_then_on():
    net, motion = small_net(
        [(0.0, 0.0, 0.0), (0.01, 0.0, 0.0), (0.3, 0.0, 0.0)], [1e-3] * 3, pair_radius=0.02,
        touching=SELF,
    )  # fmt: skip
    motion.points.v[1, 0] = 2.0
    marched(net, motion, 0.05)
    assert motion.contacts.pairs.tally[PAIR_MET] == 0.0
    assert_close(motion.points.v[1, 0], 2.0, rtol=1e-14)
    marched(net, motion, 0.15)  # bounces off the third, which takes all
    assert_close(motion.points.v[2, 0], 2.0, rtol=1e-9)
    motion.points.v[1, 0] = -2.0
    marched(net, motion, 0.4)
    assert motion.contacts.pairs.tally[PAIR_MET] == 2.0
    assert_close(motion.points.v[0, 0], -2.0, rtol=1e-9)


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.015, 0.01)])
def test_two_bullets_bounce_and_pass_if_switched_off(offset):
    net, motion = bullets(offset)
    assert kept(net, motion, 0.05) < (3e-3 if any(offset) else 1e-6)
    assert motion.contacts.pairs.tally[PAIR_MET + 2] == 1.0
    assert motion.bodies.speed[0, 0] < 0.0
    net, motion = bullets(offset, touching=(True, True, False))
    marched(net, motion, 0.05)
    assert_close(motion.bodies.speed[0], (5.0, 0.0, 0.0), rtol=1e-14)
    assert motion.bodies.place[0, 0] > motion.bodies.place[1, 0]


@pytest.mark.parametrize("alpha", [0.02, 0.1])
def test_bullets_bounce_with_the_restitution_of_the_law(alpha):
    net, motion = bullets((0.0, 0.0), alpha=alpha)
    kept(net, motion, 0.05)
    assert_close(
        -motion.bodies.speed[0, 0] / 5.0, effective_restitution(1.5 * alpha * 10.0), rtol=5e-3
    )


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.01, 0.0), (0.02, 0.035)])
def test_long_bullets_that_meet_with_several_balls_make_no_energy(offset, friction):
    """One side of a step longer than the impact: pairs that press together go through it together."""
    net, motion = bullets(offset, balls=3, friction=friction)
    assert kept(net, motion, 0.03) < 5e-3
    assert motion.contacts.pairs.tally[PAIR_MET + 2] >= 2.0
    assert (motion.ledger.work[RUBBING] < -1e-12) == (friction > 0.0)


@pytest.mark.parametrize("touching", [BULLETS_NET, NONE])
def test_a_bullet_takes_along_the_node_it_hits_unless_switched_off(touching):
    net, motion = small_net(
        [(0.1, 0.005, 0.0)], [1e-4], bodies=1, fixed=[(0, (0.01, 0.0, 0.0))],
        pair_radius=[5e-4, 0.02], touching=touching,
    )  # fmt: skip
    motion.bodies.inverse_mass[0], motion.bodies.speed[0, 0] = 1.0 / 0.3, 20.0
    net.inverse_inertia[0] = 1.0 / np.array([3e-4, 3e-4, 5e-5])
    assert kept(net, motion, 0.02) < 1e-6
    is_hit = touching == BULLETS_NET
    assert (motion.points.v[0, 0] > 20.0) == is_hit
    assert (motion.contacts.pairs.tally[PAIR_MET + 1] == 1.0) == is_hit
    assert (abs(motion.bodies.momentum[0, 2]) > 1e-9) == is_hit


def test_a_bullet_in_its_canister_touches_nothing():
    net, motion = bullets((0.0, 0.0))
    net.orders.held[1] = 0.1
    motion.bodies.inverse_mass[0] = 0.0
    motion.bodies.speed[0] = 0.0
    marched(net, motion, 0.05)
    assert motion.contacts.pairs.tally[PAIR_MET + 2] == 0.0


def folded_sheet(count, speed, alpha=0.0, touching=SELF):
    """A net folded in two whose upper half falls on the lower."""
    index = np.arange(2 * count * count).reshape(2 * count, count)
    row, column = np.divmod(np.arange(index.size), count)
    is_up = row >= count
    x = np.stack(
        [
            0.1 * np.where(is_up, 2 * count - 1 - row, row) + 0.013 * is_up,
            0.1 * column + 0.007 * is_up,
            0.06 * is_up,
        ],
        axis=1,
    )
    along = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
    over = np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1)
    elements = np.concatenate([along, over])
    net, motion = small_net(
        x, np.full(len(x), 2e-4), elements=elements, lengths=np.full(len(elements), 0.1),
        stretching=200.0, pair_radius=0.02, touching=touching,
        pairs=contact_numbers(1e5, alpha, 0.0),
    )  # fmt: skip
    motion.points.v[is_up, 2] = -speed
    return net, motion, is_up


@pytest.mark.parametrize("speed", [1.0, 20.0])
def test_a_folded_sheet_falls_on_itself_and_the_error_falls_with_the_step(speed):
    found = []
    for share in (0.4, 0.1):
        net, motion, is_up = folded_sheet(6, speed)
        found.append(kept(net, motion, 0.1 / speed, share))
        assert (
            motion.contacts.pairs.tally[PAIR_MET] >= 30.0
        )  # the six of each row at the fold are tied
        assert motion.points.x[is_up, 2].min() > motion.points.x[~is_up, 2].max() - 0.04
    assert found[0] < 1e-3
    assert found[1] < max(0.4 * found[0], 1e-5)


def test_without_self_contact_the_sheet_falls_through():
    net, motion, is_up = folded_sheet(6, 1.0, touching=NONE)
    marched(net, motion, 0.09)
    assert motion.points.x[is_up, 2].mean() < motion.points.x[~is_up, 2].mean()


def test_work_per_step_grows_with_the_nodes():
    looked = []
    for count in (6, 12):
        net, motion, _ = folded_sheet(count, 1.0, alpha=0.3)
        marched(net, motion, 0.1)
        looked.append(motion.contacts.pairs.tally[PAIR_LOOKED] / motion.step.count)
    assert 2.0 < looked[1] / looked[0] < 6.0  # 4 times the nodes; 16 if every pair were tried


def test_where_nothing_is_near_nearly_nothing_is_looked_at():
    generator = np.random.default_rng(4)
    x = generator.uniform(-50.0, 50.0, (200, 3))
    net, motion = small_net(x, np.full(200, 1e-3), pair_radius=0.02, touching=SELF)
    motion.points.v[:] = generator.normal(size=(200, 3)) * 0.01
    marched(net, motion, 0.2)
    assert motion.step.count > 100.0
    assert motion.contacts.pairs.tally[PAIR_LOOKED] < 20.0
