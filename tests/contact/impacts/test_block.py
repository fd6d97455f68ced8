"""Impacts of several contacts at once: symmetric, dissipative, and known answers of balls and boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.impacts.block import (
    CUT_SHORT,
    FRICTION,
    FRICTION_WORK,
    IMPULSE,
    NORMAL_WORK,
    RESTITUTION,
    VELOCITY,
    block_arrays,
    block_impact,
)
from haptos.core.jit import entry
from tests.close import assert_close
from tests.contact.block_cases import CUBE_INERTIA, MASS, UP, frames, jacobian, masses

FLAT = np.array([(x, y, -0.1) for x in (-0.1, 0.1) for y in (-0.1, 0.1)])


@entry
def compiled(matrix, rows, count):
    return block_impact(matrix, rows, count)


def solved(matrix, velocity, friction, restitution):
    """(velocities after, impulses, works (normal, friction), status) of a block."""
    count = len(velocity) // 3
    g, rows = block_arrays()
    g[: 3 * count, : 3 * count] = matrix
    rows[VELOCITY, : 3 * count] = velocity
    rows[FRICTION, :count], rows[RESTITUTION, :count] = friction, restitution
    status = compiled(g, rows, count)
    works = rows[NORMAL_WORK, :count].sum(), rows[FRICTION_WORK, :count].sum()
    return rows[VELOCITY, : 3 * count].copy(), rows[IMPULSE, : 3 * count].copy(), works, status


def struck(points, normals, motion, friction, restitution, inertia=CUBE_INERTIA):
    """Motion (v, w) of a body after the impact of points that all close, and the works."""
    j, inverse = jacobian(points, frames(normals)), masses(inertia)
    _, impulse, works, status = solved(j @ inverse @ j.T, j @ motion, friction, restitution)
    return motion + inverse @ j.T @ impulse, works, status


@pytest.mark.parametrize("friction", [0.0, 0.5, 10.0])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_flat_drop_leaves_at_e_v_and_does_not_turn(e, friction):
    after, works, _ = struck(FLAT, [UP] * 4, np.array([0, 0, -1.0, 0, 0, 0]), friction, e)
    assert np.abs(after - [0, 0, e, 0, 0, 0]).max() < 1e-13
    assert_close(sum(works), 0.5 * MASS * (e * e - 1.0), rtol=1e-12, scale=MASS)


def test_the_order_of_the_contacts_does_not_matter():
    motion = np.array([0.3, -0.1, -1.0, 0.5, 0.2, 0.8])
    one, _, _ = struck(FLAT, [UP] * 4, motion, 0.4, 0.6)
    other, _, _ = struck(FLAT[[2, 0, 3, 1]], [UP] * 4, motion, 0.4, 0.6)
    assert np.abs(one - other).max() < 1e-12


def chain(inverse_masses):
    """G of balls in a row along x that touch their neighbours: contact k between balls k and k + 1."""
    count = len(inverse_masses) - 1
    g = np.zeros((3 * count, 3 * count))
    for k in range(count):
        n = 3 * k + 2
        g[n, n] = inverse_masses[k] + inverse_masses[k + 1]
        g[n - 1, n - 1] = g[n - 2, n - 2] = g[n, n]
        if k > 0:
            g[n, n - 3] = g[n - 3, n] = -inverse_masses[k]
    return g


def collided(velocities, inverse_masses, e):
    """Velocities of balls in a row after blocks of what closes, until nothing does."""
    return after_blocks(velocities, inverse_masses, e)[0]


def after_blocks(velocities, inverse_masses, e, most=100):
    """(velocities, number of blocks) of the same."""
    v = np.array(velocities, dtype=float)
    over = np.array(inverse_masses)
    for blocks in range(most):
        closing = [k for k in range(len(v) - 1) if v[k + 1] - v[k] < -1e-13]
        if not closing:
            return v, blocks
        rows = np.array([3 * k + i for k in closing for i in range(3)])
        u = np.zeros(len(rows))
        u[2::3] = [v[k + 1] - v[k] for k in closing]
        _, impulse, _, _ = solved(chain(over)[np.ix_(rows, rows)], u, 0.0, e)
        for k, p in zip(closing, impulse[2::3], strict=True):
            v[k] -= p * over[k]
            v[k + 1] += p * over[k + 1]
    raise AssertionError("it never ends")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([1, 0, 0, 0, 0], [0, 0, 0, 0, 1]),
        ([1, 1, 0, 0, 0], [0, 0, 0, 1, 1]),
        ([1, 1, 1, 0, 0], [0, 0, 1, 1, 1]),
        ([1, 0, 0, 0, -1], [-1, 0, 0, 0, 1]),
        ([1, 0, -1], [-1, 0, 1]),
    ],
)
def test_newtons_cradle_passes_its_balls_on(before, after):
    assert np.abs(collided(before, np.ones(len(before)), 1.0) - after).max() < 1e-13


def test_a_cradle_with_a_heavy_ball_keeps_momentum_and_energy():
    over = np.array([1.0, 0.25, 1.0])
    after = collided([1.0, 0.0, 0.0], over, 1.0)
    assert_close(np.sum(after / over), 1.0, rtol=1e-13)
    assert_close(np.sum(after**2 / over), 1.0, rtol=1e-13)
    assert_close(after, [-0.6, 0.24, 0.64], rtol=1e-13)  # hit after hit: 2/5, then 8/5


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_a_cradle_without_restitution_moves_on_together(count):
    """What still closes shrinks by cos(pi/n) a block: the largest eigenvalue of a row of n - 1 contacts relaxed every second at a time."""
    after, blocks = after_blocks([1.0] + [0.0] * (count - 1), np.ones(count), 0.0, 400)
    assert np.abs(after - 1.0 / count).max() < 1e-12
    assert_close(blocks, math.log(1e-13) / math.log(math.cos(math.pi / count)), rtol=0.1)


@pytest.mark.parametrize("e", [0.5, 0.8, 0.95])
def test_a_cradle_with_restitution_ends_within_two_blocks_a_ball(e):
    for count in (3, 4, 5, 6):
        after, blocks = after_blocks([1.0] + [0.0] * (count - 1), np.ones(count), e)
        assert blocks <= 2 * count
        assert_close(after.sum(), 1.0, rtol=1e-13)


@pytest.mark.parametrize("degrees", [5.0, 20.0, 45.0, 60.0])
@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_a_ball_that_falls_into_a_groove_without_friction_leaves_at_e_v(degrees, e):
    wall = math.radians(degrees)
    normals = [np.array([side * math.sin(wall), 0.0, math.cos(wall)]) for side in (-1, 1)]
    points = [-0.1 * n for n in normals]
    inertia = 0.4 * MASS * 0.01 * np.eye(3)
    after, _, _ = struck(points, normals, np.array([0, 0.3, -1.0, 0, 0, 0]), 0.0, e, inertia)
    assert np.abs(after - [0, 0.3, e, 0, 0, 0]).max() < 1e-10


def test_a_ball_that_falls_along_a_groove_and_sticks_rolls_at_five_ninths():
    """Its angular momentum about the line through both contacts is kept: v (1 + 2/5 / sin^2) = v0, at 45 degrees."""
    normals = [np.array([side * math.sqrt(0.5), 0.0, math.sqrt(0.5)]) for side in (-1, 1)]
    points = [-0.1 * n for n in normals]
    inertia = 0.4 * MASS * 0.01 * np.eye(3)
    after, _, _ = struck(points, normals, np.array([0, 0.3, -1.0, 0, 0, 0]), 10.0, 0.0, inertia)
    assert_close(after[1], 5.0 / 9.0 * 0.3, rtol=1e-12)
    assert_close(after[3], -after[1] / (0.1 * math.sqrt(0.5)), rtol=1e-12)
    spoiled, _, _ = struck(
        points, normals, np.array([0, 0.3, -1.0, 0, 0, 0]), 10.0, 0.0, 1.01 * inertia
    )
    with pytest.raises(AssertionError):
        assert_close(spoiled[1], 5.0 / 9.0 * 0.3, rtol=1e-12)


def test_friction_takes_what_coulomb_says_from_a_box_that_slides():
    motion = np.array([1.0, 0.0, -0.1, 0.0, 0.0, 0.0])
    flat = np.array([(x, y, -1e-9) for x in (-0.1, 0.1) for y in (-0.1, 0.1)])  # a plate: no moment
    after, works, _ = struck(flat, [UP] * 4, motion, 0.3, 0.5)
    assert_close(after[0], 1.0 - 0.3 * 1.5 * 0.1, rtol=1e-8)
    assert works[0] < 0.0
    assert works[1] < 0.0
    spoiled, _, _ = struck(flat, [UP] * 4, motion, 0.303, 0.5)
    with pytest.raises(AssertionError):
        assert_close(spoiled[0], 1.0 - 0.3 * 1.5 * 0.1, rtol=1e-8)


def random_block(rng):
    """(points, normals, inertia, motion) of a random body with contacts that close."""
    count = rng.integers(2, 9)
    points = np.column_stack([rng.uniform(-0.1, 0.1, (count, 2)), np.full(count, -0.1)])
    normals = UP + rng.normal(size=(count, 3)) * rng.choice([0.0, 0.05, 0.5])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    inertia = np.diag(rng.uniform(0.5, 1.5, 3)) * 0.01
    motion = np.concatenate([rng.normal(size=3) * 0.5 + [0, 0, -1], rng.normal(size=3) * 3.0])
    closing = (jacobian(points, frames(normals)) @ motion)[2::3] < 0.0
    return points[closing], normals[closing], inertia, motion


def test_energy_never_grows_and_the_works_account_for_it():
    rng = np.random.default_rng(1)
    short = done = 0
    while done < 500:
        points, normals, inertia, motion = random_block(rng)
        if len(points) < 2:
            continue
        friction, e = rng.choice([0.0, 0.3, 1.0, 10.0]), rng.choice([0.0, 0.5, 1.0])
        after, works, status = struck(points, normals, motion, friction, e, inertia)
        held = np.linalg.inv(masses(inertia))
        change = 0.5 * (after @ held @ after - motion @ held @ motion)
        scale = motion @ held @ motion
        assert change <= 1e-13 * scale
        assert abs(sum(works) - change) < 1e-12 * scale
        assert max(works) <= 0.0
        short += status == CUT_SHORT
        done += 1
    assert short <= 0.03 * done


def test_without_friction_e_squared_of_what_compression_took_comes_back():
    motion = np.array([0.2, 0.0, -1.0, 0.4, -0.3, 0.0])
    energies = []
    held = np.linalg.inv(masses(CUBE_INERTIA))
    for e in (0.0, 0.5, 1.0):
        after, _, _ = struck(FLAT, [UP] * 4, motion, 0.0, e)
        energies.append(0.5 * after @ held @ after)
    assert_close(energies[2], 0.5 * motion @ held @ motion, rtol=1e-13)
    assert_close(energies[1], 0.75 * energies[0] + 0.25 * energies[2], rtol=1e-13)
