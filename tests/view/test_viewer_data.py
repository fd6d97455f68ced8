"""Packets of campaigns keep within their limit: replays are left out, as few as need be, and reported."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.results.result import Result
from haptos.results.scene import Camera, Lines, Points, Scene
from haptos.view.viewer_data import campaign_packet
from tests.results.hop import hop
from tests.view.table_of_runs import campaign_view
from tests.view.test_packet import opened, wave

CAMERA = Camera("all", "world", (0.0, 0.0, 0.0), (1.0, 0.0, 0.5), (0.0, 0.0, 1.0), 10.0)
OVERVIEW = Scene(np.zeros(1), (Points("rest", np.zeros((3, 3))),), (CAMERA,))


def trail(points: int, seed: int) -> Scene:
    """A scene at rest of some six bytes per point, which do not pack."""
    places = np.random.default_rng(seed).normal(size=(points, 3))
    return Scene(np.zeros(1), (Lines("trail", places),), (CAMERA,))


def replays(*sizes: int) -> dict[int, tuple[Result, Scene]]:
    result = hop(count=20)
    return {10 * n: (result, trail(size, n)) for n, size in enumerate(sizes)}


def test_all_replays_are_kept_where_they_fit():
    head, _ = opened(campaign_packet(campaign_view(10), OVERVIEW, replays(100, 100)))
    assert list(head["replays"]) == ["0", "10"]
    assert head["scene"]["notes"] == []


@pytest.mark.parametrize(
    ("limit", "kept"),
    [(300_000, ["0", "20", "30"]), (100_000, ["0", "30"]), (40_000, ["0"]), (12_000, [])],
)
def test_the_largest_replays_go_first_and_the_page_says_how_many(limit: int, kept: list[str]):
    given = replays(2_000, 60_000, 20_000, 4_000)
    packet = campaign_packet(campaign_view(10), OVERVIEW, given, limit=limit)
    head, _ = opened(packet)
    assert list(head["replays"]) == kept
    assert len(packet) <= limit
    (note,) = head["scene"]["notes"]
    assert f"{4 - len(kept)} of 4 replays are not in it" in note


def test_replays_that_deform_are_thinned_before_any_is_left_out():
    time, places = wave(400, 200)
    deforming = Scene(time, (Lines("net", places),), (CAMERA,))
    given = {0: (hop(count=20), deforming)}
    whole = campaign_packet(campaign_view(10), OVERVIEW, given)
    small = campaign_packet(campaign_view(10), OVERVIEW, given, limit=len(whole) // 2)
    head, _ = opened(small)
    assert list(head["replays"]) == ["0"]
    assert "one instant in" in head["scene"]["notes"][0]
    assert len(small) <= len(whole) // 2
