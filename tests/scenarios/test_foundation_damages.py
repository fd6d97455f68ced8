"""Random damage to files of polygonal contact: each is refused in four parts, or ends with a named outcome; none crashes or hangs."""

from __future__ import annotations

import copy
import math
import random
import time
from typing import Any

import pytest

import haptos as hp
from haptos.core.errors import HaptosError
from haptos.core.outcome import Outcome
from haptos.scenarios.files import parse_checked, parse_toml, preset_text

COARSE = {"splits": 2, "levels": 4}
BENCH = {"steps": 2000, "leaves": 50_000}
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "foundation": {"faces": COARSE, "run": BENCH},
    "foundation-drop": {"faces": COARSE, "run": BENCH},
    "foundation-slide": {"faces": COARSE, "run": BENCH},
    "foundation-crown": {"run": BENCH},
    "lander-feet": {"run": {"duration_s": 60.0, "output_interval_s": 10.0, "max_steps": 1000}},
}
COUNT = 200
SLOWEST = 120.0  # [s] of CPU of one damaged file, far above what any takes; a file without an end would be found
FACTORS = (-1.0, 0.0, 1e-9, 1e-3, 0.1, 0.5, 0.9, 1.1, 2.0, 10.0, 1e3, 1e9, math.nan, math.inf)
OTHER_KINDS = ("text", [], True, None, -1, {"a": 1}, 10**30, [[]])


def tables_in(value: Any) -> list[dict[str, Any]]:
    """All tables of a file that hold something, however deep."""
    found = [value] if isinstance(value, dict) and value else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return found + [table for part in parts for table in tables_in(part)]


def spoiled(value: Any, generator: random.Random) -> Any:
    """Numbers times a factor, also in lists; other values by one of another kind."""
    if isinstance(value, list) and value and not isinstance(value[0], dict):
        return [spoiled(part, generator) for part in value]
    if isinstance(value, float):
        return value * generator.choice(FACTORS)
    if isinstance(value, int) and not isinstance(value, bool):
        return value + generator.choice((-1, 1, 2, 3, 100))
    return generator.choice(OTHER_KINDS)


def damaged(table: dict[str, Any], generator: random.Random) -> dict[str, Any]:
    """A copy with one to three values changed, dropped or replaced by something of another kind."""
    made = copy.deepcopy(table)
    for _ in range(generator.randint(1, 3)):
        where = generator.choice(tables_in(made))
        key = generator.choice(list(where))
        how = generator.random()
        if how < 0.1:
            del where[key]
        elif how < 0.2:
            where[key] = copy.deepcopy(generator.choice(OTHER_KINDS))
        else:
            where[key] = spoiled(where[key], generator)
    return made


def end_of(table: dict[str, Any]) -> str:
    """How a damaged file ends: refused, or the label of its outcome."""
    began = time.process_time()
    try:
        result = hp.simulate(parse_checked(table, "damaged"))
    except HaptosError as error:
        found = error
    else:
        found = None
        assert isinstance(result.outcome, Outcome)
        assert result.answer
    assert time.process_time() - began < SLOWEST, table
    if found is None:
        return result.outcome.label
    parts = (found.where, found.found, found.allowed, found.hint)
    return "refused" if all(parts) else f"refused without words: {found}"


def quick(name: str) -> dict[str, Any]:
    """A preset made coarse, so that many runs of it take minutes."""
    table = parse_toml(preset_text(name), name)
    for part, values in PRESETS[name].items():
        table[part] = {**table.get(part, {}), **values}
    return table


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_damages_are_refused_or_end_with_a_named_outcome(name):
    table = quick(name)
    assert end_of(table) in ("completed", "settled", "time over")  # it touches, and is trusted
    ends = [end_of(damaged(table, random.Random(number))) for number in range(COUNT)]
    assert not [end for end in ends if end.startswith("refused without words")]
    assert 20 < ends.count("refused") < COUNT - 20
    assert len(set(ends)) >= 3
