"""`haptos verify`: every byte of what is stored, and what can be made again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import haptos as hp
from haptos import reports
from haptos.campaign.campaign import campaign
from haptos.cli import run as run_command
from haptos.results.file_list import read_list
from tests.campaign.fake_scenario import fake_batch, write_study
from tests.campaign.test_store import as_format_1
from tests.cli.commands import assert_refused, haptos
from tests.results.hop import hop
from tests.results.test_files import without_checksum


@pytest.fixture(scope="module")
def run_once(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reports, "write_files", lambda result, directory: [])
        run_command.store(hop(), directory, report=False)
    listed_report(directory)
    return directory


def listed_report(directory: Path) -> None:
    """A small page in place of the real one."""
    with reports._listed(directory) as written:
        (directory / "report.html").write_text("<p>report</p>")
        written.append(directory / "report.html")


@pytest.fixture
def run(run_once, tmp_path) -> Path:
    return Path(shutil.copytree(run_once, tmp_path / "run"))


@pytest.fixture
def study(tmp_path) -> Path:
    out = tmp_path / "out"
    campaign(write_study(tmp_path), out=out, batch=fake_batch)
    listed_report(out)
    return out


def states(directory: Path) -> dict[str, str]:
    reported = json.loads(haptos("verify", directory, "--json").out)
    return {name: one["state"] for name, one in reported["files"].items()}


def flip(path: Path, share: float = 0.5) -> None:
    content = bytearray(path.read_bytes())
    content[int(share * (len(content) - 1))] ^= 16
    path.write_bytes(content)


def test_a_whole_run_is_ok(run):
    done = haptos("verify", run)
    assert done.code == 0, done
    assert done.out.splitlines()[-1] == "all 5 files are as they were written"
    assert set(states(run)) == {path.name for path in run.iterdir()}
    assert set(states(run).values()) == {"ok"}


def test_json_has_the_command_that_makes_a_damaged_file_again(run):
    flip(run / "result.nc")
    files = json.loads(haptos("verify", run, "--json").out)["files"]
    assert files["result.nc"]["remedy"].startswith("haptos run ")
    assert "remedy" not in files["summary.json"]


@pytest.mark.parametrize(
    "name", ["result.nc", "summary.json", "scenario.toml", "checksums.json", "report.html"]
)
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
def test_a_flipped_bit_in_any_file_of_a_run_is_found(run, name, share):
    flip(run / name, share)
    done = haptos("verify", run)
    assert done.code == 2
    assert f"damaged       {name}" in done.out.splitlines()
    assert "again: haptos " in done.out
    assert "damaged or missing" in done.err
    assert (f"run {run / 'scenario.toml'}" in done.out) <= (name != "scenario.toml")


@pytest.mark.parametrize("name", ["summary.json", "scenario.toml", "report.html"])
def test_a_missing_file_of_a_run_is_named_with_what_makes_it_again(run, name):
    (run / name).unlink()
    done = haptos("verify", run)
    assert done.code == 2
    assert f"missing       {name}" in done.out
    again = f"haptos report {run}" if name == "report.html" else f"haptos run {run}"
    if name == "scenario.toml":  # its copy is gone: a command that reads it cannot work
        again = f"haptos run FILE --out {run}"
    assert again in done.out


def test_a_run_of_an_earlier_version_is_never_said_to_be_verified(run, run_once, tmp_path):
    without_checksum(run_once / "result.nc", run / "result.nc")
    summary = json.loads((run / "summary.json").read_text())
    del summary["checksum"]
    (run / "summary.json").write_text(json.dumps(summary))
    (run / "checksums.json").unlink()
    done = haptos("verify", run)
    assert done.code == 3
    assert set(states(run).values()) == {"no checksum"}
    assert "have no checksum" in done.err
    content = bytearray((run / "result.nc").read_bytes())
    (run / "result.nc").write_bytes(content[: len(content) // 2])
    assert states(run)["result.nc"] == "damaged"


def test_a_single_result_file_is_verified_under_any_name(run, tmp_path):
    shutil.copyfile(run / "result.nc", tmp_path / "mine.nc")
    assert haptos("verify", tmp_path / "mine.nc").code == 0
    flip(tmp_path / "mine.nc")
    assert haptos("verify", tmp_path / "mine.nc").code == 2


def test_somebodys_notes_are_listed_and_no_fault(run):
    (run / "notes.txt").write_text("mine")
    done = haptos("verify", run)
    assert done.code == 0
    assert states(run)["notes.txt"] == "not listed"


def test_a_report_interrupted_while_it_is_written_has_no_checksum(run):
    def interrupted() -> None:
        with reports._listed(run):
            (run / "report.html").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert read_list(run)[1].keys() == {"run"}
    assert states(run) == dict.fromkeys(states(run), "ok") | {"report.html": "no checksum"}


def test_a_whole_campaign_is_ok(study):
    done = haptos("verify", study)
    assert done.code == 0, done
    found = states(study)
    assert len([name for name in found if name.startswith("shards/")]) == 8
    there = {path.relative_to(study).as_posix() for path in study.rglob("*") if path.is_file()}
    assert set(found) == there - {".lock"}


CAMPAIGN_FILES = [
    "campaign.json", "campaign.toml", "runs.parquet", "shards/shard-000003.parquet", "report.html",
]  # fmt: skip


@pytest.mark.parametrize("name", CAMPAIGN_FILES)
@pytest.mark.parametrize("share", [0.0, 0.4, 0.9])
def test_a_flipped_bit_in_any_file_of_a_campaign_is_found_and_made_good(study, name, share):
    good = (study / name).read_bytes()
    flip(study / name, share)
    done = haptos("verify", study)
    assert done.code == 2
    assert f"damaged       {name}" in done.out
    if name == "report.html":
        assert f"haptos report {study}" in done.out
        return
    assert "--resume" in done.out
    campaign(study.parent / "study.toml", out=study, batch=fake_batch, resume=True)
    assert (study / name).read_bytes() == good
    assert haptos("verify", study).code == 0


def test_swapped_shards_are_found(study):
    one, two = (study / "shards" / f"shard-{k:06d}.parquet" for k in (1, 2))
    shutil.copyfile(one, study / "kept")
    shutil.copyfile(two, one)
    (study / "kept").rename(two)
    found = states(study)
    assert [found[f"shards/{path.name}"] for path in (one, two)] == ["damaged", "damaged"]


def test_a_campaign_cut_short_has_missing_files_and_a_command(study):
    for name in ("runs.parquet", "shards/shard-000007.parquet"):
        (study / name).unlink()
    done = haptos("verify", study)
    assert done.code == 2
    assert "missing       shards/shard-000007.parquet" in done.out
    assert f"--out {study} --resume" in done.out


def test_a_campaign_of_an_earlier_version_is_never_said_to_be_verified(study):
    as_format_1(study)
    (study / "checksums.json").unlink()
    done = haptos("verify", study)
    assert done.code == 3
    assert set(states(study).values()) == {"no checksum"}
    path = study / "runs.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    assert states(study)["runs.parquet"] == "damaged"


def test_what_is_no_run_and_no_campaign_is_refused(tmp_path):
    assert_refused(haptos("verify", tmp_path), "neither result.nc nor campaign.json")


def test_a_summary_that_is_gone_leaves_the_directory_to_the_same_run(run):
    """The result says whose it is; storing takes the summary away first."""
    from haptos.cli.output import stored_hash

    before = stored_hash(run)
    (run / "summary.json").unlink()
    assert stored_hash(run) == before == hp.open(run).provenance["config_hash"]
    flip(run / "result.nc")
    assert stored_hash(run) == "unknown"


def test_a_report_of_files_without_checksum_says_so(study, monkeypatch):
    from haptos.cli.view import opened

    as_format_1(study)
    monkeypatch.setattr(reports, "write_report", lambda saved, directory: directory / "report.html")
    done = haptos("report", study)
    assert done.code == 0
    assert "has no checksum" in done.err
    assert opened(study).report().provenance["checksum"].startswith("none")
