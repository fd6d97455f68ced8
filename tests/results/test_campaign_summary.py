"""The view of a campaign checks what it is given."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from haptos.core.errors import HaptosError
from haptos.results.campaign_summary import STATISTICS, CampaignView


def view(**changes: Any) -> CampaignView:
    fields: dict[str, Any] = {
        "title": "study",
        "scenario": "lander",
        "config": {},
        "varied": [
            {"key": "contact.friction", "kind": "swept", "description": "0.2, 0.4"},
            {"key": "release.velocity_m_per_s", "kind": "random", "description": "normal"},
        ],
        "runs": pd.DataFrame({"outcome": ["settled", "escaped", "settled"], "trusted": True}),
        "statistics": pd.DataFrame(columns=list(STATISTICS)),
        "provenance": {},
        "reproduce": "haptos campaign study.toml",
    }
    return CampaignView(**(fields | changes))


def test_keys_are_sorted_by_kind() -> None:
    assert view().keys_by_kind == {
        "random": ["release.velocity_m_per_s"],
        "swept": ["contact.friction"],
    }


def test_outcomes_are_counted_most_frequent_first() -> None:
    assert list(view().outcome_counts.items()) == [("settled", 2), ("escaped", 1)]


def test_trusted_runs_are_counted() -> None:
    runs = pd.DataFrame({"trusted": [True, False, True]})
    assert view(runs=runs).trusted_count == 2


def test_a_campaign_without_runs_has_no_counts() -> None:
    empty = view(runs=pd.DataFrame())
    assert empty.outcome_counts == {}
    assert empty.trusted_count == 0


def test_an_unknown_kind_of_variation_is_refused() -> None:
    with pytest.raises(HaptosError, match="random, swept"):
        view(varied=[{"key": "a", "kind": "guessed", "description": ""}])


def test_missing_statistics_are_named() -> None:
    with pytest.raises(HaptosError, match="no column q95"):
        view(statistics=pd.DataFrame(columns=[n for n in STATISTICS if n != "q95"]))
