"""`haptos new`, `check`, `list`, `schema`: scenario files, without running anything."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import typer

from haptos.core.errors import StorageError
from haptos.core.whole_files import whole_file


def new(
    name: str = typer.Argument(metavar="NAME", help="Built-in scenario or campaign to start from."),
    file: Path | None = typer.Argument(
        None, metavar="[FILE]", help="File to write (default: NAME.toml); - prints it."
    ),
    force: bool = typer.Option(False, "--force", help="Overwrite an existing file."),
) -> None:
    """Write a commented scenario (or campaign) file to start from."""
    from haptos.cli.builtin import builtin_text, campaign_names

    text = builtin_text(name)
    if file == Path("-"):
        print(text, end="")
        return
    path = file or Path(f"{name}.toml")
    if not force and os.path.lexists(path):
        hint = "another file name, or --force"
        raise StorageError(str(path), "an existing file", "a new file", hint)
    with whole_file(path) as handle:
        handle.write(text.encode("utf-8"))
    verb = "campaign" if name in campaign_names() else "run"
    print(f"wrote {path}; try: haptos {verb} {shlex.quote(str(path))}")


def check(
    file: str = typer.Argument(metavar="FILE|NAME", help="Scenario or campaign file."),
    settings: list[str] = typer.Option(
        [], "--set", metavar="KEY=VALUE", help="Change one key of a scenario, as in `haptos run`."
    ),
) -> None:
    """Check a scenario or campaign file and say what it is."""
    from haptos.cli.builtin import described, described_scenario
    from haptos.cli.progress import waiting
    from haptos.cli.run import configured

    with waiting(f"checking {file}"):
        if settings:
            text = described_scenario(configured(file, settings), f"{file} with --set")
        else:
            text = described(file)
    print(text)


def list_names() -> None:
    """List the built-in scenarios and campaigns."""
    from rich.console import Console
    from rich.table import Table

    from haptos.cli.builtin import builtin_text, campaign_names, purpose
    from haptos.scenarios.files import preset_names

    table = Table("name", "kind", "what it is", box=None, pad_edge=False)
    for name in preset_names():
        table.add_row(name, "scenario", purpose(builtin_text(name)))
    for name in campaign_names():
        table.add_row(name, "campaign", purpose(builtin_text(name)))
    Console(soft_wrap=False).print(table)


def schema(
    name: str = typer.Argument(metavar="NAME", help="Scenario kind or built-in name."),
) -> None:
    """Print the JSON schema of a scenario's files."""
    from haptos.scenarios.files import default
    from haptos.scenarios.registry import scenario, scenarios

    kind = name if name in scenarios() else default(name).scenario
    model = scenario(kind).config_model
    print(json.dumps(model.model_json_schema(), indent=2))
