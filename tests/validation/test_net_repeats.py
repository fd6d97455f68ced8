"""The page on repeatability: its table is made from runs, and a flight repeats better than a touch."""

from __future__ import annotations

from haptos.core.outcome import Outcome
from tests.validation.net_repeats import PAGE, PRESETS, measured, page


def test_a_flight_repeats_to_the_disturbance_and_the_page_says_so():
    result = measured("net-deployment", repeats=1)
    assert result.outcome is Outcome.DEPLOYED
    assert result.repeats.outcomes == ("deployed", "deployed")
    reported = page({"net-deployment": result})
    assert "2 of 2 further runs ended as this one, deployed" in reported
    assert "| best quality |" in reported
    # Threads that become taut at other steps: half the step moves the best quality by a few percent at most.
    assert 0.0 < result.scatter["best_quality_percent"] < 5.0


def test_the_page_tells_of_every_preset():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"## {name}\n" in text for name in PRESETS)
