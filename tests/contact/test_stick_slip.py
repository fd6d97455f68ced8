"""Friction with memory: it holds without creep, yields at the cone, and its ledger closes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from haptos.contact.slip_friction import slip_friction
from haptos.contact.stick_slip import carried_offset, dragged_offset, stick_force
from haptos.core.vectors import dot, norm
from tests.close import assert_close

MU, MU_S, V_S, K, C, STEP = 0.3, 0.3, 1e-3, 1e5, 2.0, 1e-3
LOAD = 10.0
REACH = MU * LOAD / K  # [m], offset at which the cone is met

REST = (0.0, 0.0, 0.0)
parts = st.floats(-1.0, 1.0)
planar = st.tuples(parts, parts).map(lambda v: (v[0], v[1], 0.0))


def call(offset, slip, load=LOAD, damping=C, step=STEP, mu=MU, mu_s=MU_S):
    return stick_force(offset, slip, load, mu, mu_s, V_S, K, damping, step)


@given(planar, planar, st.floats(0.0, 40.0), st.floats(-6.0, 0.0), st.floats(0.0, 100.0))
def test_books_close_within_the_cone_and_nothing_is_gained(offset, slip, load, exponent, damping):
    step = 10.0**exponent
    offset = tuple(2.0 * REACH * x for x in offset)
    force, end, stored, lost = call(offset, slip, load, damping, step)
    before = 0.5 * K * dot(offset, offset)
    work = -dot(force, slip) * step
    size = before + stored + abs(work) + 1e-300
    assert abs(work - (stored - before) - lost * step) <= 1e-12 * size
    assert lost * step >= -1e-11 * size
    assert norm(force) <= MU * load * (1.0 + 1e-12)
    assert K * norm(end) <= MU * load * (1.0 + 1e-12)
    assert_close(stored, 0.5 * K * dot(end, end), rtol=1e-14, scale=size)


@given(planar, planar, st.floats(0.01, 30.0))
def test_a_step_equals_many_small_ones(start, direction, length):
    """The closed form is the exact motion, so cutting a step changes nothing but rounding."""
    start = tuple(0.7 * REACH * x for x in start)
    way = tuple(length * REACH * x for x in direction)
    end, mean, along = dragged_offset(start, way, REACH)
    s, total, slipped = start, np.zeros(3), 0.0
    for _ in range(7):
        s, m, part = dragged_offset(s, tuple(x / 7.0 for x in way), REACH)
        total += np.array(m) / 7.0
        slipped += part
    assert_close(s, end, rtol=1e-9, scale=REACH)
    assert_close(total, mean, rtol=1e-9, scale=REACH)
    assert_close(slipped, along, rtol=1e-9, scale=max(norm(way), REACH))


def test_dragged_offset_is_that_of_the_integrated_law():
    """ds = dx - (dx . s) s / |s|^2 on the cone, starting across the way."""
    start, way = (0.0, REACH, 0.0), (3.0 * REACH, 0.0, 0.0)

    def rate(_, y):
        s = y[:2]
        dx = np.array([way[0], way[1]])
        out = max(dx @ s, 0.0) / (s @ s)
        return [*(dx - out * s), s[0], s[1], dx @ s / np.sqrt(s @ s)]

    found = solve_ivp(rate, (0.0, 1.0), [start[0], start[1], 0, 0, 0], rtol=1e-11, atol=1e-16)
    end, mean, along = dragged_offset(start, way, REACH)
    assert_close(end[:2], found.y[:2, -1], rtol=1e-8)
    assert_close(mean[:2], found.y[2:4, -1], rtol=1e-8)
    assert_close(along, found.y[4, -1], rtol=1e-8)


def test_inside_the_cone_the_spring_is_elastic_and_comes_back():
    way = (0.4 * REACH / STEP, 0.3 * REACH / STEP, 0.0)
    force, there, stored, lost = call(REST, way, damping=0.0)
    assert_close(there, (0.4 * REACH, 0.3 * REACH, 0.0), rtol=1e-14)
    assert_close(stored, 0.5 * K * (0.5 * REACH) ** 2, rtol=1e-14)
    assert abs(lost) * STEP < 1e-14 * stored
    assert_close(force, [-0.5 * K * x for x in there], rtol=1e-14)  # mean of 0 and the end
    back = tuple(-x for x in way)
    _, home, _, gone = call(there, back, damping=0.0)
    assert norm(home) < 1e-14 * REACH
    assert abs(gone) * STEP < 1e-14 * stored


def test_long_slip_costs_friction_times_the_way():
    way = 1000.0 * REACH
    force, end, _, lost = call(REST, (way / STEP, 0.0, 0.0), damping=0.0)
    assert_close(end, (REACH, 0.0, 0.0), rtol=1e-14)
    assert_close(lost * STEP, MU * LOAD * (way - REACH), rtol=1e-12)
    assert_close(-force[0] * way, MU * LOAD * (way - 0.5 * REACH), rtol=1e-12)


def test_a_falling_load_shrinks_the_offset_and_books_its_energy():
    offset = (REACH, 0.0, 0.0)
    force, end, _, lost = call(offset, REST, load=0.25 * LOAD)
    assert_close(end, (0.25 * REACH, 0.0, 0.0), rtol=1e-14)
    assert_close(lost * STEP, 0.5 * K * REACH**2 * (1.0 - 0.0625), rtol=1e-13)
    assert_close(norm(force), 0.25 * MU * LOAD, rtol=1e-13)
    lifted = call(offset, (1.0, 0.0, 0.0), load=0.0)
    assert lifted[:3] == (REST, REST, 0.0)
    assert_close(lifted[3] * STEP, 0.5 * K * REACH**2, rtol=1e-13)


def slide(pull_share, seconds, friction_at_rest=MU_S):
    """(place [m], speed [m/s], energy error [J]) of 1 kg pulled with a share of mu N."""
    x, v, s, step, lost, work = 0.0, 0.0, REST, 2e-4, 0.0, 0.0
    stored = 0.0
    for n in range(round(seconds / step)):
        pull = pull_share * MU * LOAD * min(n * step / 0.2, 1.0)  # a jump would overshoot
        # the mean speed of the step carries the work, so that the ledger is exact (midpoint rule)
        guess = v
        for _ in range(6):
            f, end, energy, power = call(
                s, (guess, 0.0, 0.0), damping=200.0, step=step, mu_s=friction_at_rest
            )
            guess = v + 0.5 * step * (pull + f[0])
        x, v, s, stored = x + step * guess, v + step * (pull + f[0]), end, energy
        lost, work = lost + power * step, work + pull * step * guess
    return x, v, work - lost - stored - 0.5 * v * v


def test_a_loaded_point_holds_without_creep():
    x1, _, _ = slide(0.9, 1.0)
    x2, v2, error = slide(0.9, 3.0)
    assert_close(x2, 0.9 * REACH, rtol=1e-9)
    assert_close(x1, x2, rtol=1e-9)  # two seconds later it has not moved
    assert abs(v2) < 1e-12
    assert abs(error) < 1e-9 * MU * LOAD * REACH


def test_the_law_without_memory_creeps_where_this_one_holds():
    v_eps = 1e-3
    creep = 0.0
    for speed in np.linspace(0.0, v_eps, 2001):
        force, _ = slip_friction(MU, v_eps, 0.1 * v_eps, LOAD, (speed, 0.0, 0.0))
        creep = speed if -force[0] < 0.9 * MU * LOAD else creep
    assert creep * 2.0 > 1e2 * REACH * 0.1  # over two seconds, far beyond the spring's stretch


def test_beyond_the_cone_it_slides_with_what_is_left_of_the_pull():
    _, before, _ = slide(1.5, 0.3)
    _, after, error = slide(1.5, 0.5)
    assert_close(after - before, 0.5 * MU * LOAD * 0.2, rtol=1e-9)
    assert abs(error) < 1e-9 * MU * LOAD


def test_it_holds_up_to_the_friction_of_rest():
    x, v, _ = slide(1.15, 1.0, friction_at_rest=1.2 * MU)
    assert_close(x, 1.15 * REACH, rtol=1e-9)
    assert abs(v) < 1e-12
    assert slide(1.15, 0.6)[1] > 0.1


@given(planar)
def test_a_turned_normal_keeps_length_and_energy(offset):
    normal = (0.6, 0.0, 0.8)
    carried = carried_offset(offset, normal)
    assert abs(dot(carried, normal)) <= 1e-12
    assert_close(norm(carried), norm(offset), rtol=1e-12, scale=1.0)


def test_an_offset_along_the_new_normal_is_given_up():
    assert carried_offset((0.0, 0.0, 1.0), (0.0, 0.0, 1.0)) == REST


def test_check_has_teeth():
    _, _, _, lost = stick_force(REST, (1.0, 0.0, 0.0), 1.01 * LOAD, MU, MU_S, V_S, K, 0.0, STEP)
    with pytest.raises(AssertionError):
        assert_close(lost * STEP, MU * LOAD * (STEP - REACH), rtol=1e-3)
    assert math.isfinite(lost)
