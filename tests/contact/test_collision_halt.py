"""The end of a slip by its own series, against the same slip taken step by step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.contact import collision_segments
from haptos.contact.collision import collision_scratch
from haptos.contact.collision_halt import halt_sums, halting_direction
from haptos.contact.collision_reversal import slip_rates
from haptos.contact.collision_slip import COLUMNS, LENGTH
from haptos.contact.collision_stronge import stronge_collision
from tests.close import assert_close
from tests.contact.bodies import triple
from tests.contact.impact_cases import random_six

SCRATCH = collision_scratch()


def random_hit(seed):
    rng = np.random.default_rng(seed)
    nu = rng.normal(size=3)
    nu[2] = -abs(nu[2]) - 0.5
    return random_six(rng), triple(nu), rng.uniform(0.5, 3.0), rng.uniform(0.0, 1.0)


@pytest.mark.parametrize("seed", range(30))
def test_impacts_are_the_same_without_it_but_take_more_steps(seed, monkeypatch):
    hit = random_hit(seed)
    found = stronge_collision(*hit, SCRATCH)
    monkeypatch.setattr(
        collision_segments, "halting_direction", lambda m, f, c, s: (False, 0.0, c, s)
    )
    stepped = stronge_collision(*hit, SCRATCH)
    assert_close(found.impulse, stepped.impulse, rtol=1e-11)
    size = abs(stepped.normal_work) + abs(stepped.friction_work)
    assert_close(found.friction_work, stepped.friction_work, rtol=1e-11, scale=size)
    assert found.steps <= stepped.steps


def halting_cases(count):
    rng = np.random.default_rng(9)
    cases = []
    while len(cases) < count:
        six, f, phi = random_six(rng), rng.uniform(0.1, 3.0), rng.uniform(0.0, 2.0 * math.pi)
        six = tuple(x / six[5] for x in six)
        found, d, c, s = halting_direction(six, f, math.cos(phi), math.sin(phi))
        if found and abs(d) > 1e-3:
            cases.append((six, f, phi, d, c, s))
    return cases


def test_direction_is_one_in_which_slip_halts():
    for six, f, phi, d, c, s in halting_cases(50):
        g, h = slip_rates(six, f, c, s)
        assert g < 0.0
        assert abs(h) <= 1e-12 * (f * (six[0] + six[3]) + abs(six[2]) + abs(six[4]))
        assert_close((math.cos(phi - d), math.sin(phi - d)), (c, s), rtol=1e-14)


def slope_errors(d_error=1.0):
    """h F' + g F + 1 by differences, for the impulse of the last stretch; zero."""
    errors, step = [], 1e-4
    table = np.empty((LENGTH, COLUMNS))
    for six, f, phi, d, c, s in halting_cases(50):
        sums = [halt_sums(six, f, d_error * d + x, c, s, table) for x in (-step, 0.0, step)]
        if all(converged for converged, _ in sums):
            before, here, after = (found[0] for _, found in sums)
            g, h = slip_rates(six, f, math.cos(phi), math.sin(phi))
            errors.append(h * (after - before) / (2.0 * step) + g * here + 1.0)
    assert len(errors) > 20
    return errors


def test_impulse_of_the_last_stretch_satisfies_its_equation():
    assert_close(slope_errors(), np.zeros(len(slope_errors())), rtol=1e-5, scale=1.0)


def test_check_has_teeth():
    errors = slope_errors(1.01)
    with pytest.raises(AssertionError):
        assert_close(errors, np.zeros(len(errors)), rtol=1e-5, scale=1.0)
