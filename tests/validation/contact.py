"""Rows of docs/validation/contact.md: polygonal contact, found beside expected.

python -m tests.validation.contact          prints the table; with names (p1 p7) only those
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from haptos.contact.sets.polygons_pair import PolygonPair, adaptive, fixed, foundation_law
from haptos.contact.sets.polygons_step import (
    A_LEAVE,
    A_PEAK,
    A_TOUCH,
)
from haptos.contact.sets.polygons_sum import AREA, ELASTIC, FORCE, TORQUE
from haptos.core.rotations import random_quaternion
from haptos.dynamics.rigid.touching_pair import W_DRIVE
from haptos.dynamics.rigid.touching_pair_march import (
    L_DEPTH,
    L_FORCE,
    L_STATE,
)
from haptos.dynamics.rigid.touching_pair_run import Mover, PairRun
from haptos.geometry.distance.reference import box, half_space, meshed, revolved
from haptos.geometry.distance.revolution import funnel_pieces, torus_pieces
from haptos.geometry.distance.section_build import Piece, SectionLine, polyline, section
from haptos.geometry.mesh.curved_faces import CurvedFaces
from haptos.geometry.mesh.curved_faces_build import (
    leaf_corners,
    mesh_faces,
    octahedron_faces,
    revolution_faces,
)

K = 3e9


@dataclass(frozen=True)
class Row:
    """One comparison: what, expected, found, the bound of their relative difference (or of the value)."""

    number: str
    what: str
    expected: float
    found: float
    bound: float

    @property
    def error(self) -> float:
        if self.expected == 0.0:
            return abs(self.found)
        return abs(self.found / self.expected - 1.0)

    @property
    def holds(self) -> bool:
        return self.error <= self.bound

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "**does not hold**"
        return (
            f"| {self.number} | {self.what} | {self.expected:.6g} | {self.found:.6g} | {self.error:.1e} | "
            f"{self.bound:.0e} | {verdict} |"
        )


def quaternions(count: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.array([random_quaternion(rng) for _ in range(count)])


def p1() -> Iterator[Row]:
    pair = PolygonPair(half_space(), octahedron_faces(5, 0.05, 5), foundation_law(K))
    cases = ((5e-5, 1.17810, 1.57080e-5, 1.96350e-5), (2e-4, 18.8496, 6.28319e-5, 1.25664e-3),
             (1e-3, 471.239, 3.14159e-4, 0.157080))  # fmt: skip
    for depth, force, area, energy in cases:
        row = pair.sums([0.0, 0.0, 0.05 - depth], quaternions(1))[0]
        name = f"ball on a plane, depth {1e6 * depth:g} um"
        yield Row("P1", f"{name}, force [N]", force, row[FORCE + 2], 3e-3)
        yield Row("P1", f"{name}, area [m²]", area, row[AREA], 3e-3)
        yield Row("P1", f"{name}, energy [J]", energy, row[ELASTIC], 3e-3)


def p2() -> Iterator[Row]:
    disc = section([SectionLine((0.0, 0.0), (0.0, 0.03))], straight_ends=False)
    pair = PolygonPair(
        half_space((1, 0, 0)), revolution_faces(disc, 4, chord_error=2e-5), foundation_law(2e9)
    )
    centre = np.array([-2e-4, 0.0, 0.0])
    for tilt, force, moment in (
        (0.0, 1130.973, 0.0),
        (0.003, 1130.973, 3.81701),
        (0.01, 1156.143, 12.07418),
    ):
        row = pair.sums(centre, [math.cos(tilt / 2), 0.0, math.sin(tilt / 2), 0.0])[0]
        torque = row[TORQUE : TORQUE + 3] - np.cross(centre, row[FORCE : FORCE + 3])
        yield Row("P2", f"disc tilted {tilt:g}, force [N]", force, row[FORCE], 1e-4)
        yield Row("P2", f"disc tilted {tilt:g}, moment [N m]", moment, -torque[1], 1e-4)
    yield Row("P2", "disc tilted 0.01, area [m²]", 2.51770e-3, row[AREA], 1e-4)


def p3() -> Iterator[Row]:
    side = section([SectionLine((-0.06, 0.04), (0.06, 0.04))], straight_ends=False)
    pair = PolygonPair(
        half_space(), revolution_faces(side, 5, chord_error=2e-5), foundation_law(2e9)
    )
    row = pair.sums([0.0, 0.0, 0.04 - 3e-4])[0]
    yield Row("P3", "cylinder lying, force [N]", 470.4786, row[FORCE + 2], 1e-3)
    yield Row("P3", "cylinder lying, area [m²]", 1.176491e-3, row[AREA], 1e-3)


def p4() -> Iterator[Row]:
    angle = math.radians(20.0)
    cone = revolved(section(funnel_pieces(angle, 0.2), "outside"))
    pair = PolygonPair(cone, octahedron_faces(5, 0.03, 4), foundation_law(2e9), capacity=1_000_000)
    x = (0.03 - 2e-4) / math.sin(angle)
    places = np.array([[x, 0.0, 0.0], [x, 1e-4, 5e-5]])
    rows = pair.sums(places)
    yield Row("P4", "ball in a cone, axial force [N]", 111.8132, rows[0, FORCE], 1e-3)
    yield Row("P4", "ball in a cone, area [m²]", 1.225131e-3, rows[0, AREA], 1e-3)
    yield Row("P4", "ball in a cone, energy [J]", 0.0261611, rows[0, ELASTIC], 1e-3)
    torque = rows[1, TORQUE : TORQUE + 3] - np.cross(places[1], rows[1, FORCE : FORCE + 3])
    share = float(np.abs(torque).max()) / (0.03 * float(np.linalg.norm(rows[1, :3])))
    yield Row("P4", "off axis, torque about the ball's centre over R F", 0.0, share, 1e-5)


def _ring(
    number: str, ring: float, tube: float, angle: float, cases: tuple[tuple[float, ...], ...]
) -> Iterator[Row]:
    beta = math.radians(angle)
    faces = revolution_faces(section(torus_pieces(ring, tube)), 3, chord_error=1e-5, around=96)
    wall = revolved(section(funnel_pieces(beta, 0.05), "outside"))
    pair = PolygonPair(wall, faces, foundation_law(1.0355e10))

    def at(depth: float) -> np.ndarray:
        return pair.sums([(tube - depth + ring * math.cos(beta)) / math.sin(beta), 0.0, 0.0])[0]

    for load, depth, area, stiffness in cases:
        found = brentq(lambda d: at(d)[FORCE] - load, 1e-6, 8e-4, xtol=1e-12)  # noqa: B023
        slope = (at(found + 1e-6)[FORCE] - at(found - 1e-6)[FORCE]) / 2e-6 * math.sin(beta)
        yield Row(number, f"ring at {load:g} N, depth [mm]", depth, 1e3 * found, 2e-3)
        yield Row(number, f"ring at {load:g} N, area [mm²]", area, 1e6 * at(found)[AREA], 2e-3)
        yield Row(number, f"ring at {load:g} N, axial stiffness [N/m]", stiffness, slope, 6e-3)


def p5() -> Iterator[Row]:
    cases = (
        (100.0, 0.18882, 108.7, 5.63e5),
        (300.0, 0.39214, 157.2, 8.14e5),
        (500.0, 0.55055, 186.9, 9.68e5),
    )
    yield from _ring("P5", 0.0085, 0.002, 45.0, cases)


def p6() -> Iterator[Row]:
    cases = (
        (100.0, 0.12709, 227.9, 5.90e5),
        (300.0, 0.26444, 328.5, 8.50e5),
        (500.0, 0.37182, 389.3, 1.01e6),
    )
    yield from _ring("P6", 0.0095, 0.006, 30.0, cases)


def p7() -> Iterator[Row]:
    law = foundation_law(K, shear=2e9, friction=0.3, stick_speed=1.0)
    pair = PolygonPair(half_space(), octahedron_faces(5, 0.05, 5), law, capacity=1_000_000)
    for share, force, loss in (
        (0.25, 0.4375, 1.06029e-5),
        (0.5, 0.75, 8.48230e-5),
        (1.0, 1.0, 6.78584e-4),
    ):
        run = PairRun(pair, Mover(), Mover(1.0, position=(0, 0, 0.05 - 2e-4)), tolerance=1e-5)
        u, v = share * 90e-6, 1e-3
        run.drive((v, 0, 0))
        run.go(u / v, longest=u / v / 10, energy=loss, length=u)
        first, work = -run.log[-1, L_FORCE] / 5.65487, run.log[-1, L_STATE + W_DRIVE]
        for way in (-1, 1):
            run.drive((way * v, 0, 0))
            run.go(2 * u / v, longest=u / v / 10, energy=loss, length=u)
        yield Row("P7", f"partial slip at {share:g} u_s, force over mu N", force, first, 2e-3)
        cycle = run.log[-1, L_STATE + W_DRIVE] - work
        yield Row("P7", f"partial slip at {share:g} u_s, loss of a cycle [J]", loss, cycle, 1e-2)


def _bounces(
    number: str, speed: float, cases: tuple[tuple[float, ...], ...], levels: int = 5
) -> Iterator[Row]:
    """Rows of a ball of 8,192 faces with 2^levels parts of an edge."""
    for damping, restitution, time, depth in cases:
        law = foundation_law(K, damping=damping, damping_depth=2e-5)
        start = Mover(5.0, 0.005 * np.eye(3), (0, 0, 0.05 + 1e-6), velocity=(0, 0, -speed))
        long = 2.5e-3 / speed**0.7
        run = PairRun(
            PolygonPair(half_space(), octahedron_faces(5, 0.05, levels), law),
            Mover(),
            start,
            tolerance=1e-8,
            times=np.linspace(0.0, long, 4001),
        )
        run.go(long, energy=2.5 * speed**2, length=1e-4)
        name = f"5 kg at {1e3 * speed:g} mm/s, D {damping:g}"
        yield Row(
            number, f"{name}, restitution", restitution, run.log[-1, L_STATE + 22] / 5 / speed, 5e-4
        )
        contact = 1e3 * (run.account[A_LEAVE] - run.account[A_TOUCH])
        yield Row(number, f"{name}, contact [ms]", time, contact, 1e-3)
        deepest = 1e6 * float(run.outputs[:, L_DEPTH].max())  # of times within steps too
        yield Row(number, f"{name}, depth [um]", depth, deepest, 1e-3)


def p8() -> Iterator[Row]:
    cases = ((0.0, 1.0, 41.25, 73.55), (1e6, 0.96463, 41.50, 72.68), (3e6, 0.89943, 42.02, 71.04))
    yield from _bounces("P8", 0.005, cases)
    exact = 1e6 * (3.0 * 2.5 * 0.005**2 / (math.pi * K * 0.05)) ** (1.0 / 3.0)
    errors = [list(_bounces("P8", 0.005, cases[:1], n))[-1].found / exact - 1.0 for n in (3, 4, 5)]
    order = 0.5 * math.log2(errors[0] / errors[2])
    yield Row("P8", "D 0: order of the error of the depth in the edge of leaves", 2.0, order, 0.1)


def p9() -> Iterator[Row]:
    cases = (
        (0.0, 1.0, 19.15, 341.39),
        (1e6, 0.90540, 19.48, 330.46),
        (3e6, 0.75560, 20.17, 311.55),
    )
    yield from _bounces("P9", 0.05, cases)


def p10() -> Iterator[Row]:
    expected = math.pi * 1e9 * 0.03 * 0.8e-3**3 / 3.0  # [J] of a ball 0.8 mm in a plane
    for name, refinement, levels, bound in (
        ("fixed leaves", fixed(), 3, 1e-6),
        ("changing leaves", adaptive(), 5, 1e-3),
    ):
        pair = PolygonPair(
            box([0.1] * 3), octahedron_faces(3, 0.03, levels), foundation_law(1e9), refinement
        )
        run = PairRun(pair, Mover(), Mover(1.0, position=(0.045, 0, 0.0802)))
        for velocity in ((0, 0, -1e-3), (1e-3, 5e-4, 0), (0, 0, 1e-3), (-1e-3, -5e-4, 0)):
            run.drive(velocity)
            run.go(1.0, energy=expected, length=1e-3)
        net = abs(run.log[-1, L_STATE + W_DRIVE]) / run.account[A_PEAK]
        yield Row(
            "P10", f"closed path over an edge, {name}: net work over peak energy", 0.0, net, bound
        )


def p11() -> Iterator[Row]:
    from tests.dynamics.rigid.test_touching_pair import pushed_plate

    stiff = {"modulus": 1e8, "lever": 0.0}
    run, stretch = pushed_plate(0.299, **stiff)
    x = run.log[:, L_STATE + 13]
    yield Row("P11", "plate pushed with 0.299 N, largest displacement [m]", stretch, x.max(), 1e-2)
    yield Row("P11", "let go: displacement left over the largest", 0.0, abs(x[-1]) / stretch, 1e-3)
    softer, short = pushed_plate(0.299, 1e7, 0.0)
    before = abs(softer.log[-1, L_STATE + 13]) / short
    name = f"that falls with the depth, from {before:.1e} ten times softer: 1 if to a fifth or less"
    yield Row("P11", name, 1.0, float(abs(x[-1]) / stretch < 0.2 * before), 0.0)
    run, _ = pushed_plate(0.301, **stiff)
    row = np.searchsorted(run.log[:, 0], 0.9)
    yield Row(
        "P11",
        "pushed with 0.301 N, friction while it slides [N]",
        0.25,
        -run.log[row, L_FORCE],
        1e-3,
    )


def sliding_block(tolerance: float) -> float:
    """Largest change of energy over the kinetic one of a block that slides off an edge and tips."""
    from tests.dynamics.rigid.test_touching_pair import plate

    edge, modulus, weight = 0.04, 1e8, 9.81
    high = 0.05 + 0.5 * edge - weight / (modulus * edge**2)
    start = Mover(1.0, edge**2 / 6 * np.eye(3), (0.15, 0.01, high), velocity=(1.0, 0, 0))
    pair = PolygonPair(box([0.4, 0.4, 0.1]), plate([edge] * 3, 3), foundation_law(modulus))
    run = PairRun(pair, Mover(), start, gravity=(0, 0, -weight), tolerance=tolerance)
    run.go(0.12, energy=0.5, length=1e-3)
    ledger = run.ledger()
    energy = ledger["kinetic"] + ledger["elastic"] + ledger["potential"]
    return float(np.abs(energy - energy[0]).max() / ledger["kinetic"].max())


def p12() -> Iterator[Row]:
    tolerances = (1e-6, 1e-7, 1e-8, 1e-9)
    drifts = [sliding_block(tolerance) for tolerance in tolerances]
    for tolerance, drift in zip(tolerances[1:], drifts[1:], strict=True):
        name = f"block over a sharp edge, tolerance {tolerance:g}: change of energy"
        yield Row("P12", name, 0.0, drift, 1e-4)
    falls = all(b < 0.5 * a for a, b in itertools.pairwise(drifts))
    yield Row(
        "P12",
        f"that falls with the step, from {drifts[0]:.1e} at 1e-06: 1 if so",
        1.0,
        float(falls),
        0.0,
    )


def p13() -> Iterator[Row]:
    from tests.dynamics.rigid.test_touching_pair import spinning_pair

    run = spinning_pair()
    before = run.y.copy()
    run.go(0.03, energy=0.1, length=1e-3)
    for name, k in (("momentum", 7), ("angular momentum", 10)):
        total = before[k : k + 3] + before[k + 13 : k + 16]
        now = run.y[k : k + 3] + run.y[k + 13 : k + 16]
        error = float(np.abs(now - total).max() / np.abs(total).max())
        yield Row("P13", f"spinning pair with friction, {name}", 0.0, error, 1e-12)


def _as_mesh(faces: CurvedFaces) -> tuple[np.ndarray, np.ndarray]:
    """Corners of faces as a closed mesh with joined vertices."""
    corners = leaf_corners(faces._replace(levels=0)).reshape(-1, 3)
    keys = np.round(corners / (1e-9 * np.abs(corners).max())).astype(np.int64)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return corners[first], inverse.reshape(-1, 3)


def throat() -> list[Piece]:
    """A nozzle's convergent, throat and divergent cones in a closed ring of metal."""
    inner = [[-0.02, 0.022], [-0.006, 0.009], [0.0, 0.008], [0.006, 0.0095], [0.04, 0.0291]]
    return polyline([*inner, [0.04, 0.04], [-0.02, 0.04], inner[0]])


def nozzle_errors(sizes: tuple[float, ...], depth: float = 2e-4) -> dict[str, list[float]]:
    """Relative error of the axial force of tool and nozzle as meshes, for chord errors [m]."""
    wall, tool = section(throat()), section(torus_pieces(0.0095, 0.006))
    law = foundation_law(1.0355e10)
    exact_faces = revolution_faces(tool, 3, chord_error=1e-5)
    exact = PolygonPair(revolved(wall), exact_faces, law, capacity=1_000_000)
    beta = math.atan2(0.0291 - 0.0095, 0.034)
    place = 0.006 + (0.006 - depth) / math.sin(beta)
    force = exact.sums([place, 0.0, 0.0])[0, FORCE]
    errors: dict[str, list[float]] = {"tool": [], "nozzle": [], "both": [], "flat": []}
    for size in sizes:
        drawn = mesh_faces(*_as_mesh(revolution_faces(tool, 0, chord_error=size)), 3)
        metal = _as_mesh(revolution_faces(wall, 0, chord_error=size))
        curved = meshed(*metal, curved=True)
        for name, a, b in (
            ("tool", revolved(wall), drawn),
            ("nozzle", curved, exact_faces),
            ("both", curved, drawn),
            ("flat", meshed(*metal), exact_faces),
        ):
            errors[name].append(
                PolygonPair(a, b, law, capacity=1_000_000).sums([place, 0.0, 0.0])[0, FORCE] / force
                - 1.0
            )
    return errors


def sampled_nozzle_error(size: float, depth: float = 2e-4) -> float:
    """The same with the nozzle as sampled body, once of its section and once as a mesh with patches."""
    wall, tool = section(throat()), revolved(section(torus_pieces(0.0095, 0.006)))
    law = foundation_law(1.0355e10)
    beta = math.atan2(0.0291 - 0.0095, 0.034)
    place = -0.006 - (0.006 - depth) / math.sin(beta)
    exact = revolution_faces(wall, 5, chord_error=size)
    drawn = mesh_faces(*_as_mesh(exact._replace(levels=0)), 5)
    forces = [
        PolygonPair(tool, faces, law, capacity=2_000_000).sums([place, 0.0, 0.0])[0, FORCE]
        for faces in (exact, drawn)
    ]
    return float(forces[1] / forces[0] - 1.0)


def p14() -> Iterator[Row]:
    errors = nozzle_errors((4e-5, 2e-5, 1e-5))
    found = errors["tool"][2]
    yield Row("P14", "tool as mesh of 10 um, error of the force", 0.0, abs(found), 5e-3)
    swapped = sampled_nozzle_error(1e-5)
    yield Row(
        "P14", "nozzle as mesh of 10 um, sampled, error of the force", 0.0, abs(swapped), 5e-3
    )
    for name, key in (("nozzle as reference mesh", "nozzle"), ("both as meshes", "both")):
        yield Row("P14", f"{name} of 10 um, error of the force", 0.0, abs(errors[key][2]), 5e-3)
    order = math.log(abs(errors["flat"][0] / errors["flat"][2])) / math.log(2.0)
    yield Row("P14", "flat reference faces: order of the error in their edges", 2.0, order, 0.15)
    faster = math.log(abs(errors["nozzle"][0] / errors["nozzle"][1])) / math.log(math.sqrt(2.0))
    yield Row(
        "P14",
        "curved ones: 1 if the error falls with order 2 or more",
        1.0,
        float(faster >= 1.9),
        0.0,
    )


def p15() -> Iterator[Row]:
    table = ((3, 0, 0.025, -0.52), (3, 2, 0.025, -0.039), (3, 3, 0.025, -0.0099), (3, 4, 0.025, -0.0025),
             (4, 2, 0.025, -0.0099), (5, 2, 0.025, -0.0025), (4, 0, 0.025, -0.15), (5, 0, 0.025, -0.039),
             (3, 0, 0.1, -0.15), (3, 2, 0.1, -0.010), (3, 3, 0.1, -0.0025), (3, 4, 0.1, -0.0006),
             (4, 2, 0.1, -0.0025), (5, 2, 0.1, -0.0006))  # fmt: skip
    turns = quaternions(60)
    for splits, levels, depth, expected in table:
        pair = PolygonPair(half_space(), octahedron_faces(splits, 0.05, levels), foundation_law(K))
        rows = pair.sums(np.tile([0, 0, 0.05 * (1 - depth)], (60, 1)), turns)
        error = (
            float(np.mean(rows[:, FORCE + 2])) / (math.pi * K * 0.05 * (0.05 * depth) ** 2) - 1.0
        )
        name = f"ball of {8 * 4**splits} faces, {2**levels} parts of an edge, d/R {depth:g}: error of the force"
        yield Row("P15", name, expected, error, 0.08)


def p16() -> Iterator[Row]:
    wall = section([SectionLine((-0.02, 0.022), (-0.006, 0.0084)), SectionLine((-0.006, 0.0084), (0.006, 0.0084)),
                    SectionLine((0.006, 0.0084), (0.02, 0.0164))], "outside")  # fmt: skip
    crown = section(torus_pieces(0.006, 0.002), second=torus_pieces(0.0068, 0.002))
    faces = revolution_faces(crown, 3, chord_error=3e-5, around=48)
    for damping, friction, x in ((0.0, 0.0, 0.0), (1e6, 0.3, 0.005)):
        law = foundation_law(1e9, damping=damping, damping_depth=2e-5, shear=5e8, friction=friction)
        run = PairRun(PolygonPair(revolved(wall), faces, law), Mover(), Mover(1.0, position=(x, 0, 0)),
                      spread=[[0] * 4, [0, 1, 0, 1]], tolerance=1e-8)  # fmt: skip
        run.drive((0, 0, 0))
        run.go(1.0, energy=1e-2, length=1e-4)
        ledger = run.ledger()
        spent = sum(ledger[k][-1] for k in ("elastic", "stick")) - sum(
            ledger[k][-1] for k in ("friction", "damping", "released", "viscous")
        )
        name = f"crown spreads in a throat, D {damping:g}, mu {friction:g}: work of its drive [J]"
        yield Row("P16", name, float(spent), float(ledger["actuator"][-1]), 1e-4)


CASES = (p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16)


def main() -> int:
    """Print all rows; 1 if one does not hold."""
    print("| # | case | expected | found | difference | bound | |\n|---|---|---|---|---|---|---|")
    failed = 0
    wanted = sys.argv[1:]
    for case in CASES:
        if wanted and case.__name__ not in wanted:
            continue
        for row in case():
            print(row, flush=True)
            failed += not row.holds
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
