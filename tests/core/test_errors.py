"""Messages have four parts and survive the way home from a worker."""

from __future__ import annotations

import copy
import pickle

import pytest

from haptos.core.errors import ConfigError, GeometryError, HaptosError, StorageError


def test_the_message_has_where_found_allowed_and_try_in_this_order() -> None:
    error = HaptosError("lander.toml [probe]", "mass_kg = -1", "a number > 0", "give kilograms")
    assert str(error) == (
        "lander.toml [probe]: found mass_kg = -1\n  allowed: a number > 0\n  try: give kilograms"
    )


def test_a_refusal_that_does_not_say_what_to_try_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="hint"):
        HaptosError("here", "this", "that")  # type: ignore[call-arg]


@pytest.mark.parametrize("kind", [HaptosError, ConfigError, GeometryError, StorageError])
@pytest.mark.parametrize("travel", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy])
def test_an_error_that_travelled_is_the_same(kind, travel) -> None:  # type: ignore[no-untyped-def]
    error = kind("where", "found", "allowed", "hint")
    back = travel(error)
    assert type(back) is kind
    assert str(back) == str(error)
    assert (back.where, back.found, back.allowed, back.hint) == (
        "where",
        "found",
        "allowed",
        "hint",
    )


def test_every_error_can_be_caught_as_haptos_error_and_as_value_error() -> None:
    for kind in (ConfigError, GeometryError, StorageError):
        assert issubclass(kind, HaptosError)
        assert issubclass(kind, ValueError)


def test_an_unknown_key_is_told_the_nearest_known_one() -> None:
    error = ConfigError.unknown_key("a.toml [release]", "velocity", ["velocity_m_per_s", "frame"])
    assert error.found == "unknown key 'velocity'"
    assert error.allowed == "frame, velocity_m_per_s"
    assert error.hint == "rename to 'velocity_m_per_s'"


def test_an_unknown_key_like_no_other_is_not_given_a_wrong_guess() -> None:
    error = ConfigError.unknown_key("a.toml", "zzzz", ["frame"])
    assert "rename" not in error.hint


def test_an_unknown_key_where_none_is_known_says_so() -> None:
    assert ConfigError.unknown_key("a.toml", "x", []).allowed == "no keys here"
