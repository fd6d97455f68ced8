"""Links cut into elements: lengths, masses, bullets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.geometry.nets.net_mesh import KINDS, net_mesh
from haptos.geometry.nets.net_nodes import bullet_knots, bullet_mass, net_nodes
from haptos.geometry.nets.net_topology import BULLET, NORMAL, REINFORCED
from tests.close import assert_close

DENSITY = (1e-3, 3e-3, 5e-3)  # [kg/m]


def made(kind="planar-a"):
    numbers = (5, 7) if kind == "planar-a" else (5, 5) if kind == "planar-c" else (8, 3)
    depth = {"depth": 1.0} if kind in ("pyramidal", "conical") else {}
    return net_mesh(kind, 2.0, 3.0, *numbers, **depth)


@given(st.sampled_from(KINDS), st.integers(0, 4))
@settings(max_examples=25)
def test_elements_and_masses_add_up_to_the_threads(kind, count):
    mesh = made(kind)
    net = net_nodes(mesh, count, DENSITY)
    assert net.node_count == mesh.knot_count + count * mesh.link_count
    assert len(net.elements) == (count + 1) * mesh.link_count
    by_link = np.bincount(net.element_link, net.lengths)
    assert_close(by_link, mesh.lengths, rtol=1e-14)
    apart = np.linalg.norm(np.diff(net.positions[net.elements], axis=1)[:, 0], axis=1)
    assert_close(apart, net.lengths, rtol=1e-13)
    threads = np.array(DENSITY)[mesh.link_class] @ mesh.lengths
    assert_close(net.mass, threads, rtol=1e-13)


def test_inner_nodes_carry_one_element_and_knots_half_of_each_link_element():
    mesh = made()
    net = net_nodes(mesh, 3, DENSITY)
    density = np.repeat(np.array(DENSITY)[mesh.link_class], 3)
    element = np.repeat(mesh.lengths / 4.0, 3)
    assert_close(net.masses[mesh.knot_count :], density * element, rtol=1e-14)
    expected = np.zeros(mesh.knot_count)
    for (first, second), length, kind in zip(
        mesh.links, mesh.lengths, mesh.link_class, strict=True
    ):
        expected[[first, second]] += DENSITY[kind] * length / 8.0
    assert_close(net.masses[: mesh.knot_count], expected, rtol=1e-14)


def test_knot_ratios_touch_only_their_knots():
    mesh = made()
    plain = net_nodes(mesh, 1, DENSITY)
    net = net_nodes(
        mesh, 1, DENSITY, knot_ratio=2.0, tether_knot_ratio=3.0, bullet_knot_ratio=5.0
    )  # fmt: skip
    ratio = net.masses / plain.masses
    expected = np.ones(net.node_count)
    expected[: mesh.knot_count] = 2.0
    expected[mesh.corner_knots] = 5.0
    expected[mesh.tether_knot] = 3.0
    assert_close(ratio, expected, rtol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bullets", [4, 8])
def test_bullet_links_lead_from_the_mouth_outward(kind, bullets):
    mesh = made(kind)
    net = net_nodes(mesh, 2, DENSITY, bullets=bullets, bullet_link_length=0.3)
    own = net.elements[net.element_class == BULLET].reshape(bullets, 3, 2)
    assert own[:, 0, 0].tolist() == net.bullet_knots.tolist()
    assert own[:, -1, 1].tolist() == (net.node_count + np.arange(bullets)).tolist()
    assert (own[:, :-1, 1] == own[:, 1:, 0]).all()
    assert_close(net.lengths[net.element_class == BULLET], np.full(3 * bullets, 0.1), rtol=1e-14)
    away = np.linalg.norm(net.bullet_points - net.positions[net.bullet_knots], axis=1)
    assert_close(away, np.full(bullets, 0.3), rtol=1e-13)
    wider = np.linalg.norm(net.bullet_points[:, 1:], axis=1)
    assert (wider > np.linalg.norm(net.positions[net.bullet_knots][:, 1:], axis=1)).all()
    whole = np.concatenate([net.positions, net.bullet_points])
    apart = np.linalg.norm(np.diff(whole[net.elements], axis=1)[:, 0], axis=1)
    assert_close(apart, net.lengths, rtol=1e-13)
    plain = net_nodes(mesh, 2, DENSITY, bullets=bullets)
    assert_close(net.mass - plain.mass, bullets * 0.25 * DENSITY[2], rtol=1e-12)


def test_bullets_attached_directly_hold_their_knots():
    net = net_nodes(made(), 1, DENSITY[:2])
    assert set(net.element_class.tolist()) == {NORMAL, REINFORCED}
    np.testing.assert_array_equal(net.bullet_points, net.positions[net.bullet_knots])
    assert len(net_nodes(made(), 1, DENSITY, bullets=0).bullet_knots) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_eight_bullets_stand_in_order_around_the_mouth(kind):
    mesh = made(kind)
    held = bullet_knots(mesh, 8)
    places = [mesh.mouth_knots.tolist().index(knot) for knot in held]
    assert places == sorted(places)


def test_bullet_ratio_is_the_share_of_all_mass():
    assert_close(bullet_mass(0.5, 0.4, 4), 0.1, rtol=1e-15)
    for ratio in (0.1, 0.9):
        mass = 8 * bullet_mass(ratio, 0.37, 8)
        assert_close(mass / (mass + 0.37), ratio, rtol=1e-14)


@pytest.mark.parametrize("ratio", [0.0, 1.0, -0.5, 1.5, math.nan])
def test_impossible_bullet_ratios_are_refused(ratio):
    with pytest.raises(GeometryError, match="bullet ratio"):
        bullet_mass(ratio, 1.0, 4)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"nodes_per_link": -1}, "nodes_per_link"), ({"nodes_per_link": 1.5}, "whole"),
        ({"bullets": 5}, "0 or 4 or 8"), ({"knot_ratio": 0.0}, "knot ratio"),
        ({"linear_density": [1e-3]}, "reinforced"), ({"linear_density": [1e-3, 0.0]}, "above zero"),
        ({"bullet_link_length": -1.0}, "bullet_link_length"),
        ({"bullet_link_length": 0.1, "linear_density": [1e-3, 1e-3]}, "bullet"),
    ],
)  # fmt: skip
def test_impossible_nodes_are_refused(wrong, says):
    given = {"nodes_per_link": 1, "linear_density": DENSITY} | wrong
    with pytest.raises(GeometryError, match=says):
        net_nodes(made(), **given)


def test_four_strings_leave_no_room_for_eight_bullets():
    with pytest.raises(GeometryError, match="8 strings or more"):
        bullet_knots(net_mesh("planar-b", 1.0, 1.0, 4, 2), 8)


def test_check_has_teeth():
    spoiled = [1.01 * density for density in DENSITY]
    with pytest.raises(AssertionError):
        assert_close(net_nodes(made(), 1, spoiled).mass, net_nodes(made(), 2, DENSITY).mass, rtol=1e-3)  # fmt: skip
