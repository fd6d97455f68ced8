"""Row D20 of docs/validation/docking.md, fault by fault: the file until the lock, without new tries, with one fault each.

python -m tests.validation.docking_faults [NAMES]     prints outcome, first cause and worst phase of the ledger

A fault may be borne: which outcome follows is written down from these runs. What is asked of each is a named outcome,
reached without an error, and a ledger that closes.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import haptos
from haptos.scenarios.files import default
from haptos.scenarios.merging import laid_over

UNTIL_LOCKED = {"sequence": {"until": "locked", "tries": 0}, "run": {"duration_s": 200.0}}


def sensor(name: str, kind: str, at: float, offset: tuple[float, ...] = ()) -> dict[str, Any]:
    fault = {"kind": kind, "at_s": at} | ({"offset": offset} if offset else {})
    return {"sensors": {name: {"faults": [fault]}}}


def switch(index: int, kind: str) -> dict[str, Any]:
    return {
        "sensors": {"switches": {"faults": [{"switch": "shoulder", "index": index, "kind": kind}]}}
    }


def thruster(index: int, state: str) -> dict[str, Any]:
    return {"faults": {"thrusters": [{"index": index, "state": state, "at_s": 10.0}]}}


# fault -> changes of the file, outcome found
FAULTS: Mapping[str, tuple[dict[str, Any], str]] = {
    "camera fails at 10 s": (sensor("camera", "failed", 10.0), "sensor lost"),
    "camera freezes at 10 s": (sensor("camera", "frozen", 10.0), "missed"),
    "camera off by 30 mm from 10 s": (sensor("camera", "bias", 10.0, (0.0, 0.03, 0.0, 0.0, 0.0, 0.0)), "captured"),
    "distance sensors fail at 20 s": (sensor("distance", "failed", 20.0), "sensor lost"),
    "distance sensors off by 20 mm": (sensor("distance", "bias", 0.0, (0.02,)), "rebounded"),
    "drive sensors fail at 20 s": (sensor("drives", "failed", 20.0), "timed out"),
    "star tracker off by 0.02 rad from 10 s": (sensor("star_tracker", "bias", 10.0, (0.0, 0.02, 0.0)), "missed"),
    "star tracker fails at 10 s": (sensor("star_tracker", "failed", 10.0), "captured"),
    "gyro freezes at 10 s": (sensor("gyro", "frozen", 10.0), "captured"),
    "gyro off by 0.1 deg/s from 10 s": (sensor("gyro", "bias", 10.0, (0.0, 0.0017, 0.0)), "missed"),
    "shoulder switch stuck closed": (switch(0, "stuck_closed"), "captured"),
    "shoulder switch stuck open": (switch(1, "stuck_open"), "released"),
    "thruster stays on from 10 s": (thruster(2, "on"), "missed"),
    "thruster stays off from 10 s": (thruster(2, "off"), "captured"),
    "a wheel off from 5 s": ({"control": {"wheel_off_at_s": 5.0}}, "captured"),
    "all loops off from 5 s": ({"control": {"off_at_s": 5.0}}, "captured"),
    "boom's drive stalls at 3 N": ({"faults": {"insertion_stall_N": 3.0}}, "captured"),
    "crown's drive stalls at 60 N": ({"faults": {"crown_stall_N": 60.0}}, "released"),
    "crown spreads by half": ({"crown": {"spreads_to": 0.5}}, "released"),
    "nozzle oval by 5 %": ({"nozzle": {"oval": 0.05}}, "captured"),
    "nozzle displaced by 10 mm": ({"nozzle": {"displaced_m": 0.010}}, "captured"),
    "client tumbles at 0.7 deg/s": ({"start": {"rate_deg_per_s": [0.5, 0.3, -0.4]}}, "missed"),
}  # fmt: skip


def with_fault(changes: dict[str, Any]) -> haptos.Result:
    return haptos.simulate(default("docking", laid_over(UNTIL_LOCKED, changes)))


def first_cause(found: haptos.Result) -> str:
    """Time, change of state and cause of the first failure in the log, or of its last line."""
    good = ("crown near the throat", "bolt past the throat", "locked")
    rows = list(
        zip(*(found.events[k].values for k in ("event_time", "kind", "cause")), strict=True)
    )
    failures = [row for row in rows if row[2] and row[2] not in good]
    time, kind, cause = (failures or rows)[0 if failures else -1]
    return f"{float(time):.1f} s, {kind}: {cause}"


def main(names: list[str]) -> int:
    wrong = 0
    print("| fault | outcome | first cause | trusted | worst phase |\n|---|---|---|---|---|")
    for name in names or list(FAULTS):
        changes, expected = FAULTS[name]
        found = with_fault(changes)
        label = found.ended.label
        wrong += label != expected or not found.trusted
        said = label if label == expected else f"{label} (expected {expected})"
        share = found.ledger.worst.share
        print(f"| {name} | {said} | {first_cause(found)} | {'yes' if found.trusted else 'no'} | {share:.1e} |", flush=True)  # fmt: skip
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
