"""`haptos view` and `haptos report`: the report page of a stored run or campaign."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

import typer

DIRECTORY = typer.Argument(metavar="DIR", help="Directory of a run or a campaign.")


def view(
    directory: Path = DIRECTORY,
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the page."),
) -> None:
    """Open the report of a stored run or campaign."""
    from haptos.face import saved_kind

    saved_kind(directory)
    page = report_path(directory)
    if not page.is_file():
        page = rebuilt(directory)
    print(page)
    if browser:
        show(page)


def show(page: Path) -> None:
    """Open a page in the browser, where there is a screen to see it on."""
    from haptos.view.show import has_display

    if has_display():
        webbrowser.open(page.resolve().as_uri())


def report(directory: Path = DIRECTORY) -> None:
    """Build the report again from what is stored."""
    print(rebuilt(directory))


def report_path(directory: Path) -> Path:
    """Where the report of a stored run or campaign is."""
    return (directory.parent if directory.is_file() else directory) / "report.html"


def rebuilt(directory: Path) -> Path:
    """Report of a stored run or campaign, written anew."""
    from haptos.face import open as open_saved

    return write_report(open_saved(directory), report_path(directory).parent)


def write_report(saved: Any, directory: Path) -> Path:
    """Write report.html for a Result or a campaign into a directory."""
    from haptos import reports

    return reports.write_report(saved, directory)
