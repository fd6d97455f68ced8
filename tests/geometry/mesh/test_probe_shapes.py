"""Probe shapes: closed forms beside signed tetrahedra, edges of the specification, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.probe_shapes import (
    box,
    from_mesh,
    platonic,
    platonic_edge,
    prism,
    sphere,
    tessellated,
)
from haptos.geometry.mesh.tessellation import face_normals, mesh_edges
from tests.close import assert_close

PLATONIC = {  # vertices, edges, faces, corners of a face
    "tetrahedron": (4, 6, 4, 3),
    "cube": (8, 12, 6, 4),
    "octahedron": (6, 12, 8, 3),
    "dodecahedron": (20, 30, 12, 5),
    "icosahedron": (12, 30, 20, 3),
}
SHAPES = {
    **{name: platonic(name, 0.3) for name in PLATONIC},
    "box": box((0.1, 0.2, 0.4)),
    "triangular prism": prism(3, 0.2, 0.5),
    "disc": prism(40, 0.2, 0.01),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_stated_moments_are_those_of_the_mesh(shape):
    found = mass_properties(shape.vertices, shape.faces)
    assert_close(found.volume, shape.volume, rtol=1e-13)
    assert_close(found.centroid, np.zeros(3), rtol=1e-15, scale=shape.bounding_radius)
    assert_close(found.inertia_per_mass, shape.inertia_per_mass, rtol=1e-13)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_a_closed_convex_solid_facing_outward(shape):
    require_solid("shape", shape.vertices, shape.faces)
    edges, _ = mesh_edges(shape.faces)
    assert len(shape.vertices) - len(edges) + len(shape.faces) == 2
    normals = face_normals(shape.vertices, shape.faces)
    height = np.einsum("fi,fi->f", normals, shape.vertices[shape.faces[:, 0]])
    assert np.all(height > 0.0)
    assert np.all(shape.vertices @ normals.T <= height + 1e-12 * shape.bounding_radius)


@pytest.mark.parametrize("name", PLATONIC)
def test_platonic_solids_have_equal_edges_and_their_known_counts(name):
    vertex_count, edge_count, face_count, corners = PLATONIC[name]
    shape = platonic(name, 0.7)
    edges, _ = mesh_edges(shape.faces)
    lengths = np.linalg.norm(np.subtract(*(shape.vertices[edges[:, k]] for k in (0, 1))), axis=1)
    true_edges = lengths < 0.7 * 1.01
    assert len(shape.vertices) == vertex_count
    assert len(shape.faces) == face_count * (corners - 2)
    assert np.sum(true_edges) == edge_count
    assert_close(lengths[true_edges], np.full(edge_count, 0.7), rtol=1e-15)


@pytest.mark.parametrize(
    ("name", "edge"),
    [
        ("tetrahedron", 0.43943),
        ("octahedron", 0.27682),
        ("cube", 0.21544),
        ("icosahedron", 0.16611),
        ("dodecahedron", 0.10928),
    ],
)
def test_edges_of_five_kilogrammes_match_those_worked_out_independently(name, edge):
    found = platonic_edge(name, 5.0 / 500.0)
    assert round(found, 5) == edge
    assert_close(platonic(name, found).volume, 0.01, rtol=1e-14)


def test_cube_agrees_with_the_box_of_equal_sides():
    assert_close(box((0.3, 0.3, 0.3)).inertia_per_mass, 0.015 * np.eye(3), rtol=1e-14)
    assert_close(platonic("cube", 0.3).inertia_per_mass, 0.015 * np.eye(3), rtol=1e-14)


def test_prism_tends_to_the_cylinder():
    shape = prism(256, 0.2, 0.5)
    assert_close(shape.volume, math.pi * 0.04 * 0.5, rtol=2e-4)
    across = 0.04 / 4.0 + 0.25 / 12.0
    assert_close(shape.inertia_per_mass, np.diag([across, across, 0.02]), rtol=1e-4)


def test_sphere_is_one_vertex_with_a_ball():
    shape = sphere(0.125)
    assert shape.vertices.tolist() == [[0.0, 0.0, 0.0]]
    assert (len(shape.faces), shape.corner_radius, shape.bounding_radius) == (0, 0.125, 0.125)
    assert_close(shape.volume, 4.0 / 3.0 * math.pi * 0.125**3, rtol=1e-15)
    assert_close(shape.inertia_per_mass, 0.4 * 0.125**2 * np.eye(3), rtol=1e-15)
    radii = np.linalg.norm(shape.drawn_vertices, axis=1)
    assert_close(radii, np.full(642, 0.125), rtol=1e-14)
    require_solid("drawn sphere", shape.drawn_vertices, shape.drawn_faces)
    assert tessellated(shape, 3) is shape


def test_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        box((1.0, 1.0, 1.0)).vertices[0, 0] = 2.0


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_sizes_that_are_not_lengths_are_refused(bad):
    for build in (
        lambda: box((1.0, bad, 1.0)),
        lambda: platonic("cube", bad),
        lambda: platonic_edge("cube", bad),
        lambda: prism(6, bad, 1.0),
        lambda: sphere(bad),
    ):
        with pytest.raises(GeometryError, match="above zero"):
            build()


def test_unknown_names_and_too_few_sides_are_refused():
    with pytest.raises(GeometryError, match="tetrahedron, cube"):
        platonic("pyramid", 1.0)
    with pytest.raises(GeometryError, match="3 or more"):
        prism(2, 1.0, 1.0)


def test_mesh_probe_is_centred_scaled_and_weighed(tmp_path):
    shape = platonic("dodecahedron", 30.0)
    lines = [f"v {x + 5.0!r} {y!r} {z - 7.0!r}" for x, y, z in shape.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in shape.faces.tolist()]
    file = tmp_path / "probe.obj"
    file.write_text("\n".join(lines), encoding="utf-8")
    found, expected = from_mesh(file, "cm"), platonic("dodecahedron", 0.3)
    assert_close(found.vertices, expected.vertices, rtol=1e-14)
    assert_close(found.volume, expected.volume, rtol=1e-13)
    assert_close(found.inertia_per_mass, expected.inertia_per_mass, rtol=1e-13)
    assert found.corner_radius == 0.0
    with pytest.raises(GeometryError, match="m, km, cm, mm"):
        from_mesh(file, "inch")


def test_check_has_teeth():
    shape = platonic("icosahedron", 0.3 * 1.01)
    with pytest.raises(AssertionError):
        assert_close(shape.inertia_per_mass, SHAPES["icosahedron"].inertia_per_mass, rtol=1e-13)
