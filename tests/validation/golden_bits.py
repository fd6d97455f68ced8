"""Digests of 20 lander runs and 6 nets by both schemes: an edit that must not change a bit is held against them.

    python -m tests.validation.golden_bits write before.json     # in the tree before
    python -m tests.validation.golden_bits compare before.json   # in the tree after

A digest covers every number of trajectory, events, ledger and metrics. Bits are those of one kind of processor
and one set of libraries, so that digests are made anew on each machine and not kept with the sources.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import haptos
from haptos.results.result import Result
from haptos.scenarios.files import default

HERE = {"duration_s": 2000.0}
IMPULSIVE = {"law": "impulsive", "restitution": 0.5, "friction": 0.4}
LANDERS: dict[str, tuple[str, dict[str, Any]]] = {
    f"lander {law} {n}": (
        "lander",
        {
            "seed": n,
            "contact": IMPULSIVE if law == "impulsive" else {},
            "release": {"velocity_m_per_s": [0.01 * n, 0.02, -0.05 - 0.01 * n]},
            "run": HERE,
        },
    )
    for law in ("compliant", "impulsive")
    for n in range(10)
}
SHORT: dict[str, Any] = {"run": {"duration_s": 0.6, "output_interval_s": 0.1}}
NETS: dict[str, dict[str, Any]] = {
    "plain": {},
    "fast": {"shot": {"speed_m_per_s": 5.0}},
    "steep": {"shot": {"angle_deg": 45.0}},
    "folded anew": {"seed": 7, "shot": {"random_share": 0.3}},
    "near": {"target": {"distance_m": 2.5}},
    "ground": {"environment": {"kind": "ground"}},
}


def digest(result: Result) -> str:
    """Hash of all numbers of a run."""
    found = hashlib.sha256()
    for table in (result.trajectory, result.events):
        for name in sorted(str(key) for key in table.variables):
            values = np.asarray(table[name].values)
            if values.dtype != object and values.dtype.kind in "fiub":
                found.update(name.encode() + np.ascontiguousarray(values).tobytes())
    for name, values in sorted({**result.ledger.stores, **result.ledger.works}.items()):
        found.update(name.encode() + np.ascontiguousarray(values, dtype=float).tobytes())
    for name, value in sorted(result.metrics.items()):
        found.update(name.encode() + np.float64(value).tobytes())
    return found.hexdigest()[:16]


def digests() -> dict[str, str]:
    """Name of each run -> its digest; a run that is refused -> its refusal."""
    found = {}
    for name, (preset, changes) in LANDERS.items():
        found[name] = _digest_of(preset, changes)
    for scheme in ("verlet", "dormand-prince"):
        for name, changes in NETS.items():
            settings = {**SHORT["run"], "scheme": scheme}
            found[f"net {scheme} {name}"] = _digest_of("net-small", {**changes, "run": settings})
    return found


def _digest_of(preset: str, changes: dict[str, Any]) -> str:
    try:
        return digest(haptos.simulate(default(preset, changes)))
    except haptos.HaptosError as error:
        return f"refused: {str(error)[:80]}"


def main(arguments: list[str]) -> int:
    """Write digests to a file, or compare with those of one; 1 if any differs."""
    what, file = arguments[0], Path(arguments[1])
    now = digests()
    if what == "write":
        file.write_text(json.dumps(now, indent=1), encoding="utf-8")
        print(f"{len(now)} digests in {file}")
        return 0
    before = json.loads(file.read_text(encoding="utf-8"))
    changed = [name for name, value in now.items() if before.get(name) != value]
    print(f"{len(now) - len(changed)} of {len(now)} runs have the same bits")
    for name in changed:
        print(f"  {name}: {before.get(name)} -> {now[name]}")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
