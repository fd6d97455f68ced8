"""Nets by name: counts, places, order of the mouth, reinforced threads, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_mesh import DEEP, KINDS, mesh_width, net_mesh
from haptos.geometry.nets.net_topology import REINFORCED
from tests.close import assert_close


def made(kind, strings=None, rings=None, width=2.0, height=2.0, **more):
    grid = kind in ("planar-a", "planar-c")
    depth = {"depth": 2.0} if kind in DEEP else {}
    strings = (11 if grid else 16) if strings is None else strings
    rings = (11 if grid else 5) if rings is None else rings
    numbers = (strings, rings)
    return net_mesh(kind, width, height, *numbers, **(depth | more))


def test_two_metres_at_one_fifth_make_121_knots_and_220_links():
    net = made("planar-a")
    assert (net.knot_count, net.link_count) == (121, 220)
    assert_close(net.lengths, np.full(220, 0.2), rtol=1e-14)
    assert_close(mesh_width(net), 0.2, rtol=1e-14)
    assert_close(net.knots[net.tether_knot], np.zeros(3), rtol=1e-15, scale=1.0)


odd = st.integers(1, 12).map(lambda number: 2 * number + 1)
powers = st.integers(2, 6).map(lambda number: 2**number)


@given(odd, odd)
@settings(max_examples=20)
def test_grids_have_the_knots_and_links_of_their_formulas(strings, rings):
    net = made("planar-a", strings, rings, 3.0, 2.0)
    assert net.knot_count == strings * rings
    assert net.link_count == strings * (rings - 1) + rings * (strings - 1)
    cells = made("planar-c", strings, rings, diagonals="every-cell")
    assert cells.link_count == net.link_count + (strings - 1) * (rings - 1)
    square = made("planar-c", strings, strings)
    assert square.link_count == 2 * strings * (strings - 1) + 2 * (strings - 1)


@given(st.sampled_from(["planar-b", "pyramidal", "conical"]), powers, st.integers(1, 9))
@settings(max_examples=20)
def test_radial_nets_have_the_knots_and_links_of_their_formulas(kind, strings, rings):
    net = made(kind, strings, rings)
    assert (net.knot_count, net.link_count) == (1 + strings * rings, 2 * strings * rings)
    assert net.tether_knot == 0
    assert len(net.mouth_knots) == strings


@pytest.mark.parametrize("kind", KINDS)
def test_mouth_turns_once_about_the_shooting_direction_from_the_first_corner(kind):
    net = made(kind, width=3.0)
    rim = net.knots[net.mouth_knots]
    angle = np.unwrap(np.arctan2(rim[:, 2], rim[:, 1]))
    assert (np.diff(angle) > 0.0).all()
    assert angle[-1] - angle[0] < 2.0 * math.pi
    assert net.mouth_knots[0] == net.corner_knots[0]
    linked = {frozenset(pair) for pair in net.links.tolist()}
    ring = zip(net.mouth_knots, np.roll(net.mouth_knots, -1), strict=True)
    assert all(frozenset((int(a), int(b))) in linked for a, b in ring)
    places = [net.mouth_knots.tolist().index(knot) for knot in net.corner_knots]
    assert places == [0, *(quarter * len(rim) // 4 for quarter in (1, 2, 3))]


@pytest.mark.parametrize("kind", ["planar-a", "planar-b", "planar-c", "pyramidal"])
def test_corners_and_sides_lie_on_the_rectangle(kind):
    net = made(kind, width=3.0, height=2.0)
    corners, sides = net.knots[net.corner_knots][:, 1:], net.knots[net.side_knots][:, 1:]
    signs = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    assert_close(corners, signs * [1.5, 1.0], rtol=1e-14)
    ahead = np.array([[0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]])
    assert_close(sides, ahead * [1.5, 1.0], rtol=1e-14)


def test_rings_of_a_pyramid_are_squares_that_grow_with_depth():
    net = made("pyramidal", 16, 5)
    across = np.abs(net.knots[1:, 1:]).max(axis=1)
    assert_close(across, net.knots[1:, 0] / 2.0, rtol=1e-14)
    assert_close(net.extent, [2.0, 2.0, 2.0], rtol=1e-14)


def test_rings_of_a_cone_are_circles_that_grow_with_depth():
    net = made("conical", 32, 5)
    across = np.linalg.norm(net.knots[1:, 1:], axis=1)
    assert_close(across, net.knots[1:, 0] / 2.0, rtol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_reinforced_threads_hold_mouth_and_carry_every_corner_to_the_tether(kind):
    net = made(kind)
    strong = net.links[net.link_class == REINFORCED]
    reached = {net.tether_knot}
    for _ in range(net.knot_count):
        more = {int(b) for pair in strong.tolist() for a, b in (pair, pair[::-1]) if a in reached}
        if more <= reached:
            break
        reached |= more
    assert set(net.mouth_knots.tolist()) <= reached


def test_numbers_of_reinforced_links():
    assert np.count_nonzero(made("planar-a").link_class) == 40 + 20
    assert np.count_nonzero(made("planar-c").link_class) == 40 + 20 + 20
    assert np.count_nonzero(made("planar-c", diagonals="every-cell").link_class) == 80
    assert np.count_nonzero(made("planar-b").link_class) == 16 + 4 * 5
    assert np.count_nonzero(made("conical").link_class) == 16 + 4 * 5


def test_four_strings_have_no_sides():
    assert len(made("planar-b", 4, 3).side_knots) == 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"strings": 10}, "strings = 9 or 11"),
        ({"rings": 4}, "rings = 3 or 5"),
        ({"strings": 1}, "strings = 3"),
        ({"strings": 3.0}, "whole number"),
        ({"strings": True}, "whole number"),
        ({"width": 0.0}, "width"),
        ({"height": math.nan}, "height"),
        ({"depth": 1.0}, "flat"),
        ({"strings": 20001, "rings": 20001}, "at most"),
    ],
)
def test_impossible_grids_are_refused(wrong, says):
    with pytest.raises(GeometryError, match=says):
        made("planar-a", **wrong)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"strings": 12}, "strings = 8 or 16"), ({"strings": 2}, "4 or more"),
        ({"rings": 0}, "rings = 1"), ({"depth": 0.0}, "depth"), ({"depth": -1.0}, "depth"),
    ],
)  # fmt: skip
def test_impossible_pyramids_are_refused(wrong, says):
    with pytest.raises(GeometryError, match=says):
        made("pyramidal", **wrong)


def test_unknown_words_are_answered_with_the_nearest():
    with pytest.raises(GeometryError, match="did you mean 'planar-a'"):
        made("planar_a")
    with pytest.raises(GeometryError, match="did you mean 'every-cell'"):
        made("planar-c", diagonals="every_cell")
    with pytest.raises(GeometryError, match="as many strings as rings"):
        made("planar-c", strings=11, rings=9)


def test_check_has_teeth():
    with pytest.raises(AssertionError):
        assert_close(mesh_width(made("planar-a", width=2.02)), 0.2, rtol=1e-3)
