"""A boom of elements with mass: frequencies, statics, buckling, where it rests, what it keeps while it is drawn in."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from haptos.core.errors import ConfigError
from haptos.dynamics.flexible.boom import BoomLaw, boom_slope
from haptos.dynamics.joined.boom_nodes import assembled, boom_nodes, resting
from haptos.dynamics.joined.parts import BodyFrame, JoinedBody, JoinedBoom
from haptos.dynamics.joined.plant import Plant
from haptos.dynamics.joined.plant_build import boom_row, make_plant
from tests.close import assert_close
from tests.joined_cases import boom_between, frequencies, planar_pair

LENGTH, BENDING, DENSITY, MASS = 1.05, 400.0, 2.5, 2.625
FACING = np.array([1.0, 0.0, 0.0, 0.0])


class Still:
    """A plant that only holds its state: nothing is compiled."""

    def __init__(self, bodies, boom):
        self.model, y = make_plant(bodies, [boom], (), (), None, (), ())
        self.march = type("March", (), {"y": y})()


def cantilever(elements: int, end_mass: float, density: float = DENSITY) -> Still:
    """A boom on a root that does not move, with a point mass at its end."""
    end = end_mass + 0.5 * density * LENGTH / elements
    bodies = [
        JoinedBody("a", 1e9, np.diag([1e9] * 3)),
        JoinedBody("b", end, np.diag([1e-7] * 3), (LENGTH, 0.0, 0.0)),
    ]
    boom = JoinedBoom("boom", BodyFrame("a"), BodyFrame("b"), LENGTH, BENDING, 300.0, 1.5e6)
    made, nodes = boom_nodes(boom, bodies, elements, density * LENGTH)
    return Still([*bodies, *nodes], made)


def exact(end_mass: float) -> float:
    """First frequency [Hz] of a uniform cantilever with a mass at its end."""
    share = end_mass / MASS

    def zero(z):
        return 1.0 + math.cos(z) * math.cosh(z) - share * z * (
            math.sin(z) * math.cosh(z) - math.cos(z) * math.sinh(z)
        )  # fmt: skip

    z = brentq(zero, 0.1, 2.0)
    return z * z / (2.0 * math.pi) * math.sqrt(BENDING / (DENSITY * LENGTH**4))


@pytest.mark.parametrize("end_mass", [0.0, 2.0, 8.0])
def test_the_frequency_of_a_cantilever_converges_with_the_square_of_the_elements(end_mass):
    expected = exact(end_mass)
    errors = [1.0 - frequencies(cantilever(n, end_mass))[0] / expected for n in (2, 4, 8)]
    assert 0.0 < errors[2] < 0.01
    for coarse, fine in ((errors[0], errors[1]), (errors[1], errors[2])):
        assert 3.4 < coarse / fine < 4.3


def test_the_bare_boom_has_its_6_4_hertz():
    assert_close(exact(0.0), 6.4203, rtol=1e-4)
    assert_close(frequencies(cantilever(8, 0.0))[0], 6.42, rtol=1e-2)
    spoiled = frequencies(cantilever(8, 0.0, 1.05 * DENSITY))[0]
    assert abs(spoiled / 6.42 - 1.0) > 2e-2


def chain(elements: int, **more: object) -> JoinedBoom:
    names = tuple(f"node {k}" for k in range(1, elements))
    return replace(boom_between(LENGTH, **more), through=names)


def straight(boom: JoinedBoom, thrust: float = 0.0) -> list[tuple[np.ndarray, np.ndarray]]:
    count, x, places = len(boom.through) + 1, 0.0, [(np.zeros(3), FACING)]
    for e in range(count):
        length = boom.length / count
        x += length - thrust * (length / boom.axial + (e == 0) / boom.drive_stiffness)
        places.append((np.array([x, 0.0, 0.0]), FACING))
    return places


@pytest.mark.parametrize("elements", [2, 3, 8])
def test_elements_together_are_as_compliant_as_one_boom(elements):
    more = {"root_lateral_stiffness": 5e5, "tip_turn_stiffness": 1e4, "tip_lateral_stiffness": 1e6}
    boom = chain(elements, **more)
    stiffness = assembled(boom, straight(boom))[0][6:, 6:]
    found, whole = np.linalg.inv(stiffness)[-6:, -6:], np.zeros((6, 6))
    law = BoomLaw._make(boom_row(replace(boom, through=())))
    boom_slope(law, LENGTH, (LENGTH, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 1.0, whole)
    assert_close(found, np.linalg.inv(whole), rtol=1e-10, scale=np.abs(found).max())


def least_stiffness(boom: JoinedBoom, thrust: float) -> float:
    """Least slope of the wrenches of a boom under thrust against bending in one plane, by differences."""
    places, step = straight(boom, thrust), 1e-6
    free = [(k, d) for k in range(1, len(places)) for d in (1, 5)]
    rows = [6 * k + d for k, d in free]
    slope = np.zeros((len(free), len(free)))
    for c, (k, d) in enumerate(free):
        for sign in (1.0, -1.0):
            moved, (r, _) = list(places), places[k]
            if d == 1:
                moved[k] = (r + np.array([0.0, sign * step, 0.0]), FACING)
            else:
                half = 0.5 * sign * step
                moved[k] = (r, np.array([math.cos(half), 0.0, 0.0, math.sin(half)]))
            slope[:, c] -= sign * assembled(boom, moved)[1][rows] / (2.0 * step)
    return float(np.linalg.eigvalsh(0.5 * (slope + slope.T))[0])


def buckling(boom: JoinedBoom) -> float:
    return float(brentq(lambda thrust: least_stiffness(boom, thrust), 500.0, 850.0))


def test_the_thrust_that_buckles_goes_to_that_of_a_column_on_a_turning_root():
    z = brentq(lambda z: z * math.tan(z) - 4000.0 * LENGTH / 400.0, 0.1, 1.55)
    expected = (z / LENGTH) ** 2 * 400.0
    errors = [1.0 - buckling(chain(count)) / expected for count in (1, 2, 4)]
    assert_close(errors[0], 0.0426, rtol=0.02)
    assert errors[1] < 0.4 * errors[0]
    assert errors[2] < 0.4 * errors[1]
    assert_close(buckling(chain(2, root_turn=True)), expected, rtol=1e-3)


def test_nodes_rest_between_ends_that_are_off_and_turned():
    boom = chain(4)
    half = 0.5 * np.array([0.002, 0.004, 0.017])
    tip = (np.array([1.0498, 0.01, -0.004]), np.array([math.sqrt(1.0 - half @ half), *half]))
    places = resting(boom, (np.zeros(3), FACING), tip)
    wrench = assembled(boom, places)[1]
    assert np.abs(wrench[6:-6]).max() < 1e-7
    one = assembled(replace(boom, through=()), [places[0], places[-1]])[1]
    bending = [7, 8, 9, 10, 11]
    assert_close(wrench[-5:], one[bending], rtol=0.02, scale=np.abs(one[bending]).max())


def pair(elements: int, mass: float, **more: object) -> Plant:
    """The planar pair on a boom of elements, bent by 8 mm and 10 mrad."""
    ends = planar_pair(LENGTH, 0.008, 0.01, beta=0.0159)
    boom, nodes = boom_nodes(ends.booms[0], ends.bodies, elements, mass)
    return Plant([*ends.bodies, *nodes], [boom], **more)  # type: ignore[arg-type]


def test_a_boom_of_next_to_no_mass_moves_the_pair_as_a_massless_one():
    one, many = pair(1, MASS, tolerance=1e-7, longest=0.005), pair(4, 1e-3, tolerance=1e-7, longest=0.005)  # fmt: skip
    for plant in (one, many):
        plant.set_boom_speed("boom", -0.005, 350.0, 0.25)
        plant.advance(6.0)
    assert_close(many.boom("boom").place, one.boom("boom").place, rtol=5e-4, scale=0.01)
    moments = [np.asarray(plant.boom("boom").moment_root) for plant in (many, one)]
    assert_close(moments[0], moments[1], rtol=2e-3, scale=2.5)


def test_a_boom_with_mass_that_is_drawn_in_keeps_energy_and_momenta():
    plant = pair(4, MASS, tolerance=1e-7, longest=0.005)
    plant.set_boom_speed("boom", -0.005, 350.0, 0.25)
    plant.advance(20.0)
    stored = plant.ledger()["kinetic"] + plant.ledger()["boom:boom"]
    assert abs(plant.ledger()["remainder"]) < 1e-4 * stored
    assert max(plant.momentum_error()) < 1e-12
    assert_close(plant.boom("boom").length, LENGTH - 0.1 + 0.005 * 0.125, rtol=1e-4)
    nodes = [plant.body(name).position for name in plant.booms[0].through]
    gaps = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    assert_close(gaps, np.full(2, 0.25 * plant.boom("boom").length), rtol=1e-4)
    assert_close(plant.boom_shape("boom", 3)[2::2][:3], nodes, rtol=1e-9)


def test_nodes_start_with_the_motion_of_ends_that_turn_together():
    """A rigid turn of all stretches nothing."""
    w = np.array([0.0, 0.0, 0.01])
    a = JoinedBody("a", 1000.0, np.diag([350.0, 600.0, 600.0]), rate=w)
    b = JoinedBody("b", 9.0, np.diag([0.02] * 3), (2.5, 0.0, 0.0), velocity=np.cross(w, [2.5, 0.0, 0.0]), rate=w)  # fmt: skip
    boom = replace(boom_between(0.3), root=BodyFrame("a", (0.8, 0, 0)), tip=BodyFrame("b", (-1.4, 0, 0)))  # fmt: skip
    _, nodes = boom_nodes(boom, [a, b], 3, 1.0)
    for node in nodes:
        assert_close(node.velocity, np.cross(w, node.position), rtol=1e-6)
        assert_close(node.rate, w, rtol=1e-6)


def test_elements_without_mass_and_ways_that_turn_back_are_refused():
    ends = planar_pair(LENGTH)
    with pytest.raises(ConfigError, match="mass above 0"):
        boom_nodes(ends.booms[0], ends.bodies, 3, 0.0)
    with pytest.raises(ConfigError, match="each body once"):
        Plant(ends.bodies, [replace(ends.booms[0], through=("a",))])
    with pytest.raises(ConfigError, match="one of"):
        Plant(ends.bodies, [replace(ends.booms[0], through=("nobody",))])
