"""A result opened again is the same; a file that is not one is refused in four parts."""

from __future__ import annotations

import dataclasses
import json
import os
import random
import resource
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray

from haptos.core import whole_files
from haptos.core.checked_files import write_checked
from haptos.core.errors import StorageError
from haptos.core.outcome import Outcome
from haptos.core.whole_files import write_whole
from haptos.results.files import HAS_CHECKSUM, LAST_LINE
from haptos.results.result import Result, open_result
from tests.results.hop import hop


def refused(path: Path) -> StorageError:
    """The refusal, after checking that it has four parts."""
    with pytest.raises(StorageError) as caught:
        open_result(path)
    error = caught.value
    assert all(part.strip() for part in (error.where, error.found, error.allowed, error.hint))
    assert path.name in error.where or error.where.endswith("result.nc")
    return error


def edited(stored: Path, path: Path, edit: Callable[[h5py.File], None]) -> Path:
    """A copy changed on purpose, with a checksum that fits."""
    path.write_bytes(stored.read_bytes()[: -len(LAST_LINE)])
    with h5py.File(path, "r+") as opened:
        edit(opened)
    return write_checked(path, "result.nc", path.read_bytes(), LAST_LINE)


def without_checksum(stored: Path, path: Path) -> Path:
    """The same result as version 1 of the format has it."""
    path.write_bytes(stored.read_bytes()[: -len(LAST_LINE)])
    with h5py.File(path, "r+") as opened:
        opened.attrs["haptos_format"] = 1
        del opened.attrs["haptos_checksum"]
    content = path.read_bytes().replace(HAS_CHECKSUM.encode(), bytes(len(HAS_CHECKSUM)))
    path.write_bytes(content)
    return path


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hop().save(tmp_path_factory.mktemp("stored"))


@pytest.mark.parametrize(
    "result",
    [
        hop(),
        hop(error=1e-2, ended=Outcome.STEPS_OVER),
        hop(event_count=0),
        hop(count=2),
        hop(name=""),
        hop(name='nul \x00, quote ", ünïcode ✓, <script>'),
        dataclasses.replace(hop(), config={"long": "x" * 200_000, "deep": {"a": [{"b": []}]}}),
        dataclasses.replace(hop(), metrics={"a": np.nan, "b": -np.inf, "c": 1 / 3, "n": 2}),
        dataclasses.replace(hop(), cites=(), provenance={}),
        dataclasses.replace(hop(), tables={"map": hop().events, "curve": hop().trajectory}),
    ],
    ids=lambda result: f"{result.name[:6]!r} {result.outcome}",
)
def test_a_result_opened_again_is_the_same_to_the_last_bit(result: Result, tmp_path: Path) -> None:
    again = open_result(result.save(tmp_path))
    assert again.equals(result)
    assert again.outcome is result.outcome
    assert json.dumps(again.as_json()) == json.dumps(result.as_json())


def test_odd_bits_survive(tmp_path: Path) -> None:
    result = hop()
    payload = np.array([0x7FF8_0000_0000_BEEF], dtype=np.uint64).view(np.float64)[0]
    values = result.trajectory["v_BA_A"].values
    values[:4, 0] = [payload, -np.inf, -0.0, 5e-324]
    again = open_result(result.save(tmp_path))
    assert again.trajectory["v_BA_A"].values.tobytes() == values.tobytes()


def test_kinds_of_numbers_survive(tmp_path: Path) -> None:
    described = {"unit": "-", "frame": "-", "description": "test", "parts": 3}
    time = ("time", np.arange(3.0), described)
    given = xarray.Dataset({"time": time})
    for kind in ("int8", "int32", "uint16", "int64", "float32", "bool"):
        given[kind] = ("time", np.array([0, 1, 1]).astype(kind), described)
    result = dataclasses.replace(hop(), trajectory=given)
    again = open_result(result.save(tmp_path))
    assert again.equals(result)
    assert {str(k): str(again.trajectory[k].dtype) for k in ("int8", "bool", "float32")} == {
        "int8": "int8",
        "bool": "bool",
        "float32": "float32",
    }


def test_saving_what_was_opened_gives_the_same_again(stored: Path, tmp_path: Path) -> None:
    first = open_result(stored)
    assert open_result(first.save(tmp_path)).equals(first)


def test_a_directory_gets_result_nc_and_a_nc_path_is_taken_as_it_is(tmp_path: Path) -> None:
    result = hop(count=10)
    assert result.save(tmp_path / "new" / "folder") == tmp_path / "new" / "folder" / "result.nc"
    assert result.save(str(tmp_path / "mine.nc")) == tmp_path / "mine.nc"
    assert open_result(tmp_path / "new" / "folder").equals(open_result(tmp_path / "mine.nc"))


def test_any_netcdf_reader_finds_the_arrays_with_their_units(stored: Path) -> None:
    with xarray.open_dataset(stored, group="trajectory", engine="h5netcdf") as seen:
        assert seen["r_BA_A"].attrs["unit"] == "m"
        assert seen["r_BA_A"].attrs["frame"] == "A"
    with xarray.open_dataset(stored, group="ledger", engine="h5netcdf") as seen:
        assert {"store_kinetic", "work_friction"} <= set(seen.variables)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "nothing.nc").found == "no such file"


def test_a_directory_without_a_result_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path).found == "no such file"


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(stored: Path, tmp_path: Path, share: float) -> None:
    content = stored.read_bytes()
    (tmp_path / "part.nc").write_bytes(content[: int(share * len(content))])
    refused(tmp_path / "part.nc")


def test_one_flipped_bit_in_an_array_is_refused(stored: Path, tmp_path: Path) -> None:
    content = bytearray(stored.read_bytes())
    positions = open_result(stored).trajectory["r_BA_A"].values
    place = content.find(positions[200:300].tobytes())
    assert place > 0
    content[place + 11] ^= 1
    (tmp_path / "flipped.nc").write_bytes(content)
    refused(tmp_path / "flipped.nc")


def test_one_changed_letter_in_the_record_is_refused(stored: Path, tmp_path: Path) -> None:
    changed = stored.read_bytes().replace(b'"mass_kg": 5.0', b'"mass_kg": 6.0')
    assert changed != stored.read_bytes()
    (tmp_path / "changed.nc").write_bytes(changed)
    assert "checksum" in refused(tmp_path / "changed.nc").found


@pytest.mark.parametrize("content", [b"", b"not a result", b"CDF\x01" + bytes(200), b"\x89HDF"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.nc").write_bytes(content)
    refused(tmp_path / "other.nc")


def test_another_netcdf_file_is_refused(tmp_path: Path) -> None:
    xarray.Dataset({"a": ("x", np.zeros(3))}).to_netcdf(tmp_path / "o.nc", engine="h5netcdf")
    assert refused(tmp_path / "o.nc").found == "a NetCDF file that holds something else"


def test_another_version_is_refused_and_named(stored: Path, tmp_path: Path) -> None:
    def later(opened: h5py.File) -> None:
        opened.attrs["haptos_format"] = 3

    error = refused(edited(stored, tmp_path / "newer.nc", later))
    assert error.found == "format version 3"
    assert "version of haptos that wrote it" in error.hint


@pytest.mark.parametrize("part", ["trajectory", "events", "ledger", "ledger/store_kinetic"])
def test_a_missing_part_is_refused(stored: Path, tmp_path: Path, part: str) -> None:
    def remove(opened: h5py.File) -> None:
        del opened[part]

    assert "missing or odd parts" in refused(edited(stored, tmp_path / "a.nc", remove)).found


def test_a_file_without_checksum_opens_and_says_so(stored: Path, tmp_path: Path) -> None:
    old, new = open_result(without_checksum(stored, tmp_path / "old.nc")), open_result(stored)
    assert "checksum" not in new.provenance
    assert old.provenance.pop("checksum").startswith("none")
    assert old.equals(new)


def test_a_lost_last_line_is_not_taken_for_a_file_without_checksum(
    stored: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.nc").write_bytes(stored.read_bytes()[: -len(LAST_LINE)])
    assert "checksum" in refused(tmp_path / "a.nc").found
    spoiled = stored.read_bytes().replace(HAS_CHECKSUM.encode(), bytes(len(HAS_CHECKSUM)))
    (tmp_path / "b.nc").write_bytes(spoiled[: -len(LAST_LINE)])  # the version is left
    refused(tmp_path / "b.nc")


def test_a_file_without_checksum_on_which_hdf5_crashes_is_refused(
    stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = without_checksum(stored, tmp_path / "old.nc")
    done = subprocess.CompletedProcess([], -signal.SIGSEGV)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    assert "crashes" in refused(old).found


def test_another_kind_of_file_with_a_right_checksum_is_refused(
    stored: Path, tmp_path: Path
) -> None:
    path = tmp_path / "result.nc"
    write_checked(path, "runs.parquet", stored.read_bytes()[: -len(LAST_LINE)], LAST_LINE)
    assert "checksum" in refused(path).found


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_every_flipped_bit_is_refused(stored: Path, tmp_path: Path, count: int) -> None:
    """Values, units, frames, record, HDF5's own numbers, the last line: all of it."""
    good, path = stored.read_bytes(), tmp_path / "result.nc"
    for place in random.Random(4).sample(range(8 * len(good)), count):
        bad = bytearray(good)
        bad[place // 8] ^= 1 << place % 8
        path.write_bytes(bad)
        assert "checksum" in refused(path).found
    for byte in range(len(good) - len(LAST_LINE), len(good)):
        bad = bytearray(good)
        bad[byte] ^= 4
        path.write_bytes(bad)
        assert "checksum" in refused(path).found


def test_a_changed_unit_is_refused(stored: Path, tmp_path: Path) -> None:
    """Attributes have no checksum of HDF5."""
    good = stored.read_bytes()
    place = good.index(b"centre of mass")
    (tmp_path / "a.nc").write_bytes(good[:place] + b"P" + good[place + 1 :])
    assert "checksum" in refused(tmp_path / "a.nc").found


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file" / "result.nc")


def test_a_full_disk_is_refused_and_leaves_the_old_file_whole(tmp_path: Path) -> None:
    old = hop(count=10)
    target = old.save(tmp_path)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(StorageError) as caught:
            hop(count=3000).save(tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert caught.value.where == str(target)
    assert list(tmp_path.iterdir()) == [target]
    assert open_result(target).equals(old)


def test_a_read_only_directory_is_refused_and_stays_empty(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StorageError):
            hop(count=10).save(tmp_path)
        assert not list(tmp_path.iterdir())
    finally:
        tmp_path.chmod(0o700)


def test_a_place_below_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        hop(count=10).save(tmp_path / "file" / "folder")


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failure_at_the_last_moment_leaves_no_partial_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    write_whole(tmp_path / "a.html", "old")
    with monkeypatch.context() as patched:
        patched.setattr(whole_files.os, failing, refuse)
        with pytest.raises(StorageError, match="read-only file system"):
            write_whole(tmp_path / "a.html", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]
    assert (tmp_path / "a.html").read_text() == "old"


def test_an_interrupt_while_writing_leaves_no_partial_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(whole_files.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a.html", "new")
    assert not list(tmp_path.iterdir())


def test_text_is_written_as_utf8_with_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    path = write_whole(tmp_path / "a.html", "ünï")
    assert path.read_bytes() == "ünï".encode()
    assert path.stat().st_mode == (tmp_path / "usual").stat().st_mode
