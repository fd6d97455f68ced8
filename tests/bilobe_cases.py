"""Cubes let go over the built-in body like Itokawa, as in the low-altitude release of [VanWal2018] table 4.6."""

from __future__ import annotations

from typing import Any

import numpy as np

from haptos.core.rotations import random_quaternion
from haptos.scenarios.files import parse
from haptos.scenarios.lander.config import Config

SEED = 11
HARD = {"law": "impulsive", "restitution": 0.5, "friction": 0.5}
BODY = {
    "surface": {"shape": "body", "body": "bilobe", "level": 5},
    "gravity": {"model": "polyhedron", "mu_m3_per_s2": 2.341, "facets": 2000},
}
ELLIPSOID = {
    "surface": {"shape": "ellipsoid", "semi_axes_m": [268.0, 147.0, 105.0]},
    "gravity": {
        "model": "ellipsoid",
        "semi_axes_m": [268.0, 147.0, 105.0],
        "mu_m3_per_s2": 2.341,
    },
}
RUN = {
    "duration_s": 259_200.0,
    "output_interval_s": 0.0,
    "escape_distance_m": 10_000.0,
    "max_steps": 2_000_000,
}


def releases(count: int) -> list[dict[str, Any]]:
    """The first `count` of one endless list; 15 m and 0.01 m/s are three sigma."""
    generator = np.random.default_rng(SEED)
    return [
        {
            "position_m": generator.normal((0.0, 0.0, 200.0), 15.0 / 3.0).tolist(),
            "velocity_m_per_s": generator.normal((0.0, 0.0, -0.05), 0.01 / 3.0).tolist(),
            "attitude_quaternion": list(map(float, random_quaternion(generator))),
        }
        for _ in range(count)
    ]


def released(release: dict[str, Any], **changes: Any) -> Config:
    """A 5 kg cube on this release, with whole tables exchanged."""
    config = parse(
        {
            "schema": 1,
            "scenario": "lander",
            "name": "cube over a body like Itokawa",
            "seed": 1,
            "probe": {"shape": "cube", "mass_kg": 5.0, "density_kg_per_m3": 500.0},
            **BODY,
            "spin": {"kind": "uniform", "period_h": 12.132},
            "contact": HARD,
            "release": release,
            "run": RUN,
            **changes,
        },
        "test",
    )
    assert isinstance(config, Config)
    return config
