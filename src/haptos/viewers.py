"""Viewers of runs and campaigns: joins the viewer of `view` with the scenes of the scenarios."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from haptos.campaign.campaign import Campaign
    from haptos.results.result import Result
    from haptos.results.scene import Scene
    from haptos.view.server import ViewerServer

REPORT_RUNS = 24  # of a campaign, simulated again for the viewer in its report
EXPORT_RUNS = 200  # the same for an exported viewer
LIVE_RUNS = 100  # whose trails are shown at once by `haptos view`


def write_viewer(
    saved: Result | Campaign, path: str | Path, runs: int = EXPORT_RUNS
) -> Path | None:
    """Write the viewer as one file that needs nothing else; None if the scenario has no scene.

    runs  of a campaign that are simulated again to be shown
    """
    from haptos.core.whole_files import write_whole
    from haptos.view.viewer_page import viewer_page

    packet = viewer_packet(saved, runs)
    if packet is None:
        return None
    return write_whole(Path(path), viewer_page(title_of(saved), packet))


def viewer_packet(saved: Result | Campaign, runs: int, limit: int | None = None) -> bytes | None:
    """What the viewer shows of a run or a campaign; None if the scenario has no scene."""
    from haptos.results.result import Result
    from haptos.view.viewer_data import FILE_LIMIT, campaign_packet, run_packet

    scenario = saved.scenario if isinstance(saved, Result) else saved.plan.scenario
    if not has_part(scenario, "scene"):
        return None
    most = FILE_LIMIT if limit is None else limit
    if isinstance(saved, Result):
        return run_packet(saved, scenario_scene(saved), limit=most)
    from haptos.campaign.replay import spread

    again = {run: replay(saved, run) for run in spread(saved, runs)}
    module = _scene_module(scenario)
    overview = module.overview(
        saved.plan.config(0), saved.runs, [result for result, _ in again.values()]
    )
    shown = f"Trails of {len(again)} of {len(saved.runs)} runs, simulated again from their seeds."
    overview = replace(overview, notes=(*overview.notes, shown))
    return campaign_packet(saved.report(), overview, again, limit=most)


def replay(campaign: Campaign, run: int) -> tuple[Result, Scene]:
    """One run of a campaign, simulated again, and its scene; a difference to its row is told."""
    from haptos.campaign.replay import difference, replayed

    result = replayed(campaign, run)
    scene = scenario_scene(result)
    differs = difference(campaign, run, result)
    if differs is not None:
        scene = replace(scene, notes=(*scene.notes, f"Run {run} simulated again: {differs}."))
    return result, scene


def viewer_server(saved: Result | Campaign, directory: Path, port: int = 0) -> ViewerServer | None:
    """Server of the viewer of what is stored in a directory; None if the scenario has no scene."""
    from haptos.results.result import Result
    from haptos.view.server import ViewerServer
    from haptos.view.viewer_data import LIVE_LIMIT, run_packet

    packet = viewer_packet(saved, LIVE_RUNS, LIVE_LIMIT)
    if packet is None:
        return None

    def one(run: int) -> bytes:
        assert not isinstance(saved, Result)
        return run_packet(*replay(saved, run), limit=LIVE_LIMIT)

    single = None if isinstance(saved, Result) else one
    return ViewerServer(directory, title_of(saved), lambda: packet, single, port)


def title_of(saved: Result | Campaign) -> str:
    """Name of a run or a campaign, for the top of a page."""
    from haptos.results.result import Result

    return saved.name or saved.scenario if isinstance(saved, Result) else saved.report().title


def scenario_scene(result: Result) -> Scene:
    """Scene of one run as its scenario describes it."""
    scene: Scene = _scene_module(result.scenario).scene(result)
    return scene


def has_part(scenario: str, part: str) -> bool:
    """Whether a scenario's folder has a module of that name."""
    try:
        return importlib.util.find_spec(f"haptos.scenarios.{scenario}.{part}") is not None
    except ModuleNotFoundError:  # no such scenario in this haptos
        return False


def _scene_module(scenario: str) -> Any:
    from haptos.scenarios.files import scenario_module

    return scenario_module(scenario, "scene")
