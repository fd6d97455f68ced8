"""Where the side forces in the throat come from: the published docking with one of its numbers changed at a time.

python -m tests.validation.docking_alignment [SEEDS] [NAMES]     default 8 seeds of sensors and thrusters, all changes

For each change, over the seeds that come to LOCK: place of the throat's centre off the tool's axis and angle between the
axes as THROAT begins (the truth, not what is measured), largest lateral force of a pair before LOCK, runs below 5 N; and
the camera's sideways bias in the runs below and above.
`left_over` is what the published loop leaves of an offset in the time it has, without noise and deadband.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from haptos.dynamics.sensing.pose_camera import drawn_bias
from haptos.dynamics.sensing.streams import Stream
from haptos.scenarios.docking.flight import DockingFlight
from haptos.scenarios.docking.model import NOZZLE_PAIRS, build
from haptos.scenarios.docking.recordings import CAMERA
from haptos.scenarios.docking.sensors import truth_of
from haptos.scenarios.docking.states import LOCK, THROAT
from haptos.scenarios.files import default
from haptos.scenarios.merging import laid_over

LEVEL = 5.0  # [N] of the time line
PERFECT = {
    name: {"mode": "perfect"} for name in ("camera", "distance", "drives", "star_tracker", "gyro")
}
REST = {"velocity_m_per_s": [0.0, 0.0, 0.0], "rate_deg_per_s": [0.0, 0.0, 0.0]}
NO_BAND = {"control": {"place_band_m": 0.0, "speed_band_m_per_s": 0.0}}
CHANGES: Mapping[str, dict[str, Any]] = {
    "as published": {},
    "camera without bias": {"sensors": {"camera": {"bias_m": 0.0, "bias_deg": 0.0}}},
    "all sensors perfect": {"sensors": PERFECT},
    "no deadband": NO_BAND,
    "client at rest": {"start": REST},
    "perfect, at rest": {"sensors": PERFECT, "start": REST},
    "perfect, no deadband, at rest": {"sensors": PERFECT, "start": REST, **NO_BAND},
    "loops act in contact": {"control": {"aocs_in_contact": "active"}},
    "tool of 2 kg": {"tool": {"mass_kg": 2.0}},
    "boom of 5 mm/s": {"boom": {"insertion_m_per_s": 0.005}},
}


@dataclass(frozen=True)
class Approach:
    """One run until LOCK: off the axis [m] and angle [rad] as THROAT begins, largest lateral force [N] before LOCK.

    locks  whether LOCK was reached       bias  of the camera, sideways [m]
    """

    locks: bool
    offset: float
    angle: float
    force: float
    bias: float


def approach(change: dict[str, Any], seed: int) -> Approach:
    short = {"seed": seed, "sequence": {"until": "locked"}, "run": {"duration_s": 90.0}}
    flight = DockingFlight(build(default("docking", laid_over(short, change))))
    run, offset, angle = flight.model.config.run, math.nan, math.nan
    for k in range(round(run.duration_s / run.tick_s)):
        before = flight.docking.state
        flight.tick(k * run.tick_s)
        state = flight.docking.state
        if state == THROAT and before != THROAT:
            pose = truth_of(flight.model, flight.plant).pose
            offset, angle = float(np.hypot(*pose[1:3])), float(np.linalg.norm(pose[4:]))
        if state == LOCK or flight.docking.is_over:
            break
        flight.plant.advance((k + 1) * run.tick_s)
    forces = [part.get(name, {}).get("lateral", 0.0) for part in flight.by_state.values() for name in NOZZLE_PAIRS]  # fmt: skip
    bias = drawn_bias(
        flight.model.config.sensors.camera.bias_m, 0.0, Stream.named(seed, f"docking {CAMERA}")
    )
    return Approach(
        flight.docking.state == LOCK,
        offset,
        angle,
        max(forces, default=0.0),
        math.hypot(*bias[1:3]),
    )


def left_over(seconds: float, frequency: float = 0.05, damping: float = 0.8) -> float:
    """Share of an offset at rest that a linear loop leaves after a time [s]."""
    turned = frequency * math.sqrt(1.0 - damping**2)
    slope = damping * frequency / turned
    decay = math.exp(-damping * frequency * seconds)
    return decay * (math.cos(turned * seconds) + slope * math.sin(turned * seconds))


def row(name: str, runs: list[Approach]) -> str:
    """One row of the table."""
    locked = [one for one in runs if one.locks]
    if not locked:
        return f"| {name} | | | | 0 of {len(runs)} lock | |"
    offset = 1e3 * np.array([one.offset for one in locked])
    angle = np.degrees([one.angle for one in locked])
    force = np.array([one.force for one in locked])
    bias = 1e3 * np.array([one.bias for one in locked])
    low = force < LEVEL
    said = [
        f"{b.min():.1f} to {b.max():.1f}" if len(b) else "none" for b in (bias[low], bias[~low])
    ]
    count = f"{low.sum()} of {len(locked)}" + (
        f", {len(runs) - len(locked)} do not lock" if len(locked) < len(runs) else ""
    )
    return (
        f"| {name} | {offset.min():.1f} to {offset.max():.1f} | {angle.min():.2f} to {angle.max():.2f} | "
        f"{force.min():.1f}, {np.median(force):.1f}, {force.max():.1f} | {count} | {said[0]}; {said[1]} |"
    )


def main(seeds: int, names: list[str]) -> None:
    print(f"the loop of 0.05 rad/s leaves {left_over(35.5):.2f} of an offset after 35.5 s")
    print("| changed | off the axis [mm] | angle [deg] | lateral [N]: least, median, largest | below 5 N | bias [mm] below; above |")  # fmt: skip
    print("|---|---|---|---|---|---|")
    for name in names or list(CHANGES):
        print(
            row(name, [approach(CHANGES[name], seed) for seed in range(1, seeds + 1)]), flush=True
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8, sys.argv[2:])
