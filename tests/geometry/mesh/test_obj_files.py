"""OBJ files: the fast way gives the bits of the strict one, and faults are named by line."""

from __future__ import annotations

import numpy as np
import pytest

from haptos.core.errors import GeometryError
from haptos.geometry.mesh import obj_files, text_lines
from haptos.geometry.mesh.obj_files import read_obj
from tests.geometry.closed_meshes import ball

VERTICES, FACES = ball(2)
VERTICES = VERTICES * np.array([1.0 / 3.0, 1e-7, 12345.678])


def lines(corner="{}", end="\n"):
    points = [f"v {x!r} {y!r} {z!r}" for x, y, z in VERTICES.tolist()]
    return end.join([*points, *("f " + " ".join(corner.format(i + 1) for i in f) for f in FACES)])


def written(folder, text):
    file = folder / "ball.obj"
    file.write_bytes(text.encode())
    return file


def fail_if_called(*_):
    raise AssertionError("the strict way was taken")


def never(_):
    return None


@pytest.mark.parametrize("corner", ["{}", "{0}/{0}", "{0}//{0}", "{0}/7/{0}", "+{}"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("block", [1 << 22, 1000])
def test_plain_files_are_read_at_once_and_to_the_last_bit(
    tmp_path, monkeypatch, corner, end, block
):
    monkeypatch.setattr(obj_files, "_any_block", fail_if_called)
    monkeypatch.setattr(text_lines, "BLOCK", block)
    vertices, faces = read_obj(written(tmp_path, "# head\n" + lines(corner, end) + end))
    assert np.array_equal(vertices, VERTICES)
    assert np.array_equal(faces, FACES)


@pytest.mark.parametrize("block", [1 << 22, 300])
def test_strict_reader_gives_the_same_bits(tmp_path, monkeypatch, block):
    monkeypatch.setattr(obj_files, "_plain_block", never)
    monkeypatch.setattr(text_lines, "BLOCK", block)
    vertices, faces = read_obj(written(tmp_path, lines("{0}/{0}")))
    assert np.array_equal(vertices, VERTICES)
    assert np.array_equal(faces, FACES)


ODD = [
    "v 1 2 3 # note", "v 1 2 3#note", "v 1 2 #3", "  v 1 2 3", "\tv 1 2 3", "v\t1\t2\t3", "v 1 2 3 1", "v 1 2 3 .1 .2 .3",
    "v 1-2 3", "v 1 2", "v", "f", "f 1 2 3 4", "f -1 -2 -3", "f 1 2", "f 1.5 2 3", "f 1e0 2 3", "vn 1 2 3", "vt 0 0", "g a",
    "f 1/#2 3 4", "f 1/ 2/ 3/", "f /1 2 3", "f 0 1 2", "v nan 0 0", "v inf 0 0", "v 0x1 0 0", "v 1_0 0 0", "f 1_0 2 3",
    "f 99999999999999999999 1 2", "v 1e999 0 0", "v é 0 0", "v 1 2 3", "usemtl x", "s off", "", "#f 1 2", "v 1,5 2 3", "f 1,2,3",
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
def test_both_ways_agree_on_every_odd_line(tmp_path, monkeypatch, odd):
    file = written(tmp_path, "\n".join(["v 0 0 0", "v 1 0 0", "v 0 1 0", odd, "f 1 2 3", ""]))

    def outcome():
        try:
            vertices, faces = read_obj(file)
        except GeometryError as error:
            return str(error)
        return repr(vertices.tolist()), repr(faces.tolist())

    as_it_is = outcome()
    monkeypatch.setattr(obj_files, "_plain_block", never)
    assert as_it_is == outcome()


def test_the_faulty_line_is_named_in_a_late_block(tmp_path, monkeypatch):
    monkeypatch.setattr(text_lines, "BLOCK", 500)
    count = len(VERTICES) + len(FACES)
    with pytest.raises(GeometryError, match=f"line {count + 1}:"):
        read_obj(written(tmp_path, lines() + "\nf 1 2 x\n"))


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(text_lines, "BLOCK", 1000)
    with pytest.raises(GeometryError, match="line 1 of more than"):
        read_obj(written(tmp_path, "v " + "1" * 5000))
