"""Sensors by name, how many numbers each gives, and recordings that take their place."""

from __future__ import annotations

from pathlib import Path

from haptos.dynamics.sensing.replay import Replay, read_replay
from haptos.scenarios.docking.config import Config
from haptos.scenarios.docking.config_sensors import WIDTHS

CAMERA, DISTANCE, DRIVES, TRACKER, GYRO = "camera", "distance", "drives", "star_tracker", "gyro"


def replays(config: Config) -> dict[str, Replay]:
    """Recordings that a file names, read and checked."""
    found = {}
    for name, width in WIDTHS.items():
        file = getattr(config.sensors, name).replay_file
        if file is not None:
            found[name] = read_replay(Path(file), width, f"sensors.{name}.replay_file")
    return found
