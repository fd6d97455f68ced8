"""Rows of docs/validation/harpoons.md: ground, active material, booms, retrieval, found beside expected.

python -m tests.validation.harpoons          prints the table; with names (t8 t12) only those
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import sys
from collections.abc import Iterator

import numpy as np

import haptos as hp
from haptos.contact.laws.anchor import anchor
from haptos.contact.laws.penetration import (
    SoilLayer,
    bearing_factor,
    cavity_drag,
    constant_strength_depth,
    poncelet_depth,
    rod,
)
from haptos.dynamics.cable.boom import TRIGGER, W_HELD, W_IMPULSE, X_FORCE, X_RATE
from haptos.dynamics.cable.boom_run import BoomRun, BoomShape, boom_of
from haptos.dynamics.cable.retrieval_run import RetrievalCase, retrieve
from haptos.dynamics.rigid.axial_entry import axial_entry
from haptos.dynamics.rigid.oblique_entry import RICOCHET, oblique_entry
from haptos.materials.shape_memory_cycle import cycle
from tests.validation.contact import Row

THIRTY = math.radians(30.0)
LONG = rod(9.5e-3, THIRTY)
SHORT = rod(9.5e-3, THIRTY, 0.45 - 9.5e-3 / math.tan(THIRTY))
MPA = 1e6


def soil(
    strength: float, density: float = 1200.0, friction: float = 0.2, drag: float = 1.0
) -> list[SoilLayer]:
    return [SoilLayer(strength, density, math.radians(35.0), friction, drag)]


def t8() -> Iterator[Row]:
    bare = soil(1e6, friction=0.0, drag=0.0)
    found = axial_entry(1.0, 150.0, LONG, bare)
    yield Row(
        "T8",
        "strength alone, depth [m]",
        constant_strength_depth(1.0, 150.0, 1e6, LONG),
        found.depth,
        1e-6,
    )
    yield Row("T8", "the same, printed [m]", 39.689487, found.depth, 1e-6)
    open_rod = rod(9.5e-3, THIRTY, chi=0.0)
    deep = axial_entry(1.0, 150.0, open_rod, soil(1e6), depth=open_rod.cone_height)
    yield Row(
        "T8",
        "Poncelet from the covered cone [m]",
        poncelet_depth(1.0, 150.0, soil(1e6)[0], open_rod),
        deep.depth,
        1e-6,
    )
    yield Row(
        "T8",
        "energy of a penetration, share missing",
        0.0,
        abs(axial_entry(1.0, 150.0, LONG, soil(1e7), gravity=2e-4).remainder) / 11250.0,
        1e-9,
    )


def t9() -> Iterator[Row]:
    for degrees, expected in ((25, 10.662), (30, 18.401), (35, 33.296), (45, 134.874)):
        yield Row(
            "T9", f"N_q at {degrees} deg", expected, bearing_factor(math.radians(degrees)), 5e-5
        )
    yield Row(
        "T9",
        "C_D by cavity expansion, phi 35, eta 0.1",
        7.55812,
        cavity_drag(math.radians(35.0), 0.1, THIRTY),
        1e-6,
    )
    table = {
        1e4: (6.9454, 9.4170, 11.5081),
        1e5: (2.6040, 3.7418, 4.7900),
        1e6: (0.8708, 1.2923, 1.7007),
        1e7: (0.2723, 0.4130, 0.5523),
    }
    for strength, depths in table.items():
        for speed, depth in zip((100.0, 150.0, 200.0), depths, strict=True):
            found = axial_entry(1.0, speed, LONG, soil(strength), gravity=2e-4).depth
            yield Row("T9", f"depth at {strength:g} Pa, {speed:g} m/s [m]", depth, found, 2e-4)
    hard = axial_entry(1.0, 150.0, LONG, soil(1e7), gravity=2e-4)
    yield Row("T9", "peak at 10 MPa, 150 m/s [g]", 5216.0, hard.peak_deceleration / 9.80665, 1e-4)
    yield Row("T9", "time to rest [ms]", 4.420, 1e3 * hard.time, 2e-4)
    for strength, depth, expected in ((1e7, 0.413, 4730.0), (1e6, 2.0, 520.0), (1e5, 2.0, 52.0)):
        yield Row(
            "T9",
            f"grip alone at {strength:g} Pa [N]",
            expected,
            anchor(SHORT, soil(strength), depth, barb_area=0.0).axial,
            1e-2,
        )


def t10() -> Iterator[Row]:
    for incidence, depth in (
        (0, 0.413),
        (15, 0.404),
        (30, 0.368),
        (45, 0.307),
        (60, 0.224),
        (70, 0.159),
        (80, 0.086),
    ):
        found = oblique_entry(1.0, 150.0, SHORT, soil(1e7), incidence=math.radians(incidence))
        yield Row("T10", f"depth at {incidence} deg, 10 MPa [m]", depth, found.depth, 1e-2)
    straight = oblique_entry(1.0, 150.0, SHORT, soil(1e7), incidence=0.0)
    yield Row(
        "T10",
        "straight down against the axial law [m]",
        axial_entry(1.0, 150.0, SHORT, soil(1e7)).depth,
        straight.depth,
        1e-4,
    )
    slanted = oblique_entry(1.0, 150.0, SHORT, soil(1e7), incidence=math.radians(45.0))
    yield Row(
        "T10",
        "energy of an oblique entry, share missing",
        0.0,
        abs(slanted.remainder) / 11250.0,
        1e-6,
    )
    rock = oblique_entry(1.0, 150.0, SHORT, soil(1e8, 2500.0), incidence=math.radians(80.0))
    yield Row("T10", "rock at 80 deg: ricochet (1 = yes)", 1.0, float(rock.ended == RICOCHET), 1e-9)
    yield Row("T10", "speed left then [m/s]", 122.0, rock.speed, 1e-2)
    held = anchor(SHORT, soil(1e7), slanted.last_depth / math.cos(math.radians(45.0)))
    least = min(held.capacity(math.radians(angle)) for angle in range(181))
    yield Row(
        "T10", "least hold over 450 N, all directions (1 = above)", 1.0, float(least > 450.0), 1e-9
    )


def active() -> Iterator[Row]:
    loop = cycle([0, 80, 160], strain=[0, 0.08, 0], temperature=325.0)
    yield Row("5.1", "superelastic loop at 325 K [MJ/m3]", 10.97, loop.worked[-1] / MPA, 1e-3)
    yield Row("5.1", "peak stress [MPa]", 354.9, loop.stress.max() / MPA, 1e-3)
    warm = cycle([0, 80, 160], strain=[0, 0.08, 0], temperature=325.0, balance=True)
    yield Row("5.1", "adiabatic, hottest [K]", 370.1, warm.theta.max(), 3e-4)
    yield Row("5.1", "adiabatic, peak [MPa]", 708.0, warm.stress.max() / MPA, 1e-3)
    mixed = cycle([0, 80, 160], strain=[0, 0.08, 0], temperature=325.0, balance=True, exchange=3e5)
    yield Row("5.1", "heat exchange 3e5 W/m3/K, loop [MJ/m3]", 17.44, mixed.worked[-1] / MPA, 1e-3)
    yield Row("5.1", "its heat balance, share missing", 0.0, mixed.heat_left / 1.608e8, 1e-8)
    twins = cycle([0, 100, 200], stress=[0, 300e6, 0], temperature=280.0, start=(0.5, 0.5))
    yield Row("5.1", "quasi-plastic, strain that stays", 0.0670, twins.strain[-1], 1e-4)
    total = loop.plus + loop.minus + loop.austenite
    yield Row("5.1", "fractions, largest |sum - 1|", 0.0, float(np.abs(total - 1.0).max()), 1e-12)


def t12() -> Iterator[Row]:
    for name, phase, peak, contact, impulse in (
        ("martensite", (2.10e6, 15149.0), 219.0, 0.79, 111.6),
        ("austenite", (5.36e6, 38592.0), 256.0, 0.69, 110.0),
    ):
        boom = boom_of(BoomShape(100.0, 0.516, *phase), 20, damping=300.0, friction=0.5, gravity=8e-5, lever=1.0,
                       stroke=1e-3, lock=1e7, lock_damping=2e3)  # fmt: skip
        run = BoomRun(boom)
        run.start(1e-3, (0.0, -0.1), 0.01)
        run.until(1.0, (TRIGGER,))
        run.until(run.time + 2.0)
        yield Row("A2", f"passive boom, {name}: peak force [N]", peak, run.extremes[X_FORCE], 1e-2)
        yield Row("A2", f"{name}: contact [s]", contact, run.state[W_HELD], 4e-2)
        yield Row("A2", f"{name}: impulse [N s]", impulse, run.state[W_IMPULSE], 5e-3)
    yield from undamped()
    found = hp.simulate("tether-sampling")
    yield Row("A1", "20 N within 10 %, share of 2 s", 1.0, found.metrics["held_share"], 0.1)
    soft, kept = hp.simulate("tether-boom-passive"), hp.simulate("tether-boom")
    yield Row(
        "A2",
        "25 N for 60 s without control: buckled (1 = yes)",
        1.0,
        float(soft.ended.label == "buckled"),
        1e-9,
    )
    start, most = bow_at_start(kept), kept.metrics["largest_bow_m"]
    yield Row("A2", "bow at the start, from root to end effector [m]", 0.010, start, 3e-2)
    yield Row("A2", "the same with curvature gain 2, largest bow over it", 1.0, most / start, 1e-3)


def bow_at_start(found: hp.Result) -> float:
    """Largest distance [m] of a node from the line between root and end effector at the first stored time."""
    motion = found.trajectory
    nodes, hull = motion["line_N"].values[0][:, ::2], motion["r_BN_N"].values[0][::2]
    root = hull - [0.0, 1.0]
    way = (nodes[-1] - root) / np.linalg.norm(nodes[-1] - root)
    return float(np.abs((nodes - root) @ np.array([-way[1], way[0]])).max())


def undamped() -> Iterator[Row]:
    """The passive touch as it was printed: a spacecraft upright on the clamped root of a bowed boom, and no damping of the boom."""
    for name, phase, rate, peak, impulse in (
        ("martensite", (2.10e6, 15149.0), 0.041, 219.0, 111.6),
        ("austenite", (5.36e6, 38592.0), 0.067, 256.0, 110.0),
    ):
        shape = BoomShape(100.0, 0.516, *phase, ratio=0.0, clamped=True)
        boom = boom_of(shape, 20, damping=300.0, friction=0.5, gravity=8e-5, lever=1.0, stroke=1e-3, lock=1e7, lock_damping=2e3)  # fmt: skip
        run = BoomRun(boom)
        run.start(1e-3, (0.0, -0.1), 0.01, is_upright=True)
        run.until(1.0, (TRIGGER,))
        run.until(run.time + 2.0)
        turned = math.degrees(run.extremes[X_RATE])
        yield Row(
            "A2",
            f"clamped, undamped, a kink at the root, {name}: largest rate [deg/s]",
            rate,
            turned,
            2e-2,
        )
        yield Row("A2", f"{name} undamped: peak force [N]", peak, run.extremes[X_FORCE], 2e-3)
        yield Row("A2", f"{name} undamped: impulse [N s]", impulse, run.state[W_IMPULSE], 5e-4)


def t14() -> Iterator[Row]:
    base = RetrievalCase()
    for changed, time, far, peak in (
        ({}, 499.9, 4.262, 5.28), ({"thrust": 10.0}, 499.8, 7.224, 5.28), ({"thrust": 30.0}, 499.9, 3.251, 5.28),
        ({"drift": 0.01}, 499.8, 0.852, 5.28), ({"drift": 0.1}, 499.9, 8.532, 5.28), ({"rise": 1.0}, 496.9, 4.305, 3.49),
        ({"rise": 3.0}, 503.5, 4.212, 7.07), ({"reel": 0.1}, 994.2, 4.989, 5.28), ({"reel": 0.3}, 335.1, 5.230, 5.28),
    ):  # fmt: skip
        found = retrieve(dataclasses.replace(base, **changed))
        what = ", ".join(f"{key} {value:g}" for key, value in changed.items()) or "nominal"
        yield Row("B", f"{what}: capture [s]", time, found.time, 1e-2)
        yield Row(
            "B",
            f"{what}: largest angle beyond 50 m [deg]",
            far,
            math.degrees(found.angle_far),
            1e-2,
        )
        yield Row("B", f"{what}: peak tension [N]", peak, found.peak, 1e-2)
    grid = {
        case: retrieve(
            dataclasses.replace(base, thrust=case[0], drift=case[1], rise=case[2], reel=case[3])
        )
        for case in itertools.product(
            (10.0, 20.0, 30.0), (0.01, 0.05, 0.1), (1.0, 2.0, 3.0), (0.1, 0.2, 0.3)
        )
    }
    yield Row(
        "B",
        "captured of 81",
        81.0,
        float(sum(one.ended == "captured" for one in grid.values())),
        1e-9,
    )
    for what, measure, axis, sign, count in (
        ("angle beyond 50 m rises with drift, of 27", "angle_far", 1, 1.0, 27),
        ("angle beyond 50 m falls with thrust, of 27", "angle_far", 0, -1.0, 27),
        ("angle beyond 10 m falls with thrust, of 27", "angle_middle", 0, -1.0, 9),
        ("angle beyond 50 m rises with the reel, of 27", "angle_far", 3, 1.0, 9),
    ):
        rows: dict[tuple[float, ...], list[float]] = {}
        for case, found in sorted(grid.items()):
            rows.setdefault(case[:axis] + case[axis + 1 :], []).append(
                sign * getattr(found, measure)
            )
        yield Row("B", what, float(count), float(sum(a < b < c for a, b, c in rows.values())), 1e-9)
    calm = retrieve(dataclasses.replace(base, swing_largest=2e-3))
    yield Row("B", "swing damping: largest angle [deg]", 1.48, math.degrees(calm.angle_all), 1e-2)
    yield Row("B", "swing damping: lateral speed change [m/s]", 0.0715, calm.lateral_dv, 1e-2)


CASES = {"t8": t8, "t9": t9, "t10": t10, "active": active, "t12": t12, "t14": t14}


def main() -> None:
    wanted = sys.argv[1:] or list(CASES)
    print("| # | case | expected | found | difference | bound | |\n|---|---|---|---|---|---|---|")
    for name in wanted:
        for row in CASES[name]():
            verdict = "holds" if row.holds else "**missed**"
            print(f"| {row.number} | {row.what} | {row.expected:.6g} | {row.found:.6g} | {row.error:.1e} | {row.bound:.0e} | {verdict} |")  # fmt: skip


if __name__ == "__main__":
    main()
