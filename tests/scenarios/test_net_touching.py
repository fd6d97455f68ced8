"""Keys of [contact] that let a net touch itself, bullets each other, and all of them the chaser."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from haptos.contact.contact_flow import FRICTION, STIFFNESS
from haptos.contact.hertz import contact_modulus, sphere_sphere_stiffness
from haptos.dynamics.contacts.point_point_search import may_touch
from haptos.dynamics.system import NODE
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.config_surfaces import BULLETS
from haptos.scenarios.net.model import Model, build
from haptos.scenarios.net.simulate import simulate
from tests.close import assert_close


def config(**contact: Any) -> Config:
    """A coarse net close to its target."""
    text = (resources.files("haptos.scenarios.net") / "presets" / "net.toml").read_text("utf-8")
    table = tomllib.loads(text)
    table["net"] |= {"strings": 5, "rings": 5, "width_m": 1.0, "height_m": 1.0}
    table["target"]["distance_m"] = 1.4
    table["shot"] = table.get("shot", {}) | {"speed_m_per_s": 2.0}
    table["run"] |= {"duration_s": 0.9, "output_interval_s": 0.05, "step_share": 0.2}
    table["contact"] = table.get("contact", {}) | contact
    return Config.model_validate(table)


ALL: dict[str, Any] = {"self": True, "bullets": True, "bullets_net": True, "chaser": True}


@pytest.fixture(scope="module")
def model() -> Model:
    return build(config(**ALL))


def test_a_node_is_a_ball_of_half_its_shortest_element(model: Model) -> None:
    ends, spheres = model.system.threads.ends, model.system.spheres
    is_node = model.system.points.owner == NODE
    for i in np.flatnonzero(is_node)[:20]:
        own = model.motion.elements.length[(ends == i).any(axis=1)]
        assert_close(spheres.radius[i], 0.5 * own.min(), rtol=1e-14)
    is_ball = model.system.points.kind == BULLETS
    assert_close(spheres.radius[is_ball], model.system.points.radius[is_ball], rtol=1e-15)


def test_a_radius_that_is_told_is_taken() -> None:
    built = build(config(**ALL, self_radius_m=0.004))
    assert (built.system.spheres.radius[built.system.points.owner == NODE] == 0.004).all()


def test_what_an_element_ties_together_does_not_touch(model: Model) -> None:
    is_node = model.system.points.owner == NODE
    nodes = model.system.threads.ends[is_node[model.system.threads.ends].all(axis=1)]
    for i, j in nodes:
        assert not may_touch(model.system, min(i, j), max(i, j))
    assert may_touch(model.system, int(nodes[0, 0]), int(nodes[-1, 1]))


def test_numbers_of_pairs_come_from_moduli_and_radii_unless_told(model: Model) -> None:
    given = config().contact
    numbers = model.system.spheres.numbers
    modulus = contact_modulus(given.thread_modulus_Pa, 0.3, given.bullet_modulus_Pa, 0.3)
    radii = 0.5 * config().threads.diameter_m, config().bullets.radius_m
    assert_close(numbers[0, 1, STIFFNESS], sphere_sphere_stiffness(modulus, *radii), rtol=1e-14)
    assert_close(numbers[0, 1], numbers[1, 0], rtol=1e-15)
    reported = build(
        config(**ALL, self_stiffness_N_per_m1p5=7e5, bullets_friction=0.1)
    ).system.spheres
    assert reported.numbers[0, 0, STIFFNESS] == 7e5
    assert reported.numbers[1, 1, FRICTION] == 0.1


def test_all_is_off_unless_asked_for() -> None:
    built = build(config())
    assert not built.system.spheres.radius.any()
    assert len(built.system.boxes.body) == 0
    assert len(built.motion.contacts.pairs.first) == 0
    with pytest.raises(ValidationError):
        config(self_radius_m=-0.1)


def test_a_capture_with_all_contacts_closes_its_books_and_tells_forces() -> None:
    result = simulate(config(**ALL, self_radius_m=0.01))
    assert result.trusted
    assert result.metrics["self_contacts"] > 0.0
    assert result.metrics["self_peak_force_N"] > 0.0
    assert result.metrics["pairs_left_out"] == 0.0
    assert {"chaser_contacts", "bullets_peak_force_N", "bullets_net_contacts"} <= set(
        result.metrics
    )
    assert "Verlet1967" in result.cites
    plain = simulate(config())
    assert not {"self_contacts", "chaser_contacts"} & set(plain.metrics)
