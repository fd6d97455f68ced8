"""Parameters are reported with their meaning, and given ones are distinguished from usual ones."""

from __future__ import annotations

from typing import Any

import pytest

import haptos as hp
from haptos.core.units import split_unit
from haptos.scenarios.files import preset_names
from haptos.scenarios.parameters import parameters
from haptos.scenarios.registry import scenario, scenarios


def test_given_and_usual_keys_are_told_apart() -> None:
    found = {one.key: one for one in parameters(hp.default("lander").as_table())}
    assert not found["contact.friction"].is_usual
    assert found["contact.friction"].value == 0.5
    assert found["run.ledger_bound"].is_usual


@pytest.mark.parametrize("name", preset_names())
def test_every_key_of_every_scenario_has_a_meaning(name: str) -> None:
    found = parameters(hp.default(name).as_table())
    assert len(found) > 10
    assert all(one.meaning for one in found)
    described = [one for one in found if " " in one.meaning]
    assert len(described) > len(found) // 2  # not only the words of the key


def test_an_unknown_scenario_has_none() -> None:
    assert parameters({"scenario": "cooking"}) == []


def test_the_unit_at_the_end_of_every_key_is_known() -> None:
    """Of `a_per_b` the unit is never that of b alone, and the name keeps none of it."""
    asked = {one for kind in scenarios() for one in keys(model(kind).model_json_schema())}
    for key in sorted(one for one in asked if "_per_" in one or "_N_" in one):
        if key == "nodes_per_link":
            continue  # a plain number
        name, unit = split_unit(key)
        assert unit != "-", key
        assert "/" in unit or "_per_" not in key, (key, unit)
        assert not name.endswith(("_N", "_s", "_m", "_per")), (key, name)


def model(kind: str) -> Any:
    return scenario(kind).config_model


def keys(schema: Any) -> set[str]:
    """Names of all properties anywhere in a JSON schema."""
    if isinstance(schema, list):
        return {one for item in schema for one in keys(item)}
    if not isinstance(schema, dict):
        return set()
    found = {one for item in schema.values() for one in keys(item)}
    return found | set(schema.get("properties", {}))
