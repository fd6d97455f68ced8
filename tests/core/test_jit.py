"""Compiled kernels are cached per state of the sources, and the cache never gets in the way."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

from haptos.core import jit
from haptos.core.jit import device, entry, routine, uncounted_entry
from haptos.core.sources import kernel_hash

KERNEL_FILE = Path(jit.__file__).parents[1] / "contact" / "coulomb.py"


@pytest.fixture
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of our own, forgotten afterwards."""
    monkeypatch.setenv("HAPTOS_CACHE_DIR", str(tmp_path / "cache"))
    jit.cache_directory.cache_clear()
    jit._passing_directory.cache_clear()
    yield tmp_path / "cache" / "haptos" / "kernels" / "contact.coulomb"
    jit.cache_directory.cache_clear()
    jit._passing_directory.cache_clear()


def test_the_directory_is_named_after_the_sources_and_numba(cache_home: Path) -> None:
    name = f"{kernel_hash(KERNEL_FILE)}-numba-{numba.__version__}"
    assert jit.cache_directory(KERNEL_FILE) == cache_home / name
    assert jit.cache_directory(KERNEL_FILE).is_dir()


def test_a_home_that_cannot_be_written_gives_a_temporary_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache_home: Path
) -> None:
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("HAPTOS_CACHE_DIR", str(tmp_path / "a file"))
    found = jit.cache_directory(KERNEL_FILE)
    assert found.is_dir()
    assert tmp_path not in found.parents
    found.rmdir()


def test_only_the_newest_caches_are_kept_and_ours_is_among_them(cache_home: Path) -> None:
    for age in range(1, 8):
        stale = cache_home / f"stale{age}"
        stale.mkdir(parents=True)
        os.utime(stale, (1e9 - age, 1e9 - age))
    ours = jit.cache_directory(KERNEL_FILE)
    kept = {path.name for path in cache_home.iterdir()}
    assert kept == {ours.name, "stale1", "stale2", "stale3"}
    assert len(kept) == jit.KEPT_CACHES


def test_an_entry_point_is_cached_in_our_directory_and_numba_keeps_its_own(
    cache_home: Path,
) -> None:
    before = numba.config.CACHE_DIR

    @entry
    def doubled(x):  # type: ignore[no-untyped-def]
        return 2.0 * x

    assert numba.config.CACHE_DIR == before
    assert doubled(1.5) == 3.0
    assert doubled.stats.cache_path.startswith(str(jit.cache_directory(Path(__file__))))  # type: ignore[attr-defined]
    assert list(jit.cache_directory(Path(__file__)).rglob("*.nbc"))


def test_a_device_function_is_itself_in_python_and_inlined_in_an_entry_point(
    cache_home: Path,
) -> None:
    def plain(x):  # type: ignore[no-untyped-def]
        return x / 0.5

    assert device(plain) is plain

    @entry
    def twice(x):  # type: ignore[no-untyped-def]
        return plain(plain(x))

    assert twice(1.0) == 4.0
    called = re.findall(r"call\w*\s+\S*plain", twice.inspect_asm(twice.signatures[0]))  # type: ignore[attr-defined]
    assert not called


def test_division_by_zero_in_a_kernel_follows_ieee_arithmetic() -> None:
    @entry
    def inverse(x):  # type: ignore[no-untyped-def]
        return 1.0 / x

    assert inverse(0.0) == float("inf")


class Held(NamedTuple):
    """Arrays as kernels are given them."""

    first: np.ndarray
    second: np.ndarray


def test_a_kernel_that_counts_no_references_computes_the_same_and_leaves_them_as_they_are(
    cache_home: Path,
) -> None:
    @routine
    def added(held, n):  # type: ignore[no-untyped-def]
        row = held.first[n]
        for i in range(len(row)):
            row[i] += held.second[i]

    def all_added(held, count):  # type: ignore[no-untyped-def]
        for n in range(count):
            added(held, n)

    found, expected = (Held(np.arange(6.0).reshape(2, 3), np.ones(3)) for _ in range(2))
    before = [sys.getrefcount(array) for array in found]
    kernel = uncounted_entry(all_added)
    kernel(found, 2)
    counted = numba.njit(error_model="numpy")(
        all_added
    )  # `entry` would find the other's in the cache
    counted(expected, 2)
    assert [sys.getrefcount(array) for array in found] == before
    assert found.first.tolist() == expected.first.tolist() == [[1, 2, 3], [4, 5, 6]]
    (text,) = kernel.inspect_llvm().values()  # type: ignore[attr-defined]
    assert "NRT_incref" not in text
    (text,) = counted.inspect_llvm().values()  # type: ignore[attr-defined]
    assert "NRT_incref" in text


def test_a_kernel_that_counts_no_references_makes_no_arrays(cache_home: Path) -> None:
    @uncounted_entry
    def made(out):  # type: ignore[no-untyped-def]
        work = np.zeros(len(out))
        out[0] = work[0]

    with pytest.raises(numba.core.errors.TypingError):
        made(np.ones(3))


KERNEL = """
from haptos.core.jit import entry
@entry
def tripled(x):
    return 3.0 * x
assert tripled(2.0) == 6.0
print(sum(tripled.stats.cache_hits.values()), sum(tripled.stats.cache_misses.values()))
"""


def test_a_second_process_finds_what_the_first_compiled(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(KERNEL)
    environment = os.environ | {"HAPTOS_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(tmp_path / "kernel.py")]
    runs = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [run.stdout.split() for run in runs] == [["0", "1"], ["1", "0"]]
