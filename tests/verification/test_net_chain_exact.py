"""The whole chain, shoot, fly, touch, wrap, close, with error control: what must be kept is kept.

Four bullets draw a cross of threads over a box; from the first touch on, winches close its mouth.
"""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    RUBBING,
    SHOT,
    THREAD_DAMPING,
    WINCH,
    no_loads,
    no_winches,
)
from tests.net_cases import box_surface, contact_numbers, momenta, small_net

plain = getattr(march_dormand, "py_func", march_dormand)  # so small a net needs no compiling
TARGET, CHASER, BULLETS = 0, 1, (2, 3, 4, 5)
MASS, SPEED, PULSE = 0.02, 3.0, 0.01  # of a bullet [kg], of its shot [m/s], [s]
SIDES = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])  # y and z of the bullets


def shots():
    """Loads that shoot the bullets 30 degrees outwards; the chaser takes the recoil."""
    rows = no_loads(4)
    for row, bullet, side in zip(rows, BULLETS, SIDES, strict=True):
        row["body"], row["reaction"], row["axes"], row["stop"] = bullet, CHASER, -1, PULSE
        row["work"] = SHOT
        out = np.array([np.cos(np.pi / 6), *(np.sin(np.pi / 6) / np.sqrt(2.0) * side)])
        force = MASS * SPEED / PULSE * out
        row["force"] = row["force_end"] = force
    return rows


def windings():
    """Winches between neighbouring bullets, from the first touch on."""
    rows = no_winches(4)
    for k, row in enumerate(rows):
        row["element"], row["first"], row["last"], row["stop"] = 5 + k, 0.42, 0.1, 0.1
        row["after_touch"], row["point"], row["stall"] = 1.0, -1.0, np.inf
    return rows


def cross_net(has_losses):
    """A knot, four bullets on threads to it, four lines between bullets, a tether to the chaser."""
    pairs = contact_numbers(1e6, 0.3 if has_losses else 0.0, 0.2 if has_losses else 0.0)
    pairs[0, 0, 5:7] = 0.2, 0.02  # friction that fades at speeds not too slow for a test
    fixed = [(b, (0.005, 0.0, 0.0)) for b in BULLETS] + [(CHASER, (0.1, 0.0, 0.0))]
    spokes, lines = [[0, 1 + k] for k in range(4)], [[1 + k, 1 + (k + 1) % 4] for k in range(4)]
    net, motion = small_net(
        [[-0.3, 0.01, 0.02]], [0.01], elements=[*spokes, [0, 5], *lines],
        lengths=[0.3] * 4 + [1.2] + [0.42] * 4, stretching=30.0,
        damping=0.3 if has_losses else 0.0, radius=5e-3, bodies=6, fixed=fixed, loads=shots(),
        winches=windings(), surface=box_surface((0.3, 0.3, 0.3), pairs),
    )  # fmt: skip
    net.points.radius[1:5] = 5e-3
    motion.bodies.inverse_mass[:] = 1.0 / np.array([2.0, 10.0, *[MASS] * 4])
    net.inverse_inertia[:] = 1.0 / np.array([0.03, 0.2, *[2e-5] * 4])[:, None]
    motion.bodies.place[CHASER] = -0.7, 0.0, 0.0
    motion.bodies.place[list(BULLETS), 0], motion.bodies.place[list(BULLETS), 1:] = (
        -0.3,
        0.07 * SIDES,
    )
    motion.bodies.momentum[TARGET] = 0.01, -0.02, 0.005
    return net, motion


def marched_exactly(net, motion, until, share):
    room = room_of(net, motion)
    room.absolute[:] *= share
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 2e-3, 1e6)


@pytest.mark.parametrize(("has_losses", "share"), [(False, 3e-3), (True, 3e-2)])
def test_momenta_and_books_through_the_whole_chain(has_losses: bool, share: float) -> None:
    """Momenta to 1e-10 of their scale; ledger to 1e-6 of what is put in, with losses to 1e-6 of the shot."""
    net, motion = cross_net(has_losses)
    before = momenta(net, motion)
    marched_exactly(net, motion, 0.2, share)
    after = momenta(net, motion)
    shot, put_in = (
        motion.ledger.work[SHOT],
        motion.ledger.work[SHOT] + abs(motion.ledger.work[WINCH]),
    )
    assert 0.05 < motion.step.touched_at < 0.2
    assert motion.ledger.work[WINCH] > 0.1 * shot
    assert np.abs(after[0] - before[0]).max() < 1e-10 * 4.0 * MASS * SPEED
    assert np.abs(after[1] - before[1]).max() < 1e-10 * 4.0 * MASS * SPEED
    assert motion.ledger.energy.largest < 1e-6 * (shot if has_losses else put_in)
    losses = motion.ledger.work[[THREAD_DAMPING, CONTACT_DAMPING, RUBBING]]
    assert bool((losses < 0.0).all()) == bool((losses < 0.0).any()) == has_losses
