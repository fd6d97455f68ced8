"""A law in one file: alone, stepped by the net's flow, under a lander and in a net."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import haptos
from haptos.contact.contact_flow import OPEN, contact_energy, contact_flow
from haptos.contact.laws.kelvin_voigt import (
    kelvin_voigt,
    kelvin_voigt_damping,
    kelvin_voigt_restitution,
)
from haptos.contact.laws.normal import NORMAL_LAWS, normal_heat, normal_load
from haptos.contact.pair_rows import damper_loss, pair_row
from tests.close import assert_close
from tests.net_cases import box_surface, marched, small_net

K, MASS, SPEED = 2000.0, 0.1, 0.5  # [N/m], [kg], [m/s]
STILL = (0.0, 0.0, 0.0)
LINEAR = ("spring-damper", "kelvin-voigt")


@given(st.floats(1e-3, 1e8), st.floats(0.0, 1e5), st.floats(-1.0, 1.0), st.floats(-100.0, 100.0))
def test_it_never_pulls_and_never_feeds_energy(k, c, depth, rate):
    spring, damper = kelvin_voigt(k, c, depth, rate)
    assert spring + damper >= 0.0
    assert normal_load(NORMAL_LAWS["kelvin-voigt"], k, c, depth, rate) >= 0.0
    assert normal_heat(NORMAL_LAWS["kelvin-voigt"], k, c, depth, rate) >= 0.0


def integrated(zeta: float) -> float:
    """Restitution of an impact by an integrator that knows no closed form."""
    c = 2.0 * zeta * math.sqrt(K * MASS)

    def rates(t, y):
        return [y[1], -sum(kelvin_voigt(K, c, y[0], y[1])) / MASS]

    def force(t, y):
        return K * y[0] + c * y[1]

    force.terminal, force.direction = True, -1.0
    run = solve_ivp(rates, (0.0, 1.0), [0.0, SPEED], events=force, rtol=1e-11, atol=1e-14)
    return float(-run.y[1, -1] / SPEED)


@pytest.mark.parametrize("zeta", [0.02, 0.3, 0.9, 1.0, 2.5])
def test_restitution_is_that_of_the_closed_form(zeta):
    assert_close(integrated(zeta), kelvin_voigt_restitution(zeta), rtol=1e-6)
    e = kelvin_voigt_restitution(zeta)
    assert_close(kelvin_voigt_damping(e, K, MASS), 2.0 * zeta * math.sqrt(K * MASS), rtol=1e-6)


def row(law: str, e: float) -> tuple[float, ...]:
    """Contact numbers of a linear law with a restitution of `kelvin_voigt`."""
    loss = damper_loss(kelvin_voigt_damping(e, K, MASS))
    return pair_row(K, 0.0, loss, damping="hunt-crossley", slip_speed=1e-4, law=law)


@pytest.mark.parametrize("law", LINEAR)
@pytest.mark.parametrize("e", [1.0, 0.7, 0.3])
def test_the_flow_of_a_bounce_closes_its_ledger_and_has_the_restitution(law, e):
    time, gap = 0.2, 1e-4
    gaps = (gap, gap - SPEED * time)
    pushed, losses, _, _ = contact_flow(
        row(law, e), OPEN, STILL, False, gaps, time, 1.0 / MASS, 1.0 / MASS, STILL
    )
    after = pushed[0] / MASS - SPEED
    lost = 0.5 * MASS * (SPEED**2 - after**2)
    assert_close(losses[0], lost, rtol=1e-10, scale=0.5 * MASS * SPEED**2)
    assert contact_energy(row(law, e), after * 1e-3) == 0.0
    expected = e if law == "kelvin-voigt" else math.sqrt(e)
    assert_close(after / SPEED, expected, rtol=1e-2)  # about 30 steps in an impact


def test_a_lander_bounces_by_the_law():
    """A ball of one vertex dropped on a plane: e of its first bounce."""
    e = 0.6
    changes = {
        "probe": {"shape": "sphere", "mass_kg": 1.0, "radius_m": 0.2},
        "contact": {"normal": "kelvin-voigt", "stiffness_N_per_m": 500.0, "restitution": e,
                    "friction": 0.0},
        "release": {"position_m": [0.0, 0.0, 0.5], "velocity_m_per_s": [0.0, 0.0, -0.1],
                    "rate_rad_per_s": [0.0, 0.0, 0.0]},
        "gravity": {"acceleration_m_per_s2": [0.0, 0.0, -1e-5]},
        "run": {"duration_s": 8.0, "output_interval_s": 0.05},
    }  # fmt: skip
    run = haptos.simulate(haptos.default("lander", changes))
    speed = run.trajectory["v_BA_A"].values[:, 2]
    assert_close(speed[-1] / -speed[0], e, rtol=2e-3)
    assert run.ledger.closes
    assert "SchwagerPoschel2007" in run.cites


@pytest.mark.parametrize("law", LINEAR)
def test_a_node_of_a_net_bounces_by_the_law(law):
    e = 0.5
    surface = box_surface((1.0, 1.0, 1.0), np.array(row(law, e)).reshape(1, 1, -1))
    net, motion = small_net([[0.0, 0.0, 0.52]], [MASS], radius=0.01, surface=surface)
    motion.points.v[0] = (0.0, 0.0, -SPEED)
    marched(net, motion, 0.4)
    expected = e if law == "kelvin-voigt" else math.sqrt(e)
    assert_close(float(motion.points.v[0, 2]) / SPEED, expected, rtol=1e-2)


def test_a_net_with_the_law_is_trusted():
    contact = {"normal": "kelvin-voigt", "linear_stiffness_N_per_m": 2000.0,
               "linear_damping_N_s_per_m": 0.05}  # fmt: skip
    run = haptos.simulate(haptos.default("net-small", {"contact": contact}))
    assert run.trusted, run.verdict
    assert run.metrics["first_touch_s"] < 1.6


@pytest.mark.parametrize(
    ("contact", "words"),
    [
        ({"normal": "kelvin-voigt"}, "linear_stiffness_N_per_m"),
        ({"linear_stiffness_N_per_m": 1.0}, "with a linear law"),
        (
            {"normal": "spring-damper", "linear_stiffness_N_per_m": 1.0,
             "linear_damping_N_s_per_m": 0.0, "restitution": 0.5},
            "restitution",
        ),
    ],
)  # fmt: skip
def test_numbers_of_another_law_are_refused(contact, words):
    with pytest.raises(haptos.ConfigError, match=words):
        haptos.default("net-small", {"contact": contact})
