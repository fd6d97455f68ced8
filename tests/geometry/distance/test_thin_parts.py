"""Thicknesses by rays against shapes whose thickness is known, and what counts as thin."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.geometry.distance.distance_mesh import solid_mesh
from haptos.geometry.distance.thin_parts import (
    CELLS,
    INWARDS,
    OUTWARDS,
    resolving_spacing,
    surface_samples,
    thicknesses,
    thin_part,
)
from haptos.geometry.mesh.facet_measures import facet_areas, facet_sizes
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.polyhedra import platonic_solid
from haptos.geometry.mesh.procedural_bodies import procedural_body
from haptos.geometry.mesh.triangle_tree import triangle_tree
from tests.thin_meshes import angle_section, bowl, grooved, prism


def test_points_are_spread_over_the_surface():
    vertices, faces = icosphere(2)
    samples = surface_samples(vertices, faces, 0.1)
    assert (
        abs(len(samples.points) * samples.area / facet_areas(vertices, faces).sum() - 1.0) < 1e-12
    )
    np.testing.assert_allclose(samples.points.mean(axis=0), 0.0, atol=0.01)
    # In a face of the mesh: none farther out than the unit ball or farther in than the faces' middles.
    radii = np.linalg.norm(samples.points, axis=1)
    assert np.all((radii <= 1.0) & (radii > 0.94))


def test_rays_measure_thickness_and_gaps():
    vertices, faces = angle_section(20.0, 1.0, 20.0, 5)
    tree, samples = triangle_tree(vertices, faces), surface_samples(vertices, faces, 1.0)
    found = thicknesses(tree, samples, INWARDS, 3.0)
    is_outer = (
        samples.normals[:, 2] < -0.5
    )  # below: into the slab, or along the other from its corner
    np.testing.assert_allclose(found[is_outer & (samples.points[:, 0] > 1.0)], 1.0, atol=1e-3)
    assert np.all(np.isinf(found[is_outer & (samples.points[:, 0] < 1.0)]))

    vertices, faces = grooved(0.5, 40)
    tree, samples = triangle_tree(vertices, faces), surface_samples(vertices, faces, 0.5)
    found = thicknesses(tree, samples, OUTWARDS, 1.0)
    radius = np.hypot(samples.points[:, 0], samples.points[:, 1])
    walls = (np.abs(radius - 6.0) < 0.3) & (np.abs(samples.normals[:, 2]) < 0.1)
    np.testing.assert_allclose(found[walls], 0.5, atol=0.005)
    assert np.all(np.isinf(found[radius > 9.9]))


@pytest.mark.parametrize("level", [3, 4, 5])
def test_round_bodies_keep_the_side_of_their_facets(level):
    vertices, faces = procedural_body("bilobe", level)
    side = 23.43 / 2.0 ** (level - 3)
    assert resolving_spacing(vertices, faces, solid_mesh(vertices, faces), side, 0.0) == side


@pytest.mark.parametrize("degrees", [35.0, 60.0, 90.0])
def test_an_edge_is_not_a_thin_part(degrees):
    """Nor are those of the platonic solids."""
    angle = math.radians(degrees)
    wedge = prism(
        [(0.0, 0.0), (10.0, 0.0), (10.0 * math.cos(angle), 10.0 * math.sin(angle))], 0, 10.0, 3
    )
    for vertices, faces in (wedge, platonic_solid("tetrahedron"), platonic_solid("cube")):
        spacing = 0.04 * float(np.ptp(vertices, axis=0).max())
        assert math.isinf(thin_part(vertices, faces, solid_mesh(vertices, faces), spacing))


@pytest.mark.parametrize(
    ("mesh", "thickness"),
    [
        (angle_section(20.0, 1.0, 20.0, 5), 1.0),
        (angle_section(10.0, 0.2, 10.0, 5), 0.2),
        (angle_section(10.0, 0.05, 10.0, 5), 0.05),
        (bowl(10.0, 0.4, 40, 10), 0.4),
        (grooved(0.5, 40), 0.5),
        (prism([(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)], 0, 20.0, 5), 0.2),
    ],
    ids=["L 1 m", "L 0.2 m", "L 0.05 m", "bowl", "groove", "rod"],
)  # fmt: skip
def test_the_spacing_follows_the_thinnest_part(mesh, thickness):
    side = facet_sizes(*mesh).mean_side
    found = resolving_spacing(*mesh, solid_mesh(*mesh), side, 0.0)
    assert found == pytest.approx(thickness / CELLS, rel=0.02)
    assert resolving_spacing(*mesh, solid_mesh(*mesh), side, 0.5 * side) >= 0.5 * side
