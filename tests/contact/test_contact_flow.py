"""A contact over a time: the bounce it gives, its ledger, and friction that only ever slows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.contact.contact_flow import (
    EMPIRICAL,
    FIXED_FACTOR,
    NOMINAL,
    OPEN,
    contact_energy,
    contact_flow,
    entry_factor,
    frequency_square,
    longest_step,
    mean_spring,
    pressed_step,
    slowed,
)
from haptos.contact.hertz import hertz_energy, hertz_force
from haptos.contact.impact_damping import (
    EXACT,
    HUNT_CROSSLEY,
    deepest,
    effective_restitution,
    hysteresis_factor,
)
from haptos.contact.laws.normal import HERTZ
from haptos.contact.slip_friction import relaxed_over_speed, slip_fade
from tests.close import assert_close

MASS, SPEED = 0.1, 1.981  # [kg], [m/s]
STILL = (0.0, 0.0, 0.0)


def pair_of(
    stiffness=1e9, kind=EMPIRICAL, law=HUNT_CROSSLEY, loss=0.08, friction=0.0, v_eps=1e-3,
    tangent=1e6, tangent_damping=0.0,
):  # fmt: skip
    holding = friction
    return (
        stiffness, kind, law, loss, friction, v_eps, 0.1 * v_eps, holding, tangent, tangent_damping,
        HERTZ,
    )  # fmt: skip


def bounce(pair, mass=MASS, speed=SPEED, gap=1e-5, time=2e-3):
    """One call over a whole bounce: (impulses, losses, factor, offset)."""
    gaps = (gap, gap - speed * time)
    return contact_flow(pair, OPEN, STILL, False, gaps, time, 1.0 / mass, 1.0 / mass, STILL)


@pytest.mark.parametrize("alpha", [0.0, 0.08, 0.32])
@pytest.mark.parametrize("stiffness", [1e6, 1e9])
def test_a_whole_bounce_has_the_restitution_of_its_damping(stiffness, alpha):
    (pushed, _, _, _), (lost, _, _, _, _), factor, _ = bounce(
        pair_of(stiffness, loss=alpha), time=0.05
    )
    after = SPEED - pushed / MASS
    e = effective_restitution(1.5 * alpha * SPEED)
    assert_close(-after / SPEED, e, rtol=0.01)
    assert_close(lost, 0.5 * MASS * (SPEED**2 - after**2), rtol=1e-9, scale=0.5 * MASS * SPEED**2)
    assert factor == OPEN


def test_the_ball_of_the_thesis_bounces_with_its_restitution_and_peak_force():
    (pushed, _, _, _), (_, _, _, peak, _), _, _ = bounce(pair_of())
    assert_close(pushed / MASS / SPEED - 1.0, 0.863, rtol=0.01)
    assert_close(peak, 2429.0, rtol=0.01)
    with pytest.raises(AssertionError):
        assert_close(bounce(pair_of(1.1e9))[1][3], 2429.0, rtol=0.01)


def test_deepest_point_of_many_short_times_is_that_of_the_closed_form():
    pair, time, depths = pair_of(), 1e-6, []
    depth, rate, factor = 0.0, SPEED, OPEN
    for _ in range(400):
        (pushed, early, _, _), _, factor, _ = contact_flow(
            pair, factor, STILL, False, (-depth, -depth - rate * time), time, 10.0, 10.0, STILL
        )
        depth += rate * time - (pushed * time - early) / MASS
        rate -= pushed / MASS
        depths.append(depth)
    assert_close(max(depths), deepest(MASS, 1e9, 0.12, SPEED), rtol=0.002)
    assert_close(max(depths), 1.78e-4, rtol=0.01)
    assert_close(-rate / SPEED, effective_restitution(0.12 * SPEED), rtol=0.002)


def test_impulse_weighted_with_time_tells_where_the_contact_ends():
    """A bounce is over long before its time: gap at the end = free gap + (J t - E)/m."""
    gap, time = 1e-5, 2e-3
    (pushed, early, _, _), _, _, _ = bounce(pair_of(loss=0.0), gap=gap, time=time)
    end = gap - SPEED * time + (pushed * time - early) / MASS
    contact = 2.943275 * (1.25 * MASS / 1e9) ** 0.4 * SPEED**-0.2  # duration of Hertz's impact
    expected = SPEED * (time - gap / SPEED - contact)
    assert_close(end, expected, rtol=0.002)


def test_loss_may_be_a_factor_an_empirical_slope_or_a_restitution():
    assert entry_factor(pair_of(kind=FIXED_FACTOR, loss=0.7), 2.0) == 0.7
    assert_close(entry_factor(pair_of(loss=0.08), 2.0), 0.12, rtol=1e-15)
    assert_close(
        entry_factor(pair_of(kind=NOMINAL, law=EXACT, loss=0.5), 2.0),
        hysteresis_factor(EXACT, 0.5, 2.0),
        rtol=1e-15,
    )
    (pushed, _, _, _), _, _, _ = bounce(pair_of(kind=NOMINAL, law=EXACT, loss=0.5))
    assert_close(pushed / MASS / SPEED - 1.0, 0.5, rtol=0.01)


def kinetic(mass, velocity):
    return 0.5 * mass * sum(v * v for v in velocity)


starts = st.fixed_dictionaries(
    {
        "stiffness": st.floats(3.0, 10.0).map(lambda p: 10.0**p),
        "factor": st.floats(0.0, 2.0),
        "friction": st.floats(0.0, 1.5).map(lambda x: round(x, 6)),
        "v_eps": st.floats(-9.0, -1.0).map(lambda p: 10.0**p),
        "mass": st.floats(-5.0, 2.0).map(lambda p: 10.0**p),
        "tangent_mass": st.floats(0.1, 10.0),
        "speed": st.floats(-10.0, 10.0),
        "slip": st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0), st.just(0.0)),
        "gap": st.floats(-1e-4, 1e-4),
        "time": st.floats(-6.0, -3.0).map(lambda p: 10.0**p),
        "calls": st.integers(1, 4),
        "memory": st.booleans(),
    }
)


def ledger(case):
    """Energy at the start, and what is missing of it at the end, over some calls one after another."""
    pair = pair_of(
        case["stiffness"], FIXED_FACTOR, 0, case["factor"], case["friction"], case["v_eps"]
    )
    mass, tangent = case["mass"], case["tangent_mass"] * case["mass"]
    gap, rate, slip = case["gap"], case["speed"], case["slip"]
    factor = case["factor"] if gap < 0.0 else OPEN
    offset, held, lost, heated = STILL, 0.0, 0.0, 0.0
    start = kinetic(mass, (rate,)) + kinetic(tangent, slip) + contact_energy(pair, gap)
    time = case["time"] / case["calls"]
    for _ in range(case["calls"]):
        (pushed, early, rubbed, _), losses, factor, offset = contact_flow(
            pair, factor, offset, case["memory"], (gap, gap - rate * time), time,
            1.0 / mass, 1.0 / tangent, slip,
        )  # fmt: skip
        gap += -rate * time + (pushed * time - early) / mass
        rate -= pushed / mass
        slip = tuple(v + j / tangent for v, j in zip(slip, rubbed, strict=True))
        lost, heated, held = lost + losses[0], heated + losses[1], losses[2]
        assert min(losses[:4]) >= -1e-12 * start
    end = kinetic(mass, (rate,)) + kinetic(tangent, slip) + contact_energy(pair, gap) + held
    return start, start - end - lost - heated


@settings(max_examples=60)
@given(starts)
def test_what_the_bodies_lose_is_stored_or_lost_to_rounding(case):
    start, missing = ledger(case)
    assert abs(missing) <= 1e-12 * start


def slid(v_eps, speed=2.0, friction=0.5, calls=1):
    """Slip along x after a bounce that presses with 2 m v, and both impulses."""
    pair = pair_of(loss=0.0, friction=friction, v_eps=v_eps)
    time = 2e-3 / calls
    gap, rate, slip, factor, pushed, rubbed = 1e-5, SPEED, (speed, 0.0, 0.0), OPEN, 0.0, 0.0
    for _ in range(calls):
        impulses, _, factor, _ = contact_flow(
            pair, factor, STILL, False, (gap, gap - rate * time), time, 10.0, 10.0, slip
        )
        gap += -rate * time + (impulses[0] * time - impulses[1]) / MASS
        rate -= impulses[0] / MASS
        slip = tuple(v + 10.0 * j for v, j in zip(slip, impulses[2], strict=True))
        pushed, rubbed = pushed + impulses[0], rubbed + impulses[2][0]
    return slip, pushed, rubbed


@pytest.mark.parametrize("v_eps", [1e-9, 1e-6, 1e-3])
def test_sliding_all_the_way_friction_is_its_share_of_the_normal_impulse(v_eps):
    slip, pushed, rubbed = slid(v_eps, speed=5.0)
    assert slip[0] > v_eps
    assert_close(-rubbed, 0.5 * pushed, rtol=1e-12)
    assert_close(slip[0], 5.0 - 0.5 * 2.0 * SPEED, rtol=1e-6)


@pytest.mark.parametrize("v_eps", [1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("calls", [1, 7])
def test_a_sliding_point_comes_to_rest_and_never_turns_back_however_stiff_the_law(v_eps, calls):
    slip, pushed, rubbed = slid(v_eps, speed=0.5, calls=calls)
    assert 0.0 <= slip[0] < 1e-3 * v_eps + 1e-12
    assert -rubbed < 0.5 * pushed
    assert slip[1] == slip[2] == 0.0


sizes = st.floats(-9.0, 1.0).map(lambda p: 10.0**p)


@given(sizes, sizes | st.just(0.0), st.floats(-9.0, 0.0), st.floats(0.01, 2.0))
def test_the_slip_left_solves_its_equation(speed, push, decade, friction):
    pair = pair_of(friction=friction, v_eps=10.0**decade)
    s = slowed(pair, speed, push)
    assert 0.0 <= s <= speed
    fade = slip_fade(s, pair[5]) * relaxed_over_speed(s, pair[6]) * s
    steepest = (
        1.0 + friction * push * 4.0 / pair[6]
    )  # of the left side: what s's last digits are worth
    assert abs(s + friction * push * fade - speed) <= 4e-12 * speed * steepest
    spoiled = 1.01 * s
    more = slip_fade(spoiled, pair[5]) * relaxed_over_speed(spoiled, pair[6]) * spoiled
    assert spoiled + friction * push * more > speed or s < 1e-9 * speed


def held_point(pull, steps, has_memory, tangent_damping=60.0):
    """Way [m] of a point of 1 kg pressed with a steady 10 N and pulled aside, friction 0.5."""
    stiffness, tangent, mass, load, time = 1e6, 1e4, 1.0, 10.0, 2e-3
    pair = pair_of(
        stiffness, FIXED_FACTOR, 0, 1.0, 0.5, 1e-3, tangent=tangent, tangent_damping=tangent_damping
    )
    gap, rate = -((load / stiffness) ** (2.0 / 3.0)), 0.0
    way, slip, offset, factor = 0.0, STILL, STILL, 1.0
    for _ in range(steps):
        rate += load / mass * time
        slip = (slip[0] + pull / mass * time, 0.0, 0.0)
        impulses, _, factor, offset = contact_flow(
            pair, factor, offset, has_memory, (gap, gap - rate * time), time, 1.0, 1.0, slip
        )
        gap += -rate * time + impulses[0] * time - impulses[1]
        rate -= impulses[0]
        way += slip[0] * time + impulses[2][0] * time - impulses[3][0]
        slip = (slip[0] + impulses[2][0], 0.0, 0.0)
    return way


def test_a_point_with_memory_holds_against_a_pull_and_does_not_creep():
    ways = [held_point(2.0, steps, True) for steps in (500, 1000, 2000)]
    assert_close(ways, [2.0 / 1e4] * 3, rtol=0.02)
    assert abs(ways[2] - ways[1]) < 1e-3 * ways[2]
    assert held_point(2.0, 2000, False) > 1.05 * held_point(2.0, 1000, False)  # without: creeps


@pytest.mark.parametrize("coupling", [0.0, 1e-6])
def test_a_light_point_that_is_pulled_and_sticks_does_not_move_on_a_body_that_can_turn(coupling):
    """Friction acts all over a step, as the pull does: at its end it would let the point go ahead."""
    pair, pull, time, light = pair_of(1e5, FIXED_FACTOR, 0, 0.0, 0.5, 1e-6), 2e4, 5e-5, 5e3
    gap = -((6e4 / light / 1e5) ** (2.0 / 3.0))
    impulses, losses, _, _ = contact_flow(
        pair, 0.0, STILL, False, (gap, gap - 0.5 * 6e4 * time**2), time, light, light, STILL,
        (coupling * light, 0.0, 0.0), 6e4, (pull, 0.0, 0.0),
    )  # fmt: skip
    way = 0.5 * pull * time**2 + light * (impulses[2][0] * time - impulses[3][0])
    assert abs(way) < 1e-3 * pull * time**2
    assert abs(losses[1]) < 1e-3 * pull / light * pull * time**2


def test_a_point_with_memory_slides_when_pulled_more_than_friction_holds():
    assert held_point(7.0, 500, True) > 100.0 * 7.0 / 1e4


def test_an_anchor_is_given_up_when_the_contact_opens():
    pair = pair_of(1e6, FIXED_FACTOR, 0, 0.0, 0.5, tangent=1e4)
    offset = (1e-4, 0.0, 0.0)
    _, (_, heated, held, _, _), factor, left = contact_flow(
        pair, 0.0, offset, True, (1e-6, 1e-3), 1e-3, 1.0, 1.0, STILL
    )
    assert_close(heated, 0.5 * 1e4 * 1e-8, rtol=1e-12)
    assert (held, factor, left) == (0.0, OPEN, STILL)


@given(st.floats(0.0, 1e-2), st.floats(0.0, 1e-2))
def test_mean_spring_works_as_much_as_the_energy_changes(depth, end):
    force = mean_spring(HERTZ, 1e6, depth, end)
    change = hertz_energy(1e6, end) - hertz_energy(1e6, depth)
    size = hertz_energy(1e6, max(depth, end, 1e-300))
    assert abs(force * (end - depth) - change) <= 1e-13 * size
    low, high = sorted((hertz_force(1e6, depth), hertz_force(1e6, end)))
    assert low * (1.0 - 1e-12) <= force <= high * (1.0 + 1e-12)


@given(
    st.floats(0.0, 2.0), st.floats(0.0, 1e-3), st.floats(-3.0, 3.0), st.floats(1e-7, 1e-5)
)  # fmt: skip
def test_a_step_solves_its_own_equation(factor, depth, rate, h):
    force, spring, mean = pressed_step(HERTZ, 1e7, factor, 10.0, depth, rate, h)
    assert_close(mean, rate - 0.5 * h * 10.0 * force, rtol=1e-12, scale=abs(rate) + 1e-9)
    assert force >= 0.0
    expected = mean_spring(HERTZ, 1e7, depth, depth + h * mean)
    assert_close(spring, expected, rtol=1e-9, scale=hertz_force(1e7, depth) + 1.0)
    assert_close(force, spring * max(1.0 + factor * mean, 0.0), rtol=1e-9, scale=spring + 1.0)


def test_the_step_resolves_the_frequency_at_the_deepest_point():
    pair = pair_of(loss=0.0)
    depth = deepest(MASS, 1e9, 0.0, SPEED)
    w = math.sqrt(1.5 * 1e9 * math.sqrt(depth) / MASS)
    assert_close(frequency_square(pair, 10.0, depth), w * w, rtol=1e-12)
    assert_close(longest_step(pair, 10.0, 0.0, SPEED, False, 10.0), 0.2 / w, rtol=1e-12)
    assert_close(longest_step(pair, 10.0, depth, 0.0, False, 10.0), 0.2 / w, rtol=1e-12)
    soft = math.sqrt(1e12 * 10.0)
    stiff = (*pair[:8], 1e12, 0.0, HERTZ)
    assert_close(longest_step(stiff, 10.0, depth, 0.0, True, 10.0), 0.2 / soft, rtol=1e-12)


def test_steps_of_an_impact_are_of_second_order():
    """Depth of Hertz's impact after one time in more and more steps."""
    w = 0.2 / longest_step(pair_of(loss=0.0), 10.0, 0.0, SPEED, False, 10.0)
    ends = []
    for calls in (4, 8, 16, 64):
        time = 1.0 / w / calls
        depth, rate = 0.0, SPEED
        for _ in range(calls):
            _, _, mean = pressed_step(HERTZ, 1e9, 0.0, 10.0, depth, rate, time)
            depth, rate = depth + time * mean, 2.0 * mean - rate
        ends.append(depth)
    errors = [abs(end - ends[-1]) for end in ends[:3]]
    assert 3.0 < errors[0] / errors[1] < 5.5
    assert 3.0 < errors[1] / errors[2] < 5.5
