"""Balls that roll among rocks come to rest, with less than a quarter of their steps rejected.

The balls of the studies `itokawa-low` and `itokawa-high`, on the built-in body with polyhedral rocks: every run marches to
rest twice, once rolling after its bounces and once stopping where it no longer bounces (`contact.contact_motion`). No peer has the
same rocks; CPU time, steps and the worst remainder of both stand beside each other, one thread.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
from _size import CLAIM_MISSED, ended, sized

import haptos
from haptos.cli.builtin import loaded_plan

RUNS = sized(30, 2)
REJECTED = 0.25  # [-] largest share of the steps tried
STUDIES = ("itokawa-low", "itokawa-high")


def configs(study: str, rolls: bool) -> list[Any]:
    found = loaded_plan(study).configs(range(RUNS))
    contacts = [c.contact.model_copy(update={"contact_motion": rolls}) for c in found]
    return [c.model_copy(update={"contact": own}) for c, own in zip(found, contacts, strict=True)]


def timed(study: str, rolls: bool) -> tuple[pd.DataFrame, np.ndarray]:
    """Runs of a study one by one and the CPU time [s] of each."""
    rows, spent = [], []
    for config in configs(study, rolls):
        start = time.process_time()
        rows.append(haptos.simulate_batch([config], workers=1).runs)
        spent.append(time.process_time() - start)
    return pd.concat(rows, ignore_index=True), np.array(spent)


def told(study: str, rolls: bool, runs: pd.DataFrame, spent: np.ndarray) -> float:
    """Print a line; return the share of the steps tried that was rejected."""
    rejected = float(runs["rejected_steps"].sum() / (runs["steps"] + runs["rejected_steps"]).sum())
    settled = int((runs["ended"] == "settled").sum())
    print(
        f"{study:13s} {'rolls' if rolls else 'stops':6s} {settled:3d} of {len(runs)} settled, {int(runs['trusted'].sum())} trusted; "
        f"CPU {spent.mean():.3f} s a run, median {np.median(spent):.3f}, most {spent.max():.3f}; "
        f"{runs['steps'].mean():.0f} steps, {rejected:.1%} rejected; largest remainder {runs['ledger_relative_remainder'].abs().max():.0e}"
    )
    return rejected


def main() -> int:
    for study in STUDIES:  # compile, and make the tables
        haptos.simulate_batch(configs(study, True)[:1], workers=1)
    is_met = True
    for study in STUDIES:
        told(study, False, *timed(study, False))
        runs, spent = timed(study, True)
        rejected = told(study, True, runs, spent)
        is_met &= rejected < REJECTED and bool((runs["ended"] == "settled").all())
    return 0 if is_met else CLAIM_MISSED


if __name__ == "__main__":
    raise SystemExit(ended(main()))
