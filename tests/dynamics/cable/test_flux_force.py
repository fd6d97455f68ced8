"""The flux force mu u^2 (1 + eps) of line that a reel feeds: its size and sign, and what shows if it is spoiled."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.dynamics.cable import tether
from haptos.dynamics.cable.reel_build import prescribed
from haptos.dynamics.cable.tether_energy import energies, momenta
from haptos.dynamics.cable.tether_march import ask_rates
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import (
    BACK,
    ENERGY_ENTRIES,
    FEED,
    MOMENTUM,
    PROPELLANT,
    STORED,
    WORKS,
)
from haptos.dynamics.cable.tether_system import EndBody, TetherLine, TetherSystem, hold
from tests.close import assert_close

DENSITY = 0.2


def fed(speed: float, density: float = DENSITY) -> TetherRun:
    """A stretched line at rest between two bodies, which a reel feeds at a speed [m/s], below 0 takes in."""
    line = TetherLine(200.0, density, 2e4, 50.0)
    bodies = (EndBody(40.0), EndBody(30.0, position=(110.0, 0.0, 0.0)))
    reel = prescribed([0.0, 10.0], [0.0, 10.0 * speed])
    return TetherRun(TetherSystem(bodies, line, 5, reels=(reel, hold()), stored=(100.0, 0.0)))


def lowered(speed: float, density: float = DENSITY) -> tuple[float, float]:
    """(tension less pull on the hull [N], flux force of a line of DENSITY [N]) of a line of another density [kg/m]."""
    run = fed(speed, density)
    rates, totals = np.zeros(len(run.state)), np.zeros(3)
    ask_rates(run.tether, 0.5, run.state, rates, totals)
    strain, tension = run.tether.status[BACK], run.tether.status[BACK + 1]
    payout = run.tether.status[FEED]
    assert_close(payout, speed, rtol=1e-12)
    # P' of hull and reel together loses mu u v; what is left moves their mass
    mass = 40.0 + density * run.state[STORED]
    flow = density * payout - rates[PROPELLANT]
    pull = rates[MOMENTUM] + flow * run.state[MOMENTUM] / mass
    return tension - pull, DENSITY * payout**2 * (1.0 + strain)


@pytest.mark.parametrize("speed", [10.0, -10.0])
def test_the_pull_on_a_hull_is_lowered_by_the_flux_force_both_ways(speed):
    lost, flux = lowered(speed)
    assert flux > 1.0
    assert_close(lost, flux, rtol=1e-10)
    with pytest.raises(AssertionError):
        assert_close(*lowered(speed, 1.01 * DENSITY), rtol=1e-3)


def marched(run: TetherRun, until: float, steps: int) -> tuple[float, float]:
    """(remainder of the energy over what was exchanged, change of the momentum over its parts): RK4 on the plain rates."""
    t, h, y = 0.0, until / steps, run.state
    record = run.tether
    before, p = sum(energies(record, y)), np.array(momenta(record, y)[0])
    k = np.zeros((4, len(y)))
    for _ in range(steps):
        for stage, share in enumerate((0.0, 0.5, 0.5, 1.0)):
            at = y + (share * h * k[stage - 1] if stage else 0.0)
            tether.tether_rates(record, t + share * h, at, k[stage])
        y += h / 6.0 * (k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3])
        t += h
    tether.tether_rates(record, t, y, k[0])
    works = y[WORKS : WORKS + len(ENERGY_ENTRIES)]
    remainder = sum(energies(record, y)) - before - works.sum()
    scale = np.abs(y[[MOMENTUM, 17 + MOMENTUM]]).sum()
    return abs(remainder) / np.abs(works).sum(), float(abs(momenta(record, y)[0][0] - p[0]) / scale)


def test_a_flux_force_off_by_one_percent_shows_in_ledger_and_momentum(monkeypatch):
    """Transport is found from rates beside the energies: it cannot hide a wrong force of the reel."""
    ledger, momentum = marched(fed(10.0), 0.15, 200)
    assert ledger < 1e-7
    assert momentum < 1e-12

    own = tether.body_rates

    def spoiled(record, t, y, k, end, feed, cell, dy):
        own(record, t, y, k, end, feed, cell, dy)
        sign = 1.0 if k == 0 else -1.0
        flux = DENSITY * feed[0] ** 2 * (1.0 + feed[1].strain)
        dy[17 * k + MOMENTUM] += sign * 0.01 * flux

    monkeypatch.setattr(tether, "body_rates", spoiled)
    wrong_ledger, wrong_momentum = marched(fed(10.0), 0.15, 200)
    assert wrong_ledger > 1e2 * ledger
    assert wrong_ledger > 1e-6
    assert wrong_momentum > 1e-5
    assert math.isfinite(wrong_ledger)
