"""What the engine has once: rigid state, gravity, surface, contact pair, load, ledger, step control.

Each row names the one definition, and the calls by which a second one would be known: a file that asks two gravity
models itself is a second dispatch, a file that turns a quaternion by a rate is a second rigid body. Files that
may do so stand in the row with their reason; a new one is to use the definition, or to be argued for there.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.house.sources import PACKAGE, SOURCES, functions, tree, walked


@dataclass(frozen=True)
class One:
    """One thing of the engine.

    where    file of its definition, and the functions that make it; each name is defined there alone
    calls    of which a file makes at least `least` if it defines the thing for itself
    others   files that do so nevertheless -> why
    within   folder whose files are looked at
    """

    where: str
    names: tuple[str, ...]
    calls: tuple[str, ...] = ()
    least: int = 1
    others: dict[str, str] = field(default_factory=dict)
    within: str = ""


ONES = {
    "rigid state and update, free turns": One(
        "dynamics/rigid/bodies.py",
        ("rates_of", "place_points", "kick_bodies", "drift_bodies", "gather_forces"),
    ),
    "rigid update, rates": One(
        "dynamics/march/rates.py",
        ("body_rates_into",),
        ("quaternion_rate",),
        1,
        {
            "dynamics/touching/rates.py": "bodies on ground are seen from one that turns, `rigid/rigid_body.py`",
            "dynamics/rigid/touching_pair.py": "two bodies on a bench, one of which may be driven",
            "dynamics/nets/tow_model.py": "a reference that shares nothing with what it is compared with",
            "environment/tumbling.py": "the small body itself, which nothing acts on",
            "dynamics/cable/tether_bodies.py": "ends of a tether, whose mass changes as it is paid out and burned",
            "dynamics/cable/tether_implicit.py": "the same, within the linear solve of its implicit steps",
            "dynamics/joined/plant_rates.py": "joined bodies, whose rates follow from momenta that modes share",
        },
    ),
    "gravity dispatch": One(
        "environment/gravity.py",
        ("own_gravity", "potential_and_gravity"),
        (
            "point_gravity",
            "ellipsoid_gravity",
            "table_gravity",
            "multipole_gravity",
            "uniform_gravity",
        ),
        2,
        {
            "environment/gravity_table.py": "a table is filled from the multipoles it is checked with"
        },
    ),
    "surface query": One(
        "geometry/distance/surface.py",
        ("gap_and_gradient", "clear_way"),
        ("plane_distance", "sphere_distance", "ellipsoid_distance", "grid_distance"),
        2,
    ),
    "normal law of a contact": One(
        "contact/laws/normal.py",
        ("normal_parts", "normal_load", "normal_heat", "normal_energy", "normal_slope"),
        ("hertz_force", "spring_damper", "kelvin_voigt", "hertz_energy", "spring_energy"),
        2,
    ),
    "contact over a step": One(
        "contact/contact_flow.py",
        ("contact_flow", "pressed_step", "contact_energy"),
        ("mean_spring", "pressed_step", "rubbed_step"),
        1,
        {"contact/ball_flow.py": "two balls, whose line of centres turns within the step"},
    ),
    "detection of contacts of a system": One(
        "dynamics/contacts/detect.py",
        (
            "mesh_contact",
            "box_contact",
            "ground_contact",
            "edge_contact",
            "hull_gap",
            "centres_apart",
        ),
        ("triangle_foot", "mesh_distance", "edge_gap", "gap_and_gradient", "box_gap"),
        1,
        {
            "dynamics/guard/system_guard.py": "a guard asks for itself, by a tree of its own",
            "dynamics/touching/held_walls.py": "walls of a crease, asked for beside a ball",
            "dynamics/touching/lying_corners.py": "walls of creases, asked for beside corners of a body that lies",
            "dynamics/touching/vertex_clearance.py": "vertices of one body, along whole steps",
            "dynamics/touching/vertex_guard.py": "a guard asks for itself",
        },
        "dynamics/",
    ),
    "contact pair, numbers": One(
        "dynamics/contacts/resolve.py",
        ("pair_numbers", "resolve_contact", "push_point"),
    ),
    "load": One(
        "dynamics/rigid/loads.py",
        ("span_of", "load_times", "kick_loads", "load_place"),
        ("span_of",),
        1,
        {"dynamics/march/rates.py": "loads as forces of a moment, for error control"},
    ),
    "ledger update": One(
        "dynamics/ledger/phase_ledger.py",
        ("first_phase", "next_phase", "update_phase"),
        ("update_phase",),
        1,
        {
            "dynamics/ledger/system_phases.py": "stores and works of a system of bodies and cables",
            "dynamics/liftoff/liftoff_flight.py": "stores of a point mass",
            "dynamics/touching/energy_ledger.py": "stores and works of a body on ground",
        },
    ),
    "step control": One(
        "dynamics/march/step_control.py",
        ("shorter_step", "next_step", "kept_ratio", "commit_state"),
        ("step_factor",),
    ),
    "loop of steps with error control": One(
        "dynamics/march/step_loop.py",
        ("march_steps",),
        ("next_step", "shorter_step", "implicit_factor"),
        1,
        {
            "dynamics/march/adaptive.py": "systems with smooth forces: what each call of the loop does",
            "dynamics/rigid/axial_entry.py": "a rod in soil: the same, with other independent variables",
            "dynamics/march/error_control.py": "systems whose contacts are settled between steps: the same",
            "dynamics/cable/tether_march.py": "tethers, by implicit steps: the same",
            "dynamics/touching/advance.py": "bodies on ground: touches by bounds, impacts as events; decision note 41",
        },
    ),
    "root of a gap within a step": One(
        "dynamics/march/step_control.py",
        ("bracket_guess", "narrower"),
        ("bracket_guess",),
        1,
        {
            "dynamics/march/closing_gaps.py": "any of several gaps, to a time",
            "dynamics/march/first_touch.py": "one gap with its bound, to a depth",
        },
    ),
    "unit quaternion after a step": One("dynamics/rigid/rigid_body.py", ("normalise",)),
    "tables of Runge-Kutta pairs": One("dynamics/march/tableau.py", ("lower_table",)),
    "vector from a row of numbers": One("core/vectors.py", ("three_at", "put_three")),
    "entry of a table by its name": One("core/name_lists.py", ("named",)),
}


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@functools.cache
def called(path: Path) -> frozenset[str]:
    """Names of all functions a file calls, or hands on to be called."""
    nodes = (node for node in walked(tree(path)) if isinstance(node, ast.Call))
    return frozenset(
        node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        for node in nodes
    )


def definers(function: str) -> list[str]:
    """Files with a function of this name outside a class."""
    return [
        name(path)
        for path in SOURCES
        if any(node.name == function for node in functions(path) if node in tree(path).body)
    ]


@pytest.mark.parametrize("thing", ONES)
def test_each_thing_is_defined_once(thing):
    one = ONES[thing]
    found = {function: definers(function) for function in one.names}
    assert found == {function: [one.where] for function in one.names}, "one name, one definition"


@pytest.mark.parametrize("thing", ONES)
def test_no_other_file_defines_the_same_thing(thing):
    one = ONES[thing]
    makers = {
        name(path)
        for path in SOURCES
        if name(path).startswith(one.within)
        and one.calls
        and len(called(path) & set(one.calls)) >= one.least
    }
    second = makers - {one.where} - set(one.others)
    assert not second, f"use {one.where}, or say in ONES why not"
    assert not set(one.others) - makers, "no longer so: take its reason out"


def test_whoever_chooses_steps_by_their_error_takes_them_in_the_one_loop():
    loop = ONES["loop of steps with error control"]
    choosing = {path for path in SOURCES if called(path) & set(loop.calls)}
    own = {name(path) for path in choosing if "march_steps" not in called(path)}
    assert own == {"dynamics/touching/advance.py"}  # decision note 41
