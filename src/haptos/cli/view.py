"""`haptos view` and `haptos report`: the viewer and the report page of a stored run or campaign."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from haptos import reports, viewers
from haptos.core.errors import ConfigError
from haptos.results.file_names import REPORT

if TYPE_CHECKING:
    from haptos.campaign.campaign import Campaign
    from haptos.results.result import Result
    from haptos.view.server import ViewerServer

DIRECTORY = typer.Argument(metavar="DIR", help="Directory of a run or a campaign.")


def view(
    directory: Path = DIRECTORY,
    export: Path | None = typer.Option(
        None, "--export", metavar="FILE", help="Write one HTML file that needs no server, and end."
    ),
    runs: int | None = typer.Option(
        None,
        "--runs",
        min=0,
        metavar="N",
        help=f"Runs of a campaign in that file (default: {viewers.EXPORT_RUNS}).",
    ),
    port: int | None = typer.Option(
        None, "--port", min=0, max=65535, help="Of the server (default: any that is free)."
    ),
    browser: bool = typer.Option(True, "--browser/--no-browser", help="Open the page."),
) -> None:
    """Show a stored run or campaign in three dimensions, in the browser."""
    from haptos.face import saved_kind

    _check_options(export, runs, port, is_campaign=saved_kind(directory) == "campaign")
    saved = opened(directory)
    if export is not None:
        _check_scene(saved)
        most = viewers.EXPORT_RUNS if runs is None else runs
        print(viewers.write_viewer(saved, export, most))
        return
    home = report_path(directory).parent
    server = viewers.viewer_server(saved, home, port or 0)
    if server is None:
        print(f"this scenario has no scene; its report: {rebuilt(directory)}")
        return
    _serve(server, browser=browser)


def _check_options(
    export: Path | None, runs: int | None, port: int | None, *, is_campaign: bool
) -> None:
    """Refuse options that would do nothing, and a file that could not be written, before the work."""
    if runs is not None and export is None:
        raise ConfigError("--runs", "no --export", "--runs with --export", "leave --runs out")
    if runs is not None and not is_campaign:
        raise ConfigError("--runs", "a single run", "a campaign", "leave --runs out")
    if port is not None and export is not None:
        found, allowed = "--export, which needs no server", "one of the two"
        raise ConfigError("--port", found, allowed, "leave --port out")
    if export is not None and export.is_dir():
        raise ConfigError(f"--export {export}", "a directory", "a file", f"{export}/viewer.html")


def _check_scene(saved: Result | Campaign) -> None:
    scenario = viewers.scenario_of(saved)
    showing = viewers.showing_of(scenario)
    if showing is None or showing.scene is None:
        found = f"the scenario '{scenario}', which has no scene"
        raise ConfigError("--export", found, "scenarios with a scene", "haptos report DIR")


def report(
    directory: Path = DIRECTORY,
    figures: Path | None = typer.Option(
        None, "--figures", metavar="DIR", help="Write its figures as SVG and PDF there instead."
    ),
) -> None:
    """Build the report again from what is stored, or its figures for a paper."""
    if figures is None:
        print(rebuilt(directory))
        return
    for path in reports.write_figures(opened(directory), figures):
        print(path)


def report_path(directory: Path) -> Path:
    """Where the report of a stored run or campaign is."""
    return (directory.parent if directory.is_file() else directory) / REPORT


def rebuilt(directory: Path) -> Path:
    """Report of a stored run or campaign, written anew."""
    return reports.write_report(opened(directory), report_path(directory).parent)


def opened(directory: Path) -> Result | Campaign:
    """What is stored in a directory; what has no checksum says so."""
    from haptos.face import open as open_saved
    from haptos.results.result import Result

    saved: Result | Campaign = open_saved(directory)
    if isinstance(saved, Result):
        has_checksum = "checksum" not in saved.provenance
    else:
        has_checksum = saved.has_checksums
    if not has_checksum:
        words = "has no checksum: damage to it would not be noticed"
        print(f"haptos: {directory} {words}", file=sys.stderr)
    return saved


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
