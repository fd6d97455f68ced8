"""Exported meshes, read back by readers that share no code with the writer."""

from __future__ import annotations

import base64
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
import trimesh

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mesh_export import write_ply, write_vtp
from haptos.geometry.mesh.mesh_files import read_mesh
from tests.geometry.closed_meshes import ball

VERTICES, FACES = ball(2, 250.0)
SLOPE = np.linspace(0.0, 40.0, len(FACES))
NORMAL = VERTICES[FACES].mean(axis=1)


def arrays_of(file: Path) -> dict[str, np.ndarray]:
    """Name -> array of a VTP file, by the rules of the format."""
    root = ElementTree.parse(file).getroot()
    assert root.attrib["byte_order"] == "LittleEndian"
    assert root.attrib["header_type"] == "UInt64"
    types = {"Float64": "<f8", "Int64": "<i8"}
    found = {}
    for element in root.iter("DataArray"):
        raw = base64.b64decode(element.text)
        assert int.from_bytes(raw[:8], "little") == len(raw) - 8
        values = np.frombuffer(raw[8:], dtype=types[element.attrib["type"]])
        width = int(element.attrib.get("NumberOfComponents", 1))
        found[element.attrib["Name"]] = values.reshape(-1, width) if width > 1 else values
    return found


def test_vtp_holds_the_mesh_and_its_numbers_to_the_last_bit(tmp_path: Path):
    file = write_vtp(tmp_path / "a.vtp", VERTICES, FACES, {"slope_deg": SLOPE, "normal": NORMAL})
    found = arrays_of(file)
    assert np.array_equal(found["Points"], VERTICES)
    assert np.array_equal(found["connectivity"].reshape(-1, 3), FACES)
    assert np.array_equal(found["offsets"], 3 * np.arange(1, len(FACES) + 1))
    assert np.array_equal(found["slope_deg"], SLOPE)
    assert np.array_equal(found["normal"], NORMAL)
    piece = ElementTree.parse(file).getroot().find("PolyData/Piece")
    assert piece.attrib["NumberOfPoints"] == str(len(VERTICES))
    assert piece.attrib["NumberOfPolys"] == str(len(FACES))


def test_ply_is_read_by_trimesh_with_its_numbers(tmp_path: Path):
    file = write_ply(tmp_path / "a.ply", VERTICES, FACES, {"slope_deg": SLOPE, "radius_m": SLOPE})
    mesh = trimesh.load_mesh(file, process=False)
    assert np.array_equal(mesh.vertices, VERTICES)
    assert np.array_equal(mesh.faces, FACES)
    data = mesh.metadata["_ply_raw"]["face"]["data"]
    assert np.array_equal(np.ravel(data["slope_deg"]), SLOPE.astype(np.float32))
    vertices, faces = read_mesh(file)
    assert np.array_equal(vertices, VERTICES)
    assert np.array_equal(faces, FACES)


@pytest.mark.parametrize("write", [write_vtp, write_ply])
def test_numbers_that_do_not_fit_the_mesh_are_refused_and_nothing_is_written(write, tmp_path):
    file = tmp_path / "a"
    with pytest.raises(GeometryError, match="one value per facet"):
        write(file, VERTICES, FACES, {"slope_deg": SLOPE[1:]})
    with pytest.raises(GeometryError, match="letters, digits"):
        write(file, VERTICES, FACES, {"slope [deg]": SLOPE})
    with pytest.raises(GeometryError, match="does not have"):
        write(file, VERTICES[:-1], FACES)
    with pytest.raises(GeometryError, match="triangles only"):
        write(file, VERTICES[:, :2], FACES)
    assert list(tmp_path.iterdir()) == []


def test_ply_has_no_place_for_vectors(tmp_path: Path):
    with pytest.raises(GeometryError, match="one number each"):
        write_ply(tmp_path / "a.ply", VERTICES, FACES, {"normal": NORMAL})


def test_numbers_of_vertices_read_back(tmp_path: Path):
    height = VERTICES[:, 2]
    file = write_vtp(
        tmp_path / "a.vtp", VERTICES, FACES, {"slope_deg": SLOPE}, {"height_m": height}
    )
    found = arrays_of(file)
    assert np.array_equal(found["height_m"], height)
    assert np.array_equal(found["slope_deg"], SLOPE)
    piece = ElementTree.parse(file).getroot().find("PolyData/Piece/PointData")
    assert [element.attrib["Name"] for element in piece] == ["height_m"]
    ply = write_ply(tmp_path / "a.ply", VERTICES, FACES, vertex_data={"height_m": height})
    vertices, faces = read_mesh(ply)
    assert np.array_equal(vertices, VERTICES)
    assert np.array_equal(faces, FACES)
    with pytest.raises(GeometryError, match="one value per vertex"):
        write_vtp(tmp_path / "b.vtp", VERTICES, FACES, vertex_data={"height_m": height[1:]})
