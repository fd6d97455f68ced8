"""All scenarios by name: those of the package, and those that installed packages register.

A package outside registers one by an entry point of the group `haptos.scenarios`, whose value is a
`Scenario`. Workers of a campaign find it the same way, if the package is installed there too.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterable
from importlib import metadata
from types import MappingProxyType

from haptos.core.errors import ConfigError
from haptos.scenarios.contract import Scenario

GROUP = "haptos.scenarios"
BUILT_IN = (
    "haptos.scenarios.lander",
    "haptos.scenarios.liftoff",
    "haptos.scenarios.net",
    "haptos.scenarios.foundation",
    "haptos.scenarios.harpoon",
    "haptos.scenarios.tether",
    "haptos.scenarios.slingshot",
    "haptos.scenarios.docking",
    "haptos.scenarios.active_tether",
)
EXAMPLE = BUILT_IN[0].rpartition(".")[2]  # that hints name and `haptos demo` runs


@functools.cache
def scenarios() -> MappingProxyType[str, Scenario]:
    """Name -> scenario, the built-in ones first."""
    own = [importlib.import_module(package).SCENARIO for package in BUILT_IN]
    return MappingProxyType(_by_name([*own, *_from_outside(metadata.entry_points(group=GROUP))]))


def scenario(name: str) -> Scenario:
    """One scenario; refuses a name that nothing registers."""
    known = scenarios()
    if name not in known:
        hint = "install the package that brings it, or use one of these"
        raise ConfigError(f"scenario '{name}'", "no such scenario", ", ".join(known), hint)
    return known[name]


def _by_name(found: Iterable[Scenario]) -> dict[str, Scenario]:
    named: dict[str, Scenario] = {}
    for one in found:
        if one.name in named:
            places = f"'{one.name}' in {named[one.name].package} and {one.package}"
            raise ConfigError(GROUP, places, "one scenario of a name", "uninstall one of them")
        named[one.name] = one
    return named


def _from_outside(entries: Iterable[metadata.EntryPoint]) -> Iterable[Scenario]:
    for entry in entries:
        try:
            found = entry.load()
        except Exception as error:  # whatever the code of somebody else raises on import
            where = f"entry point {entry.name} = {entry.value}"
            reason = f"{type(error).__name__}: {error}"
            hint = "correct or uninstall that package"
            raise ConfigError(where, reason, "a Scenario that can be imported", hint) from error
        if not isinstance(found, Scenario):
            where = f"entry point {entry.name} = {entry.value}"
            hint = "name a haptos.scenarios.contract.Scenario"
            raise ConfigError(where, f"a {type(found).__name__}", "a Scenario", hint)
        yield found
