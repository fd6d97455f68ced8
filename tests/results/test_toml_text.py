"""TOML text reads back to what was written."""

from __future__ import annotations

import math
import tomllib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from haptos.core.errors import HaptosError
from haptos.results.toml_text import toml_text
from haptos.scenarios.files import default, parse
from tests.results.hop import hop_config

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
scalars = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), text
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(text, values, max_size=5))
@example({"": "", "a.b": {"c d": {}}, "e": [[], [{"f": -0.0}], {}]})
@example({"a": {"b": {"c": 1}}, "line": "first\r\nsecond\x00\x7f\\\"'"})
@example({"tiny": 5e-324, "large": 1.7976931348623157e308, "third": 1 / 3, "inf": -math.inf})
def test_any_mapping_reads_back_the_same_to_the_last_bit(config: dict[str, Any]) -> None:
    assert repr(tomllib.loads(toml_text(config))) == repr(_values_first(config))


def _values_first(table: dict[str, Any]) -> dict[str, Any]:
    """The same mapping in the order in which TOML must tell it: values before tables."""
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    return plain | {k: _values_first(v) for k, v in table.items() if isinstance(v, dict)}


def test_nan_reads_back_as_nan() -> None:
    assert math.isnan(tomllib.loads(toml_text({"a": math.nan}))["a"])


def test_tables_are_written_as_tables() -> None:
    assert toml_text({"a": 1, "t": {"x_m": [1.0, 2.5], "u": {"k": "v"}}}) == (
        'a = 1\n\n[t]\nx_m = [1.0, 2.5]\n\n[t.u]\nk = "v"\n'
    )


def test_tuples_are_lists() -> None:
    assert tomllib.loads(toml_text({"a": (1.0, (2.0,))})) == {"a": [1.0, [2.0]]}


def test_a_scenario_reads_back_to_an_equal_configuration() -> None:
    written = default("lander")
    again = parse(tomllib.loads(toml_text(written.as_table())), "again.toml")
    assert again == written


def test_the_made_up_hop_is_a_valid_scenario() -> None:
    assert parse(tomllib.loads(toml_text(hop_config())), "hop.toml").name == "hop on a plane"


@pytest.mark.parametrize("odd", [None, 1j, object(), {1: 2}, "\ud800", [None]])
def test_what_toml_cannot_hold_is_refused_with_its_place(odd: object) -> None:
    with pytest.raises(HaptosError) as caught:
        toml_text({"run": {"odd": odd}})
    assert caught.value.where == "configuration [run.odd]"
