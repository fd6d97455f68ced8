"""A scalar sensor: offset, noise and the step of its counter. Encoders, load cells, range finders.

    reading = step round((truth + bias + sigma n) / step)

    n  deviate of N(0, 1)     step  least difference shown; 0 shows every number
    a truth that is not finite, or beyond the reach, gives no reading
Validity: noise that does not depend on the value; no hysteresis.
Source: elementary; noise of the rounding has the deviation step/sqrt(12) [Widrow2008].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.dynamics.sensing.streams import NOISE, Stream

CITES: tuple[str, ...] = ("Widrow2008",)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Quantised:
    """One or several numbers of the same kind.

    sigma  of the noise, bias, step: in the unit of the numbers, one for all or one each
    reach  largest size that is seen
    """

    sigma: float | tuple[float, ...] = 0.0
    step: float | tuple[float, ...] = 0.0
    bias: float | tuple[float, ...] = 0.0
    reach: float = math.inf

    def __call__(self, truth: Floats, sample: int, stream: Stream) -> Floats:
        noise = stream.normals(sample, len(truth), NOISE)
        with np.errstate(invalid="ignore"):
            seen = np.where(np.abs(truth) <= self.reach, truth, math.nan)
            raw = seen + np.asarray(self.bias) + np.asarray(self.sigma) * noise
            step = np.broadcast_to(np.asarray(self.step, dtype=float), raw.shape)
            coarse = step * np.rint(raw / np.where(step > 0.0, step, 1.0))
            return np.where(step > 0.0, coarse, raw)
