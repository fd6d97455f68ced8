"""The scheme of a net scenario: chosen in [run], refused where it does not fit."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import ValidationError

from haptos.core.errors import ConfigError
from haptos.dynamics.march.stepper import PART, Stepper
from haptos.dynamics.motion import ENERGY, MARCH, record
from haptos.scenarios.net.simulate import check, simulate, sources
from tests.scenarios.test_net import changed

DORMAND = {"scheme": "dormand-prince"}


def still():
    """As much of a motion as a march in parts reads."""
    ledger = SimpleNamespace(energy=record(ENERGY))
    return SimpleNamespace(step=SimpleNamespace(count=0.0), ledger=ledger)


def counted(gain: float, needed: float):
    """A march in parts of a scheme that does `gain` of its steps tried, and is there after `needed`."""
    counts = {"tried": 0.0, "calls": 0}
    motion = still()

    def go(until, steps):
        counts["calls"] += 1
        more = min(steps, needed) - counts["tried"]
        counts["tried"] += more
        motion.step.count += gain * more
        return counts["tried"] >= needed

    scratch = SimpleNamespace(march=record(MARCH))
    return counts, lambda most: Stepper(go, lambda: counts["tried"], most, motion, scratch)(1.0)


def test_parts_count_steps_that_were_thrown_away():
    counts, reached = counted(0.1, needed=5.5 * PART)
    assert reached(100.0 * PART)
    assert counts["calls"] == 6


def test_parts_end_with_the_steps_allowed():
    counts, reached = counted(0.1, needed=np.inf)
    assert not reached(2.5 * PART)
    assert counts == {"tried": 2.5 * PART, "calls": 3}


def test_a_march_that_tries_no_step_is_not_called_again():
    calls = []
    motion = still()
    scratch = SimpleNamespace(march=record(MARCH))
    go = lambda until, steps: bool(calls.append(until))  # noqa: E731
    assert not Stepper(go, lambda: 7.0, 1e9, motion, scratch)(1.0)
    assert calls == [1.0]


def test_edges_winches_and_contacts_within_the_net_pass():
    check(
        changed(
            run=DORMAND,
            contact={
                "edges": True,
                "self": True,
                "bullets_net": True,
                "bullets": True,
                "chaser": True,
            },
            closing={"kind": "running", "duration_s": 1.0, "limited": False},
        )
    )


def test_a_delayed_shot_is_refused():
    with pytest.raises(ConfigError, match="held past time zero"):
        check(changed(run=DORMAND, contact={"edges": False}, shot={"delay_s": 0.2}))


def test_winches_that_stall_are_refused():
    with pytest.raises(ConfigError, match="stall"):
        check(changed(run=DORMAND, closing={"duration_s": 1.0, "stall_force_N": 5.0}))


def test_an_unknown_scheme_is_refused():
    with pytest.raises(ValidationError, match="verlet"):
        changed(run={"scheme": "euler"})


def test_a_fitting_net_passes_and_cites_the_pair():
    config = changed(run=DORMAND, contact={"edges": False})
    check(config)
    assert "DormandPrince1980" in sources(config)
    assert "DormandPrince1980" not in sources(changed())


@pytest.mark.slow
def test_both_schemes_shoot_and_open_a_small_net_alike():
    shared = {
        "net": {"strings": 5, "rings": 5, "width_m": 1.0, "height_m": 1.0},
        "shot": {"speed_m_per_s": 2.0},
        "contact": {"edges": False},
    }
    run = {"duration_s": 0.6, "output_interval_s": 0.05}
    ours = simulate(changed(**shared, run={**run, "step_share": 0.1}))
    other = simulate(changed(**shared, run={**run, **DORMAND}))
    bullets = [n for n, name in enumerate(ours.trajectory["body"].values) if "bullet" in str(name)]
    places = [result.trajectory["r_BN_N"].values[:, bullets] for result in (ours, other)]
    assert np.abs(places[0] - places[1]).max() < 5e-3  # of 1.2 m; nodes themselves are chaotic
    assert other.ledger.max_remainder < 1e-3 * other.ledger.scale
