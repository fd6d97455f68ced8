"""Where a result comes from: enough to run it again and to know whether it would be the same."""

from __future__ import annotations

import functools
import hashlib
import json
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

UNKNOWN = "unknown"
GIT_PATIENCE = 5.0  # [s]; a hanging git must not hold up a run


def provenance(
    config: dict[str, Any], seed: int, wall_time_s: float
) -> dict[str, str | int | float]:
    """Versions, source commit, hash of the configuration, seed, machine, time taken and date."""
    return {
        "haptos": _version("haptos"),
        "commit": source_commit(),
        "config_hash": config_hash(config),
        "seed": int(seed),
        "python": platform.python_version(),
        "numpy": _version("numpy"),
        "numba": _version("numba"),
        "platform": platform.platform(),
        "wall_time_s": float(wall_time_s),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def config_hash(config: dict[str, Any]) -> str:
    """SHA-256 of the configuration as canonical JSON: same content, same hash, in any key order."""
    text = json.dumps(config, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def source_commit(folder: Path = Path(__file__).parent) -> str:
    """Commit of the sources, with '-modified' if they were edited; 'unknown' outside of git."""
    # An installed copy may lie inside some other project's repository, so we must be tracked.
    if _git(folder, "ls-files", "--error-unmatch", ".") is None:
        return UNKNOWN
    commit = _git(folder, "rev-parse", "HEAD")
    if not commit:
        return UNKNOWN
    return f"{commit}-modified" if _git(folder.parent, "status", "--porcelain", ".") else commit


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=GIT_PATIENCE
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return UNKNOWN
