"""`haptos demo`: a built-in study, one single run first and then the campaign around it."""

from __future__ import annotations

import difflib
from pathlib import Path

import typer

from haptos import reports
from haptos.cli.output import DEFAULT_PARENT
from haptos.core.errors import ConfigError, StorageError
from haptos.results.file_names import REPORT
from haptos.scenarios.registry import EXAMPLE
from haptos.view.browser import open_page


def demo(
    name: str = typer.Argument(EXAMPLE, metavar="[NAME]", help="Built-in scenario."),
    out: Path | None = typer.Option(
        None, "--out", metavar="DIR", help="Where to store it (default: out/demo-NAME)."
    ),
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the report."),
) -> None:
    """Run a built-in study, say where its report is and open it where there is a screen."""
    from haptos.cli import campaign, run
    from haptos.cli.builtin import builtin_text, loaded_plan
    from haptos.scenarios.files import parse_toml

    study = _study(name)
    single_name = parse_toml(builtin_text(study), study)["base"]
    plan = loaded_plan(study)
    directory = out or _free(DEFAULT_PARENT / f"demo-{name}", plan.fingerprint)
    wait = "(the first on a machine compiles for one to two minutes)"
    print(f"one run of {single_name} {wait}", flush=True)
    config = run.configured(single_name, [])
    with run.claimed(directory / "run", config) as single:
        result = run.simulated(config, quiet=False)
        run.store(result, single, report=True)
    print(f"  {result.outcome}: {single / REPORT}")
    print(f"campaign {study}: {plan.total} runs", flush=True)
    finished = campaign.completed(study, directory / "campaign", resume=True)
    page = reports.write_report(finished, finished.directory)
    print(campaign.campaign_text(finished))
    print(f"report: {page.resolve()}")
    if browser:
        open_page(page)
    campaign.end_by_trust(finished)


def _study(name: str) -> str:
    """Campaign that belongs to a built-in scenario."""
    from haptos.cli.builtin import campaign_names

    study = f"{name}-demo"
    if study not in campaign_names():
        demos = (item for item in campaign_names() if item.endswith("-demo"))
        known = [item.removesuffix("-demo") for item in demos]
        close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
        hint = f"haptos demo {close[0]}" if close else "haptos demo"
        raise ConfigError(name, "no demo of that name", ", ".join(known), hint)
    return study


def _free(directory: Path, fingerprint: str) -> Path:
    """The directory, or one beside it where this holds a demo of other sources or settings."""
    from haptos.campaign.directory import check_ownership

    try:
        check_ownership(directory / "campaign", fingerprint)
    except StorageError:
        return directory.with_name(f"{directory.name}-{fingerprint[:8]}")
    return directory
