"""The equations of a body on ground close their energy account, whatever ground, gravity, spin and contact."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.contact.compliant import CompliantLaw
from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.dynamics.rigid.rigid_body import (
    ATTITUDE,
    FRAME_ATTITUDE,
    FRAME_RATE,
    FULL_SIZE,
    RATE,
    WORK_DAMPING,
    WORK_SPIN,
    WORK_SUNLIGHT,
)
from haptos.dynamics.touching.contact_loads import contact_now
from haptos.dynamics.touching.energies import energies, motion_energies, motion_energy, works
from haptos.dynamics.touching.kept_gravity import forget_gravity, gravity_here
from haptos.dynamics.touching.model import Spin
from haptos.dynamics.touching.rates import motion_rate
from haptos.environment import gravity as gravities
from haptos.environment.ground_sunlight import Sun
from haptos.geometry.distance import surface as surfaces
from tests.close import assert_close
from tests.contact.bodies import random_inertia, random_touching_body, tilde, touching_body
from tests.touching_cases import NO_SUN, ground_of, touching_model

LAW = CompliantLaw(k=50.0, c=6.6, mu=0.5, mu_s=0.7, c_rr=0.005, v_s=0.03, w_s=0.3)
GRAVITIES = {
    "uniform": gravities.uniform((0.001, -0.002, -0.005)),
    "point": gravities.point(5.0),
    "ellipsoid": gravities.ellipsoid((300.0, 250.0, 220.0), 5.0),
}
LEVEL = surfaces.plane((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
SUN = Sun(True, (0.6, 0.0, 0.8), 1e-3, 1.5e11, 1e-9)  # strong light, and next to no shadow
SPINS = {"none": (0.0, 0.0, 0.0), "uniform": (0.02, -0.05, 0.1), "tumbling": (0.02, -0.05, 0.1)}


def model_with(body, surface, gravity, spin, is_sunlit=False):
    return touching_model(
        body, surface, GRAVITIES[gravity], LAW,
        spin=Spin(SPINS[spin], spin != "none", spin == "tumbling", (1.0, 1.9, 2.4)),
        sun=SUN if is_sunlit else NO_SUN,
    )  # fmt: skip


def random_model(seed, kind, gravity, spin, count):
    """(model, state) with `count` vertices in the ground."""
    rng = np.random.default_rng([seed, count, len(gravity), len(spin)])
    quaternion = random_quaternion(rng)
    body, surface, _, x = random_touching_body(
        rng, kind, max(count, 1), dcm_AB=rotation_matrices(quaternion)
    )
    body.touching_count[0] = count
    y = np.zeros(FULL_SIZE)
    y[0:3], y[3:6] = x, 0.05 * rng.normal(size=3)
    y[ATTITUDE : ATTITUDE + 4], y[RATE : RATE + 3] = quaternion, 0.5 * rng.normal(size=3)
    y[WORK_DAMPING : WORK_SPIN + 1] = rng.normal(size=5)
    y[FRAME_ATTITUDE : FRAME_ATTITUDE + 4] = random_quaternion(rng)
    y[FRAME_RATE : FRAME_RATE + 3] = SPINS[spin]
    return model_with(body, surface, gravity, spin), y


def rate_of(model, y):
    dy = np.zeros(FULL_SIZE)
    motion_rate(model, 0.0, y, dy)
    return dy


def stored(model, y):
    return sum(energies(model, y))


def account(model, y, step=5e-5):
    """(rate of the stored energy along the motion, rate of the works, size of the flows) [W]."""
    dy = rate_of(model, y)

    def at(i):
        return stored(model, y + i * step * dy)

    storing = (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * step)
    flows = np.abs(dy[WORK_DAMPING : WORK_SPIN + 1]).sum()
    moving = model.body.mass * np.linalg.norm(y[3:6]) * np.linalg.norm(dy[3:6])
    # the difference quotient of a stored E is rounded by 1e-16 E / 5e-5 s = 1e-9 * 2e-3 E / s
    rounding = 2e-3 * sum(map(abs, energies(model, y)))
    return storing, works(model, dy), flows + moving + rounding


def assert_account_closes(model, y, model_of_rate=None):
    storing, working, size = account(model, y)
    if model_of_rate is not None:
        working = works(model, rate_of(model_of_rate, y))
    assert_close(storing, working, rtol=1e-8, scale=size)


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("is_top", [False, True])
def test_gravity_is_kept_for_the_place_of_the_last_rate_and_no_other(is_top, gravity):
    model, y = random_model(2, "sphere", gravity, "uniform", 0)
    model = model._replace(top=model.top._replace(is_on=is_top))
    x, field = tuple(y[:3]), GRAVITIES[gravity]
    rate_of(model, y)
    assert gravity_here(model, x) == gravities.potential_and_gravity(field, x)
    for i in range(3):
        near = tuple(np.nextafter(x[j], 1e9) if j == i else x[j] for j in range(3))
        assert gravity_here(model, near) == gravities.potential_and_gravity(field, near)
    model.last_gravity[3:] = 7.0  # shows where the kept numbers come from
    assert gravity_here(model, x) == (7.0, (7.0, 7.0, 7.0))
    assert gravity_here(model, near) == gravities.potential_and_gravity(field, near)
    forget_gravity(model)
    assert gravity_here(model, x) == gravities.potential_and_gravity(field, x)


@pytest.mark.parametrize("kind", ["plane", "sphere"])
@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("spin", SPINS)
@pytest.mark.parametrize("count", [0, 1, 4])
def test_stored_energy_changes_by_what_is_booked_as_work(count, spin, gravity, kind):
    for seed in range(3):
        assert_account_closes(*random_model(seed, kind, gravity, spin, count))


@pytest.mark.parametrize("spin", SPINS)
def test_works_in_flight_are_those_of_a_tumbling_body_only(spin):
    model, y = random_model(1, "sphere", "point", spin, 0)
    dy = rate_of(model, y)
    assert np.all(dy[WORK_DAMPING:WORK_SPIN] == 0.0)
    assert (dy[WORK_SPIN] != 0.0) == (spin == "tumbling")
    assert contact_now(model, 0.0, y) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("spin", SPINS)
@pytest.mark.parametrize("count", [0, 4])
def test_work_of_sunlight_closes_the_account(count, spin):
    for seed in range(3):
        model, y = random_model(seed, "sphere", "point", spin, count)
        lit = model._replace(sun=SUN)
        assert_account_closes(lit, y)
        assert rate_of(lit, y)[WORK_SUNLIGHT] != 0.0
        with pytest.raises(AssertionError, match="off by"):  # light that is felt and not recorded
            assert_account_closes(lit, y, model)


def test_sunlight_pushes_away_from_the_sun_however_the_body_has_turned():
    body = touching_body(2.0, 0.1 * np.eye(3), [(0.1, 0.0, 0.0)], [])
    model = model_with(body, LEVEL, "uniform", "none")
    spin = model.spin._replace(rate=(0.0, 0.0, 0.5 * np.pi))
    model = model._replace(gravity=gravities.uniform((0.0, 0.0, 0.0)), sun=SUN, spin=spin)
    y = np.zeros(FULL_SIZE)
    y[0:3], y[ATTITUDE] = (1.0, 2.0, 3.0), 1.0
    dy = np.zeros(FULL_SIZE)
    motion_rate(
        model, 1.0, y, dy
    )  # A axes have turned by 90 deg about z: the Sun went from x to -y
    assert_close(dy[3:6], -1e-3 * np.array([0.0, -0.6, 0.8]), rtol=1e-12)


def test_ground_at_rest_is_a_spin_of_zero_without_its_terms():
    model, y = random_model(2, "plane", "point", "none", 3)
    spinning = model._replace(spin=model.spin._replace(is_on=True))
    assert_close(rate_of(spinning, y), rate_of(model, y), rtol=1e-15)


def test_tumbling_body_with_equal_moments_is_a_uniform_rotator():
    model, y = random_model(3, "sphere", "point", "tumbling", 2)
    same = model._replace(spin=model.spin._replace(moments=(2.0, 2.0, 2.0)))
    uniform = model._replace(spin=model.spin._replace(is_tumbling=False))
    found, expected = rate_of(same, y), rate_of(uniform, y)
    assert_close(found[:WORK_SPIN], expected[:WORK_SPIN], rtol=1e-15)
    assert found[WORK_SPIN] == 0.0


def test_frame_of_a_tumbling_body_turns_at_its_rate():
    model, y = random_model(4, "sphere", "point", "tumbling", 0)
    dy = rate_of(model, y)
    step = 1e-6
    ends = [
        rotation_matrices(y[FRAME_ATTITUDE:FRAME_RATE] + s * step * dy[FRAME_ATTITUDE:FRAME_RATE])
        for s in (-1, 1)
    ]
    now = rotation_matrices(y[FRAME_ATTITUDE:FRAME_RATE])
    assert_close((ends[1] - ends[0]) / (2.0 * step), now @ tilde(SPINS["tumbling"]), rtol=1e-8)


def test_cube_sunk_by_its_weight_stays_where_it_is():
    mass, edge, g = 5.0, 0.2, 5.7e-3
    corners = [(edge / 2 * i, edge / 2 * j, -edge / 2) for i in (-1, 1) for j in (-1, 1)]
    body = touching_body(mass, mass * edge**2 / 6.0 * np.eye(3), corners, [0, 1, 2, 3])
    model = model_with(body, LEVEL, "uniform", "none")
    model = model._replace(gravity=gravities.uniform((0.0, 0.0, -g)))
    y = np.zeros(FULL_SIZE)
    y[2], y[ATTITUDE] = edge / 2 - mass * g / (4.0 * LAW.k), 1.0
    assert_close(rate_of(model, y), np.zeros(FULL_SIZE), rtol=1e-12, scale=g)
    load, slip, deepest = contact_now(model, 0.0, y)
    assert_close((load, deepest), (mass * g, mass * g / (4.0 * LAW.k)), rtol=1e-12)
    assert slip == 0.0


def test_energies_are_those_of_a_thrown_stone():
    mass, inertia = 2.0, random_inertia(np.random.default_rng(2), 2.0, 0.1)
    body = touching_body(mass, inertia, [(0.1, 0.0, 0.0)], [])
    model = model_with(body, LEVEL, "uniform", "none")
    y = np.zeros(FULL_SIZE)
    y[0:3], y[3:6], y[ATTITUDE] = (1.0, 2.0, 3.0), (0.3, 0.0, -0.4), 1.0
    kinetic, potential = motion_energies(model, y)
    assert_close(kinetic, 0.5 * mass * 0.25, rtol=1e-15)
    assert_close(potential, -mass * np.dot((0.001, -0.002, -0.005), (1.0, 2.0, 3.0)), rtol=1e-14)
    assert motion_energy(model, y) == kinetic + potential
    assert energies(model, y) == (kinetic, potential, 0.0)


@pytest.mark.parametrize("name", ["k", "c", "mu", "mu_s", "c_rr", "v_s", "w_s"])
def test_check_has_teeth(name):
    """Works recorded by a law one per cent off do not close the account of the right one."""

    def check_all():
        for seed in range(6):
            model, y = random_model(seed, "plane", "uniform", "none", 4)
            law = LAW._replace(**{name: 1.01 * getattr(LAW, name)})
            spoiled = model._replace(ground=ground_of(law))
            assert_account_closes(model, y, spoiled)

    with pytest.raises(AssertionError, match="off by"):
        check_all()
