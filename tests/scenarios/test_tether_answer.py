"""The answer of a tether: signs in words, no digits of rounding."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from haptos.scenarios.tether.answer import answer


def said(**changes: float) -> str:
    found = {
        "peak_tension_N": 0.4, "peak_tension_at_s": 10.0, "slack_time_s": 0.0, "largest_in_plane_deg": 6.5,
        "largest_out_of_plane_deg": 1.3e-13, "deployed_m": 1400.0, "distance_m": 1400.0, "winch_work_J": -95.6,
    }  # fmt: skip
    result: Any = SimpleNamespace(
        metrics={**found, **changes}, config={"line": {}}, ended=SimpleNamespace(label="completed")
    )
    return answer(result)


@pytest.mark.parametrize(
    ("work", "words"), [(-95.6, "The reels take out 95.6 J"), (3.0, "The reels put in 3 J")]
)
def test_work_of_reels_is_said_with_its_direction(work: float, words: str):
    assert words in said(winch_work_J=work)


def test_rounding_is_no_swing():
    assert "and 0 deg out of it" in said()
    assert "and 0.01 deg out of it" in said(largest_out_of_plane_deg=0.01)
