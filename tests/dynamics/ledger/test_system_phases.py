"""Phases of a net: which event is the latest, and what energy the common motion has."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.ledger.phase_events import NO_EVENTS
from haptos.dynamics.ledger.system_phases import (
    common_motion,
    last_event,
    nodes_sums,
    resting_energy,
)
from tests.close import assert_close
from tests.net_cases import small_net

EVENTS = np.array([*NO_EVENTS, [0.5, 1.0], [3.0, 0.0]])


@pytest.mark.parametrize(
    ("now", "touched_at", "event"),
    [
        (1.0, np.inf, 0),
        (3.0, np.inf, 0),  # the step that ends with an event is before it
        (3.1, np.inf, 3),
        (2.0, 2.0, 1),  # the step that ends with the touch is part of it
        (2.5, 2.0, 1),
        (2.6, 2.0, 2),
        (3.2, 2.8, 3),
        (3.4, 2.8, 2),
    ],
)
def test_the_phase_is_that_of_the_latest_event(now, touched_at, event):
    assert last_event(EVENTS, now, touched_at) == event


def test_the_common_motion_is_that_of_all_mass_at_the_speed_of_its_centre():
    system, motion = small_net([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [1.0, 3.0])
    motion.points.v[:2] = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
    motion.bodies.inverse_mass[0], motion.bodies.speed[0] = 0.25, [0.0, 0.0, 1.0]
    momentum = np.array([1.0, 6.0, 4.0])
    mass, velocity = common_motion(motion, nodes_sums(motion))
    assert mass == 8.0
    assert_close(np.array(velocity), momentum / 8.0, rtol=1e-15)
    drift = np.array([0.0, 0.0, 1.0]) - momentum / 8.0
    assert_close(resting_energy(system, motion, velocity), 2.0 * drift @ drift, rtol=1e-15)
    motion.bodies.inverse_mass[0] = 0.0  # a body that is held: the frame is its own
    assert common_motion(motion, nodes_sums(motion)) == (0.0, (0.0, 0.0, 0.0))


def test_what_rests_is_the_spin_and_the_drift_of_rigid_bodies():
    system, motion = small_net([[0.0, 0.0, 0.0]], [1.0])
    motion.bodies.inverse_mass[0], motion.bodies.speed[0] = 0.25, [0.0, 3.0, 0.0]
    motion.bodies.momentum[0] = [0.0, 0.0, 5.0]
    system.inverse_inertia[0] = [1.0, 1.0, 0.5]
    assert_close(
        resting_energy(system, motion, (0.0, 1.0, 0.0)),
        0.5 * 4.0 * 2.0**2 + 0.5 * 0.5 * 5.0**2,
        rtol=1e-15,
    )
