"""A batch function in place of a simulator: quick, and a pure function of each configuration."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from haptos.core.stop import Stopped

STUDY = """
schema = 1
scenario = "lander"
base = "lander"
[campaign]
runs = 12
seed = 7
shard_runs = 5
[contact]
friction = { distribution = "uniform", low = 0.2, high = 0.8 }
rolling_resistance_m = { sweep = "grid", values = [0.002, 0.005, 0.01] }
[release]
velocity_m_per_s = [0.05, { distribution = "normal", mean = 0.0, sigma = 0.01 }, 0.0]
attitude_quaternion = { distribution = "random_attitude" }
"""


def row(config: Any) -> dict[str, Any]:
    """Every type a scenario may report, whole numbers and NaN among them."""
    text = json.dumps(config.as_table(), sort_keys=True)
    share = int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 2**32
    settled, trusted = share < 0.8, share > 0.05
    ended = "settled" if settled else "escaped"
    return {
        "outcome": ended if trusted else "not trusted",
        "ended": ended,
        "trusted": trusted,
        "settle_time_s": 100.0 * share if settled else math.nan,
        "bounces": int(10 * share) if share < 0.5 else 10 * share,  # int here, float there
        "ledger_friction_work_J": -config.contact.friction * share,
    }


def fake_batch(
    configs: Sequence[Any], *, workers: int, should_stop: Callable[[], bool] | None = None
) -> list[dict[str, Any]]:
    rows = []
    for config in configs:
        if should_stop is not None and should_stop():
            raise Stopped
        rows.append(row(config))
    return rows


def slow_batch(
    configs: Sequence[Any],
    *,
    workers: int,
    should_stop: Callable[[], bool] | None = None,
    seconds: float = 0.01,
) -> list[dict[str, Any]]:
    """The same rows, with a pause before each."""
    rows = []
    for config in configs:
        time.sleep(seconds)
        rows += fake_batch([config], workers=workers, should_stop=should_stop)
    return rows


def write_study(folder: Path, text: str = STUDY, name: str = "study.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def contents(directory: Path) -> dict[str, bytes]:
    """Every file that holds results; the manifest names the commit, which may change meanwhile."""
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name not in (".lock", "campaign.json")
    }
