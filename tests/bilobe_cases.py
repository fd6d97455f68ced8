"""Cubes let go over the built-in body like Itokawa, as in the low-altitude release of [VanWal2018] table 4.6."""

from __future__ import annotations

from typing import Any

from benchmarks.lander_runs import releases
from haptos.scenarios.files import parse
from haptos.scenarios.lander.config import Config

__all__ = ["released", "releases"]

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
