"""What a sensor hands over: numbers with the time they are of and the time they arrive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FaultKind = Literal["failed", "bias", "frozen"]


@dataclass(frozen=True, eq=False)
class Reading:
    """One sample.

    time      of what was measured [s]          arrives  when it can be used [s]
    values    numbers; NaN if the sample was lost
    sample    number of the sample, from 0
    """

    time: float
    arrives: float
    values: Floats
    sample: int

    @property
    def is_valid(self) -> bool:
        return bool(np.isfinite(self.values).all())


@dataclass(frozen=True)
class SensorFault:
    """What goes wrong with a sensor from a time on.

    kind   failed: every sample is lost; bias: an offset is added; frozen: the last value is repeated
    start  [s]                   offset  added to the values, in their units
    """

    kind: FaultKind
    start: float
    offset: tuple[float, ...] = ()
