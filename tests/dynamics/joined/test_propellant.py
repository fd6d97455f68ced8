"""Propellant that is burnt: what is left moves as the rocket equation says, and energy and momenta still add up."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.dynamics.control.pulsed_thrusters import STANDARD_GRAVITY
from haptos.dynamics.flexible.appendages import beam_modes
from haptos.dynamics.joined.parts import JoinedBody, Wing
from haptos.dynamics.joined.plant import Plant
from haptos.dynamics.rigid.thrusters import Thruster
from tests.close import assert_close

THRUST, IMPULSE = 40.0, 20.0  # [N], [s]
FLOW = THRUST / (IMPULSE * STANDARD_GRAVITY)  # [kg/s]
BODY = JoinedBody(
    "a", 20.0, np.diag([2.0, 3.0, 4.0]), tank=(0.1, -0.05, 0.08), propellant=8.0,
    thrusters=(Thruster((0.3, 0.4, 0.0), (0.0, 1.0, 0.2), THRUST, specific_impulse=IMPULSE),),
)  # fmt: skip


def burnt(body: JoinedBody, seconds: float = 20.0, **more: object) -> Plant:
    plant = Plant([body], tolerance=1e-10, longest=0.1, **more)  # type: ignore[arg-type]
    plant.fire("a", [seconds])
    plant.advance(seconds)
    return plant


def test_a_straight_burn_is_the_rocket_equation():
    jet = Thruster((-0.5, 0.0, 0.0), (1.0, 0.0, 0.0), THRUST, specific_impulse=IMPULSE)
    plant = burnt(replace(BODY, tank=(0.0, 0.0, 0.0), thrusters=(jet,)))
    left = 20.0 - 20.0 * FLOW
    assert_close(plant.propellant("a"), 20.0 * FLOW, rtol=1e-9)
    expected = IMPULSE * STANDARD_GRAVITY * math.log(20.0 / left)
    assert_close(plant.body("a").velocity, [expected, 0.0, 0.0], rtol=1e-7)
    assert expected > 1.1 * THRUST * 20.0 / 20.0  # a body that keeps its mass is far from it


def test_a_turn_about_a_tank_at_the_centre_keeps_its_inertia():
    jet = Thruster((0.0, 0.5, 0.0), (0.0, 0.0, 1.0), THRUST, specific_impulse=IMPULSE)
    plant = burnt(replace(BODY, tank=(0.0, 0.0, 0.0), thrusters=(jet,)), 0.5)
    assert_close(plant.body("a").rate_body, [0.5 * THRUST * 0.5 / 2.0, 0.0, 0.0], rtol=1e-6)


def winged() -> JoinedBody:
    modes = beam_modes(1.0, 2.0, 0.5, out_of_plane=0.8, in_plane=2.0, torsion=3.0)
    wings = tuple(
        Wing((0.0, side * 0.5, 0.0), (0.0, side, 0.0), (0.0, 0.0, 1.0), 1.0, 2.0, 0.5, modes, 0.3, 0.02)
        for side in (1.0, -1.0)
    )  # fmt: skip
    return replace(BODY, wings=wings, rate=(0.02, -0.01, 0.03), velocity=(0.3, -0.2, 0.1))


def test_energy_and_momenta_add_up_with_a_tank_to_the_side_and_turning_wings():
    plant = burnt(winged(), 5.0)
    stored = plant.balance()[0]
    assert abs(plant.ledger()["remainder"]) < 1e-7 * stored
    linear, angular = plant.momentum_error()
    assert linear < 1e-12 * THRUST * 5.0
    assert angular < 1e-11 * THRUST * 5.0


def test_the_ledger_sees_a_body_that_keeps_a_hundredth_of_what_it_burns():
    """Teeth: with 1 % of the burnt propellant still in the mass matrix a hundred times the bound above is missing."""
    plant = burnt(winged(), 5.0)
    plant.march.y[plant.model.layout.propellant] *= 0.99
    plant._has_velocities = False
    plant._evaluate()
    assert abs(plant.ledger()["remainder"]) > 1e-5 * plant.balance()[0]


def test_a_burn_is_the_same_seen_from_axes_that_move():
    """The propellant leaves with the velocity of its tank: a common velocity of all changes nothing."""
    still, moved = burnt(BODY, 3.0), burnt(replace(BODY, velocity=(5.0, 3.0, -2.0)), 3.0)
    shift = np.array([5.0, 3.0, -2.0])
    assert_close(moved.body("a").velocity - shift, still.body("a").velocity, rtol=1e-6)
    assert_close(moved.body("a").rate_body, still.body("a").rate_body, rtol=1e-6)


def test_what_is_left_weighs_less_about_another_centre():
    plant = burnt(BODY, 3.0)
    spent = plant.propellant("a")
    plant.body("a")
    table = plant.model.bodies
    assert_close(table.mass[0], 20.0 - spent, rtol=1e-12)
    assert_close(table.centre[0], -spent * np.array(BODY.tank) / (20.0 - spent), rtol=1e-12)


def test_an_empty_tank_ends_the_thrust():
    plant = Plant([replace(BODY, propellant=0.1)], tolerance=1e-8)
    plant.stick_thruster("a", 0, "on")
    for k in range(100):
        plant.advance(0.02 * (k + 1))
    assert 0.1 <= plant.propellant("a") <= 0.1 + 0.02 * FLOW * (1.0 + 1e-9)
    speed = plant.body("a").velocity
    plant.fire("a", [0.5])
    plant.advance(3.0)
    assert 0.1 <= plant.propellant("a") <= 0.1 + 0.02 * FLOW * (1.0 + 1e-9)
    assert np.linalg.norm(speed) > 0.0


@pytest.mark.parametrize("change", [{"propellant": 11.0}, {"propellant": -1.0}, {"tank": (0.9, 0.0, 0.0)}, {"tank": (0.0, math.nan, 0.0)}])  # fmt: skip
def test_tanks_that_cannot_be_are_refused(change):
    with pytest.raises(ConfigError):
        Plant([replace(BODY, **change)])
