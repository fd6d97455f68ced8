"""Energetic impacts: published cases, an independent integrator, and everything that must not fail."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from haptos.contact.collision import collision_scratch
from haptos.contact.collision_path import (
    FINE,
    REFUSED,
    REVERSING,
    SEPARATING,
    SLIPPING,
    STICKING,
)
from haptos.contact.collision_reversal import holding_friction, slip_rates
from haptos.contact.collision_stronge import stronge_collision
from tests.close import assert_close
from tests.contact.bodies import triple
from tests.contact.impact_cases import collision_six, matrix_of, random_six, reference_impulse

SCRATCH = collision_scratch()
EDGE = collision_six(1.0, np.eye(3) / 6.0, np.array([0.5, 0.0, -0.5]))
CUBE = collision_six(5.0, 0.0386799 * np.eye(3), np.array([0.06, -0.07, -0.16]))
CUBE_NU = (0.083, 0.044, -0.045)
seeds = st.integers(0, 2**32 - 1)


def impact(six, nu, f, e):
    return stronge_collision(six, triple(nu), f, e, SCRATCH)


def nu_after(six, nu, found):
    return np.array(nu) + matrix_of(six) @ found.impulse


PLANAR = [  # slip before, f, mode, end of compression, P, nu after
    (-0.2, 0.8, STICKING, 0.55, (-0.416165, 0.0, 0.826941), (0.0, 0.0, 0.443106)),
    (-0.2, 0.3, REVERSING, 0.448780, (-0.149195, 0.0, 0.675095), (0.439654, 0.0, 0.463944)),
    (0.2, 0.3, SLIPPING, 0.487805, (-0.219512, 0.0, 0.731707), (0.748780, 0.0, 0.5)),
]


@pytest.mark.parametrize(("slip", "f", "mode", "compression", "impulse", "after"), PLANAR)
def test_planar_edge_hit(slip, f, mode, compression, impulse, after):
    nu = (slip, 0.0, -1.0)
    found = impact(EDGE, nu, f, 0.5)
    assert found.mode == mode
    assert_close(found.compression, compression, rtol=1e-6, scale=1.0)  # six decimals are given
    assert_close(found.impulse, impulse, rtol=1e-6, scale=1.0)
    assert_close(nu_after(EDGE, nu, found), after, rtol=1e-6, scale=1.0)


ECCENTRIC = [  # f, mode, P, nu after
    (1.0, STICKING, (-0.1701276, 0.0682732, 0.3133142), (0.0, 0.0, 0.0245213)),
    (0.5, SLIPPING, (-0.1032666, 0.0071326, 0.2185357), (0.0359316, -0.0236804, 0.0190358)),
    (0.1, SLIPPING, (-0.0162581, -0.0029618, 0.1675681), (0.1081958, -0.0091140, 0.0221596)),
]


@pytest.mark.parametrize(("f", "mode", "impulse", "after"), ECCENTRIC)
def test_eccentric_hit_of_a_cube(f, mode, impulse, after):
    found = impact(CUBE, CUBE_NU, f, 0.5)
    assert found.mode == mode
    assert_close(found.impulse, impulse, rtol=1e-6)
    assert_close(nu_after(CUBE, CUBE_NU, found), after, rtol=1e-6, scale=0.1)


def test_cube_has_the_published_holding_friction():
    t1, t2 = holding_friction(CUBE)
    assert_close(math.hypot(t1, t2), 0.4425030, rtol=1e-6)
    assert_close(math.atan2(t2, t1), -0.8621701, rtol=1e-6)


def test_check_has_teeth():
    spoiled = impact(CUBE, CUBE_NU, 0.505, 0.5)
    with pytest.raises(AssertionError):
        assert_close(spoiled.impulse, ECCENTRIC[1][2], rtol=1e-6)


@pytest.mark.parametrize("slip", [0.0, 0.05, 0.13999, 0.14001, 0.5])
@pytest.mark.parametrize("direction", [0.0, 1.0, 2.5])
def test_sphere_follows_its_closed_form(slip, direction):
    """nu3+ = -e nu3; it sticks if s <= 3.5 f (1 + e) |nu3|, else it loses that much slip."""
    mass, e, f, closing = 5.0, 0.6, 0.5, 0.05
    six = (3.5 / mass, 0.0, 0.0, 3.5 / mass, 0.0, 1.0 / mass)
    along = np.array([math.cos(direction), math.sin(direction)])
    nu = np.append(slip * along, -closing)
    found = impact(six, nu, f, e)
    left = max(slip - 3.5 * f * (1.0 + e) * closing, 0.0)
    expected = np.append(left * along, e * closing)
    assert_close(nu_after(six, nu, found), expected, rtol=1e-14, scale=0.5)
    assert found.mode == (STICKING if left == 0.0 else SLIPPING)
    assert found.steps == 0


@pytest.mark.parametrize("seed", range(24))
def test_random_impacts_agree_with_an_integrator_that_shares_no_code(seed):
    rng = np.random.default_rng(seed)
    six = random_six(rng, rng.choice([0.5, 1.0, 2.0]))
    nu = rng.normal(size=3)
    nu[2] = -abs(nu[2])
    f, e = 10.0 ** rng.uniform(-1.5, 0.5), rng.uniform(0.0, 1.0)
    if seed % 6 == 0:
        nu[:2] = 0.0
    found = impact(six, nu, f, e)
    assert_close(found.impulse, reference_impulse(six, nu, f, e), rtol=1e-8)


def random_hit(seed):
    rng = np.random.default_rng(seed)
    six = random_six(rng, 10.0 ** rng.uniform(-1.0, 0.7))
    nu = 10.0 ** rng.uniform(-6.0, 2.0) * rng.normal(size=3)
    nu[2] = -abs(nu[2])
    return six, nu, 10.0 ** rng.uniform(-3.0, 1.5), rng.uniform(0.0, 1.0)


@given(seeds)
@example(0)
def test_works_along_the_path_add_up_to_the_change_of_energy(seed):
    six, nu, f, e = random_hit(seed)
    found = impact(six, nu, f, e)
    change = 0.5 * (nu + nu_after(six, nu, found)) @ found.impulse
    size = float(nu @ np.linalg.solve(matrix_of(six), nu))
    assert_close(found.normal_work + found.friction_work, change, rtol=1e-12, scale=size)
    assert found.normal_work <= 0.0
    assert found.friction_work <= 0.0
    assert found.status == FINE


@given(seeds)
def test_ground_gives_back_the_square_of_e_exactly(seed):
    six, nu, f, e = random_hit(seed)
    whole = impact(six, nu, f, 0.0)  # ends with compression
    found = impact(six, nu, f, e)
    assert found.compression == whole.compression
    assert_close(
        found.normal_work, (1.0 - e * e) * whole.normal_work, rtol=1e-10, scale=-whole.normal_work
    )
    assert abs(nu_after(six, nu, whole)[2]) <= 1e-12 * np.linalg.norm(nu) * np.linalg.cond(
        matrix_of(six)
    )


def jam():
    """A planar hit whose normal speed falls while it slips: dnu3/dp = M33 - f M13 < 0."""
    six = collision_six(1.0, np.eye(3) / 12.0, np.array([0.3, 0.0, -0.6]))
    return six, (1.0, 0.0, -0.1), 2.0


@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("sideways", [0.0, 1e-12, 0.3])
def test_a_jam_ends_by_itself(e, sideways):
    six, nu, f = jam()
    assert six[5] - f * six[2] < 0.0
    nu = np.array([nu[0], sideways, nu[2]])
    found = impact(six, nu, f, e)
    assert found.status == FINE
    assert found.mode == STICKING
    assert_close(found.impulse, reference_impulse(six, nu, f, e), rtol=1e-8)


def test_in_a_jam_slip_always_slows_down():
    rng = np.random.default_rng(3)
    jams = 0
    for _ in range(2000):
        six, phi, f = random_six(rng), rng.uniform(0.0, 2.0 * math.pi), rng.uniform(0.0, 5.0)
        c, s = math.cos(phi), math.sin(phi)
        if six[5] - f * (six[2] * c + six[4] * s) <= 0.0:
            jams += 1
            assert slip_rates(six, f, c, s)[0] < 0.0
    assert jams > 50


@pytest.mark.parametrize("nu", [(0.1, 0.2, 0.0), (0.1, 0.2, 0.3), (0.0, 0.0, 0.0)])
def test_a_point_that_does_not_approach_feels_nothing(nu):
    found = impact(CUBE, nu, 0.5, 0.5)
    assert found.impulse == (0.0, 0.0, 0.0)
    assert (found.mode, found.status) == (SEPARATING, FINE)


@pytest.mark.parametrize("f", [0.0, 0.2, 10.0])
@pytest.mark.parametrize("closing", [1e-3, 1e-9, 1e-30])
def test_a_grazing_touch_is_an_impact_of_its_normal_speed(f, closing):
    """As nu3 goes to zero, slip hardly changes: nu3+ = e |nu3| and P = (1 + e) |nu3| / rise."""
    nu = (0.083, 0.044, -closing * 0.094)
    found = impact(CUBE, nu, f, 0.5)
    c, s = np.array(nu[:2]) / math.hypot(nu[0], nu[1])
    rise = CUBE[5] - f * (CUBE[2] * c + CUBE[4] * s)
    if rise > 0.0 and closing < 1e-6:
        assert_close(found.impulse[2], -1.5 * nu[2] / rise, rtol=1e-6)
    assert found.status == FINE


@pytest.mark.parametrize("tiny", [1e-9, 1e-12, 1e-14, 1e-40])
@pytest.mark.parametrize("f", [0.2, 0.8])
@pytest.mark.parametrize("phi", [0.0, 2.0, 4.0])
def test_hardly_any_slip_is_as_none(tiny, f, phi):
    still = impact(CUBE, (0.0, 0.0, -1.0), f, 0.5)
    found = impact(CUBE, (tiny * math.cos(phi), tiny * math.sin(phi), -1.0), f, 0.5)
    assert_close(found.impulse, still.impulse, rtol=max(100.0 * tiny, 1e-12))


def test_small_restitution_keeps_its_digits():
    without = impact(CUBE, CUBE_NU, 0.5, 0.0)
    found = impact(CUBE, CUBE_NU, 0.5, 1e-9)
    last = nu_after(CUBE, CUBE_NU, found)[2] - nu_after(CUBE, CUBE_NU, without)[2]
    assert 0.0 < last < 1e-8


@pytest.mark.parametrize(
    ("six", "nu", "f", "e"),
    [
        (CUBE, (math.nan, 0.0, -1.0), 0.5, 0.5),
        (CUBE, (0.1, 0.0, -math.inf), 0.5, 0.5),
        (CUBE, CUBE_NU, math.nan, 0.5),
        (CUBE, CUBE_NU, -0.1, 0.5),
        (CUBE, CUBE_NU, 0.5, 1.1),
        (CUBE, CUBE_NU, 0.5, -0.1),
        ((1.0, 2.0, 0.0, 1.0, 0.0, 1.0), CUBE_NU, 0.5, 0.5),
        ((0.0,) * 6, CUBE_NU, 0.5, 0.5),
    ],
)
def test_senseless_input_is_refused_without_an_impulse(six, nu, f, e):
    found = impact(six, nu, f, e)
    assert found.status == REFUSED
    assert found.impulse == (0.0, 0.0, 0.0)


number = st.floats(-1e3, 1e3)


@given(st.tuples(number, number, number), st.tuples(number, number, number),
       st.floats(0.0, 100.0), st.floats(0.0, 1.0))  # fmt: skip
def test_every_impact_ends_with_numbers(r, nu, f, e):
    six = collision_six(2.0, np.diag([1.0, 2.0, 2.5]), np.array(r))
    found = impact(six, nu, f, e)
    assert np.isfinite(found.impulse).all()
    assert np.isfinite([found.normal_work, found.friction_work]).all()
    assert found.impulse[2] >= 0.0
    assert math.hypot(*found.impulse[:2]) <= f * found.impulse[2] * (1.0 + 1e-9)
