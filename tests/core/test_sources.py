"""The hash of the sources follows every edit, and nothing else."""

from __future__ import annotations

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


def test_the_hash_of_a_kernel_follows_what_it_imports_however_far_and_nothing_else(
    package: Path,
) -> None:
    kernel = package / "core" / "kernel.py"
    kernel.write_text("from haptos.core import (\n    law,\n)\nimport numpy\n")
    (package / "core" / "law.py").write_text("def force():\n    from haptos.deep.part import x\n")
    (package / "deep").mkdir()
    (package / "deep" / "part.py").write_text("import haptos.core.kernel")
    (package / "core" / "other.py").write_text("from haptos.core.kernel import run")

    def hash_now() -> str:
        sources.kernel_hash.cache_clear()
        return sources.kernel_hash(kernel)

    before = hash_now()
    (package / "core" / "other.py").write_text("")
    (package / "law.py").write_text("force = 2")
    assert hash_now() == before
    found = {before}
    for name in ("core/kernel.py", "core/law.py", "deep/part.py"):
        with (package / name).open("a") as file:
            file.write("\n# edited")
        found.add(hash_now())
    assert len(found) == 4
    sources.kernel_hash.cache_clear()


def test_a_file_outside_the_package_counts_with_all_of_it(package: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from haptos.core.jit import entry")
    before = sources.kernel_hash(script)
    (package / "law.py").write_text("force = 3")
    sources.kernel_hash.cache_clear()
    assert sources.kernel_hash(script) != before
    sources.kernel_hash.cache_clear()
