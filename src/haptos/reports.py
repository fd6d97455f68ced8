"""Reports of runs and campaigns: joins the pages of `view` with the rooms that fill them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from haptos.campaign.campaign import Campaign
    from haptos.results.result import Result


def write_report(saved: Result | Campaign, directory: str | Path) -> Path:
    """Write report.html of a run or a campaign into a directory."""
    from haptos.results.result import Result
    from haptos.view.report import campaign_report, run_report

    if isinstance(saved, Result):
        return run_report(saved, directory, scenario_figures(saved))
    return campaign_report(saved.report(), directory)


def write_tables(result: Result, directory: str | Path) -> list[Path]:
    """Write the scenario's small tables as NAME.csv into a directory: a hopper's hops.csv."""
    from haptos.core.whole_files import write_whole
    from haptos.scenarios.files import scenario_module

    if importlib.util.find_spec(f"haptos.scenarios.{result.scenario}.figures") is None:
        return []
    wanted = scenario_module(result.scenario, "figures").tables(result)
    return [
        write_whole(Path(directory) / f"{name}.csv", csv_text(rows))
        for name, rows in wanted.items()
    ]


def csv_text(rows: list[dict[str, float]]) -> str:
    """Rows as comma-separated text that reads back to the same numbers; nothing for NaN."""
    lines = [",".join(rows[0])]
    lines += [",".join("" if x != x else repr(x) for x in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def scenario_figures(result: Result) -> dict[str, Figure]:
    """Title -> figure: what the scenario draws besides the figures every run has."""
    from haptos.scenarios.files import scenario_module
    from haptos.view.run_figures import panels_figure

    if importlib.util.find_spec(f"haptos.scenarios.{result.scenario}.figures") is None:
        return {}
    wanted = scenario_module(result.scenario, "figures").figures(result)
    return {title: panels_figure(result, panels) for title, panels in wanted.items()}
