"""Lists of names in refusals: short ones whole, long ones by the nearest few."""

from __future__ import annotations

from haptos.core.name_lists import MOST, NEAREST, listed


def test_a_short_list_is_whole():
    assert listed(["b", "a"]) == "b, a"


def test_a_long_list_has_the_nearest_and_how_to_see_all():
    names = [f"lander-{n}" for n in range(MOST)] + ["net-small", "net"]
    text = listed(names, "nett", "haptos list")
    assert "net-small, net" in text
    assert text.endswith(f"and {MOST + 2 - NEAREST} more: haptos list")
    assert text.count(",") == NEAREST - 1
