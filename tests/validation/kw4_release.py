"""The four nominal releases over 1999 KW4 Alpha, and the first impacts recomputed for them on its shape model."""

from __future__ import annotations

import functools

import numpy as np

import haptos
from haptos.scenarios.files import parse
from haptos.scenarios.lander.config import Config
from haptos.scenarios.merging import laid_over
from tests.validation.shape_models import FOLDER

MESH = FOLDER / "kw4-alpha.obj"
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
    surface = {"shape": "mesh", "file": str(MESH), "unit": "km"}
    new = {
        "surface": surface,
        "gravity": {"facets": 10_000},
        "release": {"velocity_m_per_s": list(RELEASES[name])},
        "run": {"duration_s": 8000.0, "max_steps": 4000},
    }
    return parse(laid_over(laid_over(table, new), dict(changes)), name)  # type: ignore[return-value]


@functools.cache
def nominal_impacts() -> dict[str, tuple[float, float, float]]:
    """r_P / R -> (time [s], speed [m/s], angle from the normal [deg]) of the first impact."""
    found = haptos.simulate_batch([released(name) for name in RELEASES], store="impacts", workers=2)
    first = found.impacts.groupby("run").first()
    told = {}
    for name, (_, row) in zip(RELEASES, first.iterrows(), strict=True):
        velocity = np.array([row[f"velocity_before_{axis}_m_per_s"] for axis in "xyz"])
        normal = np.array([row[f"normal_{axis}"] for axis in "xyz"])
        speed = float(np.linalg.norm(velocity))
        angle = float(np.degrees(np.arccos(-velocity @ normal / speed)))
        told[name] = (float(row["time_s"]), speed, angle)
    return told
