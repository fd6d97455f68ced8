"""A body in polygonal contact with its ground: closed forms, ledger, same bits for any output, rest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from haptos.contact.sets.polygons_pair import PolygonPair, foundation_law
from haptos.contact.sets.polygons_sum import ELASTIC
from haptos.dynamics.rigid.grounded_run import (
    LIFT,
    SETTLED,
    TOO_FAR,
    TOUCH,
    Grounded,
    losses_of,
    run_grounded,
    states_of,
)
from haptos.dynamics.rigid.touching_pair_march import (
    L_DEPTH,
    L_ELASTIC,
    L_KINETIC,
    L_POTENTIAL,
    L_STATE,
    L_STICK,
    L_TIME,
    STEPS_OVER,
    SUNK,
    TIME_OVER,
)
from haptos.environment.gravity import point, uniform
from haptos.geometry.distance.reference import half_space, meshed, revolved
from haptos.geometry.distance.revolution import ball_pieces
from haptos.geometry.distance.section_build import section
from haptos.geometry.mesh.curved_faces_build import octahedron_faces
from haptos.geometry.mesh.polyhedra import platonic_solid

R, MASS, K = 0.1, 2.0, 1e8
FACES = octahedron_faces(2, R, 3)
SMOOTH = foundation_law(K)
ROUGH = foundation_law(
    K, damping=2e5, damping_depth=1e-4, shear=3e7, friction=0.4, shear_damping=1e4
)
SOFT = foundation_law(
    K, damping=3e6, damping_depth=1e-5, shear=3e7, friction=0.4, shear_damping=1e6
)
DOWN = uniform((0.0, 0.0, -1.0))


def ball(law, *, ground=None, place=(0.0, 0.0, R + 0.05), speed=(0.0, 0.0, 0.0), **changes):
    """A ball above its ground."""
    state = np.zeros(13)
    state[:3], state[3:6], state[6] = place, speed, 1.0
    given = {
        "mass": MASS, "inertia": 0.4 * MASS * R * R * np.eye(3), "gravity": DOWN, "spin": np.zeros(3),
        "hull": np.zeros((1, 3)), "corner_radius": R, "rest": (1e-6, 1e-5, 0.2),
        "farthest": math.inf, "deepest": 0.02, "duration": 0.6, "tolerance": 1e-9,
    }  # fmt: skip
    pair = PolygonPair(ground or half_space(), FACES, law)
    return Grounded(pair=pair, state=state, **{**given, **changes})


def run(made, interval=0.0, steps=200_000):
    return run_grounded(made, energy=0.1, length=1e-3, interval=interval, steps=steps)


def test_a_smooth_ball_bounces_back_with_all_of_its_energy():
    """At the deepest point all of the height m g (h + d) is energy of the contact at that depth."""
    found = run(ball(SMOOTH, duration=0.8))
    assert found.ended == TIME_OVER
    assert abs(found.touch_time - math.sqrt(0.1)) < 1e-7
    assert found.largest_remainder < 1e-7 * 0.1
    assert [kind for _, kind, _ in found.events] == [TOUCH, LIFT]
    deepest = np.concatenate(found.rows)[:, L_DEPTH].max()
    pressed = PolygonPair(half_space(), FACES, SMOOTH).sums([0.0, 0.0, R - deepest])[0, ELASTIC]
    assert abs(pressed / (MASS * (0.05 + deepest)) - 1.0) < 1e-3


def test_energy_of_leaves_comes_to_that_of_the_ball_with_order_two():
    """pi K R d^3/3 of a ball is right; 8 parts of an edge of 128 faces miss 6 % of it at this depth, 32 parts 0.4 %."""
    depth = 2.1e-3
    errors = [
        PolygonPair(half_space(), octahedron_faces(2, R, levels), SMOOTH).sums([0, 0, R - depth])[
            0, ELASTIC
        ]
        / (math.pi * K * R * depth**3 / 3.0)
        - 1.0
        for levels in (3, 4, 5)
    ]
    assert -0.07 < errors[0] < -0.04
    assert 3.7 < errors[0] / errors[1] < 4.3
    assert 3.7 < errors[1] / errors[2] < 4.3


def test_an_impact_goes_as_deep_as_its_closed_form():
    """m g (h + d) = pi K R d^3/3."""
    fine = replace(
        ball(SMOOTH, duration=0.45),
        pair=PolygonPair(half_space(), octahedron_faces(3, R, 5), SMOOTH),
    )
    deepest = np.concatenate(run(fine).rows)[:, L_DEPTH].max()
    exact = brentq(lambda d: MASS * (0.05 + d) - math.pi * K * R * d**3 / 3.0, 1e-4, 1e-2)
    assert abs(deepest / exact - 1.0) < 1e-3


def test_motion_has_the_same_bits_for_any_output_interval():
    made = ball(ROUGH, speed=(0.2, 0.0, 0.0))
    every, some, none = (run(made, interval) for interval in (0.0, 0.05, math.inf))
    assert np.array_equal(every.last, some.last)
    assert np.array_equal(every.last, none.last)
    assert sum(map(len, none.rows)) == 2
    rows, steps = np.concatenate(some.rows), np.concatenate(every.rows)
    np.testing.assert_allclose(rows[:, L_TIME], 0.05 * np.arange(13), rtol=0.0, atol=1e-15)
    place = [
        np.interp(rows[:, L_TIME], steps[:, L_TIME], steps[:, L_STATE + 13 + k]) for k in (0, 2)
    ]
    np.testing.assert_allclose(
        rows[:, [L_STATE + 13, L_STATE + 15]], np.transpose(place), atol=2e-4
    )


def test_rows_within_steps_close_the_ledger_as_their_ends_do():
    made = ball(ROUGH, speed=(0.2, 0.0, 0.0))
    found = run(made, 1e-3)
    rows = np.concatenate(found.rows)
    energy = rows[:, [L_KINETIC, L_POTENTIAL, L_ELASTIC, L_STICK]].sum(axis=1)
    open_by = energy - energy[0] + np.sum(losses_of(rows), axis=0)
    assert losses_of(rows)[1][-1] > 1e-3
    assert np.abs(open_by).max() < 1e-6 * 0.14


def test_a_sliding_ball_comes_to_roll_and_its_ledger_closes():
    """Friction leaves 5/7 of the speed as rolling, whatever its coefficient.

    Leaves whose sagitta is a quarter of the depth make the way rough: 3 % of the speed.
    """
    made = ball(ROUGH, place=(0.0, 0.0, R - 1e-5), speed=(0.3, 0.0, 0.0), duration=2.0)
    found = run(made, math.inf)
    state = states_of(made, found.last[None])[0]
    assert abs(state[3] / (0.3 * 5.0 / 7.0) - 1.0) < 0.04
    assert abs(np.linalg.norm(state[10:13]) * R / state[3] - 1.0) < 0.04
    assert found.largest_remainder < 1e-6 * (0.5 * MASS * 0.09)
    assert losses_of(found.last[None])[1][0] > 0.2 * 0.5 * MASS * 0.09


@pytest.mark.parametrize("name", ["plane", "mesh"])
def test_a_damped_ball_comes_to_rest(name):
    ground, level = half_space(), 0.0
    if name == "mesh":
        points, faces = platonic_solid("cube")
        ground, level = meshed(points, faces), float(points[:, 2].max())
    found = run(
        ball(SOFT, ground=ground, place=(0.0, 0.0, level + R + 0.01), duration=20.0), math.inf
    )
    assert found.ended == SETTLED
    assert found.largest_remainder < 1e-6 * MASS * 0.01
    assert 0.0 < found.guard_depth < 0.02


def test_axes_that_turn_keep_jacobi_s_integral():
    """A spinning body dropped on a turning sphere in its own gravity, without losses."""
    ground = revolved(section(ball_pieces(10.0)))
    made = ball(
        SMOOTH, ground=ground, place=(10.0 + R + 0.02, 0.0, 0.0), gravity=point(20.0),
        spin=np.array([0.0, 0.02, 0.03]), inertia=np.diag([0.006, 0.008, 0.01]), duration=1.5,
    )  # fmt: skip
    state = made.state.copy()
    state[10:13] = 0.3, -0.2, 0.1
    found = run(replace(made, state=state))
    assert len(found.events) >= 2
    assert found.largest_remainder < 1e-6 * MASS * 0.2 * 0.02


def test_free_flight_in_turning_axes_is_straight_in_space():
    spin = np.array([0.0, 0.0, 0.4])
    made = ball(
        SMOOTH, place=(3.0, 0.0, 5.0), speed=(0.0, 0.0, 0.0), gravity=uniform((0, 0, 0)), spin=spin,
        duration=2.0,
    )  # fmt: skip
    found = run(made, math.inf)
    x = states_of(made, found.last[None])[0, :3]
    angle = 0.4 * 2.0
    start, velocity = np.array([3.0, 0.0]), np.array([0.0, 1.2])
    place_N = start + 2.0 * velocity
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    np.testing.assert_allclose(x[:2], turn @ place_N, atol=1e-7)


def test_ends_are_reported():
    assert run(ball(SMOOTH, deepest=1e-5)).ended == SUNK
    assert run(ball(SMOOTH), steps=5).ended == STEPS_OVER
    away = ball(SMOOTH, speed=(0.0, 0.0, 3.0), farthest=0.5)
    assert run(away).ended == TOO_FAR


def test_a_hull_below_the_faces_is_seen_by_the_guard():
    made = ball(SMOOTH, duration=0.5)
    low = replace(made, hull=np.array([[0.0, 0.0, -0.03]]))
    assert run(low).guard_depth > run(made).guard_depth + 0.029


def test_a_modulus_one_percent_off_is_seen():
    depths = [
        np.concatenate(run(ball(foundation_law(k), duration=0.5)).rows)[:, L_DEPTH].max()
        for k in (K, 1.01 * K)
    ]
    assert abs(depths[1] / depths[0] - 1.01 ** (-1.0 / 3.0)) < 3e-4
