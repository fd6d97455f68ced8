"""Gravity tables on disk: the same bits again, and never a damaged or a wrong one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haptos.environment import gravity_table_files
from haptos.environment.gravity_polyhedron import PolyhedronField
from haptos.environment.gravity_table import table_gravity
from haptos.environment.gravity_table_build import gravity_table
from haptos.environment.gravity_table_files import cached_gravity_table, table_key
from haptos.geometry.mesh.polyhedra import platonic_solid

VERTICES, FACES = platonic_solid("icosahedron")
BODY = PolyhedronField(100.0 * VERTICES, FACES, 1900.0)
SPACING = 60.0  # [m], coarse: a table of a thousand nodes


def same(a, b):
    numbers = [name for name in a._fields if name not in ("coefficients", "far")]
    return all(getattr(a, name) == getattr(b, name) for name in numbers) and all(
        getattr(a, name).tobytes() == getattr(b, name).tobytes() for name in ("coefficients", "far")
    )


@pytest.fixture
def fills(monkeypatch):
    """Counts how often a table is filled."""
    calls = []

    def counted(*arguments, **options):
        calls.append(arguments)
        return gravity_table(*arguments, **options)

    monkeypatch.setattr(gravity_table_files, "gravity_table", counted)
    return calls


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_the_second_call_reads_what_the_first_filled(tmp_path, fills):
    reported = []
    first = cached_gravity_table(BODY, SPACING, folder=tmp_path)
    second = cached_gravity_table(BODY, SPACING, folder=tmp_path, progress=reported.append)
    assert len(fills) == 1
    assert same(first, second)
    assert same(first, gravity_table(BODY, SPACING))
    assert reported == [1.0]
    x = (130.0, 20.0, -40.0)
    assert table_gravity(first, x) == table_gravity(second, x)
    for array in (second.coefficients, second.far):
        assert not array.flags.writeable


@pytest.mark.parametrize("place", [3, 40, 0.3, 0.7, -1])
def test_a_flipped_bit_has_the_table_filled_again(tmp_path, fills, place):
    table = cached_gravity_table(BODY, SPACING, folder=tmp_path)
    file = only_file(tmp_path)
    content = bytearray(file.read_bytes())
    content[int(place * len(content)) if isinstance(place, float) else place] ^= 2
    file.write_bytes(content)
    assert same(cached_gravity_table(BODY, SPACING, folder=tmp_path), table)
    assert len(fills) == 2
    assert same(cached_gravity_table(BODY, SPACING, folder=tmp_path), table)
    assert len(fills) == 2  # the entry is sound again


def test_the_key_changes_with_everything_that_changes_the_table(monkeypatch):
    keys = [
        table_key(BODY, SPACING),
        table_key(BODY, SPACING, 30.0),
        table_key(BODY, np.nextafter(SPACING, 100.0)),
        table_key(PolyhedronField(100.0 * VERTICES, FACES, 1901.0), SPACING),
        table_key(PolyhedronField(100.0000001 * VERTICES, FACES, 1900.0), SPACING),
        table_key(PolyhedronField(100.0 * VERTICES, FACES[::-1], 1900.0), SPACING),
    ]
    monkeypatch.setattr(gravity_table_files, "MAGIC", b"haptos gravity table 0\n")
    keys.append(table_key(BODY, SPACING))
    assert len(set(keys)) == len(keys)
    monkeypatch.undo()
    assert table_key(BODY, SPACING) == keys[0]


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path, fills):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert same(cached_gravity_table(BODY, SPACING, folder=blocked), gravity_table(BODY, SPACING))
    assert len(fills) == 1
