"""The mesh of the body that a [surface] table of a scenario file names, for drawing and for maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haptos.geometry.mesh.body_mesh import load_body_mesh
from haptos.geometry.mesh.procedural_bodies import procedural_body


def mesh_of_table(
    surface: Mapping[str, Any], level: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(vertices [m], faces) of a table with shape "body" or "mesh", as a run has them.

    level  splits of a built-in body, if the table does not ask for fewer
    Raises GeometryError and OSError for a file that is not to be had, KeyError for a key left out.
    """
    if surface["shape"] == "body":
        finest = min(int(surface.get("level", level)), level)
        return procedural_body(surface["body"], finest, int(surface.get("relief_seed", 0)))
    body = load_body_mesh(
        surface["file"],
        surface["unit"],
        repair=bool(surface.get("repair", False)),
        recentre=bool(surface.get("recentre", True)),
    )
    return body.vertices, body.faces
