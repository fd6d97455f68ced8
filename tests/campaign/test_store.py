"""What is on disk: equal bytes, damage found, rules of the directory, locks, full and broken disks."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from haptos.campaign.campaign import Campaign, campaign, open_campaign
from haptos.campaign.plan import load_plan
from haptos.campaign.store import Store
from haptos.core import disk_space, whole_files
from haptos.core.checked_files import write_checked_json
from haptos.core.errors import StorageError
from haptos.geometry.mesh.icosphere import icosphere
from haptos.results.many_runs import ManyRuns
from tests.campaign.fake_scenario import STUDY, contents, fake_batch, write_study


@pytest.fixture
def study(tmp_path) -> Path:
    return write_study(tmp_path)


@pytest.fixture
def finished(study, tmp_path) -> Path:
    campaign(study, out=tmp_path / "whole", batch=fake_batch)
    return tmp_path / "whole"


def refused(study: Path, out: Path, **options) -> StorageError:
    with pytest.raises(StorageError) as caught:
        campaign(study, out=out, batch=fake_batch, **options)
    assert caught.value.allowed
    assert caught.value.hint
    return caught.value


def shard(out: Path, index: int) -> Path:
    return out / "shards" / f"shard-{index:06d}.parquet"


def test_the_same_campaign_is_the_same_bytes_whatever_the_workers(study, finished, tmp_path):
    for workers in (1, 3, 64):
        out = tmp_path / f"again-{workers}"
        campaign(study, out=out, batch=fake_batch, workers=workers)
        assert contents(out) == contents(finished)


def test_types_come_from_the_plan_and_not_from_the_values(finished):
    schemas = [pq.read_schema(path) for path in sorted((finished / "shards").iterdir())]
    schemas.append(pq.read_schema(finished / "runs.parquet"))
    assert all(schema.equals(schemas[0], check_metadata=True) for schema in schemas)
    types = {field.name: str(field.type) for field in schemas[0]}
    assert types["bounces"] == types["settle_time_s"] == types["contact.friction"] == "double"
    assert (types["run"], types["trusted"], types["outcome"]) == ("int64", "bool", "string")


def test_an_all_nan_or_all_whole_metric_keeps_its_type(study, tmp_path):
    def odd(configs, *, workers, should_stop=None):
        rows = fake_batch(configs, workers=workers)
        return [row | {"settle_time_s": float("nan"), "bounces": 1} for row in rows]

    campaign(study, out=tmp_path / "odd", batch=odd)
    schema = pq.read_schema(shard(tmp_path / "odd", 0))
    assert str(schema.field("settle_time_s").type) == str(schema.field("bounces").type) == "double"


def test_rows_of_the_table_are_the_runs_of_the_plan(study, finished):
    plan, runs = load_plan(study), open_campaign(finished).runs
    assert runs["run"].tolist() == list(range(36))
    for run in (0, 17, 35):
        expected = fake_batch([plan.config(run)], workers=1)[0] | plan.varied_values(run)
        row = runs.iloc[run]
        for column, value in expected.items():
            assert row[column] == value or (row[column] != row[column] and value != value)


def test_a_complete_campaign_is_opened_without_running(study, finished):
    def never(configs, *, workers, should_stop=None):
        raise AssertionError("ran again")

    before = contents(finished)
    again = campaign(study, out=finished, batch=never)
    assert len(again.runs) == 36
    assert len(campaign(study, out=finished, batch=never, resume=True).runs) == 36
    assert contents(finished) == before


def test_a_moved_directory_opens_without_its_campaign_file(study, finished, tmp_path):
    before = open_campaign(finished)
    runs = before.runs
    study.unlink()
    moved = finished.rename(tmp_path / "moved")
    after = open_campaign(moved)
    assert after.runs.equals(runs)
    assert after.plan.fingerprint == before.plan.fingerprint
    assert after.plan.values(30) == before.plan.values(30)


def test_a_study_moved_with_its_shape_file_is_resumed_and_seen_there(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    vertices, faces = icosphere(1)
    lines = [f"v {x} {y} {z}" for x, y, z in 0.1 * vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in faces + 1]
    (here / "ball.obj").write_text("\n".join(lines), encoding="utf-8")
    probe = '\n[probe]\nshape = "mesh"\nfile = "ball.obj"\nunit = "m"\nmass_kg = 5.0\n'
    study = write_study(here, STUDY + probe)
    before = campaign(study, out=here / "out", batch=fake_batch).runs
    here.rename(there)
    for shard in (there / "out" / "shards").iterdir():
        shard.unlink()
    campaign(there / study.name, out=there / "out", batch=fake_batch, resume=True)
    after = open_campaign(there / "out")
    assert after.runs.equals(before)
    assert after.plan.config_table(0)["probe"]["file"] == str(there / "ball.obj")


DAMAGES = {
    "truncated": lambda data: data[: len(data) // 2],
    "empty": lambda data: b"",
    "other bytes": lambda data: b"PAR1" + os.urandom(100) + b"PAR1",
    "half zeros": lambda data: data[:100] + bytes(len(data) - 100),
    "longer": lambda data: data + b"\0",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_shard_is_computed_again(study, finished, damage):
    before = contents(finished)
    path = shard(finished, 3)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    (finished / "runs.parquet").unlink()
    assert "with about 36 of 36 runs stored" in refused(study, finished).found
    campaign(study, out=finished, batch=fake_batch, resume=True)
    assert contents(finished) == before


def flipped(good: bytes, count: int, seed: int) -> Iterator[bytes]:
    """The content with one bit flipped, so many times; footers are half of these small files."""
    for place in random.Random(seed).sample(range(8 * len(good)), count):
        bad = bytearray(good)
        bad[place // 8] ^= 1 << place % 8
        yield bytes(bad)


FLIPS = [200, pytest.param(1000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("count", FLIPS)
def test_every_flipped_bit_of_a_shard_is_noticed(study, finished, count):
    path = shard(finished, 2)
    good = path.read_bytes()
    with Store(finished, load_plan(study), resume=True) as store:
        assert store.verified(2) is not None
        for bad in flipped(good, count, 5):
            path.write_bytes(bad)
            assert store.verified(2) is None
        path.write_bytes(good)
        assert store.verified(2) is not None


@pytest.mark.parametrize("count", FLIPS)
def test_every_flipped_bit_of_the_table_is_noticed(finished, count):
    opened, path = open_campaign(finished), finished / "runs.parquet"
    for bad in flipped(path.read_bytes(), count, 6):
        path.write_bytes(bad)
        with pytest.raises(StorageError, match="not finished, or whose table is damaged"):
            open_campaign(finished)
        with pytest.raises(StorageError):
            _ = Campaign(opened.directory, opened.plan).runs


@pytest.mark.parametrize("count", FLIPS)
def test_every_flipped_bit_of_the_manifest_is_refused(finished, count):
    path = finished / "campaign.json"
    for bad in flipped(path.read_bytes(), count, 7):
        path.write_bytes(bad)
        with pytest.raises(StorageError) as caught:
            open_campaign(finished)
        assert "campaign.json" in caught.value.where


def test_a_flipped_bit_in_a_log_is_refused_when_it_is_read(tmp_path):
    """Logs are large: opening a campaign does not read them, using them does."""
    store = 'store = "impacts"'
    study = write_study(tmp_path, STUDY.replace("seed = 7", f"seed = 7\n{store}"))
    finished = tmp_path / "logs"
    campaign(study, out=finished, batch=logged_batch)
    path = finished / "impacts.parquet"
    good = path.read_bytes()
    assert len(open_campaign(finished).impacts) == 72
    for bad in flipped(good, 100, 9):
        path.write_bytes(bad)
        with pytest.raises(StorageError):
            _ = open_campaign(finished).impacts
    campaign(study, out=finished, batch=logged_batch, resume=True)
    assert path.read_bytes() == good


def logged_batch(configs, *, workers, should_stop=None):
    run = np.repeat(np.arange(len(configs)), 2)
    log = {"run": run, "loss_J": np.sqrt(1.0 + run)}
    return ManyRuns(fake_batch(configs, workers=workers), {"impacts": log})


def test_a_campaign_without_checksums_opens_and_says_so(finished):
    """As an earlier version wrote it: format 1, nothing in its footers."""
    runs = open_campaign(finished).runs
    as_format_1(finished)
    old = open_campaign(finished)
    assert not old.has_checksums
    assert old.runs.equals(runs)
    assert old.report().provenance["checksum"].startswith("none")


def as_format_1(directory: Path) -> None:
    manifest = json.loads((directory / "campaign.json").read_text()) | {"format": 1}
    del manifest["checksum"], manifest["files"]
    (directory / "campaign.json").write_text(json.dumps(manifest, indent=2) + "\n")
    for path in directory.rglob("*.parquet"):
        pq.write_table(pq.read_table(path), path, write_page_checksum=True)


@pytest.mark.parametrize("name", ["campaign.json", "runs.parquet"])
def test_files_of_both_formats_together_are_refused(finished, tmp_path, name):
    """A file that has lost its checksum does not pass for one that never had any."""
    old = tmp_path / "old"
    shutil.copytree(finished, old)
    as_format_1(old)
    shutil.copyfile(finished / name, old / name)
    with pytest.raises(StorageError):
        open_campaign(old)


def test_tables_under_other_names_are_refused(finished):
    shutil.copyfile(shard(finished, 0), finished / "runs.parquet")
    with pytest.raises(StorageError):
        open_campaign(finished)


@pytest.mark.parametrize("damage", [*DAMAGES, "missing"])
def test_a_lost_manifest_is_written_again_where_shards_say_whose_it_is(study, finished, damage):
    path = finished / "campaign.json"
    before, good = contents(finished), path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(DAMAGES[damage](good))
    with pytest.raises(StorageError):
        open_campaign(finished)
    refused(study, finished)
    campaign(study, out=finished, batch=fake_batch, resume=True)
    assert contents(finished) == before
    assert path.read_bytes() == good


def test_a_lost_manifest_does_not_make_the_directory_anothers(finished, tmp_path):
    other = write_study(tmp_path, STUDY.replace("seed = 7", "seed = 8"), "other.toml")
    (finished / "campaign.json").write_bytes(b"")
    assert "campaign.json" in refused(other, finished, resume=True).where


def test_a_damaged_copy_of_the_campaign_file_is_written_again(study, finished):
    before = contents(finished)
    (finished / "campaign.toml").write_text("seed = 8")
    campaign(study, out=finished, batch=fake_batch, resume=True)
    assert contents(finished) == before
    assert len(open_campaign(finished).runs) == 36


def test_a_shard_of_another_campaign_or_place_is_not_taken(study, finished, tmp_path):
    other = write_study(tmp_path, STUDY.replace("seed = 7", "seed = 8"), "other.toml")
    campaign(other, out=tmp_path / "other", batch=fake_batch)
    before = contents(finished)
    shard(finished, 0).write_bytes(shard(tmp_path / "other", 0).read_bytes())
    shard(finished, 1).write_bytes(shard(finished, 2).read_bytes())
    (finished / "runs.parquet").unlink()
    campaign(study, out=finished, batch=fake_batch, resume=True)
    assert contents(finished) == before


def test_a_damaged_table_is_joined_again(study, finished):
    before = contents(finished)
    path = finished / "runs.parquet"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(StorageError, match="not finished"):
        open_campaign(finished)
    refused(study, finished)
    campaign(study, out=finished, batch=fake_batch, resume=True)
    assert contents(finished) == before


def test_leftovers_of_a_killed_process_are_removed(study, finished):
    before = contents(finished)
    for folder in (finished, finished / "shards"):
        (folder / f"{whole_files.TEMPORARY}99-x.parquet").write_bytes(b"half")
    campaign(study, out=finished, batch=fake_batch, resume=True)
    assert contents(finished) == before


def test_another_campaign_in_the_directory_is_refused(finished, tmp_path):
    other = write_study(tmp_path, STUDY.replace("seed = 7", "seed = 8"), "other.toml")
    for resume in (False, True):
        error = refused(other, finished, resume=resume)
        assert error.found.startswith("another campaign (")
        assert error.found.endswith("study.toml, 36 runs)")


def rewritten(finished: Path, **changes) -> None:
    """The manifest with other contents and a checksum that fits."""
    manifest = json.loads((finished / "campaign.json").read_text())
    del manifest["checksum"]
    changed = {key: value for key, value in (manifest | changes).items() if value is not None}
    write_checked_json(finished / "campaign.json", "campaign.json", changed)


def test_a_campaign_of_other_sources_names_their_commit(study, finished):
    made_with = json.loads((finished / "campaign.json").read_text())["made_with"]
    rewritten(finished, fingerprint="0" * 64, made_with={**made_with, "commit": "0123456789abcdef"})
    found = refused(study, finished, resume=True).found
    assert found.endswith("study.toml, 36 runs, by haptos of commit 0123456789ab)")


def test_a_campaign_of_another_version_says_so(study, finished):
    rewritten(finished, haptos="0.0.1", fingerprint="x")
    assert "a campaign of haptos 0.0.1" in refused(study, finished).found


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 99}', "\x00\x01", "[" * 100_000])
def test_a_manifest_that_cannot_be_read_is_refused(study, finished, text):
    (finished / "campaign.json").write_text(text)
    assert "campaign.json" in refused(study, finished).where
    with pytest.raises(StorageError):
        open_campaign(finished)


def test_a_directory_of_a_later_format_is_named(finished):
    rewritten(finished, format=99)
    with pytest.raises(StorageError, match="format 99"):
        open_campaign(finished)


@pytest.mark.parametrize("drop", ["table", "campaign", "file", "fingerprint"])
def test_a_manifest_with_parts_missing_is_refused(finished, drop):
    rewritten(finished, **{drop: None})
    with pytest.raises(StorageError, match="cannot be understood"):
        open_campaign(finished)


@pytest.mark.parametrize("name", ["notes.txt", "shards/other.parquet", "runs.parquet"])
def test_a_directory_with_foreign_files_is_refused_and_left_alone(study, tmp_path, name):
    out = tmp_path / "out"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text("mine")
    for resume in (False, True):
        assert name in refused(study, out, resume=resume).found
    assert [path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()] == [name]


def test_a_file_in_place_of_the_directory_is_refused(study, tmp_path):
    (tmp_path / "out").write_text("mine")
    assert refused(study, tmp_path / "out").found == "a file"
    assert refused(study, tmp_path / "out" / "deeper").hint.startswith("give another place (--out)")


def test_an_empty_directory_is_used(study, tmp_path, finished):
    (tmp_path / "out").mkdir()
    campaign(study, out=tmp_path / "out", batch=fake_batch, resume=True)
    assert contents(tmp_path / "out") == contents(finished)


def test_a_directory_abandoned_before_its_manifest_is_used(study, tmp_path, finished):
    out = tmp_path / "out"
    (out / "shards").mkdir(parents=True)
    (out / "campaign.toml").write_text("half")
    (out / f"{whole_files.TEMPORARY}7-campaign.json").write_text("{")
    campaign(study, out=out, batch=fake_batch)
    assert contents(out) == contents(finished)


def test_a_second_process_is_refused_while_the_first_works(study, tmp_path):
    out = tmp_path / "out"
    plan = load_plan(study)
    with Store(out, plan, resume=False) as store:
        store.begin(b"")
        for resume in (False, True):
            error = refused(study, out, resume=resume)
            assert error.found == f"another process at work here ({os.getpid()})"
    campaign(study, out=out, batch=fake_batch, resume=True)


def test_a_killed_process_leaves_no_stale_lock(study, tmp_path):
    code = (
        "import sys, os, signal\nfrom pathlib import Path\n"
        "from haptos.campaign.plan import load_plan\nfrom haptos.campaign.store import Store\n"
        "Store(Path(sys.argv[2]), load_plan(sys.argv[1]), resume=False).begin(b'')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    out = tmp_path / "out"
    done = subprocess.run([sys.executable, "-c", code, str(study), str(out)], timeout=120)
    assert done.returncode == -9
    assert (out / ".lock").exists()
    campaign(study, out=out, batch=fake_batch, resume=True)


@contextmanager
def mounted(path: Path, options: str) -> Iterator[None]:
    """A file system of its own; skips where the machine does not let us mount one."""
    path.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], capture_output=True
    )
    if done.returncode:
        pytest.skip("mounting is not permitted here; the simulated failures below stand in")
    try:
        yield
    finally:
        subprocess.run(["umount", str(path)], check=True)


def can_mount() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0


@pytest.mark.skipif(not can_mount(), reason="only root can mount")
def test_a_read_only_disk_is_refused(study, tmp_path):
    with mounted(tmp_path / "disk", "ro,size=1m"):
        assert refused(study, tmp_path / "disk" / "out").found == "a read-only file system"


@pytest.mark.skipif(not can_mount(), reason="only root can mount")
def test_a_disk_that_is_too_small_is_refused_before_any_work(tmp_path):
    study = write_study(tmp_path, STUDY.replace("runs = 12", "runs = 2000"))
    with mounted(tmp_path / "disk", "size=1m"):
        error = refused(study, tmp_path / "disk" / "out")
        assert error.found.endswith("MB of free space")
        assert not (tmp_path / "disk" / "out").exists()


@pytest.mark.skipif(not can_mount(), reason="only root can mount")
def test_a_disk_that_fills_up_keeps_what_is_done(study, tmp_path, finished, monkeypatch):
    monkeypatch.setattr(disk_space, "check_room", lambda *_: None)
    with mounted(tmp_path / "disk", "size=60k"):
        out = tmp_path / "disk" / "out"
        assert refused(study, out).found == "no space left on the disk"
        kept = contents(out)
        assert 1 <= len(kept) < 10
        assert all(contents(finished)[name] == data for name, data in kept.items())
        subprocess.run(["mount", "-o", "remount,size=4m", str(tmp_path / "disk")], check=True)
        campaign(study, out=out, batch=fake_batch, resume=True)
        assert contents(out) == contents(finished)


def failing(number: int, after: int):
    """os.fsync that fails with an error of the system after some calls."""
    real, calls = os.fsync, iter(range(10**9))

    def fsync(descriptor: int) -> None:
        if next(calls) >= after:
            raise OSError(number, os.strerror(number))
        real(descriptor)

    return fsync


@pytest.mark.parametrize(
    ("number", "found"),
    [
        (errno.ENOSPC, "no space left on the disk"),
        (errno.EIO, "an input/output error of the disk"),
        (errno.EDQUOT, "the disk quota is used up"),
    ],
)
@pytest.mark.parametrize("after", [0, 1, 4, 9, 20])
def test_a_failing_disk_keeps_whole_shards_and_can_be_resumed(
    study, tmp_path, finished, monkeypatch, number, found, after
):
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing(number, after))
        assert refused(study, out).found == found
    assert all(contents(finished)[name] == data for name, data in contents(out).items())
    campaign(study, out=out, batch=fake_batch, resume=True)
    assert contents(out) == contents(finished)


def test_a_quota_is_noticed_before_any_work(study, tmp_path, monkeypatch):
    def fallocate(*_):
        raise OSError(errno.EDQUOT, "quota")

    monkeypatch.setattr(os, "posix_fallocate", fallocate)
    assert refused(study, tmp_path / "out").found == "the disk quota is used up"
    assert not (tmp_path / "out").exists()


def test_no_permission_is_told(study, tmp_path, monkeypatch):
    real = os.open

    def guarded(path, *arguments, **options):
        if str(path).endswith(".lock"):
            raise PermissionError(errno.EACCES, "denied")
        return real(path, *arguments, **options)

    monkeypatch.setattr(os, "open", guarded)
    assert refused(study, tmp_path / "out").found == "no permission"
