"""A sensor as a chain: sampled at even times, disturbed, lost now and then, delivered late.

    sample k   at t_k = k T, of the truth at that time; arrives at t_k + delay
    lost       if a burst began at one of the samples k - n + 1 .. k; a burst begins with the chance
               q = 1 - (1 - p)^(1/n), so that the share of lost samples is p whatever the burst length n

    T      interval of the samples [s]         delay  from sample to arrival [s]
    p      share of samples lost [-]           n      samples lost in a row, at least
Which of them are lost depends on the name of the sensor, the seed and k alone.
Validity: the truth is asked for at t_k; what moves within an exposure is not blurred.
Source: elementary; [Box1958] for the deviates.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from haptos.dynamics.sensing.readings import Reading, SensorFault
from haptos.dynamics.sensing.replay import Replay
from haptos.dynamics.sensing.streams import LOSS, Stream

Floats = NDArray[np.float64]
Disturbance = Callable[[Floats, int, Stream], Floats]
EARLY = 1e-9  # [s] a sample or an arrival counts as due this much before its time: rounding


@dataclass(frozen=True)
class Chain:
    """Timing and losses of a sensor; docstring of the module.

    mode  noisy, or perfect: no disturbance and no losses, but the same times
    """

    interval: float
    delay: float = 0.0
    dropout: float = 0.0
    burst: int = 1
    mode: Literal["noisy", "perfect"] = "noisy"


@dataclass
class Sensor:
    """A sensor in a run: it remembers its queue, its last value and nothing else.

    disturb   (truth, sample, stream) -> what is measured; NaN where nothing can be
    replay    readings of a file in place of the truth
    log       every reading, in the order of sampling
    """

    name: str
    chain: Chain
    stream: Stream
    disturb: Disturbance
    faults: tuple[SensorFault, ...] = ()
    replay: Replay | None = None
    samples: int = 0
    last: Floats | None = None
    queue: deque[Reading] = field(default_factory=deque)
    log: list[Reading] = field(default_factory=list)

    @property
    def next_time(self) -> float:
        """Time [s] of the next sample."""
        return self.samples * self.chain.interval

    def is_due(self, time: float) -> bool:
        return time >= self.next_time - EARLY

    def sample(self, truth: ArrayLike, *, is_blinded: bool = False) -> Reading:
        """Take the sample that is due; it waits in the queue until it arrives."""
        k, time = self.samples, self.next_time
        values = self._values(np.asarray(truth, dtype=float), k, time, is_blinded)
        reading = Reading(time, time + self.chain.delay, values, k)
        self.samples = k + 1
        self.queue.append(reading)
        self.log.append(reading)
        return reading

    def delivered(self, time: float) -> list[Reading]:
        """Readings that have arrived by a time [s] and were not taken before."""
        found = []
        while self.queue and self.queue[0].arrives <= time + EARLY:
            found.append(self.queue.popleft())
        return found

    def _values(self, truth: Floats, k: int, time: float, is_blinded: bool) -> Floats:
        if self.replay is not None:
            return self.replay.at(time)
        active = [fault for fault in self.faults if time >= fault.start - EARLY]
        kinds = {fault.kind for fault in active}
        if "frozen" in kinds and self.last is not None:
            return self.last.copy()
        lost = np.full(len(truth), np.nan)
        if "failed" in kinds or is_blinded:
            return lost
        is_noisy = self.chain.mode == "noisy"
        if is_noisy and self.is_lost(k):
            return lost
        values = self.disturb(truth, k, self.stream) if is_noisy else truth.copy()
        for fault in active:
            if fault.kind == "bias":
                values = values + np.resize(np.array(fault.offset, dtype=float), len(values))
        self.last = values.copy()
        return values

    def is_lost(self, k: int) -> bool:
        """Whether sample k falls in a burst."""
        p, n = self.chain.dropout, self.chain.burst
        if p <= 0.0:
            return False
        chance = 1.0 - (1.0 - p) ** (1.0 / n)
        first = max(k - n + 1, 0)
        return any(self.stream.uniform(j, LOSS) < chance for j in range(first, k + 1))
