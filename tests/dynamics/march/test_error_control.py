"""Steps of a net with error control: order, tolerances, ledger, breakage, loads, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.march.dormand_prince import STAGES, step
from haptos.dynamics.march.error_control import REJECTED, march_dormand, refuse_unfit, room_of
from haptos.dynamics.march.rates import flow_of, net_rate, pack, state_size
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import (
    BREAKAGE,
    THREAD_DAMPING,
    THRUST,
    no_loads,
    no_winches,
)
from tests.close import assert_close
from tests.net_cases import (
    box_surface,
    contact_numbers,
    marched,
    momenta,
    small_net,
    thrown_grid,
)

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling
CHAIN = np.array([[0.0, 0.0, 0.0], [1.2, 0.0, 0.0], [2.3, 0.3, 0.0], [3.4, 0.2, 0.5]])


def chain(**options):
    """Four masses whose threads stay taut: a smooth motion."""
    given = {"elements": [[0, 1], [1, 2], [2, 3]], "lengths": [1.0, 1.0, 1.0], "stretching": 100.0}
    net, motion = small_net(CHAIN, [50.0, 1.0, 2.0, 50.0], **(given | options))
    motion.points.v[1] = 0.1, 0.3, -0.2
    return net, motion


def tightened(net, motion, share):
    """Tolerances that are a share of the default ones."""
    room = room_of(net, motion)
    room.absolute[:] *= share
    return room


def run(net, motion, until, share=1.0, longest=1.0, most=1e5):
    room = tightened(net, motion, share)
    return plain(net, motion, scratch_of(motion), room, until, 0.0, longest, most), room


def stepped(count, until=0.4):
    """State of the chain after equal steps."""
    net, motion = chain(damping=0.5, gravity=(0.0, 0.0, -1.0))
    flow = flow_of(net, motion, scratch_of(motion))
    y = np.zeros(state_size(4, 1))
    pack(motion, 4, y)
    k, y1 = np.zeros((STAGES, y.size)), np.zeros_like(y)
    for i in range(count):
        step(net_rate, flow, i * until / count, until / count, y, y.size, k, y1, 0)
        y[:] = y1
    return y


def test_smooth_motion_and_works_are_of_fifth_order():
    exact = stepped(400)
    errors = [np.abs(stepped(n) - exact).max() for n in (10, 20, 40, 80)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.all(np.diff(orders) < 0.0), orders  # comes down to 5 from above
    assert abs(orders[-1] - 5.0) < 0.4, orders


def test_tighter_tolerances_give_smaller_errors_and_closer_books():
    ends, remainders = [], []
    for share in (1e-4, 1.0, 100.0):
        net, motion = chain(damping=0.5)
        assert run(net, motion, 0.5, share)[0]
        ends.append(motion.points.x.copy())
        remainders.append(motion.ledger.energy.largest)
        assert motion.step.time == 0.5
    errors = [np.abs(end - ends[0]).max() for end in ends[1:]]
    assert errors[0] < 0.2 * errors[1]
    assert errors[0] < 1e-5
    assert remainders[0] < remainders[1] < remainders[2] < 1e-4


def test_momenta_stay():
    net, motion = chain(
        damping=0.5, fixed=[(0, (0.1, 0.0, 0.2))], elements=[[0, 1], [1, 2], [2, 4]]
    )
    motion.bodies.place[0] = 3.6, 0.2, 0.3
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = (0.5, 0.4, 0.3), 0.25
    motion.bodies.momentum[0] = 0.1, 0.5, -0.3
    before = momenta(net, motion)
    assert run(net, motion, 0.3)[0]
    after = momenta(net, motion)
    assert motion.ledger.work[THREAD_DAMPING] < -1e-3
    assert_close(after[0], before[0], rtol=1e-13, scale=1.0)
    assert_close(after[1], before[1], rtol=1e-6, scale=1.0)


def test_a_step_that_errs_too_much_is_tried_again():
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [0.99, 0.0, 0.0]], [1.0, 1.0], elements=[[0, 1]], lengths=[1.0]
    )
    motion.points.v[1, 0] = 1.0  # taut after 0.01 s
    _, room = run(net, motion, 0.1)
    assert room.memory[REJECTED] > 0
    taut = np.pi / np.sqrt(2e3)  # [s] half a period; then they come together as fast as they went
    expected = 1.0 - (0.09 - taut)
    assert_close(motion.points.x[1, 0] - motion.points.x[0, 0], expected, rtol=1e-5)


def test_a_thread_breaks_at_its_tension_and_books_what_it_held():
    """Ends so heavy that they go on: T = k v t + c v."""
    stiffness, c, v, breaking = 1e3, 5.0, 2.0, 110.0
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [1e9, 1e9], elements=[[0, 1]], lengths=[1.0],
        stretching=stiffness, damping=c, breaking=breaking,
    )  # fmt: skip
    motion.points.v[1, 0] = v
    stretch = (breaking - c * v) / stiffness
    at = stretch / v
    assert run(net, motion, 0.999 * at)[0]
    assert motion.elements.whole[0] == 1
    assert run(net, motion, 2.0 * at)[0]
    assert motion.elements.whole[0] == 0
    assert motion.step.broken == 1.0
    assert_close(motion.ledger.work[BREAKAGE], -0.5 * stiffness * stretch**2, rtol=1e-5)
    assert_close(motion.ledger.work[THREAD_DAMPING], -c * v * v * at, rtol=1e-5)


def test_a_short_pulse_gives_its_impulse():
    load = no_loads(1)[0]
    load["body"], load["reaction"], load["axes"], load["work"] = 0, -1, -1, THRUST
    load["start"], load["stop"] = 0.3, 0.301
    load["force"] = 10.0, 0.0, 0.0
    load["force_end"] = 30.0, 0.0, 0.0
    net, motion = small_net([], [], loads=load)
    motion.bodies.inverse_mass[0] = 0.5
    assert run(net, motion, 1.0)[0]
    assert_close(motion.bodies.speed[0], (20.0 * 1e-3 * 0.5, 0.0, 0.0), rtol=1e-12)
    assert_close(motion.ledger.work[THRUST], 0.5 * 2.0 * 0.01**2, rtol=1e-9)


def test_a_ball_bounces_with_the_restitution_of_its_law():
    """0.1 kg at 1.981 m/s on k = 1e9 N/m^1.5, alpha 0.08: restitution 0.863."""
    net, motion = small_net(
        [[-0.152, 0.0, 0.0]], [0.1], radius=1e-3,
        surface=box_surface((0.3, 0.3, 0.3), contact_numbers(1e9, 0.08, 0.0)), has_edges=False,
    )  # fmt: skip
    motion.points.v[0, 0] = 1.981
    assert run(net, motion, 0.002)[0]
    assert_close(-motion.points.v[0, 0] / 1.981, 0.863, rtol=1e-3)
    assert motion.ledger.energy.largest < 1e-5


def test_the_march_stops_after_its_steps():
    net, motion = chain()
    assert not run(net, motion, 0.5, longest=1e-3, most=10)[0]
    assert motion.step.count <= 10


def _unfit():
    stalls = no_winches(1)[0]
    stalls["stall"] = 10.0
    return {"stall": {"winches": stalls}, "held": {"held": [1.0]}}


@pytest.mark.parametrize("name", _unfit())
def test_parts_that_need_other_steps_are_refused(name):
    net, _ = chain(**_unfit()[name])
    with pytest.raises(ConfigError, match=name):
        refuse_unfit(net)


def test_friction_with_memory_is_refused():
    surface = box_surface((0.3, 0.3, 0.3), contact_numbers(1e5, 0.0, 0.0))
    net, _ = chain(surface=surface, has_edges=False)
    refuse_unfit(net)
    with pytest.raises(ConfigError, match="memory"):
        refuse_unfit(net._replace(options=net.options._replace(has_memory=True)))


@pytest.mark.slow
def test_a_thrown_net_goes_as_with_verlet():
    """Impact, wrap and friction; both schemes, each with its own contact."""
    given = {"has_edges": False, "damping_ratio": 0.1, "alpha": 0.08, "friction": 0.3}
    ends = []
    for share in (None, 0.1):
        net, motion = thrown_grid(**given)
        net.surface.pairs[0, 0, 5:7] = 1e-2, 1e-3
        before = momenta(net, motion)
        if share is None:
            room = tightened(net, motion, 0.1)
            assert march_dormand(net, motion, scratch_of(motion), room, 0.25, 0.0, 1e-3, 1e7)
        else:
            marched(net, motion, 0.25, share)
        after = momenta(net, motion)
        ends.append(motion.points.x.copy())
        assert_close(after[0], before[0], rtol=1e-13, scale=1.0)
        assert_close(after[1], before[1], rtol=1e-9, scale=1.0)
        assert motion.ledger.energy.largest < 1e-6
    error = np.linalg.norm(ends[0] - ends[1], axis=1)
    assert np.sqrt(np.mean(error**2)) < 2e-3  # of a way of 0.25 m
