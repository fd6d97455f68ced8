"""One run of MoorDyn in a process of its own: it prints each step, and its module does not survive the end of Python.

python _moordyn_run.py ORDER RESULT       both JSON files; see `tether_reeled.py` for their keys
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

HEIGHT = -5000.0  # [m], far from the surface and the sea floor that MoorDyn always has
POINT, LINE, PER_NODE = (
    5,
    21,
    6,
)  # in its serialised state, as doubles: point, first inner node, numbers per node
FILE = """--- reeled tether
one line
---------------------- LINE TYPES --------------------
TypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx
(name) (m) (kg/m) (N) (N-s/-) (N-m^2) (-) (-) (-) (-)
cord 0.001 {density} {stiffness} {damping} 0.0 0.0 0.0 0.0 0.0
---------------------- POINTS --------------------
ID Type X Y Z Mass Volume CdA Ca
(#) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Free {length} 0 {height} {mass} 0 0 0
2 Coupled 0.0 0 {height} 0 0 0 0
---------------------- LINES --------------------
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(#) (name) (#) (#) (m) (-) (-)
1 cord 1 2 {length} {segments} -
---------------------- OPTIONS --------------------
{step} dtM
rk4 tScheme
0.0 g
0.0 WtrDnsty
10000 WtrDpth
---------------------- END --------------------
"""  # without a dashed line after its options MoorDyn reads beyond the last line of the file, and crashes or not


def reeled(order: dict[str, float], now: float) -> tuple[float, float]:
    """(length taken in [m], its rate [m/s]) at a time [s]: even, or along a cosine over the whole run."""
    if not order["is_smooth"]:
        return order["reel"] * now, order["reel"]
    whole, phase = order["reel"] * order["duration"], np.pi * now / order["duration"]
    rate = 0.5 * np.pi * order["reel"] * np.sin(phase)
    return 0.5 * whole * (1.0 - np.cos(phase)), float(rate)


def run(order: dict[str, float], places: list[float]) -> dict[str, float]:
    """Spin and reel; angle swept [rad], rate [rad/s] and distance [m] at the end, CPU time [s]."""
    import moordyn

    segments, turning = int(order["segments"]), order["rate"]
    file = Path(sys.argv[2]).with_suffix(".moordyn")
    values = {**order, "segments": segments, "height": HEIGHT}
    file.write_text(FILE.format(**values), encoding="utf-8")
    system = moordyn.Create(str(file))
    moordyn.SetVerbosity(system, moordyn.LEVEL_NONE)
    held, rest = [0.0, 0.0, HEIGHT], [0.0, 0.0, 0.0]
    moordyn.Init_NoIC(system, held, rest)
    numbers = np.frombuffer(moordyn.Serialize(system), dtype=np.float64).copy()
    numbers[POINT] = places[-1]
    numbers[POINT + 3 : POINT + 6] = (0.0, turning * places[-1], 0.0)
    for i in range(1, segments):  # from the free end
        at, r = LINE + PER_NODE * (i - 1), places[segments - i]
        numbers[at] = r
        numbers[at + 3 : at + 6] = (0.0, turning * r, 0.0)
    moordyn.Deserialize(system, numbers.tobytes())
    line, point = moordyn.GetLine(system, 1), moordyn.GetPoint(system, 1)
    now, swept, last, interval = 0.0, 0.0, 0.0, order["interval"]
    began = time.process_time()
    for _ in range(round(order["duration"] / interval)):
        taken, speed = reeled(order, now)
        moordyn.SetLineUnstretchedLength(line, order["length"] - taken)
        moordyn.SetLineUnstretchedLengthVel(line, -speed)
        moordyn.Step(system, held, rest, now, interval)
        now += interval
        x = moordyn.GetPointPos(point)
        angle = float(np.arctan2(x[1], x[0]))
        swept += (angle - last + np.pi) % (2.0 * np.pi) - np.pi
        last = angle
    cpu = time.process_time() - began
    x, v = moordyn.GetPointPos(point), moordyn.GetPointVel(point)
    far = float(np.hypot(x[0], x[1]))
    return {"cpu": cpu, "angle": swept, "rate": (x[0] * v[1] - x[1] * v[0]) / far**2, "far": far}


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    found = run(given["order"], given["places"])
    Path(sys.argv[2]).write_text(json.dumps(found), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # its module fails when Python takes down what it holds
