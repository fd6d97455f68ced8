"""Numbers of a file that cannot belong together are refused as it is read, in every scenario, by one mechanism."""

from __future__ import annotations

from typing import Any

import pytest

from haptos.core.errors import ConfigError
from haptos.scenarios.contract import Scenario
from haptos.scenarios.files import parse, preset_names, read_named
from haptos.scenarios.merging import laid_over
from haptos.scenarios.proportions import Proportion, check_numbers, size
from haptos.scenarios.registry import scenarios

# (built-in scenario, keys that are wrong mostly by a unit, words of the refusal)
NONSENSE: list[tuple[str, dict[str, Any], str]] = [
    ("tether", {"place": {"semi_major_axis_km": 6.9e6}}, "1082 radii"),
    ("tether", {"line": {"length_m": 1e9}}, "times the orbit"),
    ("tether", {"place": {"mu_m3_per_s2": 4.0e23}}, "a primary of"),
    ("tether", {"start": {"relative_velocity_m_per_s": [2e5, 0.0, 0.0]}}, "72 km/s"),
    ("lander", {"release": {"velocity_m_per_s": [0.0, 0.0, -3e9]}}, "72 km/s"),
    ("lander", {"release": {"velocity_m_per_s": [0.0, 0.0, -2e4]}}, "times a push by hand"),
    ("lander", {"probe": {"density_kg_per_m3": 5e8}}, "22,600"),
    ("lander", {"release": {"rate_rad_per_s": [0.0, 0.0, 1e6]}}, "fibres"),
    ("lander-feet", {"contact": {"feet": [{"shape": "ball", "position_m": [0.2, 0.2, -150.0], "radius_m": 0.05}]}}, "500 radii"),
    ("lander-ellipsoid", {"release": {"velocity_m_per_s": [0.0, 5e3, 0.0]}}, "push by hand"),
    ("liftoff", {"gravity": {"density_kg_per_m3": 1.19}}, "10 to 100000 kg/m^3"),
    ("liftoff-phobos", {"vehicle": {"wheel_radius_m": 1e5}}, "times the body"),
    ("liftoff-phobos", {"primary": {"position_m": [9.4e4, 0.0, 0.0]}}, "the body's own pull"),
    ("net-small", {"chaser": {"mass_kg": 1e-12}}, "a grain of dust"),
    ("net-small", {"chaser": {"velocity_m_per_s": [1e12, 0.0, 0.0]}}, "72 km/s"),
    ("net-small", {"threads": {"diameter_m": 2.0}}, "times the net"),
    ("net-small", {"target": {"velocity_m_per_s": [-9e3, 0.0, 0.0]}}, "times the speed of the shot"),
    ("net-small", {"target": {"distance_m": 14e3}}, "the way in this run"),
    ("net-small", {"target": {"rate_deg_per_s": [4e6, 0.0, 0.0]}}, "a corner of the target"),
    ("foundation-drop", {"motion": {"velocity_m_per_s": [0.0, 0.0, -5e4]}}, "push by hand"),
    ("foundation-drop", {"motion": {"mass_kg": 5e8}}, "a body of 5e+08 kg"),
    ("docking", {"start": {"velocity_m_per_s": [30.0, 0.0, 0.0]}}, "that of a docking"),
    ("docking", {"start": {"rate_deg_per_s": [9e5, 0.0, 0.0]}}, "docking face"),
    ("docking", {"tool": {"centre_m": 50.0}}, "centre of the tool"),
    ("docking", {"chaser": {"root_m": [1e4, 0.0, 0.0]}}, "root of the boom"),
    ("slingshot", {"spacecraft": {"speed_m_per_s": 1.4e6}}, "72 km/s"),
    ("slingshot", {"tether": {"section_m2": 1.0}}, "times the spacecraft"),
    ("harpoon", {"harpoon": {"radius_m": 20.0}}, "a harpoon of 5 kg"),
    ("harpoon", {"shot": {"speed_m_per_s": 5e5}}, "72 km/s"),
    ("tether-boom", {"touch": {"approach_m_per_s": 3000.0}}, "push by hand"),
    ("tether-sampling", {"line": {"section_m2": 10.0}}, "times the spacecraft"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "words"), NONSENSE, ids=lambda x: str(x)[:60])
def test_clear_nonsense_is_refused_with_its_ratio(
    name: str, changes: dict[str, Any], words: str
) -> None:
    table, where = read_named(name)
    with pytest.raises(ConfigError) as refusal:
        parse(laid_over(table, changes), where)
    assert words in str(refusal.value)
    assert next(iter(changes)) in refusal.value.where


@pytest.mark.parametrize("one", scenarios().values(), ids=lambda one: one.name)
def test_every_scenario_lists_its_ratios(one: Scenario) -> None:
    assert one.running.proportions is not None
    presets = [parse(*read_named(name)) for name in preset_names()]
    own = [config for config in presets if config.scenario == one.name]
    assert own
    for config in own:  # an order of magnitude to spare for what is known
        for ratio in one.running.proportions(config):
            assert 10.0 * ratio.least <= ratio.ratio <= 0.5 * ratio.most, ratio


def test_a_ratio_holds_between_its_bounds_only() -> None:
    assert Proportion("a", "b", 1.0, 1.0, "c", 1.0).holds
    assert not Proportion("a", "b", 1.1, 1.0, "c").holds
    assert not Proportion("a", "b", 0.9, 1.0, "c", 1.0).holds
    assert not Proportion("a", "b", float("nan"), 1.0, "c").holds
    assert size("a", "b", 0.0, "c", 0.0).holds
    assert not size("a", "b", 1.0, "c", 0.0).holds


def test_configurations_can_be_asked_again() -> None:
    check_numbers(parse(*read_named("net")), "net")
