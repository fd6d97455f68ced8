"""A simulation that costs nothing: the command line is tested, not the physics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import xarray

from haptos.core.outcome import Outcome
from haptos.results.ledger import EnergyLedger
from haptos.results.provenance import provenance
from haptos.results.result import Result


def fake_simulate(
    scenario: Any, *, progress: Callable[[float], None] | None = None, remainder: float = 0.0
) -> Result:
    """Result of a body that stays where it is; `remainder` [J] spoils its ledger."""
    if progress is not None:
        progress(0.5)
        progress(1.0)
    time = np.array([0.0, 1.0])
    config = scenario.as_table()
    described = {"unit": "m", "frame": "A", "description": "height"}
    trajectory = xarray.Dataset(
        {"height": ("time", np.zeros(2), described)},
        coords={"time": ("time", time, {"unit": "s", "frame": "-", "description": "time"})},
    )
    zeros = np.zeros(2)
    return Result(
        scenario=scenario.scenario,
        name=scenario.name,
        config=config,
        trajectory=trajectory,
        events=xarray.Dataset(),
        ledger=EnergyLedger(
            time,
            {"kinetic": zeros},
            {"friction": zeros},
            bound=1e-6,
            max_remainder=remainder,
            scale=1.0,
        ),
        ended=Outcome.SETTLED,
        metrics={"settle_time_s": 1.0, "nothing_m": float("nan")},
        provenance=provenance(config, scenario.seed, 0.0),
        cites=(),
    )
