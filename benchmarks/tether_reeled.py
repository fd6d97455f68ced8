"""A reeled tether of 40 cells runs at least 5 times as fast as in MoorDyn, at no larger error against the closed form.

A mass of 20 kg turns about a reel on 100 m of line (0.05 kg/m, EA 20 kN, 200 or 20 N s) that is reeled in by 20 m in 100 s, at an
even speed from the first instant on (a jump of 0.2 m/s, whose wave lets the line go slack) or along a cosine. The line
pays its angular momentum to nobody: (m r^2 + int mu r^2 ds) w is kept, which gives the rate of turning at any length, and by
an integral over time the angle swept. Both programs start from the stretched line that turns as a whole. MoorDyn
(`pip install moordyn`) runs at the longest step that is stable there, by its Runge-Kutta scheme of order 4.

Besides: cost of a step from 8 to 1024 cells, the hitchhiker of `haptos run slingshot` at 1e-8, and work against precision.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
import time
from importlib import util
from pathlib import Path
from statistics import median

import numpy as np
from _size import CLAIM_MISSED, NO_PEER, ended, sized
from scipy.integrate import quad

from haptos.dynamics.cable.reel_build import ReelParts, brake, hold, prescribed
from haptos.dynamics.cable.tether_run import TetherRun
from haptos.dynamics.cable.tether_state import BODY, MOMENTUM, POSITION
from haptos.dynamics.cable.tether_system import EndBody, TetherLine, TetherSystem, TetherWatch

MASS, DENSITY, STIFFNESS = 20.0, 0.05, 2e4
LENGTH, REEL, TURNING = 100.0, 0.2, 0.05
CELLS_COMPARED = 40
DURATION = sized(100.0, 10.0)
ROUNDS = sized(5, 1)
PEER_STEPS = (
    4e-3,
    2e-3,
    1e-3,
    9e-4,
    8e-4,
    7e-4,
    6e-4,
    5e-4,
)  # [s], the longest that stays finite is compared
TOLERANCE = 1e-3  # of ours
CASES = (
    (200.0, False),
    (20.0, False),
    (200.0, True),
    (20.0, True),
)  # damping [N s], reeled along a cosine
TIMES_AS_FAST = 5.0
REAL_TIME = 200.0  # of the hitchhiker, least
SLOPE = 0.1  # [-] by which the cost of a step may miss a proportion to its cells


def stretched(length: float, turning: float, pieces: int) -> np.ndarray:
    """Distances [m] from the reel of the ends of even pieces of the line, in balance while it turns."""
    fine = 40 * pieces
    q = (np.arange(fine) + 0.5) / fine * length
    pull = turning**2 * (MASS * length + 0.5 * DENSITY * (length**2 - q**2))
    r = np.concatenate([[0.0], np.cumsum((1.0 + pull / STIFFNESS) * length / fine)])
    return np.asarray(r[::40])


def inertia(length: float, turning: float) -> tuple[float, float]:
    """(moment of inertia about the reel [kg m^2], distance of the mass [m])."""
    r = stretched(length, turning, 200)
    middle = 0.5 * (r[1:] + r[:-1])
    return MASS * r[-1] ** 2 + DENSITY * length / 200 * float((middle**2).sum()), float(r[-1])


def rate_at(length: float) -> float:
    """Rate [rad/s] of the line at a length [m], by its angular momentum."""
    whole = inertia(LENGTH, TURNING)[0] * TURNING
    rate = TURNING * (LENGTH / length) ** 2
    for _ in range(20):
        rate = whole / inertia(length, rate)[0]
    return rate


def length_at(t: float, is_smooth: bool) -> float:
    """Length of the line [m] at a time [s]."""
    if not is_smooth:
        return LENGTH - REEL * t
    return LENGTH - 0.5 * REEL * DURATION * (1.0 - math.cos(math.pi * t / DURATION))


def closed_form(is_smooth: bool) -> tuple[float, float]:
    """(angle swept [rad], rate at the end [rad/s])."""
    angle = quad(lambda t: rate_at(length_at(t, is_smooth)), 0.0, DURATION, epsrel=1e-9)[0]
    return float(angle), rate_at(LENGTH - REEL * DURATION)


def reeled(
    cells: int, tolerance: float, damping: float = 200.0, is_smooth: bool = False
) -> TetherRun:
    """The line at its start."""
    ends = stretched(LENGTH, TURNING, cells)
    middle = stretched(LENGTH, TURNING, 2 * cells)[1::2]
    places = np.stack([middle, 0.0 * middle, 0.0 * middle], axis=1)
    speeds = np.stack([0.0 * middle, TURNING * middle, 0.0 * middle], axis=1)
    far = float(ends[-1])
    system = TetherSystem(
        bodies=(EndBody(1.0, is_fixed=True), EndBody(MASS, position=(far, 0.0, 0.0), velocity=(0.0, TURNING * far, 0.0))),
        line=TetherLine(LENGTH + 1.0, DENSITY, STIFFNESS, damping),
        cells=cells,
        reels=(prescribed([0.0, DURATION], [0.0, -REEL * DURATION], smooth=is_smooth), hold()),
        stored=(1.0, 0.0),
    )  # fmt: skip
    return TetherRun(system, tolerance=tolerance, cells=(places, speeds))


def ours(
    cells: int, tolerance: float, damping: float = 200.0, is_smooth: bool = False
) -> tuple[float, float, float, int]:
    """(CPU time [s], angle swept [rad], rate at the end [rad/s], steps)."""
    run = reeled(cells, tolerance, damping, is_smooth)
    times = np.linspace(0.0, DURATION, 21)[1:-1]
    began = time.process_time()
    run.advance(DURATION, rows=times)
    cpu = time.process_time() - began
    rows = np.vstack([run.rows, run.state])
    x, y = rows[:, BODY + POSITION], rows[:, BODY + POSITION + 1]
    angles = np.unwrap(np.concatenate([[0.0], np.arctan2(y, x)]))
    p, r = (
        run.state[BODY + MOMENTUM : BODY + MOMENTUM + 2],
        run.state[BODY + POSITION : BODY + POSITION + 2],
    )
    rate = (r[0] * p[1] - r[1] * p[0]) / MASS / float(r @ r)
    return cpu, float(angles[-1]), float(rate), run.counts["steps"]


def peer(step: float, damping: float, is_smooth: bool) -> dict[str, float] | None:
    """One run of MoorDyn in a process of its own; none if it crashed or did not stay finite."""
    order = {
        "density": DENSITY, "stiffness": STIFFNESS, "damping": damping, "is_smooth": is_smooth, "mass": MASS, "length": LENGTH, "reel": REEL,
        "rate": TURNING, "segments": CELLS_COMPARED, "duration": DURATION, "interval": 0.1, "step": step,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        given, found = Path(folder) / "order.json", Path(folder) / "found.json"
        places = stretched(LENGTH, TURNING, CELLS_COMPARED).tolist()
        given.write_text(json.dumps({"order": order, "places": places}), encoding="utf-8")
        script = Path(__file__).parent / "_moordyn_run.py"
        subprocess.run(
            [sys.executable, str(script), str(given), str(found)], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        if not found.exists():
            return None
        result: dict[str, float] = json.loads(found.read_text(encoding="utf-8"))
    return result if math.isfinite(result["angle"]) and result["far"] < 2.0 * LENGTH else None


def compared() -> int:
    """Ours beside the peer in all cases; an exit code."""
    if util.find_spec("moordyn") is None:
        print("MoorDyn is not installed; try: pip install moordyn", file=sys.stderr)
        ours(CELLS_COMPARED, TOLERANCE)
        return NO_PEER
    return max(case(*one) for one in CASES[: sized(len(CASES), 1)])


def case(damping: float, is_smooth: bool) -> int:
    """Ours beside the peer in one case; an exit code."""
    angle, rate = closed_form(is_smooth)
    profile = (
        "along a cosine, 0.2 m/s in the mean"
        if is_smooth
        else "at 0.2 m/s from the first instant on"
    )
    print(
        f"{damping:g} N s, reeled {profile}; closed form: {angle:.6f} rad, {rate:.6f} rad/s at the end"
    )
    step = next((one for one in PEER_STEPS if peer(one, damping, is_smooth) is not None), None)
    if step is None:
        print("MoorDyn stayed finite at none of the steps tried", file=sys.stderr)
        return NO_PEER
    ours(CELLS_COMPARED, TOLERANCE)  # compiles
    mine, theirs = [], []
    for _ in range(ROUNDS):
        mine.append(ours(CELLS_COMPARED, TOLERANCE, damping, is_smooth))
        found = peer(step, damping, is_smooth)
        assert found is not None
        theirs.append(found)
    cpu, other = median(row[0] for row in mine), median(row["cpu"] for row in theirs)
    errors = abs(mine[0][1] / angle - 1.0), abs(theirs[0]["angle"] / angle - 1.0)
    ends = abs(mine[0][2] / rate - 1.0), abs(theirs[0]["rate"] / rate - 1.0)
    print(
        f"  haptos  {TOLERANCE:g}   {DURATION / cpu:8.0f} x real time  error of the angle {errors[0]:.1e}, of the rate {ends[0]:.1e}, {mine[0][3]} steps"
    )
    print(
        f"  MoorDyn {step:g} s {DURATION / other:7.0f} x real time  error of the angle {errors[1]:.1e}, of the rate {ends[1]:.1e}"
    )
    print(
        f"  ours is {other / cpu:.1f} times as fast (bar {TIMES_AS_FAST:g}), its error {errors[0] / errors[1]:.2g} of theirs"
    )
    is_met = other / cpu >= TIMES_AS_FAST and errors[0] <= errors[1] and ends[0] <= ends[1]
    return 0 if is_met else CLAIM_MISSED


def cost_over_cells() -> int:
    """CPU time of a step by number of cells; an exit code."""
    counts = sized((8, 16, 32, 64, 128, 256, 512, 1024), (8, 16))
    costs = []
    for cells in counts:
        run = reeled(cells, 1e-4)
        run.advance(0.2)
        before, began = run.counts["rates"], time.process_time()
        until = 0.2
        while time.process_time() - began < sized(0.5, 0.02) and until < DURATION:
            until += 1.0
            run.advance(until)
        costs.append((time.process_time() - began) / max(run.counts["rates"] - before, 1))
    text = ", ".join(f"{n}: {1e6 * cost:.2f} us" for n, cost in zip(counts, costs, strict=True))
    print(f"CPU time per evaluation of the rates by cells: {text}")
    n, cost = np.array(counts, dtype=float), np.array(costs)
    # a + b N, by least squares of the relative error: bodies and reels cost the same for any number of cells
    (fixed, each), *_ = np.linalg.lstsq(
        np.stack([1.0 / cost, n / cost], axis=1), np.ones(len(n)), rcond=None
    )
    off = float(np.abs((fixed + each * n) / cost - 1.0).max())
    raw = float(np.polyfit(np.log(n), np.log(cost), 1)[0])
    slope = float(np.polyfit(np.log(n), np.log(np.maximum(cost - fixed, 1e-12)), 1)[0])
    print(
        f"{1e6 * fixed:.2f} us for bodies and reels and {1e9 * each:.0f} ns a cell, within {100.0 * off:.0f} %; slope from "
        f"{counts[0]} cells on: {raw:.3f}, of what the cells cost {slope:.3f} (1 within {SLOPE:g} for a cost in proportion)"
    )
    return 0 if abs(slope - 1.0) <= SLOPE else CLAIM_MISSED


def hitchhiker(cells: int, tolerance: float) -> tuple[float, float, float]:
    """(times real time, length out [m], remainder of the ledger) of the default sling-shot."""
    density, stiffness = 1560.0 * 5.34e-6, 270e9 * 5.34e-6
    parts = ReelParts(is_drum=False, generator=(0.25, 30e6))
    system = TetherSystem(
        bodies=(EndBody(990.0, position=(0.0, 9.9e3, 0.0), velocity=(1400.0, 0.0, 0.0)), EndBody(1.0, is_fixed=True)),
        line=TetherLine(120e3, density, stiffness, 1e6, 30972.0),
        cells=cells,
        reels=(brake(24776.0, ramp=8.0, parts=parts), hold()),
        stored=(120e3 - 9.9e3, 0.0),
        watches=[TetherWatch("range rate below", 0.0)],
    )  # fmt: skip
    run = TetherRun(system, tolerance=tolerance)
    began = time.process_time()
    run.advance(sized(400.0, 10.0))
    cpu = time.process_time() - began
    out = run.system.line.total - float(run.state[2 * BODY])
    return run.time / cpu, out, abs(run.balance()["relative"])


def real_time() -> int:
    """The hitchhiker at 1e-8, and work against precision; an exit code."""
    factor = median(hitchhiker(60, 1e-8)[0] for _ in range(ROUNDS))
    print(f"hitchhiker, 60 cells, 1e-8: {factor:.0f} x real time (bar {REAL_TIME:g})")
    reference = hitchhiker(60, 1e-11)[1]
    print(
        "work and precision of the hitchhiker: tolerance, times real time, error of the length out, remainder"
    )
    for tolerance in sized((1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9), (1e-4,)):
        speed, out, left = hitchhiker(60, tolerance)
        print(f"  {tolerance:.0e} {speed:8.0f} {abs(out / reference - 1.0):.1e} {left:.1e}")
    print("by cells at 1e-8, against 240 cells:")
    finest = hitchhiker(sized(240, 20), 1e-8)[1]
    for cells in sized((15, 30, 60, 120), (10,)):
        speed, out, _ = hitchhiker(cells, 1e-8)
        print(f"  {cells:4d} {speed:8.0f} {abs(out / finest - 1.0):.1e}")
    return 0 if factor >= REAL_TIME else CLAIM_MISSED


def main() -> int:
    codes = [compared(), cost_over_cells(), real_time()]
    return CLAIM_MISSED if CLAIM_MISSED in codes else max(codes)


if __name__ == "__main__":
    sys.exit(ended(main()))
