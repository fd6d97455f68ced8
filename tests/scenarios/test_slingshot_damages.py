"""Random damage to sling-shot files: each is refused in four parts, or ends with a named outcome; none crashes."""

from __future__ import annotations

import copy
import math
import random

import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.core.outcome import Outcome
from haptos.scenarios.files import parse_checked, parse_toml, preset_text

PRESETS = (
    "slingshot", "slingshot-fig16", "slingshot-slow", "slingshot-end", "slingshot-leave", "slingshot-turn",
)  # fmt: skip
QUICK = {"cells": 6, "tolerance": 1e-4, "output_interval_s": 20.0, "max_steps": 600}
COUNT = 200
FACTORS = (-1.0, 0.0, 1e-9, 1e-3, 0.1, 0.5, 0.9, 1.1, 2.0, 10.0, 1e3, 1e9, math.nan, math.inf)


def damaged(table: dict, generator: random.Random) -> dict:
    """A copy with one to three values changed, dropped or replaced by something of another kind."""
    made = copy.deepcopy(table)
    for _ in range(generator.randint(1, 3)):
        name = generator.choice([key for key, value in made.items() if isinstance(value, dict)])
        if not made[name]:
            continue
        key = generator.choice(list(made[name]))
        value, how = made[name][key], generator.random()
        if how < 0.1:
            del made[name][key]
        elif how < 0.2:
            made[name][key] = generator.choice(["text", [], True, None, -1, {"a": 1}])
        elif isinstance(value, list):
            made[name][key] = [part * generator.choice(FACTORS) for part in value]
        elif isinstance(value, float):
            made[name][key] = value * generator.choice(FACTORS)
    return made


def end_of(table: dict) -> str:
    """How a damaged file ends: refused, or the label of its outcome."""
    try:
        config = parse_checked(table, "damaged")
        table["run"] = {**table.get("run", {}), **QUICK}
        config = parse_checked(table, "damaged")
        result = hp.simulate(config)
    except ConfigError as error:
        parts = (error.where, error.found, error.allowed, error.hint)
        return "refused" if all(parts) else "refused without words"
    assert isinstance(result.outcome, Outcome)
    assert result.answer
    return result.outcome.label


@pytest.mark.parametrize(
    "name", [PRESETS[0], *(pytest.param(name, marks=pytest.mark.slow) for name in PRESETS[1:])]
)
def test_damages_are_refused_or_end_with_a_named_outcome(name):
    table = parse_toml(preset_text(name), name)
    ends = [end_of(damaged(table, random.Random(number))) for number in range(COUNT)]
    assert "refused without words" not in ends
    assert 20 < ends.count("refused") < COUNT - 20
    assert len(set(ends)) >= 3
