"""Bodies pressed on each other in rates: bounces, turns, momenta and ledger; how far they are clear."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.impact_damping import effective_restitution
from haptos.dynamics.contacts.memories import HULL_MET, HULL_PEAK
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.rigid.body_rates import corner_gap, renew_hulls, use_up_hulls
from haptos.dynamics.system import RUBBING
from tests.close import assert_close
from tests.dynamics.contacts.test_body_body import TILTED, two_boxes
from tests.net_cases import momenta

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling


def run(net, motion, until, share=1e-2):
    """Momenta must stay."""
    before = momenta(net, motion)
    room = room_of(net, motion)
    room.absolute[:] *= share
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 1e-3, 1e6)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-7


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_boxes_that_meet_head_on_part_with_the_restitution_of_their_law(alpha):
    net, motion = two_boxes((0.752, 0.0, 0.0), (-1.0, 0.0, 0.0), alpha=alpha)
    run(net, motion, 0.008)
    apart = motion.bodies.speed[1, 0] - motion.bodies.speed[0, 0]
    assert_close(apart, effective_restitution(1.5 * alpha), rtol=1e-3)
    assert (
        motion.contacts.hulls.tally[:, HULL_MET].sum() == 32.0
    )  # four corners, seven points of four edges
    assert motion.contacts.hulls.tally[:, HULL_PEAK].max() > 0.0
    assert motion.ledger.energy.largest < 3e-5 * motion.ledger.energy.start


def test_a_corner_that_strikes_off_centre_turns_both_and_books_its_losses():
    net, motion = two_boxes(
        (0.82, 0.1, 0.05), (-1.0, 0.1, 0.0), alpha=0.2, friction=0.3, rate=(1.0, 2.0, 3.0),
        attitude=TILTED,
    )  # fmt: skip
    net.hulls.numbers[..., 5:7] = 0.2, 0.02  # friction fades at speeds not too slow for a test
    run(net, motion, 0.08)
    assert np.abs(motion.bodies.momentum[0]).max() > 0.1
    assert motion.ledger.work[RUBBING] < 0.0
    assert motion.ledger.energy.largest < 3e-5 * motion.ledger.energy.start


def test_bodies_far_apart_are_left_alone_until_they_may_touch():
    net, motion = two_boxes((3.0, 0.0, 0.0), (-1.0, 0.0, 0.0))
    stack = scratch_of(motion).stack
    renew_hulls(net, motion, 1e-3, stack)
    clear = motion.contacts.hulls.clear.copy()
    assert (clear > 1.0).all()
    assert corner_gap(net, motion, 0, 0, stack)[0] > clear[0]
    use_up_hulls(net, motion, 1e-3)
    assert (motion.contacts.hulls.clear < clear - 2e-3).all()
    motion.bodies.place[1, 0] = 0.7501
    motion.contacts.hulls.clear[:] = 0.0
    renew_hulls(net, motion, 1e-3, stack)
    assert motion.contacts.hulls.clear[1] == 0.0  # corners of the small box on the large one's face
    assert motion.contacts.hulls.clear[0] > 0.1
