"""Phases of a net's energy ledger: frames, events, and thrust that dilutes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import haptos
from haptos.scenarios.files import parse, parse_toml, preset_text
from haptos.scenarios.merging import laid_over
from haptos.scenarios.net.model import build
from tests.close import assert_close


def small(**changes):
    """The built-in small net with tables laid over it."""
    return parse(laid_over(parse_toml(preset_text("net-small"), "net-small"), changes), "test")


def test_a_flight_stores_what_its_shot_gave_it():
    result = haptos.simulate(small(run={"duration_s": 0.4}))
    (flight,) = result.ledger.phases
    assert flight.name == "flight"
    assert_close(flight.put_in, result.ledger.works["shot"][-1], rtol=1e-12)
    assert flight.stored >= flight.put_in * (1.0 - 1e-6)


def test_thrust_is_put_in_and_does_not_dilute():
    """The common motion grows with the burn, the scale of its phase does not."""
    burn = {"body": "chaser", "start_s": 0.2, "duration_s": 0.2, "force_N": [-1500.0, 0.0, 0.0]}
    calm = haptos.simulate(small(run={"duration_s": 0.6}))
    pushed = haptos.simulate(small(burns=[burn], run={"duration_s": 0.6}))
    names = [phase.name for phase in pushed.ledger.phases]
    assert names == ["flight", "burn 1", "after burn 1"]
    burning = pushed.ledger.phases[1]
    assert (burning.start, burning.end) == pytest.approx((0.2, 0.4), abs=1e-9)
    work = float(pushed.ledger.works["thrust"][-1])
    assert_close(burning.put_in, work, rtol=1e-9)
    assert work > 50.0
    # Chaser and the rest move apart, so some of it is stored; the kinetic energy of the whole is not.
    whole = pushed.ledger.total.max()
    assert burning.stored < 0.2 * whole
    assert calm.ledger.phases[0].put_in < 1.0


def test_the_spin_of_a_target_does_not_dilute_what_a_net_misses():
    """A box of 59 kJ at 36,000 deg/s: measured by it, half of all losses could be missing."""
    result = haptos.simulate(small(target={"rate_deg_per_s": [36000.0, 0.0, 0.0]}))
    touch = result.ledger.judged[1]
    assert touch.phase.name == "touch"
    assert touch.phase.resting > 5e4
    assert touch.scale < 10.0
    assert touch.phase.remainder < 0.02 * touch.phase.dissipated
    assert result.ledger.closes
    assert result.metrics["steps"] >= 1.6 * np.radians(36000.0) / 0.01


def test_half_of_the_losses_missing_beside_a_fast_spin_is_not_trusted():
    """The verdict alone sees what a missing half of the losses is, whatever the steps were."""
    result = haptos.simulate(small(target={"rate_deg_per_s": [36000.0, 0.0, 0.0]}))
    touch = result.ledger.phases[1]
    spoiled = replace(touch, remainder=0.5 * touch.dissipated)
    phases = (result.ledger.phases[0], spoiled)
    assert not replace(result.ledger, phases=phases).closes


def test_events_come_from_closing_burns_and_reels():
    given = laid_over(parse_toml(preset_text("net"), "net"), {})
    given["burns"] = [{"start_s": 2.0, "duration_s": 60.0, "force_N": [-1.0, 0.0, 0.0]}]
    given["tether"] |= {"reel_to_m": 2.0, "reel_start_s": 1.0, "reel_duration_s": 3.0}
    config = parse(given, "test")
    events = build(config).system.orders.events
    # Start, touch, closing for 1 s after it, a reel from 1 to 4 s, and the burn by the clock.
    wanted = [[-np.inf, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [4.0, 0.0]]
    assert events.tolist() == [*wanted, [2.0, 0.0], [62.0, 0.0]]
