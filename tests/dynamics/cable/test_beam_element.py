"""An element that bends and twists: exact work, momentum, and the matrix of Euler and Bernoulli."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.dynamics.cable.beam_element import beam_load, swivel_load, thrust_of
from haptos.dynamics.cable.thread_beam import BeamJoint, beam_stiffness
from tests.close import assert_close
from tests.dynamics.cable.test_thread_beam import random_pair, tuples, turn, turned

JOINT = BeamJoint(50.0, 3.0, 0.7, 0.0, 0.0, 0.0)
DAMPED = BeamJoint(50.0, 3.0, 0.7, 0.3, 0.2, 0.15)
LENGTH = 1.3  # [m]
REST = (0.0, 0.0, 0.0)
seeds = st.integers(0, 2**32 - 1)


def load(a, b, joint=JOINT, *, still=True):
    """Load of an element between two ends (place, velocity, quaternion, rate), as arrays."""
    d = tuples(np.subtract(b[0], a[0]))
    v = REST if still else tuples(np.subtract(b[1], a[1]))
    ends = [(end[2], REST if still else end[3]) for end in (a, b)]
    force, first, second, held, lost = beam_load(joint, LENGTH, d, v, *ends)
    return np.array(force), np.array(first), np.array(second), sum(held), lost


def slopes(energy, step=1e-5):
    return np.array([(energy(step * e) - energy(-step * e)) / (2.0 * step) for e in np.eye(3)])


@given(seeds)
@settings(max_examples=50)
def test_loads_are_the_slope_of_the_energy_at_large_turns(seed):
    a, b = random_pair(seed, angle=6.2)
    force, first, second, _, _ = load(a, b)

    def moved(e):
        return load(a, (tuples(np.array(b[0]) + e), *b[1:]))[3]

    def turned_a(e):
        return load((a[0], a[1], turned(a[2], e), a[3]), b)[3]

    def turned_b(e):
        return load(a, (b[0], b[1], turned(b[2], e), b[3]))[3]

    size = float(np.abs([force, first, second]).max()) + 1.0
    assert_close(-slopes(moved), force, rtol=1e-6, scale=size)
    assert_close(-slopes(turned_a), first, rtol=1e-6, scale=size)
    assert_close(-slopes(turned_b), second, rtol=1e-6, scale=size)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 0.6, 0.8), (0.6, 0.48, 0.64)])
def test_energy_has_no_seam_at_half_a_turn(axis):
    """Loads just before and just beyond half a turn from end to end are the same."""
    a = ((0.0, 0.0, 0.0), REST, (1.0, 0.0, 0.0, 0.0), REST)
    near = []
    for angle in (math.pi - 1e-9, math.pi + 1e-9):
        q = tuples(turn(angle * np.array(axis)))
        near.append(load(a, ((0.7, 0.4, -0.2), REST, q, REST)))
    for one, other in zip(*near, strict=True):
        assert_close(one, other, rtol=1e-7, scale=10.0)


@given(seeds)
def test_energy_is_never_below_that_of_the_straight_element(seed):
    a, b = random_pair(seed, angle=6.2)
    assert load(a, b)[3] >= 0.0


@given(seeds)
def test_momentum_is_kept_and_the_power_of_dampers_is_what_is_lost(seed):
    a, b = random_pair(seed, angle=6.2)
    loads = [load(a, b, joint, still=False) for joint in (DAMPED, JOINT)]
    d, v = np.subtract(b[0], a[0]), np.subtract(b[1], a[1])
    powers = []
    for force, first, second, _, _ in loads:
        size = float(np.abs([*first, *second, *force]).max()) + 1.0
        assert_close(first + second + np.cross(d, force), np.zeros(3), rtol=1e-13, scale=size)
        powers.append(force @ v + first @ np.array(a[3]) + second @ np.array(b[3]))
    assert loads[0][4] >= 0.0
    assert_close(powers[1] - powers[0], loads[0][4], rtol=1e-10, scale=abs(powers[0]) + 1.0)


def linear_loads(move, axial=50.0, most=math.inf, joint=JOINT):
    """Loads on both ends, (12,), of a straight element moved and turned a little; pulls included."""
    d = np.array([LENGTH, 0.0, 0.0]) + move[6:9] - move[:3]
    ends = [(tuples(turn(move[k : k + 3])), REST) for k in (3, 9)]
    force, first, second, _, _ = beam_load(joint, LENGTH, tuples(d), REST, *ends)
    distance = float(np.linalg.norm(d))
    push = thrust_of(axial, most, LENGTH, distance)[0] - axial * max(distance - LENGTH, 0.0)
    on_second = np.array(force) + push * d / distance
    return np.concatenate([-on_second, first, on_second, second])


def test_small_turns_give_the_matrix_of_euler_and_bernoulli():
    step = 1e-6

    def slopes(joint):
        moved = [
            linear_loads(step * e, joint=joint) - linear_loads(-step * e, joint=joint)
            for e in np.eye(12)
        ]
        return -np.stack(moved, axis=1) / (2.0 * step)

    matrix = beam_stiffness(50.0 * LENGTH, 3.0 * LENGTH, 0.7 * LENGTH, LENGTH)
    assert_close(slopes(JOINT), matrix, rtol=1e-9, scale=float(matrix.max()))
    for stiffness in JOINT._fields[1:3]:
        spoiled = JOINT._replace(**{stiffness: 1.01 * getattr(JOINT, stiffness)})
        with pytest.raises(AssertionError):
            assert_close(slopes(spoiled), matrix, rtol=1e-9, scale=float(matrix.max()))


@given(seeds)
@settings(max_examples=30)
def test_an_end_on_a_swivel_has_three_quarters_of_the_stiffness(seed):
    """The moment at one end of an element whose other end turns freely is 3 EJ/L of its turn."""
    a, b = random_pair(seed)
    d = np.subtract(b[0], a[0])

    def energy(e, q=a[2]):
        return swivel_load(JOINT, LENGTH, tuples(d + e), REST, (q, REST))[2]

    force, moment, _, _ = swivel_load(JOINT, LENGTH, tuples(d), REST, (a[2], REST))
    size = float(np.abs([*force, *moment]).max()) + 1.0
    assert_close(-slopes(energy), force, rtol=1e-6, scale=size)
    assert_close(-slopes(lambda e: energy(0.0, turned(a[2], e))), moment, rtol=1e-6, scale=size)
    straight = swivel_load(JOINT, LENGTH, (LENGTH, 0.0, 0.0), REST, (tuples(turn([0, 0, 1e-4])), REST))  # fmt: skip
    assert_close(straight[1][2], -3.0 * 0.7 * 1e-4, rtol=1e-7)


@pytest.mark.parametrize("short", [0.0, 1e-3, 0.02, 0.5, LENGTH])
def test_thrust_is_the_slope_of_its_energy_and_stops_at_the_buckling_load(short):
    axial, most, step = 50.0, 0.7, 1e-6
    thrust, energy = thrust_of(axial, most, LENGTH, LENGTH - short)
    assert_close(thrust, min(axial * short, most), rtol=1e-14, scale=most)
    if 0.0 < short < LENGTH:
        near = [thrust_of(axial, most, LENGTH, LENGTH - short + s)[1] for s in (-step, step)]
        assert_close((near[0] - near[1]) / (2.0 * step), thrust, rtol=1e-5)
    assert energy <= most * short


def test_ends_in_one_place_give_finite_loads():
    ends = [(tuples(turn([0.1, 0.2, z])), (1.0, 2.0, 3.0)) for z in (0.3, -0.4)]
    force, first, second, held, lost = beam_load(DAMPED, LENGTH, REST, (1.0, 0.0, 0.0), *ends)
    assert np.isfinite([*force, *first, *second, *held, lost]).all()
