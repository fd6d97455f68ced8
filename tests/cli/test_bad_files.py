"""Files that cannot be run are refused with where, found, allowed, try; exit code 2."""

from __future__ import annotations

import errno
import time
from pathlib import Path

import pytest

from haptos.scenarios.files import preset_text
from tests.cli.commands import assert_refused, haptos

VALID = preset_text("lander")


def spoiled(tmp_path: Path, old: str, new: str) -> Path:
    """The built-in lander file with one piece of text replaced."""
    assert VALID.count(old) == 1, f"{old!r} is in the file {VALID.count(old)} times"
    path = tmp_path / "spoiled.toml"
    path.write_text(VALID.replace(old, new), encoding="utf-8")
    return path


def test_the_valid_file_passes(tmp_path: Path):
    path = tmp_path / "good.toml"
    path.write_text(VALID, encoding="utf-8")
    done = haptos("check", path)
    assert done.code == 0, done
    assert "valid lander scenario" in done.out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        pytest.param("friction = 0.5 ", "frictoin = 0.5 ", ("[contact]", "frictoin", "rename to 'friction'"), id="unknown key"),
        pytest.param("velocity_m_per_s = [0.05", "velocity_km_per_s = [0.05", ("[release]", "velocity_km_per_s", "velocity_m_per_s"), id="wrong unit"),
        pytest.param("speed_m_per_s = 1e-6", "speed_km_per_s = 1e-9", ("[settle]", "speed_km_per_s", "speed_m_per_s"), id="wrong unit of speed"),
        pytest.param("mass_kg = 5.0", "mass_kg = -5.0", ("[probe]", "mass_kg = -5.0", "above 0"), id="negative mass"),
        pytest.param("mass_kg = 5.0", "mass_kg = nan", ("[probe]", "mass_kg = nan", "finite"), id="nan"),
        pytest.param("mass_kg = 5.0", "mass_kg = inf", ("[probe]", "mass_kg = inf", "finite"), id="inf"),
        pytest.param("mass_kg = 5.0", 'mass_kg = "5"', ("[probe]", "mass_kg = '5'", "number"), id="number as text"),
        pytest.param("mass_kg = 5.0", "mass_kg = true", ("[probe]", "mass_kg = True", "number"), id="truth value"),
        pytest.param("mass_kg = 5.0", "", ("[probe]", "no key 'mass_kg'", "add mass_kg"), id="missing key"),
        pytest.param("mass_kg = 5.0", "mass_kg = 5.0\ninertia_kg_m2 = [1.0, 1.0, 3.0]", ("[probe]", "inertia_kg_m2", "1, 1, 3", "triangle inequality"), id="impossible inertia"),
        pytest.param("mass_kg = 5.0", "mass_kg = 5.0\nedge_m = 0.1", ("probe", "exactly one of edge_m and density_kg_per_m3"), id="two sizes"),
        pytest.param('shape = "plane"', 'shape = "torus"', ("[surface]", "torus", "plane, sphere, ellipsoid"), id="unknown shape"),
        pytest.param('scenario = "lander"', 'scenario = "landre"', ("landre", "lander"), id="unknown scenario"),
        pytest.param('scenario = "lander"', 'scenario = "tehter"', ("tehter", 'write scenario = "tether"'), id="misspelt scenario"),
        pytest.param('shape = "plane"', 'shape = "plan"', ("[surface]", "did you mean 'plane'?"), id="misspelt shape"),
        pytest.param('scenario = "lander"', "", ("no key 'scenario'", "lander"), id="no scenario"),
        pytest.param("[release]", "[release", ("malformed TOML", "line"), id="malformed"),
        pytest.param("seed = 1", "seed = -1", ("seed = -1",), id="negative seed"),
        pytest.param("duration_s = 400.0", "duration_s = 0.0", ("[run]", "duration_s = 0.0"), id="no time"),
        pytest.param("schema = 1", "schema = 2", ("schema = 2",), id="file of the future"),
        pytest.param("position_m = [0.0, 0.0, 0.6]", "position_m = [0.0, 0.6]", ("[release]", "position_m"), id="short vector"),
    ],
)  # fmt: skip
def test_wrong_contents_are_refused(tmp_path: Path, old: str, new: str, words: tuple[str, ...]):
    path = spoiled(tmp_path, old, new)
    for command in ("check", "run"):
        assert_refused(haptos(command, path), "spoiled.toml", *words)


def test_a_missing_file_is_refused(tmp_path: Path):
    assert_refused(haptos("run", tmp_path / "nowhere.toml"), "no such file", "haptos list")


def test_a_directory_is_refused(tmp_path: Path):
    assert_refused(haptos("run", tmp_path), "a directory", "give the name of a file")


def test_an_empty_file_is_refused(tmp_path: Path):
    path = tmp_path / "empty.toml"
    path.touch()
    assert_refused(haptos("run", path), "empty.toml", "no key 'scenario'")


def test_binary_junk_is_refused(tmp_path: Path):
    path = tmp_path / "junk.toml"
    path.write_bytes(bytes(range(256)) * 40)
    assert_refused(haptos("run", path), "junk.toml", "UTF-8")


def test_null_bytes_are_refused(tmp_path: Path):
    path = tmp_path / "zeros.toml"
    path.write_bytes(bytes(1000))
    assert_refused(haptos("run", path), "zeros.toml", "malformed TOML")


def test_a_huge_file_is_refused_at_once(tmp_path: Path):
    path = tmp_path / "huge.toml"
    with path.open("wb") as handle:
        handle.truncate(100_000_000)
    start = time.perf_counter()
    assert_refused(haptos("run", path), "huge.toml", "100 MB")
    assert time.perf_counter() - start < 1.0


def test_an_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "secret.toml"
    path.write_text(VALID, encoding="utf-8")

    def denied(*_: object, **__: object) -> str:
        raise PermissionError(errno.EACCES, "Permission denied")

    # Faked, because the superuser can read every file.
    monkeypatch.setattr(Path, "read_text", denied)
    assert_refused(haptos("run", path), "secret.toml", "Permission denied", "permissions")


def test_deep_nesting_is_refused(tmp_path: Path):
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * 100_000, encoding="utf-8")
    assert_refused(haptos("run", path), "deep.toml")


def test_a_letter_off_goes_before_another_unit(tmp_path: Path):
    path = tmp_path / "line.toml"
    text = "[line]\nbreaking_tention_N = 600.0\nlength_m = 1.0\n"
    path.write_text('schema = 1\nscenario = "tether"\n' + text, encoding="utf-8")
    assert_refused(haptos("check", path), "breaking_tention_N", "rename to 'breaking_tension_N'")


def test_two_mistakes_are_counted(tmp_path: Path):
    path = tmp_path / "two.toml"
    text = VALID.replace("mass_kg = 5.0", "mass_kg = -5.0").replace("seed = 1", "seed = -1")
    path.write_text(text, encoding="utf-8")
    assert_refused(haptos("check", path), "1 more to fix")
