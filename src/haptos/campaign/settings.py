"""The [campaign] table: how many runs, which seed, how they are cut into shards."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, ValidationError

from haptos.campaign.precision import Until
from haptos.core.errors import ConfigError
from haptos.results.many_runs import Store
from haptos.scenarios.merging import is_variation
from haptos.scenarios.schema import Line, Table, Whole
from haptos.scenarios.validation_errors import as_config_error

LARGEST_TOTAL = 100_000_000  # runs of one campaign
LARGEST_SHARD_COUNT = 100_000  # files in one folder
USUAL_SHARD = 100  # [runs]; little is lost when interrupted
SMALL_SHARD_COUNT = 10  # of campaigns below 1000 runs, which are those of slow scenarios
DEFAULT_SHARD_COUNT = 1000  # above 100 000 runs shards grow, not their number
LONGEST_QUESTION = 300  # [characters] one line of a terminal or two


class Settings(Table):
    """Keys of the [campaign] table."""

    runs: Annotated[Whole, Field(ge=1, le=LARGEST_TOTAL)] = Field(
        default=1, description="runs per design point, at least 1"
    )
    seed: Annotated[Whole, Field(ge=0, lt=2**63)] = Field(
        default=0, description="seed of all random draws of the campaign"
    )
    shard_runs: Annotated[Whole, Field(ge=1, le=LARGEST_TOTAL)] | None = Field(
        default=None, description="runs written to disk together"
    )
    points: Annotated[Whole, Field(ge=1, le=10_000_000)] | None = Field(
        default=None,
        description="points of the latin_hypercube or sobol design; of saltelli, per matrix",
    )
    common_random_numbers: Annotated[bool, Field(strict=True)] = Field(
        default=False, description="same draws at every design point"
    )
    until: Until | None = Field(
        default=None, description="statistic to know and how well; stops before `runs` when met"
    )
    question: Annotated[Line, Field(max_length=LONGEST_QUESTION)] = Field(
        default="",
        description="what the campaign asks, said before its answer; the scenario's if left out",
    )
    store: Store = Field(
        default="summary",
        description="kept besides one row per run: every impact, or with them the trajectories",
    )


def read_settings(table: dict[str, Any], where: str) -> Settings:
    """Checked [campaign] table of a campaign file."""
    place = f"{where} [campaign]"
    if "campaign" not in table:
        hint = "add [campaign] with runs = 100, or use `haptos run` for one run"
        raise ConfigError(where, "no table [campaign]", "a campaign file", hint)
    given = table["campaign"]
    if not isinstance(given, dict):
        raise ConfigError(where, f"campaign = {given!r}", "a table [campaign]", "write [campaign]")
    for key, value in given.items():
        if is_variation(value):
            hint = "give it one value; vary keys of the scenario"
            raise ConfigError(f"{place} {key}", "a varying value", "a plain value", hint)
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        raise as_config_error(error, Settings, place) from None


def shard_size(settings: Settings, total: int, where: str) -> int:
    """Runs per shard: as given, or a size that keeps both files and losses small."""
    place = f"{where} [campaign]"
    if total > LARGEST_TOTAL:
        found = f"{total} runs in all"
        hint = "fewer runs per point, or fewer grid values"
        raise ConfigError(place, found, f"at most {LARGEST_TOTAL} runs", hint)
    if settings.shard_runs is None:
        usual = min(USUAL_SHARD, -(-total // SMALL_SHARD_COUNT))
        return max(usual, -(-total // DEFAULT_SHARD_COUNT))
    count = -(-total // settings.shard_runs)
    if count > LARGEST_SHARD_COUNT:
        found = f"shard_runs = {settings.shard_runs}, which makes {count} files"
        smallest = -(-total // LARGEST_SHARD_COUNT)
        raise ConfigError(
            place, found, f"at most {LARGEST_SHARD_COUNT}", f"shard_runs = {smallest}"
        )
    return settings.shard_runs
