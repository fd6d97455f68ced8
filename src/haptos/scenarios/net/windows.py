"""What the metrics of a net run are taken from, after steps about a window apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from haptos.geometry.nets.net_topology import TETHER
from haptos.scenarios.net.histories import quality_of
from haptos.scenarios.net.model import Model


@dataclass(frozen=True, eq=False)
class Windows:
    """What metrics are taken from, first axis time: at the start, after steps about `force_window_s`
    apart, at the first touch and at the end. None of it depends on the output interval.

    place, speed, momentum, attitude, work, met  as in `Stored`
    tether (n,) largest tension along the tether [N]
    quality (n,) how far the net is open [%], until it touches, then NaN
    middle (n, 3) of the knots [m]
    """

    time: Any
    place: Any
    speed: Any
    attitude: Any
    momentum: Any
    work: Any
    met: Any
    tether: Any
    quality: Any
    middle: Any


def window(model: Model) -> Windows:
    """What metrics are taken from, as it is now."""
    motion = model.motion
    knots = motion.points.x[model.knots]
    is_free = motion.step.time <= motion.step.touched_at
    pulls = motion.elements.tension[model.element_class == TETHER]
    return Windows(
        float(motion.step.time), motion.bodies.place.copy(), motion.bodies.speed.copy(), motion.bodies.attitude.copy(),
        motion.bodies.momentum.copy(), motion.ledger.work.copy(), motion.bodies.met.copy(),
        float(np.max(pulls, initial=0.0)), quality_of(model, knots) if is_free else np.nan,
        knots.mean(axis=0),
    )  # fmt: skip
