"""What a campaign file asks for: every run's values, known before the first run starts."""

from __future__ import annotations

import copy
import difflib
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from haptos.campaign.design import Design
from haptos.campaign.settings import Settings, read_settings, shard_size
from haptos.campaign.template import Template
from haptos.campaign.variation import ColumnType
from haptos.core.errors import ConfigError, HaptosError
from haptos.core.input_files import input_file
from haptos.core.random_streams import RunStreams
from haptos.core.sources import source_hash
from haptos.scenarios.files import (
    names_file,
    parse,
    parse_many,
    preset_files,
    read_named,
    read_table,
    resolve_paths,
    scenario_kind,
)
from haptos.scenarios.merging import is_variation, laid_over
from haptos.scenarios.registry import EXAMPLE
from haptos.scenarios.schema import ScenarioConfig

LARGEST_DATA = 500_000_000  # [byte] of a file that a key names; readers allow no more


@dataclass(frozen=True)
class CampaignPlan:
    """A campaign, complete: scenario table, what varies in it, and how many runs.

    where         name of the campaign file, for messages
    table         scenario table (base merged in), varying values still as inline tables
    settings      the [campaign] table
    shard_runs    runs per shard
    fingerprint   sha256 over everything that decides the results; equal means same campaign
    """

    where: str
    table: dict[str, Any]
    settings: Settings
    shard_runs: int
    fingerprint: str
    template: Template
    design: Design

    @property
    def scenario(self) -> str:
        return str(self.table["scenario"])

    @property
    def points(self) -> int:
        """Number of design points."""
        return self.design.count

    @property
    def total(self) -> int:
        """Number of runs: design points times runs per point."""
        return self.points * self.settings.runs

    @property
    def shard_count(self) -> int:
        return -(-self.total // self.shard_runs)

    def shard(self, index: int) -> range:
        """Run indices of one shard."""
        first = index * self.shard_runs
        return range(first, min(first + self.shard_runs, self.total))

    def point(self, run: int) -> int:
        """Design point of a run; all runs of one point stand together."""
        return run // self.settings.runs

    def replicate(self, run: int) -> int:
        """Place of a run among those of its design point."""
        return run % self.settings.runs

    def values(self, run: int) -> dict[str, Any]:
        """Varying key -> its value in one run, vectors as lists."""
        if not 0 <= run < self.total:
            raise IndexError(f"run {run} of a campaign with {self.total} runs")
        return next(self.values_of([run]))

    def values_of(self, runs: Iterable[int]) -> Iterator[dict[str, Any]]:
        """Values of many runs in a row, several times faster than one by one."""
        sweeps = list(self.template.sweeps)
        laws = [
            (key, law, RunStreams(self.settings.seed, key))
            for key, law in self.template.distributions.items()
        ]
        for run in runs:
            counter = self._counter(run)
            values = {key: self._swept(key, run) for key in sweeps}
            for key, law, streams in laws:
                values[key] = law.sample(streams.at(counter))
            yield values

    def config_table(self, run: int) -> dict[str, Any]:
        """Scenario table of one run, as a file of that run alone would hold it."""
        return copy.deepcopy(self.template.filled(self.values(run)))

    def config(self, run: int) -> ScenarioConfig:
        """Checked configuration of one run."""
        return parse(self.config_table(run), f"{self.where} run {run}")

    def configs(self, runs: Iterable[int]) -> list[ScenarioConfig]:
        """Checked configurations of many runs."""
        fill = self.template.filled
        return parse_many((fill(values) for values in self.values_of(runs)), self.where)

    def varied_values(self, run: int) -> dict[str, Any]:
        """Column -> value in one run; a vector has one column per element."""
        return flat(self.values(run))

    @property
    def columns(self) -> dict[str, ColumnType]:
        """Column -> Arrow type of everything that varies."""
        return {
            column: variation.column_type
            for key, variation in self.template.variations.items()
            for column in self.columns_of(key)
        }

    def columns_of(self, key: str) -> list[str]:
        """Columns of one varying key."""
        return column_names(key, self.template.variations[key].length)

    @property
    def varied(self) -> list[dict[str, str]]:
        """What varies: key, kind and a description in words."""
        return [
            {"key": key, "kind": variation.kind, "description": variation.description}
            for key, variation in self.template.variations.items()
        ]

    def _counter(self, run: int) -> int:
        return self.replicate(run) if self.settings.common_random_numbers else run

    def _swept(self, key: str, run: int) -> Any:
        value = self.design.value(key, self.point(run))
        return value if isinstance(value, int | str | list) else float(value)


def column_names(key: str, length: int | None) -> list[str]:
    """Columns of one key: itself, or one per element of a vector."""
    return [key] if length is None else [f"{key}[{i}]" for i in range(length)]


def flat(values: dict[str, Any]) -> dict[str, Any]:
    """Keys with vector values become one column per element; columns in sorted order of keys."""
    columns: dict[str, Any] = {}
    for key in sorted(values):
        value = values[key]
        if isinstance(value, list):
            columns |= dict(zip(column_names(key, len(value)), value, strict=True))
        else:
            columns[key] = value
    return columns


def load_plan(path: str | Path, where: str | None = None) -> CampaignPlan:
    """Plan of a campaign file; every mistake that can be seen without sampling is refused.

    where  what messages call the file; its path as given if left out
    """
    where = str(path) if where is None else where
    return plan_of_table(read_table(path), Path(path).resolve().parent, where)


def plan_of_table(table: dict[str, Any], folder: Path, where: str) -> CampaignPlan:
    """Plan of the tables of a campaign file; names of files are seen from `folder`."""
    settings = read_settings(table, where)
    _resolve(table, folder)
    own = {key: value for key, value in table.items() if key not in ("campaign", "base")}
    if "base" in table:
        own = _over_base(table["base"], own, folder, where)
    elif "scenario" not in own:
        hint = f'write base = "{EXAMPLE}" at the top, or the whole scenario into this file'
        raise ConfigError(where, "neither base nor scenario", "one of the two", hint)
    scenario_kind(own, where)
    return make_plan(own, settings, where)


def make_plan(
    table: dict[str, Any], settings: Settings, where: str, fingerprint: str | None = None
) -> CampaignPlan:
    """Plan from a complete scenario table with variations, and the [campaign] table."""
    template = Template(table, where)
    design = Design(template.sweeps, settings.points, settings.seed, where)
    if settings.until is not None and design.count > 1:
        found = f"until with {design.count} design points"
        hint = "write one campaign file for each point, or remove until"
        raise ConfigError(f"{where} [campaign]", found, "one design point", hint)
    size = shard_size(settings, design.count * settings.runs, where)
    design.draw()
    mark = fingerprint or _fingerprint(table, settings, size)
    return CampaignPlan(where, table, settings, size, mark, template, design)


def _over_base(name: Any, own: dict[str, Any], folder: Path, where: str) -> dict[str, Any]:
    if not isinstance(name, str) or not name:
        hint = f'write base = "{EXAMPLE}"'
        raise ConfigError(where, f"base = {name!r}", "a built-in name or a scenario file", hint)
    presets = preset_files()
    source = name if name in presets else folder / name
    close = difflib.get_close_matches(name, presets, n=1)
    if close and close[0] != name and not Path(source).exists():
        allowed = "a built-in scenario, or a path relative to this file"
        raise ConfigError(where, f"base = {name!r}", allowed, f'write base = "{close[0]}"')
    base, base_where = read_named(source)
    for key in ("campaign", "base"):
        if key in base:
            hint = "name the scenario file that one is based on"
            raise ConfigError(where, f"base = {name!r}, a campaign file", "a scenario file", hint)
    if "scenario" in own and own["scenario"] != base.get("scenario"):
        found = f"scenario = {own['scenario']!r} over {base_where}, a {base.get('scenario')!r} file"
        raise ConfigError(where, found, "the scenario of its base", "remove the key scenario")
    return laid_over(base, own)


def _resolve(table: dict[str, Any], folder: Path) -> None:
    """Make file names absolute, also where the key of a file varies."""
    resolve_paths(table, folder)
    for key, value in table.items():
        if names_file(key) and is_variation(value) and isinstance(value.get("values"), list):
            names = value["values"]
            value["values"] = [str(folder / n) if isinstance(n, str) else n for n in names]
        elif isinstance(value, dict):
            _resolve(value, folder)


def _fingerprint(table: dict[str, Any], settings: Settings, shard_runs: int) -> str:
    whole = {
        "table": _by_content(table),
        "campaign": settings.model_dump(mode="json"),
        "shard_runs": shard_runs,
        "haptos": metadata.version("haptos"),
        "sources": source_hash(),
    }
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _by_content(node: Any) -> Any:
    """The table with what files hold in place of their names: a study may be moved with its data."""
    if not isinstance(node, dict):
        return node
    return {key: _content(key, value) for key, value in node.items()}


def _content(key: str, value: Any) -> Any:
    if names_file(key) and isinstance(value, str):
        return _digest(value)
    if names_file(key) and is_variation(value) and isinstance(value.get("values"), list):
        held = [_digest(name) if isinstance(name, str) else name for name in value["values"]]
        return {**value, "held": held}  # the names as well: they stand in the table of runs
    return [_by_content(item) for item in value] if isinstance(value, list) else _by_content(value)


def _digest(name: str) -> str:
    try:
        file = input_file(name, "a file", LARGEST_DATA)
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except (OSError, HaptosError):
        return "unreadable"  # the scenario refuses it, with its own words, when it builds
