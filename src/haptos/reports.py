"""Reports of runs and campaigns: joins the pages of `view` with the rooms that fill them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haptos import viewers
from haptos.campaign.file_names import MANIFEST
from haptos.core.errors import HaptosError
from haptos.results import file_list
from haptos.results.file_names import RESULT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from haptos.campaign.campaign import Campaign
    from haptos.campaign.progress import Report
    from haptos.results.campaign_summary import CampaignView
    from haptos.results.result import Result


def write_report(
    saved: Result | Campaign, directory: str | Path, *, progress: str | Report | None = None
) -> Path:
    """Write report.html of a run or a campaign into a directory; a campaign's statistics and findings beside it.

    progress  of the runs simulated again for its viewer, as for `campaign`
    """
    from haptos.results.result import Result
    from haptos.view.report import campaign_report, run_report

    packet = _packet(saved, progress)
    with _listed(Path(directory)) as written:
        if isinstance(saved, Result):
            figures = scenario_figures(saved)
            written += write_pictures(saved, directory, figures)
            page = run_report(saved, directory, figures, packet, explained(saved.config))
        else:
            view = saved.report()
            if not Path(directory).suffix:
                view = _with_files(saved, view, directory)
                names = [*view.files, *(name for one in view.findings for name in one.files)]
                written += [Path(directory) / name for name in names]
            page = campaign_report(view, directory, packet, explained(view.config))
        written.append(page)
    return page


@contextmanager
def _listed(directory: Path) -> Iterator[list[Path]]:
    """Checksums of what is written for a report, if that goes beside a stored run or campaign."""
    written: list[Path] = []
    is_stored = (directory / RESULT).is_file() or (directory / MANIFEST).is_file()
    if is_stored:
        file_list.forget(directory, file_list.REPORT)
    yield written
    if is_stored:
        file_list.record(directory, file_list.REPORT, written)


def _with_files(saved: Campaign, view: CampaignView, directory: str | Path) -> CampaignView:
    """Write statistics and findings into the directory of the report, which then names them."""
    from haptos.campaign.findings_files import write_findings
    from haptos.campaign.statistics_files import write_statistics

    files = tuple(path.name for path in write_statistics(saved.statistics, directory))
    return replace(view, files=files, findings=write_findings(view.findings, directory))


def explained(config: dict[str, Any]) -> list[tuple[str, Any, bool, str]]:
    """(key, value, whether it is the usual one, what it is) of every parameter."""
    from haptos.scenarios.parameters import parameters

    return [(one.key, one.value, one.is_usual, one.meaning) for one in parameters(config)]


def write_figures(saved: Result | Campaign, directory: str | Path) -> list[Path]:
    """Write all figures of a report as SVG and PDF into a directory, for papers."""
    from haptos.results.result import Result
    from haptos.view.figure_files import write_vectors
    from haptos.view.report import campaign_drawings
    from haptos.view.run_figures import run_figures

    if isinstance(saved, Result):
        drawn = {**scenario_figures(saved), **run_figures(saved)}
    else:
        drawn = campaign_drawings(saved.report())
    return write_vectors(drawn, Path(directory))


def _packet(saved: Result | Campaign, progress: str | Report | None) -> bytes | None:
    """What the viewer of a report shows; None, and a word why, where that cannot be had."""
    from haptos.view.library import three_script

    try:
        three_script()  # the page cannot do without it
        return viewers.viewer_packet(saved, viewers.REPORT_RUNS, progress=progress)
    except HaptosError as error:
        # A result of another version may lack what the scene needs; the report is not lost for it.
        print(f"haptos: no viewer in the report: {error}", file=sys.stderr)
        return None


def write_pictures(result: Result, directory: str | Path, figures: dict[str, Figure]) -> list[Path]:
    """Write figures as PNG files, for scenarios that name a folder for them; their paths."""
    from haptos.core.slugs import slug
    from haptos.core.whole_files import write_whole
    from haptos.view.style import png

    showing = viewers.showing_of(result.scenario)
    if showing is None or not showing.pictures or Path(directory).suffix:
        return []
    folder = Path(directory) / showing.pictures
    return [
        write_whole(folder / f"{slug(title, 'figure')}.png", png(figure))
        for title, figure in figures.items()
    ]


def write_files(result: Result, directory: str | Path) -> list[Path]:
    """Write the files a scenario has for other programs, if it has any; their paths."""
    showing = viewers.showing_of(result.scenario)
    if showing is None or showing.exports is None:
        return []
    return list(showing.exports(result, Path(directory)))


def scenario_figures(result: Result) -> dict[str, Figure]:
    """Title -> figure: what the scenario draws besides the figures every run has."""
    from haptos.results.drawings import BodyMap, LinePlot, PathPlot
    from haptos.view.drawing_figures import Drawer
    from haptos.view.path_figure import path_figure
    from haptos.view.run_figures import panels_figure

    showing = viewers.showing_of(result.scenario)
    if showing is None or showing.figures is None:
        return {}
    drawn: dict[str, Figure] = {}
    drawer = Drawer()
    for title, wanted in showing.figures(result).items():
        if isinstance(wanted, BodyMap | LinePlot):
            drawn |= drawer.figures(title, wanted)
        elif isinstance(wanted, PathPlot):
            drawn[title] = path_figure(result, wanted.position)
        else:
            drawn[title] = panels_figure(result, wanted)
    return drawn
