"""Nets over small bodies: refusals, axes, the fall of a ball beside a lander's, and the built-in net on an asteroid."""

from __future__ import annotations

import math

import numpy as np
import pytest

import haptos as hp
from haptos.core.errors import ConfigError
from haptos.dynamics.contacts.detect import ground_gap
from haptos.scenarios.files import parse
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import build
from haptos.scenarios.net.scene import scene
from haptos.scenarios.net.site import site_frame
from haptos.scenarios.worlds.gravity import spin_table
from tests.close import assert_close
from tests.hard_cases import hard

ASTEROID = {
    "surface": {"shape": "ellipsoid", "semi_axes_m": [40.0, 30.0, 20.0]},
    "gravity": {"model": "point", "mu_m3_per_s2": 100.0},
    "site": {"position_m": [0.0, 0.0, 23.0]},
}
NET = {
    "schema": 1, "scenario": "net", "name": "small", "run": {"duration_s": 1.0},
    "net": {"width_m": 1.0, "height_m": 1.0, "strings": 3, "rings": 3, "nodes_per_link": 0},
    "threads": {"material": "nylon 66"}, "chaser": {"holds_place": True},
}  # fmt: skip


def made(**tables: object) -> Config:
    config = parse({**NET, **ASTEROID, **tables}, "test")
    assert isinstance(config, Config)
    return config


@pytest.mark.parametrize(
    ("tables", "found"),
    [
        ({"environment": {"kind": "orbit"}}, "environment.kind = 'orbit' beside [surface]"),
        ({"surface": None}, "[gravity] without [surface]"),
        ({"gravity": None}, "[surface] without [gravity]"),
        ({"site": None}, "[surface] without [site]"),
        ({"contact": {"model": "sticky"}}, "contact.model = 'sticky' beside [surface]"),
        ({"contact": {"remembers": True}}, "contact.remembers = true beside [surface]"),
        ({"environment": {"thread_drag": True}}, "environment.thread_drag with kind = 'body'"),
        ({"gravity": {"model": "polyhedron", "mu_m3_per_s2": 1.0}}, "'polyhedron' with surface"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tables, found):
    given = {
        name: table for name, table in {**NET, **ASTEROID, **tables}.items() if table is not None
    }
    with pytest.raises(ConfigError) as refusal:
        parse(given, "test")
    assert found in str(refusal.value)
    assert "try:" in str(refusal.value)


def test_a_site_in_the_ground_or_far_off_is_refused():
    with pytest.raises(ConfigError, match="above ground"):
        build(made(site={"position_m": [0.0, 0.0, 20.1]}))
    with pytest.raises(ConfigError, match="radii away"):
        build(made(site={"position_m": [0.0, 0.0, 1e6]}))


def test_axes_point_down_or_where_they_are_told_and_gravity_is_that_of_the_place():
    frame = site_frame(made())
    assert_close(frame.dcm_NA @ frame.dcm_NA.T, np.eye(3), rtol=1e-12, scale=1.0)
    assert np.linalg.det(frame.dcm_NA) > 0.0
    assert_close(frame.dcm_NA[0], [0.0, 0.0, -1.0], rtol=1e-12, scale=1.0)
    assert_close(frame.to_A(np.zeros((1, 3)))[0], [0.0, 0.0, 23.0], rtol=1e-12, scale=1.0)
    other = site_frame(made(site={"position_m": [0.0, 0.0, 23.0], "toward": [1.0, 0.0, -1.0]}))
    assert_close(
        other.dcm_NA[0], np.array([1.0, 0.0, -1.0]) / math.sqrt(2.0), rtol=1e-12, scale=1.0
    )


def test_a_tumbling_spin_keeps_its_energy_and_momentum_over_the_table():
    spin, moments = np.array([0.02, 0.03, 0.01]), np.array([1.0, 1.5, 2.2])
    spacing, rows = spin_table(spin, moments, 500.0)
    assert_close(spacing * (len(rows) - 1), 500.0, rtol=1e-12)
    energy = (moments * rows[:, :3] ** 2).sum(axis=1)
    size = np.linalg.norm(moments * rows[:, :3], axis=1)
    assert_close(energy, np.full(len(rows), energy[0]), rtol=1e-9)
    assert_close(size, np.full(len(rows), size[0]), rtol=1e-9)


def test_the_net_falls_on_the_asteroid_and_comes_to_lie():
    result = hp.simulate("net-asteroid")
    assert result.trusted, result.ledger.relative_remainder
    assert str(result.outcome) == "settled"
    reported = result.metrics
    assert 5.0 < reported["ground_touch_s"] < 20.0
    assert reported["first_touch_s"] == reported["ground_touch_s"]
    assert reported["lying_share"] > 0.9
    assert reported["end_speed_m_per_s"] < 0.01
    assert result.ledger.relative_remainder < 1e-2
    names = {check.name for check in result.checks}
    assert "surface" in names
    drawn = scene(result)
    assert "ground near the contacts" in {getattr(item, "label", "") for item in drawn.items}
    assert "A" in {frame.name for frame in drawn.frames}


@pytest.mark.parametrize("law", ["compliant", "impulsive"])
def test_a_bullet_touches_when_a_lander_does(law):
    """The bullets of a net without threads that pull, let go above a ball of rock: both fall alike."""
    high, radius, mu = 0.5, 50.0, 40.0
    contact = {"law": law, "restitution": 0.5, "friction": 0.3}
    if law == "compliant":
        contact |= {
            "stiffness_N_per_m": 1e3,
            "stick_speed_m_per_s": 1e-4,
            "stick_rate_rad_per_s": 1e-3,
        }
    lander = hard(
        surface={"shape": "sphere", "radius_m": radius}, contact=contact,
        gravity={"model": "point", "mu_m3_per_s2": mu},
        probe={"shape": "sphere", "mass_kg": 1.0, "radius_m": 0.02},
        release={"position_m": [0.0, 0.0, radius + high + 0.02]}, run={"duration_s": 60.0},
    )  # fmt: skip
    expected = hp.simulate(lander).metrics["first_touch_time_s"]
    pull = mu / radius**2
    assert_close(expected, math.sqrt(2.0 * high / pull), rtol=2e-2)
    assert_close(fall_of_a_node(high, radius, mu), expected, rtol=1e-3)


def fall_of_a_node(high: float, radius: float, mu: float) -> float:
    """Time [s] of the first touch of a node of the same size, by the net's kernel."""
    from haptos.dynamics.contacts.ground_arrays import GROUND_AT
    from haptos.environment import gravity as gravities
    from haptos.geometry.distance import surface as surfaces
    from tests.net_cases import contact_numbers, marched, on_ground, small_body_field, small_net

    net, motion = small_net([[0.0, 0.0, radius + high + 0.02]], [1.0], radius=0.02)
    pairs = contact_numbers(1e5, 0.0, 0.3)
    field = small_body_field(gravities.point(mu))
    net, motion = on_ground(net, motion, surfaces.sphere(radius), pairs, field=field)
    marched(net, motion, 1.1 * math.sqrt(2.0 * high * radius**2 / mu))
    return float(motion.contacts.ground.tally[GROUND_AT])


def test_a_node_falls_on_a_rough_built_in_body_and_keeps_its_books():
    """Distance grid with noise: it touches where the field of the ground is zero, and the guard agrees."""
    from haptos.dynamics.contacts.ground_arrays import GROUND_MET, WORST_SHARE
    from haptos.dynamics.system import GRAVITY
    from haptos.environment import gravity as gravities
    from haptos.scenarios.worlds.world import world_of
    from tests.net_cases import contact_numbers, marched, on_ground, small_body_field, small_net

    noise = {"seed": 2, "noise": {"relief_m": 0.5, "longest_m": 20.0}}
    rough = made(surface={"shape": "body", "body": "potato", "level": 3}, terrain=noise).world
    surface = world_of(rough).surface
    net, motion = small_net([[0.0, 0.0, 0.0]], [1.0], radius=0.02)
    pairs = contact_numbers(1e5, 0.2, 0.5)
    radius = world_of(rough).radius
    field = small_body_field(gravities.uniform((0.0, 0.0, -0.5)))
    net, motion = on_ground(net, motion, surface, pairs, field=field)
    high = radius
    for _ in range(60):  # down the z axis, to 0.3 m above the ground
        high -= ground_gap(net.ground, (0.0, 0.0, high))[0] - 0.3
    motion.points.x[0, 2] = high
    marched(net, motion, 4.0)
    assert motion.contacts.ground.tally[GROUND_MET] >= 1.0
    assert motion.contacts.ground.worst[WORST_SHARE] < 1.0
    assert motion.ledger.energy.largest < 1e-2 * abs(motion.ledger.work[GRAVITY])
    assert -0.02 < ground_gap(net.ground, tuple(motion.points.x[0].tolist()))[0] < 0.3
