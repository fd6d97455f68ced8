"""Oblique entry: depths of the table, convergence with elements, ricochet, broadside, energy."""

from __future__ import annotations

import math

import pytest

from haptos.contact.laws.penetration import SoilLayer, rod
from haptos.core.errors import ConfigError
from haptos.dynamics.rigid.axial_entry import axial_entry
from haptos.dynamics.rigid.oblique_entry import BROADSIDE, RICOCHET, STUCK, oblique_entry
from tests.close import assert_close

THIRTY = math.radians(30.0)
ROD = rod(9.5e-3, THIRTY, 0.45 - 9.5e-3 / math.tan(THIRTY))
ENERGY = 11250.0  # [J] of 1 kg at 150 m/s


def st4(strength, incidence, attack=0.0, density=1200.0, **options):
    layer = SoilLayer(strength, density, math.radians(35.0))
    angles = {"incidence": math.radians(incidence), "attack": math.radians(attack)}
    return oblique_entry(1.0, 150.0, ROD, [layer], **angles, **options)


@pytest.mark.parametrize(
    ("strength", "incidence", "depth"),
    [(1e7, 0, 0.413), (1e7, 15, 0.404), (1e7, 30, 0.368), (1e7, 45, 0.307), (1e7, 60, 0.224), (1e7, 70, 0.159),
     (1e7, 80, 0.086), (1e6, 0, 2.00), (1e6, 45, 1.42), (1e6, 80, 0.35)],
)  # fmt: skip
def test_depths_are_those_of_the_table(strength, incidence, depth):
    found = st4(strength, incidence)
    assert found.ended == STUCK
    assert_close(found.depth, depth, rtol=1e-2)
    assert math.degrees(found.turned) < 1.0
    assert abs(found.remainder) < 1e-6 * ENERGY


@pytest.mark.parametrize("strength", [1e6, 1e7])
def test_straight_down_it_is_the_axial_law(strength):
    axial = axial_entry(1.0, 150.0, ROD, [SoilLayer(strength, 1200.0, math.radians(35.0))])
    assert_close(st4(strength, 0).depth, axial.depth, rtol=1e-4)
    spoiled = axial_entry(1.0, 150.0, ROD, [SoilLayer(1.01 * strength, 1200.0, 0.61)])
    with pytest.raises(AssertionError):
        assert_close(spoiled.depth, axial.depth, rtol=1e-4)


@pytest.mark.parametrize(("attack", "depth"), [(3.0, 0.281), (-3.0, 0.349)])
def test_an_angle_of_attack_grows(attack, depth):
    found = st4(1e7, 45, attack)
    assert_close(found.depth, depth, rtol=1e-2)
    assert 2.5 < math.degrees(found.turned) < 3.5


def test_depth_converges_with_elements():
    coarse, middle, fine = (st4(1e7, 45, elements=n).depth for n in ((12, 8), (24, 16), (48, 32)))
    assert abs(fine - middle) < abs(middle - coarse)
    assert abs(fine - middle) < 2e-3 * fine


def test_rock_turns_it_away_at_a_grazing_angle():
    found = st4(1e8, 80, density=2500.0)
    assert found.ended == RICOCHET
    assert_close(found.speed, 122.0, rtol=1e-2)
    assert abs(found.remainder) < 1e-6 * ENERGY


def test_the_boundary_of_ricochet_in_rock():
    """Between 70 and 75 deg the rod stops sticking; steeper it sticks, flatter it leaves faster."""
    ends = [st4(1e8, incidence, density=2500.0, elements=(12, 8)) for incidence in (60, 78, 84)]
    assert [one.ended for one in ends] == [STUCK, RICOCHET, RICOCHET]
    assert ends[2].speed > ends[1].speed


def test_at_85_degrees_it_turns_broadside():
    assert st4(1e7, 85).ended == BROADSIDE


def test_steps_do_not_decide_the_depth():
    assert_close(st4(1e7, 60, tolerance=1e-9).depth, st4(1e7, 60).depth, rtol=1e-6)


def test_impossible_entries_are_refused():
    with pytest.raises(ConfigError, match="entry"):
        st4(1e7, 90)
