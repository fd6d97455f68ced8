"""Steps end where things happen: the first touch to the time of its closed form, and a winch that starts with it."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.step_ends import (
    NOTHING,
    TOUCHES,
    happened,
    keep_peaks,
    peak_count,
    restore_peaks,
)
from haptos.dynamics.motion import scratch_of
from tests.close import assert_close
from tests.dynamics.cable.test_winch_rates import FIRST, LAST, winding
from tests.net_cases import box_surface, contact_numbers, small_net

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling
RADIUS, GAP, SPEED = 1e-3, 0.0123, 0.7


def thrown():
    """A node that flies onto a face, tied to one behind it; a winch starts with the touch."""
    row = winding()
    row["after_touch"], row["start"], row["stop"] = 1.0, 0.0, 0.05
    net, motion = small_net(
        [[-0.15 - RADIUS - GAP, 0.02, 0.01], [-1.15 - RADIUS - GAP, 0.02, 0.01]], [0.1, 0.2],
        elements=[[0, 1]], lengths=[FIRST], radius=RADIUS, winches=row, stretching=50.0,
        surface=box_surface((0.3, 0.3, 0.3), contact_numbers(1e5, 0.0, 0.0)),
    )  # fmt: skip
    motion.bodies.inverse_mass[0], net.inverse_inertia[0] = 0.1, 1.0
    motion.points.v[:2, 0] = SPEED
    return net, motion


def run(net, motion, until):
    room = room_of(net, motion)
    room.absolute[:] *= 1e-2
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 1e-3, 1e6)


def test_the_first_touch_is_found_to_its_time_and_starts_the_winch():
    net, motion = thrown()
    run(net, motion, 0.05)
    assert_close(motion.step.touched_at, GAP / SPEED, rtol=1e-8)
    wound = (0.05 - GAP / SPEED) / 0.05
    assert_close(motion.elements.length[0], FIRST + wound * (LAST - FIRST), rtol=1e-8)
    assert motion.ledger.energy.largest < 1e-7


@pytest.mark.parametrize("aside", [-1e-9, 0.0, 1e-9])
def test_a_touch_at_the_very_end_of_a_march_is_found(aside):
    net, motion = thrown()
    until = GAP / SPEED * (1.0 + aside)
    run(net, motion, until)
    run(net, motion, 1.1 * until)
    assert_close(motion.step.touched_at, GAP / SPEED, rtol=1e-8)
    assert motion.ledger.energy.largest < 1e-7


def test_what_happened_is_told():
    net, motion = thrown()
    assert happened(net, motion, 1.0) == NOTHING
    run(net, motion, 0.99 * GAP / SPEED)
    assert motion.step.touched_at == np.inf
    motion.points.x[:2, 0] += 0.02 * GAP
    assert happened(net, motion, 1.0) == TOUCHES


def test_a_step_thrown_away_raises_no_peak():
    _, motion = thrown()
    peaks = np.zeros(peak_count(motion))
    motion.step.peak_force = 3.0
    keep_peaks(motion, peaks)
    motion.step.peak_force = 9.0
    restore_peaks(motion, peaks)
    assert motion.step.peak_force == 3.0
