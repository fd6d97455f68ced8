"""Refusals of wrong types and lengths, in words that a file's author can act on."""

from __future__ import annotations

import pytest

import haptos as hp
from haptos.core.errors import ConfigError


@pytest.mark.parametrize(
    ("changes", "found", "allowed"),
    [
        ({"probe": {"mass_kg": "five"}}, "mass_kg = 'five'", "a number"),
        ({"probe": 3}, "probe = 3", "a table"),
        ({"seed": 1.5}, "seed = 1.5", "a whole number"),
        ({"name": 3}, "name = 3", 'text in quotes, as "this"'),
        ({"release": {"position_m": 3.0}}, "position_m = 3.0", "a list in square brackets"),
        ({"release": {"position_m": [0.0, 0.0]}}, "position_m with 2 values", "3 values"),
        ({"release": {"position_m": [0.0] * 4}}, "position_m with 4 values", "3 values"),
    ],
)
def test_a_wrong_type_is_refused_in_words_of_the_file(changes, found, allowed):
    with pytest.raises(ConfigError) as refused:
        hp.default("lander", changes)
    assert (refused.value.found, refused.value.allowed) == (found, allowed)


def test_an_unknown_key_is_renamed_to_the_one_that_is_missing():
    changes = {"probe": {"shape": "box", "edges_m": [0.3, 0.3, 0.2], "mass_kg": 10.0}}
    with pytest.raises(ConfigError) as refused:
        hp.default("lander", changes)
    assert refused.value.hint.startswith("rename to 'size_m', which is missing here")


def test_a_key_of_another_kind_of_the_table_is_no_hint():
    changes = {"probe": {"shape": "box", "size_m": [0.3] * 3, "edges_m": 1.0, "mass_kg": 10.0}}
    with pytest.raises(ConfigError) as refused:
        hp.default("lander", changes)
    assert "edge_m" not in refused.value.hint


@pytest.mark.parametrize(
    ("scenario", "changes", "hint"),
    [
        ("foundation", {"contact": {"poisson": 0.3}}, "'poisson' in [[contact.layers]], which has"),
        ("net", {"target": {"size_m": [1.0] * 3}}, "'size_m' in [[target.boxes]], which has"),
        ("tether", {"first_body": {}}, "rename to 'first'"),
        ("tether", {"line": {"length": 3.0}}, "rename to 'length_m' and give the value in that"),
    ],
)
def test_an_unknown_key_is_found_where_it_belongs(scenario, changes, hint):
    with pytest.raises(ConfigError) as refused:
        hp.default(scenario, changes)
    assert refused.value.hint.startswith(hint)
    assert ("that unit" in refused.value.hint) == ("that" in hint)


def test_a_refusal_of_many_keys_names_the_command_that_lists_them():
    with pytest.raises(ConfigError, match="haptos schema tether"):
        hp.default("tether", {"first_body": {}})


@pytest.mark.parametrize(
    ("scenario", "table", "key"),
    [
        ("net", "threads", "material"),
        ("tether", "line", "material"),
        ("slingshot", "tether", "material"),
        ("harpoon", "ground", "soil"),
    ],
)
def test_a_material_that_is_not_in_its_table_is_refused_at_its_key(scenario, table, key):
    with pytest.raises(ConfigError) as refused:
        hp.default(scenario, {table: {key: "cheese"}})
    assert refused.value.where.endswith(f"[{table}.{key}]")
    assert refused.value.found == "'cheese'"
    assert "ThreadMaterial" not in refused.value.hint


@pytest.mark.parametrize(
    ("changes", "allowed", "hint"),
    [
        ({"contact": {"friction": -1.0}}, "0 or more", "another value (Coulomb coefficient"),
        ({"run": {"duration_s": 0.0}}, "above 0", "another value (time allowed)"),
        ({"seed": -1}, "0 or more", "seed = 0, the default"),
        ({"settle": {"balance": 3}}, "true or false", "balance = true, the default ("),
    ],
)
def test_a_value_out_of_range_is_refused_with_its_range_and_its_default(changes, allowed, hint):
    with pytest.raises(ConfigError) as refused:
        hp.default("lander", changes)
    assert refused.value.allowed == allowed
    assert refused.value.hint.startswith(hint)
