"""Shape models of real bodies, kept beside the project; tests that need them skip without."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

from haptos.geometry.mesh.mesh_files import read_mesh

FOLDER = Path(__file__).parents[3] / "shared" / "bodies"
KILOMETRE = 1e3  # [m], unit of the files


@functools.cache
def shape_model(name: str) -> tuple[np.ndarray, np.ndarray]:
    """(vertices [m], faces) of the body called `name`."""
    file = FOLDER / f"{name}.obj"
    if not file.is_file():
        pytest.skip(f"no shape model {name}.obj in ../shared/bodies beside the project")
    vertices, faces = read_mesh(file)
    return vertices * KILOMETRE, faces
