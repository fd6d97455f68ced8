"""The bouncing ball: keys of its file, its motion in closed form, what it tells of a run.

Between impacts z = z0 + v0 t - g t^2/2; each impact turns the speed v into e v (Newton's restitution).
The ball rests after an infinite number of impacts, at the time (1 + e)/(1 - e) sqrt(2 h/g).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import xarray
from pydantic import Field

from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.results.ledger import EnergyLedger
from haptos.results.provenance import provenance
from haptos.results.result import Result, described
from haptos.scenarios.schema import Number, Positive, ScenarioConfig

G = 9.80665  # [m/s^2]
IMPACTS = 20  # that are followed one by one
OUTCOMES = (Outcome.SETTLED,)


class Config(ScenarioConfig):
    """Keys of a file with scenario = "bouncing-ball"."""

    scenario: Literal["bouncing-ball"]
    height_m: Positive = Field(description="height of the lowest point at release")
    mass_kg: Positive = Field(description="mass of the ball")
    restitution: Number = Field(
        default=0.5, ge=0.0, description="speed after over before an impact"
    )


def check(config: Config) -> None:
    """Refuse what never rests."""
    if config.restitution >= 1.0:
        found = f"restitution = {config.restitution:g}"
        raise ConfigError("[restitution]", found, "below 1, or it never rests", "0.9")


def simulate(config: Config, *, progress: Callable[[float], None] | None = None) -> Result:
    """The tops of its flights and the impacts between them."""
    h, m, e = config.height_m, config.mass_kg, config.restitution
    tops = h * e ** (2.0 * np.arange(IMPACTS + 1))
    fall = math.sqrt(2.0 * h / G)
    impacts = fall * (1.0 + 2.0 * e * (1.0 - e ** np.arange(IMPACTS)) / (1.0 - e))
    times = np.concatenate([[0.0], impacts + fall * e ** np.arange(1, IMPACTS + 1)])
    rest = fall * (1.0 + e) / (1.0 - e)
    potential = m * G * tops
    if progress is not None:
        progress(1.0)
    table = config.as_table()
    time = described(("time",), times, "s", "-", "time since release, at the top of each flight")
    height = described(("time",), tops, "m", "-", "height of the lowest point")
    moments = described(("event",), impacts, "s", "-", "time of each impact")
    return Result(
        scenario=config.scenario,
        name=config.name,
        config=table,
        trajectory=xarray.Dataset({"height": height}, coords={"time": time}),
        events=xarray.Dataset({"event_time": moments}),
        ledger=EnergyLedger(
            time=times,
            stores={"potential": potential},
            works={"impacts": potential - potential[0]},
            scale=float(potential[0]),
            bound=1e-12,
            max_remainder=0.0,
        ),
        ended=Outcome.SETTLED,
        metrics={"rest_time_s": rest, "first_return_m": float(tops[1])},
        provenance=provenance(table, config.seed, 0.0),
        cites=sources(config),
    )


def metric_names() -> tuple[str, ...]:
    return ("rest_time_s", "first_return_m")


def sources(config: Config) -> tuple[str, ...]:
    return ("Goldsmith1960",)


def answer(result: Result) -> str:
    """What the person asked."""
    reported = result.metrics
    return f"The ball comes back to {reported['first_return_m']:.3g} m and rests after {reported['rest_time_s']:.3g} s."
