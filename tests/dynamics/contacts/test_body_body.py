"""Rigid bodies that strike each other: momenta to rounding, a ledger that closes, restitution as given."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.contact.impact_damping import effective_restitution
from haptos.dynamics.contacts.element_edge import sharp_edges
from haptos.dynamics.contacts.memories import HULL_MET, HULL_PEAK
from haptos.dynamics.system import (
    CONTACT_DAMPING,
    RUBBING,
    Hulls,
)
from haptos.geometry.mesh.corner_points import corner_points
from haptos.geometry.mesh.cuboids import cuboid_moments
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close
from tests.net_cases import box_surface, contact_numbers, marched, momenta, small_net

SIZES, MASSES = ((1.0, 0.8, 0.6), (0.5, 0.4, 0.3)), (10.0, 5.0)
TILTED = (0.9, 0.18, 0.36, 0.16)


def corners_of(size):
    vertices, faces = box_solid((1.0, 1.0, 1.0))
    vertices = vertices * np.asarray(size)
    return corner_points(vertices, sharp_edges(vertices, faces)[0])


def two_boxes(place, velocity, *, alpha=0.0, friction=0.0, rate=(0.0, 0.0, 0.0), attitude=(1.0, 0.0, 0.0, 0.0), as_mesh=False):  # fmt: skip
    """A box at rest about the origin, as a mesh if asked, and one that flies at it."""
    corners = [corners_of(size) for size in SIZES]
    half = 0.5 * np.asarray(SIZES)
    half[0] *= not as_mesh
    numbers = contact_numbers(1e7, alpha, friction)
    first, count = len(corners[0]), sum(len(c) for c in corners)
    hulls = Hulls(
        np.array([0, 1]), np.array([1, 0]), np.array([0, first]), np.array([first, count]),
        np.concatenate(corners), np.linalg.norm(0.5 * np.asarray(SIZES), axis=1), half,
        np.broadcast_to(numbers, (2, 1, PAIR_SIZE)).copy(),
    )  # fmt: skip
    surface = box_surface(SIZES[0], numbers) if as_mesh else None
    net, motion = small_net([[9.0, 9.0, 9.0]], [1e-9], bodies=2, hulls=hulls, surface=surface)
    for b in range(2):
        moments = np.asarray(cuboid_moments(MASSES[b], SIZES[b]))
        net.inverse_inertia[b], motion.bodies.inverse_mass[b] = 1.0 / moments, 1.0 / MASSES[b]
    motion.bodies.place[1], motion.bodies.speed[1] = place, velocity
    motion.bodies.attitude[1] = np.asarray(attitude) / np.linalg.norm(attitude)
    motion.bodies.momentum[1] = moments * np.asarray(rate)
    return net, motion


@pytest.mark.parametrize("as_mesh", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_boxes_that_meet_head_on_part_with_the_restitution_of_their_law(alpha, as_mesh):
    net, motion = two_boxes((0.76, 0.0, 0.0), (-1.0, 0.0, 0.0), alpha=alpha, as_mesh=as_mesh)
    before = momenta(net, motion)
    marched(net, motion, 0.04)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
    apart = motion.bodies.speed[1, 0] - motion.bodies.speed[0, 0]
    wanted = effective_restitution(1.5 * alpha)
    assert_close(apart, wanted, rtol=1e-3)
    assert np.abs(motion.bodies.momentum).max() < 1e-5  # N m s: as even as it came, no turn
    assert motion.ledger.energy.largest < 3e-4 * motion.ledger.energy.start
    assert_close(-motion.ledger.work[CONTACT_DAMPING], 0.5 * (1.0 - wanted**2) * 10.0 / 3.0, rtol=2e-3, scale=1.0)  # fmt: skip
    assert (
        motion.contacts.hulls.tally[:, HULL_MET].sum() == 32.0
    )  # four corners, seven points of four edges
    assert motion.contacts.hulls.tally[:, HULL_PEAK].max() > 0.0
    assert motion.step.touched_at == np.inf  # only the net touches the target first


@pytest.mark.parametrize("as_mesh", [False, True])
def test_a_corner_that_strikes_off_centre_turns_both_and_keeps_all_momenta(as_mesh):
    net, motion = two_boxes(
        (0.82, 0.1, 0.05), (-1.0, 0.1, 0.0), alpha=0.2, friction=0.3, rate=(1.0, 2.0, 3.0),
        attitude=TILTED, as_mesh=as_mesh,
    )  # fmt: skip
    before = momenta(net, motion)
    marched(net, motion, 0.08)
    for one, other in zip(before, momenta(net, motion), strict=True):
        assert np.abs(one - other).max() < 1e-12
    assert np.abs(motion.bodies.momentum[0]).max() > 0.1
    assert motion.contacts.hulls.tally[:, HULL_MET].sum() > 0.0
    lost = -motion.ledger.work[CONTACT_DAMPING] - motion.ledger.work[RUBBING]
    assert_close(motion.ledger.energy.start - motion.ledger.energy.kinetic, lost, rtol=5e-4, scale=motion.ledger.energy.start)  # fmt: skip
    assert motion.ledger.energy.largest < 5e-4 * motion.ledger.energy.start


def test_both_ways_round_give_the_same_bounce():
    """Corners of the small box on the face of the large one; and the large one's on the small."""
    ends = []
    for flip in (False, True):
        net, motion = two_boxes((0.76, 0.0, 0.0), (-1.0, 0.0, 0.0))
        if flip:
            hulls = net.hulls
            net = net._replace(
                hulls=hulls._replace(
                    owner=hulls.owner[::-1].copy(),
                    body=hulls.body[::-1].copy(),
                    begin=hulls.begin[::-1].copy(),
                    end=hulls.end[::-1].copy(),
                )
            )
        marched(net, motion, 0.04)
        ends.append(motion.bodies.speed.copy())
    assert_close(ends[0], ends[1], rtol=1e-12, scale=1.0)


def test_a_fast_body_does_not_go_through():
    net, motion = two_boxes((3.0, 0.0, 0.0), (-60.0, 0.0, 0.0))
    marched(net, motion, 0.05)
    assert motion.bodies.speed[1, 0] - motion.bodies.speed[0, 0] > 59.0
    assert motion.bodies.place[1, 0] > motion.bodies.place[0, 0]


def test_bodies_that_pass_by_do_not_touch():
    net, motion = two_boxes((0.0, 0.605, 1.0), (0.0, 0.0, -4.0))
    marched(net, motion, 0.5)
    assert motion.contacts.hulls.tally.sum() == 0.0
    assert_close(motion.bodies.speed[1], (0.0, 0.0, -4.0), rtol=1e-15)
