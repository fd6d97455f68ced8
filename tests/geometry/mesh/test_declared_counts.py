"""Files that lie: counts, sizes and bytes that do not fit are refused at once, in every format."""

from __future__ import annotations

import struct
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from haptos.core.errors import GeometryError
from haptos.geometry.mesh.mesh_files import FORMATS, read_mesh
from haptos.geometry.mesh.polyhedra import box_solid
from tests.geometry.mesh.test_icq_files import ball_rows, icq_text
from tests.geometry.mesh.test_mesh_files import obj_text, ply_text, stl_bytes
from tests.geometry.mesh.test_plate_tables import table_text

VERTICES, FACES = box_solid((1.0, 2.0, 4.0))
BILLION = 10**9
LONGEST = 1.0  # [s], a refusal takes some milliseconds; the machine may be busy
MOST_MEMORY = 20_000_000  # [byte]


def binary_ply(vertices=VERTICES, faces=FACES, vertex_count=None, face_count=None, order="<"):
    kind = "little" if order == "<" else "big"
    head = (
        f"ply\nformat binary_{kind}_endian 1.0\nelement vertex {vertex_count or len(vertices)}\n"
        "property double x\nproperty double y\nproperty double z\n"
        f"element face {face_count or len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = [struct.pack(f"{order}3d", *v) for v in vertices]
    rows += [struct.pack(f"{order}B3i", 3, *f) for f in faces]
    return head.encode() + b"".join(rows)


def text_stl():
    lines = ["solid box"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x} {y} {z}" for x, y, z in VERTICES[face]]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid box", ""])


def as_bytes(content):
    return content if isinstance(content, bytes) else content.encode()


SOUND = {
    "text.obj": as_bytes(obj_text()),
    "binary.stl": stl_bytes(),
    "text.stl": as_bytes(text_stl()),
    "text.ply": as_bytes(ply_text()),
    "little.ply": binary_ply(),
    "big.ply": binary_ply(order=">"),
    "both.tab": as_bytes(table_text()),
    "each.tab": as_bytes(table_text("each", numbered=False)),
    "cube.icq": as_bytes(icq_text(ball_rows(2), 2)),
}
LIES = {
    "stl count": ("a.stl", stl_bytes()[:80] + struct.pack("<I", BILLION) + stl_bytes()[84:]),
    "stl count of nothing": ("a.stl", stl_bytes()[:80] + struct.pack("<I", 2**32 - 1)),
    "stl shorter than its head": ("a.stl", bytes(83)),
    "stl one more": ("a.stl", stl_bytes()[:80] + struct.pack("<I", 13) + stl_bytes()[84:]),
    "stl called solid": ("a.stl", b"solid".ljust(80) + struct.pack("<I", BILLION) + bytes(700)),
    "ply vertices": ("a.ply", binary_ply(vertex_count=BILLION)),
    "ply faces": ("a.ply", binary_ply(face_count=BILLION)),
    "ply text vertices": ("a.ply", ply_text().replace("vertex 8", f"vertex {BILLION}", 1)),
    "ply text faces": ("a.ply", ply_text().replace("face 12", f"face {BILLION}", 1)),
    "ply huge": ("a.ply", ply_text().replace("face 12", f"face {10**40}", 1)),
    "ply negative": ("a.ply", ply_text().replace("face 12", "face -12", 1)),
    "ply without end": ("a.ply", ply_text().replace("end_header", "end_head", 1)),
    "ply list of nothing": ("a.ply", binary_ply().replace(b" uchar int vertex_indices", b"", 1)),
    "ply some more": ("a.ply", binary_ply(face_count=13)),
    "tab": ("a.tab", table_text().replace(" 42  80", f" 42 {BILLION}", 1)),
    "icq": ("a.icq", icq_text(ball_rows(2), 2).replace("2", str(BILLION), 1)),
    "icq in its size": ("a.icq", icq_text(ball_rows(2), 2).replace("2", "3", 1)),
}


@pytest.fixture(scope="module", autouse=True)
def readers_are_loaded(tmp_path_factory):
    """What is imported on first use is no part of the time of a refusal."""
    for name, content in SOUND.items():
        file = tmp_path_factory.mktemp("sound") / name
        file.write_bytes(content)
        read_mesh(file)


@pytest.mark.parametrize("lie", LIES)
def test_declared_counts_are_checked_before_memory_is_taken(tmp_path, lie):
    name, content = LIES[lie]
    file = tmp_path / name
    file.write_bytes(as_bytes(content))
    tracemalloc.start()
    begin = time.perf_counter()
    try:
        with pytest.raises(GeometryError) as caught:
            read_mesh(file)
        assert time.perf_counter() - begin < LONGEST
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert name in caught.value.where
    assert caught.value.hint


@pytest.mark.parametrize("name", SOUND)
def test_sound_files_are_read(tmp_path, name):
    file = tmp_path / name
    file.write_bytes(SOUND[name])
    vertices, faces = read_mesh(file)
    assert len(faces) == 2 * len(vertices) - 4


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("content", [b"\0", b"\n", b"\xff\xfe", b"solid\n", b"ply\n", b"1", b"v"])
def test_next_to_nothing_is_refused(tmp_path, ending, content):
    file = tmp_path / f"little{ending}"
    file.write_bytes(content)
    with pytest.raises(GeometryError):
        read_mesh(file)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    name=st.sampled_from(sorted(SOUND)),
    cut=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    filling=st.binary(max_size=12)
    | st.sampled_from([b" ", b"\n", b"-", b"999999999", b"nan", b"/"]),
    at=st.floats(0, 1),
)
def test_random_damage_gives_a_refusal_or_a_mesh(tmp_path, name, cut, filling, at):
    """Bytes cut out at one place and put in at another: never another error, never a wild mesh."""
    content = SOUND[name]
    begin, end = sorted(int(share * len(content)) for share in cut)
    if end - begin > 40 and at < 0.7:
        end = begin + 3  # mostly little damage, which is harder to see
    damaged = content[:begin] + content[end:]
    place = int(at * len(damaged))
    file = tmp_path / name
    file.write_bytes(damaged[:place] + filling + damaged[place:])
    try:
        vertices, faces = read_mesh(file)
    except GeometryError:
        return
    assert vertices.shape == (len(vertices), 3)
    assert faces.shape == (len(faces), 3)
    assert np.all(np.isfinite(vertices))
    assert len(faces) > 0
    assert 0 <= faces.min() <= faces.max() < len(vertices)
