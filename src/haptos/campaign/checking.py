"""Every run of a plan is parsed and its model built before the first one starts; a refused one is reported in full."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from typing import Any

from haptos.campaign.plan import CampaignPlan, flat
from haptos.core.errors import ConfigError, HaptosError
from haptos.core.stop import Stopped
from haptos.scenarios.files import check_many, parse_checked
from haptos.scenarios.merging import TAGS

CHECK_TIME = 5.0  # [s] of the processor, for the runs that `haptos check` looks at
MOST_CHECKED = 10_000  # of them; some seconds where a model is built in a millisecond
MOST_LOOKED_AT = 20_000  # whose values are drawn to find the extremes
STRIDE = 1000  # runs checked together, between two looks for a request to stop; about 50 ms


def check_runs(
    plan: CampaignPlan,
    shards: Iterable[int],
    *,
    advance: Callable[[int], None] = lambda count: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> None:
    """Parse the configuration of every run; raises ConfigError for the first that is refused."""
    runs = chain.from_iterable(plan.shard(shard) for shard in shards)
    while some := list(islice(runs, STRIDE)):
        if should_stop():
            raise Stopped
        _check(plan, _distinct(plan, some))
        advance(len(some))


def check_some_runs(plan: CampaignPlan) -> tuple[int, int]:
    """(checked, in all) of the different configurations: parsed, and their models built.

    Those with extreme values come first. It ends after CHECK_TIME, so that a file is checked in seconds
    whatever its size; the campaign itself checks every run.
    """
    # Without random keys all runs of a design point are one configuration.
    each = 1 if plan.template.distributions else plan.settings.runs
    total = plan.total // each
    runs = [each * place for place in _sample(plan, total, each)]
    try:
        return _checked_in_time(plan, runs), total
    except ConfigError:
        # the first run that is refused is easier to find in the file
        _checked_in_time(plan, sorted(runs))
        raise


def _checked_in_time(plan: CampaignPlan, runs: list[int]) -> int:
    """How many of the runs were checked within CHECK_TIME."""
    _check(plan, runs[:1])  # alone and not timed: it may load kernels and make grids
    done, size, began = 1, 1, time.process_time()
    while done < len(runs) and time.process_time() - began < CHECK_TIME:
        started = time.process_time()
        some = runs[done : done + size]
        _check(plan, some)
        done += len(some)
        seconds = (time.process_time() - started) / len(some)
        size = max(1, min(STRIDE, 4 * size, int(0.1 * CHECK_TIME / max(seconds, 1e-9))))
    return done


def _sample(plan: CampaignPlan, total: int, each: int) -> list[int]:
    """Places to check: first, last, those with the least and most of each value, then evenly."""
    places = _spread(total, MOST_LOOKED_AT)
    rows = [flat(values) for values in plan.values_of(each * place for place in places)]
    chosen = [places[0], places[-1]]
    for column in rows[0]:
        order = sorted(range(len(rows)), key=[row[column] for row in rows].__getitem__)
        chosen += [places[order[0]], places[order[-1]]]
    return list(dict.fromkeys([*chosen, *_spread(total, MOST_CHECKED)]))


def _spread(total: int, most: int) -> list[int]:
    """At most so many places, evenly out of all, in order."""
    step = max(1, -(-total // most))
    return list(dict.fromkeys([*range(0, total, step), total - 1]))


def _check(plan: CampaignPlan, runs: Sequence[int]) -> None:
    """All at once, which is quick; if that is refused one by one, which tells the first and why."""
    try:
        check_many([plan.template.filled(values) for values in plan.values_of(runs)], plan.where)
        return
    except HaptosError:
        pass
    for run, values in zip(runs, plan.values_of(runs), strict=True):
        try:
            parse_checked(plan.template.filled(values), plan.where)
        except HaptosError as error:
            raise explained(plan, run, values, error) from None


def _distinct(plan: CampaignPlan, runs: list[int]) -> Sequence[int]:
    """Runs to parse: without random keys all runs of a design point are one configuration."""
    if plan.template.distributions:
        return runs
    return [run for run in runs if run == runs[0] or plan.replicate(run) == 0]


def explained(
    plan: CampaignPlan, run: int, values: dict[str, Any], error: HaptosError
) -> ConfigError:
    """The refusal of one run, naming the varying key that caused it where that is known."""
    suspects = [key for key in values if _concerns(key, error)]
    if error.found.startswith(("unknown key", "no key")):
        return _misfit(plan, run, values, suspects, error)
    if not suspects:
        inside = error.where.removeprefix(plan.where).strip()  # a table, or the file of a mesh
        where = f"{plan.where} run {run} {inside}".rstrip()
        return ConfigError(where, error.found, error.allowed, error.hint)
    exact = [key for key in suspects if _is_named(key, error.found)]
    keys = exact[:1] or suspects
    found = ", ".join(f"{key} = {values[key]!r}" for key in keys)
    hints = dict.fromkeys(_remedy(plan, key, error.allowed) for key in keys)
    return ConfigError(f"{plan.where} run {run}", found, error.allowed, "; ".join(hints))


def _misfit(
    plan: CampaignPlan, run: int, values: dict[str, Any], suspects: list[str], error: HaptosError
) -> ConfigError:
    """A key too many or too few is the file's mistake, unless the kind of the table varies."""
    tags = [key for key in suspects if key.rpartition(".")[2] in TAGS]
    if not tags:
        return ConfigError(error.where, error.found, error.allowed, error.hint)
    found = f"{error.found} with {tags[0]} = {values[tags[0]]!r}"
    hint = f"{tags[0]}: write one campaign file for each value, or keys that fit all of them"
    return ConfigError(f"{plan.where} run {run}", found, error.allowed, hint)


def _concerns(key: str, error: HaptosError) -> bool:
    """Whether the error speaks of the table that holds the key."""
    table, _, _ = key.rpartition(".")
    if not table:
        return _is_named(key, error.found)
    return f"[{table}]" in error.where


def _is_named(key: str, found: str) -> bool:
    last = key.rpartition(".")[2]
    return found.startswith((f"{last} = ", f"{last}[")) or f"'{last}'" in found


def _remedy(plan: CampaignPlan, key: str, allowed: str) -> str:
    variation = plan.template.variations[key]
    if allowed.startswith("a whole number") and variation.column_type == "double":
        return f'{key}: give whole numbers with distribution = "choice" or sweep = "grid", values'
    if variation.kind == "normal":
        return f"{key}: truncate the normal with low = ... or high = ..."
    if variation.kind in ("choice", "list", "grid"):
        return f"{key}: remove that value"
    if variation.kind == "random_attitude":
        return f"{key}: only keys that hold a quaternion take a random attitude"
    return f"{key}: narrow low and high"
