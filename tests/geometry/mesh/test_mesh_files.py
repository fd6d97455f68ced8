"""Mesh files: three formats give one solid; what is not a solid is refused, with the reason."""

from __future__ import annotations

import os
import struct

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mesh_files import LARGEST_FILE, read_mesh
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.geometry.mesh.probe_shapes import from_mesh
from tests.close import assert_close

VERTICES, FACES = box_solid((1.0, 2.0, 4.0))


def obj_text(vertices=VERTICES, faces=FACES):
    lines = ["# a box", "mtllib none.mtl", *(f"v {x} {y} {z}" for x, y, z in vertices)]
    return "\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces)]) + "\n"


def stl_bytes(vertices=VERTICES, faces=FACES):
    packed = [struct.pack("<12fH", 0, 0, 0, *np.ravel(vertices[f]), 0) for f in faces]
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(packed)


def ply_text(vertices=VERTICES, faces=FACES):
    head = [
        "ply", "format ascii 1.0", f"element vertex {len(vertices)}",
        "property double x", "property double y", "property double z",
        f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header",
    ]  # fmt: skip
    rows = [" ".join(map(str, v)) for v in vertices] + [f"3 {a} {b} {c}" for a, b, c in faces]
    return "\n".join(head + rows) + "\n"


def written(folder, name, content):
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def refusal(folder, name, content):
    with pytest.raises(GeometryError) as caught:
        from_mesh(written(folder, name, content), "m")
    assert name in caught.value.where
    return caught.value.found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("box.obj", obj_text()),
        ("box.stl", stl_bytes()),
        ("box.ply", ply_text()),
        ("BOX.STL", stl_bytes()),
    ],
)
def test_every_format_gives_the_same_box(tmp_path, name, content):
    shape = from_mesh(written(tmp_path, name, content), "mm")
    assert (len(shape.vertices), len(shape.faces)) == (8, 12)
    assert_close(shape.volume, 8.0e-9, rtol=1e-14)
    assert_close(shape.inertia_per_mass, np.diag([20.0, 17.0, 5.0]) / 12.0 * 1e-6, rtol=1e-14)


def test_vertices_keep_the_order_of_the_file_when_none_is_repeated(tmp_path):
    vertices, faces = read_mesh(written(tmp_path, "box.obj", obj_text()))
    assert vertices.tolist() == VERTICES.tolist()
    assert faces.tolist() == FACES.tolist()


def test_polygons_textures_and_backward_indices_of_obj_are_understood(tmp_path):
    base = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\n"
    text = (
        base + "f 4/1/1 3/2/1 2/3/1 1/4/1\nf -5 -4 -1\nf 2//1 3//1 5//1\nf 3 4 5 # tip\nf 4 1 5\n"
    )
    shape = from_mesh(written(tmp_path, "pyramid.obj", text), "m")
    assert_close(shape.volume, 1.0 / 3.0, rtol=1e-14)


def test_missing_directory_unknown_type_empty_and_huge_files_are_refused(tmp_path):
    with pytest.raises(GeometryError, match="no such file"):
        from_mesh(tmp_path / "nothing.obj", "m")
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(GeometryError, match="a directory"):
        from_mesh(tmp_path / "folder.obj", "m")
    assert refusal(tmp_path, "box.step", "x") == "file type '.step'"
    assert refusal(tmp_path, "empty.obj", "") == "an empty file"
    huge = written(tmp_path, "huge.stl", "")
    os.truncate(huge, LARGEST_FILE + 1)
    with pytest.raises(GeometryError, match="500 MB"):
        from_mesh(huge, "m")


@pytest.mark.parametrize("name", ["junk.obj", "junk.stl", "junk.ply"])
def test_junk_is_refused(tmp_path, name):
    junk = bytes(np.random.default_rng(6).integers(0, 256, 3000, dtype=np.uint8))
    found = refusal(tmp_path, name, junk)
    assert any(word in found for word in ("not text", "declared facets", "no PLY header"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.stl", stl_bytes()[:-30]),
        ("cut.ply", ply_text()[:-40]),
        ("cut.obj", obj_text()[:-4]),
        ("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"),
    ],
)
def test_truncated_files_are_refused(tmp_path, name, content):
    assert refusal(tmp_path, name, content)


@pytest.mark.parametrize("line", ["f 0 1 2", "f -99 1 2", "f 1 2", "f a b c", "v 1 2", "v 1 x 2"])
def test_lines_of_obj_that_make_no_sense_are_named(tmp_path, line):
    file = written(tmp_path, "bad.obj", obj_text() + line + "\n")
    with pytest.raises(GeometryError, match="line 23") as caught:
        read_mesh(file)
    assert line in caught.value.found


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("range.obj", obj_text() + "f 1 2 99\n"),
        ("range.ply", ply_text(faces=[*FACES[:-1], (0, 1, 99)])),
        ("range.ply", ply_text(faces=[*FACES[:-1], (0, 1, -1)])),
    ],
)
def test_faces_of_vertices_that_do_not_exist_are_refused(tmp_path, name, content):
    assert "names a vertex" in refusal(tmp_path, name, content)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_vertices_that_are_not_finite_are_refused(tmp_path, value):
    spoiled = VERTICES.copy()
    spoiled[3, 1] = value
    for name, content in (
        ("nan.obj", obj_text(spoiled)),
        ("nan.stl", stl_bytes(spoiled)),
        ("nan.ply", ply_text(spoiled)),
    ):
        assert "not finite" in refusal(tmp_path, name, content)


def test_open_mesh_is_refused(tmp_path):
    assert "3 edges with a face on one side" in refusal(
        tmp_path, "open.obj", obj_text(faces=FACES[1:])
    )


def test_vertices_that_almost_meet_are_not_joined(tmp_path):
    apart = np.concatenate([VERTICES, VERTICES[FACES[0]] * (1.0 + 1e-9)])
    faces = np.concatenate([[[8, 9, 10]], FACES[1:]])
    assert "open mesh" in refusal(tmp_path, "apart.obj", obj_text(apart, faces))


def test_inconsistent_winding_is_refused(tmp_path):
    faces = np.concatenate([FACES[:1, ::-1], FACES[1:]])
    assert "opposite senses at 3 edges" in refusal(tmp_path, "wound.obj", obj_text(faces=faces))


def test_inside_out_mesh_is_refused(tmp_path):
    assert "inside out" in refusal(tmp_path, "inverted.stl", stl_bytes(faces=FACES[:, ::-1]))


def test_edges_with_more_than_two_faces_are_refused(tmp_path):
    faces = np.concatenate([FACES, FACES[:1], FACES[:1, ::-1]])
    assert "more than two faces" in refusal(tmp_path, "fin.obj", obj_text(faces=faces))


def test_flat_mesh_is_refused(tmp_path):
    flat = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    faces = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
    assert "without volume" in refusal(tmp_path, "flat.obj", obj_text(flat, faces))


def test_faces_without_area_are_refused(tmp_path):
    faces = np.concatenate([FACES, [[0, 1, 1]]])
    assert "without area" in refusal(tmp_path, "sliver.obj", obj_text(faces=faces))


def test_unused_vertices_and_several_pieces_are_refused(tmp_path):
    spare = np.concatenate([VERTICES, [[9.0, 9.0, 9.0]]])
    assert "1 vertices in no face" in refusal(tmp_path, "spare.obj", obj_text(spare))
    both = np.concatenate([VERTICES, VERTICES + 10.0])
    faces = np.concatenate([FACES, FACES + 8])
    assert "2 separate pieces" in refusal(tmp_path, "two.obj", obj_text(both, faces))
