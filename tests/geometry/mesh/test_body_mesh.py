"""Bodies from shape files: metres, centre of mass, principal axes, and the way back to the file."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.body_mesh import load_body_mesh
from haptos.geometry.mesh.mass_properties import mass_properties
from haptos.geometry.mesh.polyhedra import box_solid
from tests.close import assert_close
from tests.geometry.closed_meshes import torus
from tests.geometry.mesh.test_mesh_files import obj_text
from tests.validation.shape_models import FOLDER

SIZE = np.array([3.0, 2.0, 1.0])
SHIFT = np.array([0.3, -0.2, 0.1])
BOX, FACES = box_solid(SIZE)


def turn(angle):
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def written(folder, vertices, faces=FACES, name="body.obj"):
    file = folder / name
    file.write_text(obj_text(np.asarray(vertices).tolist(), faces), encoding="utf-8")
    return file


@pytest.mark.parametrize(("unit", "metres"), [("m", 1.0), ("km", 1e3), ("cm", 1e-2), ("mm", 1e-3)])
def test_units_scale_and_the_offset_is_told(tmp_path, unit, metres):
    body = load_body_mesh(written(tmp_path, BOX + SHIFT), unit)
    assert_close(body.vertices, BOX * metres, rtol=1e-14)
    assert_close(body.offset_m, SHIFT * metres, rtol=1e-14)
    assert_close(body.volume_m3, 6.0 * metres**3, rtol=1e-14)
    length = np.linalg.norm(SHIFT) * metres
    share = 100.0 * np.linalg.norm(SHIFT) / np.cbrt(6.0 * 0.75 / np.pi)
    reported = "\n".join(body.messages)
    assert f"{length:.4g} m or {share:.3g} % of the radius" in reported
    assert "the origin was moved there" in reported
    assert "nF = 2 nV - 4 holds" in reported
    assert body.genus == 0
    assert ("is the unit right?" in reported) == (unit in ("cm", "mm"))


def test_a_missing_or_unknown_unit_is_refused_with_the_list(tmp_path):
    file = written(tmp_path, BOX)
    with pytest.raises(GeometryError, match="no length unit") as caught:
        load_body_mesh(file)
    assert caught.value.allowed == "m, km, cm, mm"
    with pytest.raises(GeometryError, match="length unit 'mile'"):
        load_body_mesh(file, "mile")


def test_origin_stays_where_asked(tmp_path):
    body = load_body_mesh(written(tmp_path, BOX + SHIFT), "m", recentre=False)
    assert_close(body.vertices, BOX + SHIFT, rtol=1e-15)
    assert_close(body.offset_m, SHIFT, rtol=1e-14)
    assert_close(body.in_file_axes(body.vertices), BOX + SHIFT, rtol=1e-15)
    assert "left in its place" in "\n".join(body.messages)


@pytest.mark.parametrize("recentre", [True, False])
@pytest.mark.parametrize("align", [True, False])
def test_positions_go_back_to_the_file_and_forth(tmp_path, recentre, align):
    stored = BOX @ turn(0.4).T + SHIFT
    body = load_body_mesh(written(tmp_path, stored), "km", recentre=recentre, align=align)
    assert_close(body.in_file_axes(body.vertices), 1e3 * stored, rtol=1e-14)
    assert_close(body.in_body_axes(1e3 * stored), body.vertices, rtol=1e-14)
    assert body.in_file_axes([0.0, 0.0, 0.0]).shape == (3,)
    assert_close(np.linalg.det(body.dcm_AF), 1.0, rtol=1e-14)


def test_principal_axes_have_the_largest_moment_along_z(tmp_path):
    stored = BOX @ turn(0.4).T @ turn(0.2)[:, [1, 2, 0]].T + SHIFT
    body = load_body_mesh(written(tmp_path, stored), "m", align=True)
    moments = mass_properties(body.vertices, body.faces).inertia_per_mass
    expected = [
        SIZE[1] ** 2 + SIZE[2] ** 2,
        SIZE[0] ** 2 + SIZE[2] ** 2,
        SIZE[0] ** 2 + SIZE[1] ** 2,
    ]
    assert_close(moments, np.diag(expected) / 12.0, rtol=1e-13)
    assert "principal axes" in "\n".join(body.messages)


def test_repairs_are_made_only_when_asked_and_told(tmp_path):
    faces = np.concatenate([FACES[:1, ::-1], FACES[1:], FACES[4:5]])
    file = written(tmp_path, np.concatenate([BOX, BOX[:2]]), np.where(faces == 0, 8, faces))
    with pytest.raises(GeometryError, match=r"repair = true .*--repair"):
        load_body_mesh(file, "m")
    body = load_body_mesh(file, "m", repair=True)
    assert_close(body.volume_m3, 6.0, rtol=1e-14)
    reported = "\n".join(body.messages)
    assert "joined 2 vertices" in reported
    assert "repair: dropped 1 copies of facets" in reported
    assert "repair: reversed 1 facets" in reported
    with pytest.raises(GeometryError, match="repair cannot do that"):
        load_body_mesh(written(tmp_path, BOX, FACES[1:]), "m", repair=True)


def test_handles_are_allowed_and_told(tmp_path):
    body = load_body_mesh(written(tmp_path, *torus()), "m")
    assert body.genus == 1
    assert "genus 1: a surface with 1 handle" in "\n".join(body.messages)


def test_crossings_are_refused_where_asked(tmp_path):
    vertices, faces = torus(r=0.3)
    vertices = vertices.copy()
    vertices[0] = [-1.6, 0.0, 0.05]
    file = written(tmp_path, vertices, faces)
    assert load_body_mesh(file, "m").genus == 1
    with pytest.raises(GeometryError, match="cut or touch"):
        load_body_mesh(file, "m", self_intersections=True)


def test_a_body_cannot_be_changed(tmp_path):
    body = load_body_mesh(written(tmp_path, BOX), "m")
    with pytest.raises(dataclasses.FrozenInstanceError):
        body.volume_m3 = 1.0
    assert "the file is centred on the centre of mass" in body.messages


# (vertices, facets, volume [m^3]) as listed with the shape models
BODIES = {
    "itokawa": (8112, 16220, 0.01772e9),
    "bennu": (7374, 14744, 0.06155e9),
    "eros": (7374, 14744, 2506.1e9),
    "kw4-alpha": (4586, 9168, 1.195e9),
}


@pytest.mark.parametrize("name", BODIES)
def test_real_bodies_have_their_listed_size_and_come_back_to_their_files(name):
    file = FOLDER / f"{name}.obj"
    if not file.is_file():
        pytest.skip(f"no shape model {name}.obj in ../shared/bodies beside the project")
    body = load_body_mesh(file, "km", align=True)
    vertex_count, facet_count, volume = BODIES[name]
    assert (len(body.vertices), len(body.faces)) == (vertex_count, facet_count)
    assert facet_count == 2 * vertex_count - 4
    assert_close(body.volume_m3, volume, rtol=3e-4)  # four digits are listed
    moments = mass_properties(body.vertices, body.faces)
    size = float(np.ptp(body.vertices, axis=0).max())
    assert_close(moments.centroid, np.zeros(3), rtol=1e-12, scale=size)
    assert np.all(np.diff(np.diag(moments.inertia_per_mass)) > 0.0)
    plain = load_body_mesh(file, "km", recentre=False)
    assert_close(body.in_file_axes(body.vertices), plain.vertices, rtol=1e-14)
