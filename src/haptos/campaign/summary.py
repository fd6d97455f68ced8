"""A finished campaign as the report sees it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from haptos.campaign.answer import campaign_answer
from haptos.campaign.directory import read_manifest
from haptos.campaign.findings import findings
from haptos.campaign.logs import logs_of
from haptos.campaign.point_statistics import point_statistics
from haptos.campaign.swept_outcomes import swept_outcomes, swept_parts
from haptos.results.campaign_summary import IMPACTS, CampaignView
from haptos.scenarios.registry import scenario

if TYPE_CHECKING:
    import pandas as pd

    from haptos.campaign.campaign import Campaign
    from haptos.campaign.plan import CampaignPlan


NO_CHECKSUM = "none: damage to its files would not be noticed"


def campaign_view(campaign: Campaign) -> CampaignView:
    """View of a campaign: its plan in words, its runs and their statistics."""
    plan = campaign.plan
    kind = scenario(plan.scenario)
    places, parts = kind.studying.places, swept_parts(plan, campaign.runs)
    return CampaignView(
        question=plan.settings.question or kind.question,
        answer=campaign_answer(
            campaign.statistics, kind.showing.main_metrics, parts, kind.studying.share[0]
        ),
        swept_values=len(parts),
        title=str(plan.table.get("name") or Path(plan.where).stem),
        scenario=plan.scenario,
        config=plan.table,
        varied=varied_columns(plan),
        runs=campaign.runs.drop(columns=["point", "replicate"]),
        statistics=campaign.statistics.metrics,
        outcomes=campaign.statistics.outcomes,
        provenance=_provenance(campaign),
        reproduce=shlex.join(["haptos", "campaign", plan.where, "--out", campaign.directory.name]),
        cites=_cites(plan),
        impacts=_impacts(campaign),
        places=None if places is None else places(plan.table, campaign.runs),
        findings=(
            *swept_outcomes(plan, campaign.runs),
            *point_statistics(plan, campaign.runs),
            *findings(plan, campaign.runs),
        ),
    )


def _impacts(campaign: Campaign) -> pd.DataFrame | None:
    """What a report draws of the impacts, if they are stored."""
    if "impacts" not in logs_of(campaign.plan):
        return None
    frame: pd.DataFrame = campaign.log("impacts", list(IMPACTS)).to_pandas()
    return frame


def varied_columns(plan: CampaignPlan) -> list[dict[str, Any]]:
    """One entry per column of `runs` that varies, each random or swept."""
    entries = []
    for key, variation in plan.template.variations.items():
        kind = "random" if key in plan.template.distributions else "swept"
        for column in plan.columns_of(key):
            entry = {"key": column, "kind": kind, "description": variation.description}
            entries.append(entry)
    return entries


def _provenance(campaign: Campaign) -> dict[str, Any]:
    plan, manifest = campaign.plan, read_manifest(campaign.directory) or {}
    return {
        "fingerprint": plan.fingerprint,
        "seed": plan.settings.seed,
        "runs": len(campaign.runs),
        **_stopped(campaign),
        "design_points": plan.points,
        **({} if campaign.has_checksums else {"checksum": NO_CHECKSUM}),
        **manifest.get("made_with", {}),
    }


def _stopped(campaign: Campaign) -> dict[str, str]:
    """What a campaign ran until, and whether that was met."""
    until, total = campaign.plan.settings.until, campaign.plan.total
    if until is None:
        return {}
    verdict = ", met" if campaign.is_goal_met else f", not met by {total} runs"
    return {"until": until.words + verdict}


def _cites(plan: CampaignPlan) -> tuple[str, ...]:
    """Sources of the laws of the first run."""
    return tuple(scenario(plan.scenario).running.sources(plan.config(0)))
