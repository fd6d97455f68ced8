"""Reports of runs and campaigns: gathers what the pages of `view` show, from the other rooms."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from haptos.campaign.campaign import Campaign
    from haptos.results.campaign_summary import CampaignView
    from haptos.results.result import Result

BOOKKEEPING = ("run", "point", "replicate")  # columns that number the runs and measure nothing


def write_report(saved: Result | Campaign, directory: str | Path) -> Path:
    """Write report.html of a run or a campaign into a directory."""
    from haptos.results.result import Result
    from haptos.view.report import campaign_report, run_report

    if isinstance(saved, Result):
        return run_report(saved, directory, scenario_figures(saved))
    return campaign_report(campaign_view(saved), directory)


def scenario_figures(result: Result) -> dict[str, Figure]:
    """Title -> figure: what the scenario draws besides the figures every run has."""
    from haptos.scenarios.files import scenario_module

    if importlib.util.find_spec(f"haptos.scenarios.{result.scenario}.figures") is None:
        return {}
    drawn: dict[str, Figure] = scenario_module(result.scenario, "figures").figures(result)
    return drawn


def campaign_view(campaign: Campaign) -> CampaignView:
    """A campaign as its report needs it."""
    from haptos.results.campaign_summary import CampaignView

    plan = campaign.plan
    return CampaignView(
        title=str(plan.table.get("name") or plan.where),
        scenario=plan.scenario,
        config=plan.table,
        varied=_varied(campaign),
        runs=campaign.runs.drop(columns=list(BOOKKEEPING)),
        statistics=campaign.statistics.metrics,
        provenance=_provenance(campaign),
        reproduce="haptos campaign campaign.toml --out another-directory",
        cites=_cites(campaign),
    )


def _varied(campaign: Campaign) -> list[dict[str, Any]]:
    """One entry per column: a vector that varies has one for each element."""
    from haptos.campaign.plan import column_names

    template = campaign.plan.template
    return [
        {
            "key": column,
            "kind": "swept" if key in template.sweeps else "random",
            "description": variation.description,
        }
        for key, variation in template.variations.items()
        for column in column_names(key, variation.length)
    ]


def _provenance(campaign: Campaign) -> dict[str, Any]:
    from haptos.campaign.directory import read_manifest

    manifest = read_manifest(campaign.directory) or {}
    plan = campaign.plan
    return {
        "haptos": manifest.get("haptos", "unknown"),
        "file": plan.where,
        "fingerprint": plan.fingerprint,
        "seed": plan.settings.seed,
        "runs": plan.total,
        "design points": plan.points,
        "runs per point": plan.settings.runs,
    }


def _cites(campaign: Campaign) -> tuple[str, ...]:
    """Sources of the scenario's laws, as its first run uses them."""
    from haptos.scenarios.files import scenario_module

    sources = getattr(scenario_module(campaign.plan.scenario, "simulate"), "sources", None)
    return () if sources is None else tuple(sources(campaign.plan.config(0)))
