"""The four nominal releases over 1999 KW4 Alpha, and the first impacts recomputed for them on its shape model."""

from __future__ import annotations

import functools

import numpy as np

import haptos
from haptos.scenarios.files import parse
from haptos.scenarios.lander.config import Config
from haptos.scenarios.merging import laid_over
from tests.validation.shape_models import FOLDER, shape_model

MESH = FOLDER / "kw4-alpha.obj"
EDGE = 0.5  # [m] of an edge: facets that a point may belong to
RELEASES = {  # r_P / R -> velocity [m/s], rotating axes; table 4.5 of [VanWal2018]
    "0.05": (0.0, -0.8034, 0.0315),
    "0.70": (0.0, -0.6280, 0.0),
    "0.90": (0.0, -0.6052, 0.0),
    "1.00": (0.0, -0.5955, 0.0),
}
KW4 = {  # first impact: time [s], speed [m/s], angle from the normal [deg]
    "0.05": (3657.0, 0.556, 38.8),
    "0.70": (5558.0, 0.247, 20.8),
    "0.90": (6508.0, 0.182, 31.7),
    "1.00": (7169.0, 0.146, 35.3),
}


def released(name: str, **changes: object) -> Config:
    """A nominal release on the shape model, up to ten thousand seconds."""
    table = haptos.default("lander-ball-spinner").as_table()
    surface = {"shape": "mesh", "file": str(MESH), "unit": "km", "recentre": False, "grid_spacing_m": 5.0}  # fmt: skip
    new = {
        "probe": {"radius_m": 0.002, "mass_kg": 1e-4},  # the recomputed ones are those of a point
        "surface": surface,
        "gravity": {"facets": 3_000},
        "release": {"velocity_m_per_s": list(RELEASES[name])},
        "run": {"duration_s": 8000.0, "max_steps": 4000},
    }
    return parse(laid_over(laid_over(table, new), dict(changes)), name)  # type: ignore[return-value]


def facet_normals(point: np.ndarray) -> np.ndarray:
    """Outward normals, (k, 3), of the facets of the shape model within EDGE of a point [m] on it.

    A ball feels the distance grid, whose normals are blended near edges; the recomputed angles are
    those to one facet. Two impacts lie within half a metre of an edge, where either facet will do.
    """
    vertices, faces = shape_model("kw4-alpha")
    corners = vertices[faces]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    height = np.sum((point - a) * normals, axis=1)
    foot = point - height[:, None] * normals
    beyond = np.abs(height)
    for p, q in ((a, b), (b, c), (c, a)):
        side = np.sum(np.cross(q - p, foot - p) * normals, axis=1)
        beyond = np.maximum(beyond, -side / np.linalg.norm(q - p, axis=1))
    return np.asarray(normals[beyond < EDGE])


@functools.cache
def nominal_impacts() -> dict[str, tuple[float, float, list[float]]]:
    """r_P / R -> (time [s], speed [m/s], angles from the normals of the facets there [deg])."""
    found = haptos.simulate_batch([released(name) for name in RELEASES], store="impacts", workers=2)
    first = found.impacts.groupby("run").first()
    reported = {}
    for name, (_, row) in zip(RELEASES, first.iterrows(), strict=True):
        velocity = np.array([row[f"velocity_before_{axis}_m_per_s"] for axis in "xyz"])
        normals = facet_normals(np.array([row[f"point_{axis}_m"] for axis in "xyz"]))
        speed = float(np.linalg.norm(velocity))
        angles = np.degrees(np.arccos(-normals @ velocity / speed)).tolist()
        reported[name] = (float(row["time_s"]), speed, angles)
    return reported
