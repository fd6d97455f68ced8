"""Points pressed deeper than their list of near triangles reaches stay in touch."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import scratch_of
from tests.close import assert_close
from tests.net_cases import MOST, box_surface, contact_numbers, marched, small_net

MASS, SPEED, SIZE, RADIUS = 0.01, 2.0, 0.3, 5e-4  # [kg], [m/s], [m], [m]


def falling(stiffness: float):
    surface = box_surface((SIZE, SIZE, SIZE), contact_numbers(stiffness, 0.0, 0.0))
    net, motion = small_net(
        [[0.02, 0.01, 0.5 * SIZE + 0.01]], [MASS], radius=RADIUS, surface=surface, has_edges=False
    )
    motion.points.v[0] = [0.0, 0.0, -SPEED]
    return net, motion


def depth_of(stiffness: float) -> float:
    """Depth [m] at which Hertz's spring holds all the energy."""
    return (2.5 * 0.5 * MASS * SPEED**2 / stiffness) ** 0.4


@pytest.mark.parametrize("stiffness", [1e5, 1e3, 1e2, 10.0])
def test_a_soft_contact_gives_all_its_energy_back(stiffness):
    """Lists reach 6 mm here; the softest contact is 120 mm deep, in a box of 300 mm."""
    net, motion = falling(stiffness)
    lowest = np.inf
    for until in np.arange(1, 301) * 1e-3:
        marched(net, motion, float(until))
        lowest = min(lowest, motion.points.x[0, 2])
    assert_close(motion.points.v[0], [0.0, 0.0, SPEED], rtol=1e-9, scale=SPEED)
    assert_close(0.5 * SIZE + RADIUS - lowest, depth_of(stiffness), rtol=0.02)
    assert motion.ledger.energy.largest < 1e-9 * motion.ledger.energy.start


@pytest.mark.parametrize("stiffness", [1e3, 10.0])
def test_so_does_it_with_error_control(stiffness):
    net, motion = falling(stiffness)
    room = room_of(net, motion)
    assert march_dormand(net, motion, scratch_of(motion), room, 0.3, 0.0, 1e-3, MOST)
    assert_close(motion.points.v[0], [0.0, 0.0, SPEED], rtol=1e-4, scale=SPEED)
