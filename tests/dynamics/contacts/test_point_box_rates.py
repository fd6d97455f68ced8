"""Points pressed on boxes in rates: bounces, ledger, momenta, and nets that begin inside the chaser."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.contact_flow import OPEN
from haptos.contact.impact_damping import effective_restitution
from haptos.dynamics.contacts.memories import (
    ASLEEP,
    BOX_MET,
    BOX_PEAK,
)
from haptos.dynamics.contacts.point_box_rates import box_limit, on_box, remember_boxes
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import RUBBING
from tests.close import assert_close
from tests.dynamics.contacts.test_point_box import ball
from tests.net_cases import momenta

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling
EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def run(net, motion, until, share=1e-3):
    """Momenta must stay; the largest remainder of the ledger [J]."""
    before = momenta(net, motion)
    room = room_of(net, motion)
    room.absolute[:] *= share
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 1e-3, 1e6)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-8 * max(np.abs(one).max(), 1e-3)
    return motion.ledger.energy.largest


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_a_node_bounces_off_a_thin_plate_however_fast(alpha):
    net, motion = ball((0.1, 0.05, 0.1), (0.0, 0.0, -20.0), alpha=alpha)
    assert run(net, motion, 0.01) < 1e-7 * 0.2
    own = motion.points.v[0, 2] - motion.bodies.speed[0, 2]
    assert_close(own / 20.0, effective_restitution(1.5 * alpha * 20.0), rtol=2e-2)
    assert motion.contacts.boxes.tally[0, BOX_MET] == 1.0
    assert motion.contacts.boxes.tally[0, BOX_PEAK] > 0.0


def test_friction_is_booked():
    net, motion = ball((0.1, 0.05, 0.011), (1.0, 0.0, -1.0), friction=0.3)
    assert run(net, motion, 0.01) < 1e-8
    assert motion.ledger.work[RUBBING] < -1e-6


def test_a_point_that_begins_inside_is_left_alone_until_it_was_outside():
    net, motion = ball((0.1, 0.05, 0.0), (0.0, 0.0, 1.0))
    remember_boxes(net, motion)
    assert motion.contacts.boxes.factor[0, 0] == ASLEEP
    assert run(net, motion, 0.02) < 1e-12
    assert motion.contacts.boxes.factor[0, 0] == OPEN
    assert_close(motion.points.v[0], (0.0, 0.0, 1.0), rtol=1e-12)


def test_gap_and_step_to_the_face():
    net, motion = ball((0.1, 0.05, 0.1), (0.0, 0.0, -2.0))
    motion.bodies.momentum[0] = 0.0
    remember_boxes(net, motion)
    gap, n = on_box(net, motion, 0, 0, EYE)
    assert_close(gap, 0.09 - 5e-4, rtol=1e-12)
    assert_close(n, (0.0, 0.0, 1.0), rtol=1e-12)
    assert_close(box_limit(net, motion), gap / 2.0, rtol=1e-9)
