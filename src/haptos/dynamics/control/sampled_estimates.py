"""What a controller knows of a motion: the truth with bias and noise, taken at even times and held between.

    estimate = truth(t_k) + bias + sigma n_k,   t_k = k/rate,   n_k of a unit normal distribution

Noise belongs to the sample number k of one random stream: the same seed gives the same estimates whatever the steps are.
Validity: white noise from sample to sample; no drift of the bias. Source: elementary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError
from haptos.core.random_streams import stream

CITES: tuple[str, ...] = ()
Floats = NDArray[np.float64]
NAME = "estimate"  # of the random stream
RATE = 10.0  # [1/s] assumed
# 1 sigma, all assumed: place [m], velocity [m/s], attitude [rad], rate [rad/s]
PLACE_NOISE, VELOCITY_NOISE = 0.01, 1e-3
ATTITUDE_NOISE, RATE_NOISE = math.radians(0.01), math.radians(0.001)


@dataclass(frozen=True, slots=True)
class SampledEstimate:
    """Estimates of a quantity of some components.

    noise, bias  1 sigma and offset, in its unit      rate  samples per second [1/s]
    seed         of the random stream
    """

    noise: float
    bias: ArrayLike = 0.0
    rate: float = RATE
    seed: int = 0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.noise) and self.noise >= 0.0):
            raise ConfigError("noise", f"{self.noise}", "0 or more", "noise = 0.01")
        if not (math.isfinite(self.rate) and self.rate > 0.0):
            raise ConfigError("rate", f"{self.rate}", "above 0 per second", "rate = 10.0")

    def sample(self, time: float) -> int:
        """Number k of the sample that holds at a time [s]."""
        return math.floor(time * self.rate * (1.0 + 1e-12))

    def __call__(self, truth: ArrayLike, number: int) -> Floats:
        """Estimate of the truth at sample `number`, with its shape."""
        exact = np.asarray(truth, dtype=float)
        draws = stream(self.seed, number, NAME)
        bias = np.asarray(self.bias, dtype=float)
        return np.asarray(exact + bias + self.noise * draws.standard_normal(exact.shape))
