"""Parameters are told with their meaning, and given ones are told apart from usual ones."""

from __future__ import annotations

import pytest

import haptos as hp
from haptos.scenarios.files import preset_names
from haptos.scenarios.parameters import parameters


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
