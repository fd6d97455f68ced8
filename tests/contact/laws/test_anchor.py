"""What holds a rod: capacities, ellipse, slip, pull-out, the requirement of 450 N."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from haptos.contact.laws.anchor import Anchor, anchor, hold, lateral_capacity, pull, pushed_in
from haptos.contact.laws.penetration import SoilLayer, cohesion_factor, rod
from haptos.dynamics.rigid.oblique_entry import oblique_entry
from tests.close import assert_close

THIRTY = math.radians(30.0)
ROD = rod(9.5e-3, THIRTY, 0.45 - 9.5e-3 / math.tan(THIRTY))


def ground(strength: float) -> list[SoilLayer]:
    return [SoilLayer(strength, 1200.0, math.radians(35.0))]


@pytest.mark.parametrize(("strength", "depth", "expected"), [(1e7, 0.413, 4.73e3), (1e6, 2.0, 0.52e3), (1e5, 2.0, 52.0)])  # fmt: skip
def test_grip_alone_holds_the_expected_load(strength, depth, expected):
    found = anchor(ROD, ground(strength), depth, barb_area=0.0).axial
    assert_close(found, expected, rtol=1e-2)


def test_barbs_add_the_strength_of_the_soil_over_their_area():
    bare, barbed = (anchor(ROD, ground(1e6), 0.4, barb_area=area).axial for area in (0.0, 2e-4))
    assert_close(barbed - bare, 1e6 * 2e-4, rtol=1e-9)


def test_uniform_soil_turns_the_rod_about_a_fixed_share_of_its_depth():
    """Far below the surface p_u = 9 c, and Q_l = (sqrt 2 - 1) 9 c 2 R L of the buried length L."""
    found = lateral_capacity(ROD, ground(1e6), 3.0)
    c = 1e6 / cohesion_factor(math.radians(35.0))
    assert_close(found, (math.sqrt(2.0) - 1.0) * 9.0 * c * 2.0 * 9.5e-3 * 0.45, rtol=1e-9)


def test_layers_of_one_soil_are_one_soil():
    two = [*ground(1e6), SoilLayer(1e6, 1200.0, math.radians(35.0), top=0.2)]
    one = anchor(ROD, ground(1e6), 0.35, gravity=9.81)
    other = anchor(ROD, two, 0.35, gravity=9.81)
    assert_close((other.axial, other.lateral, other.inward), (one.axial, one.lateral, one.inward), rtol=1e-7)  # fmt: skip


@pytest.mark.parametrize("incidence", [0.0, 30.0, 45.0, 60.0])
def test_the_requirement_of_450_newtons_is_met_in_every_direction(incidence):
    entry = oblique_entry(1.0, 150.0, ROD, ground(1e7), incidence=math.radians(incidence))
    length = entry.last_depth / math.cos(math.radians(incidence))
    held = anchor(ROD, ground(1e7), length)
    assert min(held.capacity(math.radians(angle)) for angle in range(181)) > 450.0
    assert held.margin() > 0.0


def test_softer_ground_misses_the_requirement():
    assert anchor(ROD, ground(1e5), 0.45).margin() < 0.0


def test_a_slanted_rod_meets_layers_and_weight_by_depth():
    """60 deg off: 0.3 m of rod are 0.15 m deep, above a layer at 0.2 m; below it capacity is that of layers twice as thick."""
    soft, hard = ground(1e5)[0], SoilLayer(1e7, 1200.0, math.radians(35.0), top=0.2)
    tilt = math.radians(60.0)
    assert_close(anchor(ROD, [soft, hard], 0.3, tilt=tilt).axial, anchor(ROD, [soft], 0.3).axial, rtol=1e-12)  # fmt: skip
    thick = replace(hard, top=0.4)
    slanted, straight = anchor(ROD, [soft, hard], 0.44, tilt=tilt, gravity=9.81), anchor(ROD, [soft, thick], 0.44, gravity=9.81 / 2.0)  # fmt: skip
    assert_close((slanted.axial, slanted.inward), (straight.axial, straight.inward), rtol=1e-9)
    assert slanted.lateral < straight.lateral  # nearer to the surface


def test_adhesion_adds_to_the_hold_along_the_axis_alone():
    bare, sticky = (anchor(ROD, ground(1e5), 0.3, adhesion=force) for force in (0.0, 20.0))
    assert_close(sticky.axial - bare.axial, 20.0, rtol=1e-12)
    assert (sticky.lateral, sticky.inward) == (bare.lateral, bare.inward)


def test_a_push_drives_the_rod_on_to_the_depth_of_the_closed_form():
    """sigma (pi R^2 (1 + mu cot th) + mu 2 pi R s) = F with a covered cone and s of shaft in the ground."""
    sigma, mu, force = 1e5, 0.2, 250.0
    found = pushed_in(ROD, ground(sigma), 0.1, force)
    cone = sigma * math.pi * 9.5e-3**2 * (1.0 + mu / math.tan(THIRTY))
    line = sigma * mu * 2.0 * math.pi * 9.5e-3
    way = (force - cone) / line + ROD.cone_height - 0.1
    assert 0.05 < way < 0.3
    assert_close((found.way, found.depth), (way, 0.1 + way), rtol=1e-10)
    assert_close((found.strength, found.friction), (cone * way, line * way * (0.1 - ROD.cone_height + 0.5 * way)), rtol=1e-10)  # fmt: skip
    assert anchor(ROD, ground(sigma), found.depth).inward == pytest.approx(force, rel=1e-10)


def test_a_push_breaks_through_a_crust_and_stops_on_what_is_harder():
    soft, crust, below, ice = (SoilLayer(s, 1200.0, math.radians(35.0), top=top) for s, top in ((1e4, 0.0), (1e5, 0.2), (1e4, 0.21), (1e7, 2.0)))  # fmt: skip
    bare = rod(9.5e-3, THIRTY, 0.4, chi=0.0)  # the hole stays open: nothing rubs on the shaft
    peak = max(anchor(bare, [soft, crust, below, ice], d).inward for d in np.linspace(0.2, 0.3, 2001).tolist())  # fmt: skip
    stopped, through = (pushed_in(bare, [soft, crust, below, ice], 0.1, share * peak) for share in (0.99, 1.01))  # fmt: skip
    assert stopped.depth < 0.24 < 2.0 < through.depth < 2.02
    felt = np.array([anchor(bare, [soft, crust, below, ice], d).inward for d in np.linspace(0.1, through.depth, 20_001).tolist()])  # fmt: skip
    work = np.trapezoid(felt, np.linspace(0.1, through.depth, 20_001))
    assert_close(through.strength + through.friction + through.overburden, float(work), rtol=1e-5)


def test_a_push_that_nothing_stops_goes_as_deep_as_it_may():
    found = pushed_in(ROD, ground(1e3), 0.1, 1e3, deepest=50.0)
    assert not found.is_held
    assert found.depth == 50.0
    assert pushed_in(
        ROD, ground(1e3), 0.1, 1e3, gravity=9.81, deepest=50.0
    ).is_held  # what lies above does
    assert pushed_in(ROD, ground(1e7), 0.1, 1.0).way == 0.0


def test_capacity_follows_the_ellipse():
    held = Anchor(300.0, 500.0, 2000.0, 0.4)
    assert_close(held.capacity(0.0), 300.0, rtol=1e-12)
    assert_close(held.capacity(math.pi / 2), 500.0, rtol=1e-12)
    assert_close(held.capacity(math.pi), 2000.0, rtol=1e-12)
    at = held.capacity(0.6)
    assert_close((at * math.cos(0.6) / 300.0) ** 2 + (at * math.sin(0.6) / 500.0) ** 2, 1.0, rtol=1e-12)  # fmt: skip
    assert Anchor(0.0, 0.0, 0.0, 0.0).capacity(0.3) == 0.0


def test_it_slips_at_capacity_and_comes_out():
    held = Anchor(300.0, 500.0, 2000.0, 0.4)
    small, large = pull(held, 0.3, 1e-4), pull(held, 0.3, 0.6)
    assert small.dissipated == 0.0
    assert not small.is_out
    assert large.is_out
    assert_close(large.peak, held.capacity(0.3), rtol=1e-9)
    assert_close(large.worked, large.dissipated + large.stored, rtol=1e-9)


def test_a_hold_within_the_ellipse_is_elastic():
    f_a, f_l, slip_a, slip_l = hold(300.0, 500.0, 2000.0, 1e6, 1e-4, 2e-4, 0.0, 0.0)
    assert_close((f_a, f_l), (100.0, 200.0), rtol=1e-12)
    assert (slip_a, slip_l) == (0.0, 0.0)
