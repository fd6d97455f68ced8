"""Foldings: inside the canister, free of stress, held where they are held."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_folding import Canister, folded, require_unstretched, stretch
from haptos.geometry.nets.net_mesh import DEEP, KINDS, net_mesh
from haptos.geometry.nets.net_nodes import net_nodes

BOX = Canister(0.3, 0.2, 0.25)
CORNERS = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])


@functools.cache
def made(kind, size=2.0, nodes=1, strings=None):
    numbers = (strings or 7, strings or 7) if kind in ("planar-a", "planar-c") else (8, 4)
    depth = {"depth": 1.5 * size} if kind in DEEP else {}
    return net_nodes(net_mesh(kind, size, size, *numbers, **depth), nodes, (1e-3, 1e-3, 1e-3))


def fold(net, canister=BOX, **more):
    return folded(net.positions, net.elements, net.lengths, canister, **more)


def inside(points, canister=BOX):
    half = np.array([0.5 * canister.depth, 0.5 * canister.width, 0.5 * canister.height])
    centred = points + np.array([half[0], 0.0, 0.0])
    return bool((np.abs(centred) <= half * (1.0 + 1e-12)).all())


lengths = st.floats(0.05, 3.0)


@given(
    st.sampled_from(KINDS), st.floats(0.1, 5.0), st.integers(0, 2), lengths, lengths, lengths,
    st.floats(0.0, 1.0), st.integers(0, 100),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_no_element_is_longer_than_natural_and_all_lie_in_the_canister(
    kind, size, nodes, depth, width, height, share, seed
):
    net, canister = made(kind, size, nodes), Canister(depth, width, height)
    points = fold(net, canister, random_share=share, seed=seed)
    assert (stretch(points, net.elements, net.lengths) <= 1.0).all()
    assert inside(points, canister)


@given(st.sampled_from(KINDS), st.floats(0.0, 1.0), st.floats(0.0, 0.3), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_held_knots_stay_and_the_rest_follows_without_stress(kind, share, beside, seed):
    net = made(kind)
    places = np.column_stack([np.full(4, 0.02), CORNERS * (0.1 + beside)])
    points = fold(
        net, random_share=share, seed=seed, held=net.bullet_knots, held_points=places
    )  # fmt: skip
    np.testing.assert_array_equal(points[net.bullet_knots], places)
    assert (stretch(points, net.elements, net.lengths) <= 1.0).all()


def test_bullets_on_links_are_held_at_their_connection_points():
    mesh = net_mesh("planar-a", 2.0, 2.0, 11, 11)
    net = net_nodes(mesh, 1, (1e-3, 1e-3, 1e-3), bullet_link_length=0.2)
    whole = np.concatenate([net.positions, net.bullet_points])
    held = net.node_count + np.arange(4)
    places = np.column_stack([np.zeros(4), 0.15 * CORNERS])
    points = folded(
        whole, net.elements, net.lengths, BOX, random_share=1.0, held=held, held_points=places
    )
    np.testing.assert_array_equal(points[held], places)
    require_unstretched("net", points, net.elements, net.lengths)


@pytest.mark.parametrize("kind", KINDS)
def test_regular_folding_has_its_tether_knot_deepest_and_its_mouth_at_the_opening(kind):
    net = made(kind)
    points = fold(net)
    assert points[net.tether_knot, 0] == points[:, 0].min() < 0.0
    assert np.abs(points[net.bullet_knots, 0]).max() < 1e-15


def test_regular_folding_of_a_flat_net_fills_the_canister():
    points = fold(made("planar-a"))
    np.testing.assert_allclose(np.ptp(points, axis=0), [0.3, 0.2, 0.25], rtol=1e-12)


def test_random_folding_fills_much_of_the_canister_and_follows_its_seed():
    net = made("planar-a", nodes=0)
    one, again, other = (fold(net, random_share=1.0, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert np.abs(one - other).max() > 0.05
    assert (np.ptp(one, axis=0) > 0.5 * np.array([0.3, 0.2, 0.25])).all()


def test_blending_is_the_mixture_of_both():
    net = made("planar-b")
    regular, random, half = (fold(net, random_share=share) for share in (0.0, 1.0, 0.5))
    np.testing.assert_allclose(half, 0.5 * (regular + random), atol=1e-15)


def test_a_fine_net_in_a_wide_canister_is_folded_at_random_too():
    """Elements of 17 mm in a canister of 2 m: pulling together must end well before a second."""
    net = made("planar-a", 0.5, 2, strings=11)
    points = fold(net, Canister(2.0, 2.0, 2.0), random_share=1.0)
    assert (stretch(points, net.elements, net.lengths) <= 1.0).all()
    assert np.ptp(points, axis=0).max() > 0.1


def test_a_net_smaller_than_the_canister_is_not_blown_up():
    net = made("planar-a", 0.1)
    assert np.ptp(fold(net)[:, 1:], axis=0).max() <= 0.1


def test_stretched_starts_are_refused_with_the_element():
    net = made("planar-a")
    points = fold(net).copy()
    first, second = net.elements[5]
    points[second] = points[first] + [1.01 * net.lengths[5], 0.0, 0.0]
    with pytest.raises(GeometryError, match="of its length"):
        require_unstretched("net", points, net.elements, net.lengths)


def test_bullets_out_of_reach_are_refused_with_the_thread_between():
    net = made("planar-a")
    places = np.column_stack([np.zeros(4), 1.2 * CORNERS])
    with pytest.raises(GeometryError, match="2 m of thread between"):
        fold(net, held=net.bullet_knots, held_points=places)


def test_held_points_that_leave_no_loose_way_are_refused():
    """Three knots each 1 m from a fourth, held on a circle of radius 1.1 m: pairwise in reach."""
    elements = np.array([[0, 1], [0, 2], [0, 3]])
    turn = np.array([0.0, 2.0, 4.0]) * math.pi / 3.0
    star = np.column_stack([np.zeros(3), np.cos(turn), np.sin(turn)])
    with pytest.raises(GeometryError, match="hang loose"):
        folded(
            np.vstack([np.zeros(3), star]), elements, np.ones(3), BOX, held=[1, 2, 3],
            held_points=1.1 * star,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"random_share": 1.5}, "random_share"), ({"random_share": math.nan}, "random_share"),
        ({"thread_volume": 1.0}, "larger canister"), ({"held": [0]}, "one point per held node"),
        ({"held": [0, 0], "held_points": np.zeros((2, 3))}, "each once"),
        ({"held": [10**6], "held_points": np.zeros((1, 3))}, "existing nodes"),
        ({"held": [0], "held_points": [[math.nan, 0.0, 0.0]]}, "metres"),
    ],
)  # fmt: skip
def test_impossible_foldings_are_refused(wrong, says):
    with pytest.raises(GeometryError, match=says):
        fold(made("planar-a"), **wrong)


@pytest.mark.parametrize("size", [(0.0, 1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, math.inf)])
def test_impossible_canisters_are_refused(size):
    with pytest.raises(GeometryError, match="canister"):
        Canister(*size)


def test_check_has_teeth():
    net = made("planar-a")
    with pytest.raises(GeometryError):
        require_unstretched("net", 1.01 * net.positions, net.elements, net.lengths)
