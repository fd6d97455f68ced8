"""Scenario files: find, read, check. Every mistake becomes a four-part message before any work."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from haptos.core.errors import ConfigError, HaptosError
from haptos.core.input_files import input_file
from haptos.core.name_lists import listed
from haptos.scenarios.proportions import check_numbers
from haptos.scenarios.registry import EXAMPLE, scenario, scenarios
from haptos.scenarios.schema import ScenarioConfig
from haptos.scenarios.validation_errors import as_config_error

DEEPEST = 20  # tables and lists within each other; scenarios have five at most
TOO_DEEP, DEPTH_ALLOWED = "tables nested too deeply", f"up to {DEEPEST} levels"
LARGEST_FILE = 1_000_000  # [bytes]; a scenario file is a page of text, not data


def read_table(path: str | Path) -> dict[str, Any]:
    """Contents of a TOML file; refuses missing, huge, undecodable and malformed files."""
    hint = "check the path, or run `haptos list` for the built-in names"
    path = input_file(path, "a TOML text file", LARGEST_FILE, hint=hint)
    where = str(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors put a mark in front
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigError(where, reason, "a readable file", "check its permissions") from None
    except UnicodeDecodeError as error:
        found = f"a byte that is not UTF-8 text at position {error.start}"
        raise ConfigError(where, found, "UTF-8 text", "save the file as UTF-8") from None
    return parse_toml(text, where)


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """TOML text as a mapping."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = f"malformed TOML ({error})"
        raise ConfigError(where, found, "valid TOML", "fix the line named above") from None
    except ValueError as error:  # an integer of more digits than Python converts
        found = f"a number that cannot be read ({str(error).partition(';')[0]})"
        raise ConfigError(where, found, "numbers a float can hold", "shorten it") from None
    except RecursionError:
        raise ConfigError(where, TOO_DEEP, DEPTH_ALLOWED, "flatten it") from None
    check_depth(table, where)
    return table


def check_depth(table: Any, where: str) -> None:
    """Refuse tables and lists within each other deeper than any scenario has."""
    inner: list[Any] = [table]
    for _ in range(DEEPEST):
        inner = [
            item
            for node in inner
            for item in (node.values() if isinstance(node, dict) else node)
            if isinstance(item, dict | list | tuple)
        ]
        if not inner:
            return
    raise ConfigError(where, TOO_DEEP, DEPTH_ALLOWED, "flatten it")


def scenario_kind(table: dict[str, Any], where: str) -> str:
    """The scenario a mapping names, one of those registered."""
    named, known = table.get("scenario"), list(scenarios())
    if not isinstance(named, str) or named not in known:
        found = "no key 'scenario'" if named is None else f"scenario = {named!r}"
        close = difflib.get_close_matches(str(named), known, n=1)
        hint = f'write scenario = "{(close or known)[0]}" at the top'
        raise ConfigError(where, found, ", ".join(known), hint)
    return named


def parse(table: dict[str, Any], where: str) -> ScenarioConfig:
    """Checked configuration from a mapping."""
    model = scenario(scenario_kind(table, where)).config_model
    try:
        config = model.model_validate(table)
    except ValidationError as error:
        raise as_config_error(error, model, where) from None
    check_numbers(config, where)
    return config


def parse_checked(table: dict[str, Any], where: str) -> ScenarioConfig:
    """Configuration that is sure to run: parsed, and its model built once."""
    config = parse(table, where)
    try:
        scenario(config.scenario).running.check(config)
    except HaptosError as error:
        inside = error.where if error.where.startswith("[") else f"({error.where})"
        raise type(error)(f"{where} {inside}", error.found, error.allowed, error.hint) from None
    return config


def parse_many(tables: Iterable[dict[str, Any]], where: str) -> list[ScenarioConfig]:
    """Configurations of tables that share parts: a part that is the same object is parsed once."""
    configs: list[ScenarioConfig] = []
    known: dict[str, tuple[Any, Any]] = {}  # key -> (part of the last table, parsed)
    for table in tables:
        shared = {key: parsed for key, (part, parsed) in known.items() if table.get(key) is part}
        config = parse({**table, **shared}, where)
        if len(shared) < len(known) or not known:
            parts = {key: part for key, part in table.items() if isinstance(part, dict | list)}
            known = {key: (part, getattr(config, key)) for key, part in parts.items()}
        configs.append(config)
    return configs


def check_many(tables: Sequence[dict[str, Any]], where: str) -> None:
    """Refuse tables that `parse_checked` would refuse, which tells the reason better; quick."""
    configs = parse_many(tables, where)
    running = scenario(configs[0].scenario).running
    if running.check_many is not None:
        running.check_many(configs)
        return
    for config in configs:
        running.check(config)


def preset_names() -> list[str]:
    """Built-in scenario names, each a file in some scenario's `presets` folder."""
    return sorted(preset_files())


def preset_files() -> dict[str, Any]:
    """Built-in name -> readable resource."""
    return shipped_files("presets")


def shipped_files(folder: str) -> dict[str, Any]:
    """Name -> readable TOML resource in that folder of any scenario's package."""
    found: dict[str, Any] = {}
    for one in scenarios().values():
        place = resources.files(one.package) / folder
        items = place.iterdir() if place.is_dir() else ()
        found |= {i.name.removesuffix(".toml"): i for i in items if i.name.endswith(".toml")}
    return found


def preset_text(name: str) -> str:
    """Commented text of a built-in scenario file."""
    files = preset_files()
    if name not in files:
        found = "no built-in scenario of that name"
        raise ConfigError(name, found, listed(sorted(files), name, "haptos list"), "haptos list")
    return str(files[name].read_text(encoding="utf-8"))


def read_named(name_or_path: Any) -> tuple[dict[str, Any], str]:
    """(mapping, where) of a built-in name or of a file; a file's relative paths become absolute."""
    if not isinstance(name_or_path, str | Path):
        found = f"an object of type {type(name_or_path).__name__}"
        raise ConfigError("load", found, "a built-in name or a path", f"hp.load('{EXAMPLE}')")
    if isinstance(name_or_path, str) and name_or_path in preset_files():
        return parse_toml(preset_text(name_or_path), name_or_path), name_or_path
    path = Path(name_or_path)
    table = read_table(path)
    resolve_paths(table, path.resolve().parent)
    return table, str(path)


def resolve_paths(table: dict[str, Any], folder: Path) -> None:
    """Make every key that names a file absolute, seen from the folder of the scenario file."""
    for key, value in table.items():
        if isinstance(value, dict):
            resolve_paths(value, folder)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    resolve_paths(item, folder)
        elif names_file(key) and isinstance(value, str):
            table[key] = str(folder / value)


def names_file(key: str) -> bool:
    """Whether a key holds the name of a file: `file`, `knots_file` ..."""
    return key == "file" or key.endswith("_file")


def load(name_or_path: str | Path, changes: dict[str, Any] | None = None) -> ScenarioConfig:
    """Checked scenario from a file or a built-in name.

    changes     tables and keys laid over it, as in a file: {"contact": {"friction": 0.2}}
    """
    return _changed(*read_named(name_or_path), changes)


def default(name: str, changes: dict[str, Any] | None = None) -> ScenarioConfig:
    """Built-in scenario by name; `changes` as in `load`."""
    return _changed(parse_toml(preset_text(name), name), name, changes)


def _changed(table: dict[str, Any], where: str, changes: dict[str, Any] | None) -> ScenarioConfig:
    from haptos.scenarios.merging import laid_over  # which needs this module

    return parse(laid_over(table, changes) if changes else table, where)
