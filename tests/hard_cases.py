"""Landers with impulsive contact for tests: a ball over a plane, and what a test wants otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.results.result import Result
from haptos.scenarios.files import parse
from haptos.scenarios.lander.config import Config
from haptos.scenarios.merging import laid_over

BALL = {"shape": "sphere", "mass_kg": 2.0, "radius_m": 0.1}
CUBE = {"shape": "box", "mass_kg": 2.0, "size_m": [0.2, 0.2, 0.2]}
PULL = 1e-2  # [m/s^2]
ROUND = {
    "surface": {"shape": "sphere", "radius_m": 100.0},
    "gravity": {"model": "point", "mu_m3_per_s2": 2.0},
}
BASE = {
    "schema": 1,
    "scenario": "lander",
    "name": "hard",
    "seed": 1,
    "probe": BALL,
    "surface": {"shape": "plane"},
    "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -PULL]},
    "contact": {"law": "impulsive", "restitution": 0.5, "friction": 0.5},
    "release": {"position_m": [0.0, 0.0, 0.6], "velocity_m_per_s": [0.0, 0.0, 0.0]},
    "run": {"duration_s": 3000.0, "output_interval_s": 0.0, "max_steps": 200_000},
}
CHOICES = {"shape", "model", "law", "kind"}  # a table that says which it is replaces the whole one


def hard(**changes: Any) -> Config:
    """The ball over a plane with tables laid over it."""
    kept = {
        name: table
        for name, table in BASE.items()
        if not (isinstance(changes.get(name), dict) and CHOICES & set(changes[name]))
    }
    config = parse(laid_over(kept, changes), "test")
    assert isinstance(config, Config)
    return config


def kinds(result: Result) -> list[str]:
    """Kinds of all events of a run, in order."""
    return [str(kind) for kind in result.events["kind"].values]


def impacts(result: Result) -> dict[str, np.ndarray]:
    """Columns of the events table, of impacts only."""
    rows = np.array([kind == "impact" for kind in kinds(result)], dtype=bool)
    return {name: result.events[name].values[rows] for name in result.events}


def bounce(hit: dict[str, np.ndarray], i: int = 0) -> float:
    """Normal speed of the centre after impact i over that before."""
    n = hit["normal_A"][i]
    return float(-(hit["v_after_A"][i] @ n) / (hit["v_before_A"][i] @ n))
