"""Impulsive contact is the limit of stiff springs: the same releases rest alike, the more so the stiffer.

The figures of 2,000 releases are in docs/validation/hard-and-compliant.md; here are the few that a minute buys.
"""

from __future__ import annotations

import functools

from tests.bilobe_cases import HARD
from tests.close import assert_close
from tests.validation.hard_and_compliant import (
    FIGURES,
    RESTITUTION,
    Rests,
    damping_ratio,
    masses_at_the_lowest_vertex,
    mean_restitution,
    rests,
    soft_contact,
)

TIME, SPREAD = FIGURES.index("mean settling time [s]"), 2
RUNS, STIFFNESSES = 40, (5.0, 50.0)


@functools.cache
def hard_rests() -> Rests:
    return rests(HARD, RUNS, workers=1)


@functools.cache
def soft_rests(stiffness: float) -> Rests:
    return rests(soft_contact(stiffness), RUNS, workers=1)


def test_damper_has_the_restitution_of_the_impacts_on_average():
    assert_close(mean_restitution(damping_ratio()), RESTITUTION, rtol=1e-9)
    masses = masses_at_the_lowest_vertex()
    assert 0.25 < masses.min() < masses.max() <= 1.0  # flat on a face, on a corner
