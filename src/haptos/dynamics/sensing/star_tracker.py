"""Attitude and rate of a vehicle: a star tracker, and a gyro whose bias walks.

    tracker  rotation vector of the error = sigma n                    each axis alike
    gyro     w + b_k + N / sqrt(T) n,   b_k+1 = b_k + B sqrt(T) m      with b_0 = bias n_0

    sigma [rad]      N  angle random walk [rad/sqrt(s)]      T  interval of the samples [s]
    B  rate random walk [rad/s/sqrt(s)]                       bias [rad/s], size of the first bias
    n, m  deviates of N(0, 1) of the sample and of the walk
Frame: axes of the body.
Validity: noise white up to the sample rate; small angles of error.
Source: gyro noise as [Farrenkopf1978].
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.sensing.streams import BIAS, NOISE, WALK, Stream

CITES: tuple[str, ...] = ("Farrenkopf1978",)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class StarTracker:
    """Truth and reading: rotation vector [rad] of the attitude from the one commanded."""

    sigma: float

    def __call__(self, truth: Floats, sample: int, stream: Stream) -> Floats:
        return truth + self.sigma * stream.normals(sample, 3, NOISE)


@dataclass
class Gyro:
    """Truth and reading: rate [rad/s]. The bias is the sum of its steps up to the sample."""

    angle_random_walk: float
    bias: float
    rate_random_walk: float
    interval: float
    walked: Floats = field(default_factory=lambda: np.zeros(3))
    steps: int = 0

    def __call__(self, truth: Floats, sample: int, stream: Stream) -> Floats:
        while self.steps < sample:
            step = self.rate_random_walk * math.sqrt(self.interval)
            self.walked = self.walked + step * stream.normals(self.steps, 3, WALK)
            self.steps += 1
        white = self.angle_random_walk / math.sqrt(self.interval)
        first = self.bias * stream.normals(0, 3, BIAS)
        return truth + first + self.walked + white * stream.normals(sample, 3, NOISE)
