"""A compiled kernel on disk is used only if it is, byte for byte, what was written in its place."""

from __future__ import annotations

import importlib.util
import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from haptos.core import jit
from haptos.core.kernel_cache import CheckedFiles

TOY = """
from haptos.core.jit import entry, routine

@routine
def squared(x):
    return x * x

@entry
def toy(x):
    return 3.0 * squared(x) + 1.0

@entry
def other(x):
    return 5.0 * squared(x) - 1.0
"""


@pytest.fixture
def toy_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of kernels whose cache is its own."""
    monkeypatch.setenv("HAPTOS_CACHE_DIR", str(tmp_path / "cache"))
    jit.cache_directory.cache_clear()
    path = tmp_path / "toys.py"
    path.write_text(TOY)
    yield path
    jit.cache_directory.cache_clear()


def loaded(path: Path) -> ModuleType:
    """The module as a new process sees it: nothing compiled yet."""
    spec = importlib.util.spec_from_file_location("toys", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["toys"] = module
    try:
        spec.loader.exec_module(module)
        module.value = module.toy(2.0)
    finally:
        del sys.modules["toys"]
    return module


def hits(path: Path) -> int:
    """How often the cache served; the number is right in any case."""
    module = loaded(path)
    assert module.value == 13.0
    stats = module.toy.stats
    assert sum(stats.cache_hits.values()) + sum(stats.cache_misses.values()) == 1
    return sum(stats.cache_hits.values())


def files(path: Path, name: str = "toy") -> list[Path]:
    """(index, data) of a kernel."""
    folder = jit.cache_directory(path)
    index, data = sorted(folder.glob(f"toys.{name}-*"), key=lambda file: file.suffix, reverse=True)
    assert (index.suffix, data.suffix) == (".nbi", ".nbc")
    return [index, data]


def test_a_whole_cache_serves(toy_file: Path) -> None:
    assert hits(toy_file) == 0
    assert hits(toy_file) == 1


DAMAGES = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "longer": lambda content: content + b"\0",
    "no checksum": lambda content: content[48:],
    "zeros": lambda content: bytes(len(content)),
    "text": lambda content: b"haptos kernel 1\n",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("which", [0, 1], ids=["index", "data"])
def test_a_damaged_file_is_compiled_again_and_rewritten(
    toy_file: Path, which: int, damage: str
) -> None:
    hits(toy_file)
    file = files(toy_file)[which]
    good = file.read_bytes()
    file.write_bytes(DAMAGES[damage](good))
    assert hits(toy_file) == 0
    assert hits(toy_file) == 1  # the file is whole again


def test_a_removed_file_is_written_again(toy_file: Path) -> None:
    hits(toy_file)
    for which in (0, 1):
        files(toy_file)[which].unlink()
        assert hits(toy_file) == 0
        assert hits(toy_file) == 1


def test_ten_flipped_bits_never_give_another_number(toy_file: Path) -> None:
    hits(toy_file)
    chance = random.Random(3)
    for turn in range(10):
        file = files(toy_file)[turn % 2]
        flip(file, chance)
        assert hits(toy_file) == 0
    assert hits(toy_file) == 1


def flip(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    file.write_bytes(content)


def test_files_of_another_kernel_are_refused(toy_file: Path) -> None:
    """Named as if they were its own: by hand, by a careless copy, or by a bad file system."""
    module = loaded(toy_file)
    assert module.other(2.0) == 19.0
    for mine, theirs in zip(files(toy_file), files(toy_file, "other"), strict=True):
        shutil.copyfile(theirs, mine)
        assert hits(toy_file) == 0
    assert hits(toy_file) == 1


def test_files_of_other_sources_are_refused(toy_file: Path) -> None:
    """The same kernel in the same lines; what it calls has changed, and with it the directory."""
    hits(toy_file)
    old = files(toy_file)
    toy_file.write_text(TOY.replace("x * x", "x + x"))
    jit.cache_directory.cache_clear()
    jit.kernel_hash.cache_clear()
    module = loaded(toy_file)
    assert module.value == 13.0  # 3 * (2 + 2) + 1
    for mine, theirs in zip(files(toy_file), old, strict=True):
        assert mine != theirs
        shutil.copyfile(theirs, mine)
    again = loaded(toy_file)
    assert sum(again.toy.stats.cache_hits.values()) == 0


def test_a_name_chosen_by_two_processes_serves_only_the_one_it_holds(tmp_path: Path) -> None:
    """Both find an empty index, take number 1 and write: index of one, data of the other."""
    one, two = (CheckedFiles(str(tmp_path), "kernel", "stamp") for _ in range(2))
    one.save("key of one", "code of one")
    index = (tmp_path / "kernel.nbi").read_bytes()
    (tmp_path / "kernel.nbi").unlink()
    two.save("key of two", "code of two")
    assert two.load("key of two") == "code of two"
    (tmp_path / "kernel.nbi").write_bytes(index)
    assert one.load("key of one") is None
    assert two.load("key of two") is None


def test_a_reader_between_the_two_writes_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = CheckedFiles(str(tmp_path), "kernel", "stamp")
    monkeypatch.setattr(files, "_save_data", lambda name, data: None)  # killed before it
    files.save("key", "code")
    assert (tmp_path / "kernel.nbi").exists()
    monkeypatch.undo()
    assert files.load("key") is None
    files.save("key", "code")
    assert files.load("key") == "code"


def test_another_version_of_numba_finds_nothing(tmp_path: Path) -> None:
    files = CheckedFiles(str(tmp_path), "kernel", "stamp")
    files.save("key", "code")
    files._version = "0.0"
    assert files.load("key") is None


def test_nothing_is_unpickled_before_the_checksum_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1,000 flipped bits, each in a file that would be read: not one reaches the unpickler."""
    stored = CheckedFiles(str(tmp_path), "kernel", "stamp")
    code = random.Random(1).randbytes(20_000)
    stored.save("key", code)
    both = sorted(tmp_path.iterdir())
    good = {file: file.read_bytes() for file in both}
    unpickled = []

    def counted(data: bytes) -> object:
        unpickled.append(data)
        return real(data)

    real = pickle.loads
    monkeypatch.setattr(pickle, "loads", counted)
    chance = random.Random(2)
    for turn in range(1000):
        file = both[turn % 2]
        flip(file, chance)
        if file.suffix == ".nbi":
            assert stored._load_index() == {}
        else:
            assert stored._checked(file.name) is None
        file.write_bytes(good[file])
    assert unpickled == []
    assert stored.load("key") == code


def test_a_disk_that_refuses_costs_compiling_only(
    toy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CheckedFiles, "_write", refuse)
    assert hits(toy_file) == 0


def test_processes_at_the_same_time_all_get_the_right_number(tmp_path: Path) -> None:
    (tmp_path / "toys.py").write_text(TOY + "\nassert toy(2.0) == 13.0 and other(2.0) == 19.0\n")
    environment = os.environ | {"HAPTOS_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(tmp_path / "toys.py")]
    started = [subprocess.Popen(command, env=environment) for _ in range(3)]
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0]


@pytest.mark.slow
def test_a_thousand_flips_in_the_kernels_of_this_machine_are_all_found(tmp_path: Path) -> None:
    """In copies of what is cached here; the lander's kernel is compiled for it if it is not."""
    import haptos

    haptos.simulate("lander")
    stored = [file for end in ("nbi", "nbc") for file in jit.cache_root().rglob(f"*.{end}")]
    stored = [file for file in stored if file.read_bytes().startswith(b"haptos kernel")]
    assert len(stored) >= 4
    chance, found, sizes = random.Random(8), 0, 0
    for _ in range(1000):
        file = chance.choice(stored)
        copy = tmp_path / file.parent.parent.name / file.parent.name / file.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
        reader = CheckedFiles(str(copy.parent), "unused", "stamp")
        assert reader._checked(file.name) is not None
        flip(copy, chance)
        found += reader._checked(file.name) is None
        sizes += copy.stat().st_size
    print(f"{found} of 1000 flips found in {len(stored)} files, {sizes / 1e6:.0f} kB on average")
    assert found == 1000
