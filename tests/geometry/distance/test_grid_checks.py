"""A grid that misses parts of its body, or fills gaps in it, is refused; one of the advised spacing is not."""

from __future__ import annotations

import re

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.core.rotations import random_quaternion, rotation_matrices
from haptos.geometry.distance.distance_mesh import solid_mesh
from haptos.geometry.distance.grid_build import build_grid, spacing_of_size
from haptos.geometry.distance.grid_checks import require_resolved
from haptos.geometry.mesh.facet_measures import facet_sizes
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import platonic_solid
from tests.thin_meshes import angle_section, bowl, grooved


def require(mesh, spacing):
    require_resolved(*mesh, solid_mesh(*mesh), build_grid(*mesh, spacing), "here", "spacing_m")


def advised(mesh, spacing):
    with pytest.raises(GeometryError, match="here: found a spacing of") as refused:
        require(mesh, spacing)
    return float(re.search(r"spacing_m = (\S+)", str(refused.value))[1])


@pytest.mark.parametrize(
    "mesh",
    [
        angle_section(20.0, 1.0, 20.0, 5),
        angle_section(10.0, 0.2, 10.0, 5),
        bowl(10.0, 0.4, 40, 10),
        grooved(0.5, 40),
    ],
    ids=["L 1 m", "L 0.2 m", "bowl", "groove"],
)  # fmt: skip
def test_thin_parts_and_gaps_are_refused_with_a_spacing_that_works(mesh):
    side = facet_sizes(*mesh).mean_side
    for share in (1.0, 0.5, 0.25):
        require(mesh, advised(mesh, share * side))


@pytest.mark.parametrize("cells", [0.3, 0.5, 0.8, 1.0])
def test_a_slanted_plate_is_refused_wherever_nodes_fall(cells):
    """Though some nodes lie in it, so that it shows as spots."""
    rng = np.random.default_rng(5)
    vertices, faces = angle_section(20.0, 1.0, 20.0, 5)
    for _ in range(3):
        turned = vertices @ rotation_matrices(random_quaternion(rng)).T + rng.normal(size=3)
        advised((turned, faces), 1.0 / cells)
        require((turned, faces), 0.5)


def test_a_fin_on_a_large_body_is_refused():
    """It is a hundredth of the volume."""
    vertices, faces = icosphere(5)
    fin = (np.abs(vertices[:, 1]) < 1e-9) & (vertices[:, 2] > 0.5)
    body = 10.0 * vertices * np.where(fin, 1.6, 1.0)[:, None]
    require((10.0 * vertices, faces), 1.0)
    advised((body, faces), 1.0)


@pytest.mark.parametrize(
    "mesh", [platonic_solid("cube"), platonic_solid("octahedron"), icosphere(3)]
)
@pytest.mark.parametrize("cells", [4.0, 7.3, 20.0])
def test_solid_bodies_pass(mesh, cells):
    require(mesh, float(np.ptp(mesh[0], axis=0).min()) / cells)


def test_a_body_of_one_cell_is_refused():
    assert advised(platonic_solid("cube"), 0.6) == 0.12


def test_size_of_a_grid_is_known_before_it_is_built():
    mesh = bowl(10.0, 0.4, 40, 10)
    for values in (1e5, 1e6):
        assert 0.3 < len(build_grid(*mesh, spacing_of_size(*mesh, values)).values) / values < 3.0
