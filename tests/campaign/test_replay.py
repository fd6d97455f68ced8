"""A run of a campaign simulated again is that run; a changed one is reported."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import haptos as hp
from haptos.campaign.campaign import Campaign
from haptos.campaign.replay import _is_same, difference, replayed, spread

STUDY = """
base = "lander"
[campaign]
runs = 5
seed = 3
[release]
attitude_quaternion = { distribution = "random_attitude" }
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    folder: Path = tmp_path_factory.mktemp("study")
    (folder / "study.toml").write_text(STUDY)
    done: Campaign = hp.campaign(folder / "study.toml", out=folder / "out", progress="off")
    return done


def test_a_run_again_is_the_same_run(campaign: Campaign) -> None:
    for run in (0, 4):
        assert difference(campaign, run, replayed(campaign, run)) is None


def test_another_run_is_told_of(campaign: Campaign) -> None:
    assert difference(campaign, 1, replayed(campaign, 0)) is not None


def test_energies_that_are_both_no_number_do_not_differ():
    assert _is_same(math.nan, math.nan)
    assert not _is_same(math.nan, 1.0)
    assert not _is_same(1.0, 1.0 + 1e-15)


def test_there_are_no_other_runs(campaign: Campaign) -> None:
    with pytest.raises(IndexError):
        replayed(campaign, 5)


def test_chosen_runs_are_spread_and_at_most_so_many(campaign: Campaign) -> None:
    assert list(spread(campaign, 10)) == [0, 1, 2, 3, 4]
    few = list(spread(campaign, 3))
    assert len(few) <= 3
    assert few[0] == 0
    assert list(spread(campaign, 0)) == []


def test_a_finished_campaign_says_so(campaign: Campaign) -> None:
    again = hp.campaign(
        campaign.directory.parent / "study.toml", out=campaign.directory, progress="off"
    )
    assert again.was_complete
    assert not campaign.was_complete
