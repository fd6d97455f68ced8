"""Tethers against closed forms: bounce, libration, hanging line, spin, reeling, snatch, rockets, wheels."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipk

from haptos.dynamics.cable import tether_extremes
from haptos.dynamics.cable.spun_tether import spun_tension
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import SERIES
from haptos.dynamics.cable.tether_system import (
    EndBody,
    EndThruster,
    TetherLine,
    TetherSystem,
    hold,
    prescribed,
)
from haptos.dynamics.field import ORBIT, no_field, uniform_field
from haptos.dynamics.nets.tow_model import TowBody, tow, tow_system
from haptos.environment.orbit_frames import EARTH_MU, KeplerElements
from haptos.environment.orbital_origin import origin_path
from tests.close import assert_close

EA, LENGTH, TIP = 1e4, 50.0, 3.0
ANCHOR = EndBody(mass=1.0, is_fixed=True)


def settled(
    cells: int, density: float, damping: float, *, g: float = 9.0, until: float = 60.0
) -> TetherRun:
    """A line with a mass at its lower end that hangs still, found by damping."""
    line = TetherLine(LENGTH, density, EA, damping)
    tip = EndBody(TIP, position=(0.0, 0.0, -LENGTH))
    run = TetherRun(TetherSystem((ANCHOR, tip), line, cells, field=uniform_field((0.0, 0.0, -g))))
    run.advance(until, most_steps=60_000)
    return run


def test_a_mass_on_a_massless_tether_bounces_at_its_frequency():
    g = 10.0
    rest = -LENGTH * (1.0 + TIP * g / EA)
    tip = EndBody(TIP, position=(0.0, 0.0, rest - 0.01))
    system = TetherSystem(
        (ANCHOR, tip), TetherLine(LENGTH, 0.0, EA), 0, field=uniform_field((0.0, 0.0, -g))
    )
    run = TetherRun(system, tolerance=1e-11)
    times = np.linspace(0.0, 10.0, 101)
    run.advance(10.0, rows=times)
    w = math.sqrt(EA / (LENGTH * TIP))
    assert_close(run.rows[:, 19] - rest, -0.01 * np.cos(w * times), rtol=1e-6)


def test_bounce_mode_of_a_heavy_line_converges_with_order_two():
    mu = 0.02
    beta = brentq(lambda b: b * math.tan(b) - mu * LENGTH / TIP, 1e-3, 1.5)
    exact = beta / LENGTH * math.sqrt(EA / mu)
    errors = []
    for cells in (4, 8, 16):
        d = LENGTH / cells
        k = np.full(cells + 1, EA / d)
        k[0], k[-1] = 2.0 * EA / d, 2.0 * EA / d
        m = np.append(np.full(cells, mu * d), TIP)
        stiff = np.diag(k + np.append(k[1:], 0.0)) - np.diag(k[1:], 1) - np.diag(k[1:], -1)
        # shape of the lowest mode of the chain as the start, its period from the run
        values, shapes = np.linalg.eigh(stiff / np.sqrt(np.outer(m, m)))
        shape = shapes[:, 0] / np.sqrt(m)
        shape *= 0.01 / shape[-1]
        w = math.sqrt(values[0])
        line = TetherLine(LENGTH, mu, EA)
        rest = LENGTH * 1.01
        places = -1.01 * d * (np.arange(cells) + 0.5) - shape[:-1]
        tip = EndBody(
            TIP,
            position=(0.0, 0.0, -rest - shape[-1]),
            thrusters=(EndThruster((0, 0, 0), (0, 0, -1), 0.01 * EA, 1e12),),
            propellant=1e-3,
        )
        system = TetherSystem((ANCHOR, tip), line, cells)
        run = TetherRun(
            system, tolerance=1e-10, cells=(np.outer(places, [0, 0, 1]), np.zeros((cells, 3)))
        )
        period = 2.0 * math.pi / w
        run.advance(period)
        assert_close(
            run.state[19], -rest - shape[-1], rtol=1e-7
        )  # back after the period of the chain
        errors.append(abs(w - exact))
    for coarse, fine in itertools.pairwise(errors):
        assert 1.8 < math.log2(coarse / fine) < 2.2


def test_hanging_line_has_the_elastic_profile_to_order_two():
    mu, g, errors = 0.2, 9.0, []
    for cells in (4, 8, 16):
        run = settled(cells, mu, 4e3)
        s = (np.arange(cells) + 0.5) * LENGTH / cells
        exact = s + (TIP * g * s + mu * g * (LENGTH * s - 0.5 * s * s)) / EA
        errors.append(np.abs(-run.state[-7 * cells :][2 : 3 * cells : 3] - exact).max())
        tension = run.tether.springs.tension
        assert_close(tension[0], TIP * g + mu * g * LENGTH, rtol=1e-6)
    for coarse, fine in itertools.pairwise(errors):
        assert 1.8 < math.log2(coarse / fine) < 2.2


def orbit_field(radius: float = 7.0e6):
    elements = KeplerElements(radius, 0.0, 0.0, 0.0, 0.0, 0.0)
    return no_field()._replace(kind=ORBIT, mu=EARTH_MU, path=origin_path(elements)), math.sqrt(
        EARTH_MU / radius**3
    )


def dumbbell(angle: float, *, out_of_plane: bool = False) -> tuple[TetherSystem, float]:
    """Two bodies on a massless line of 1 km on a circular orbit, turned from the vertical, at rest in turning axes."""
    field, n = orbit_field()
    up, along, normal = np.eye(3)  # the orbit starts on x, flies to y
    axis = math.cos(angle) * up + math.sin(angle) * (normal if out_of_plane else along)
    turn = n * normal
    m = (100.0, 50.0)
    line = TetherLine(1000.0, 0.0, 1e6, 2e6)
    length = 1000.0 * (1.0 + 3.0 * n * n * 1000.0 * m[0] * m[1] / sum(m) / 1e6)
    first, second = -m[1] / sum(m) * length * axis, m[0] / sum(m) * length * axis
    bodies = tuple(
        EndBody(mass, position=tuple(p), velocity=tuple(np.cross(turn, p)))
        for mass, p in zip(m, (first, second), strict=True)
    )
    return TetherSystem(bodies, line, 0, field=field), n


@pytest.mark.parametrize(("out_of_plane", "factor"), [(False, math.sqrt(3.0)), (True, 2.0)])
def test_small_librations_have_root_three_and_twice_the_orbit_rate(out_of_plane, factor):
    system, n = dumbbell(0.02, out_of_plane=out_of_plane)
    run = TetherRun(system, tolerance=1e-9)
    period = 2.0 * math.pi / (factor * n)
    times = np.linspace(0.0, 2.0 * period, 401)
    run.advance(times[-1], rows=times)
    apart = run.rows[:, 17:20] - run.rows[:, 0:3]
    phase = n * times
    up = np.stack([np.cos(phase), np.sin(phase), 0 * phase], axis=1)
    along = np.stack([-np.sin(phase), np.cos(phase), 0 * phase], axis=1)
    side = apart[:, 2] if out_of_plane else (apart * along).sum(axis=1)
    angle = np.arctan2(side, (apart * up).sum(axis=1))
    falls = np.flatnonzero((angle[:-1] > 0.0) & (angle[1:] <= 0.0))
    at = [times[i] + (times[1] - times[0]) * angle[i] / (angle[i] - angle[i + 1]) for i in falls]
    assert_close(at[1] - at[0], period, rtol=1e-3)


def test_massless_reel_in_keeps_the_spin_and_has_the_closed_form_tension():
    m_1, m_2, length, w = 30.0, 20.0, 100.0, 0.05
    reduced = m_1 * m_2 / (m_1 + m_2)
    line = TetherLine(length, 0.0, 1e9, 1e7)
    stretched = length * (1.0 + reduced * w * w * length / 1e9)
    bodies = (
        EndBody(m_1, velocity=(0.0, -m_2 / (m_1 + m_2) * w * stretched, 0.0)),
        EndBody(
            m_2,
            position=(stretched, 0.0, 0.0),
            velocity=(0.0, m_1 / (m_1 + m_2) * w * stretched, 0.0),
        ),
    )
    system = TetherSystem(
        bodies, line, 0, reels=(prescribed([0.0, 60.0], [0.0, -40.0], smooth=True), hold())
    )
    run = TetherRun(system, tolerance=1e-11)
    h = run.momentum()[1][2]
    run.advance(30.0)
    apart = run.state[17:20] - run.state[0:3]
    v = run.state[20:23] / m_2 - run.state[3:6] / m_1
    long = float(np.linalg.norm(apart))
    spin = (apart[0] * v[1] - apart[1] * v[0]) / long**2
    assert_close(run.momentum()[1][2], h, rtol=1e-9)
    assert_close(spin, w * stretched**2 / long**2, rtol=1e-8)
    # half way the cosine has no acceleration of the length
    assert_close(run.tether.springs.tension[0], reduced * long * spin**2, rtol=1e-4)


def test_spun_line_has_the_closed_form_tension_at_every_interface():
    mu, length, tip, w = 0.05, 200.0, 4.0, 0.1
    for cells in (5, 20):
        line = TetherLine(length, mu, 1e8, 1e8)
        far = EndBody(tip, position=(length, 0.0, 0.0), velocity=(0.0, w * length, 0.0))
        run = TetherRun(TetherSystem((ANCHOR, far), line, cells), tolerance=1e-9)
        run.advance(20.0, most_steps=60_000)
        run.refresh()
        r = np.arange(1, cells) * length / cells
        exact = spun_tension(r, payload=tip, speed=w * length, tip=length, linear_density=mu)
        assert_close(run.tether.springs.tension[1:-1], exact, rtol=5e-6)  # 5e-6: stretch of 1e8 N
        spoiled = spun_tension(
            r, payload=tip, speed=w * length, tip=length, linear_density=1.01 * mu
        )
        assert np.abs(spoiled / exact - 1.0).max() > 1e-4


def test_snatch_of_a_slack_line_has_the_closed_form_peak():
    bodies = (EndBody(30.0), EndBody(20.0, position=(49.0, 0.0, 0.0), velocity=(0.7, 0.0, 0.0)))
    run = TetherRun(TetherSystem(bodies, TetherLine(LENGTH, 0.0, EA), 0))
    run.advance(6.0)
    assert_close(
        run.extremes[tether_extremes.TENSION], 0.7 * math.sqrt(EA / LENGTH * 12.0), rtol=0.01
    )


def test_tuned_damper_in_series_damps_the_bounce_by_its_published_share():
    k, m = EA / LENGTH, 12.0  # reduced mass of 30 and 20 kg
    w = math.sqrt(k / m)
    line = TetherLine(LENGTH, 0.0, EA, series=((k, 2.0 * 0.9 * m * w), None))
    pull = 40.0  # tension that a thrust keeps in the line, so that it stays taut
    thrust = (EndThruster((0, 0, 0), (1, 0, 0), pull / 30.0 * 50.0, 1e12),)
    far = EndBody(
        20.0, position=(LENGTH + 2.0 * pull / k + 0.05, 0.0, 0.0), thrusters=thrust, propellant=1e-6
    )
    run = TetherRun(TetherSystem((EndBody(30.0), far), line, 0), tolerance=1e-11)
    run.state[SERIES] = pull / k
    times = np.linspace(0.0, 8.0, 4001)
    run.advance(8.0, rows=times)
    swing = run.rows[:, 17] - run.rows[:, 0] - LENGTH - 2.0 * pull / k
    peaks = [
        i for i in range(1, 4000) if swing[i - 1] < swing[i] >= swing[i + 1] and swing[i] > 1e-6
    ]
    decay = math.log(swing[peaks[0]] / swing[peaks[2]]) / 2.0
    share = decay / math.hypot(decay, 2.0 * math.pi)
    assert_close(share, 0.206, rtol=0.01)


def test_rocket_equation_and_propellant_out():
    thrust = (EndThruster((0, 0, 0), (0, 0, 1), 100.0, 220.0),)
    craft = EndBody(100.0, propellant=50.0, thrusters=thrust)
    system = TetherSystem((craft, EndBody(1.0, position=(1e6, 0, 0))), TetherLine(1e7, 0.0, EA), 0)
    run = TetherRun(system, tolerance=1e-12)
    run.advance(1500.0)
    assert_close(run.state[5] / 100.0, 220.0 * 9.80665 * math.log(1.5), rtol=1e-9)
    assert [name for _, name, *_ in run.events] == ["propellant out"]
    assert_close(run.momentum()[0], run.impulse(), rtol=1e-11)
    assert abs(run.balance()["relative"]) < 1e-9


def test_wheels_take_the_momentum_of_the_hull_and_saturate():
    hull = EndBody(
        100.0,
        inertia=(10.0, 12.0, 15.0),
        rate=(0.02, -0.03, 0.01),
        wheels=(0.2, 20.0),
        hold=(1.0, 5.0),
    )
    system = TetherSystem((hull, EndBody(1.0, position=(100.0, 0, 0))), TetherLine(1e3, 0.0, EA), 0)
    run = TetherRun(system, tolerance=1e-11)
    h = run.momentum()[1]
    run.advance(100.0)
    assert_close(run.momentum()[1], h, rtol=1e-10)
    assert np.abs(run.state[10:13]).max() < 1e-8
    small = dataclasses.replace(hull, wheels=(0.2, 0.1))
    full = TetherRun(system.changed(bodies=(small, system.bodies[1])))
    full.advance(100.0)
    assert "wheels saturated" in {name for _, name, *_ in full.events}
    assert np.abs(full.state[13:16]).max() < 0.11


def test_a_tow_is_that_of_the_net_s_reduced_model():
    length, stiffness, damping = 50.0, 200.0, 40.0  # [m], k [N/m], c [N s/m] of the thread
    chaser, target = (500.0, (300.0, 300.0, 200.0)), (80.0, (20.0, 25.0, 30.0))
    centre, far, thrust = (
        (0.0, 0.0, 0.0),
        (0.5, -0.2, 0.3),
        20.0,
    )  # pulled at its centre the chaser does not turn
    place, spin = (-length - 0.5125, 0.0, 0.0), (0.002, -0.003, 0.005)  # taut throughout
    reduced = tow_system(*chaser, *target, [centre], [far], length, stiffness, damping)
    times = np.linspace(0.0, 40.0, 41)
    bodies = (TowBody(centre), TowBody(place, rate=spin))
    other = tow(reduced, *bodies, (thrust, 0.0, 0.0), times, tolerance=1e-11).states
    burn = (EndThruster(centre, (1.0, 0.0, 0.0), thrust, 1e12),)
    first = EndBody(chaser[0], inertia=chaser[1], thrusters=burn, propellant=1e-6)
    second = EndBody(target[0], inertia=target[1], attachment=far, position=place, rate=spin)
    line = TetherLine(length, 0.0, stiffness * length, damping * length)
    run = TetherRun(TetherSystem((first, second), line, 0), tolerance=1e-10)
    run.advance(40.0, rows=times)
    assert_close(run.rows[:, 17:20], other[:, 13:16], rtol=1e-8)
    assert_close(run.rows[:, 27:30], other[:, 23:26], rtol=1e-6)


def test_a_wide_swing_has_the_period_of_the_elliptic_integral():
    field, n = orbit_field()
    start, length, m = 0.6, 10.0, (100.0, 50.0)
    axis = np.array([math.cos(start), math.sin(start), 0.0])
    bodies = tuple(
        EndBody(
            mass,
            position=tuple(share * length * axis),
            velocity=tuple(np.cross([0.0, 0.0, n], share * length * axis)),
        )
        for mass, share in zip(m, (-1.0 / 3.0, 2.0 / 3.0), strict=True)
    )
    run = TetherRun(
        TetherSystem(bodies, TetherLine(length, 0.0, 1e5, 1e6), 0, field=field), tolerance=1e-10
    )
    period = 4.0 * ellipk(math.sin(start) ** 2) / (math.sqrt(3.0) * n)
    times = np.linspace(0.9 * period, 1.1 * period, 41)
    run.advance(times[-1], rows=times)
    apart = run.rows[:, 17:19] - run.rows[:, 0:2]
    angle = np.arctan2(apart[:, 1], apart[:, 0]) - n * times
    angle = (angle + math.pi) % (2.0 * math.pi) - math.pi
    top = np.polyfit(times / period, angle, 6)  # the swing turns back after one period
    roots = np.roots(np.polyder(top))
    turned = roots[np.abs(roots.imag) < 1e-9].real
    assert_close(turned[np.argmin(np.abs(turned - 1.0))], 1.0, rtol=1e-6)
    assert_close(np.polyval(top, 1.0), start, rtol=1e-6)
