"""Bullets land with all their balls: no energy is made, and an end that strikes first turns them."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.dynamics.contacts.resolve import pose_at
from haptos.dynamics.system import RUBBING
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, marched, momenta, small_net

MOMENTS = np.array([1e-5, 1e-5, 2.5e-6])  # [kg m^2]


def landing(balls, tilt=0.0, friction=0.0):
    """A bullet of 0.05 kg whose axis lies along x, but for a tilt, falls on a face of a free box."""
    at = np.linspace(-0.02, 0.02, balls) if balls > 1 else [0.0]
    surface = box_surface((1.0, 1.0, 1.0), contact_numbers(1e7, 0.0, friction))
    fixed = [(1, (0.0, 0.0, float(z))) for z in at]
    net, motion = small_net(np.zeros((0, 3)), [], bodies=2, fixed=fixed, surface=surface)
    net.points.radius[:] = 0.011
    motion.bodies.inverse_mass[:] = (1.0 / 83.0, 1.0 / 0.05)
    net.inverse_inertia[:] = [np.full(3, 1.0 / 13.8), 1.0 / MOMENTS]
    motion.bodies.place[1], motion.bodies.speed[1] = (0.1, 0.07, 0.525), (0.5, 0.0, -2.0)
    half = 0.25 * np.pi + 0.5 * tilt
    motion.bodies.attitude[1] = (np.cos(half), 0.0, np.sin(half), 0.0)
    return net, motion


def kept(net, motion):
    before = momenta(net, motion)
    marched(net, motion, 0.03)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
    return motion.ledger.energy.largest / motion.ledger.energy.start


@pytest.mark.parametrize(
    ("balls", "friction", "bound"), [(1, 0.0, 1e-7), (1, 0.3, 1e-5), (3, 0.0, 5e-3), (3, 0.3, 5e-2)]
)
def test_a_bullet_that_lands_flat_bounces_without_energy_made(balls, friction, bound):
    """With three balls worked on one by one over whole steps of 1 ms it was 0.4 and more."""
    net, motion = landing(balls, friction=friction)
    assert kept(net, motion) < bound
    assert motion.bodies.speed[1, 2] > 1.9
    assert motion.step.peak_force > 0.0
    assert motion.step.touched_at < 0.02
    assert (motion.ledger.work[RUBBING] < -1e-6) == (friction > 0.0)


def test_an_end_that_strikes_first_turns_the_bullet_and_its_centre_alone_would_not():
    net, motion = landing(3, tilt=0.1)
    assert kept(net, motion) < 5e-3
    assert abs(motion.bodies.momentum[1, 1]) > 1e-4
    net, motion = landing(1, tilt=0.1)
    kept(net, motion)
    assert abs(motion.bodies.momentum[1, 1]) < 1e-12


def test_the_free_way_of_a_body_counts_what_it_went_and_turned_too_far():
    net, motion = landing(1)
    motion.bodies.shift[1], motion.bodies.turn[1] = (0.1, 0.0, 0.0), (0.0, 0.2, 0.0)
    place, dcm = pose_at(net, motion, 1, 0.2)
    assert_close(
        place, motion.bodies.place[1] - (0.1, 0.0, 0.0) + 0.2 * motion.bodies.speed[1], rtol=1e-14
    )
    angle = 0.5 * np.pi - 0.2
    expected = [
        [np.cos(angle), 0.0, np.sin(angle)],
        [0.0, 1.0, 0.0],
        [-np.sin(angle), 0.0, np.cos(angle)],
    ]
    assert_close(dcm, expected, rtol=1e-14)
