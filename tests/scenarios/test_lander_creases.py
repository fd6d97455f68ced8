"""Cubes among rocks come to rest in a usual number of steps: none is thrown to and fro in a crease."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from haptos.core.random_streams import stream
from haptos.core.rotations import random_quaternion
from haptos.scenarios.lander.config import Config
from haptos.scenarios.lander.simulate import simulate_batch
from tests.hard_cases import hard

PULL = 8.5e-5  # [m/s^2] as on Itokawa
ROCKS = {"model": "seeded", "rocks_per_m2": 14.3, "power": 2.8, "smallest_m": 0.05, "largest_m": 0.5}  # fmt: skip
RUNS = (109, 182, 371, 392, 460, *range(30))  # the first five are caught in a crease
MOST = 5000  # steps of a run, ten times the mean


def dropped(run: int, fillet: float) -> Config:
    """A cube of 0.2 m at its own place over the same rocks."""
    generator = stream(5, run)
    return hard(
        probe={"shape": "cube", "mass_kg": 5.0, "density_kg_per_m3": 500.0},
        terrain={"seed": 2, "rocks": {**ROCKS, "fillet": fillet}},
        gravity={"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -PULL]},
        release={
            "position_m": [*generator.uniform(-20.0, 20.0, 2).tolist(), 1.5],
            "velocity_m_per_s": [0.01, 0.0, -0.01],
            "attitude_quaternion": random_quaternion(generator).tolist(),
        },
        run={"duration_s": 40_000.0, "output_interval_s": 0.0, "max_steps": MOST},
    )


@functools.cache
def rows(fillet: float) -> list[dict[str, Any]]:
    return simulate_batch([dropped(run, fillet) for run in RUNS], workers=2)


def tried(fillet: float) -> np.ndarray:
    return np.array([row["steps"] + row["rejected_steps"] for row in rows(fillet)])


def test_every_cube_rests_in_a_usual_number_of_steps():
    assert {row["outcome"] for row in rows(0.02)} == {"settled"}
    assert tried(0.02).max() < MOST
    assert max(row["ledger_remainder_J"] / row["ledger_scale_J"] for row in rows(0.02)) < 1e-6


def test_check_has_teeth():
    """Without a fillet those five take many times as many, and are cut off."""
    assert np.sum(tried(0.0) >= MOST) == 5
    assert np.median(tried(0.02)) < 1.2 * np.median(tried(0.0))
