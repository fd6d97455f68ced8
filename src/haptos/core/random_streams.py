"""Counter-based random numbers: one stream per run index and per named quantity.

A draw depends on (seed, name, run) alone. So it is the same whatever the batch size, the worker
or the order of work, and adding one random quantity to a study leaves all others unchanged.
"""

from __future__ import annotations

import hashlib

import numpy as np


def stream(seed: int, run: int, name: str = "") -> np.random.Generator:
    """Generator for one quantity of one run.

    Philox4x64: the 128-bit key is a hash of (seed, name), the run index sits in the upper half
    of the 256-bit counter, which leaves 2^128 blocks to every run. Source: [Salmon2011].
    """
    digest = hashlib.sha256(f"haptos\0{int(seed)}\0{name}".encode()).digest()
    key = np.frombuffer(digest[:16], dtype="<u8")
    counter = np.array([0, 0, int(run), 0], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


class RunStreams:
    """Streams of many runs in a row: `at(run)` draws what `stream(seed, run, name)` draws.

    One generator is moved from run to run, several times faster than making each afresh. Not for
    several threads at once: each makes its own.
    """

    def __init__(self, seed: int, name: str) -> None:
        self._generator = stream(seed, 0, name)
        self._bits = self._generator.bit_generator
        self._start = self._bits.state

    def at(self, run: int) -> np.random.Generator:
        """The generator, set to the first draw of `run`; valid until the next call."""
        self._start["state"]["counter"][2] = run
        self._bits.state = self._start
        return self._generator
