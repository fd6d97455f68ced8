"""Targets of a net's scenario: boxes and meshes of the same body are the same target."""

from __future__ import annotations

import math

import numpy as np
import pytest

from haptos.core.errors import ConfigError
from haptos.core.rotations import rotation_matrices
from haptos.geometry.mesh.polyhedra import box_solid
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.world import target_of
from tests.close import assert_close

SIZE, MASS = (0.5, 0.7, 0.9), 83.0
RATE = (1.0, -5.0, 2.0)  # [deg/s], axes of the file


def config_of(target):
    given = {
        "schema": 1, "scenario": "net", "run": {"duration_s": 1.0},
        "target": {"distance_m": 3.0, "rate_deg_per_s": list(RATE), **target},
    }  # fmt: skip
    return Config.model_validate(given)


def box_target():
    return target_of(config_of({"boxes": [{"size_m": list(SIZE), "mass_kg": MASS}]}))


def mesh_target(path, turn=None):
    vertices, faces = box_solid(SIZE)
    vertices = vertices if turn is None else vertices @ turn.T
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in (vertices + 0.25).tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target_of(config_of({"file": str(path), "mass_kg": MASS}))


def in_space(body, vertices):
    """Corners [m] in N, and angular momentum [N m s] in N."""
    dcm = rotation_matrices(np.asarray(body.attitude))
    spin = dcm @ (np.asarray(body.moments) * np.asarray(body.rate))
    return body.place + vertices @ dcm.T, spin


def test_a_box_has_its_mass_and_moments():
    body, _, _ = box_target()
    x, y, z = (side * side for side in SIZE)
    expected = MASS / 12.0 * np.array([y + z, x + z, x + y])
    assert_close(np.sort(body.moments), np.sort(expected), rtol=1e-12)
    assert body.mass == MASS


@pytest.mark.parametrize("angle", [0.0, 0.6])
def test_a_mesh_of_a_box_is_the_same_target_as_the_box(tmp_path, angle):
    """Its place in the file does not count; turned in the file, it is turned in space."""
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    body, vertices, _ = mesh_target(tmp_path / "box.obj", turn)
    assert_close(np.sort(body.moments), np.sort(box_target()[0].moments), rtol=1e-9)
    corners, spin = in_space(body, vertices)
    expected = np.array([3.0, 0.0, 0.0]) + box_solid(SIZE)[0] @ turn.T
    assert_close(corners, expected, rtol=1e-9)
    inertia = turn @ np.diag(cuboid_inertia()) @ turn.T
    assert_close(spin, inertia @ np.radians(RATE), rtol=1e-9)


def cuboid_inertia():
    x, y, z = (side * side for side in SIZE)
    return MASS / 12.0 * np.array([y + z, x + z, x + y])


def test_without_a_target_there_is_none():
    assert target_of(Config.model_validate({"scenario": "net", "run": {"duration_s": 1.0}})) is None


def test_a_mesh_in_the_wrong_unit_is_refused_by_its_density(tmp_path):
    path = tmp_path / "box.obj"
    mesh_target(path)
    with pytest.raises(ConfigError, match=r"kg/m\^3"):
        target_of(config_of({"file": str(path), "mass_kg": MASS, "unit": "mm"}))
