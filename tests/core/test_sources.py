"""The hash of the sources follows every edit, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from haptos.core import sources


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small package that `source_hash` takes for ours."""
    root = tmp_path / "package"
    (root / "core").mkdir(parents=True)
    (root / "core" / "sources.py").write_text("first")
    (root / "law.py").write_text("force = 1")
    monkeypatch.setattr(sources, "__file__", str(root / "core" / "sources.py"))
    yield root
    sources.source_hash.cache_clear()


def fresh_hash() -> str:
    sources.source_hash.cache_clear()
    return sources.source_hash()


def test_the_hash_follows_an_edit_in_any_source_file(package: Path) -> None:
    before = fresh_hash()
    assert fresh_hash() == before
    (package / "law.py").write_text("force = 2")
    edited = fresh_hash()
    (package / "new_law.py").write_text("")
    assert len({before, edited, fresh_hash()}) == 3
    assert len(before) == 16


def test_files_that_are_not_source_do_not_change_the_hash(package: Path) -> None:
    before = fresh_hash()
    (package / "notes.txt").write_text("anything")
    assert fresh_hash() == before


def test_the_hash_of_the_kernels_follows_their_rooms_only(package: Path) -> None:
    def hash_now() -> str:
        sources.kernel_hash.cache_clear()
        return sources.kernel_hash()

    before = hash_now()
    (package / "law.py").write_text("force = 2")
    assert hash_now() == before
    for drawing in ("scene.py", "scene_ground.py", "figures.py"):
        (package / "core" / drawing).write_text("shown = 1")
    assert hash_now() == before
    (package / "core" / "vectors.py").write_text("")
    assert hash_now() != before
    sources.kernel_hash.cache_clear()


def test_compiled_functions_live_in_the_rooms_that_are_hashed() -> None:
    package = Path(sources.__file__).parents[1]
    compiled = re.compile(r"^@(device|routine|entry|viewing|apart)\b", re.MULTILINE)
    rooms = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if compiled.search(path.read_text())
    }
    assert rooms == set(sources.KERNEL_ROOMS)
    drawing = [path for first in sources.DRAWING for path in package.rglob(f"{first}*.py")]
    assert drawing
    assert not [path.name for path in drawing if compiled.search(path.read_text())]
