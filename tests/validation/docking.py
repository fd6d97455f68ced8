"""Rows of docs/validation/docking.md about bodies on booms, in orbit, with wings and thrusters: found beside expected.

python -m tests.validation.docking          prints the table; with names (d1 d10) only those
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator

import numpy as np

from haptos.contact.sets.polygons_pair import foundation_law
from haptos.dynamics.flexible.boom import BoomLaw, axial, bending_stiffness, shortening
from haptos.dynamics.joined.parts import BodyFrame, JoinedBody, JoinedContact, OrbitalGravity
from haptos.dynamics.joined.plant import Plant, Scales
from haptos.dynamics.rigid.thrusters import Thruster
from haptos.environment.orbit_frames import KeplerElements, lvlh_axes
from haptos.environment.orbital_origin import origin_path, origin_state
from haptos.geometry.distance.reference import half_space
from haptos.geometry.distance.section_build import SectionLine, section
from haptos.geometry.mesh.curved_faces_build import revolution_faces
from tests.joined_cases import (
    APPROACH,
    INERTIA_A,
    INERTIA_B,
    MASS_A,
    MASS_B,
    crosswise_energy,
    frequencies,
    hub_with_wings,
    planar_pair,
)
from tests.validation.contact import Row

GEO = KeplerElements(42164.17e3)
RATE = 7.29212e-5  # [rad/s]
LENGTHS = (1.05, 0.6, 0.2)
BALL = np.diag([100.0, 100.0, 100.0])
PLAIN = BoomLaw(400.0, 300.0, 1.5e6, 1 / 4000, 0.0, 1 / 3000, 1 / 4e5, 0.0, 0.0, 0.0, math.inf, 1.0, 0.0, 0.0, 0.0)  # fmt: skip


def drift(place: tuple[float, ...], velocity: tuple[float, ...], duration: float) -> np.ndarray:
    """Place [m] in axes x out, y along track, z normal after a free drift from a place and velocity in them."""
    path = origin_path(GEO)
    at = [origin_state(path, t) for t in (0.0, duration)]
    axes = [np.array([-np.array(z), x, -np.array(y)]) for x, y, z in (lvlh_axes(*s) for s in at)]
    r = axes[0].T @ np.array(place)
    spin = axes[0].T @ np.array([0.0, 0.0, path[2]])
    v = axes[0].T @ np.array(velocity) + np.cross(spin, r)
    body = JoinedBody("body", 100.0, BALL, tuple(r), velocity=tuple(v))
    plant = Plant([body], orbit=OrbitalGravity(GEO), longest=100.0, tolerance=1e-12, scales=Scales(1.0, 1.0, 1.0))  # fmt: skip
    plant.advance(duration)
    return np.asarray(axes[1] @ plant.body("body").position)


def d1() -> Iterator[Row]:
    out, across = drift((1, 0, 0), (0, 0, 0), 300.0), drift((0, 0, 1), (0, 0, 0), 300.0)
    yield Row("D1", "drift from (1, 0, 0) m, 300 s, x [m]", 1.000717833, out[0], 1e-9)
    yield Row("D1", "drift from (1, 0, 0) m, 300 s, y [m]", -1.04692e-5, out[1], 2e-3)
    yield Row("D1", "drift from (0, 0, 1) m, 300 s, z [m]", 0.999760722, across[2], 1e-9)


def d2() -> Iterator[Row]:
    along = drift((0, 0, 0), (0, 1e-3, 0), 300.0)
    yield Row("D2", "1 mm/s along track, 300 s, x [m]", 6.5626e-3, along[0], 1e-5)
    yield Row("D2", "1 mm/s along track, 300 s, y [m]", 0.2999043, along[1], 1e-6)
    out = drift((0, 0, 0), (1e-3, 0, 0), 3600.0)
    yield Row("D2", "1 mm/s out, 3600 s, x [m]", 3.558793, out[0], 1e-6)
    yield Row("D2", "1 mm/s out, 3600 s, y [m]", -0.939643, out[1], 1e-6)


def d3() -> Iterator[Row]:
    period = 2.0 * math.pi / origin_path(GEO)[2]
    found = drift((1, 0, 0), (0, 0, 0), period)
    yield Row("D3", "one orbit from x = 1 m at rest, y [m]", -12.0 * math.pi, found[1], 1e-6)


def compliance(length: float) -> np.ndarray:
    k = bending_stiffness(PLAIN, length)[0]
    return np.linalg.inv(np.array([[k[0], k[1]], [k[1], k[2]]]))


def d4() -> Iterator[Row]:
    rows = ((1.24031e-3, 1.64062e-3, 2.875e-3), (2.7e-4, 6e-4, 1.75e-3), (1.66667e-5, 1e-4, 7.5e-4))
    for length, expected in zip(LENGTHS, rows, strict=True):
        c = compliance(length)
        found = (c[0, 0], c[0, 1], c[1, 1])
        for name, want, got in zip(("v/F [m/N]", "v/M [1/N]", "psi/M [rad/(N m)]"), expected, found, strict=True):  # fmt: skip
            yield Row("D4", f"boom of {length:g} m, {name}", want, got, 5e-6)


def d5() -> Iterator[Row]:
    along = ((1.05, 312500.0, 260.87), (0.6, 344828.0, 428.57), (0.2, 379747.0, 1000.0))
    for length, push, twist in along:
        plant = planar_pair(length)
        plant.march.y[13] += 1e-6  # body b along x, within the slack of no preload
        plant._evaluate()
        yield Row("D5", f"axial stiffness at {length:g} m [N/m]", push, plant.boom("boom").tension / 1e-6, 1e-5)  # fmt: skip
        found = 1.0 / (length / PLAIN.torsion + PLAIN.twist)
        yield Row("D5", f"torsion stiffness at {length:g} m [N m/rad]", twist, found, 1e-5)
        assert axial(PLAIN, length, 1e-6)[2] > 0.0


def d6() -> Iterator[Row]:
    stiff = PLAIN._replace(turn=0.0)
    for tension, expected in ((0.0, 1036.605), (200.0, 1264.919)):
        k, dk = bending_stiffness(stiff, 1.05)
        g = shortening(stiff, 1.05, k, dk)[0]
        a, b, c = (k[i] + tension * g[i] for i in range(3))
        yield Row(
            "D6", f"cantilever under {tension:g} N, across [N/m]", expected, a - b * b / c, 1e-6
        )


def bending_modes(length: float, inertia: float) -> tuple[float, float]:
    """First two frequencies [Hz] of the pair in its plane, from the equations of motion."""
    found = frequencies(planar_pair(length, inertia=inertia))
    planar = planar_values(length, inertia)
    return tuple(float(found[np.argmin(np.abs(found - f))]) for f in planar)  # type: ignore[return-value]


def planar_values(length: float, inertia: float) -> np.ndarray:
    values = planar_shapes(length, inertia)[0]
    return np.sqrt(values) / (2.0 * math.pi)


def planar_shapes(length: float, inertia: float = INERTIA_B) -> tuple[np.ndarray, np.ndarray]:
    """(squares of angular frequency, shapes) of y_a, turn_a, y_b, turn_b for the two bending modes."""
    from scipy.linalg import eigh

    k = np.linalg.inv(compliance(length))
    to_tip = np.array([[-1.0, -(0.8 + length), 1.0, -1.4], [0.0, -1.0, 0.0, 1.0]])
    masses = np.diag([MASS_A, INERTIA_A, MASS_B, inertia])
    values, shapes = eigh(to_tip.T @ k @ to_tip, masses)
    return values[2:], shapes[:, 2:]


def d7() -> Iterator[Row]:
    rows = ((0.107661, 0.658595), (0.143431, 1.272627), (0.226747, 5.031541))
    for length, expected in zip(LENGTHS, rows, strict=True):
        for k, found in enumerate(bending_modes(length, INERTIA_B)):
            yield Row(
                "D7", f"mode {k + 1} of the pair at {length:g} m [Hz]", expected[k], found, 1e-5
            )


def d8() -> Iterator[Row]:
    for inertia, rows in (
        (1480.0, (0.14068, 0.18162, 0.27897)),
        (8030.0, (0.09512, 0.12932, 0.20820)),
    ):
        for length, expected in zip(LENGTHS, rows, strict=True):
            found = bending_modes(length, inertia)[0]
            name = f"mode 1 with a client of {inertia:g} kg m² at {length:g} m [Hz]"
            yield Row("D8", name, expected, found, 5e-5)


def d9() -> Iterator[Row]:
    plant = planar_pair(1.05, 0.01, math.radians(1.0))
    boom = plant.boom("boom")
    yield Row("D9", "tip force [N]", 0.13233, abs(boom.force[1]), 4e-5)
    yield Row("D9", "tip moment [N m]", 5.99519, abs(boom.moment_tip[2]), 1e-6)
    yield Row("D9", "energy [mJ]", 52.9796, 1e3 * boom.energy, 1e-6)
    values, shapes = planar_shapes(1.05)
    x = np.array([0.0, 0.0, 0.01 + 1.4 * math.radians(1.0), math.radians(1.0)])
    share = 0.5 * values * (shapes.T @ np.diag([MASS_A, INERTIA_A, MASS_B, INERTIA_B]) @ x) ** 2
    yield Row("D9", "energy in mode 1 [mJ]", 52.2614, 1e3 * share[0], 1e-5)
    yield Row("D9", "energy in mode 2 [mJ]", 0.7182, 1e3 * share[1], 1e-4)


SMALL = 0.05  # [-] of the displacements printed: small enough for the linear model they come from


def retracted(place: float, turn: float, *, turn_a: float = 0.0, place_a: float = 0.0, beta: float = 0.0) -> Plant:  # fmt: skip
    """The pair after a retraction from 1.05 to 0.2 m at 5 mm/s."""
    plant = planar_pair(1.05, place, turn, speed=APPROACH, turn_a=turn_a, place_a=place_a, beta=beta,
                        tolerance=1e-10, scales=Scales(0.1, 0.1, 0.05 * SMALL**2))  # fmt: skip
    plant.set_boom_speed("boom", -APPROACH)
    plant.advance((1.05 - 0.2) / APPROACH)
    return plant


def across_start(place: float, turn: float) -> float:
    return crosswise_energy(planar_pair(1.05, place, turn))


def d10() -> Iterator[Row]:
    place, turn = SMALL * 0.01, SMALL * math.radians(1.0)
    plant, first = retracted(place, turn), across_start(place, turn)
    last = crosswise_energy(plant)
    yield Row("D10", "energy after retraction over that before [-]", 2.1781, last / first, 2e-4)
    yield Row("D10", "work of the drive [mJ]", 62.4173, 1e3 * (last - first) / SMALL**2, 5e-4)
    remainder = abs(float(plant.ledger()["remainder"]))
    yield Row("D10", "what the ledger leaves [J]", 0.0, remainder, 1e-9)
    for mode, ratio in ((0, 2.10732), (1, 7.6435)):
        shape = planar_shapes(1.05)[1][:, mode] * SMALL * (0.1 if mode == 0 else 0.02)
        turn_a, turned = shape[1], shape[3] - shape[1]
        moved = shape[2] - shape[0] - (0.8 + 1.05) * shape[1] - 1.4 * shape[3]
        plant = retracted(moved, turned, turn_a=turn_a, place_a=shape[0])
        found = crosswise_energy(plant) / across_start(moved, turned)
        yield Row("D10", f"mode {mode + 1} alone [-]", ratio, found, 5e-4)


def d11() -> Iterator[Row]:
    place, turn = SMALL * 0.01, SMALL * math.radians(1.0)
    first = across_start(place, turn)
    for zeta, ratio, work, lost in ((0.005, 0.17591, 19.59, 63.25), (0.01, 0.014725, 10.07, 62.27)):
        plant = retracted(place, turn, beta=zeta / (math.pi * 0.1))
        last = crosswise_energy(plant)
        loss = float(plant.ledger()["boom_damping"])
        yield Row(
            "D11", f"damping {zeta:g}: energy after over before [-]", ratio, last / first, 2e-3
        )
        yield Row("D11", f"damping {zeta:g}: loss [mJ]", lost, 1e3 * loss / SMALL**2, 2e-3)
        done = 1e3 * (last - first + loss) / SMALL**2
        yield Row("D11", f"damping {zeta:g}: work of the drive [mJ]", work, done, 2e-3)


def d12() -> Iterator[Row]:
    found = frequencies(Plant([hub_with_wings()]))
    yield Row("D12", "wings and hub turning [Hz]", 0.24692, found[-1], 2e-5)
    yield Row("D12", "wings and hub translating [Hz]", 0.12253, found[0], 5e-5)


def pads(tilt: float, azimuth: float) -> Plant:
    """Three pads of a heavy body on the way to a plane of another, tilted about an axis across."""
    disc = section([SectionLine((0.0, 0.0), (0.0, 1e-4))], straight_ends=False)
    faces = revolution_faces(disc, 0, chord_error=1e-5, around=8)
    law = foundation_law(1e6)
    half = 0.5 * tilt
    q = (
        math.cos(half),
        0.0,
        math.sin(half) * math.cos(azimuth),
        math.sin(half) * math.sin(azimuth),
    )
    heavy = np.diag([1e9, 1e9, 1e9])
    a = JoinedBody("a", 1e9, heavy, velocity=(5e-3, 0.0, 0.0))
    b = JoinedBody("b", 1e9, heavy, (0.03, 0.0, 0.0))
    contacts = []
    for k, angle in enumerate((90.0, 210.0, 330.0)):
        y, z = 0.597 * math.cos(math.radians(angle)), 0.597 * math.sin(math.radians(angle))
        plane = half_space((-1.0, 0.0, 0.0))
        contacts.append(JoinedContact(f"pad{k}", plane, BodyFrame("b", quaternion=q), faces, BodyFrame("a", (0.0, y, z)), law, max_depth=1.0))  # fmt: skip
    return Plant([a, b], contacts=contacts, output_times=np.arange(0.0, 20.0, 2e-3))


def d13() -> Iterator[Row]:
    for tilt, whole in ((0.25, 1.04), (0.5, 2.08), (1.0, 4.17), (2.0, 8.33)):
        plant = pads(math.radians(tilt), 0.5 * math.pi)
        plant.advance(15.0)
        rows = plant.rows()
        times = [rows["time"][np.argmax(rows[f"pad{k}.polygons"] > 0.0)] for k in range(3)]
        found = max(times) - min(times)
        expected = math.sqrt(3.0) / 2.0 * whole
        yield Row(
            "D13", f"first to last bracket, ring tilted {tilt:g} deg [s]", expected, found, 6e-3
        )


def d14() -> Iterator[Row]:
    disc = section([SectionLine((0.0, 0.0), (0.0, 0.01))], straight_ends=False)
    faces = revolution_faces(disc, 0, chord_error=5e-6, around=64)
    area = 64 / 2 * math.sin(2.0 * math.pi / 64) * 0.01**2
    law = foundation_law(1e6 / area)
    a = JoinedBody("a", MASS_A, np.diag([350.0, 600.0, 600.0]), velocity=(APPROACH, 0.0, 0.0))
    b = JoinedBody("b", MASS_B, np.diag([1500.0, 4500.0, 4500.0]), (1e-4, 0.0, 0.0))
    one = JoinedContact(
        "pad", half_space((-1.0, 0.0, 0.0)), BodyFrame("b"), faces, BodyFrame("a"), law
    )
    plant = Plant([a, b], contacts=[one], tolerance=1e-9, longest=2e-4)
    plant.advance(0.3)
    yield Row(
        "D14", "bracket hit at 5 mm/s, peak [N]", 126.77, plant.extremes()["pad"]["force"], 2e-4
    )
    yield Row("D14", "bracket hit at 5 mm/s, peak energy [mJ]", 8.036, 1e3 * plant.peak_energy("pad"), 2e-4)  # fmt: skip


def limit_cycle(torque: float, duration: float) -> tuple[list[float], Plant]:
    """Times of the pulses of a dead band of 0.2 deg, started in the middle at half the step of a pulse."""
    arm = 0.9
    jets = [Thruster((0.0, arm, 0.0), (0.0, 0.0, side), 1.0) for side in (1.0, -1.0)]
    jets.append(Thruster((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), max(torque, 1e-300), 1e-9))
    half = 0.5 * 0.01 * arm / 600.0
    body = JoinedBody(
        "a", 1000.0, np.diag([600.0, 600.0, 600.0]), rate=(half, 0.0, 0.0), thrusters=tuple(jets)
    )
    plant = Plant([body], longest=5.0, scales=Scales(1e-3, 1e-3, 1e-6))
    if torque > 0.0:
        plant.stick_thruster("a", 2, "on")
    limit, fired = math.radians(0.2), []
    while plant.time < duration:
        plant.advance(plant.time + 0.25)
        state = plant.body("a")
        angle, rate = 2.0 * state.quaternion[1], state.rate_body[0]
        if abs(angle) > limit and angle * rate > 0.0:
            widths = [0.0, 0.01, 0.0] if angle > 0.0 else [0.01, 0.0, 0.0]
            plant.fire("a", widths)
            plant.advance(plant.time + 0.25)
            fired.append(plant.time)
    return fired, plant


def d15() -> Iterator[Row]:
    fired, _ = limit_cycle(0.0, 2500.0)
    yield Row(
        "D15", "limit cycle of the dead band, period [s]", 1862.0, 2.0 * (fired[1] - fired[0]), 2e-3
    )
    torque = 1e-5
    fired, _ = limit_cycle(torque, 3200.0)
    expected = 0.01 * 0.9 / torque  # impulse over torque: up and down two parabolas
    found = 0.5 * (fired[-1] - fired[-3])
    yield Row("D15", "one-sided torque of 1e-5 N m, mean period [s]", expected, found, 5e-3)


ALL = (d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15)


def rows(names: list[str]) -> Iterator[Row]:
    """Rows of the functions named, or of all."""
    for function in ALL:
        if not names or function.__name__ in names:
            yield from function()


if __name__ == "__main__":
    print("| # | what | expected | found | difference | bound | |\n|---|---|---|---|---|---|---|")
    for row in rows(sys.argv[1:]):
        print(row, flush=True)
