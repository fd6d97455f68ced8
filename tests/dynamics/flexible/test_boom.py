"""The boom: compliances, energy and its gradients, stiffening by tension, buckling, the spring, S-bends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from haptos.dynamics.flexible.boom import (
    BoomLaw,
    axial,
    bending_stiffness,
    boom_load,
    deflection,
    inflection,
    root_moment,
    shortening,
)
from tests.close import assert_close

PLAIN = BoomLaw(400.0, 300.0, 1.5e6, 1 / 4000, 0.0, 1 / 3000, 1 / 4e5, 0.0, 0.0, 0.0, math.inf, 1.0, 0.0, 0.0, 0.0)  # fmt: skip
FULL = BoomLaw(400.0, 300.0, 1.5e6, 1 / 4000, 2e-6, 1 / 3000, 1 / 4e5, 1e-4, 1e-6, 0.0, 20.0, 9e3, 0.02, 0.0, 0.0)  # fmt: skip
REST = (0.0, 0.0, 0.0)


def matrix(s: tuple[float, float, float]) -> np.ndarray:
    return np.array([[s[0], s[1]], [s[1], s[2]]])


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (1.05, (1.24031e-3, 1.64062e-3, 2.875e-3)),
        (0.6, (2.7e-4, 6e-4, 1.75e-3)),
        (0.2, (1.66667e-5, 1e-4, 7.5e-4)),
    ],
)
def test_compliances_are_those_of_a_cantilever_on_a_turning_root(length, expected):
    c = np.linalg.inv(matrix(bending_stiffness(PLAIN, length)[0]))
    assert_close([c[0, 0], c[0, 1], c[1, 1]], expected, rtol=5e-6)


def energy(law: BoomLaw, length: float, p: np.ndarray, turn: Rotation) -> float:
    return float(boom_load(law, length, tuple(p), tuple(turn.as_rotvec()), REST, REST, 0.0).energy)


def gradients(law: BoomLaw, stretch: float) -> tuple[np.ndarray, np.ndarray]:
    """(loads and force of the drive of the law, the same by differences of its energy)."""
    length, step = 0.7, 1e-6
    p, turn = np.array([length + stretch, 0.01, -0.02]), Rotation.from_rotvec([0.03, 0.1, -0.2])
    load = boom_load(law, length, tuple(p), tuple(turn.as_rotvec()), REST, REST, 0.0)
    found = []
    for d in np.eye(3):
        found.append(
            energy(law, length, p - step * d, turn) - energy(law, length, p + step * d, turn)
        )
    for d in np.eye(3):
        ahead, back = Rotation.from_rotvec(step * d) * turn, Rotation.from_rotvec(-step * d) * turn
        found.append(energy(law, length, p, back) - energy(law, length, p, ahead))
    found.append(energy(law, length + step, p, turn) - energy(law, length - step, p, turn))
    return np.array([*load.force, *load.moment, load.drive_force]), np.array(found) / (2.0 * step)


@pytest.mark.parametrize("root_turn", [0.0, 1.0])
@pytest.mark.parametrize("stretch", [-1e-4, 1e-3, 0.03])  # thrust, spring, stop
def test_loads_and_drive_are_gradients_of_the_energy(root_turn, stretch):
    loads, slopes = gradients(FULL._replace(root_turn=root_turn), stretch)
    for load, slope in zip(loads, slopes, strict=True):
        assert_close(load, slope, rtol=1e-7)


def test_tension_stiffens_a_cantilever():
    stiff = PLAIN._replace(turn=0.0)
    k, dk = bending_stiffness(stiff, 1.05)
    g = shortening(stiff, 1.05, k, dk)[0]
    for tension, expected in ((0.0, 1036.605), (200.0, 1264.919)):
        a, b, c = (k[i] + tension * g[i] for i in range(3))
        assert_close(a - b * b / c, expected, rtol=1e-6)
    # tension beam: w'' = T (w - v)/EI, tip free to turn
    root = math.sqrt(200.0 / 400.0)
    exact = 200.0 / (1.05 - math.tanh(root * 1.05) / root)
    assert_close(exact, 1264.591, rtol=1e-6)
    assert_close(1264.919, exact, rtol=3e-4)


def buckling(law: BoomLaw, length: float) -> float:
    """Thrust [N] at which the least stiffness of a bent boom vanishes."""
    k, dk = bending_stiffness(law, length)
    g = shortening(law, length, k, dk)[0]
    return float(brentq(lambda n: np.linalg.det(matrix(k) - n * matrix(g)), 1.0, 950.0))


def test_thrust_buckles_a_boom_on_a_turning_root():
    assert_close(buckling(PLAIN, 1.05), 715.0, rtol=1e-3)
    assert_close(buckling(PLAIN._replace(root_turn=1.0), 1.05), 751.6, rtol=1e-4)
    exact = brentq(  # cantilever on a rotation spring: z tan z = k L/EI
        lambda z: z * math.tan(z) - 4000.0 * 1.05 / 400.0, 0.1, 1.55
    )
    assert_close((exact / 1.05) ** 2 * 400.0, 747.0, rtol=1e-3)


def test_safety_spring_goes_from_preload_over_its_stroke_to_a_stop():
    length = 0.2
    soft = length / FULL.axial + FULL.drive
    assert_close(axial(FULL, length, soft * 10.0)[0], 10.0, rtol=1e-12)
    at_end = soft * 200.0 + 0.02
    tension, stored, _, extension = axial(FULL, length, at_end)
    assert_close(tension, 200.0, rtol=1e-12)
    assert_close(extension, 0.02, rtol=1e-12)
    assert_close(stored - 0.5 * soft * 200.0**2, 2.2, rtol=1e-12)
    beyond = axial(FULL, length, at_end + 1e-4)
    assert_close(beyond[0] - 200.0, 1e-4 / soft, rtol=1e-9)
    assert_close(beyond[1] - stored, 1e-4 * (200.0 + 0.5e-4 / soft), rtol=1e-9)


def test_damping_takes_what_it_says():
    law = FULL._replace(beta=0.016, stretch_beta=0.016)
    p, phi = (0.7003, 0.01, -0.02), (0.03, 0.1, -0.2)
    v, omega, speed = (1e-3, -2e-3, 3e-3), (0.01, -0.02, 0.03), -5e-3
    load = boom_load(law, 0.7, p, phi, v, omega, speed)
    step = 1e-6
    later = Rotation.from_rotvec(np.array(omega) * step) * Rotation.from_rotvec(phi)
    sooner = Rotation.from_rotvec(-np.array(omega) * step) * Rotation.from_rotvec(phi)
    up = energy(law, 0.7 + speed * step, np.array(p) + step * np.array(v), later)
    down = energy(law, 0.7 - speed * step, np.array(p) - step * np.array(v), sooner)
    stored = (up - down) / (2.0 * step)
    drive = (load.drive_force + load.resistance * speed) * speed
    bodies = np.dot(load.force, v) + np.dot(load.moment, omega)
    assert_close(drive - stored - bodies, load.loss, rtol=1e-6)


def test_a_rigid_turn_of_a_retracting_pair_is_not_damped():
    load = boom_load(PLAIN._replace(beta=0.016, stretch_beta=0.016), 0.7, (0.7, 0.0, 0.0), REST, (-5e-3, 0.0, 0.0), REST, -5e-3)  # fmt: skip
    assert abs(load.loss) < 1e-20
    assert abs(load.tension) < 1e-9


def test_root_carries_what_the_tip_does():
    force, moment = (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
    p = (0.7, 0.1, -0.2)
    assert_close(
        root_moment(p, force, moment), -(np.array(moment) + np.cross(p, force)), rtol=1e-14
    )


def test_an_s_bend_turns_where_its_curvature_does():
    place, turn, length = 0.01, -0.02, 0.3
    xi = inflection(place, turn, length)
    step = 1e-4
    bend = [deflection(xi + s, place, turn, length) for s in (-step, 0.0, step)]
    assert abs(bend[0] - 2.0 * bend[1] + bend[2]) < 1e-12
    assert math.isnan(inflection(0.01, 0.015 / 0.3, 0.3))


def test_the_check_of_gradients_has_teeth():
    loads, slopes = gradients(FULL, 1e-3)
    spoiled, _ = gradients(FULL._replace(bending=404.0), 1e-3)
    with pytest.raises(AssertionError):
        assert_close(spoiled[1], slopes[1], rtol=1e-7)
    assert_close(loads[1], slopes[1], rtol=1e-7)
