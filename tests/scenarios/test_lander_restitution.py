"""Dampers of springs: the strongest that steps can follow, and stronger ones refused."""

from __future__ import annotations

import pytest

import haptos
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.scenarios.lander.model import LEAST_RESTITUTION, build
from tests.lander_cases import lander


@pytest.mark.parametrize("restitution", [1e-3, 1e-6, 0.0019])
def test_dampers_too_strong_to_follow_are_refused_with_the_least_restitution(restitution):
    contact = {"restitution": restitution, "damping_N_s_per_m": None}
    with pytest.raises(ConfigError, match=f"{LEAST_RESTITUTION:g} to 1"):
        build(lander(contact=contact))


def test_a_damper_given_as_such_is_refused_as_well():
    strongest = build(lander(contact={"restitution": LEAST_RESTITUTION})).parameters["ground"][
        "laws"
    ]["c"][0]
    contact = {"damping_N_s_per_m": 1.01 * float(strongest), "restitution": None}
    with pytest.raises(ConfigError, match="damping_N_s_per_m"):
        build(lander(contact=contact))


@pytest.mark.parametrize("probe", [{}, {"probe": {"shape": "sphere", "mass_kg": 5.0, "radius_m": 0.1}}])  # fmt: skip
def test_the_least_restitution_works(probe):
    result = haptos.simulate(lander(contact={"restitution": LEAST_RESTITUTION}, **probe))
    assert result.ended is Outcome.SETTLED
    assert result.trusted
    assert result.metrics["steps"] < 0.05 * lander().run.max_steps
