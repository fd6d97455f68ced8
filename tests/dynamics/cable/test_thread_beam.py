"""Threads that bend and twist: exact work, momentum, closed forms of rods."""

from __future__ import annotations

import dataclasses
import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import ConfigError
from haptos.core.rotations import quaternion_product, random_quaternion, rotation_matrices
from haptos.dynamics.cable.thread_beam import (
    BeamJoint,
    beam_joint,
    beam_joint_load,
    beam_stiffness,
    buckling_load,
    element_inertia,
    relative_rotation,
)
from haptos.materials.threads import thread
from tests.close import assert_close

JOINT = BeamJoint(50.0, 3.0, 0.7, 0.0, 0.0, 0.0)
DAMPED = BeamJoint(50.0, 3.0, 0.7, 2.0, 0.3, 0.2)
ENDS = (0.4, -0.3)  # [m]
seeds = st.integers(0, 2**32 - 1)


def tuples(vector):
    return tuple(float(part) for part in vector)


def turn(vector):
    """Unit quaternion of a rotation vector [rad]."""
    angle = float(np.linalg.norm(vector))
    share = math.sin(0.5 * angle) / angle if angle > 0.0 else 0.5
    return (math.cos(0.5 * angle), *(share * np.asarray(vector, float)))


def turned(quaternion, vector):
    """The attitude after a further small turn about N axes."""
    return tuples(quaternion_product(turn(vector), quaternion))


def random_pair(seed, angle=2.0):
    """Two elements with a gap of some centimetres and a relative turn below `angle`."""
    rng = np.random.default_rng(seed)
    qa = tuples(random_quaternion(rng))
    axis = rng.normal(size=3)
    size = rng.uniform(0.0, angle)
    qb = tuples(quaternion_product(qa, turn(size * axis / np.linalg.norm(axis))))
    return [
        (tuples(rng.normal(size=3)), tuples(rng.normal(size=3)), q, tuples(rng.normal(size=3)))
        for q in (qa, qb)
    ]


def load(a, b, joint=JOINT):
    force, on_a, on_b, energy, lost = beam_joint_load(joint, a, b, *ENDS)
    return np.array(force), np.array(on_a), np.array(on_b), energy, lost


@given(seeds)
@settings(max_examples=50)
def test_forces_and_moments_are_the_slope_of_the_energy(seed):
    a, b = random_pair(seed)
    force, on_a, on_b, _, _ = load(a, b)
    step = 1e-5

    def slope(move):
        return np.array([(move(step * e) - move(-step * e)) / (2.0 * step) for e in np.eye(3)])

    def moved_a(e):
        return load((tuples(np.array(a[0]) + e), *a[1:]), b)[3]

    def turned_a(e):
        return load((a[0], a[1], turned(a[2], e), a[3]), b)[3]

    def turned_b(e):
        return load(a, (b[0], b[1], turned(b[2], e), b[3]))[3]

    size = float(np.abs(force).max() + np.abs(on_a).max() + 1.0)
    assert_close(-slope(moved_a), force, rtol=1e-8, scale=size)
    assert_close(-slope(turned_a), on_a, rtol=1e-8, scale=size)
    assert_close(-slope(turned_b), on_b, rtol=1e-8, scale=size)


@given(seeds)
def test_momentum_is_kept_and_damping_only_takes(seed):
    a, b = random_pair(seed)
    force, on_a, on_b, _, lost = load(a, b, DAMPED)
    whole = on_a + np.cross(a[0], force) + on_b + np.cross(b[0], -force)
    assert_close(whole, np.zeros(3), rtol=1e-13, scale=float(np.abs(on_a).max() + np.abs(force).max()) + 1.0)  # fmt: skip
    assert lost >= 0.0


@given(seeds)
def test_power_is_what_the_damper_takes_and_the_energy_stores(seed):
    """d(energy)/dt along the motion, by finite differences, + loss = - power of the loads."""
    a, b = random_pair(seed)
    force, on_a, on_b, _, lost = load(a, b, DAMPED)
    power = force @ np.array(a[1]) - force @ np.array(b[1]) + on_a @ np.array(a[3]) + on_b @ np.array(b[3])  # fmt: skip

    def after(dt):
        moved = [
            (tuples(np.array(x) + dt * np.array(v)), v, turned(q, dt * np.array(w)), w)
            for x, v, q, w in (a, b)
        ]
        return load(*moved)[3]

    stored = (after(1e-6) - after(-1e-6)) / 2e-6
    assert_close(-power, stored + lost, rtol=1e-6, scale=abs(stored) + lost + 1.0)


@given(seeds)
def test_load_turns_with_the_world(seed):
    a, b = random_pair(seed)
    rng = np.random.default_rng(seed + 1)
    q = tuples(random_quaternion(rng))
    dcm = rotation_matrices(np.array(q))
    here = load(a, b, DAMPED)
    there = load(
        *(
            (tuples(dcm @ x), tuples(dcm @ v), tuples(quaternion_product(q, p)), tuples(dcm @ w))
            for x, v, p, w in ((np.array(x), np.array(v), p, np.array(w)) for x, v, p, w in (a, b))
        ),
        joint=DAMPED,
    )
    for one, other in zip(here[:3], there[:3], strict=True):
        assert_close(other, dcm @ one, rtol=1e-12, scale=float(np.abs(one).max()) + 1.0)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 1.0, 3.0])
def test_relative_rotation_is_its_own_vector(angle):
    axis = np.array([0.48, -0.6, 0.64])
    base = tuples(random_quaternion(np.random.default_rng(3)))
    for sign in (1.0, -1.0):
        other = tuples(sign * np.array(quaternion_product(base, turn(angle * axis))))
        p, half = relative_rotation(base, other)
        assert_close(p, angle * axis, rtol=1e-14, scale=max(angle, 1.0))
        wanted = quaternion_product(base, turn(0.5 * angle * axis))
        assert_close(half, wanted, rtol=1e-14)


BRAID = thread("technora braid")


def rod(count, length=0.5):
    """(joints, half length): a clamped rod of `count` elements; the clamp is half an element away."""
    element = length / count
    joints = [beam_joint(BRAID, 0.5 * element)] + [beam_joint(BRAID, element)] * (count - 1)
    return joints, 0.5 * element


WALL = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def rod_loads(joints, half, elements):
    """Force and moment on every element from the joints, (count, 6)."""
    loads = np.zeros((len(elements), 6))
    chain = [WALL, *elements]
    for number, joint in enumerate(joints):
        end = 0.0 if number == 0 else half
        force, on_a, on_b, _, _ = beam_joint_load(
            joint, chain[number], chain[number + 1], end, -half
        )
        loads[number] += [*(-np.array(force)), *on_b]
        if number:
            loads[number - 1] += [*force, *on_a]
    return loads


def placed(half, moves):
    """Elements of a straight rod displaced by (count, 6) small moves and turns."""
    return [
        (
            tuples([(2 * number + 1) * half + move[0], move[1], move[2]]),
            (0.0, 0.0, 0.0), turn(move[3:]), (0.0, 0.0, 0.0),
        )
        for number, move in enumerate(moves)
    ]  # fmt: skip


@functools.cache
def rod_stiffness(count):
    """Linear stiffness of a clamped rod, (6 count, 6 count), by differences of the joint law."""
    joints, half = rod(count)
    columns = []
    for index in range(6 * count):
        # a gap is so much stiffer than a turn that each has its own step
        step = 1e-7 if index % 6 < 3 else 1e-4
        move = np.zeros(6 * count)
        move[index] = step
        ahead, back = (
            rod_loads(joints, half, placed(half, (s * move).reshape(-1, 6))) for s in (1, -1)
        )
        columns.append(-(ahead - back).reshape(-1) / (2.0 * step))
    return np.stack(columns, axis=1)


def tip_answer(count, load_at_tip):
    """Move and turn of the tip, (6,), under a force and moment there, linear."""
    _, half = rod(count)
    loads = np.zeros((count, 6))
    loads[-1] = load_at_tip
    loads[-1, 3:] += np.cross([half, 0.0, 0.0], loads[-1, :3])
    answer = np.linalg.solve(rod_stiffness(count), loads.reshape(-1)).reshape(-1, 6)[-1]
    return np.concatenate([answer[:3] + np.cross(answer[3:], [half, 0.0, 0.0]), answer[3:]])


def test_cantilever_bends_as_in_the_textbook_and_converges_with_second_order():
    exact = 1e-6 * 0.5**3 / (3.0 * BRAID.bending_stiffness)
    errors = [tip_answer(count, [0, 1e-6, 0, 0, 0, 0])[1] / exact - 1.0 for count in (4, 8, 16)]
    assert abs(errors[2]) < 2.5e-3
    orders = [math.log2(errors[k] / errors[k + 1]) for k in (0, 1)]
    assert_close(orders, [2.0, 2.0], rtol=0.05)


def test_torsion_and_tension_of_a_rod_are_exact_up_to_the_middle_of_its_last_element():
    """The last half element is rigid and has no joint: L (1 - 1 / 2 n) turns and stretches."""
    length = 0.5 * (1.0 - 1.0 / 16.0)
    turned_by = tip_answer(8, [0, 0, 0, 1e-6, 0, 0])[3]
    assert_close(turned_by, 1e-6 * length / BRAID.torsion_stiffness, rtol=1e-6)
    assert_close(tip_answer(8, [1.0, 0, 0, 0, 0, 0])[0], length / BRAID.axial_stiffness, rtol=1e-6)


def test_a_moment_bends_a_rod_into_a_circle():
    """M = 2 pi EJ / L closes it; every element is in equilibrium however far it is bent."""
    count = 24
    joints, half = rod(count)
    bend = 2.0 * math.pi / count
    moment = 2.0 * math.pi * BRAID.bending_stiffness / 0.5
    angles = bend * (np.arange(count) + 0.5)
    ends = np.zeros(3)
    elements = []
    for angle in angles:
        along = np.array([math.cos(angle), math.sin(angle), 0.0])
        elements.append(
            (tuples(ends + half * along), (0.0,) * 3, turn([0.0, 0.0, angle]), (0.0,) * 3)
        )
        ends = ends + 2.0 * half * along
    loads = rod_loads(joints, half, elements)
    loads[-1, 5] += moment
    # a gap of one rounding error is 1e-8 of the moment: axial stiffness is that much larger
    assert_close(loads[:, 3:], np.zeros((count, 3)), rtol=1e-7, scale=moment)
    assert np.linalg.norm(ends) < 1e-12


def test_lowest_frequencies_of_a_cantilever():
    """(1.8751, 4.6941)^2 sqrt(EJ / rho_l) / L^2, and pi/2 sqrt(EA / rho_l) / L along it."""
    from scipy.linalg import eigh

    count = 16
    mass, along, across = element_inertia(BRAID, 0.5 / count)
    weights = np.tile([mass, mass, mass, along, across, across], count)
    stiffness = rod_stiffness(count)
    symmetric = 0.5 * (stiffness + stiffness.T)
    values = np.sqrt(np.abs(eigh(symmetric, np.diag(weights), eigvals_only=True)))
    bending = (
        np.array([1.87510, 4.69409]) ** 2
        * math.sqrt(BRAID.bending_stiffness / BRAID.linear_density)
        / 0.25
    )
    assert_close(values[[0, 2]], bending, rtol=2e-2, scale=bending[1])
    wave = 0.5 * math.pi * math.sqrt(BRAID.axial_stiffness / BRAID.linear_density) / 0.5
    assert np.min(np.abs(values / wave - 1.0)) < 2e-2


def test_element_matrix_has_six_rigid_motions_and_the_textbook_cantilever():
    axial, torsion, bending, length = 3.0, 5.0, 7.0, 1.3
    matrix = beam_stiffness(axial, torsion, bending, length)
    np.testing.assert_array_equal(matrix, matrix.T)
    values = np.linalg.eigvalsh(matrix)
    assert_close(values[:6], np.zeros(6), rtol=1e-13, scale=values[-1])
    assert values[6] > 0.1
    tip = np.linalg.inv(matrix[6:, 6:])
    assert_close(tip[0, 0], length / axial, rtol=1e-13)
    assert_close(tip[3, 3], length / torsion, rtol=1e-13)
    for across, about, sign in ((1, 5, 1.0), (2, 4, -1.0)):
        assert_close(tip[across, across], length**3 / (3.0 * bending), rtol=1e-12)
        assert_close(tip[about, across], sign * length**2 / (2.0 * bending), rtol=1e-12)
        assert_close(tip[about, about], length / bending, rtol=1e-12)


def test_element_matrix_knows_translations_and_rotations():
    matrix = beam_stiffness(3.0, 5.0, 7.0, 1.3)
    for axis in range(3):
        shift = np.zeros(12)
        shift[[axis, 6 + axis]] = 1.0
        spin = np.zeros(12)
        spin[[3 + axis, 9 + axis]] = 1.0
        spin[6:9] = np.cross(np.eye(3)[axis], [1.3, 0.0, 0.0])
        for motion in (shift, spin):
            assert_close(matrix @ motion, np.zeros(12), rtol=1e-13, scale=float(matrix.max()))


def test_rods_of_joints_agree_with_the_element_matrix():
    """Tip of 16 elements with joints against one exact Euler-Bernoulli element."""
    matrix = beam_stiffness(
        BRAID.axial_stiffness, BRAID.torsion_stiffness, BRAID.bending_stiffness, 0.5
    )
    exact = np.linalg.inv(matrix[6:, 6:]) @ [0.0, 1e-6, 0.0, 0.0, 0.0, 0.0]
    found = tip_answer(16, [0.0, 1e-6, 0.0, 0.0, 0.0, 0.0])
    assert_close(found[[1, 5]], exact[[1, 5]], rtol=3e-3)


def test_buckling_load_of_a_braid_is_small():
    assert_close(buckling_load(1.34e-6, 0.05), math.pi**2 * 1.34e-6 / 0.0025, rtol=1e-14)
    assert buckling_load(1.34e-6, 0.05) < 6e-3


def test_limp_threads_and_no_lengths_are_refused():
    with pytest.raises(ConfigError, match="limp"):
        beam_joint(thread("kevlar 49", 1e-3), 0.1)
    for wrong in (0.0, -1.0, math.nan):
        with pytest.raises(ConfigError, match="above zero"):
            beam_joint(BRAID, wrong)


def test_check_has_teeth(monkeypatch):
    exact = 0.5 * (1.0 - 1.0 / 16.0) / BRAID.torsion_stiffness
    assert_close(tip_answer(8, [0, 0, 0, 1.0, 0, 0])[3], exact, rtol=1e-3)
    spoiled = dataclasses.replace(BRAID, torsion_stiffness=1.01 * BRAID.torsion_stiffness)
    monkeypatch.setitem(globals(), "BRAID", spoiled)
    monkeypatch.setitem(globals(), "rod_stiffness", rod_stiffness.__wrapped__)
    with pytest.raises(AssertionError):
        assert_close(tip_answer(8, [0, 0, 0, 1.0, 0, 0])[3], exact, rtol=1e-3)
