"""The mesh of a [surface] table: built in, or read as a run reads it."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import HaptosError
from haptos.geometry.distance.surface_tables import mesh_of_table
from haptos.geometry.mesh.icosphere import icosphere
from haptos.geometry.mesh.procedural_bodies import procedural_body
from tests.close import assert_close


def test_a_built_in_body_has_no_more_facets_than_the_table_or_the_caller_asks_for():
    table = {"shape": "body", "body": "bilobe", "relief_seed": 3}
    assert np.array_equal(mesh_of_table(table, 3)[0], procedural_body("bilobe", 3, 3)[0])
    assert len(mesh_of_table({**table, "level": 2}, 4)[1]) == 20 * 4**2


def test_a_file_is_read_in_its_unit_and_about_its_centre_of_mass(tmp_path):
    vertices, faces = icosphere(1)
    lines = [f"v {x + 1.0!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()]
    file = tmp_path / "ball.obj"
    file.write_text("\n".join(lines) + "\n")
    table = {"shape": "mesh", "file": str(file), "unit": "km"}
    found, _ = mesh_of_table(table, 4)
    assert_close(np.linalg.norm(found, axis=1), np.full(len(vertices), 1000.0), rtol=1e-12)
    left, _ = mesh_of_table({**table, "recentre": False}, 4)
    assert_close(left[:, 0].mean(), 1000.0, rtol=1e-12)


def test_a_file_that_is_gone_is_told():
    with pytest.raises(HaptosError, match="nowhere"):
        mesh_of_table({"shape": "mesh", "file": "/nowhere.obj", "unit": "m"}, 4)
