"""Kinematic restitution: the normal speed it promises, and the energy it may create."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.collision import collision_scratch
from haptos.contact.collision_newton import newton_collision
from haptos.contact.collision_path import FINE
from haptos.contact.collision_stronge import stronge_collision
from tests.close import assert_close
from tests.contact.bodies import triple
from tests.contact.impact_cases import matrix_of, random_six
from tests.contact.test_collision_stronge import EDGE, PLANAR

SCRATCH = collision_scratch()


def promised(seed, e_error=1.0):
    """(nu3 after over |nu3| before, e) of a random impact."""
    rng = np.random.default_rng(seed)
    six, nu, f, e = random_six(rng), rng.normal(size=3), rng.uniform(0.0, 3.0), rng.uniform(0.1, 1)
    nu[2] = -abs(nu[2]) - 0.1
    found = newton_collision(six, triple(nu), f, e_error * e, SCRATCH)
    assert found.status == FINE
    return (nu[2] + matrix_of(six)[2] @ found.impulse) / -nu[2], e


@given(st.integers(0, 2**32 - 1))
def test_normal_speed_after_is_e_times_that_before(seed):
    found, e = promised(seed)
    assert_close(found, e, rtol=1e-10)


@pytest.mark.parametrize(("slip", "f"), [case[:2] for case in PLANAR])
def test_planar_cases_part_with_half_the_speed_whatever_friction_does(slip, f):
    found = newton_collision(EDGE, (slip, 0.0, -1.0), f, 0.5, SCRATCH)
    assert_close(-1.0 + matrix_of(EDGE)[2] @ found.impulse, 0.5, rtol=1e-14)


def test_it_equals_the_energetic_law_where_slip_keeps_its_direction():
    slip, f = PLANAR[2][:2]
    arguments = (EDGE, (slip, 0.0, -1.0), f, 0.5, SCRATCH)
    assert_close(
        newton_collision(*arguments).impulse, stronge_collision(*arguments).impulse, rtol=1e-14
    )


def test_it_can_create_energy():
    """Slip that jams and reverses with e = 1: the ground gives back more than it took."""
    rng = np.random.default_rng(1)
    gained = 0
    for _ in range(300):
        six, nu, f = random_six(rng), rng.normal(size=3), rng.uniform(0.1, 1.5)
        nu[2] = -abs(nu[2])
        found = newton_collision(six, triple(nu), f, 1.0, SCRATCH)
        change = (nu + 0.5 * matrix_of(six) @ found.impulse) @ found.impulse
        works = found.normal_work + found.friction_work
        assert_close(works, change, rtol=1e-9, scale=float(nu @ nu) / six[5])
        gained += works > 1e-6 * float(nu @ nu) / six[5]
    assert gained > 0


def test_check_has_teeth():
    found, e = promised(4, e_error=0.99)
    with pytest.raises(AssertionError):
        assert_close(found, e, rtol=1e-10)
