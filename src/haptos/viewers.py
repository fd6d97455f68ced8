"""Viewers of runs and campaigns: joins the viewer of `view` with the scenes of the scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from haptos.campaign.campaign import Campaign
    from haptos.campaign.progress import Report
    from haptos.results.result import Result
    from haptos.results.scene import Scene
    from haptos.scenarios.contract import Showing
    from haptos.view.server import ViewerServer

MOST_SHOWN = (
    20_000  # runs of a campaign that are dots in the viewer; more are neither seen nor sent
)
REPORT_RUNS = 24  # of a campaign, simulated again for the viewer in its report
EXPORT_RUNS = 200  # the same for an exported viewer
LIVE_RUNS = 100  # whose trails are shown at once by `haptos view`
REPLAYING = "replaying runs for the viewer"


def write_viewer(
    saved: Result | Campaign,
    path: str | Path,
    runs: int = EXPORT_RUNS,
    *,
    progress: str | Report | None = None,
) -> Path | None:
    """Write the viewer as one file that needs nothing else; None if the scenario has no scene.

    runs      of a campaign that are simulated again to be shown
    progress  of that: None is a bar on a terminal and lines elsewhere, 'bar', 'off' or a function
    """
    from haptos.core.whole_files import write_whole
    from haptos.view.viewer_page import viewer_page

    packet = viewer_packet(saved, runs, progress=progress)
    if packet is None:
        return None
    return write_whole(Path(path), viewer_page(title_of(saved), packet))


def viewer_packet(
    saved: Result | Campaign,
    runs: int,
    limit: int | None = None,
    *,
    progress: str | Report | None = None,
) -> bytes | None:
    """What the viewer shows of a run or a campaign; None if the scenario has no scene."""
    from haptos.results.result import Result
    from haptos.view.viewer_data import FILE_LIMIT, campaign_packet, run_packet

    scenario = scenario_of(saved)
    showing = showing_of(scenario)
    if showing is None or showing.scene is None:
        return None
    most = FILE_LIMIT if limit is None else limit
    if isinstance(saved, Result):
        return run_packet(saved, scenario_scene(saved), limit=most)
    if showing.overview is None or saved.statistics.failed == len(saved.runs):
        return None  # no scene of all runs, or no run that has a place to show
    again = replays(saved, runs, progress)
    few = shown_runs(saved.runs, list(again))
    with _refusing(scenario):
        overview: Scene = showing.overview(
            saved.plan.config(0), few, {run: result for run, (result, _) in again.items()}
        )
    notes = [f"{len(again)} of {len(saved.runs)} runs are simulated again from their seeds."]
    if len(few) < len(saved.runs):
        notes.append(f"Shown are {len(few)} of {len(saved.runs)} runs, chosen evenly.")
    overview = replace(overview, notes=(*overview.notes, *notes))
    view = replace(saved.report(), runs=shown_runs(saved.report().runs, list(again)))
    return campaign_packet(view, overview, again, limit=most)


def shown_runs(runs: pd.DataFrame, kept: list[int]) -> pd.DataFrame:
    """At most MOST_SHOWN rows, evenly chosen, and those of the runs that are kept."""
    import numpy as np

    if len(runs) <= MOST_SHOWN:
        return runs
    even = np.linspace(0, len(runs) - 1, MOST_SHOWN).astype(int)
    wanted = np.flatnonzero(np.isin(runs["run"].to_numpy(), kept))
    return runs.iloc[np.unique(np.concatenate([even, wanted]))]


def replays(
    campaign: Campaign, most: int, progress: str | Report | None = None
) -> dict[int, tuple[Result, Scene]]:
    """Run -> (result, scene) of at most so many runs of a campaign, simulated again."""
    from haptos.campaign.progress import reporter
    from haptos.campaign.replay import spread

    chosen, found = spread(campaign, most), {}
    with reporter(progress) as bar:
        bar.start(REPLAYING, len(chosen))
        for run in chosen:
            found[run] = replay(campaign, run)
            bar.advance(1)
    return found


def replay(campaign: Campaign, run: int) -> tuple[Result, Scene]:
    """One run of a campaign, simulated again, and its scene; a difference to its row is reported."""
    from haptos.campaign.replay import difference, replayed

    result = replayed(campaign, run)
    scene = scenario_scene(result)
    differs = difference(campaign, run, result)
    if differs is not None:
        scene = replace(scene, notes=(*scene.notes, f"Run {run} simulated again: {differs}."))
    return result, scene


def viewer_server(
    saved: Result | Campaign,
    directory: Path,
    port: int = 0,
    *,
    progress: str | Report | None = None,
) -> ViewerServer | None:
    """Server of the viewer of what is stored in a directory; None if the scenario has no scene."""
    from haptos.results.result import Result
    from haptos.view.server import ViewerServer
    from haptos.view.viewer_data import LIVE_LIMIT, run_packet

    packet = viewer_packet(saved, LIVE_RUNS, LIVE_LIMIT, progress=progress)
    if packet is None:
        return None

    def one(run: int) -> bytes | None:
        assert not isinstance(saved, Result)
        if run not in saved.runs["run"].to_numpy():
            return None
        return run_packet(*replay(saved, run), limit=LIVE_LIMIT)

    single = None if isinstance(saved, Result) else one
    return ViewerServer(directory, title_of(saved), lambda: packet, single, port)


def title_of(saved: Result | Campaign) -> str:
    """Name of a run or a campaign, for the top of a page."""
    from haptos.results.result import Result

    return saved.name or saved.scenario if isinstance(saved, Result) else saved.report().title


def scenario_of(saved: Result | Campaign) -> str:
    """Scenario of a run or a campaign."""
    from haptos.results.result import Result

    return saved.scenario if isinstance(saved, Result) else saved.plan.scenario


def scenario_scene(result: Result) -> Scene:
    """Scene of one run as its scenario describes it."""
    from haptos.scenarios.registry import scenario

    showing = scenario(result.scenario).showing
    assert showing.scene is not None  # asked for by `viewer_packet`
    with _refusing(result.scenario):
        scene: Scene = showing.scene(result)
    return scene


@contextmanager
def _refusing(scenario: str) -> Iterator[None]:
    """A stored configuration of another version is refused like any other."""
    from pydantic import ValidationError

    from haptos.scenarios.registry import scenario as scenario_named
    from haptos.scenarios.validation_errors import as_config_error

    try:
        yield
    except ValidationError as error:
        model = scenario_named(scenario).config_model
        raise as_config_error(error, model, "stored configuration") from None


def showing_of(scenario: str) -> Showing | None:
    """What a scenario shows; None for a stored one that this haptos does not know."""
    from haptos.scenarios.registry import scenarios

    found = scenarios().get(scenario)
    return None if found is None else found.showing
