"""Impulsive landers over thin bodies, meshes and terrain: cases in which a probe could pass through the ground."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.scenarios.files import parse
from haptos.scenarios.lander.config import Config

EDGE = 0.3  # [m] of the cube
PULLS = np.geomspace(1e-4, 9.81, 10)  # [m/s^2]


def slab(path: Path, half: tuple[float, float, float]) -> str:
    """A box of these half sizes [m] as a mesh file, facing outward; its name."""
    a, b, c = half
    corners = [(x, y, z) for z in (-c, c) for y in (-b, b) for x in (-a, a)]
    sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    for i, j, k, m in sides:
        lines += [f"f {i + 1} {j + 1} {k + 1}", f"f {i + 1} {k + 1} {m + 1}"]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return str(path)


def cube_over(
    surface: dict[str, Any], pull: float, duration: float, height: float, rng: np.random.Generator,
    *, spread: float = 1.0, **tables: Any,
) -> Config:  # fmt: skip
    """A cube of 0.3 m that turns slowly, `height` [m] above the xy plane, under uniform gravity."""
    x, y = rng.uniform(-spread, spread, 2).tolist()
    given = {
        "schema": 1,
        "scenario": "lander",
        "name": "thin",
        "seed": 1,
        "probe": {"shape": "box", "mass_kg": 2.0, "size_m": [EDGE, EDGE, EDGE]},
        "surface": surface,
        "gravity": {"model": "uniform", "acceleration_m_per_s2": [0.0, 0.0, -float(pull)]},
        "contact": {"law": "impulsive", "restitution": 0.5, "friction": 0.5},
        "release": {
            "position_m": [x, y, float(height)],
            "velocity_m_per_s": [0.0, 0.0, 0.0],
            "rate_rad_per_s": (0.1 * rng.normal(size=3)).tolist(),
            "attitude_quaternion": random_quaternion(rng).tolist(),
        },
        "run": {"duration_s": duration, "output_interval_s": duration / 50.0, "max_steps": 200_000},
        **tables,
    }
    config = parse(given, "test")
    assert isinstance(config, Config)
    return config


def tables_of(path: Path) -> list[Config]:
    """30 cubes over a table 20 x 20 x 2 m."""
    rng = np.random.default_rng(7)
    file = slab(path, (10.0, 10.0, 1.0))
    surface = {"shape": "mesh", "file": file, "unit": "m", "grid_spacing_m": 0.5}
    return [
        cube_over(surface, pull, duration, 1.0 + EDGE + rng.uniform(0.1, 1.0), rng)
        for pull in PULLS
        for duration in (60.0, 600.0, 6000.0)
    ]


def ellipsoids() -> list[Config]:
    """20 cubes over ellipsoids of 2 and 10 m."""
    rng = np.random.default_rng(8)
    return [
        cube_over(
            {"shape": "ellipsoid", "semi_axes_m": [size, 0.9 * size, 0.5 * size]}, pull, duration,
            0.5 * size + EDGE + rng.uniform(0.1, 1.0), rng, spread=0.1 * size,
        )
        for pull in PULLS[::2]
        for duration in (60.0, 6000.0)
        for size in (2.0, 10.0)
    ]  # fmt: skip


def corners(vertices: np.ndarray, places: np.ndarray, quaternions: np.ndarray) -> np.ndarray:
    """Places [m] of the vertices, shape (times, vertices, 3), of a probe at those poses."""
    turned = np.einsum("tij,vj->tvi", rotation_matrices(quaternions), vertices[:, :3])
    return np.asarray(places[:, None, :] + turned)
