"""One impulse between a point and a body: the masses they show, the momenta they keep."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.rotations import rotation_matrices, rotation_matrix
from haptos.dynamics.contacts.resolve import (
    effective_inverse_mass,
    give,
    note_lossy,
    pair_numbers,
    path_of,
    push_point,
)
from haptos.dynamics.rigid.bodies import place_points, turn_back
from haptos.dynamics.system import CONTACT_DAMPING, RUBBING
from tests.close import assert_close
from tests.net_cases import small_net

MOMENTS = np.array([0.4, 0.6, 0.7])


def test_a_body_shows_the_mass_of_a_push_at_its_arm():
    q = (0.8, 0.2, -0.4, 0.4)
    dcm, arm = rotation_matrices(np.array(q)), np.array([0.3, -0.2, 0.5])
    n = np.array([0.6, 0.0, 0.8])
    inertia = dcm @ np.diag(1.0 / MOMENTS) @ dcm.T
    expected = 0.2 + np.cross(arm, n) @ inertia @ np.cross(arm, n)
    found = effective_inverse_mass(
        rotation_matrix(q), tuple(1.0 / MOMENTS), 0.2, tuple(arm), tuple(n)
    )
    assert_close(found, expected, rtol=1e-13)


def test_numbers_of_a_pair_are_its_row():
    pairs = np.arange(44.0).reshape(2, 2, 11)
    assert_close(pair_numbers(pairs, 1, 0), np.arange(22.0, 33.0), rtol=1e-15)


@pytest.mark.parametrize("owned", [False, True])
def test_an_impulse_given_to_a_point_is_taken_from_the_body_with_its_moment(owned):
    fixed = [(1, (0.1, 0.2, 0.0))] if owned else []
    places = [] if owned else [[0.4, 0.1, 0.2]]
    net, motion = small_net(places, [] if owned else [0.3], bodies=2, fixed=fixed)
    motion.bodies.inverse_mass[:] = (0.2, 0.5)
    net.inverse_inertia[:] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    motion.bodies.place[:] = [[0.0, 0.0, 0.1], [0.5, 0.5, 0.0]]
    motion.bodies.speed[:] = [[0.1, 0.0, 0.0], [0.0, -0.3, 0.2]]
    place_points(net, motion)

    def whole():
        x = motion.bodies.place - motion.bodies.shift
        linear = motion.bodies.speed / motion.bodies.inverse_mass[:, None]
        total = linear.sum(axis=0)
        spin = np.cross(x, linear).sum(axis=0) + motion.bodies.momentum.sum(axis=0)
        if not owned:
            own = motion.points.mass[0] * motion.points.v[0]
            total, spin = (
                total + own,
                spin + np.cross(motion.points.x[0] - motion.points.shift[0], own),
            )
        return np.array([total, spin])

    before, speed = whole(), motion.bodies.speed[0].copy()
    give(net, motion, 0, (0.0, 0.0, 0.0), 0.7, (1.0, -2.0, 0.5), (1e-3, 2e-3, 0.0), 0)
    assert np.abs(whole() - before).max() < 1e-14
    assert_close(
        motion.bodies.speed[0] - speed, -0.2 * 0.7 * np.array([1.0, -2.0, 0.5]), rtol=1e-13
    )


def turning_body():
    """A body with one point, at rest."""
    net, motion = small_net([], [], bodies=1, fixed=[(0, (0.1, 0.2, 0.0))])
    motion.bodies.inverse_mass[0], net.inverse_inertia[0] = 0.5, 1.0 / MOMENTS
    place_points(net, motion)
    return net, motion


def test_a_kick_late_in_a_step_leaves_the_point_where_it_was_until_then():
    net, motion = turning_body()
    late, impulse = 0.03, (0.2, -0.1, 0.4)
    early = tuple(late * part for part in impulse)
    push_point(net, motion, 0, tuple(motion.points.x[0]), impulse, early)
    begin, v = path_of(net, motion, 0)
    there = np.array(begin) + late * np.array(v)
    assert_close(there, motion.points.x[0], rtol=1e-14)
    assert np.linalg.norm(v) > 0.1


def test_what_a_body_turned_too_far_is_taken_back():
    _, motion = turning_body()
    motion.bodies.turn[0] = (0.0, 0.0, 0.3)
    turn_back(motion, 0)
    c, s = np.cos(0.3), np.sin(0.3)
    expected = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    assert_close(rotation_matrices(motion.bodies.attitude[0]), expected, rtol=1e-14)
    assert not motion.bodies.turn.any()


@pytest.mark.parametrize("book", [RUBBING, CONTACT_DAMPING])
@pytest.mark.parametrize("is_spread", [False, True])
def test_contacts_of_one_node_rub_over_the_mean_way_whichever_comes_first(is_spread, book):
    """Heat of all is that of their sum: -(J1 + J2) . (v + (J1 + J2)/(2 m)), recorded piece by piece."""
    net, motion = small_net([[0.0, 0.0, 0.0]], [0.5])
    motion.points.v[0] = v = np.array([2.0, -1.0, 0.0])
    total, recorded = np.zeros(3), 0.0
    for impulse in np.array([[-0.2, 0.1, 0.0], [-0.1, 0.0, 0.3], [0.05, 0.2, -0.1]]):
        kick = tuple(motion.points.kick[0])
        seen = v + (0.5 if is_spread else 1.0) * np.array(kick) + impulse
        recorded += float(impulse @ seen)  # as the contact has it: v + kicks + J/(2 m)
        push_point(net, motion, 0, (0.0, 0.0, 0.0), tuple(impulse), (0.0, 0.0, 0.0))
        none = (0.0, 0.0, 0.0)
        lossy = (tuple(impulse), none) if book == RUBBING else (none, tuple(impulse))
        note_lossy(motion, 0, lossy, kick, is_spread)
        total += impulse
    assert_close(recorded + motion.ledger.work[book], float(total @ (v + total)), rtol=1e-12)
