"""The command line of a process in which the example scenarios are installed as packages of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.house.sources import ROOT

ENTRIES = """[haptos.scenarios]
bouncing-ball = tests.examples.bouncing_ball:SCENARIO
reeled-pair = tests.examples.reeled_pair:SCENARIO
"""
ABOUT = "Metadata-Version: 2.1\nName: example-scenarios\nVersion: 1.0\n"


def environment(folder: Path) -> dict[str, str]:
    """Variables of a process that finds the examples, which are installed in a folder."""
    installed = folder / "site" / "example_scenarios-1.0.dist-info"
    installed.mkdir(parents=True, exist_ok=True)
    (installed / "entry_points.txt").write_text(ENTRIES)
    (installed / "METADATA").write_text(ABOUT)
    paths = [str(installed.parent), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "haptos", *words]


def command_line(folder: Path, seconds: float = 300.0) -> Callable[..., str]:
    """A call of haptos in a folder; what it prints, if all went well."""
    variables = environment(folder)

    def run(*words: str) -> str:
        done = subprocess.run(
            command(*words), cwd=folder, env=variables, capture_output=True, text=True,
            timeout=seconds, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
