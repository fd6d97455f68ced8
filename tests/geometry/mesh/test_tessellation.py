"""Tessellation: counts, closure, unchanged solid, and which vertices are corner, edge, facet."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.probe_shapes import box, platonic, prism, tessellated
from haptos.geometry.mesh.tessellation import (
    CORNER,
    EDGE,
    FACET,
    dihedral_angles,
    mesh_edges,
    vertex_kinds,
)
from tests.close import assert_close

DIHEDRAL = {  # angle between outward normals at a true edge [rad]
    "tetrahedron": math.pi - math.acos(1.0 / 3.0),
    "cube": math.pi / 2.0,
    "octahedron": math.acos(1.0 / 3.0),
    "dodecahedron": math.pi - math.acos(-1.0 / math.sqrt(5.0)),
    "icosahedron": math.pi - math.acos(-math.sqrt(5.0) / 3.0),
}


@pytest.mark.parametrize("levels", [1, 2, 3])
@pytest.mark.parametrize(
    "shape", [box((1.0, 2.0, 3.0)), platonic("tetrahedron", 1.0), prism(5, 1.0, 2.0)]
)
def test_faces_quadruple_and_the_solid_stays_the_same(shape, levels):
    fine = tessellated(shape, levels)
    assert len(fine.faces) == 4**levels * len(shape.faces)
    assert len(fine.vertices) == 2 + len(fine.faces) // 2
    require_solid("tessellated", fine.vertices, fine.faces)
    found = mass_properties(fine.vertices, fine.faces)
    assert_close(found.volume, shape.volume, rtol=1e-13)
    assert_close(found.inertia_per_mass, shape.inertia_per_mass, rtol=1e-13)
    assert (fine.volume, fine.bounding_radius) == (shape.volume, shape.bounding_radius)
    assert fine.vertices[: len(shape.vertices)].tolist() == shape.vertices.tolist()


def test_spacing_halves_per_level():
    lengths = []
    for levels in range(3):
        shape = tessellated(platonic("octahedron", 1.0), levels)
        edges, _ = mesh_edges(shape.faces)
        ends = shape.vertices[edges]
        lengths.append(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).max())
    assert_close(lengths, [1.0, 0.5, 0.25], rtol=1e-14)


@pytest.mark.parametrize("levels", [0, 1, 2, 3])
@pytest.mark.parametrize(
    ("name", "corners", "edges"),
    [
        ("tetrahedron", 4, 6),
        ("cube", 8, 12),
        ("octahedron", 6, 12),
        ("dodecahedron", 20, 30),
        ("icosahedron", 12, 30),
    ],
)
def test_kinds_are_counted_by_the_solid_they_lie_on(name, corners, edges, levels):
    shape = tessellated(platonic(name, 0.2), levels)
    count = np.bincount(shape.vertex_kind, minlength=3)
    on_edges = edges * (2**levels - 1)
    assert count.tolist() == [corners, on_edges, len(shape.vertices) - corners - on_edges]


def test_directions_lie_along_edges_and_out_of_facets():
    shape = tessellated(box((1.0, 2.0, 3.0)), 2)
    half = np.array([0.5, 1.0, 1.5])
    for x, kind, direction in zip(
        shape.vertices, shape.vertex_kind, shape.vertex_direction, strict=True
    ):
        on_face = np.isclose(np.abs(x), half, rtol=1e-12, atol=0.0)
        assert kind == {3: CORNER, 2: EDGE, 1: FACET}[int(on_face.sum())]
        if kind == CORNER:
            assert direction.tolist() == [0.0, 0.0, 0.0]
        elif kind == EDGE:
            assert_close(np.abs(direction), np.where(on_face, 0.0, 1.0), rtol=1e-15)
        else:
            assert_close(direction, np.where(on_face, np.sign(x), 0.0), rtol=1e-14)


@pytest.mark.parametrize("name", DIHEDRAL)
def test_dihedral_angles_of_platonic_solids(name):
    shape = platonic(name, 1.0)
    _, angles = dihedral_angles(shape.vertices, shape.faces)
    is_edge = angles > 1e-3
    assert_close(angles[is_edge], np.full(is_edge.sum(), DIHEDRAL[name]), rtol=1e-14)
    assert np.all(angles[~is_edge] < 1e-7)


def test_edges_flatter_than_the_threshold_are_not_edges():
    """The 60 upright edges turn by 0.105 rad; without them every rim vertex joins two edges."""
    shape = prism(60, 1.0, 2.0)
    smooth, _ = vertex_kinds(shape.vertices, shape.faces, flat_angle=0.2)
    assert np.all(shape.vertex_kind == CORNER)
    assert np.all(smooth == EDGE)


def test_two_steps_of_one_level_equal_one_step_of_two():
    once = tessellated(platonic("icosahedron", 1.0), 2)
    twice = tessellated(tessellated(platonic("icosahedron", 1.0), 1), 1)
    assert once.vertices.tolist() == twice.vertices.tolist()
    assert once.faces.tolist() == twice.faces.tolist()


@pytest.mark.parametrize("levels", [-1, 30])
def test_levels_that_make_no_sense_are_refused(levels):
    with pytest.raises(GeometryError, match="levels"):
        tessellated(box((1.0, 1.0, 1.0)), levels)


def test_check_has_teeth():
    shape = box((1.0, 1.0, 1.01))
    with pytest.raises(AssertionError):
        assert_close(shape.volume, box((1.0, 1.0, 1.0)).volume, rtol=1e-13)
    _, angles = dihedral_angles(
        shape.vertices * [1.0, 1.01, 1.0] + 0.01 * shape.vertices[:, ::-1], shape.faces
    )
    with pytest.raises(AssertionError):
        assert_close(angles[angles > 1e-3], np.full(12, DIHEDRAL["cube"]), rtol=1e-14)
