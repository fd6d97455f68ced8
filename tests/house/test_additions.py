"""A new contact law, surface or gravity model takes few files besides its own: those docs/extending.md lists.

Each row follows one that is there: files that name it besides its own are the files its like would touch. Scenarios
with a choice of shapes of their own, which offer a new one only if they want to, stand with their reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest

from tests.house.sources import PACKAGE, ROOT, SOURCES

MOST_FILES = 3
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Addition:
    """own: file of the addition; names: by which others know it; optional: files that need not follow -> why."""

    own: str
    names: str
    optional: dict[str, str] = field(default_factory=dict)


ADDITIONS = {
    "contact law": Addition(
        "contact/laws/kelvin_voigt.py",
        r"kelvin_voigt\b|KELVIN_VOIGT\b|kelvin-voigt",
        {
            "scenarios/net/config.py": "names it in a hint",
            "scenarios/active_tether/model.py": "the ball of a boom has this law alone, on a surface as on a tilted plane",
        },
    ),
    "surface": Addition(
        "geometry/distance/distance_capsule.py",
        r"\bCapsuleSurface\b|\bCAPSULE\b|distance_capsule\b|capsule_distance\b|surfaces\.capsule\b|'capsule'",
        {
            "scenarios/lander/surface_check.py": "a flat face sinks on round ground",
            "scenarios/lander/config.py": "refuses it under polygons",
        },
    ),
    "gravity model": Addition(
        "environment/gravity_ellipsoid.py",
        r"\bEllipsoidGravity\b|gravity_ellipsoid\b|ellipsoid_gravity\b|gravities\.ellipsoid\b",
        {
            "scenarios/liftoff/model.py": "gravity of its own shapes",
            "scenarios/liftoff/simulate.py": "what these cite",
            "scenarios/slingshot/model.py": "a choice of its own: the body by its semi-axes",
            "scenarios/slingshot/simulate.py": "what that cites",
            "scenarios/tether/simulate.py": "what a small body below a tether cites",
        },
    ),
}


def touched(addition: Addition) -> set[str]:
    """Files that know an addition, besides its own."""
    names = re.compile(addition.names)
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in SOURCES
        if names.search(path.read_text(encoding="utf-8"))
    }
    assert addition.own in found
    return found - {addition.own}


@pytest.mark.parametrize("name", ADDITIONS)
def test_an_addition_touches_few_files_and_the_page_lists_them(name):
    addition = ADDITIONS[name]
    found = touched(addition)
    assert not set(addition.optional) - found, "no longer so: take its reason out"
    needed = found - set(addition.optional)
    assert 0 < len(needed) <= MOST_FILES, sorted(needed)
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {name} |"))
    assert set(re.findall(r"`([\w/]+\.py)`", row)) == needed
