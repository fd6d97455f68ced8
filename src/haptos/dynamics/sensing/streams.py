"""Named random streams of sensors and actuators: the number of a sample is a function of its name.

    deviates of sample k of a quantity = Philox(key(seed, name), (k, block, purpose))

Nothing is drawn in turn, so another sensor, another rate or a sample that nobody reads changes no
other number.
Validity: sample numbers below 2^32.
Source: core/counter_random.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from haptos.core.counter_random import four_normals, random_key, uniform

Floats = NDArray[np.float64]

NOISE, LOSS, WALK, BIAS = 0, 1, 2, 3  # purposes: numbers of one do not touch those of another


@dataclass(frozen=True, slots=True)
class Stream:
    """Random numbers of one named quantity of a run.

    key   two words from the seed of the run and the name, `random_key`
    """

    key: tuple[int, int]

    @classmethod
    def named(cls, seed: int, name: str) -> Stream:
        return cls(random_key(seed, name))

    def normals(self, sample: int, count: int, purpose: int = NOISE) -> Floats:
        """Deviates of N(0, 1) of one sample, as many as `count`."""
        blocks = [
            four_normals(self.key, (sample, block, purpose, 0)) for block in range(-(-count // 4))
        ]
        return np.array(blocks, dtype=float).reshape(-1)[:count]

    def uniform(self, sample: int, purpose: int = LOSS) -> float:
        """A number in [0, 1) of one sample."""
        return float(uniform(self.key, (sample, 0, purpose, 1)))
