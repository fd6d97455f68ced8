"""Rows of tethers that are still or turn as one: catenary, gravity gradient, spin with gravity; tow, ring-down, flux force."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import SERIES
from haptos.dynamics.cable.tether_system import EndBody, EndThruster, TetherLine, TetherSystem
from haptos.dynamics.field import ORBIT, body_field, no_field, uniform_field
from haptos.dynamics.nets.tow_model import TowBody, tow, tow_system
from haptos.environment import gravity as gravities
from haptos.environment.orbit_frames import EARTH_MU, KeplerElements
from haptos.environment.orbital_origin import origin_path
from tests.tether_balance import Floats, balanced, catenary
from tests.validation.contact import Row

COUNTS = (10, 20, 40)


def order(errors: list[float]) -> float:
    """Order of the last two of errors on grids of twice the cells."""
    return math.log2(errors[-2] / errors[-1])


def middles(cells: int, length: float) -> Floats:
    """Natural arc lengths [m] of the middles of cells."""
    return (np.arange(cells) + 0.5) / cells * length


def catenary_error(cells: int) -> float:
    """Largest distance [m] of cells from the elastic catenary, over its span."""
    span, length, density, g, stiffness = 80.0, 100.0, 0.5, 9.0, 5e3
    weight = density * g
    fixed = [EndBody(1.0, position=(x, 0.0, 0.0), is_fixed=True) for x in (0.0, span)]
    line = TetherLine(length, density, stiffness)
    field = uniform_field((0.0, 0.0, -g))
    system = TetherSystem((fixed[0], fixed[1]), line, cells, field=field)
    exact = catenary(middles(cells, length), span, length, weight, stiffness)
    start = np.stack([exact[:, 0], 0.0 * exact[:, 0], exact[:, 1]], axis=1)
    _, found, _ = balanced(system, start, np.zeros(3))
    # a cell is the mean over its length: of the closed form, by three points of Gauss
    mean = np.zeros((cells, 2))
    for node, part in zip(*np.polynomial.legendre.leggauss(3), strict=True):
        at = middles(cells, length) + 0.5 * node * length / cells
        mean += 0.5 * part * catenary(at, span, length, weight, stiffness)
    return float(np.linalg.norm(found[:, [0, 2]] - mean, axis=1).max() / span)


def gradient_error(cells: int) -> float:
    """Largest error of a line that hangs up from a fixed circle in a gravity gradient, over its stretch."""
    radius, length, density, tip = 7.0e6, 2.0, 0.05, 0.005
    n = math.sqrt(EARTH_MU / radius**3)
    stiffness = 3.0 * n * n * density * length**2  # so soft that q L is 1
    path = origin_path(KeplerElements(radius, 0.0, 0.0, 0.0, 0.0, 0.0))
    field = no_field()._replace(kind=ORBIT, mu=EARTH_MU, path=path)
    system = TetherSystem(
        (EndBody(1.0, is_fixed=True), EndBody(tip, position=(length, 0.0, 0.0))),
        TetherLine(length, density, stiffness), cells, field=field,
    )  # fmt: skip
    q = math.sqrt(3.0 * n * n * density / stiffness)
    size = 1.0 / (q * math.cos(q * length) - tip / density * q * q * math.sin(q * length))

    def radial(s: Floats) -> Floats:
        return np.asarray(size * np.sin(q * s))

    s = middles(cells, length)
    mean = np.zeros(cells)
    for node, part in zip(*np.polynomial.legendre.leggauss(3), strict=True):
        mean += 0.5 * part * radial(s + 0.5 * node * length / cells)
    start = np.zeros((cells + 1, 3))
    start[:, 0] = np.append(mean, radial(np.array([length])))
    _, found, _ = balanced(system, start, np.array([0.0, 0.0, n]))
    return float(np.abs(found[:, 0] - mean).max() / (radial(np.array([length]))[0] - length))


def t3() -> Iterator[Row]:
    """Lines at rest against closed forms."""
    errors = [catenary_error(cells) for cells in COUNTS]
    yield Row(
        "T3", "elastic catenary: error of the cells over the span, N 40", 0.0, errors[-1], 1e-3
    )
    yield Row("T3", "its order in N", 2.0, order(errors), 0.1)
    errors = [gradient_error(cells) for cells in COUNTS]
    yield Row(
        "T3",
        "vertical line in a gravity gradient, a sin(q s): error over its stretch, N 40",
        0.0,
        errors[-1],
        1e-3,
    )
    yield Row("T3", "its order in N", 2.0, order(errors), 0.1)  # fmt: skip


def spun_with_gravity_error(cells: int, spoil: float = 1.0) -> float:
    """Largest error of the tension inside a line spun about a body that pulls, over that at its root.

    spoil  factor of the gravity in the closed form
    """
    mu = 3e6
    root, length, tip, density, turn = 2000.0, 3000.0, 30.0, 0.02, 0.03
    far = root + length
    arm = np.zeros(3)
    field = body_field(gravities.point(mu), np.zeros(3), arm=arm, axes=np.eye(3))
    system = TetherSystem(
        (EndBody(1.0, position=(root, 0.0, 0.0), is_fixed=True), EndBody(tip, position=(far, 0.0, 0.0))),
        TetherLine(length, density, 1e9), cells, field=field,
    )  # fmt: skip
    start = np.zeros((cells + 1, 3))
    start[:, 0] = root + np.append(middles(cells, length), length)
    _, _, tension = balanced(system, start, np.array([0.0, 0.0, turn]))
    r = root + np.arange(cells + 1) / cells * length
    mu *= spoil
    exact = tip * (turn**2 * far - mu / far**2)
    profile = exact + density * (0.5 * turn**2 * (far**2 - r**2) - mu * (1.0 / r - 1.0 / far))
    shared = slice(cells // COUNTS[0], -1, cells // COUNTS[0])  # places that every grid has
    return float(np.abs(tension - profile)[shared].max() / np.abs(profile).max())


def t7() -> Iterator[Row]:
    """Tension along a line that spins about a body with gravity, Eq. (33)."""
    errors = [spun_with_gravity_error(cells) for cells in COUNTS]
    yield Row(
        "T7", "spun line with gravity: error of the tension profile, N 40", 0.0, errors[-1], 1e-4
    )
    yield Row("T7", "its order in N, with gravity", 2.0, order(errors), 0.15)


def tow_difference(slack: float, tolerance: float) -> tuple[float, float]:
    """(largest difference [m] of the towed body's place between a net's tow and a tether's, slack time [s])."""
    length, stiffness, damping, thrust = 50.0, 200.0, 40.0, 20.0
    chaser, target = (500.0, (300.0, 300.0, 200.0)), (80.0, (20.0, 25.0, 30.0))
    centre, far = (0.0, 0.0, 0.0), (0.5, -0.2, 0.3)
    place, spin = (-length + slack - 0.5, 0.0, 0.0), (0.002, -0.003, 0.005)
    reduced = tow_system(*chaser, *target, [centre], [far], length, stiffness, damping)
    times = np.linspace(0.0, 60.0, 61)
    bodies = (TowBody(centre), TowBody(place, rate=spin))
    other = tow(reduced, *bodies, (thrust, 0.0, 0.0), times, tolerance=1e-12).states
    burn = (EndThruster(centre, (1.0, 0.0, 0.0), thrust, 1e12),)
    first = EndBody(chaser[0], inertia=chaser[1], thrusters=burn, propellant=1e-6)
    second = EndBody(target[0], inertia=target[1], attachment=far, position=place, rate=spin)
    line = TetherLine(length, 0.0, stiffness * length, damping * length)
    run = TetherRun(TetherSystem((first, second), line, 0), tolerance=tolerance)
    run.advance(60.0, rows=times)
    apart = np.linalg.norm(run.rows[:, 17:20] - other[:, 13:16], axis=1)
    return float(apart.max()), float(run.extremes[10])


def t14() -> Iterator[Row]:
    """The same two bodies towed by a net's thread and by a tether, through slack."""
    apart, slack = tow_difference(2.0, 1e-11)
    yield Row(
        "T14", f"tow through {slack:.1f} s of slack: net's beside tether's [m]", 0.0, apart, 1e-4
    )


def ring_down() -> float:
    """Damping ratio [-] of the bounce of two bodies on a massless line with a tuned damper in series, from its peaks."""
    stiffness, length, m = 1e4, 50.0, 12.0
    k = stiffness / length
    w, pull = math.sqrt(k / m), 40.0
    line = TetherLine(length, 0.0, stiffness, series=((k, 2.0 * 0.9 * m * w), None))
    thrust = (EndThruster((0, 0, 0), (1, 0, 0), pull / 30.0 * 50.0, 1e12),)
    place = (length + 2.0 * pull / k + 0.05, 0.0, 0.0)
    far = EndBody(20.0, position=place, thrusters=thrust, propellant=1e-6)
    run = TetherRun(TetherSystem((EndBody(30.0), far), line, 0), tolerance=1e-11)
    run.state[SERIES] = pull / k
    times = np.linspace(0.0, 8.0, 4001)
    run.advance(8.0, rows=times)
    swing = run.rows[:, 17] - run.rows[:, 0] - length - 2.0 * pull / k
    tops = [
        i for i in range(1, 4000) if swing[i - 1] < swing[i] >= swing[i + 1] and swing[i] > 1e-6
    ]
    decay = math.log(swing[tops[0]] / swing[tops[2]]) / 2.0
    return decay / math.hypot(decay, 2.0 * math.pi)


def t16() -> Iterator[Row]:
    """Ring-down of the tuned damper."""
    yield Row(
        "T16",
        "damping ratio of the tuned damper in series, by a ring-down run",
        0.206,
        ring_down(),
        1e-2,
    )
