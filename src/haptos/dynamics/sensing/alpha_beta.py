"""Place and speed from late, noisy samples: a steady-state alpha-beta filter on each axis.

    predict   x <- x + v dt + 1/2 a dt^2,   v <- v + a dt
    correct   e = z - x,   x <- x + alpha e,   v <- v + (beta / T) e

    z  sample of the time t_k          T  interval of the samples [s]; after losses, since the last
    a  known acceleration (relative orbital motion), a function of x and v
A sample is of the time it was taken: the filter stands at t_k and is read at later times by the same
prediction, so a delay costs accuracy and not bias. Travel of a drive that is measured otherwise is taken off the
samples before they come here.
Stable for 0 < alpha, 0 < beta < 4 - 2 alpha. Errors of white noise of the deviation sigma, exactly:
    var x = sigma^2 (2 alpha^2 + beta (2 - 3 alpha)) / (alpha (4 - beta - 2 alpha))
Validity: speed that changes little within T/beta; the axes turn slowly.
Source: [Kalata1984].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.core.errors import ConfigError

CITES: tuple[str, ...] = ("Kalata1984",)
Floats = NDArray[np.float64]
Acceleration = Callable[[Floats, Floats], Floats]


@dataclass
class AlphaBeta:
    """Filter of several axes with one pair of gains; `x` and `v` are of the time `time` [s].

    acceleration  of x and v, zero if left out
    """

    alpha: float
    beta: float
    interval: float
    acceleration: Acceleration | None = None
    time: float = -math.inf
    x: Floats = field(default_factory=lambda: np.zeros(0))
    v: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if not (self.alpha > 0.0 and 0.0 < self.beta < 4.0 - 2.0 * self.alpha):
            found = f"alpha = {self.alpha}, beta = {self.beta}"
            hint = "alpha = 0.35, beta = 0.07"
            raise ConfigError("estimator", found, "alpha > 0, 0 < beta < 4 - 2 alpha", hint)

    @property
    def has_started(self) -> bool:
        return math.isfinite(self.time)

    def at(self, time: float) -> tuple[Floats, Floats]:
        """(x, v) foretold for a time [s]."""
        dt = time - self.time
        a = (
            np.zeros_like(self.x)
            if self.acceleration is None
            else self.acceleration(self.x, self.v)
        )
        return self.x + self.v * dt + 0.5 * a * dt * dt, self.v + a * dt

    def correct(self, time: float, sample: ArrayLike) -> None:
        """Take a sample of a time [s], in the order of their times; the first one starts the filter."""
        z = np.asarray(sample, dtype=float)
        if not self.has_started:
            self.time, self.x, self.v = time, z.copy(), np.zeros_like(z)
            return
        x, v = self.at(time)
        passed = max(time - self.time, self.interval)
        error = z - x
        self.x, self.v = x + self.alpha * error, v + (self.beta / passed) * error
        self.time = time


def steady_deviation(alpha: float, beta: float) -> float:
    """Deviation of the filtered place over that of white noise of the samples [-]."""
    above = 2.0 * alpha * alpha + beta * (2.0 - 3.0 * alpha)
    return math.sqrt(above / (alpha * (4.0 - beta - 2.0 * alpha)))
