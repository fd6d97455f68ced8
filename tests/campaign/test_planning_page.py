"""The planning page as a user would run it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from haptos.campaign.plan import load_plan

PAGE = Path(__file__).parents[2] / "docs" / "planning.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)


def ran(blocks: list[str]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    return names


def test_dates_and_releases_of_the_page_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ran(BLOCKS[:2])
    assert load_plan(tmp_path / "sweep.toml").total == 100
    speed = float((names["v_A"] ** 2).sum() ** 0.5)
    assert 4.0 < speed < 5.0  # 20 km from a body that turns once in 7.6 h


@pytest.mark.slow
def test_the_whole_page_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    short = BLOCKS[1].replace("standard_draws(25", "standard_draws(12")
    few = re.sub(r"draws=\d+,\s*trials=\d+,\s*verify=\d+", "draws=4, trials=8, verify=8", BLOCKS[3])
    assert (short, few) != (BLOCKS[1], BLOCKS[3])
    names = ran([BLOCKS[0], short, BLOCKS[2], few])
    landings = names["landings"]
    assert len(landings) == len(names["hours"]) == 48
    assert (landings["landing"] == "success").any()
    assert 0.0 <= names["design"].probability <= 1.0
