"""Room on a disk is asked for before the work, and nothing is left behind by asking."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from haptos.core.disk_space import check_room
from haptos.core.errors import StorageError


def test_a_disk_with_room_passes_and_keeps_no_trace(tmp_path: Path) -> None:
    check_room(tmp_path, 1_000_000)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_room_is_refused_with_both_sizes(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        check_room(tmp_path, 10**18)
    assert caught.value.found.endswith("GB of free space")
    assert "1000000000.0 GB" in caught.value.allowed


def test_a_quota_is_noticed_although_the_disk_has_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fallocate(*_: object) -> None:
        raise OSError(errno.EDQUOT, "quota")

    monkeypatch.setattr(os, "posix_fallocate", fallocate)
    with pytest.raises(StorageError, match="quota"):
        check_room(tmp_path, 1000)
    assert list(tmp_path.iterdir()) == []


def test_a_file_system_that_cannot_reserve_is_taken_at_its_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fallocate(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "not supported")

    monkeypatch.setattr(os, "posix_fallocate", fallocate)
    check_room(tmp_path, 1000)


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        check_room(tmp_path / "nowhere", 1000)
