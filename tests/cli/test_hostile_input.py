"""Input that no one writes by hand: refused in four parts, in no time, whatever it is."""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import haptos as hp
from haptos.campaign.plan import load_plan
from haptos.core.errors import ConfigError, GeometryError, HaptosError, StorageError
from haptos.core.input_files import input_file, input_table
from haptos.environment.sky_calendar import orbit_and_pole
from haptos.geometry.mesh.mesh_files import read_mesh
from haptos.geometry.nets import net_files
from haptos.geometry.nets.net_files import read_net_graph, read_net_tables
from haptos.geometry.shape.harmonic_files import read_harmonics
from haptos.scenarios.files import default, parse_checked, preset_text, read_table
from haptos.scenarios.net.column_files import header_of, read_columns
from tests.cli.commands import assert_refused, haptos

READERS = {
    "scenario": read_table,
    "campaign": load_plan,
    "mesh.obj": read_mesh,
    "mesh.stl": read_mesh,
    "graph.json": read_net_graph,
    "table.csv": lambda path: read_net_tables(path, path),
    "table.parquet": lambda path: read_net_tables(path, path),
    "columns": lambda path: read_columns(str(path), ("a",)),
    "harmonics": read_harmonics,
    "orbit": orbit_and_pole,
}


@pytest.mark.parametrize("setting", [
    "contact.restitution=5e-324", "contact.restitution=1e-300",
    "terrain.noise={relief_m=1.0, longest_m=9.0, increment=1e-300}",
    "terrain.noise={relief_m=1.0, longest_m=9.0, lacunarity=1.0000000000000002}",
    "probe.inertia_kg_m2=[0, 0, 0]", "probe.inertia_kg_m2=[0.0, 0.0, 0.0]",
    "probe.inertia_kg_m2=[[0,0,0],[0,0,0],[0,0,0]]",
    "release.position_m=[0, 0, 1e200]", "release.velocity_m_per_s=[1e200, 0, 0]",
    "probe.mass_kg=1" + "0" * 5000, "a" + ".a" * 1200 + "=1", "run.duration_s=" + "[" * 3000,
])  # fmt: skip
def test_a_wild_value_is_refused(setting: str) -> None:
    done = haptos("run", "lander", "--set", setting, "--out", "never")
    assert_refused(done)
    assert len(done.err) < 2000
    assert "function-after" not in done.err


def test_a_box_without_thickness_is_refused() -> None:
    table = default("lander").as_table() | {
        "probe": {"shape": "box", "mass_kg": 1e-6, "size_m": [1e-11, 0.3, 0.3]}
    }
    with pytest.raises(ConfigError, match="a shape of 1e-11"):
        parse_checked(table, "here")


def test_azimuth_and_step_shares_have_a_least_value() -> None:
    assert_refused(haptos("run", "liftoff", "--set", "map.azimuth_step_deg=1e-300"), "0.01")
    assert_refused(haptos("run", "net-small", "--set", "run.step_share=1e-300"), "0.0001")


@pytest.mark.parametrize("size", [1e200, 1e300, 1e-200])
def test_meshes_of_no_size_are_refused(tmp_path: Path, size: float) -> None:
    path = tmp_path / "far.obj"
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    lines = [f"v {size * x} {size * y} {size * z}" for x, y, z in corners]
    path.write_text("\n".join([*lines, "f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]) + "\n")
    with pytest.raises(GeometryError, match="coordinates of up to"):
        read_mesh(path)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("kind", ["pipe", "device", "directory", "missing", "zero byte"])
def test_what_is_no_file_is_refused_and_never_opened(tmp_path: Path, name: str, kind: str) -> None:
    path = tmp_path / name
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "directory":
        path.mkdir()
    elif kind == "zero byte":
        path = tmp_path / f"a\0{name}"
    began = time.monotonic()
    with pytest.raises(HaptosError) as caught:
        READERS[name](path)
    assert time.monotonic() - began < 5.0
    assert caught.value.hint
    assert "\0" not in str(caught.value)


def test_a_pipe_named_in_a_campaign_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "body.obj")
    study = tmp_path / "study.toml"
    study.write_text(
        'base = "lander"\n[campaign]\nruns = 2\n[surface]\nshape = "mesh"\nfile = "body.obj"\nunit = "m"\n'
    )
    assert_refused(haptos("check", study), "a pipe")
    study.write_text(study.read_text().replace('"body.obj"', '"a\\u0000b.obj"'))
    assert_refused(haptos("check", study), "zero byte")


def test_a_file_is_bounded_in_size(tmp_path: Path) -> None:
    path = tmp_path / "large.obj"
    with path.open("wb") as file:
        file.truncate(10**12)  # a hole, which takes no room
    for name, reader in READERS.items():
        moved = path.rename(tmp_path / f"large-{name}")
        with pytest.raises(HaptosError, match="MB"):
            reader(moved)
        path = moved
    assert input_file(__file__, "a file", 10**6) == Path(__file__)


def test_packed_tables_are_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "wind.csv.gz"
    path.write_bytes(gzip.compress(b"a\n" + b"1.0\n" * 1_000_000))
    with pytest.raises(ConfigError, match="compressed"):
        read_columns(str(path), ("a",))
    assert header_of(str(path)) == []
    plain = path.rename(tmp_path / "wind.csv")
    with pytest.raises(ConfigError):
        read_columns(str(plain), ("a",))
    with pytest.raises(GeometryError, match="compressed"):
        input_table(tmp_path / "x.zip", "a table", 10, error=GeometryError)


def test_a_parquet_file_may_not_hold_more_rows_than_any_net(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net_files, "MOST_ROWS", 999)
    path = tmp_path / "knots.parquet"
    pd.DataFrame({name: np.zeros(1000) for name in ("x_m", "y_m", "z_m")}).to_parquet(path)
    with pytest.raises(GeometryError, match="1000 rows"):
        read_net_tables(path, path)


NODE = {"id": 0, "x_m": 0.0, "y_m": 0.0, "z_m": 0.0, "role": "tether"}
OTHER = NODE | {"id": 1, "x_m": 1.0, "role": ""}
LINK = {"source": 0, "target": 1}


@pytest.mark.parametrize("text", [
    "[" * 100_000, '{"nodes": ' + "[" * 100_000, '{"nodes": 1' + "0" * 5000 + "}", "5", "null", "[]",
    json.dumps({"nodes": [NODE, OTHER | {"id": [1]}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER | {"id": {"a": 1}}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER | {"x_m": [1.0]}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER | {"x_m": {"a": 1}}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER | {"x_m": 1e200}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER | {"x_m": 10**400}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER | {"role": [1]}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER | {"mouth": [1]}], "links": [LINK]}),
    json.dumps({"nodes": [NODE, OTHER], "links": [LINK | {"source": [0]}]}),
    json.dumps({"nodes": [NODE, OTHER], "links": [LINK | {"class": {}}]}),
    json.dumps({"nodes": [NODE, OTHER], "links": [LINK | {"length_m": 1e300}]}),
])  # fmt: skip
def test_graphs_of_strange_contents_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "net.json"
    path.write_text(text)
    with pytest.raises(HaptosError):
        read_net_graph(path)


def test_tables_nested_without_end_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.toml"
    path.write_text('scenario = "lander"\n' + ".".join("a" * 1200) + " = 1\n")
    for command in ("check", "run", "campaign"):
        assert_refused(haptos(command, path), "nested too deeply")


def test_a_new_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    path = tmp_path / "mine.toml"
    code = (
        "import sys; from haptos.cli.main import main; sys.argv = ['haptos', *sys.argv[1:]]; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "new", "lander", str(path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done
    assert list(tmp_path.iterdir()) == []
    assert haptos("new", "lander", path).code == 0
    assert path.read_text() == preset_text("lander")
    assert_refused(haptos("new", "lander", path), "an existing file")


def test_a_device_is_never_replaced_by_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe.toml"
    os.mkfifo(path)
    assert_refused(haptos("new", "lander", path, "--force"), "a device or a pipe")
    assert path.is_fifo()


def test_a_mapping_is_a_scenario() -> None:
    table = default("lander").as_table()
    table["run"] |= {"duration_s": 1.0}
    result = hp.simulate(table)
    assert result.config["run"]["duration_s"] == 1.0
    assert len(hp.simulate_batch([table, table]).runs) == 2


def test_a_mapping_is_a_campaign(tmp_path: Path) -> None:
    friction = {"distribution": "uniform", "low": 0.2, "high": 0.8}
    table = {"base": "lander", "campaign": {"runs": 3}, "contact": {"friction": friction}}
    done = hp.campaign(table | {"run": {"duration_s": 1.0}}, out=tmp_path / "out")
    assert len(done.runs) == 3
    again = hp.campaign(
        tmp_path / "out" / "campaign.toml", out=tmp_path / "again", where="campaign"
    )
    assert again.runs.equals(done.runs)


@pytest.mark.parametrize("call", [
    lambda: hp.simulate(5), lambda: hp.simulate(None), lambda: hp.simulate({}),
    lambda: hp.simulate({"scenario": "lander"}), lambda: hp.simulate({"scenario": {}}),
    lambda: hp.simulate({"scenario": "lander", 5: 5}), lambda: hp.simulate([]),
    lambda: hp.simulate("a\0b.toml"), lambda: hp.load(5), lambda: hp.load(None),
    lambda: hp.simulate_batch("lander"), lambda: hp.simulate_batch(5),
    lambda: hp.simulate_batch([5]), lambda: hp.simulate_batch([]),
    lambda: hp.campaign(5, out="never"), lambda: hp.campaign({}, out="never"),
    lambda: hp.campaign({"campaign": {"runs": None}}, out="never"),
    lambda: hp.campaign({"campaign": {"runs": 5}}, out="never"),
    lambda: hp.open(5), lambda: hp.show(5), lambda: hp.open("a\0b"),
])  # fmt: skip
def test_python_calls_refuse_what_they_cannot_use(call, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HaptosError):
        call()
    assert not (tmp_path / "never").exists()


def test_open_of_something_else_says_what_it_opens() -> None:
    with pytest.raises(StorageError, match="of type int"):
        hp.open(5)


@pytest.mark.parametrize(("name", "setting", "hint"), [
    ("lander", "friction=0.3", "try: contact.friction, which has that name"),
    ("lander", "duration=4", "try: run.duration_s, which has that name"),
    ("lander", "frictoin=0.3", "try: contact.friction, which has a like name"),
    ("lander", "contact.frictoin=0.3", "try: rename to 'friction'"),
    ("lander-bilobe", "contact.stiffness_N_per_m=5.0",
     'try: remove it, or contact.law = "compliant", which it belongs to'),
    ("lander", "contact.lying_depth=0.01", 'or contact.law = "impulsive", which it belongs to'),
    ("lander", "surface.radius_m=1.0", 'or surface.shape = "sphere", which it belongs to'),
    ("net-small", "mass_kg=1.0", "try: bullets.mass_kg or chaser.mass_kg"),
    ("lander", "zzz=1", "try: remove it"),
])  # fmt: skip
def test_an_unknown_key_is_looked_for_in_every_table(name: str, setting: str, hint: str) -> None:
    assert_refused(haptos("run", name, "--set", setting, "--out", "never"), hint)
