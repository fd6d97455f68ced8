"""Grids on disk: the same bits again, and never a damaged one."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from haptos.core.array_files import cache_home, prune
from haptos.core.errors import StorageError
from haptos.geometry.distance import grid_files
from haptos.geometry.distance.distance_grid import grid_distance
from haptos.geometry.distance.grid_build import build_grid
from haptos.geometry.distance.grid_files import (
    cached_grid,
    grid_key,
    read_grid,
    write_grid,
)
from tests.geometry.closed_meshes import SHAPES

VERTICES, FACES = SHAPES["box"]()
SPACING = 0.1


def same(a, b):
    return a[:6] == b[:6] and all(
        x.tobytes() == y.tobytes() for x, y in zip(a[6:], b[6:], strict=True)
    )


@pytest.fixture
def builds(monkeypatch):
    """Counts how often a grid is built."""
    calls = []

    def counted(*arguments, **options):
        calls.append(arguments)
        return build_grid(*arguments, **options)

    monkeypatch.setattr(grid_files, "build_grid", counted)
    return calls


def only_file(folder: Path) -> Path:
    (file,) = folder.iterdir()
    return file


def test_a_grid_read_back_is_the_grid_that_was_written(tmp_path):
    grid = build_grid(VERTICES, FACES, SPACING)
    write_grid(tmp_path / "a.grid", grid)
    back = read_grid(tmp_path / "a.grid")
    assert same(grid, back)
    assert [p.name for p in tmp_path.iterdir()] == ["a.grid"]
    for array in (back.table, back.values):
        assert array.flags.aligned
        assert not array.flags.writeable
    assert type(back.counts[0]) is int
    assert grid_distance(back, (0.1, 0.2, 0.9)) == grid_distance(grid, (0.1, 0.2, 0.9))


def test_the_second_call_reads_what_the_first_built(tmp_path, builds):
    reported = []
    first = cached_grid(VERTICES, FACES, SPACING, folder=tmp_path)
    second = cached_grid(VERTICES, FACES, SPACING, folder=tmp_path, progress=reported.append)
    assert len(builds) == 1
    assert same(first, second)
    assert reported == [1.0]


@pytest.mark.parametrize("place", ["magic", "checksum", "head", "table", "values", "end"])
def test_a_flipped_bit_anywhere_has_the_grid_built_again(tmp_path, builds, place):
    grid = cached_grid(VERTICES, FACES, SPACING, folder=tmp_path)
    file = only_file(tmp_path)
    content = bytearray(file.read_bytes())
    where = {
        "magic": 3,
        "checksum": 30,
        "head": 80,
        "table": 400,
        "values": len(content) // 2,
        "end": -1,
    }
    content[where[place]] ^= 4
    file.write_bytes(content)
    with pytest.raises(StorageError):
        read_grid(file)
    assert same(cached_grid(VERTICES, FACES, SPACING, folder=tmp_path), grid)
    assert len(builds) == 2
    assert same(read_grid(only_file(tmp_path)), grid)  # and the entry is sound again


@pytest.mark.parametrize("kept", [0, 10, 60, 0.5, -1])
def test_a_truncated_file_has_the_grid_built_again(tmp_path, builds, kept):
    grid = cached_grid(VERTICES, FACES, SPACING, folder=tmp_path)
    file = only_file(tmp_path)
    content = file.read_bytes()
    file.write_bytes(content[: int(kept * len(content)) if isinstance(kept, float) else kept])
    assert same(cached_grid(VERTICES, FACES, SPACING, folder=tmp_path), grid)
    assert len(builds) == 2


def test_the_key_changes_with_everything_that_changes_the_grid(monkeypatch):
    keys = [
        grid_key(VERTICES, FACES, 0.1),
        grid_key(VERTICES, FACES, 0.1, 0.8),
        grid_key(VERTICES, FACES, np.nextafter(0.1, 1.0)),
        grid_key(VERTICES * (1.0 + 1e-15), FACES, 0.1),
        grid_key(VERTICES, FACES[::-1], 0.1),
    ]
    monkeypatch.setattr(grid_files, "MAGIC", b"haptos distance grid 0\n")
    keys.append(grid_key(VERTICES, FACES, 0.1))
    assert len(set(keys)) == len(keys)
    monkeypatch.undo()
    assert grid_key(VERTICES.tolist(), FACES.tolist(), 0.1) == keys[0]


def test_the_folder_follows_the_same_rules_as_the_kernels(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    monkeypatch.delenv("HAPTOS_CACHE_DIR", raising=False)
    assert cache_home("grids") == tmp_path / "b" / "haptos" / "grids"
    monkeypatch.setenv("HAPTOS_CACHE_DIR", str(tmp_path / "a"))
    assert cache_home("grids") == tmp_path / "a" / "haptos" / "grids"
    monkeypatch.delenv("HAPTOS_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_home("grids") == Path("~/.cache/haptos/grids").expanduser()


def test_the_oldest_grids_go_first_and_the_newest_stays(tmp_path):
    for age, name in enumerate(("new", "middle", "old")):
        file = tmp_path / f"{name}.grid"
        file.write_bytes(bytes(1000))
        os.utime(file, (1e9 - age, 1e9 - age))
    (tmp_path / "other.txt").write_bytes(bytes(5000))
    prune(tmp_path, tmp_path / "new.grid", largest=2500)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["middle.grid", "new.grid", "other.txt"]
    prune(tmp_path, tmp_path / "new.grid", largest=10)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new.grid", "other.txt"]


def test_reading_makes_an_entry_young(tmp_path):
    cached_grid(VERTICES, FACES, SPACING, folder=tmp_path)
    file = only_file(tmp_path)
    os.utime(file, (1e9, 1e9))
    cached_grid(VERTICES, FACES, SPACING, folder=tmp_path)
    assert file.stat().st_mtime > 1.1e9


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path, builds):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    grid = cached_grid(VERTICES, FACES, SPACING, folder=blocked)
    assert same(grid, build_grid(VERTICES, FACES, SPACING))
    assert len(builds) == 1


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    grid = build_grid(VERTICES, FACES, SPACING)

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StorageError):
        write_grid(tmp_path / "a.grid", grid)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(StorageError, match="No such file"):
        read_grid(tmp_path / "none.grid")
