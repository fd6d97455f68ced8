"""Kinetic restitution: the impulse of restitution is e times that of compression."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from haptos.contact.collision import collision_scratch
from haptos.contact.collision_path import FINE
from haptos.contact.collision_poisson import poisson_collision
from haptos.contact.collision_stronge import stronge_collision
from tests.close import assert_close
from tests.contact.bodies import triple
from tests.contact.impact_cases import random_six

SCRATCH = collision_scratch()


def random_hit(seed):
    rng = np.random.default_rng(seed)
    nu = rng.normal(size=3)
    nu[2] = -abs(nu[2]) - 0.1
    return random_six(rng), triple(nu), rng.uniform(0.0, 3.0), rng.uniform(0.0, 1.0)


def ratio(found):
    return found.impulse[2] / found.compression


@given(st.integers(0, 2**32 - 1))
def test_impulse_is_one_plus_e_times_that_of_compression(seed):
    six, nu, f, e = random_hit(seed)
    found = poisson_collision(six, nu, f, e, SCRATCH)
    assert found.status == FINE
    assert_close(ratio(found), 1.0 + e, rtol=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_without_friction_all_laws_agree(seed):
    six, nu, _, e = random_hit(seed)
    found = poisson_collision(six, nu, 0.0, e, SCRATCH)
    assert_close(found.impulse, stronge_collision(six, nu, 0.0, e, SCRATCH).impulse, rtol=1e-12)


@given(st.integers(0, 2**32 - 1))
def test_works_only_take_energy_together(seed):
    six, nu, f, e = random_hit(seed)
    found = poisson_collision(six, nu, f, e, SCRATCH)
    assert found.normal_work + found.friction_work <= 0.0


def test_check_has_teeth():
    six, nu, f, e = random_hit(1)
    with pytest.raises(AssertionError):
        assert_close(ratio(poisson_collision(six, nu, f, 0.99 * e, SCRATCH)), 1.0 + e, rtol=1e-12)
