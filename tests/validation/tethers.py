"""Rows of docs/validation/tethers.md: tethers, reels and sling-shots, found beside expected.

python -m tests.validation.tethers          prints the table; with names (t6 runs_c) only those
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import haptos as hp
from haptos.dynamics.cable.hitchhike import hitchhike
from haptos.dynamics.cable.reel_build import ReelParts, brake, hold, prescribed
from haptos.dynamics.cable.spun_tether import (
    largest_speed,
    payload_per_tether,
    spun_tension,
    tapered_tether_per_payload,
)
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, MOMENTUM, POSITION, STORED
from haptos.dynamics.cable.tether_system import EndBody, TetherLine, TetherSystem, TetherWatch
from haptos.environment.heat import (
    SOLAR_CONSTANT,
    cylinder_view_factor,
    emitted_power,
    equilibrium_temperature,
    planet_power,
    sun_power,
    time_constant,
)
from haptos.scenarios.files import parse_checked, parse_toml, preset_text
from tests.validation import tether_rows
from tests.validation.contact import Row

MU, EA = 1560.0 * 5.34e-6, 270e9 * 5.34e-6
EARTH = 6378.137e3
OTHERS = ("t3", "t7", "t14", "t16")  # of `tether_rows`


def t4() -> Iterator[Row]:
    """A massless line reeled in about a fixed reel."""
    mass, start, end, turning, duration = 20.0, 100.0, 50.0, 0.05, 200.0
    stiffness = 2e7
    stretch = mass * turning**2 * start / (stiffness / start)
    far = start + stretch / (1.0 - stretch / start)
    system = TetherSystem(
        bodies=(EndBody(1.0, is_fixed=True), EndBody(mass, position=(far, 0.0, 0.0), velocity=(0.0, turning * far, 0.0))),
        line=TetherLine(start + 1e-3, 0.0, stiffness, 1e5),
        cells=0,
        reels=(prescribed([0.0, duration], [0.0, end - start], smooth=True), hold()),
        stored=(1e-3, 0.0),
    )  # fmt: skip
    run = TetherRun(system, tolerance=1e-11)
    run.advance(duration)
    x, p = (
        run.state[BODY + POSITION : BODY + POSITION + 3],
        run.state[BODY + MOMENTUM : BODY + MOMENTUM + 3],
    )
    r, h = float(np.linalg.norm(x)), float(np.cross(x, p)[2])
    yield Row(
        "T4",
        "reel-in of a massless line: angular momentum [N m s]",
        mass * turning * far**2,
        h,
        1e-8,
    )
    rate = turning * far**2 / r**2
    yield Row(
        "T4", "its rate at the end, w l^2 = const [rad/s]", rate, float(h / mass / r**2), 1e-8
    )
    run.refresh()
    tension = float(run.tether.springs.tension[0])
    slowing = 0.5 * math.pi**2 * (start - end) / duration**2  # l'' where the cosine ends
    yield Row(
        "T4",
        "its tension at the end, m (l w^2 - l'') [N]",
        mass * (r * rate**2 - slowing),
        tension,
        1e-4,
    )


def stop(cells: int, stiffness: float, speed: float, tension: float, out: float) -> TetherRun:
    """A stop in one dimension; `out` [m] of line are out at the start, at rest under the tension of the brake."""
    mass = 2000.0 - MU * (120e3 - out)
    far = out * (1.0 + tension / stiffness)
    places = np.zeros((cells, 3))
    places[:, 0] = far * (1.0 - (np.arange(cells) + 0.5) / cells)
    system = TetherSystem(
        bodies=(EndBody(mass, position=(far, 0.0, 0.0), velocity=(speed, 0.0, 0.0)), EndBody(1.0, is_fixed=True)),
        line=TetherLine(120e3, MU, stiffness, 1e6),
        cells=cells,
        reels=(brake(tension, parts=ReelParts(is_drum=False)), hold()),
        stored=(120e3 - out, 0.0),
        watches=[TetherWatch("range rate below", 0.0)],
    )  # fmt: skip
    run = TetherRun(system, tolerance=1e-9, cells=(places, np.zeros((cells, 3))))
    run.advance(400.0)
    return run


def t6() -> Iterator[Row]:
    """One-dimensional hitchhike against the closed form, with next to no stretch."""
    speed, tension, out = 1400.0, 24776.0, 100.0
    stiff = 1e14 * 5.34e-6
    closed = hitchhike(2000.0, speed, tension, MU, stiff)
    run = stop(60, stiff, speed, tension, out)
    length = run.system.line.total - float(run.state[STORED]) - out
    works = run.works()
    yield Row(
        "T6", "hitchhike in one dimension, E 1e14 Pa, N 60: length [m]", closed.length, length, 1e-3
    )
    yield Row("T6", "time [s]", closed.time, run.time, 1e-3)
    yield Row("T6", "brake energy [J]", closed.brake_energy, -works["shaft_0"], 1e-3)
    yield Row("T6", "feed loss [J]", closed.feed_loss, -works["feed_loss_0"], 1e-3)
    yield Row("T6", "largest tension [N]", tension, float(run.extremes[0]), 1e-2)
    yield Row(
        "T6",
        "largest acceleration [m/s^2]",
        closed.largest_acceleration,
        float(run.extremes[4]),
        1e-2,
    )
    elastic = hitchhike(2000.0, speed, tension, MU, EA)
    run = stop(60, EA, speed, tension, out)
    length = run.system.line.total - float(run.state[STORED]) - out
    yield Row("T6", "the same of Zylon, stretch included: length [m]", elastic.length, length, 1e-3)
    yield Row("T6", "its largest tension [N]", tension, float(run.extremes[0]), 1e-2)
    yield Row(
        "T6",
        "its largest acceleration [m/s^2]",
        elastic.largest_acceleration,
        float(run.extremes[4]),
        1e-2,
    )


def t7() -> Iterator[Row]:
    """Tension along a line that spins in free space, and the sizing formulas."""
    speed, tip, payload, density = 300.0, 5e3, 40.0, 0.02
    stiffness, errors = 5e5, []
    for cells in (20, 40, 80):
        errors.append(_spun_error(cells, speed, tip, payload, density, stiffness))
    yield Row("T7", "spun line: error of the tension profile, N 80", 0.0, errors[-1], 1e-3)
    order = math.log2(errors[1] / errors[2])
    yield Row("T7", "its order in N", 2.0, order, 0.15)
    yield Row(
        "T7",
        "V_max of Kevlar, C_L 10 km/s, strain 0.01 [m/s]",
        1414.2136,
        largest_speed(1.44e9, 1440.0),
        1e-7,
    )
    yield Row(
        "T7",
        "payload per tether of Zylon at 1 km/s, half strength",
        1.359,
        payload_per_tether(1000.0, 2.9e9, 1560.0),
        5e-4,
    )
    yield Row(
        "T7",
        "tapered tether per payload, the same",
        0.6456,
        tapered_tether_per_payload(1000.0, 2.9e9, 1560.0),
        5e-4,
    )


def _spun_error(
    cells: int, speed: float, tip: float, payload: float, density: float, stiffness: float
) -> float:
    """Largest error of the mean tension over a period of bounce, of the tension at the root."""
    turning = speed / tip
    fine = 4000
    q = (np.arange(fine) + 0.5) / fine * tip
    pull = spun_tension(q, payload=payload, speed=speed, tip=tip, linear_density=density)
    r = np.concatenate([[0.0], np.cumsum((1.0 + pull / stiffness) * tip / fine)])
    for _ in range(40):  # the stretched line pulls with its own radii
        middle = 0.5 * (r[1:] + r[:-1])
        beyond = np.cumsum((density * turning**2 * middle * tip / fine)[::-1])[::-1]
        pull = (
            payload * turning**2 * r[-1] + beyond - 0.5 * density * turning**2 * middle * tip / fine
        )
        r = np.concatenate([[0.0], np.cumsum((1.0 + pull / stiffness) * tip / fine)])
    at = np.interp((np.arange(cells) + 0.5) / cells * tip, np.linspace(0.0, tip, fine + 1), r)
    places = np.stack([at, 0.0 * at, 0.0 * at], axis=1)
    speeds = np.stack([0.0 * at, turning * at, 0.0 * at], axis=1)
    far = float(r[-1])
    system = TetherSystem(
        bodies=(EndBody(1.0, is_fixed=True), EndBody(payload, position=(far, 0.0, 0.0), velocity=(0.0, turning * far, 0.0))),
        line=TetherLine(tip, density, stiffness, 2e4),
        cells=cells,
    )  # fmt: skip
    run = TetherRun(system, tolerance=1e-10, cells=(places, speeds))
    run.advance(60.0)  # what the cells do not hold rings down
    run.refresh()
    found = np.asarray(run.tether.springs.tension)
    where = np.concatenate([[0.0], (np.arange(1, cells)) / cells * tip, [tip]])
    exact = np.interp(where, (np.arange(fine) + 0.5) / fine * tip, pull)
    return float(np.abs(found - exact)[1:-1].max() / exact.max())


def t11() -> Iterator[Row]:
    """Heat of a cord."""
    diameter, surface = 2.0 * 1.3038e-3, (0.5, 0.8)
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    for altitude, radial, across in (
        (300e3, 0.3141, 0.3755),
        (500e3, 0.2674, 0.3403),
        (800e3, 0.2185, 0.3006),
    ):
        sine = EARTH / (EARTH + altitude)
        yield Row(
            "T11",
            f"view factor, radial, {altitude / 1e3:g} km",
            radial,
            cylinder_view_factor(sine, 1.0),
            4e-4,
        )
        yield Row(
            "T11",
            f"view factor, horizontal, {altitude / 1e3:g} km",
            across,
            cylinder_view_factor(sine, 0.0),
            4e-4,
        )
    for distance, expected in ((1.0, 262.87), (2.5, 166.25)):
        absorbed = sun_power(0.5, SOLAR_CONSTANT / distance**2, 1.0, diameter, z, x)
        found = equilibrium_temperature(absorbed, 0.8, diameter)
        yield Row("T11", f"free space, {distance:g} au [K]", expected, found, 0.1 / expected)
    planet = (EARTH, SOLAR_CONSTANT, 0.3, 239.7)
    albedo, infrared = planet_power(surface, planet, diameter, (EARTH + 500e3, 0.0, 0.0), x, x)
    lit = equilibrium_temperature(
        sun_power(0.5, SOLAR_CONSTANT, 1.0, diameter, x, y) + albedo + infrared, 0.8, diameter
    )
    yield Row("T11", "500 km, radial, lit [K]", 290.4, lit, 0.1 / 290.4)
    yield Row(
        "T11",
        "500 km, radial, eclipse [K]",
        183.4,
        equilibrium_temperature(infrared, 0.8, diameter),
        0.1 / 183.4,
    )
    constant = time_constant(MU, 1000.0, 0.8, diameter, 262.9)
    yield Row("T11", "time constant at 262.9 K [s]", 308.5, constant, 1e-3)
    cooling = MU * 1000.0 / (3.0 * emitted_power(0.8, diameter, 1.0)) * (200.0**-3 - 300.0**-3)
    yield Row("T11", "300 to 200 K by emission [s]", 657.3, cooling, 1e-3)


def t16() -> Iterator[Row]:
    """A slack massless line closes at a speed: peak tension v sqrt(k m)."""
    mass, length, stiffness, speed = 50.0, 100.0, 2e4, 0.5
    system = TetherSystem(
        bodies=(EndBody(1.0, is_fixed=True), EndBody(mass, position=(length - 1.0, 0.0, 0.0), velocity=(speed, 0.0, 0.0))),
        line=TetherLine(length, 0.0, stiffness, 0.0),
        cells=0,
    )  # fmt: skip
    run = TetherRun(system, tolerance=1e-10)
    run.advance(30.0)
    yield Row(
        "T16",
        "snatch of a slack line, v sqrt(k m) [N]",
        speed * math.sqrt(stiffness / length * mass),
        float(run.extremes[0]),
        1e-2,
    )
    k = stiffness / length
    w = math.sqrt(k / mass)
    roots = np.roots([mass * 1.8 * mass * w, 2.0 * k * mass, 1.8 * mass * w * k, k * k])
    pair = roots[np.abs(roots.imag) > 1e-9][0]
    yield Row(
        "T16",
        "damping ratio of the tuned damper in series, by its poles",
        0.206,
        float(-pair.real / abs(pair)),
        5e-3,
    )


C_RUNS = (
    ("slingshot", "1.40 km/s, 24.776 kN, ramp 8 s", (114.8, 101.35e3, 18.65e3, 21.63, 28.10e3, 1.452e9, 0.397e9, 188.8)),
    ("slingshot-fig16", "fig. 16, ramp 8 s", (108.9, 119.72e3, 0.28e3, 31.2, 33.77e3, 1.895e9, 0.735e9, 211.0)),
    ("slingshot-fig16 no ramp", "fig. 16, no ramp", (107.65, 115.30e3, 4.70e3, 30.1, 50.9e3, 1.950e9, 0.678e9, 211.0)),
    ("slingshot-slow", "1.00 km/s, 24.776 kN", (87.1, 49.8e3, 70.2e3, 15.7, 27.97e3, 0.847e9, 0.067e9, 221.7)),
)  # fmt: skip
C_METRICS = (
    ("end_time_s", "time [s]", 2e-3), ("deployed_m", "deployed [m]", 2e-3), ("left_m", "left [m]", 5e-2),
    ("peak_acceleration_m_per_s2", "peak acceleration [m/s^2]", 5e-3), ("peak_tension_N", "peak tension [N]", 5e-3),
    ("brake_energy_J", "brake energy [J]", 2e-3), ("feed_loss_J", "feed loss [J]", 5e-3),
    ("end_speed_across_m_per_s", "residual speed [m/s]", 5e-3),
)  # fmt: skip


def runs_c() -> Iterator[Row]:
    """Expected runs of the sling-shot."""
    for name, words, expected in C_RUNS:
        preset, _, no_ramp = name.partition(" ")
        table = parse_toml(preset_text(preset), preset)
        if no_ramp:
            table["reel"]["ramp_s"] = 0.0
        found = hp.simulate(parse_checked(table, preset)).metrics
        for (metric, what, bound), value in zip(C_METRICS, expected, strict=True):
            yield Row("C", f"{words}: {what}", value, found[metric], bound)
    end = hp.simulate(hp.load("slingshot-end")).metrics
    yield Row(
        "C", "0.98 T_max, 1.67 km/s: end of the line after [s]", 96.6, end["end_time_s"], 2e-3
    )
    yield Row("C", "and its range rate there [m/s]", 434.0, end["end_range_rate_m_per_s"], 5e-3)


ROWS: dict[str, Callable[[], Iterator[Row]]] = {
    "t4": t4, "t6": t6, "t7": t7, "t11": t11, "t16": t16, "runs_c": runs_c,
}  # fmt: skip


def all_rows() -> dict[str, Callable[[], Iterator[Row]]]:
    """Rows of this file and of that of lines at rest, by number; those of one number follow each other."""
    found: dict[str, list[Callable[[], Iterator[Row]]]] = {}
    for name, rows in [*ROWS.items(), *((n, getattr(tether_rows, n)) for n in OTHERS)]:
        found.setdefault(name, []).append(rows)
    in_order = sorted(found, key=lambda name: (name[0] != "t", len(name), name))
    return {name: partial(_in_turn, found[name]) for name in in_order}


def _in_turn(parts: list[Callable[[], Iterator[Row]]]) -> Iterator[Row]:
    for part in parts:
        yield from part()


if __name__ == "__main__":
    chosen = all_rows()
    for wanted in sys.argv[1:] or chosen:
        for row in chosen[wanted]():
            print(row, flush=True)
