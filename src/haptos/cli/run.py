"""`haptos run`: one run of a scenario, stored with its report."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from haptos import reports
from haptos.cli.exit_codes import NOT_TRUSTED
from haptos.cli.progress import waiting
from haptos.core.errors import ConfigError, StorageError
from haptos.results.file_names import REPORT, SCENARIO, SUMMARY

if TYPE_CHECKING:
    from haptos.results.result import Result
    from haptos.scenarios.schema import ScenarioConfig


def run(
    scenario: str = typer.Argument(metavar="FILE|NAME", help="Scenario file or built-in name."),
    settings: list[str] = typer.Option(
        [], "--set", metavar="KEY=VALUE", help="Change one key: contact.friction=0.3. Repeatable."
    ),
    out: Path | None = typer.Option(
        None, "--out", metavar="DIR", help="Where to store it (default: out/NAME)."
    ),
    as_json: bool = typer.Option(
        False, "--json", help="Print outcome, trusted, metrics, ledger and provenance as JSON."
    ),
    controller: str = typer.Option(
        "",
        "--controller",
        metavar="FILE:NAME",
        help="Function or Controller of a Python file of yours.",
    ),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Print nothing but errors."),
    report: bool = typer.Option(True, "--report/--no-report", help=f"Write {REPORT} too."),
) -> None:
    """Run one scenario and store its result and report."""
    with waiting(f"checking {scenario}", quiet=quiet or as_json):
        config = configured(scenario, settings)
    options = {"controller": named_controller(controller)} if controller else {}
    with claimed(out, config) as directory:
        result = simulated(config, quiet=quiet or as_json, **options)
        store(result, directory, report=report)
    if as_json:
        print(json.dumps(result.as_json(), indent=2))
    elif not quiet:
        print(result.summary())
        print(f"stored in {directory}")
        if report:
            print(f"report: {directory / REPORT}")
    if not result.trusted:
        print(f"haptos: not trusted: {result.verdict}", file=sys.stderr)
        raise typer.Exit(NOT_TRUSTED)


def configured(scenario: str, settings: list[str]) -> ScenarioConfig:
    """Checked configuration of a file or name, with the changes of --set."""
    from haptos.cli import overrides
    from haptos.cli.names import check_kind
    from haptos.scenarios.files import parse_checked, read_named

    check_kind(scenario, "scenario")
    table, where = read_named(scenario)
    table = overrides.overridden(table, settings)
    return parse_checked(table, f"{where} with --set" if settings else where)


@contextmanager
def claimed(out: Path | None, config: ScenarioConfig) -> Iterator[Path]:
    """Directory for a run, checked before any work and ours alone meanwhile; out/NAME if not given."""
    from haptos.campaign.directory import Lock
    from haptos.cli.output import claim, default_directory
    from haptos.results.provenance import config_hash

    digest = config_hash(config.as_table())
    if out is not None and str(out) in ("", "."):
        raise StorageError(
            "--out", "no directory of its own", "a directory's name", "--out out/mine"
        )
    directory = out or default_directory(config.name or config.scenario, digest)
    claim(directory, digest)
    lock = Lock(directory)
    lock.acquire()
    try:
        yield directory
    finally:
        lock.remove()
        lock.release()


def named_controller(name: str) -> Any:
    """What a Python file of the user calls NAME, from 'FILE:NAME'; refuses what cannot be had."""
    file, _, attribute = name.rpartition(":")
    hint = "--controller mine.py:hold"
    if not file or not Path(file).is_file():
        found = f"'{name}', no such file" if file else f"'{name}' without a file"
        raise ConfigError("--controller", found, "FILE:NAME of a Python file", hint)
    try:
        names = runpy.run_path(file)
    except Exception as error:  # whatever the file of the user raises
        found = f"{file}: {type(error).__name__}: {error}"
        raise ConfigError("--controller", found, "a Python file that runs", hint) from error
    if attribute not in names:
        raise ConfigError("--controller", f"no '{attribute}' in {file}", "a name it defines", hint)
    return names[attribute]


def simulated(config: ScenarioConfig, *, quiet: bool, **options: Any) -> Result:
    """Result of one run, with a progress bar on a terminal and sparse lines elsewhere."""
    from haptos.cli.progress import progress_bar
    from haptos.face import simulate

    with progress_bar(f"simulating {config.name or config.scenario}", quiet=quiet) as progress:
        return simulate(config, progress=progress, **options)


def store(result: Result, directory: Path, *, report: bool) -> None:
    """Write the files of one run; the summary comes last and says that all others are there."""
    from haptos.core.checked_files import write_checked_json
    from haptos.core.whole_files import write_whole
    from haptos.results import file_list
    from haptos.results.toml_text import toml_text

    (directory / SUMMARY).unlink(missing_ok=True)
    result.save(directory)
    file_list.forget(directory, file_list.RUN, file_list.REPORT)
    written = [write_whole(directory / SCENARIO, toml_text(result.config))]
    written += reports.write_files(result, directory)
    file_list.record(directory, file_list.RUN, written)
    if report:
        reports.write_report(result, directory)
    else:
        file_list.record(directory, file_list.REPORT, [])
    write_checked_json(directory / SUMMARY, SUMMARY, result.as_json())
