"""Threads: the table, what follows from a diameter, what is refused."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

from haptos.core.citations import BIBLIOGRAPHY
from haptos.core.errors import ConfigError
from haptos.materials.threads import CITES, MATERIALS, thread, thread_material
from tests.close import assert_close


def test_technora_braid_is_the_measured_one():
    braid = thread("Technora-braid")
    assert_close(braid.axial_stiffness, 9.84e3, rtol=1e-15)
    assert_close(braid.torsion_stiffness, 2.94e-6, rtol=1e-12)
    assert_close(braid.bending_stiffness, 1.34e-6, rtol=1e-12)
    assert braid.damping_ratio == (0.106, 0.079, 0.014)
    assert_close(braid.breaking_stress, 1.6e9, rtol=1e-12)


def test_bending_and_torsion_of_the_braid_are_nearly_ten_orders_softer():
    braid = thread("technora braid")
    for soft in (braid.torsion_stiffness, braid.bending_stiffness):
        assert 9.0 < math.log10(braid.axial_stiffness / soft) < 10.0


@pytest.mark.parametrize("name", MATERIALS)
def test_every_value_has_a_source_that_exists_or_is_called_assumed(name):
    material = MATERIALS[name]
    assert {"modulus", "density", "breaking_stress", "damping_ratio"} <= set(material.sources)
    for said in material.sources.values():
        keys = re.findall(r"\[(\w+)\]", said)
        assert keys or "assumed" in said
        assert set(keys) <= set(BIBLIOGRAPHY) & set(CITES)


@pytest.mark.parametrize("name", MATERIALS)
def test_values_lie_where_fibres_lie(name):
    """Specific strength and breaking strain of polymer fibres, two orders apart at most."""
    material = MATERIALS[name]
    assert 0.5e6 < material.breaking_stress / material.density < 5e6
    assert 0.01 < material.breaking_stress / material.modulus < 0.2
    assert 900.0 < material.density < 1600.0


def test_stiffness_density_and_strength_follow_the_section():
    made = thread("kevlar 49", 1e-3)
    section = math.pi * 1e-6 / 4.0
    assert_close(made.axial_stiffness, 112.4e9 * section, rtol=1e-14)
    assert_close(made.linear_density, 1440.0 * section, rtol=1e-14)
    assert_close(made.breaking_tension, 3.0e9 * section, rtol=1e-14)
    assert made.bending_stiffness == made.torsion_stiffness == 0.0
    twice = thread("kevlar 49", 2e-3)
    assert_close(twice.axial_stiffness, 4.0 * made.axial_stiffness, rtol=1e-14)
    assert_close(twice.breaking_strain, made.breaking_strain, rtol=1e-14)


def test_a_loose_braid_is_wider_for_the_same_fibres():
    loose, tight = thread("technora braid", fibre_share=0.5), thread("technora braid")
    assert_close(loose.diameter, math.sqrt(2.0) * tight.diameter, rtol=1e-14)
    assert_close(loose.axial_stiffness, tight.axial_stiffness, rtol=1e-14)
    assert_close(loose.bending_stiffness, tight.bending_stiffness, rtol=1e-14)


def test_what_is_given_replaces_the_table():
    made = thread(
        "nylon 66", 1e-3, breaking_stress=5e8, linear_density=2e-3, axial_stiffness=1e4,
        damping_ratio=0.0,
    )  # fmt: skip
    assert_close(made.breaking_tension, 5e8 * made.section, rtol=1e-14)
    assert (made.linear_density, made.axial_stiffness, made.damping_ratio[0]) == (2e-3, 1e4, 0.0)


def test_element_has_the_damping_of_its_own_mass_on_its_own_spring():
    made = thread("technora braid")
    stiffness, damping, mass = made.element(0.1)
    assert_close(stiffness, 9.84e4, rtol=1e-14)
    assert_close(damping / (2.0 * math.sqrt(stiffness * mass)), 0.106, rtol=1e-14)
    halved = made.element(0.05)
    assert_close(halved[1], damping, rtol=1e-14)  # c does not depend on the length


def test_an_unknown_material_is_answered_with_the_nearest():
    with pytest.raises(ConfigError) as refused:
        thread_material("Kevlar-4")
    assert "did you mean 'kevlar" in refused.value.hint
    with pytest.raises(ConfigError, match="ThreadMaterial"):
        thread_material("adamantium")


@pytest.mark.parametrize(
    "wrong",
    [
        {}, {"diameter": 0.0}, {"diameter": math.nan}, {"diameter": 1e-3, "fibre_share": 1.5},
        {"diameter": 1e-3, "fibre_share": 0.0}, {"diameter": 1e-3, "breaking_stress": -1.0},
        {"diameter": 1e-3, "damping_ratio": -0.1}, {"diameter": 1e-3, "linear_density": math.inf},
    ],
)  # fmt: skip
def test_impossible_threads_are_refused(wrong):
    with pytest.raises(ConfigError):
        thread("zylon as", **wrong)


def test_check_has_teeth():
    braid = thread_material("technora braid")
    spoiled = dataclasses.replace(braid, axial_stiffness=1.01 * braid.axial_stiffness)
    with pytest.raises(AssertionError):
        assert_close(thread(spoiled).axial_stiffness, 9.84e3, rtol=1e-3)
