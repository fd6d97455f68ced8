"""What air and light did to a net: forces by kind, their means and peaks, the air around it."""

from __future__ import annotations

import numpy as np
import xarray
from numpy.typing import NDArray

from haptos.core.frames import NO_FRAME
from haptos.dynamics.system import (
    PUSH_IMPULSE,
    PUSH_PEAK,
    PUSHES,
)
from haptos.results.result import described
from haptos.scenarios.net.config import Config
from haptos.scenarios.net.model import Model
from haptos.scenarios.net.weather import air_table

Floats = NDArray[np.float64]


def force_by_kind(pushes: Floats) -> xarray.Variable:
    """Forces (time, kinds, 3) [N] as a described variable."""
    meaning = "sum over all that feels it of each kind of drag and light"
    return described(("time", "push", "axis"), pushes, "N", "N", meaning)


def air_dataset(config: Config) -> xarray.Dataset:
    """Density over altitude as the run used it, and where it is from."""
    air = air_table(config)
    altitudes = air.spacing * np.arange(len(air.log_density))
    density = np.exp(air.log_density)
    return xarray.Dataset(
        {
            "altitude": described(("level",), altitudes, "m", NO_FRAME, "over the ground"),
            "density": described(("level",), density, "kg/m^3", NO_FRAME, "of the air"),
        },
        attrs={"source": air.source},
    )


def push_metrics(config: Config, model: Model) -> dict[str, float]:
    """Mean and peak of each kind of drag and light that is on [N]."""
    given, motion = config.environment, model.motion
    switches = (
        given.body_drag, given.bullet_drag, given.thread_drag, given.sunlight, given.earthlight,
    )  # fmt: skip
    found = {}
    time = max(float(motion.step.time), 1e-300)
    for kind, is_on, row in zip(PUSHES, switches, motion.ledger.pushes, strict=True):
        if is_on:
            name = kind.replace(" ", "_")
            found[f"{name}_mean_N"] = float(row[PUSH_IMPULSE]) / time
            found[f"{name}_peak_N"] = float(row[PUSH_PEAK])
    return found
