"""`haptos view` and `haptos report`: the report page of a stored run or campaign."""

from __future__ import annotations

from pathlib import Path

import typer

from haptos import reports
from haptos.results.file_names import REPORT
from haptos.view.browser import open_page

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
        open_page(page)


def report(directory: Path = DIRECTORY) -> None:
    """Build the report again from what is stored."""
    print(rebuilt(directory))


def report_path(directory: Path) -> Path:
    """Where the report of a stored run or campaign is."""
    return (directory.parent if directory.is_file() else directory) / REPORT


def rebuilt(directory: Path) -> Path:
    """Report of a stored run or campaign, written anew."""
    from haptos.face import open as open_saved

    return reports.write_report(open_saved(directory), report_path(directory).parent)
