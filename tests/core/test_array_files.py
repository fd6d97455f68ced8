"""Arrays on disk: the same bits again, and never a damaged file."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from haptos.core.array_files import (
    LARGEST_CACHE,
    cache_home,
    mark_used,
    prune,
    read_arrays,
    write_arrays,
)
from haptos.core.errors import StorageError

MAGIC = b"test arrays 1\n"
VALUES = {"spacing": 0.1, "counts": [3, 4], "name": "a"}
ARRAYS = {
    "gaps": np.random.default_rng(1).normal(size=(3, 4, 2)),
    "table": np.arange(12, dtype=np.int32).reshape(3, 4),
    "labels": np.array([1, 2, 255], dtype=np.uint8),  # three bytes: what follows is not aligned
    "empty": np.zeros((0, 3)),
    "last": np.array([np.pi, np.nan, np.inf]),
}


def written(folder: Path) -> Path:
    write_arrays(folder / "a.arrays", MAGIC, VALUES, ARRAYS)
    return folder / "a.arrays"


def test_values_and_arrays_come_back_to_the_bit(tmp_path):
    values, arrays = read_arrays(written(tmp_path), MAGIC)
    assert values == VALUES
    assert list(arrays) == list(ARRAYS)
    for name, expected in ARRAYS.items():
        found = arrays[name]
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert found.tobytes() == expected.tobytes()
        assert found.flags.aligned
    assert [path.name for path in tmp_path.iterdir()] == ["a.arrays"]


def test_floats_in_the_head_keep_all_their_digits(tmp_path):
    number = float(np.nextafter(0.1, 1.0))
    write_arrays(tmp_path / "a", MAGIC, {"x": number}, {})
    assert read_arrays(tmp_path / "a", MAGIC)[0] == {"x": number}


@pytest.mark.parametrize("place", [3, 20, 60, 100, 0.4, 0.8, -1])
def test_a_flipped_bit_anywhere_is_refused(tmp_path, place):
    file = written(tmp_path)
    content = bytearray(file.read_bytes())
    content[int(place * len(content)) if isinstance(place, float) else place] ^= 1
    file.write_bytes(content)
    with pytest.raises(StorageError, match=r"another format|checksum") as caught:
        read_arrays(file, MAGIC)
    assert "delete it" in str(caught.value)


@pytest.mark.parametrize("kept", [0, 5, 30, 100, -1])
def test_a_truncated_file_is_refused(tmp_path, kept):
    file = written(tmp_path)
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(StorageError):
        read_arrays(file, MAGIC)


def test_a_file_of_another_format_is_refused(tmp_path):
    with pytest.raises(StorageError, match="another format"):
        read_arrays(written(tmp_path), b"test arrays 2\n")


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(StorageError, match="No such file"):
        read_arrays(tmp_path / "none", MAGIC)


def test_sizes_that_promise_more_than_there_is_are_refused(tmp_path, monkeypatch):
    """A checksum that fits, around a head that does not."""
    short = {"gaps": ARRAYS["gaps"]}
    monkeypatch.setattr(np, "ascontiguousarray", lambda array: array.reshape(-1)[:-1])
    write_arrays(tmp_path / "a", MAGIC, {}, short)
    monkeypatch.undo()
    with pytest.raises(StorageError, match="sizes that do not fit"):
        read_arrays(tmp_path / "a", MAGIC)


def test_a_failed_write_leaves_nothing_behind(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StorageError):
        written(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_each_kind_has_a_folder_beside_the_kernels(monkeypatch, tmp_path):
    monkeypatch.setenv("HAPTOS_CACHE_DIR", str(tmp_path / "a"))
    assert cache_home("gravity") == tmp_path / "a" / "haptos" / "gravity"
    monkeypatch.delenv("HAPTOS_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert cache_home("grids") == tmp_path / "b" / "haptos" / "grids"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_home("grids") == Path("~/.cache/haptos/grids").expanduser()


def test_entries_not_used_for_longest_go_first(tmp_path):
    for age, name in enumerate(("new.a", "middle.a", "old.a", "old.b")):
        (tmp_path / name).write_bytes(bytes(1000))
        os.utime(tmp_path / name, (1e9 - age, 1e9 - age))
    prune(tmp_path, tmp_path / "new.a", largest=2500)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["middle.a", "new.a", "old.b"]
    mark_used(tmp_path / "middle.a")
    assert (tmp_path / "middle.a").stat().st_mtime > 1.1e9
    prune(tmp_path, tmp_path / "new.a", largest=10)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new.a", "old.b"]  # never the new one


def test_what_cannot_be_marked_or_pruned_costs_nothing(tmp_path):
    mark_used(tmp_path / "none")
    prune(tmp_path / "none", tmp_path / "none" / "x.a")
    assert LARGEST_CACHE > 1e9
