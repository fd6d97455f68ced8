"""Whole impacts of bodies: ten thousand at random, published cases, turned worlds, refusals."""

from __future__ import annotations

import functools
from contextlib import nullcontext

import numpy as np
import pytest

from haptos.contact.collision import Coefficients, collide, collision_scratch, collisions
from haptos.contact.collision_path import FINE, SLIPPING, STICKING
from haptos.contact.collision_segments import ENERGETIC
from haptos.core.errors import ConfigError
from haptos.core.symmetric import six_of
from tests.close import assert_close
from tests.contact.bodies import random_rotation, rows, triple
from tests.contact.impact_cases import UP, Impacts

COUNT = 10_000


@functools.cache
def many():
    return Impacts(7, COUNT)


@functools.cache
def found(law="energetic", restitution=None, rolling=0.0):
    impacts = many()
    e = impacts.restitution if restitution is None else restitution
    return collisions(
        *impacts.arguments(), restitution=e, friction=impacts.friction, law=law, rolling=rolling
    )


def test_all_of_ten_thousand_impacts_end_well():
    assert (found().status == FINE).all()
    assert (found().steps < 60).all()
    assert np.isfinite(found().v).all()
    assert set(np.unique(found().mode)) >= {SLIPPING, STICKING}


@pytest.mark.parametrize("law", ["energetic", "kinematic", "kinetic"])
@pytest.mark.parametrize("rolling", [0.0, 0.003])
def test_energy_changes_by_the_works(law, rolling):
    impacts, after = many(), found(law, rolling=rolling)
    before = impacts.energy(impacts.v, impacts.w_B)
    change = impacts.energy(after.v, after.w_B) - before
    works = after.normal_work + after.friction_work + after.rolling_work
    size = before + impacts.energy(after.v, after.w_B)
    assert_close((works - change) / size, np.zeros(COUNT), rtol=1e-12, scale=1.0)


@pytest.mark.parametrize("rolling", [0.0, 0.003])
def test_no_work_of_the_energetic_law_is_positive(rolling):
    after = found(rolling=rolling)
    assert (after.normal_work <= 0.0).all()
    assert (after.friction_work <= 0.0).all()
    assert (after.rolling_work <= 0.0).all()


def test_ground_gives_back_the_square_of_e_of_what_compression_took():
    taken = found(restitution=0.0).normal_work
    kept = found().normal_work / taken
    assert_close(kept, 1.0 - many().restitution ** 2, rtol=1e-10)


def test_points_part_and_stay_in_the_cone():
    impacts, after = many(), found()
    nu = impacts.point_velocity()
    parting = np.einsum("ni,ni->n", impacts.point_velocity(after.v, after.w_B), impacts.normal)
    assert (parting >= -1e-10 * np.linalg.norm(nu, axis=1)).all()
    push = np.einsum("ni,ni->n", after.impulse, impacts.normal)
    rub = np.linalg.norm(after.impulse - push[:, None] * impacts.normal, axis=1)
    assert (rub <= impacts.friction * push * (1.0 + 1e-10)).all()


def test_impacts_turn_with_the_world():
    impacts = many()
    turn = random_rotation(np.random.default_rng(2))
    there = collisions(
        *impacts.turned(turn).arguments(),
        restitution=impacts.restitution,
        friction=impacts.friction,
    )
    size = np.linalg.norm(found().impulse, axis=1)
    error = np.linalg.norm(there.impulse - found().impulse @ turn.T, axis=1) / size
    # rounding of the turned input grows where slip nearly halts at f near f*
    assert np.quantile(error, 0.99) < 1e-12
    assert error.max() < 1e-5


CUBE = {"mass": 5.0, "inertia": 0.0386799 * np.eye(3), "dcm_AB": np.eye(3)}
CUBE_HIT = {"r": [0.06, -0.07, -0.16], "v": [0.03, 0.01, -0.05], "w_B": [0.1, -0.2, 0.3]}


def test_published_cube_hits():
    after = collisions(
        **CUBE, **CUBE_HIT, normal=UP, restitution=0.5, friction=[1.0, 0.5, 0.1]
    )  # fmt: skip
    v = [[-0.0040255, 0.0236546, 0.0126628], [0.0093467, 0.0114265, -0.0062929],
         [0.0267484, 0.0094076, -0.0164864]]  # fmt: skip
    w = [[-0.1845993, 0.0177246, 0.0980208], [-0.2659856, -0.1118273, 0.1241799],
         [-0.2155038, -0.3926786, 0.2659830]]  # fmt: skip
    assert_close(after.v, v, rtol=1e-6, scale=0.05)
    assert_close(after.w_B, w, rtol=1e-6, scale=0.3)

    def energy(v, w):
        return 2.5 * np.sum(np.square(v), axis=-1) + 0.5 * 0.0386799 * np.sum(w**2, axis=-1)

    ratio = energy(after.v, after.w_B) / energy(CUBE_HIT["v"], np.array(CUBE_HIT["w_B"]))
    assert_close(ratio, [0.234882, 0.222749, 0.692818], rtol=2e-6)


@pytest.mark.parametrize(
    ("vx", "v", "w"),
    [
        (0.1, (0.0714286, 0.0, 0.03), (0.0, 0.571429, 0.0)),
        (0.5, (0.46, 0.0, 0.03), (0.0, 0.8, 0.0)),
    ],
)
def test_published_sphere_hits(vx, v, w):
    after = collisions(
        5.0, 0.4 * 5.0 * 0.125**2 * np.eye(3), np.eye(3), [0.0, 0.0, -0.125], [vx, 0.0, -0.05],
        [0.0, 0.0, 0.0], UP, restitution=0.6, friction=0.5,
    )  # fmt: skip
    assert_close(after.v[0], v, rtol=1e-6)
    assert_close(after.w_B[0], w, rtol=1e-6)


def test_published_planar_hits_of_a_body():
    after = collisions(
        1.0, np.eye(3) / 6.0, np.eye(3), [0.5, 0.0, -0.5],
        [[-0.2, 0.0, -1.0], [-0.2, 0.0, -1.0], [0.2, 0.0, -1.0]], [0.0, 0.0, 0.0], UP,
        restitution=0.5, friction=[0.8, 0.3, 0.3],
    )  # fmt: skip
    assert_close(after.w_B[:, 1], [-1.232329, -1.577699, -1.536585], rtol=1e-6)
    assert_close(after.v[:, 0], [-0.616165, -0.349195, -0.019512], rtol=1e-6, scale=1.0)
    assert_close(after.v[:, 2], [-0.173059, -0.324905, -0.268293], rtol=1e-6, scale=1.0)


def test_compiled_impacts_are_those_of_plain_python_bit_for_bit():
    impacts, after = many(), found(rolling=0.003)
    for i in range(40):
        given = Coefficients(
            float(impacts.restitution[i]), float(impacts.friction[i]), ENERGETIC, (0.003,) * 3, 1e-3
        )
        inverse = np.linalg.inv(impacts.inertia)[i]
        one = collide(
            float(impacts.mass[i]), six_of(inverse), rows(impacts.dcm_AB[i]),
            triple(impacts.r[i]), triple(impacts.v[i]), triple(impacts.w_B[i]),
            triple(impacts.normal[i]), given, collision_scratch(),
        )  # fmt: skip
        assert triple(after.v[i]) == one.v
        assert triple(after.w_B[i]) == one.w_B
        assert after.rolling_work[i] == one.rolling_work
        assert after.mode[i] == one.mode


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"restitution": 1.2}, "0 to 1"),
        ({"friction": -0.1}, "0 or more"),
        ({"law": "elastic"}, "energetic, kinematic, kinetic"),
        ({"normal": (0.0, 0.0, 2.0)}, "length 1"),
        ({"rolling": -1.0}, "0 or more"),
        ({"mass": 0.0}, "above zero"),
        ({"inertia": np.zeros((3, 3))}, "positive definite"),
        ({"v": (np.nan, 0.0, 0.0)}, "finite"),
    ],
)
def test_senseless_input_is_refused(wrong, text):
    given = {**CUBE, **CUBE_HIT, "normal": UP, "restitution": 0.5, "friction": 0.5, **wrong}
    with pytest.raises(ConfigError, match=text):
        collisions(**given)


def test_check_has_teeth():
    impacts = many()
    mass, *rest = impacts.arguments()
    for share in (1.0, 1.01):
        after = collisions(
            share * mass, *rest, restitution=impacts.restitution, friction=impacts.friction
        )
        works = after.normal_work + after.friction_work
        change = impacts.energy(after.v, after.w_B) - impacts.energy(impacts.v, impacts.w_B)
        with nullcontext() if share == 1.0 else pytest.raises(AssertionError):
            assert_close(works, change, rtol=1e-6, scale=np.abs(change).max())
