"""Every function of the registries gives compiled what it gives in plain Python."""

from __future__ import annotations

import dataclasses

import pytest

from haptos.contact.hertz import hertz_force
from tests.kernels import contact_cases, dynamics_cases, environment_cases, geometry_cases
from tests.kernels.harness import Case, assert_same, compare, compiled

ROOMS = {
    "contact": contact_cases.CASES,
    "dynamics": dynamics_cases.CASES,
    "environment": environment_cases.CASES,
    "geometry": geometry_cases.CASES,
}
CASES = {f"{room}: {name}": case for room, cases in ROOMS.items() for name, case in cases.items()}


@pytest.mark.parametrize("name", CASES)
def test_compiled_call_equals_python_call(name):
    case = CASES[name]
    fast = compiled(case)
    assert compare(case, fast, case.plain) > 0
    if case.kinds is not None:
        assert len(fast.signatures) <= case.kinds  # one compiled function serves every kind


def test_the_comparison_sees_a_law_that_is_off_in_its_last_digits():
    case = Case(hertz_force, lambda: [(1e6, 0.01)])
    with pytest.raises(AssertionError):
        compare(case, compiled(case), lambda k, depth: hertz_force(k * (1.0 + 1e-15), depth))
    near = dataclasses.replace(case, rtol=1e-14)
    compare(near, compiled(near), lambda k, depth: hertz_force(k * (1.0 + 1e-15), depth))
    with pytest.raises(AssertionError):
        compare(near, compiled(near), lambda k, depth: hertz_force(k * (1.0 + 1e-13), depth))


def test_the_comparison_sees_parts_that_are_missing():
    case = Case(hertz_force, list)
    with pytest.raises(AssertionError):
        assert_same((1.0, (2.0,)), (1.0, (2.0, 3.0)), case)
