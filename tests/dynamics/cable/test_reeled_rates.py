"""Mass that winches take up, in rates: what is wound arrives, momentum stays, the ledger records it."""

from __future__ import annotations

import numpy as np

from haptos.dynamics.cable.reeled_rates import base_of, carry_masses, keep_base, restore_base
from haptos.dynamics.cable.winch_rates import set_lengths
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.rates import flow_of
from haptos.dynamics.motion import scratch_of
from haptos.dynamics.system import REELED, WINCH
from tests.close import assert_close
from tests.dynamics.cable.test_winch_rates import FIRST, LAST, winding
from tests.net_cases import marched, momenta, small_net

plain = getattr(march_dormand, "py_func", march_dormand)  # small nets need no compiling
DENSITY = 0.05  # [kg/m]


def reeling(point=2):
    """Two nodes on a thread; a winch at a body, or at node 1, takes it up."""
    net, motion = small_net(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [0.3, 0.4], elements=[[0, 1], [1, 2]],
        lengths=[FIRST, 1.0], stretching=50.0, damping=0.3, fixed=[(0, (0.1, 0.0, 0.0))],
        winches=winding(0, density=DENSITY, point=float(point)),
    )  # fmt: skip
    net.inverse_inertia[0], motion.bodies.inverse_mass[0] = (20.0, 15.0, 10.0), 0.5
    motion.bodies.place[0], motion.bodies.speed[0] = (1.5, 0.1, 0.0), (0.1, 0.0, 0.2)
    motion.bodies.momentum[0] = 0.01, 0.02, -0.01
    motion.points.v[:2] = [[0.1, 0.3, 0.0], [0.0, -0.2, 0.1]]
    return net, motion


def run(net, motion, until):
    room = room_of(net, motion)
    room.absolute[:] *= 1e-3
    assert plain(net, motion, scratch_of(motion), room, until, 0.0, 0.01, 1e6)


def test_mass_goes_to_the_winch_with_its_momentum_and_the_books_close():
    net, motion = reeling()
    before = momenta(net, motion)[0]
    run(net, motion, 0.3)
    gained = DENSITY * (FIRST - LAST)
    assert_close(1.0 / motion.bodies.inverse_mass[0] - 2.0, gained, rtol=1e-9)
    assert_close(motion.points.mass[:2], (0.3 - 0.5 * gained, 0.4 - 0.5 * gained), rtol=1e-12)
    assert_close(net.inverse_inertia[0] * (2.0 + gained), 2.0 * np.array([20.0, 15.0, 10.0]), rtol=1e-9)  # fmt: skip
    assert_close(momenta(net, motion)[0], before, rtol=1e-12, scale=0.5)
    assert motion.ledger.work[REELED] < -1e-4
    assert motion.ledger.work[WINCH] > 0.0
    assert motion.ledger.energy.largest < 1e-7


def test_a_winch_at_a_node_takes_mass_from_the_other_end_alone():
    net, motion = reeling(1)
    before = momenta(net, motion)[0]
    run(net, motion, 0.3)
    part = 0.5 * DENSITY * (FIRST - LAST)
    assert_close(motion.points.mass[:2], (0.3 - part, 0.4 + part), rtol=1e-12)
    assert_close(momenta(net, motion)[0], before, rtol=1e-12, scale=0.5)
    assert motion.ledger.energy.largest < 1e-7


def test_both_schemes_book_the_same():
    ours, motion = reeling()
    run(ours, motion, 0.3)
    other, stepped = reeling()
    marched(other, stepped, 0.3, 0.01)
    assert_close(motion.ledger.work[REELED], stepped.ledger.work[REELED], rtol=1e-3)
    assert_close(motion.ledger.work[WINCH], stepped.ledger.work[WINCH], rtol=1e-3)
    assert_close(motion.points.x[:2], stepped.points.x[:2], rtol=1e-4)


def test_a_step_thrown_away_gives_the_mass_back():
    net, motion = reeling()
    base = base_of(net, motion)
    assert base.is_on
    keep_base(net, motion, base)
    set_lengths(net, motion, 0.15, 0.1)
    carry_masses(net, motion, base, 0.1)
    assert motion.points.mass[0] < 0.3
    restore_base(net, motion, base)
    assert motion.points.mass[0] == 0.3
    assert motion.bodies.inverse_mass[0] == 0.5


def test_without_density_nothing_is_carried():
    net, motion = reeling()
    net.orders.winches[0].density = 0.0
    assert not flow_of(net, motion, scratch_of(motion)).base.is_on
