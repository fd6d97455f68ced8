"""A net that is closed: trusted as it comes, with winches that have limits, off the centre too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.dynamics.cable.draw_cord import winch_limits
from haptos.results.result import Result
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import build
from tests.close import assert_close

WAYS: dict[str, dict[str, Any]] = {
    "nothing reported": {"closing": {}},
    "running": {"closing": {"kind": "running"}},
    "running, fast": {"closing": {"kind": "running", "area_reduction": 0.9, "duration_s": 0.2}},
    "running, late": {
        "closing": {"kind": "running", "area_reduction": 0.95, "duration_s": 0.5, "delay_s": 0.2}
    },
    "running, off the centre": {
        "closing": {"kind": "running", "duration_s": 0.5}, "target": {"offset_m": [0.1, 0.05]}
    },
    "running, far off the centre": {
        "closing": {"kind": "running", "duration_s": 0.5}, "target": {"offset_m": [0.2, -0.1]}
    },
    "in pieces": {"closing": {"kind": "interlaced", "duration_s": 0.5}},
    "in pieces, off the centre": {
        "closing": {"kind": "interlaced", "duration_s": 0.3}, "target": {"offset_m": [0.16, -0.1]}
    },
    "straight": {"closing": {"kind": "free", "duration_s": 0.5}},
    "a winch lost": {"closing": {"kind": "running", "duration_s": 0.5, "failed": [0]}},
    "a fast shot": {
        "closing": {"kind": "running", "duration_s": 0.5},
        "shot": {"speed_m_per_s": 5.0}, "run": {"duration_s": 1.5},
    },
}  # fmt: skip
LARGE: dict[str, dict[str, Any]] = {  # of the preset net
    "straight": {"closing": {"kind": "free"}, "run": {"duration_s": 8.0}},
    "off the centre": {"target": {"offset_m": [0.2, 0.1]}, "run": {"duration_s": 8.0}},
    "fast": {"closing": {"duration_s": 0.5}, "run": {"duration_s": 8.0}},
}


def closed(changes: dict[str, Any]) -> Result:
    return hp.simulate(hp.default("net-small", changes))


@pytest.mark.parametrize("way", WAYS)
def test_a_net_that_is_closed_is_trusted_as_it_comes(way: str) -> None:
    found = closed(WAYS[way])
    assert found.trusted, found.summary()
    stored = np.sum(list(found.ledger.stores.values()), axis=0).max()
    lost = -sum(min(float(work[-1]), 0.0) for work in found.ledger.works.values())
    assert found.ledger.max_remainder < 0.01 * (stored + lost)  # not of what winches put in
    assert found.ledger.works["winch"][-1] < 1.0  # [J]; up to 72 J without limits


@pytest.mark.parametrize("way", LARGE)
def test_so_is_the_large_net(way: str) -> None:
    """Threads drawn over edges under load: contacts that share nodes lose nothing while they rest."""
    found = hp.simulate(hp.default("net", LARGE[way]))
    assert found.trusted, found.summary()
    assert found.ledger.relative_remainder < 2e-3  # 18e-3 if damping knew nothing of later contacts
    deepest = next(check for check in found.checks if check.name == "surface")
    assert deepest.value < 0.15  # of the depth allowed; 0.5 where edges let go of threads


@pytest.mark.slow
def test_a_net_that_stays_closed_for_long_is_trusted() -> None:
    """Bullets that press on the box and turn missed 3 % of the energy within 3 s."""
    found = closed(
        {"closing": WAYS["a winch lost"]["closing"] | {"failed": []}, "run": {"duration_s": 4.0}}
    )
    assert found.trusted, found.summary()
    assert found.ledger.relative_remainder < 5e-3


def test_limits_hold_in_the_motion() -> None:
    config: Config = hp.default(
        "net-small", WAYS["running"] | {"run": {"output_interval_s": 0.005}}
    )  # type: ignore[assignment]
    stall = build(config).system.orders.winches["stall"]
    tension = hp.simulate(config).trajectory["closing_tension"].values
    speed = 0.9  # of a line of 1 m that closes to a tenth in 1 s
    damper = (
        0.1 * float(stall.max()) + speed * 0.1
    )  # the damper's share, which the winch does not see
    assert tension.max() < stall.max() + damper
    assert (stall == stall[0]).all()  # a net that is alike on all sides stays so


def test_defaults_follow_from_the_speed_and_the_bullets() -> None:
    model = build(hp.default("net-small", WAYS["running"]))  # type: ignore[arg-type]
    winches = model.system.orders.winches
    mass = float(model.thrown_masses[0])
    force, power = winch_limits(0.9, 85.0, 1.0, (mass, mass))
    assert_close(winches["stall"], np.full(4, force), rtol=1e-12)
    assert_close(winches["power"], 0.45 * winches["stall"], rtol=1e-12)
    assert_close(power, 0.45 * force, rtol=1e-12)


def test_limits_that_are_told_are_taken() -> None:
    reported = {"kind": "running", "stall_force_N": 3.0, "power_W": 2.0, "failed": [0]}
    winches = build(hp.default("net-small", {"closing": reported})).system.orders.winches  # type: ignore[arg-type]
    assert (winches["stall"] == 3.0).all()
    assert sorted(winches["power"]) == [1.0, 1.0, 2.0, 2.0]  # lines with one winch, with two


def test_winches_without_limits_are_asked_for() -> None:
    reported = {"kind": "running", "limited": False}
    winches = build(hp.default("net-small", {"closing": reported})).system.orders.winches  # type: ignore[arg-type]
    assert np.isinf(winches["stall"]).all()
    assert np.isinf(winches["power"]).all()
    with pytest.raises(ConfigError, match="limited"):
        hp.default("net-small", {"closing": reported | {"stall_force_N": 1.0}})


def test_a_profile_has_limits_too() -> None:
    reported = {
        "kind": "running",
        "winding_times_s": [0.0, 0.2, 0.6],
        "winding_shares": [0.0, 0.2, 1.0],
    }
    found = closed({"closing": reported})
    assert found.trusted
    assert found.ledger.works["winch"][-1] < 1.0
