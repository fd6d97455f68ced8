"""A force law that does not match its own energy must not be trusted: the ledger finds it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import haptos

PACKAGE = Path(haptos.__file__).parent


def run_with(tmp_path: Path, file: str, old: str, new: str) -> subprocess.CompletedProcess[str]:
    """`haptos run lander --json` with one line of the package changed, to its first touches.

    As plain Python: compiling the spoiled kernel would take a minute, these steps take seconds.
    """
    package = tmp_path / "src" / "haptos"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    text = (package / file).read_text()
    assert text.count(old) == 1
    (package / file).write_text(text.replace(old, new))
    environment = {
        **os.environ,
        "PYTHONPATH": str(package.parent),
        "HAPTOS_CACHE_DIR": str(tmp_path / "cache"),
        "NUMBA_DISABLE_JIT": "1",
    }
    command = [sys.executable, "-m", "haptos", "run", "lander", "--json", "--no-report"]
    command += ["--set", "run.duration_s=35"]
    return subprocess.run(
        [*command, "--out", str(tmp_path / "out")],
        capture_output=True, text=True, env=environment, cwd=tmp_path, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        pytest.param(
            "contact/spring_damper.py",
            "return k * max(-gap, 0.0),",
            "return 1.01 * k * max(-gap, 0.0),",
            id="spring one percent too strong",
        ),
        pytest.param(
            "contact/compliant.py",
            "friction_power = dot(friction, v_p)",
            "friction_power = -dot(friction, v_p)",
            id="friction recorded with the wrong sign",
        ),
        pytest.param(
            "contact/compliant.py",
            "power -= damper * closing",
            "power -= 1.01 * damper * closing",
            id="damping recorded one percent too high",
        ),
    ],
)
def test_spoiled_law_ends_not_trusted_with_exit_code_3(tmp_path, file, old, new):
    done = run_with(tmp_path, file, old, new)
    assert done.returncode == 3, done.stderr
    reported = json.loads(done.stdout)
    assert reported["outcome"] == "not trusted"
    assert reported["trusted"] is False
    assert reported["ledger"]["relative_remainder"] > 1e-6


def test_the_same_run_with_nothing_spoiled_is_trusted(tmp_path):
    line = "return k * max(-gap, 0.0),"
    done = run_with(tmp_path, "contact/spring_damper.py", line, line)
    assert done.returncode == 0, done.stderr
    reported = json.loads(done.stdout)
    assert reported["trusted"] is True
    assert reported["ledger"]["dissipated_J"]["friction"] != 0.0
