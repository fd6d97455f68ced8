"""Points on the ground: falls in closed form, bounces, weight, balls of bodies, both schemes, and the guard."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact.contact_flow import PAIR_SIZE
from haptos.contact.impact_damping import effective_restitution
from haptos.dynamics.contacts.detect import ground_gap
from haptos.dynamics.contacts.ground_arrays import GROUND_AT, GROUND_MET, GROUND_PEAK, WORST_SHARE
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import CONTACT_DAMPING, GRAVITY
from haptos.environment import gravity as gravities
from haptos.geometry.distance import surface as surfaces
from haptos.geometry.mesh.cuboids import cuboid_moments
from tests.close import assert_close
from tests.net_cases import MOST, contact_numbers, marched, on_ground, small_body_field, small_net

PULL, RADIUS, STIFFNESS = 0.05, 5e-3, 1e5  # [m/s^2], [m], [N/m^1.5]
AXES_A = (30.0, 20.0, 10.0)  # [m] semi-axes
GROUNDS = {
    "plane": surfaces.plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "sphere": surfaces.sphere(10.0),
    "ellipsoid": surfaces.ellipsoid(AXES_A),
}
TOP = {"plane": 0.0, "sphere": 10.0, "ellipsoid": 10.0}  # [m] of the ground along z
SPIN_NONE = (0.0, 0.0, 0.0)


def dropped(
    kind: str,
    high: float,
    *,
    alpha: float = 0.0,
    friction: float = 0.3,
    stiffness: float = STIFFNESS,
):
    """A node let go above the ground, in axes whose origin is the point below it."""
    net, motion = small_net([[0.0, 0.0, high + RADIUS]], [1e-2], radius=RADIUS)
    field = small_body_field(gravities.uniform((0.0, 0.0, -PULL)), SPIN_NONE, (0.0, 0.0, TOP[kind]))
    pairs = contact_numbers(stiffness, alpha, friction)
    return on_ground(net, motion, GROUNDS[kind], pairs, field=field, arm=(0.0, 0.0, TOP[kind]))


def marched_by(scheme: str, net, motion, seconds: float) -> None:
    if scheme == "verlet":
        marched(net, motion, seconds)
        return
    room = room_of(net, motion, position=1e-11, velocity=1e-10, work=1e-12)
    assert march_dormand(net, motion, scratch_of(motion), room, seconds, 0.0, 0.1, MOST)


@pytest.mark.parametrize("scheme", ["verlet", "dormand-prince"])
@pytest.mark.parametrize("kind", list(GROUNDS))
def test_a_node_falls_for_as_long_as_it_should_and_bounces_with_its_energy(kind, scheme):
    high = 0.02
    net, motion = dropped(kind, high)
    fall = math.sqrt(2.0 * high / PULL)
    marched_by(scheme, net, motion, 2.0 * fall)
    assert_close(motion.contacts.ground.tally[GROUND_AT], fall, rtol=2e-3)  # to the step of 1 ms
    assert motion.step.touched_at == motion.contacts.ground.tally[GROUND_AT]
    assert motion.contacts.ground.tally[GROUND_MET] == 1.0
    assert_close(motion.points.x[0, 2], high + RADIUS, rtol=1e-3)
    assert motion.ledger.energy.largest < 1e-5 * 1e-2 * PULL * high
    assert motion.contacts.ground.worst[WORST_SHARE] < 1.0


def test_the_largest_force_is_that_of_the_closed_form():
    """No loss: all energy of the fall is 2/5 k d^(5/2), and the force k d^(3/2)."""
    net, motion = dropped("plane", 0.02)
    marched(net, motion, 1.2)
    energy = 1e-2 * PULL * 0.02
    deepest = (2.5 * energy / STIFFNESS) ** 0.4
    assert_close(motion.contacts.ground.tally[GROUND_PEAK], STIFFNESS * deepest**1.5, rtol=2e-2)


def test_a_bounce_loses_what_its_law_says():
    high, alpha = 0.02, 1.0
    net, motion = dropped("ellipsoid", high, alpha=alpha)
    speed = math.sqrt(2.0 * PULL * high)
    marched(net, motion, math.sqrt(2.0 * high / PULL) + 0.05)
    kept = effective_restitution(1.5 * alpha * speed)
    assert_close(
        motion.ledger.work[CONTACT_DAMPING], -0.5 * 1e-2 * speed**2 * (1.0 - kept**2), rtol=1e-2
    )


@pytest.mark.parametrize("scheme", ["verlet", "dormand-prince"])
def test_what_lies_presses_with_its_weight(scheme):
    """Static depth of the node: k d^(3/2) = m g."""
    net, motion = dropped("ellipsoid", 0.0, alpha=200.0)
    deep = (1e-2 * PULL / STIFFNESS) ** (2.0 / 3.0)
    motion.points.x[0, 2] = RADIUS - deep
    marched_by(scheme, net, motion, 0.5)
    assert_close(RADIUS - motion.points.x[0, 2], deep, rtol=1e-4)
    assert abs(motion.points.v[0, 2]) < 1e-9


def test_a_node_on_a_slope_slides_or_sticks_by_its_friction():
    for friction, slides in ((0.2, True), (0.6, False)):
        slope = 0.4
        ground = surfaces.plane((0.0, 0.0, 0.0), (math.sin(slope), 0.0, math.cos(slope)))
        up = np.array([math.sin(slope), 0.0, math.cos(slope)])
        net, motion = small_net([RADIUS * up], [1e-2], radius=RADIUS)
        field = small_body_field(gravities.uniform((0.0, 0.0, -PULL)))
        pairs = contact_numbers(STIFFNESS, 50.0, friction)
        net, motion = on_ground(net, motion, ground, pairs, field=field)
        marched(net, motion, 1.0)
        along = np.array([math.cos(slope), 0.0, -math.sin(slope)])
        way = motion.points.x[0] @ along
        pull = PULL * (math.sin(slope) - friction * math.cos(slope))
        if slides:
            assert_close(way, 0.5 * pull, rtol=5e-3)
        else:
            assert abs(way) < 2e-4


def test_a_ball_of_a_body_bounces_and_turns_the_body():
    """A ball at the end of an arm is struck off the centre: momentum comes from the ground alone, energy stays."""
    moments = np.asarray(cuboid_moments(0.1, (0.2, 0.05, 0.05)))
    net, motion = small_net([[5.0, 0.0, 1.0]], [1e-3], fixed=[(0, (0.1, 0.0, 0.0))])
    net.points.radius[1] = 0.02
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = 1.0 / moments, 10.0
    motion.bodies.place[0], motion.bodies.speed[0] = (0.0, 0.0, 0.03), (0.0, 0.0, -0.1)
    pairs = np.broadcast_to(contact_numbers(1e6, 0.0, 0.0), (1, 2, PAIR_SIZE)).copy()
    net, motion = on_ground(net, motion, GROUNDS["plane"], pairs)
    marched(net, motion, 0.2)
    start = 0.5 * 0.1 * 0.1**2
    assert motion.contacts.ground.tally[GROUND_MET] == 1.0
    assert abs(motion.bodies.momentum[0, 1]) > 1e-4
    assert_close(motion.ledger.energy.kinetic + motion.ledger.energy.pressed, start, rtol=1e-6)
    # exchange in closed form: 1/M = 1/m + a^2/I, J = 2 M v
    impulse = 2.0 * 0.1 / (10.0 + 0.1**2 / moments[1])
    assert_close(motion.bodies.speed[0, 2], -0.1 + 10.0 * impulse, rtol=1e-3)


def test_leaning_axes_of_the_ground_change_nothing():
    turn = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    net, motion = small_net([[0.0, 0.0, 0.0]], [1.0])
    net, _ = on_ground(
        net,
        motion,
        GROUNDS["ellipsoid"],
        contact_numbers(1.0, 0.0, 0.0),
        axes=turn,
        arm=(1.0, 2.0, 3.0),
    )
    x = (4.0, 25.0, -1.0)
    gap, n = ground_gap(net.ground, x)
    own = turn.T @ np.add(x, (1.0, 2.0, 3.0))
    expected, normal = surfaces.gap_and_normal(GROUNDS["ellipsoid"], tuple(map(float, own)))
    assert_close(gap, expected, rtol=1e-12)
    assert_close(n, turn @ normal, rtol=1e-12)


def test_the_guard_sees_a_node_that_nothing_holds_up():
    net, motion = dropped("sphere", 0.02, stiffness=1e-6)
    marched(net, motion, 2.0)
    assert motion.points.x[0, 2] < -RADIUS
    assert motion.contacts.ground.worst[WORST_SHARE] > 1.0


def test_the_guard_sees_a_thread_that_cuts_the_ground():
    """Two nodes beside a small ball, the thread between them through it."""
    for deep in (0.01, 0.05):
        ends = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]
        net, motion = small_net(ends, [1e-3, 1e-3], elements=[[0, 1]], lengths=[1.0], radius=1e-3)
        pairs = contact_numbers(1e5, 0.0, 0.0)
        arm = (0.0, 0.0, 0.2 - deep)
        net, motion = on_ground(net, motion, surfaces.sphere(0.2), pairs, arm=arm)
        assert march(net, motion, scratch_of(motion), 0.01, 0.4, 1e-3, MOST)
        assert_close(motion.contacts.ground.worst[WORST_SHARE], deep / 0.1, rtol=1e-9)


def test_works_of_gravity_are_the_height_lost():
    net, motion = dropped("plane", 0.02, alpha=5.0)
    marched(net, motion, 3.0)
    lost = 1e-2 * PULL * (0.02 + RADIUS - motion.points.x[0, 2])
    assert_close(motion.ledger.work[GRAVITY], lost, rtol=1e-4)
