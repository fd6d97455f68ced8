"""Verlet is the faster scheme of a net that strikes down to errors of 30 um, Dormand-Prince from 1 um on.

Work and precision of both schemes, `splitting` and `error_control`, on one thread, in two cases:
    taut    the net of `net_sphere`, stretched by 2 %, its border heavy, swings as a drum for 0.2 s: smooth
    sphere  that net thrown onto the sphere, softer contact, 0.15 s: threads go taut and slack, 25 nodes lie on it at the end
The error is the root mean square of how far the nodes are from those of a run at a millionth of the default
tolerances. Steps of Verlet are shares of the longest stable one, tolerances of Dormand-Prince
multiples of the defaults. CPU time, best of two. `--figure FILE` draws it.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from _size import CLAIM_MISSED, ended, sized
from net_sphere import COUNT, MESH, NET_MASS, RADIUS, grid, our_net, smooth_surface

from haptos.contact.contact_flow import FIXED_FACTOR
from haptos.dynamics.march.error_control import march_dormand, room_of
from haptos.dynamics.march.splitting import march
from haptos.dynamics.motion import Motion, scratch_of
from haptos.dynamics.system import System, no_surface
from haptos.geometry.mesh.icosphere import icosphere

SHARES = sized((0.9, 0.6, 0.4, 0.2, 0.1, 0.05, 0.025), (0.9, 0.4))  # [-] of the longest stable step
MULTIPLES = sized(
    (1e4, 1e3, 1e2, 1e1, 1.0, 0.1, 1e-2, 1e-3), (1e4, 1e2)
)  # [-] of the default tolerances
EXACT, LONGEST, MOST, ROUNDS = sized(1e-6, 1.0), 1e-2, 1e9, sized(2, 1)  # [-], [s], [-], [-]
TIMES = {"taut": sized(0.2, 0.01), "sphere": sized(0.15, 0.06)}  # [s]
COARSE, FINE = 3e-5, 1e-6  # [m] errors at which the claim is made
STRETCH, SWING, BORDER = 1.02, 0.3, 50.0  # [-], [m/s], [kg]
Row = tuple[
    str, float, float, float, int, float
]  # scheme, setting, error [m], CPU [s], steps, ledger [J]


def case(kind: str) -> tuple[System, Motion]:
    if kind == "sphere":
        vertices, faces = icosphere(4)
        pair = (1e4, FIXED_FACTOR, 0, 30.0, 0.0, 1e-4, 1e-5, 0.0, 1e5, 0.0, 0)
        surface = smooth_surface(RADIUS * vertices, faces, pair)
        return our_net(*grid(COUNT, MESH, RADIUS + 0.05), NET_MASS, surface, 0.05 * MESH)
    net, motion = our_net(*grid(COUNT, MESH, 0.0), NET_MASS, no_surface(), 0.05 * MESH)
    reach = np.abs(motion.points.x[:, :2])
    is_border = reach.max(axis=1) > 0.999 * reach.max()
    bow = np.cos(0.5 * np.pi * motion.points.x[:, :2]).prod(axis=1)
    motion.points.v[:], motion.points.v[:, 2] = 0.0, np.where(is_border, 0.0, SWING * bow)
    motion.points.x[:] *= STRETCH
    motion.points.mass[is_border] = BORDER
    return net, motion


def verlet(kind: str, share: float) -> tuple[Motion, float]:
    net, motion = case(kind)
    scratch = scratch_of(motion)
    march(net, motion, scratch, 0.0, share, LONGEST, 0.0)
    began = time.process_time()
    march(net, motion, scratch, TIMES[kind], share, LONGEST, MOST)
    return motion, time.process_time() - began


def dormand(kind: str, multiple: float) -> tuple[Motion, float]:
    net, motion = case(kind)
    scratch, room = scratch_of(motion), room_of(net, motion)
    room.absolute[:] *= multiple
    march_dormand(net, motion, scratch, room, 0.0, 0.0, LONGEST, MOST)
    began = time.process_time()
    march_dormand(net, motion, scratch, room, TIMES[kind], 0.0, LONGEST, MOST)
    return motion, time.process_time() - began


def measured(kind: str) -> list[Row]:
    exact = dormand(kind, EXACT)[0].points.x
    rows: list[Row] = []
    for name, run, settings in (("verlet", verlet, SHARES), ("dormand-prince", dormand, MULTIPLES)):
        for setting in settings:
            found = [run(kind, setting) for _ in range(ROUNDS)]
            motion, cpu = found[0][0], min(row[1] for row in found)
            error = float(np.sqrt(np.mean(np.sum((motion.points.x - exact) ** 2, axis=1))))
            steps, ledger = int(motion.step.count), float(motion.ledger.energy.largest)
            rows.append((name, setting, error, cpu, steps, ledger))
            print(
                f"{kind:6s} {name:14s} {setting:8g}  error {error:.1e} m  {1e3 * cpu:7.1f} ms of CPU  "
                f"{steps:5d} steps  ledger {ledger:.1e} J"
            )
    return rows


def work_at(rows: list[Row], name: str, error: float) -> float:
    """Least CPU time [s] at which a scheme has an error [m] or a smaller one, between its settings."""
    found = sorted((row[2], row[3]) for row in rows if row[0] == name)
    errors, work = np.array(found).T
    least = np.minimum.accumulate(work)
    return float(np.exp(np.interp(np.log(error), np.log(errors), np.log(least))))


def drawn(rows: dict[str, list[Row]], path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(rows), figsize=(10, 4), sharex=True)
    for axis, (kind, found) in zip(axes, rows.items(), strict=True):
        for name, mark in (("verlet", "o-"), ("dormand-prince", "s--")):
            own = [row for row in found if row[0] == name]
            axis.loglog([row[3] for row in own], [row[2] for row in own], mark, label=name)
        axis.set(title=kind, xlabel="CPU time [s]", ylabel="error of the nodes [m]")
        axis.grid(alpha=0.3, which="both")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main() -> int:
    choice = argparse.ArgumentParser(description=__doc__)
    choice.add_argument("--figure", help="file to draw into, such as schemes.png")
    choice.add_argument("--small", action="store_true", help="little work, to see that it runs")
    given = choice.parse_args()
    rows = {kind: measured(kind) for kind in TIMES}
    for kind, found in rows.items():
        for error in (COARSE, FINE, 0.1 * FINE):
            works = [1e3 * work_at(found, name, error) for name in ("verlet", "dormand-prince")]
            print(
                f"{kind:6s} at {error:.0e} m: verlet {works[0]:.0f} ms, dormand-prince {works[1]:.0f} ms"
            )
    if given.figure:
        drawn(rows, given.figure)
    struck = rows["sphere"]
    missed = []
    if work_at(struck, "verlet", COARSE) > work_at(struck, "dormand-prince", COARSE):
        missed.append("verlet faster at 30 um")
    if work_at(struck, "verlet", FINE) < work_at(struck, "dormand-prince", FINE):
        missed.append("dormand-prince faster at 1 um")
    print(f"claim missed: {', '.join(missed)}" if missed else "claim holds")
    return CLAIM_MISSED if missed else 0


if __name__ == "__main__":
    raise SystemExit(ended(main()))
