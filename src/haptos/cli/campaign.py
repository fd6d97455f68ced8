"""`haptos campaign`: many runs of a scenario in which keys vary, kept as one table."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from haptos import reports
from haptos.campaign.file_names import LOGS, RUNS
from haptos.cli.exit_codes import INTERRUPTED, NOT_TRUSTED
from haptos.core.errors import ConfigError
from haptos.results.file_names import REPORT

if TYPE_CHECKING:
    from haptos.campaign.campaign import Campaign
    from haptos.results.campaign_summary import Finding


MOST_LINES = 12  # of a table on the console; the report has all
MOST_FAILURES = 100  # listed in JSON; the table holds all of them


def campaign(
    file: str = typer.Argument(metavar="FILE|NAME", help="Campaign file or built-in name."),
    out: Path | None = typer.Option(
        None, "--out", metavar="DIR", help="Where to store it (default: out/NAME)."
    ),
    resume: bool = typer.Option(False, "--resume", help="Go on with what is in the directory."),
    workers: int | None = typer.Option(
        None, "--workers", metavar="N", help="Threads on this machine (default: one per core)."
    ),
    scheduler: str | None = typer.Option(
        None, "--scheduler", metavar="ADDRESS", help="Dask scheduler, in place of this machine."
    ),
    as_json: bool = typer.Option(
        False, "--json", help="Print outcomes, statistics and provenance as JSON."
    ),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Print nothing but errors."),
    report: bool = typer.Option(True, "--report/--no-report", help=f"Write {REPORT} too."),
) -> None:
    """Run a campaign; interrupted, it can be resumed."""
    if workers is not None and scheduler is not None:
        hint = "leave one out"
        raise ConfigError("--workers and --scheduler", "both", "one of them", hint)
    finished = completed(
        file,
        out,
        resume=resume,
        workers=workers,
        scheduler=scheduler,
        quiet=quiet or as_json,
    )
    if report:
        progress = "off" if quiet or as_json else None
        reports.write_report(finished, finished.directory, progress=progress)
    if as_json:
        print(json.dumps(summary(finished), indent=2))
    elif not quiet:
        print(campaign_text(finished))
        if report:
            print(f"report: {finished.directory / REPORT}")
    end_by_trust(finished)


def completed(
    file: str,
    out: Path | None,
    *,
    resume: bool,
    workers: int | None = None,
    scheduler: str | None = None,
    quiet: bool = False,
) -> Campaign:
    """The campaign, all of it run; an interruption ends the command with its exit code."""
    from haptos.campaign.campaign import campaign as run_campaign
    from haptos.campaign.interruption import Interrupted
    from haptos.cli.builtin import campaign_files
    from haptos.cli.names import check_kind

    check_kind(file, "campaign")
    builtin = campaign_files().get(file)
    with ExitStack() as stack:
        path = Path(file) if builtin is None else stack.enter_context(resources.as_file(builtin))
        try:
            return run_campaign(
                path,
                out=out or default_directory(file),
                resume=resume,
                workers=workers,
                scheduler=scheduler,
                progress="off" if quiet else None,
                where=file,
            )
        except Interrupted as stopped:
            print(f"haptos: {stopped}", file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def default_directory(file: str) -> Path:
    """out/NAME, after the name of the file."""
    from haptos.cli.output import DEFAULT_PARENT, directory_name

    return DEFAULT_PARENT / directory_name(Path(file).stem)


def campaign_text(finished: Campaign) -> str:
    """What came out, in a few lines."""
    from haptos.campaign.failures import failure_lines
    from haptos.campaign.logs import logs_of
    from haptos.campaign.swept_outcomes import swept_outcomes

    runs = finished.runs
    counts = runs["outcome"].value_counts()
    lines = [f"{finished.plan.table.get('name') or finished.plan.where}: {len(runs)} runs"]
    if finished.was_complete:
        lines[0] += ", complete before: nothing was run again"
    view = finished.report()
    lines += [view.question, view.answer]
    lines += [f"  {label:<16} {count:>8}" for label, count in counts.items()]
    lines += [line for one in swept_outcomes(finished.plan, runs) for line in _table_lines(one)]
    lines += [f"    {line}" for line in failure_lines(runs)]
    until = finished.plan.settings.until
    if until is not None:
        met = "met" if finished.is_goal_met else "not met"
        lines.append(f"until the {until.words}: {met}, at most {finished.plan.total} runs")
    logs = [LOGS[name] for name in logs_of(finished.plan)]
    beside = f", beside it {' and '.join(logs)}" if logs else ""
    lines.append(f"stored in {finished.directory}; the table is {RUNS}{beside}")
    return "\n".join(lines)


def _table_lines(finding: Finding) -> list[str]:
    """A table of a few rows for the console."""
    table = finding.table
    rows = [[str(name), *map(str, cells)] for name, *cells in table.head(MOST_LINES).itertuples()]
    rows.insert(0, [str(table.index.name), *map(str, table.columns)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    more = len(table) - MOST_LINES
    return [
        f"{finding.title}:",
        *lines,
        *([f"  ... {more} more in the report"] if more > 0 else []),
    ]


def summary(finished: Campaign) -> dict[str, Any]:
    """What came out, for programs; numbers JSON does not know become null."""
    from haptos.campaign.failures import failed_runs
    from haptos.campaign.swept_outcomes import swept_outcomes
    from haptos.results.result import finite_or_null, plain

    view, numbers = finished.report(), finished.statistics
    record = {
        "question": view.question,
        "answer": view.answer,
        "name": view.title,
        "scenario": view.scenario,
        "directory": str(finished.directory),
        "was_complete": finished.was_complete,
        "runs": numbers.runs,
        "not_trusted": numbers.not_trusted,
        "failed": numbers.failed,
        "failures": failed_runs(finished.runs)
        .reindex(columns=["run", "message"])
        .head(MOST_FAILURES)
        .to_dict(orient="records"),
        "trusted": numbers.not_trusted == 0,
        "outcomes": numbers.outcomes.to_dict(orient="index"),
        "swept_outcomes": {
            one.title: one.numbers.reset_index().to_dict(orient="records")
            for one in swept_outcomes(finished.plan, finished.runs)
            if one.numbers is not None
        },
        "metrics": numbers.metrics.to_dict(orient="index"),
        "varied": view.varied,
        "provenance": view.provenance,
    }
    return dict(finite_or_null(plain(record)))


def end_by_trust(finished: Campaign) -> None:
    """End the command with 3 if any run cannot be trusted."""
    numbers = finished.statistics
    if numbers.not_trusted:
        warning = f"{numbers.not_trusted} of {numbers.runs} runs are not trusted"
        if numbers.failed:
            warning += f", {numbers.failed} of them failed: see the column message"
        print(f"haptos: {warning}", file=sys.stderr)
        raise typer.Exit(NOT_TRUSTED)
