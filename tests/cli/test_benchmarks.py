"""Every benchmark runs, small; whether its claim holds is for `haptos bench` on a quiet machine."""

from __future__ import annotations

import builtins
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from haptos.cli.bench import benchmark_files, claim_of

FILES = benchmark_files()
PEERS = ("mujoco", "igl", "open3d", "point_cloud_utils", "polyhedral_gravity", "exudyn", "moordyn")
COMPARED = ("boxes_to_rest", "distance_grid", "polyhedron_gravity", "net_sphere")


def small_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Exit code of a benchmark run in this process, so that compiled kernels are shared."""
    monkeypatch.setattr(sys, "argv", [str(path), "--small"])
    monkeypatch.syspath_prepend(str(path.parent))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")
    return ended.value.code


def test_there_are_benchmarks_and_each_makes_a_claim() -> None:
    assert len(FILES) >= 12
    assert all(claim_of(path).endswith(".") for path in FILES.values())
    assert not any(name.startswith("_") for name in FILES)


@pytest.mark.parametrize("name", FILES)
def test_every_benchmark_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert small_run(FILES[name], monkeypatch) == 0
    assert "small: it runs" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMPARED)
def test_without_peers_the_rest_of_a_benchmark_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = builtins.__import__

    def without_peers(module: str, *rest: Any, **named: Any) -> Any:
        if module.partition(".")[0] in PEERS:
            raise ImportError(module)
        return original(module, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without_peers)
    assert small_run(FILES[name], monkeypatch) == 0
    reported = capsys.readouterr()
    assert "not installed" in reported.out + reported.err
    assert "small: not compared" in reported.out


def test_a_benchmark_that_crashes_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "broken.py"
    path.write_text("from _size import ended\nraise SystemExit(ended(1 // 0))\n")
    monkeypatch.syspath_prepend(str(FILES["start_up"].parent))
    monkeypatch.setattr(sys, "argv", [str(path), "--small"])
    with pytest.raises(ZeroDivisionError):
        runpy.run_path(str(path), run_name="__main__")
