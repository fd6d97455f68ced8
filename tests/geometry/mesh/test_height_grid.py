"""Closed bodies under grids of heights."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.distance.reference import gaps_of, meshed
from haptos.geometry.mesh.height_grid import height_grid, read_heights


def volume(vertices, faces):
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return np.einsum("fi,fi->", a, np.cross(b, c)) / 6.0


def test_the_body_is_closed_and_has_the_volume_under_the_grid():
    heights = np.random.default_rng(1).uniform(0.0, 0.3, (4, 6))
    vertices, faces = height_grid(heights, 0.5, 0.2)
    corner = [heights[i : i + 3, j : j + 5] for i in (0, 1) for j in (0, 1)]
    low = heights.min() - 0.2
    # cells are cut along the diagonal from the first to the last corner
    mean = (2 * corner[0] + corner[1] + corner[2] + 2 * corner[3]) / 6.0
    np.testing.assert_allclose(volume(vertices, faces), 0.25 * np.sum(mean - low), rtol=1e-12)
    meshed(vertices, faces)  # refuses what is open or faces inward


def test_rows_are_along_y_and_columns_along_x():
    x, y = np.meshgrid([-1.0, 0.0, 1.0], [-0.5, 0.5])
    body = meshed(*height_grid(0.3 * x + 0.1 * y, 1.0, 5.0))
    normal = np.array([-0.3, -0.1, 1.0]) / np.linalg.norm([-0.3, -0.1, 1.0])
    gaps, normals, _ = gaps_of(body, [[0.2, 0.1, 0.07 + 0.01]])
    np.testing.assert_allclose(gaps, 0.01 * normal[2], rtol=1e-9)
    np.testing.assert_allclose(normals[0], normal, atol=1e-12)


@pytest.mark.parametrize("name", ["comma.csv", "space.txt", "grid.npy"])
def test_heights_are_read(tmp_path, name):
    heights = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.5]])
    file = tmp_path / name
    if name.endswith("npy"):
        np.save(file, heights)
    else:
        sign = "," if "comma" in name else " "
        file.write_text("\n".join(sign.join(map(str, row)) for row in heights), encoding="utf-8")
    np.testing.assert_array_equal(read_heights(str(file)), heights)


@pytest.mark.parametrize(
    ("content", "word"), [("1 2\n3", "cannot be read"), ("a b\nc d", "cannot be read"), (None, "no such file")]
)  # fmt: skip
def test_files_without_a_grid_are_refused(tmp_path, content, word):
    file = tmp_path / "grid.txt"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(GeometryError, match=word):
        read_heights(str(file))


@pytest.mark.parametrize(
    ("heights", "spacing", "below", "word"),
    [
        ([[1.0, 2.0]], 1.0, 1.0, "shape"),
        ([[1.0, 2.0], [3.0, float("nan")]], 1.0, 1.0, "not finite"),
        ([[1.0, 2.0], [3.0, 4.0]], 0.0, 1.0, "spacing"),
        ([[1.0, 2.0], [3.0, 4.0]], 1.0, -1.0, "floor"),
    ],
)
def test_grids_that_make_no_body_are_refused(heights, spacing, below, word):
    with pytest.raises(GeometryError, match=word):
        height_grid(heights, spacing, below)
