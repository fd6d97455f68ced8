"""Booms: Euler load and control, bending modes, passive touch, force stage, pull of a tether, energy, momentum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import eigh
from scipy.optimize import brentq

from haptos.dynamics.cable.boom import (
    BOTTOM,
    NODES,
    ORDERS,
    STAGE_BODY,
    TRIGGER,
    W_HELD,
    W_IMPULSE,
    X_BOW,
    X_FORCE,
    X_RATE,
    X_STROKE,
    boom_forces,
    place_of,
    stage_push,
)
from haptos.dynamics.cable.boom_run import BoomRun, BoomShape, Keeper, boom_of, euler_load
from tests.close import assert_close

SOFT, STIFF = (2.10e6, 15149.0), (5.36e6, 38592.0)  # EA [N], EI [N m^2] as martensite and austenite
LOCKED = {"stroke": 1e-3, "lock": 1e7, "lock_damping": 2e3}


def shape(phase=SOFT, **options) -> BoomShape:
    return BoomShape(100.0, 0.516, *phase, **options)


def lateral_stiffness(boom, load: float) -> np.ndarray:
    """-dF_x/dx of nodes 1..N of a straight boom that carries a load [N] between fixed ends."""
    n = boom.count
    y = np.zeros(NODES + 4 * (n + 1))
    short = boom.piece * (1.0 - load / boom.axial)
    y[1] = boom.lever + n * short + STAGE_BODY + boom.stroke
    for i in range(1, n + 1):
        y[NODES + 2 * i - 1] = y[1] - boom.lever - short * i
    orders, scratch = np.zeros(ORDERS + boom.count + 1), np.zeros(len(y))
    orders[0] = load
    forces, small = np.zeros((n + 2, 2)), 1e-6
    columns = []
    for i in range(n):
        pair = []
        for sign in (1.0, -1.0):
            moved = y.copy()
            moved[NODES + 2 * i] += sign * small
            boom_forces(boom, orders, moved, scratch, forces)
            pair.append(forces[1 : n + 1, 0].copy())
        columns.append(-(pair[0] - pair[1]) / (2.0 * small))
    return np.array(columns).T


@pytest.mark.parametrize("gain", [0.0, 2.0])
@pytest.mark.parametrize("phase", [SOFT, STIFF])
def test_a_slowly_loaded_boom_buckles_at_the_euler_load(phase, gain):
    expected = euler_load(phase[1], 100.0 + STAGE_BODY, gain)

    def buckling_load(bending):
        boom = boom_of(shape((phase[0], bending), gain=gain), 20, stroke=1e-3)

        def least(load):
            k = lateral_stiffness(boom, load)
            return float(np.linalg.eigvalsh(0.5 * (k + k.T))[0])

        return brentq(least, 0.5 * expected, 1.5 * expected)

    assert_close(buckling_load(phase[1]), expected, rtol=5e-3)
    with pytest.raises(AssertionError):
        assert_close(buckling_load(1.02 * phase[1]), expected, rtol=5e-3)


def test_printed_euler_loads():
    assert_close(euler_load(38592.0, 100.0), 38.09, rtol=1e-4)
    assert_close(euler_load(15149.0, 100.0), 14.95, rtol=1e-4)
    assert_close(euler_load(15149.0, 100.0, 2.0), 3 * 14.95, rtol=1e-4)


def test_first_mode_clamped_with_a_tip_mass():
    """1 + cos b cosh b + (m/mu L) b (cos b sinh b - sin b cosh b) = 0; the tip is node N here."""
    boom = boom_of(shape(clamped=True), 40, stroke=1e-3)
    k = lateral_stiffness(boom, 0.0)
    # a massless stage piece beyond node N: let the effector go with the tip by leaving its spring out
    n, tip = boom.count, 30.0
    turned = k[:n, :n].copy()
    arm = 0.5 * (boom.piece + STAGE_BODY)
    a, b = 1.0 / boom.piece, 1.0 / (STAGE_BODY + boom.stroke)
    row = np.zeros(n)
    row[n - 2], row[n - 1] = a, -(a + b)
    turned -= boom.bending / arm * np.outer(row, row)
    mass = np.diag([boom.node] * (n - 1) + [0.5 * boom.node + tip])
    found = math.sqrt(float(eigh(0.5 * (turned + turned.T), mass, eigvals_only=True)[0]))
    ratio = tip / 51.6
    root = brentq(
        lambda x: 1 + math.cos(x) * math.cosh(x) + ratio * x * (math.cos(x) * math.sinh(x) - math.sin(x) * math.cosh(x)),
        0.5, 1.8,
    )  # fmt: skip
    assert_close(found, root**2 / 100.0**2 * math.sqrt(15149.0 / 0.516), rtol=5e-3)


def touched(phase, *, damping=300.0, speed=0.1, seconds=2.0, gain=0.0, **others) -> BoomRun:
    boom = boom_of(shape(phase, gain=gain), 20, damping=damping, friction=0.5, gravity=8e-5, lever=1.0, **others)  # fmt: skip
    run = BoomRun(boom)
    run.start(1e-3, (0.0, -speed), 0.01)
    assert run.until(1.0, (TRIGGER,)) == TRIGGER
    run.mark("touch")
    if "stroke" not in others:
        run.order(stage=25.0)
    run.until(run.time + seconds, (BOTTOM,))
    return run


def remainder(run: BoomRun) -> float:
    _, _, first, orders = run.marks[0]
    start = sum(run.energies(first, orders))
    works = sum(run.works(run.state).values()) - sum(run.works(first).values())
    return abs(sum(run.energies(run.state, run.orders)) - start - works + run.released) / start


@pytest.mark.parametrize(
    ("phase", "peak", "contact", "impulse"),
    [(SOFT, 219.0, 0.79, 111.6), (STIFF, 256.0, 0.69, 110.0)],
)
def test_a_passive_touch_is_over_before_the_boom_can_buckle(phase, peak, contact, impulse):
    """Planar figures of an independent programme with 20 cells; its contact lasts 3 % longer."""
    run = touched(phase, **LOCKED)
    assert_close(run.extremes[X_FORCE], peak, rtol=1e-2)
    assert_close(run.state[W_HELD], contact, rtol=4e-2)
    assert_close(run.state[W_IMPULSE], impulse, rtol=5e-3)
    assert run.extremes[X_BOW] < 0.014
    assert remainder(run) < 1e-6


@pytest.mark.parametrize(("damping", "spike"), [(300.0, 67.0), (1000.0, 100.0)])
def test_a_force_stage_limits_the_push(damping, spike):
    run = touched(SOFT, damping=damping, seconds=2.0)
    assert_close(run.extremes[X_FORCE], spike, rtol=4e-2)
    assert_close(run.extremes[X_STROKE], 0.113, rtol=6e-2)
    assert_close(run.state[W_IMPULSE], 53.3, rtol=3e-2)
    assert remainder(run) < 1e-6


def test_a_fast_approach_bottoms_the_stage():
    run = touched(SOFT, damping=1000.0, speed=0.5)
    assert run.bottomed


def test_control_keeps_a_soft_boom_straight_that_buckles_without():
    bows = []
    for gain in (0.0, 2.0):
        boom = boom_of(shape(gain=gain), 20, damping=1000.0, friction=0.5, gravity=8e-5, lever=1.0)
        run = BoomRun(boom)
        run.start(1e-3, (0.0, -0.1), 0.01)
        run.until(1.0, (TRIGGER,))
        run.order(stage=25.0)
        run.hold(60.0, Keeper((0.0, float(run.state[1]) - 0.15)), -25.0)
        bows.append(run.extremes[X_BOW])
    assert bows[0] > 2.0
    assert bows[1] < 0.011


def test_a_boom_that_stiffens_in_time_moves_as_an_integration_of_its_own():
    """A stretched boom along its axis, 1/EA going evenly from soft to stiff between 0.2 and 0.7 s; its energy is that of its works."""
    soft, stiff, n, push = 2.1e5, 5.4e5, 3, 30.0
    boom = boom_of(BoomShape(100.0, 0.5, soft, later=stiff), n, **LOCKED, mass=50.0)
    run = BoomRun(boom, tolerance=1e-11)
    run.start(1.0, (0.0, 0.0), stretch=2e-3)
    first = run.state.copy()
    run.order(thrust_z=push)
    for end, rate in ((0.2, 0.0), (0.7, 2.0), (1.0, 0.0)):
        run.order(change=rate)
        run.until(end)
    masses = np.array([boom.mass, boom.node, boom.node, 0.5 * boom.node, boom.effector])
    z = np.array([first[1] - boom.lever, *first[NODES + 1 : NODES + 2 * (n + 1) : 2]])

    def rates(t, y):
        x, v = y[:5], y[5:]
        share = min(max((t - 0.2) / 0.5, 0.0), 1.0)
        axial = 1.0 / (1.0 / soft + share * (1.0 / stiff - 1.0 / soft))
        long, fast = x[:-1] - x[1:], v[:-1] - v[1:]
        pull = axial * (long[:n] / boom.piece - 1.0) + boom.axial_damping * fast[:n] / boom.piece
        pull = np.append(pull, boom.lock * (long[n] - STAGE_BODY - boom.stroke) + boom.lock_damping * fast[n])  # fmt: skip
        force = np.append(-pull, 0.0) + np.append(0.0, pull) + np.array([push, 0.0, 0.0, 0.0, 0.0])
        return np.concatenate([v, force / masses])

    y = np.concatenate([z, np.zeros(5)])
    for span in ((0.0, 0.2), (0.2, 0.7), (0.7, 1.0)):
        y = solve_ivp(rates, span, y, "Radau", rtol=1e-10, atol=1e-12).y[:, -1]
    found = np.array([run.state[1] - boom.lever, *run.state[NODES + 1 : NODES + 2 * (n + 1) : 2]])
    assert_close(found - z, y[:5] - z, rtol=1e-6)
    change = sum(run.energies(run.state, run.orders)) - sum(run.energies(first, np.array([-1.0, *np.zeros(len(run.orders) - 1)])))  # fmt: skip
    works = run.works(run.state)
    assert works["active material"] > 1.0
    assert_close(sum(works.values()), change, rtol=1e-7)


@pytest.mark.parametrize("clamped", [False, True])
def test_a_bowed_boom_starts_without_kinks_and_unstretched(clamped):
    """The largest moment is that of its half sine, EI a (pi/L)^2, whatever the cells; with kinks it grew with them to 25 times that."""
    for n in (20, 40):
        boom = boom_of(shape(clamped=clamped), n, offset=0.3, lever=1.2)
        run = BoomRun(boom)
        run.start(1.0, (0.0, 0.0), 0.01)
        moment, tension = run.forces(run.state, run.orders)[1], run.forces(run.state, run.orders)[0]
        assert_close(moment, SOFT[1] * 0.01 * (math.pi / 100.0) ** 2, rtol=5e-3)
        assert abs(tension) < 1e-6
        assert_close(place_of(boom, run.state, n + 1)[:2], (0.0, 1.25), rtol=1e-12)
        run.start(1.0, (0.0, 0.0), 0.01, is_upright=True)
        kinked = run.forces(run.state, run.orders)[1]
        assert (kinked > 10.0 * moment) == clamped


def test_rates_of_a_clamped_boom_do_not_depend_on_its_cells():
    rates = []
    for n in (20, 40):
        run = BoomRun(boom_of(shape(clamped=True), n, damping=300.0, friction=0.5, gravity=8e-5, lever=1.0, **LOCKED))  # fmt: skip
        run.start(1e-3, (0.0, -0.1), 0.01)
        run.until(1.0, (TRIGGER,))
        run.until(run.time + 2.0)
        rates.append(math.degrees(run.extremes[X_RATE]))
    assert_close(rates[0], rates[1], rtol=1e-2)
    assert_close(rates[1], 0.0031, rtol=3e-2)


def test_a_stage_that_yields_never_gives_energy_beyond_its_force():
    boom = boom_of(shape(), 4, stage_damping=40.0)
    orders = np.zeros(ORDERS + boom.count + 1)
    orders[0] = 25.0
    for closing in (-0.3, 0.0, 0.2):
        push, _, power = stage_push(boom, orders, 0.3, closing)
        assert_close(push, 25.0 + 40.0 * closing, rtol=1e-12)
        assert power <= -25.0 * closing + 1e-12


def pulled(offset: float = 0.0, forward: bool = True) -> BoomRun:
    boom = boom_of(
        BoomShape(250.0, 0.144, 8e4, is_string=True), 25, damping=1000.0, lever=1.0, offset=offset,
        active=3200.0, integral=30.0 / 3200.0, **LOCKED,
    )  # fmt: skip
    run = BoomRun(boom, times=np.arange(0.0, 2.0, 0.01))
    run.start(-1e-4, (0.0, 0.0), stretch=5e-3 / 8e4)
    run.order(grip=1.0)
    run.order(force=20.0, loop=1.0, thrust_z=20.0 if forward else 0.0)
    run.until(2.0)
    return run


def test_a_polymer_tether_holds_20_newtons_for_two_seconds():
    run = pulled()
    rows = run.march.rows[20 : int(run.march.counts[2])]
    ends = np.array([run.forces(y, run.orders) for y in rows])
    assert np.abs(ends[:, 0] - 20.0).max() < 2.0
    assert np.abs(ends[:, 2] + 20.0).max() < 2.0
    assert run.extremes[X_RATE] == 0.0


def test_without_thrust_it_moves_by_the_impulse():
    assert_close(-pulled(forward=False).state[4], 0.080, rtol=5e-2)


def test_a_lever_of_13_millimetres_uses_up_the_allowed_rate():
    assert_close(math.degrees(pulled(offset=0.013).extremes[X_RATE]), 0.1, rtol=8e-2)


def test_a_free_boom_keeps_its_momentum():
    boom = boom_of(shape(), 10, lever=1.0, **LOCKED)
    run = BoomRun(boom)
    run.start(50.0, (0.02, -0.1), 0.5)
    run.until(20.0)
    y, n = run.state, boom.count
    masses = np.array([boom.node] * (n - 1) + [0.5 * boom.node, boom.effector])
    v = y[NODES + 2 * (n + 1) :].reshape(-1, 2)
    total = boom.mass * y[3:5] + masses @ v
    assert_close(total, (boom.mass + masses.sum()) * np.array([0.02, -0.1]), rtol=1e-9)
