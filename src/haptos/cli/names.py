"""What a user named: a file or a built-in name, of the kind a command takes; else a helpful refusal."""

from __future__ import annotations

import difflib
from pathlib import Path

from haptos.core.errors import ConfigError
from haptos.core.name_lists import listed

COMMAND_OF = {"scenario": "run", "campaign": "campaign"}


def check_kind(name_or_file: str, kind: str) -> None:
    """Refuse what is not a `kind` (scenario or campaign), and say what it is and what takes it."""
    from haptos.cli.builtin import campaign_names, is_campaign
    from haptos.scenarios.files import preset_names, read_table

    names = {"scenario": preset_names(), "campaign": campaign_names()}
    if name_or_file in names[kind]:
        return
    other = "campaign" if kind == "scenario" else "scenario"
    if name_or_file in names[other]:
        raise _other_kind(name_or_file, f"a built-in {other}", kind, other)
    if not Path(name_or_file).exists():
        if not looks_like_file(name_or_file):
            raise unknown_name(name_or_file, kind, names[kind], names[other])
        return  # the reader tells what is wrong with a file
    if Path(name_or_file).is_file():
        found = "campaign" if is_campaign(read_table(name_or_file)) else "scenario"
        if found != kind:
            raise _other_kind(name_or_file, f"a {found} file", kind, other)


def looks_like_file(name: str) -> bool:
    """Whether a user more likely meant a file than a built-in name."""
    return "/" in name or "\\" in name or name.endswith(".toml")


def unknown_name(name: str, kind: str, *names: list[str]) -> ConfigError:
    """Refusal of a name that nothing has, with the nearest one there is."""
    known = [item for group in names for item in group]
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? `haptos list` names them all" if close else "haptos list"
    found = f"no built-in {kind} of that name, and no such file"
    return ConfigError(name, found, listed(names[0], name, "haptos list") or "a file", hint)


def _other_kind(name: str, found: str, kind: str, other: str) -> ConfigError:
    hint = f"haptos {COMMAND_OF[other]} {name}"
    return ConfigError(name, found, f"a {kind}: a built-in name or a file", hint)
