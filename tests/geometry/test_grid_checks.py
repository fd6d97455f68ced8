"""A grid that does not resolve its body is refused; one that does shows its volume."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.grid_build import build_grid
from haptos.geometry.grid_checks import grid_volume, require_resolved
from haptos.geometry.icosphere import icosphere
from haptos.geometry.mass_properties import mass_properties


@pytest.mark.parametrize("spacing", [0.05, 0.1, 0.2])
def test_nodes_inside_show_the_volume(spacing):
    vertices, faces = icosphere(4)
    volume = mass_properties(vertices, faces).volume
    found = grid_volume(build_grid(vertices, faces, spacing))
    assert abs(found / volume - 1.0) < 0.1


def test_a_plate_between_layers_of_nodes_is_refused():
    vertices, faces = icosphere(3)
    thin = vertices * np.array([1.0, 1.0, 0.02])
    volume = mass_properties(thin, faces).volume
    fine, coarse = build_grid(thin, faces, 0.01), build_grid(thin, faces, 0.1)
    require_resolved(fine, volume, 0.04, "here")
    with pytest.raises(GeometryError, match="shows 0% of the body's volume"):
        require_resolved(coarse, volume, 0.04, "here")
