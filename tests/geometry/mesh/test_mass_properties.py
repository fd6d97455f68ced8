"""Mass properties against closed forms, at every size and place, and by composition."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.geometry.mesh.mass_properties import (
    mass_properties,
    principal_axes,
    signed_volume,
    sphericity,
)
from haptos.geometry.mesh.polyhedra import box_solid, platonic_solid
from tests.close import assert_close

SIZE = np.array([1.0, 2.0, 3.0])
BOX_INERTIA = 6.0 * np.diag([13.0, 10.0, 5.0]) / 12.0


def turn(seed):
    """A rotation matrix from nowhere in particular."""
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_box_has_its_closed_form_at_any_size_and_attitude(scale):
    vertices, faces = box_solid(SIZE * scale)
    dcm = turn(1)
    found = mass_properties(vertices @ dcm.T, faces)
    assert_close(found.volume, 6.0 * scale**3, rtol=1e-14)
    assert_close(found.centroid, np.zeros(3), rtol=1e-15, scale=scale)
    assert_close(found.inertia_per_density, dcm @ BOX_INERTIA @ dcm.T * scale**5, rtol=1e-14)
    assert_close(found.inertia_per_mass, dcm @ BOX_INERTIA @ dcm.T * scale**2 / 6.0, rtol=1e-14)


@pytest.mark.parametrize("distance", [0.0, 10.0, 1e3])
def test_far_origin_costs_only_the_digits_the_vertices_lost(distance):
    vertices, faces = box_solid(SIZE)
    shift = distance * np.array([1.0, -2.0, 0.5])
    found = mass_properties(vertices + shift, faces)
    rtol = 1e-14 + 1e-15 * distance
    assert_close(found.volume, 6.0, rtol=rtol)
    assert_close(found.centroid, shift, rtol=1e-15, scale=1.0 + distance)
    assert_close(found.inertia_per_density, BOX_INERTIA, rtol=rtol)


def test_two_solids_weigh_their_sum_and_obey_the_parallel_axis_theorem():
    vertices, faces = box_solid(SIZE)
    apart = np.array([10.0, 0.0, 0.0])
    both = mass_properties(
        np.concatenate([vertices, vertices + apart]), np.concatenate([faces, faces + 8])
    )
    arm = 2.0 * 6.0 * 25.0 * np.diag([0.0, 1.0, 1.0])
    assert_close(both.volume, 12.0, rtol=1e-14)
    assert_close(both.centroid, 0.5 * apart, rtol=1e-14)
    assert_close(both.inertia_per_density, 2.0 * BOX_INERTIA + arm, rtol=1e-14)


def test_cavity_is_subtracted():
    vertices, faces = box_solid(SIZE)
    hollow = mass_properties(
        np.concatenate([vertices, 0.5 * vertices]),
        np.concatenate([faces, faces[:, ::-1] + 8]),
    )
    assert_close(hollow.volume, 6.0 * 7.0 / 8.0, rtol=1e-14)
    assert_close(hollow.inertia_per_density, BOX_INERTIA * 31.0 / 32.0, rtol=1e-14)


def test_inside_out_has_negative_volume():
    vertices, faces = box_solid(SIZE)
    assert_close(mass_properties(vertices, faces[:, ::-1]).volume, -6.0, rtol=1e-15)
    assert_close(signed_volume(vertices, faces[:, ::-1]), -6.0, rtol=1e-15)
    assert signed_volume(vertices * [1.0, 1.0, 0.0], faces) == 0.0


def test_trimesh_agrees_on_an_irregular_solid():
    import trimesh

    vertices, faces = platonic_solid("dodecahedron")
    stretched = vertices @ (np.diag([1.0, 0.6, 2.0]) @ turn(4)) + [0.1, 0.2, 0.3]
    mesh = trimesh.Trimesh(stretched, faces, process=False)
    found = mass_properties(stretched, faces)
    assert_close(found.volume, mesh.volume, rtol=1e-13)
    assert_close(found.centroid, mesh.center_mass, rtol=1e-13)
    assert_close(found.inertia_per_density, mesh.moment_inertia, rtol=1e-12)


def test_principal_axes_undo_a_rotation():
    dcm = turn(9)
    moments, dcm_PB = principal_axes(dcm @ BOX_INERTIA @ dcm.T)
    assert_close(moments, [2.5, 5.0, 6.5], rtol=1e-14)
    assert_close(dcm_PB @ dcm @ BOX_INERTIA @ dcm.T @ dcm_PB.T, np.diag(moments), rtol=1e-14)
    assert_close(np.linalg.det(dcm_PB), 1.0, rtol=1e-14)
    assert all(axis[np.argmax(np.abs(axis))] > 0.0 for axis in dcm_PB[:2])


@pytest.mark.parametrize("scale", [1e-3, 1e6])
def test_sphericity_of_cube_and_tetrahedron_are_the_known_ones(scale):
    for name, cube in (("cube", np.pi / 6.0), ("tetrahedron", np.pi / (6.0 * np.sqrt(3.0)))):
        vertices, faces = platonic_solid(name)
        assert_close(sphericity(vertices * scale + scale, faces), np.cbrt(cube), rtol=1e-14)


def test_check_has_teeth():
    vertices, faces = box_solid(SIZE * [1.0, 1.01, 1.0])
    with pytest.raises(AssertionError):
        assert_close(mass_properties(vertices, faces).volume, 6.0, rtol=1e-14)
