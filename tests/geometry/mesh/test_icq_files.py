"""ICQ files: a cube of grids becomes one closed surface, seams joined by place."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.icq_files import seam_copies
from haptos.geometry.mesh.mass_properties import signed_volume
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.mesh_files import read_mesh
from tests.close import assert_close


def side(i, j, f, q):
    """Place on the cube -1..1 of v(i, j, f), worked out from the unfolded cube, sides 1 to 6."""
    s, t = 2.0 * i / q - 1.0, 2.0 * j / q - 1.0
    return {
        1: (s, -t, 1.0),
        2: (s, -1.0, -t),
        3: (-1.0, -s, -t),
        4: (-s, 1.0, -t),
        5: (1.0, s, -t),
        6: (s, t, -1.0),
    }[f]


def ball_rows(q):
    grid = [
        side(i, j, f, q) for f in range(1, 7) for j in range(q + 1) for i in range(q + 1)
    ]  # i fastest
    return np.array(grid) / np.linalg.norm(grid, axis=1, keepdims=True)


def icq_text(rows, q):
    return f"        {q}\n" + "".join(f"  {x:.6f}  {y:.6f}  {z:.6f}\n" for x, y, z in rows)


def written(folder, text):
    file = folder / "ball.icq"
    file.write_text(text, encoding="utf-8")
    return file


def refusal(folder, text):
    with pytest.raises(GeometryError) as caught:
        read_mesh(written(folder, text))
    return str(caught.value)


@pytest.mark.parametrize("q", [1, 2, 5, 16])
def test_the_cube_closes_outward_with_the_numbers_of_the_format(tmp_path, q):
    vertices, faces = read_mesh(written(tmp_path, icq_text(ball_rows(q), q)))
    require_solid("ball", vertices, faces)
    assert (len(vertices), len(faces)) == (6 * q * q + 2, 12 * q * q)


def test_volume_tends_to_that_of_the_ball_with_second_order(tmp_path):
    lack = []
    for q in (8, 16, 32):
        volume = signed_volume(*read_mesh(written(tmp_path, icq_text(ball_rows(q), q))))
        lack.append(4.0 / 3.0 * np.pi - volume)
    assert_close(np.log2(np.divide(lack[:-1], lack[1:])), [2.0, 2.0], rtol=0.03)


def test_seams_are_those_the_format_lists():
    q = 5
    same = seam_copies(q).reshape(6, q + 1, q + 1)

    def v(i, j, f):
        return same[f - 1, j, i]

    for i in range(q + 1):
        seams = [
            (v(i, q, 6), v(q - i, q, 4)), (v(i, 0, 6), v(i, q, 2)), (v(i, 0, 5), v(q, q - i, 1)),
            (v(i, 0, 4), v(q - i, 0, 1)), (v(i, 0, 3), v(0, i, 1)), (v(i, 0, 2), v(i, q, 1)),
            (v(q, i, 6), v(i, q, 5)), (v(q, i, 5), v(0, i, 4)), (v(q, i, 4), v(0, i, 3)),
            (v(q, i, 3), v(0, i, 2)), (v(0, i, 6), v(q - i, q, 3)), (v(0, i, 5), v(q, i, 2)),
        ]  # fmt: skip
        assert all(one == two for one, two in seams)
    assert len(np.unique(same)) == 6 * q * q + 2


def test_seams_that_differ_by_rounding_close_and_by_more_are_refused(tmp_path):
    q = 8
    rows = ball_rows(q)
    noise = np.random.default_rng(2).uniform(-1e-3, 1e-3, rows.shape)
    require_solid("ball", *read_mesh(written(tmp_path, icq_text(rows + noise, q))))
    rows[-1] += 0.2
    assert "1 seam vertices away" in refusal(tmp_path, icq_text(rows, q))


def test_files_that_do_not_add_up_are_refused(tmp_path):
    rows, q = ball_rows(4), 4
    inside = np.arange(len(rows))[:, None] == 12
    text = icq_text(rows, q)
    assert "150, as it declares" in refusal(tmp_path, icq_text(rows[:-1], q))
    assert "end of the file after" in refusal(tmp_path, text + "0 0 1\n")
    assert "end of the file after" in refusal(tmp_path, text.replace("4", "3", 1))
    assert "216, as it declares" in refusal(tmp_path, text.replace("4", "5", 1))
    assert "grid size q 1000000000 in a file" in refusal(
        tmp_path, text.replace("4", "1000000000", 1)
    )
    assert "grid size q 0" in refusal(tmp_path, text.replace("4", "0", 1))
    assert "whole number" in refusal(tmp_path, text.replace("4", "-4", 1))
    assert "one whole number" in refusal(tmp_path, text.replace("4", "4 4", 1))
    assert "not finite" in refusal(tmp_path, icq_text(np.where(inside, np.nan, rows), q))
    assert "line 3" in refusal(tmp_path, text.replace("\n", "\n\nx ", 1))
    for length in range(1, len(text) - 12, 211):
        assert refusal(tmp_path, text[:length])
