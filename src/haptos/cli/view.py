"""`haptos view` and `haptos report`: the viewer and the report page of a stored run or campaign."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from haptos import reports, viewers
from haptos.results.file_names import REPORT

if TYPE_CHECKING:
    from haptos.view.server import ViewerServer

DIRECTORY = typer.Argument(metavar="DIR", help="Directory of a run or a campaign.")


def view(
    directory: Path = DIRECTORY,
    export: Path | None = typer.Option(
        None, "--export", metavar="FILE", help="Write one HTML file that needs no server, and end."
    ),
    runs: int = typer.Option(
        viewers.EXPORT_RUNS, "--runs", min=0, metavar="N", help="Runs of a campaign in that file."
    ),
    port: int = typer.Option(0, "--port", min=0, max=65535, help="Of the server; 0 takes any."),
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the page."),
) -> None:
    """Show a stored run or campaign in three dimensions, in the browser."""
    from haptos.face import open as open_saved

    saved = open_saved(directory)
    if export is not None:
        written = viewers.write_viewer(saved, export, runs)
        print(rebuilt(directory) if written is None else written)
        return
    home = report_path(directory).parent
    server = viewers.viewer_server(saved, home, port)
    if server is None:
        print(f"this scenario has no scene; its report: {rebuilt(directory)}")
        return
    _serve(server, browser=browser)


def report(
    directory: Path = DIRECTORY,
    figures: Path | None = typer.Option(
        None, "--figures", metavar="DIR", help="Write its figures as SVG and PDF there instead."
    ),
) -> None:
    """Build the report again from what is stored, or its figures for a paper."""
    from haptos.face import open as open_saved

    if figures is None:
        print(rebuilt(directory))
        return
    for path in reports.write_figures(open_saved(directory), figures):
        print(path)


def report_path(directory: Path) -> Path:
    """Where the report of a stored run or campaign is."""
    return (directory.parent if directory.is_file() else directory) / REPORT


def rebuilt(directory: Path) -> Path:
    """Report of a stored run or campaign, written anew."""
    from haptos.face import open as open_saved

    return reports.write_report(open_saved(directory), report_path(directory).parent)


def _serve(server: ViewerServer, *, browser: bool) -> None:
    """Answer until Ctrl-C; that is the usual end and no interruption."""
    from haptos.view.browser import open_address

    with server:
        print(f"viewer: {server.url} (this machine only; Ctrl-C ends it)", flush=True)
        if browser:
            open_address(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("viewer closed")
