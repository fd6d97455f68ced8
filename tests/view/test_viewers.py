"""Replaying runs for the viewer tells how far it is, and knows which runs there are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from haptos import viewers


def test_progress_is_told_run_by_run(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("haptos.campaign.replay.spread", lambda *_: [0, 3, 5])
    monkeypatch.setattr(viewers, "replay", lambda _, run: (f"result {run}", f"scene {run}"))
    reported: list[tuple[str, int, int]] = []
    found = viewers.replays(Any, 3, lambda *state: reported.append(state))
    assert list(found) == [0, 3, 5]
    assert found[3] == ("result 3", "scene 3")
    assert reported == [(viewers.REPLAYING, done, 3) for done in (0, 1, 2, 3)]


def test_the_server_knows_which_runs_there_are(monkeypatch: pytest.MonkeyPatch, tmp_path):
    def fails(*_: Any) -> Any:
        raise IndexError("inside the simulation")

    monkeypatch.setattr(viewers, "viewer_packet", lambda *_, **__: b"all")
    monkeypatch.setattr(viewers, "title_of", lambda _: "study")
    monkeypatch.setattr(viewers, "replay", fails)
    campaign: Any = SimpleNamespace(runs=pd.DataFrame({"run": [0, 1, 2]}))
    with viewers.viewer_server(campaign, tmp_path) as server:
        assert server.run(3) is None
        with pytest.raises(IndexError, match="inside"):
            server.run(2)


def test_of_very_many_runs_an_even_part_and_the_replays_are_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(viewers, "MOST_SHOWN", 100)
    runs = pd.DataFrame({"run": np.arange(5000), "x": np.arange(5000) * 2.0})
    few = viewers.shown_runs(runs, [1234, 4321])
    assert 100 <= len(few) <= 102
    assert {0, 1234, 4321, 4999} <= set(few["run"])
    assert np.diff(few["run"]).max() < 55
    assert viewers.shown_runs(runs.head(100), []).equals(runs.head(100))


def test_a_campaign_without_an_overview_has_no_viewer(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(viewers, "scenario_of", lambda _: "bench")
    monkeypatch.setattr(
        viewers, "showing_of", lambda _: SimpleNamespace(scene="a scene", overview=None)
    )
    monkeypatch.setattr(viewers, "replays", lambda *_: {})
    study: Any = SimpleNamespace(
        runs=pd.DataFrame({"run": [0]}), statistics=SimpleNamespace(failed=0)
    )
    assert viewers.viewer_packet(study, 1) is None
