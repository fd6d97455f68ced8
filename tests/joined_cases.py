"""Joined bodies that several tests use: a planar pair on a boom, a hub with wings, its frequencies."""

from __future__ import annotations

import math

import numpy as np

from haptos.dynamics.flexible.appendages import beam_modes
from haptos.dynamics.flexible.boom import bending_stiffness, shortening
from haptos.dynamics.joined.parts import BodyFrame, JoinedBody, JoinedBoom, Wing
from haptos.dynamics.joined.plant import Plant
from haptos.dynamics.joined.plant_booms import law_of
from haptos.dynamics.joined.plant_rates import rates

ARM_A, ARM_B = 0.8, 1.4  # [m] from the centres of mass to root and tip
MASS_A, INERTIA_A, MASS_B, INERTIA_B = 1000.0, 600.0, 1800.0, 4500.0
APPROACH = 5e-3  # [m/s]


def boom_between(length: float, *, beta: float = 0.0, **more: object) -> JoinedBoom:
    """A boom of 400 N m^2 on a root of 4000 N m/rad, between the bodies `a` and `b`."""
    values: dict[str, object] = {
        "root_turn_stiffness": 4000.0, "root_torsion_stiffness": 3000.0, "drive_stiffness": 4e5,
        "damping_time": beta,
    } | more  # fmt: skip
    return JoinedBoom(
        "boom", BodyFrame("a", (ARM_A, 0, 0)), BodyFrame("b", (-ARM_B, 0, 0)), length, 400.0, 300.0, 1.5e6,
        0.17, 1.2, **values,  # type: ignore[arg-type]
    )  # fmt: skip


def planar_pair(
    length: float = 1.05, place: float = 0.0, turn: float = 0.0, *, speed: float = 0.0,
    inertia: float = INERTIA_B, turn_a: float = 0.0, place_a: float = 0.0, beta: float = 0.0,
    boom: JoinedBoom | None = None, **more: object,
) -> Plant:  # fmt: skip
    """Two bodies on a boom without tension: tip displaced by `place` [m] and turned by `turn` [rad] in its root.

    speed   of approach along x [m/s], both centres together at rest
    turn_a, place_a  turn and place across of body a, which carry b along
    """
    boom = boom or boom_between(length, beta=beta)
    law = law_of(np.array([_row(boom)]), 0)
    stiffness, change = bending_stiffness(law, length)
    g = shortening(law, length, stiffness, change)[0]
    q = (place, turn)
    short = 0.5 * (g[0] * q[0] ** 2 + 2.0 * g[1] * q[0] * q[1] + g[2] * q[1] ** 2)
    c, s = math.cos(turn_a), math.sin(turn_a)
    root = np.array([ARM_A * c, place_a + ARM_A * s, 0.0])
    tip = root + np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ [length - short, place, 0.0]
    angle = turn_a + turn
    centre = tip + ARM_B * np.array([math.cos(angle), math.sin(angle), 0.0])
    share = MASS_B / (MASS_A + MASS_B)
    a = JoinedBody(
        "a", MASS_A, np.diag([350.0, INERTIA_A, INERTIA_A]), (0.0, place_a, 0.0), quaternion(turn_a),
        (speed * share, 0.0, 0.0),
    )  # fmt: skip
    b = JoinedBody(
        "b", MASS_B, np.diag([inertia, inertia, inertia]), tuple(centre), quaternion(angle),
        (-speed * (1.0 - share), 0.0, 0.0),
    )  # fmt: skip
    return Plant([a, b], [boom], **more)  # type: ignore[arg-type]


def _row(boom: JoinedBoom) -> list[float]:
    from haptos.dynamics.joined.plant_build import boom_row

    return boom_row(boom)


def quaternion(turn: float) -> tuple[float, float, float, float]:
    """Turn [rad] about z."""
    return (math.cos(0.5 * turn), 0.0, 0.0, math.sin(0.5 * turn))


def crosswise_energy(plant: Plant) -> float:
    """Energy [J] of a planar pair across x: motion along y, turns, bending."""
    a, b, boom = plant.body("a"), plant.body("b"), plant.boom("boom")
    law = law_of(plant.model.booms.law, 0)
    k = bending_stiffness(law, boom.length)[0]
    v, psi = boom.place[1], boom.turn[2]
    inertia = float(np.asarray(plant.bodies[1].inertia)[2, 2])
    return float(
        0.5 * MASS_A * a.velocity[1] ** 2 + 0.5 * INERTIA_A * a.rate_body[2] ** 2
        + 0.5 * MASS_B * b.velocity[1] ** 2 + 0.5 * inertia * b.rate_body[2] ** 2
        + 0.5 * (k[0] * v * v + 2.0 * k[1] * v * psi + k[2] * psi * psi)
    )  # fmt: skip


def jacobian(plant: Plant, step: float = 1e-6) -> np.ndarray:
    """d(rates)/d(state) by differences, from the equations as plain Python."""
    y = plant.march.y.copy()
    columns = []
    for i in range(len(y)):
        found = []
        for sign in (1.0, -1.0):
            moved, dy = y.copy(), np.zeros(len(y))
            moved[i] += sign * step
            rates(plant.model, 0.0, moved, dy)
            found.append(dy)
        columns.append((found[0] - found[1]) / (2.0 * step))
    return np.array(columns).T


def frequencies(plant: Plant) -> np.ndarray:
    """Frequencies [Hz] of free vibration, rising."""
    values = np.linalg.eigvals(jacobian(plant))
    found = np.sort(values.imag[values.imag > 1e-2]) / (2.0 * math.pi)
    return np.asarray(found)


def hub_with_wings(**more: object) -> JoinedBody:
    """A hub of 1680 kg with two wings of 60 kg, 11 m, at 1.2 m; out of plane at 0.12 Hz, undamped.

    Inertia of all together about x, the axis they turn about when bending out of plane: 8136.8 kg m^2.
    """
    modes = beam_modes(60.0, 11.0, 1e-6, out_of_plane=0.12, damping=0.0)
    wings = tuple(
        Wing((0.0, side * 1.2, 0.0), (0.0, side, 0.0), (0.0, 0.0, 1.0), 60.0, 11.0, 1e-6, modes)
        for side in (1.0, -1.0)
    )
    return JoinedBody("hub", 1680.0, np.diag([1540.0, 1435.0, 1435.0]), wings=wings, **more)  # type: ignore[arg-type]
