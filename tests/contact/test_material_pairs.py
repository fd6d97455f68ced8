"""Contact numbers of a pair: looked up or combined, and refused if nobody gave them."""

from __future__ import annotations

import dataclasses
import math

import pytest

from haptos.contact.hertz import contact_modulus, sphere_plane_stiffness
from haptos.contact.material_pairs import (
    ContactNumbers,
    PairTable,
    empirical_damping,
    series_pair,
)
from haptos.core.errors import ConfigError
from tests.close import assert_close

NET = ContactNumbers(1e6, 2e5, 0.2, 1e-4)
PANEL = ContactNumbers(3e6, 6e5, 0.4, 3e-4, friction_at_rest=0.6)
MEASURED = ContactNumbers(5e5, 1e5, 0.33)


def test_series_adds_compliances_and_means_the_rest():
    pair = series_pair(NET, PANEL)
    assert_close(pair.stiffness, 7.5e5, rtol=1e-15)
    assert_close(pair.damping, 1.5e5, rtol=1e-15)
    assert_close([pair.friction, pair.v_eps, pair.holding], [0.3, 2e-4, 0.4], rtol=1e-15)
    assert_close(pair.factor, 0.2, rtol=1e-15)
    assert series_pair(PANEL, NET) == pair


def test_series_stiffness_is_that_of_hertz_for_one_radius():
    """k of each surface against a rigid one, in series, is k of the two against each other."""
    steel, aluminium, radius = (2.1e11, 0.3), (7e10, 0.33), 0.003
    rigid = (math.inf, 0.0)
    each = [
        ContactNumbers(sphere_plane_stiffness(contact_modulus(*one, *rigid), radius), 0.0, 0.1)
        for one in (steel, aluminium)
    ]
    whole = sphere_plane_stiffness(contact_modulus(*steel, *aluminium), radius)
    assert_close(series_pair(*each).stiffness, whole, rtol=1e-14)


def test_damping_of_the_empirical_restitution_is_three_halves_alpha_k():
    assert_close(empirical_damping(1e9, 0.08), 1.2e8, rtol=1e-15)
    with pytest.raises(ConfigError, match="alpha"):
        empirical_damping(1e9, -0.08)


def test_a_table_is_read_in_either_order_and_beats_the_series():
    table = PairTable({("net", "panel"): MEASURED}, {"net": NET, "panel": PANEL})
    assert table.numbers("net", "panel") is table.numbers("panel", "net") is MEASURED
    assert table.numbers("net", "net") == series_pair(NET, NET)
    assert table.names == ["net", "panel"]


def test_undamped_surfaces_give_an_undamped_pair():
    bare = ContactNumbers(1e6, 0.0, 0.2)
    assert series_pair(bare, bare).damping == 0.0


def test_unknown_pairs_and_surfaces_are_refused_with_the_nearest_name():
    table = PairTable({("net", "panel"): MEASURED})
    with pytest.raises(ConfigError, match="no numbers for 'net' on 'net'"):
        table.numbers("net", "net")
    with pytest.raises(ConfigError, match="use 'panel'"):
        table.numbers("net", "pannel")


def test_a_pair_given_twice_with_different_numbers_is_refused():
    with pytest.raises(ConfigError, match="twice"):
        PairTable({("net", "panel"): MEASURED, ("panel", "net"): NET})


@pytest.mark.parametrize(
    "wrong",
    [
        {"stiffness": 0.0}, {"stiffness": math.inf}, {"damping": -1.0}, {"friction": -0.1},
        {"v_eps": 0.0}, {"friction_at_rest": 0.1}, {"friction": math.nan},
    ],
)  # fmt: skip
def test_impossible_numbers_are_refused(wrong):
    given = {"stiffness": 1e6, "damping": 1e5, "friction": 0.2}
    with pytest.raises(ConfigError, match="contact numbers"):
        ContactNumbers(**(given | wrong))


def test_check_has_teeth():
    spoiled = dataclasses.replace(NET, stiffness=1.01 * NET.stiffness)
    with pytest.raises(AssertionError):
        assert_close(series_pair(spoiled, PANEL).stiffness, 7.5e5, rtol=1e-15)
