"""Runs a scenario again, with its start disturbed and with finer steps, to see which numbers repeat.

A scenario takes part if its contract has `repeats` and `refined`: `scenarios/contract.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from haptos.core.errors import ConfigError
from haptos.core.random_streams import stream
from haptos.results.repeats import Repeats
from haptos.scenarios.registry import scenario

if TYPE_CHECKING:
    from haptos.campaign.plan import CampaignPlan
    from haptos.results.result import Result
    from haptos.scenarios.schema import ScenarioConfig

STREAM = "repeats"  # of random numbers, apart from every other of the same seed


def repeats_of(config: ScenarioConfig) -> int:
    """How many disturbed runs a configuration asks for; 0 of a scenario that has none."""
    repeats = scenario(config.scenario).running.repeats
    return int(repeats(config)) if repeats is not None else 0


def simulated(
    config: ScenarioConfig, progress: Callable[[float], None] | None = None, **options: Any
) -> Result:
    """Result of one run, with the further runs that the configuration asks for."""
    count = repeats_of(config)
    running = scenario(config.scenario).running
    if options and count:
        found, hint = f"a controller with run.repeats = {count}", "run.repeats = 0"
        raise ConfigError("simulate", found, "one of them: a controller may remember", hint)
    whole = count + 2 if count else 1
    result: Result = running.simulate(config, progress=_part(progress, 0, whole), **options)
    refined = running.refined
    if not count or refined is None:
        return result
    further: list[Result] = []
    for number in range(count):
        disturbance = stream(config.seed, number, STREAM)
        share = _part(progress, 1 + number, whole)
        further.append(running.simulate(config, progress=share, disturbance=disturbance, **options))
    share = _part(progress, whole - 1, whole)
    further.append(running.simulate(refined(config), progress=share, **options))
    outcomes = tuple(one.outcome.label for one in further)
    metrics = {name: tuple(one.metrics[name] for one in further) for name in result.metrics}
    return replace(result, repeats=Repeats(outcomes, metrics))


def _part(
    progress: Callable[[float], None] | None, number: int, whole: int
) -> Callable[[float], None] | None:
    """Progress of one of several runs as progress of all of them."""
    return None if progress is None else lambda share: progress((number + share) / whole)


def check_repeats(plan: CampaignPlan) -> None:
    """Refuse a campaign that asks for repeats of its runs."""
    try:
        refuse_repeats(plan.config(0), f"{plan.where} [run] repeats")
    except ConfigError as error:
        if "repeats" in error.where:
            raise  # else the check of all runs says which key is refused and why
    if "run.repeats" in plan.template.variations:
        found, hint = "run.repeats that varies", "leave it out"
        raise ConfigError(f"{plan.where} [run] repeats", found, "0 in a campaign", hint)


def refuse_repeats(config: ScenarioConfig, where: str) -> None:
    """Many runs at once are not repeated: each would cost several, and its row has no room for them."""
    count = repeats_of(config)
    if count:
        found = f"run.repeats = {count}"
        hint = "leave it out, and repeat single runs of it with haptos run"
        raise ConfigError(where, found, "0 in a campaign or batch", hint)
