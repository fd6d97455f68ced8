"""Forces of elements on their points, the stable step, and when a slack one pulls."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from haptos.dynamics.cable.candidates import sort_threads
from haptos.dynamics.cable.elements import pulled, thread_forces, time_to_taut
from haptos.dynamics.rigid.bodies import lightest
from tests.close import assert_close
from tests.net_cases import small_net

STRETCHING, LENGTH = 1e3, 0.1  # [N], [m]


def grid(stretch=1.01, side=4, damping=0.0):
    """A square net of `side` knots a side, its elements `stretch` times as long as their length."""
    index = np.arange(side * side).reshape(side, side)
    places = np.zeros((side * side, 3))
    places[:, 0] = index.ravel() % side * LENGTH * stretch
    places[:, 1] = index.ravel() // side * LENGTH * stretch
    along = np.stack([index[:, :-1].ravel(), index[:, 1:].ravel()], axis=1)
    over = np.stack([index[:-1].ravel(), index[1:].ravel()], axis=1)
    elements = np.concatenate([along, over])
    masses = np.random.default_rng(2).uniform(1e-3, 5e-3, len(places))
    return small_net(
        places, masses, elements=elements, lengths=np.full(len(elements), LENGTH),
        stretching=STRETCHING, damping=damping,
    )  # fmt: skip


def sorted_out(net, motion):
    room = np.zeros_like(motion.points.x)
    sort_threads(net.threads, net.points, net.inverse_inertia, motion, net.options.slack, room)


def forces(net, motion, share=1.0):
    force = np.zeros_like(motion.points.x)
    sorted_out(net, motion)
    return force, thread_forces(net.threads, motion, force, 0.0, share)


def test_distance_rate_and_direction_are_those_of_two_points():
    x, v = (
        np.array([[0.0, 0.0, 0.0], [3.0, 4.0, 0.0]]),
        np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 5.0]]),
    )
    distance, rate, u = pulled(x, v, 0, 1)
    assert_close((distance, rate, *u), (5.0, -0.6, 0.6, 0.8, 0.0), rtol=1e-15)
    assert pulled(x, v, 0, 0) == (0.0, 0.0, (0.0, 0.0, 0.0))


def test_forces_are_the_slope_of_the_energy_and_make_no_momentum():
    net, motion = grid()
    motion.points.x[:] += np.random.default_rng(3).normal(scale=1e-4, size=motion.points.x.shape)
    force, (held, broken, _) = forces(net, motion)
    assert broken == 0
    assert held > 0.0
    assert np.abs(force.sum(axis=0)).max() < 1e-12
    assert np.abs(np.cross(motion.points.x, force).sum(axis=0)).max() < 1e-12
    step = 1e-7
    for point, axis in ((0, 0), (5, 1), (9, 2)):
        energies = []
        for sign in (1.0, -1.0):
            moved = motion.points.x[point, axis]
            motion.points.x[point, axis] = moved + sign * step
            energies.append(forces(net, motion)[1][0])
            motion.points.x[point, axis] = moved
        slope = (energies[0] - energies[1]) / (2.0 * step)
        assert_close(force[point, axis], -slope, rtol=1e-5, scale=1.0)


def test_only_elements_near_their_length_are_looked_at_and_only_taut_ones_pull():
    net, motion = grid(stretch=0.5)
    force, (held, _, step) = forces(net, motion)
    assert motion.lists.state.near_count == 0.0
    assert held == 0.0
    assert step == math.inf
    assert not force.any()
    net, motion = grid(stretch=1.01)
    forces(net, motion)
    assert motion.lists.state.taut_count == len(net.threads.ends)


def test_the_step_is_stable_for_the_highest_frequency_and_not_much_too_short():
    """Against the eigenvalues of the stiffness of the taut net, scaled by the masses."""
    net, motion = grid()
    _, (_, _, step) = forces(net, motion)
    n = len(motion.points.x)
    matrix = np.zeros((3 * n, 3 * n))
    for i, j in net.threads.ends:
        u = (motion.points.x[j] - motion.points.x[i]) / np.linalg.norm(
            motion.points.x[j] - motion.points.x[i]
        )
        block = STRETCHING / LENGTH * np.outer(u, u)
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            matrix[3 * a : 3 * a + 3, 3 * b : 3 * b + 3] += sign * block
    scaled = matrix / np.sqrt(
        np.outer(np.repeat(motion.points.mass, 3), np.repeat(motion.points.mass, 3))
    )
    limit = 2.0 / math.sqrt(np.linalg.eigvalsh(scaled).max())
    assert 0.4 * limit < step <= limit
    half = forces(net, motion, share=0.5)[1][2]
    assert_close(half, 0.5 * step, rtol=1e-14)


def slack_pair(rate, pull):
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [0.06, 0.0, 0.0]], [1.0, 1.0], elements=[[0, 1]], lengths=[LENGTH]
    )
    motion.points.v[1, 0], motion.points.a[1, 0] = rate, pull
    return net, motion


@given(st.integers(-2000, 2000), st.integers(-5000, 5000))
def test_a_slack_element_is_taut_when_its_ends_have_gone_their_way(rate, pull):
    rate, pull = 1e-3 * rate, 1e-3 * pull
    _, motion = slack_pair(rate, pull)
    time = time_to_taut(motion, 0, 1, LENGTH, 0.0, 0.06)
    if math.isfinite(time):
        assert time >= 0.0
        reached = rate * time + 0.5 * pull * time * time
        assert_close(reached, 0.04, rtol=1e-6)
    else:
        times = np.linspace(0.0, 2.0, 400)
        assert np.max(rate * times + 0.5 * pull * times**2) < 0.04 * (1.0 + 1e-9)


def test_a_winch_brings_the_time_forward():
    _, motion = slack_pair(0.0, 0.0)
    assert time_to_taut(motion, 0, 1, LENGTH, 0.0, 0.06) == math.inf
    assert_close(time_to_taut(motion, 0, 1, LENGTH, -0.1, 0.06), 0.4, rtol=1e-12)


def test_a_fixed_point_shows_at_most_the_inverse_mass_of_a_push_across_its_arm():
    net, motion = small_net([], [], bodies=1, fixed=[(0, (0.0, 2.0, 0.0))])
    motion.bodies.inverse_mass[0] = 0.1
    net.inverse_inertia[0] = (0.3, 0.2, 0.05)
    assert_close(lightest(net.points, net.inverse_inertia, motion, 0), 0.1 + 4.0 * 0.3, rtol=1e-14)
