"""All contact forces together, against the same model written with matrices in A axes."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.compliant import (
    CompliantLaw,
    compliant_contact,
    elastic_energy,
    normal_contact,
    vertex_gap,
)
from haptos.contact.rolling_resistance import companion_force
from haptos.geometry.distance import surface as surfaces
from tests.close import assert_close
from tests.contact.bodies import rows, touching_body, triple
from tests.contact.matrix_model import State, expected_contact, ground_of

UP = (0.0, 0.0, 1.0)
GROUND = surfaces.plane((0.0, 0.0, 0.0), UP)
LAW = CompliantLaw(k=50.0, c=6.6, mu=0.5, mu_s=0.7, c_rr=0.005, v_s=1e-4, w_s=1e-3)
# Full slip, the ramp in its middle, and nearly all stick: thresholds beside random speeds of 0.05.
REGIMES = {
    "slip": LAW,
    "ramp": LAW._replace(v_s=0.2, w_s=2.0),
    "falling": LAW._replace(v_s=0.06, w_s=0.5),  # many a slip between v_s and 2 v_s
    "stick": LAW._replace(v_s=1e4, w_s=1e4, mu=50.0, mu_s=60.0, c_rr=10.0),
    "capped": LAW._replace(v_s=1e4, w_s=1e4, mu=1e-3, mu_s=2e-3, c_rr=1e-5),
    "no rolling": LAW._replace(c_rr=0.0),
}


def assert_agrees(found, expected, rtol):
    force, torque_B, powers, (load, slip, deepest) = found
    want_force, want_torque, want_powers, (want_load, want_slip, depths) = expected
    for actual, wanted in ((force, want_force), (torque_B, want_torque), (powers, want_powers)):
        assert_close(actual, wanted, rtol=rtol)
    assert_close(load, want_load, rtol=rtol)
    assert_close(slip, np.linalg.norm(want_slip), rtol=rtol)
    assert_close(deepest, depths.max(), rtol=rtol)


# The springs see a depth of 1 mm as a difference of positions of up to 200 m: 1e-16 * 200/1e-4.
RTOL = 1e-8


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("kind", ["plane", "sphere"])
@pytest.mark.parametrize("count", range(1, 9))
def test_forces_are_those_of_the_model_written_with_matrices(count, kind, regime):
    law = REGIMES[regime]
    for seed in range(5):
        state = State(seed, kind, count)
        assert_agrees(state.contact(law), expected_contact(state, law), RTOL)


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("kind", ["plane", "sphere"])
def test_contact_power_is_what_springs_take_and_dampers_friction_and_rolling_lose(kind, regime):
    law, step = REGIMES[regime], 1e-4
    for seed in range(10):
        state = State(seed, kind, 1 + seed % 8)
        force, torque_B, powers, _ = state.contact(law)
        near, far = (
            (state.elastic(law, i * step) - state.elastic(law, -i * step)) / (2.0 * i * step)
            for i in (1, 2)
        )
        storing = (4.0 * near - far) / 3.0
        given = np.dot(force, state.v) + np.dot(torque_B, state.w_B)
        scale = abs(storing) + sum(map(abs, powers))
        assert_close(given, -storing + sum(powers), rtol=1e-7, scale=scale)


@pytest.mark.parametrize("kind", ["plane", "sphere"])
def test_friction_and_rolling_resistance_together_only_take_energy(kind):
    """Each alone may feed the other's account when the body slips; their sum may not."""
    for seed in range(100):
        _, _, (damping, friction, rolling), _ = State(seed, kind, 1 + seed % 8).contact(LAW)
        assert damping <= 0.0
        assert friction + rolling < 0.0


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_application_point_is_the_mean_weighted_with_depth(count):
    for seed in range(5):
        state = State(seed, "plane", count)
        arms = state.body.vertices[state.body.is_touching > 0] @ state.dcm_AB.T
        depths = np.array([ground_of(state.surface, state.x + r)[0] for r in arms])
        *_, point, _, _ = normal_contact(
            LAW, state.surface, state.body, rows(state.dcm_AB), triple(state.x), triple(state.v),
            triple(state.dcm_AB @ state.w_B),
        )  # fmt: skip
        assert_close(point, depths @ arms / depths.sum(), rtol=1e-8)


@pytest.mark.parametrize("count", [2, 3, 8])
def test_on_a_plane_the_application_point_is_the_centre_of_pressure_of_the_springs(count):
    """At rest the springs' torque about the centre of mass is that of their sum at the point."""
    none = (0.0, 0.0, 0.0)
    for seed in range(5):
        state = State(seed, "plane", count)
        force, torque, _, point, _, _ = normal_contact(
            LAW, state.surface, state.body, rows(state.dcm_AB), triple(state.x), none, none
        )
        assert_close(np.cross(point, force), torque, rtol=1e-9)


def test_at_the_instant_of_touch_the_application_point_is_the_middle_of_the_vertices():
    corners = [(0.1, 0.0, -0.1), (-0.1, 0.0, -0.1), (0.0, 0.3, -0.1)]
    body = touching_body(1.0, np.eye(3), corners, [0, 1, 2])
    *_, point, _, deepest = normal_contact(
        LAW, GROUND, body, rows(np.eye(3)), (0.0, 0.0, 0.1), (0.0, 0.0, -1.0), (0.0, 0.0, 0.0)
    )
    assert_close(point, (0.0, 0.1, -0.1), rtol=1e-15)
    assert deepest == 0.0


def test_vertices_that_do_not_touch_do_not_count():
    corners = [(0.1, 0.0, -0.1), (-0.1, 0.0, -0.1)]  # both 1 mm deep, one said to touch
    body = touching_body(1.0, np.eye(3), corners, [1])
    force, *_ = normal_contact(
        LAW, GROUND, body, rows(np.eye(3)), (0.0, 0.0, 0.099), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    )
    assert_close(force, (0.0, 0.0, 50.0 * 0.001), rtol=1e-12)
    energy = elastic_energy(LAW, GROUND, body, rows(np.eye(3)), (0.0, 0.0, 0.099))
    assert_close(energy, 0.5 * 50.0 * 0.001**2, rtol=1e-12)


@pytest.mark.parametrize("regime", REGIMES)
def test_what_acts_along_the_ground_is_bounded_by_the_load(regime):
    """Friction with what holds it, and the companion force of rolling: one Coulomb limit each."""
    law = REGIMES[regime]
    for seed in range(20):
        state = State(seed, "plane", 1 + seed % 8)
        force, _, _, (load, _, _) = state.contact(law)
        _, n = ground_of(state.surface, state.x)
        along = np.array(force) - (force @ n) * n
        assert np.linalg.norm(along) <= 2.0 * law.mu_s * load * (1.0 + 1e-12)


def test_full_slip_is_braked_by_mu_times_load():
    law = LAW._replace(c_rr=0.0)
    for seed in range(20):
        state = State(seed, "plane", 1 + seed % 8)
        force, _, _, (load, _, _) = state.contact(law)
        _, _, _, (_, slip, _) = expected_contact(state, law)
        _, n = ground_of(state.surface, state.x)
        along = np.array(force) - (force @ n) * n
        assert_close(along, -LAW.mu * load * slip / np.linalg.norm(slip), rtol=1e-8)


def cube_at_rest(mass=5.0, edge=0.2, g=5.7e-3):
    corners = [(edge / 2 * i, edge / 2 * j, -edge / 2) for i in (-1, 1) for j in (-1, 1)]
    body = touching_body(mass, mass * edge**2 / 6.0 * np.eye(3), corners, [0, 1, 2, 3])
    return body, (0.0, 0.0, edge / 2 - mass * g / (4.0 * LAW.k)), (0.0, 0.0, -g)


def test_cube_that_has_sunk_by_its_weight_over_four_springs_is_in_balance():
    body, x, gravity = cube_at_rest()
    none = (0.0, 0.0, 0.0)
    force, torque_B, powers, seen = compliant_contact(
        LAW, GROUND, body, rows(np.eye(3)), x, none, none, gravity, none
    )
    weight = 5.0 * 5.7e-3
    assert_close(force, (0.0, 0.0, weight), rtol=1e-12)
    assert_close(torque_B, np.zeros(3), rtol=1e-14, scale=0.1 * weight)
    assert powers == (0.0, 0.0, 0.0)
    assert_close(seen[0], weight, rtol=1e-12)


@pytest.mark.parametrize("pull", [0.3, 0.69])
def test_cube_at_rest_holds_a_sideways_pull_inside_the_cone(pull):
    """The friction point does not accelerate, and stays where its normal load can hold it."""
    body, x, (_, _, g) = cube_at_rest()
    none = (0.0, 0.0, 0.0)
    law = LAW._replace(c_rr=0.0)
    pulled = (pull * -g, 0.0, g)
    force, torque_B, _, _ = compliant_contact(
        law, GROUND, body, rows(np.eye(3)), x, none, none, pulled, none
    )
    acceleration = np.array(pulled) + np.array(force) / body.mass
    alpha = np.array(torque_B) / body.inertia[0]
    arm = body.vertices.mean(axis=0)
    at_point = acceleration + np.cross(alpha, arm)
    assert_close(at_point, np.zeros(3), rtol=1e-12, scale=-g)


def sphere_probe(radius=0.125, mass=5.0):
    inertia = 0.4 * mass * radius**2 * np.eye(3)
    return touching_body(mass, inertia, np.zeros((1, 3)), [0], corner_radius=radius)


@pytest.mark.parametrize(
    "surface", [GROUND, surfaces.plane((0, 0, 0), (1, 2, 3)), surfaces.sphere(9)]
)
def test_sphere_touches_at_its_radius_below_the_centre(surface):
    body = sphere_probe()
    _, normal = surfaces.gap_and_normal(surface, (3.0, 6.0, 9.0))
    foot = np.array((3.0, 6.0, 9.0))
    foot -= surfaces.gap_and_normal(surface, triple(foot))[0] * np.array(normal)
    x = triple(foot + (0.125 - 0.002) * np.array(normal))
    gap, n, arm = vertex_gap(surface, body.vertices, body.corner_radius, 0, rows(np.eye(3)), x)
    assert_close(gap, -0.002, rtol=1e-11)
    assert_close(arm, -0.125 * np.array(n), rtol=1e-15)
    assert_close(n, normal, rtol=1e-14)


def test_sphere_feels_no_torque_from_the_normal_force_and_friction_at_its_foot():
    body = sphere_probe()
    none = (0.0, 0.0, 0.0)
    law = LAW._replace(c_rr=0.0)
    x, v = (0.0, 0.0, 0.125 - 0.002), (0.05, 0.0, 0.0)
    force, torque_B, powers, (load, slip, deepest) = compliant_contact(
        law, GROUND, body, rows(np.eye(3)), x, v, none, none, none
    )
    assert_close((load, slip, deepest), (0.1, 0.05, 0.002), rtol=1e-12)
    assert_close(force, (-0.5 * 0.1, 0.0, 0.1), rtol=1e-12)
    assert_close(torque_B, (0.0, 0.5 * 0.1 * 0.125, 0.0), rtol=1e-12)
    assert_close(powers, (0.0, -0.5 * 0.1 * 0.05, 0.0), rtol=1e-12)


def test_sphere_that_rolls_without_slip_feels_no_friction():
    body = sphere_probe()
    none = (0.0, 0.0, 0.0)
    rate, radius = 0.4, 0.125
    x, v = (0.0, 0.0, radius - 0.002), (rate * radius, 0.0, 0.0)
    force, torque_B, powers, (load, slip, _) = compliant_contact(
        LAW, GROUND, body, rows(np.eye(3)), x, v, (0.0, rate, 0.0), none, none
    )
    assert slip == 0.0
    assert_close(torque_B, (0.0, -LAW.c_rr * load, 0.0), rtol=1e-12)
    push = companion_force(
        body.mass, body.inverse_inertia, rows(np.eye(3)), (0.0, 0.0, -radius), UP, torque_B
    )
    assert_close(force, (push[0], 0.0, load), rtol=1e-12)
    assert_close(powers, (0.0, 0.0, -3.5 * LAW.c_rr * load * rate), rtol=1e-12)


@pytest.mark.parametrize("name", [name for name in LAW._fields if name != "normal"])
def test_check_has_teeth(name):
    """One per cent in any parameter shows in at least one regime."""

    def check_all():
        for seed, law in enumerate(REGIMES.values()):
            state = State(seed, "plane", 3)
            spoiled = law._replace(**{name: 1.01 * getattr(law, name)})
            assert_agrees(state.contact(spoiled), expected_contact(state, law), RTOL)

    with pytest.raises(AssertionError, match="off by"):
        check_all()


def test_check_sees_one_per_cent_of_inertia():
    state = State(1, "plane", 3)
    expected = expected_contact(state, REGIMES["stick"])
    inverse = tuple(1.01 * part for part in state.body.inverse_inertia)
    state.body = state.body._replace(inverse_inertia=inverse)
    with pytest.raises(AssertionError, match="off by"):
        assert_agrees(state.contact(REGIMES["stick"]), expected, RTOL)
