"""Plate tables: every layout gives the same mesh; what does not add up is refused."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh import text_lines
from haptos.geometry.mesh.mesh_checks import require_solid
from haptos.geometry.mesh.mesh_files import read_mesh
from tests.geometry.closed_meshes import ball

VERTICES, FACES = ball(1)
N, M = len(VERTICES), len(FACES)


def rows(table, numbered):
    return [
        (f"{k} " if numbered else "") + " ".join(map(repr, row))
        for k, row in enumerate(table.tolist(), 1)
    ]


def table_text(head="both", numbered=True, vertices=VERTICES, faces=FACES):
    points, plates = rows(np.asarray(vertices), numbered), rows(np.asarray(faces) + 1, numbered)
    n, m = len(vertices), len(faces)
    if head == "both":
        return "\n".join([f" {n}  {m}", *points, *plates]) + "\n"
    if head == "two lines":
        return "\n".join([str(n), str(m), *points, *plates]) + "\n"
    return "\n".join([str(n), *points, "", str(m), *plates, ""])


def written(folder, text, name="body.tab"):
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def refusal(folder, text):
    with pytest.raises(GeometryError) as caught:
        read_mesh(written(folder, text))
    return str(caught.value)


@pytest.mark.parametrize("head", ["both", "two lines", "each before its own"])
@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("block", [1 << 22, 200])
def test_every_layout_gives_the_mesh_to_the_last_bit(tmp_path, monkeypatch, head, numbered, block):
    monkeypatch.setattr(text_lines, "BLOCK", block)
    vertices, faces = read_mesh(written(tmp_path, table_text(head, numbered)))
    assert np.array_equal(vertices, VERTICES)
    assert np.array_equal(faces, FACES)
    require_solid("table", vertices, faces)


def test_tables_with_letters_and_fortran_exponents_are_understood(tmp_path):
    letters = [f"v {x} {y} {z}" for x, y, z in VERTICES.tolist()]
    letters += [f"f {a} {b} {c}" for a, b, c in (FACES + 1).tolist()]
    assert np.array_equal(read_mesh(written(tmp_path, "\n".join(letters)))[1], FACES)
    fortran = table_text(vertices=VERTICES * 0 + [[1.5, 2.0, -30.0]]).replace("30.0", "3.0D+01")
    assert read_mesh(written(tmp_path, fortran))[0].tolist() == [[1.5, 2.0, -30.0]]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (f" {N}  {M}", f" {N + 1}  {M}", "row 43 of the vertices with the number 1"),
        (f" {N}  {M}", f" {N}  {M + 1}", f"{M} lines for facets before the file ends"),
        (f" {N}  {M}", f" {N}  {M - 1}", "the end of the file after as many rows"),
        (f" {N}  {M}", f" {N} 1000000000", "in a file of"),
        (f" {N}  {M}", " 1000000000 80", "in a file of"),
        (f" {N}  {M}", f" {10**30} 80", "in a file of"),
        (f" {N}  {M}", " 0 80", "number of vertices 0"),
        (f" {N}  {M}", " 42.0 80", "a whole number above zero"),
        (f" {N}  {M}", " 42 -80", "a whole number above zero"),
        (f" {N}  {M}", " 42 80 120", "line 1"),
        ("\n3 ", "\n4 ", "row 3 of the vertices with the number 4"),
        ("\n3 ", "\n3 7 ", "line 4: found"),
        ("\n3 ", "\n3x ", "line 4: found"),
    ],
)
def test_tables_that_do_not_add_up_are_refused(tmp_path, old, new, said):
    text = table_text()
    assert old in text
    assert said in refusal(tmp_path, text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("corner", "said"),
    [("0", "counted from 1"), ("-3", "counted from 1"), ("99", "names a vertex"), ("1.5", "whole")],
)
def test_corners_that_do_not_exist_are_refused(tmp_path, corner, said):
    text = table_text(numbered=False)
    cut = text.rstrip().rsplit(" ", 1)[0]
    assert said in refusal(tmp_path, f"{cut} {corner}\n")


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity"])
def test_vertices_that_are_not_finite_are_refused(tmp_path, value):
    text = table_text(numbered=False).split("\n")
    text[5] = f"0 {value} 1"
    assert "1 such, the first is vertex 4" in refusal(tmp_path, "\n".join(text))


def test_empty_truncated_and_binary_tables_are_refused(tmp_path):
    assert "empty" in refusal(tmp_path, "")
    assert "end of the file" in refusal(tmp_path, f"{N} {M}\n" + " " * 10_000)
    assert "end of the file" in refusal(tmp_path, "\n\n")
    text = table_text()
    for length in range(1, len(text) - 4, 97):
        assert refusal(tmp_path, text[:length])
    file = tmp_path / "junk.tab"
    file.write_bytes(np.random.default_rng(1).bytes(4000))
    with pytest.raises(GeometryError, match="not text"):
        read_mesh(file)
