"""Threads that bend, laid out: inertia of nodes, references, longest steps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.rotations import quaternion_product, random_quaternion, rotation_matrices
from haptos.dynamics.cable.beam_arrays import BEAM_THRUST, SWIVEL
from haptos.dynamics.cable.beam_layout import Span, along_x, lay_beams
from haptos.dynamics.cable.thread_beam import element_inertia
from tests.beam_cases import rod, stiff_thread
from tests.close import assert_close

THREAD = stiff_thread(diameter=0.03)


def cross_of(arms):
    """Elements that meet in node 0, in unit directions."""
    return [
        Span(k, (0, k + 1), (0, SWIVEL), THREAD, 0.4, 0.8, tuple(float(c) for c in arm))
        for k, arm in enumerate(arms)
    ]


def test_x_is_taken_to_any_direction():
    rng = np.random.default_rng(2)
    for direction in [*np.eye(3), *-np.eye(3), *rng.normal(size=(5, 3))]:
        unit = direction / np.linalg.norm(direction)
        dcm = rotation_matrices(np.array(along_x(unit)))
        assert_close(dcm[:, 0], unit, rtol=1e-12, scale=1.0)


def test_node_within_a_thread_has_the_inertia_of_one_element():
    _, along, across = element_inertia(THREAD, 0.4)
    beams, _ = lay_beams(cross_of([[1, 0, 0], [-1, 0, 0]]), 1, np.ones(3))
    assert_close(np.sort(1.0 / beams.inverse_inertia[0]), [along, across, across], rtol=1e-12)


def test_axes_of_a_slanted_knot_are_principal_and_elements_are_straight_in_them():
    arms = np.array([[1.0, 2.0, 0.5], [-0.3, 1.0, 2.0], [0.2, -1.0, 0.4]])
    arms /= np.linalg.norm(arms, axis=1)[:, None]
    frame = random_quaternion(np.random.default_rng(4))
    beams, turning = lay_beams(cross_of(arms), 1, np.ones(4), frame=frame)
    for c, arm in enumerate(arms):
        q = quaternion_product(tuple(turning.attitude[0]), tuple(beams.reference[c, 0]))
        found = rotation_matrices(np.array(q))[:, 0]
        assert_close(found, rotation_matrices(frame) @ arm, rtol=1e-12, scale=1.0)
    assert_close(
        (1.0 / beams.inverse_inertia[0]).sum(),
        1.5 * (2.0 * element_inertia(THREAD, 0.4)[2] + element_inertia(THREAD, 0.4)[1]),
        rtol=1e-12,
    )


def test_thrust_is_limited_by_the_link_and_not_by_the_element():
    beams, _ = lay_beams(cross_of([[1, 0, 0]]), 1, np.ones(2))
    wanted = math.pi**2 * THREAD.bending_stiffness / 0.8**2
    assert_close(beams.numbers[0, BEAM_THRUST], wanted, rtol=1e-13)


@pytest.mark.parametrize("wide", [0.005, 0.05])
def test_longest_step_is_below_that_of_the_stiffest_mode(wide):
    """Against the highest frequency of a straight free rod, bending and twist."""
    from scipy.linalg import eigh

    from haptos.dynamics.cable.thread_beam import beam_stiffness

    count, length = 6, 1.0
    thread = stiff_thread(diameter=wide)
    net, motion = rod(count, length, thread)
    element = length / count
    size = 6 * (count + 1)
    whole = np.zeros((size, size))
    for k in range(count):
        part = beam_stiffness(0.0, thread.torsion_stiffness, thread.bending_stiffness, element)
        whole[6 * k : 6 * k + 12, 6 * k : 6 * k + 12] += part
    moments = 1.0 / net.beams.inverse_inertia  # least first: about x
    weights = np.concatenate(
        [[m, m, m, *i] for m, i in zip(motion.points.mass, moments, strict=True)]
    )
    highest = math.sqrt(eigh(whole, np.diag(weights), eigvals_only=True)[-1])
    assert net.beams.limit < 2.0 / highest
    assert net.beams.limit > 0.02 * 2.0 / highest


def test_damping_shortens_the_longest_step():
    free, _ = rod(4, 1.0, stiff_thread())
    damped, _ = rod(4, 1.0, stiff_thread(damping=(0.0, 0.5, 0.5)))
    assert damped.beams.limit < 0.9 * free.beams.limit
